"""What the shots about a query and a key share: both words, their hands, and their score."""

from __future__ import annotations

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike

from model.position_pair import RotatedDotProduct
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers
from scenes.parts.dial_turns import Wedges
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.parts.ruler_marks import Mark
from scenes.rope.film_grid import FilmGrid
from scenes.stage import Derived, Stage

SIZE = 48.0
"""Of the formula and the score, in pixels at 720p."""


class TwoWordStage(Stage):
    """The asking word and the first word on a line, a hand of each on every dial, and their score.

    The values have the `words`.
    """

    derived = {
        "n_hands": Derived("number of hands", lambda v: len(v.words.frequencies)),
        "partner": Derived("word whose key it is", lambda v: v.words.words[0]),
    }

    def lay_words(
        self, path: str, query: str, key: str, window: ArrayLike, *, nearest: int, n_decimals: int
    ) -> None:
        """Both words on the line, of which a window is seen, and a hand of each on every dial.

        The product of the two is at a path, and the pairs of their hands at paths from there. They
        come as near as `nearest` positions; what dials add has `n_decimals`, if all dials are seen.
        """
        product: RotatedDotProduct = self[path].content
        words, texts = self.values.words, self["words.words"]
        n, m, offset = (self[f"{path}.pair.{name}"] for name in ("n", "m", "offset"))
        self.grid = FilmGrid(self.canvas, len(words.frequencies), window, apart=nearest)
        self.line, dials = self.grid.line, self.grid.dials
        self.hero = self.grid.tile(texts[words.asks], product.pair.m, "query")
        self.partner = self.grid.tile(texts[0], product.pair.n, "key", row=self.grid.rows - 1)
        self.mark = Mark(self.line, m, "")
        rise = self.grid.over_tiles
        self.bracket = self.line.bracket(n, self.mark, offset, ".0f", prefix="n − m = ", rise=rise)
        self.query = Hands(self[f"{path}.{query}"], dials, "query", unit=words.unit)
        self.key_hands = Hands(self[f"{path}.{key}"], dials, "key", unit=words.unit)
        angles = self[f"{path}.pair_angles"]
        self.wedges = Wedges(angles, dials, self.query, end=self.key_hands, out=0.42)
        self.dials = VGroup(dials, self.query)
        for depth, part in ((2, self.query), (3, self.wedges), (4, self.key_hands)):
            part.set_z_index(depth)  # thick hands would hide a narrow wedge
        spec = f"+.{n_decimals if dials.shown_rows == dials.n else 2}f"
        self.terms = DialNumbers(self[f"{path}.terms"], dials, spec)
        self.score = Figure(self[f"{path}.rotated_both"], ".2f", size=SIZE, align="left")

    def lay_score(self, *forms: Equation, room: float = 0.0) -> None:
        """Let all forms of the formula end where the score begins; `room` is left after it."""
        width, rest = max(form.most.width for form in forms), self.score.number.width + room
        right = self.grid.band.region.center[0] + (width - rest) / 2
        for form in forms:
            self.grid.write(form, right)
        base = forms[0].term("equals").anchor[1]
        self.score.put(np.array([right + 0.25, base, 0.0]))
