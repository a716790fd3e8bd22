"""What attention copies from one band of a text into another: ribbons, and tokens along them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike

from scenes.parts.placing import plated
from scenes.parts.tokens.flow import Ribbon
from scenes.parts.tokens.prompt_strip import PromptStrip, TokenBox
from scenes.style.motion import Drive, recolor
from scenes.style.text import Number
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL

_SEEN = 0.02
"""Attention below this draws no ribbon."""
_BROAD = 0.1
"""How wide the ribbon of all of the attention is, in units."""


class Carry:
    """Copies of tokens that run from band `token` of a text to another band.

    `pattern` (T, T) is the attention of each position, `sources` (T,) names the token that each
    copies, and `shares` (T,) how much of what it gets that is: the copy's box is filled as far.
    `ribbons` and `copies` hold what has been made so far.
    """

    def __init__(
        self,
        strip: PromptStrip,
        band: str,
        pattern: ArrayLike,
        sources: Sequence[int],
        shares: ArrayLike,
    ) -> None:
        self._strip, self._band, self._sources = strip, band, list(sources)
        self._pattern, self._shares = np.asarray(pattern), np.asarray(shares)
        self.ribbons: list[Ribbon] = []
        self.copies: dict[int, TokenBox] = {}

    def ribbons_to(self, m: int) -> list[Ribbon]:
        """What carries to position m: attention that can be seen, within a row of the text."""
        seen = [n for n in range(m + 1) if self._pattern[m, n] > _SEEN and self._in_row(m, n)]
        ribbons = [self._ribbon(m, n) for n in seen]
        self.ribbons += ribbons
        return ribbons

    def number(self, m: int) -> VGroup:
        """How much attention position m pays to its source: on the ribbon, or beside a short one.

        For a source in the row of m.
        """
        n = self._sources[m]
        share, strip = float(self._pattern[m, n]), self._strip
        color = theme().text_color("attention")
        start, end = strip.edge(n, "token", inner=True), strip.edge(m, self._band)
        number = Number(share, ".1%", size=LABEL, weight="semibold", color=color)
        long = strip.down or float(np.linalg.norm(end - start)) > 1.0
        aside = 0.0 if long else 0.6 * strip.slot + 0.5 * number.width
        return plated(number, (start + end) / 2 + aside * strip.onward)

    def travel(self, m: int, *, run_time: float = 1.0) -> Drive:
        """A copy of its source, along the ribbon to position m."""
        strip, n = self._strip, self._sources[m]
        copy = self.copies[m] = strip.token_box(m, strip.tokens[n], self._band)
        green = mix(theme().panel, theme().value, float(self._shares[m]))
        copy.tint(theme().value, theme().ink_on(green), green, width=2.0).interpolate_mobject(1)
        ribbon = self._ribbon(m, n)
        way = [ribbon.at(share) for share in np.linspace(0, 1, 12)] if self._in_row(m, n) else []
        return copy.fly([strip.boxes[n].middle, *way, copy.middle], appear=True, run_time=run_time)

    def settle(self) -> list[Drive]:
        """All copies have come: they turn to quiet boxes, and the ribbons fade."""
        look = theme()
        quiet = [copy.tint(ink=look.token, fill=look.panel) for copy in self.copies.values()]
        return [*quiet, *(recolor(ribbon, look.hairline) for ribbon in self.ribbons)]

    def _in_row(self, m: int, n: int) -> bool:
        return self._strip.row(n) == self._strip.row(m)

    def _ribbon(self, m: int, n: int) -> Ribbon:
        ends = self._strip.edge(n, "token", inner=True), self._strip.edge(m, self._band)
        share = float(self._pattern[m, n])
        return Ribbon(*ends, -self._strip.outward, share, width=_BROAD)
