"""A query and a key moved together keep their score: of two positions one offset is left."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, Circle, Create, VGroup
from manim.utils.rate_functions import ease_in_out_sine
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.relative_offset import WALK_STEPS, DraggedWords, dragged_words
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Wedges
from clockhead.scenes.parts.equation import Equation, become
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.ruler import Mark
from clockhead.scenes.rope.word_line import BY_OFFSET, FORMULA, NUMBER, SPAN, FilmGrid
from clockhead.scenes.spelling import plural
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    FadeIn,
    FadeOut,
    Stage,
    Steps,
    beat,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import recolor

_QUERY = [("turn query", "query(R)"), ("m", "_query(m)"), ("query", "query(q)")]
_KEY = [("turn key", "key(R)"), ("n", "_key(n)"), ("key", "key(k)"), ("equals", "=")]
_BOTH = [("open", "\\("), *_QUERY, ("close", "\\)"), ("transpose", "^top"), *_KEY]
_BETWEEN = [_QUERY[2], ("transpose", "^top"), _QUERY[0], ("flip", "^top"), _QUERY[1], *_KEY]
_FUSED = {"turn": ["turn query", "flip", "turn key"], "offset": ["n", "m"]}
_HOPS = {"turn query": 0.3, "m": 0.3}
"""How high R_m hops over q, in units."""


def _back(values: DraggedWords) -> str:
    if values.comes_back_round:
        return (
            "It can: the fast hand is almost all the way round, and the score is about as before."
        )
    if values.is_back:
        return "It can: here the score is about what it was before."
    return "Not here, but it can: hands that go round do come round again."


class RelativeOffset(Stage[DraggedWords]):
    """A query and a key moved together keep their score: of two positions one offset is left."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=1, le=SPAN, description="position of the query")
        n: int = Field(3, ge=0, le=SPAN, description="position of the key")
        shift: int = Field(95, ge=1, le=1000, description="how far both are moved on")
        stray: int = Field(3, ge=1, le=5, description="how far the key moves alone at first")
        stray_far: int = Field(6, ge=2, le=7, description="how far it has moved alone in the end")

    title = "Only the offset counts"
    caption = "Hands that come round: they will make trouble soon."
    opens = ("dials", "line", "hero", "formula")
    leaves = ("faces",)
    claims = (
        Claim(
            "the key's first steps change the score visibly",
            lambda v: not v.stray_looks_alike,
            "it stays {stray_score:.2f}; change stray or seed",
        ),
    )
    derived = {
        "distance": Derived("how far both move", lambda v: plural(v.shift, "position")),
    }

    @classmethod
    def compute(cls, inputs: Inputs) -> DraggedWords:
        given = inputs.m, inputs.n, inputs.shift, inputs.stray, inputs.stray_far
        return dragged_words(inputs.words, *given)

    def layout(self) -> None:
        """Dials with both words' hands over the line; the formula ends before the score."""
        v = self.values
        self.near = np.array([0.0, SPAN])
        middle = (v.far.m + v.far.n) / 2
        self.far = np.round(middle) + np.array([-SPAN, SPAN]) / 2
        self.home_window = self._window(v.walk_offsets)
        self.grid = grid = FilmGrid(self.canvas, v.words.n_pairs, self.near, apart=v.nearest)
        self.line, self.faces = grid.line, grid.dials
        texts, words = self["words.words"], v.words
        self.hero = grid.tile(texts[words.asks], v.near.m, "query")
        self.partner = grid.tile(texts[0], v.near.n, "key", row=grid.rows - 1)
        self.mark = Mark(self.line, self["near.m"], "")
        above: dict[str, Any] = {"prefix": "n − m = ", "rise": grid.over_tiles, "size": NUMBER}
        bracket = self.line.bracket(self["near.n"], self.mark, self["near.offset"], ".0f", **above)
        self.bracket = bracket
        self._lay_hands()
        self.formula, *self.forms = (
            Equation(terms, size=FORMULA) for terms in (_QUERY, _BOTH, _BETWEEN, BY_OFFSET)
        )
        grid.write(self.formula)
        self.score = Figure(self["near.score"], ".2f", size=FORMULA, align="left")
        self._lay_score()

    def _window(self, offsets: NDArray[np.float64]) -> NDArray[np.float64]:
        """The positions that are seen once the query stands at 0."""
        low, high = min(0.0, float(offsets.min())), max(0.0, float(offsets.max()))
        return np.array([low - 1, max(high + 1, low - 1 + SPAN)])

    def _lay_hands(self) -> None:
        """A hand of each word on every dial, the angle between them, and what it adds."""
        v, unit, faces = self.values, self.values.words.unit, self.faces
        self.query = Hands(self["near.rotated_query_pairs"], faces, "query", unit=unit)
        self.key_hands = Hands(self["near.key_pairs"], faces, "key", unit=unit)
        angles, end = self["near.pair_angles"], self.key_hands
        self.wedges = Wedges(angles, faces, self.query, end=end, out=0.45)
        self.dials = VGroup(faces, self.query)
        for depth, part in ((2, self.query), (3, self.wedges), (4, self.key_hands)):
            part.set_z_index(depth)  # thick hands would hide a narrow wedge
        spec = f"+.{v.n_decimals}f"
        self.terms = DialNumbers(self["near.terms"], faces, spec, size=NUMBER)

    def _lay_score(self) -> None:
        """Let all forms of the formula end where the score begins."""
        width = max(form.most.width for form in self.forms)
        right = self.grid.band.region.center[0] + (width - self.score.number.width) / 2
        for form in self.forms:
            self.grid.write(form, right)
        self.forms[0].hide(*(name for name, _ in _KEY))
        base = self.forms[0].term("equals").anchor[1]
        self.score.put(np.array([right + 0.25, base, 0.0]))

    @beat(
        "Now two words meet. “{words.first}” is at {near.n}, with a key: what it has to offer.",
        focus="dials",
    )
    def meet(self) -> Steps:
        """The key comes in unturned."""
        yield (
            FadeIn(self.partner, run_time=0.8),
            self.key_hands.grow(run_time=1.2),
            become(self.formula, self.forms[0], run_time=1.0),
        )

    @beat("A key makes hands like a query, and its position turns them.", focus="dials")
    def turn_key(self) -> Steps:
        """The key's hands turn by its own position."""
        turned, by = self["near.rotated_key_pairs"], self["near.key_phases"].array
        yield (
            self.key_hands.turn_to(turned, by, run_time=2.4),
            self.formula.appear("key", "turn key", "n", run_time=1.5),
        )

    @beat(
        "On every clock, the two hands agree when the angle between them is small.", focus="dials"
    )
    def agree(self) -> Steps:
        """Close to one clock."""
        k = self._telling
        center, r = self.faces.centers[0, k], self.faces.radius
        frame = Circle(r).move_to(center)
        yield FadeOut(self.formula, run_time=0.4)
        yield self.look_at(frame, run_time=1.6)
        yield self.wedges.grow(run_time=1.5)
        yield 1.0
        yield self.look_back(run_time=1.2)
        yield FadeIn(self.formula, run_time=0.4)

    @property
    def _telling(self) -> int:
        """The clock whose hands add most to the score."""
        return int(np.argmax(np.abs(self.values.near.terms)))

    @beat(
        "In numbers: their lengths, times the cosine of that angle. Add it up for all clocks.",
        focus="dials",
    )
    def add_up(self) -> Steps:
        """What each dial adds to the score."""
        yield FadeIn(self.terms, run_time=0.8)

    @beat("That sum is the score: {near.score:.2f}.", rest=REST)
    def score_(self) -> Steps:
        """One number after another lights up and is added."""
        self.score.set_to(self["sums"][0])
        yield self.formula.appear("equals", run_time=0.5)
        for k, figure in enumerate(self.terms.figures):
            lit = recolor(figure, self.theme.text_color("attention"), run_time=0.5)
            yield lit, self.score.to(self["sums"][k], run_time=0.5) if k else FadeIn(self.score)
            yield 0.5
            yield recolor(figure, self.theme.ink, run_time=0.3)
        self.score.set_to(self["near.score"])

    @beat(
        "Nothing. Both hands turn by the same angle, so the angle between them stays the same.",
        ask="Now move both words along by {distance}. What happens to the score?",
        rest=REST,
        focus="dials",
    )
    def drag(self) -> Steps:
        """One unbroken drag: the line runs past below, and every wedge is rigid."""
        far = self["far.rotated_query_pairs"], self["far.rotated_key_pairs"]
        moves = self._drag(self["far.m"], self["far.n"], self.far, *far, "shift", 6.0)
        yield (*moves, self.terms.through(self["drag_terms"], run_time=6.0))

    @beat(
        "To make it simple, let us turn both back, until “{words.asker}” stands at 0.",
        rest=REST,
        focus="dials",
    )
    def turn_back(self) -> Steps:
        """Both go back; R_m goes over to the key, transposed."""
        hands = self["near.query_pairs"], self["near.key_pairs_by_offset"]
        places = self["home"], self["near.offset"]
        run = 6.0
        moves = self._drag(*places, self.home_window, *hands, "home", run, way=-1)
        flip = {"flip": ["transpose"]}
        yield (
            *moves,
            self.terms.through(self["home_terms"], run_time=run),
            become(self.formula, self.forms[1], origins=flip, hops=_HOPS, run_time=run),
        )

    @beat(
        "Its query is not turned any more. Only the difference of positions is left: the offset.",
        rest=REST,
        focus="dials",
    )
    def one(self) -> Steps:
        """The two turns become one, by the offset, which a bracket shows on the line."""
        yield become(self.formula, self.forms[2], origins=_FUSED, run_time=1.8)
        yield self.bracket.appear(run_time=0.8)
        yield self.formula.pulse("offset")

    @beat(
        "Now move “{words.first}” alone. The angles change, and the score with them.", focus="dials"
    )
    def key_only(self) -> Steps:
        """The key's first steps alone."""
        yield self._walk(0, self.values.stray, 4.0)

    @beat(_back, ask="If it keeps moving, can the old score come back?", rest=REST, focus="dials")
    def back(self) -> Steps:
        """The rest of its steps, and a ring round the hand that did it, if it was the fast one."""
        yield self._walk(self.values.stray, self.values.stray_far, 4.0)
        if self.values.comes_back_round:
            ring = Circle(1.06 * self.faces.radius, color=self.theme.attention, stroke_width=5)
            yield Create(ring.move_to(self.faces.centers[0, 0]), run_time=0.8)

    @beat(CAPTION, focus="dials")
    def once_more(self) -> Steps:
        """The picture stands."""
        yield 0.5

    def _drag(
        self, m: Any, n: Any, window: NDArray[np.float64], query: Any, key: Any, name: str,
        run_time: float, way: int = 1,
    ) -> list[Animation]:  # fmt: skip
        """Both words, and all hands, to other places; the line runs past under the tiles."""
        turn = way * self[f"{name}_phases"].array
        scores = self["drag_scores" if way > 0 else "home_scores"]
        run: dict[str, Any] = {"run_time": run_time, "rate_func": ease_in_out_sine}
        return [
            self.line.zoom(window, **run),
            self.mark.to(m, **run),
            self.bracket.to(n, **run),
            self.grid.slide(self.hero, float(m.array), window, **run),
            self.grid.slide(self.partner, float(n.array), window, **run),
            self.query.turn_to(query, turn, **run),
            self.key_hands.turn_to(key, turn, **run),
            self.score.through(scores, **run),
        ]

    def _walk(self, start: int, end: int, run_time: float) -> list[Animation]:
        """The key alone from a position of its way to another, and all that follows from it."""
        run: dict[str, Any] = {"run_time": run_time, "rate_func": ease_in_out_sine}
        way = slice(WALK_STEPS * start, WALK_STEPS * end + 1)
        goal, figure = self["walk_offsets"][WALK_STEPS * end], self.bracket.figure
        return [
            self.bracket.to(goal, **run),
            self.grid.slide(self.partner, float(goal.array), self.line.window, **run),
            self.key_hands.through(self["walk_key_pairs"][way], **run),
            self.wedges.through(self["walk_pair_angles"][way], **run),
            *([figure.through(self["walk_offsets"][way], **run)] if figure else []),
            self.terms.through(self["walk_terms"][way], **run),
            self.score.through(self["walk_scores"][way], **run),
        ]
