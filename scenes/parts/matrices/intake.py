"""What comes in: one-hot columns, and the even attention that takes their mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from model.caesar import N_TOKENS
from model.prompts import SPACE_TOKEN
from scenes.parts.matrices.arrivals import GrowingPattern, OneHotRoll
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number
from scenes.style.theme import theme
from scenes.style.type import MIN_SIZE, SMALL

_HEADING = 0.36
"""Room for a heading, in units."""
_NAMES = 0.26
"""Room for the names of rows, in units."""
_SLIM = 2.5
"""Patterns narrower than this have little room for words."""


class Intake(VGroup):
    """One-hot tokens a to z and space, and a causal pattern, each with its words.

    `tokens` are indices (T,); every row of `pattern` (T, T) shares its attention evenly. They stand
    in two regions side by side at first; `move_aside` takes both to one, where the pattern stands
    under the columns, or beside them where that region is wide. `show(n)` lets n tokens be in.
    """

    def __init__(
        self,
        tokens: Sequence[int],
        pattern: ArrayLike,
        early: Sequence[Region],
        late: Region,
    ) -> None:
        self.shares = np.asarray(pattern, dtype=float)[:, 0]  # (T,)
        first, second = (region.cut_top(_HEADING, 0.0)[1] for region in early)
        self._early = [_beside_names(first), second]
        self._late = _late(late)
        self.slim = self._late[1].width < _SLIM
        look = theme()
        self.roll = OneHotRoll(tokens, self._early[0], n_rows=N_TOKENS, color=look.key)
        self.pattern = GrowingPattern(pattern, self._early[1])
        self.each = Number(
            1.0,
            ".1%",
            size=SMALL if self.slim else 24,
            weight="semibold",
            color=look.text_color("attention"),
            suffix="" if self.slim else " each",
            align="right",
        )
        self.roll_words = VGroup(
            Label("one-hot tokens", size=SMALL, color=look.ink),
            Label("a", size=MIN_SIZE, color=look.muted, align="center"),
            Label(SPACE_TOKEN, size=MIN_SIZE, color=look.muted, align="center"),
        )
        size = MIN_SIZE if self.slim else SMALL
        self.pattern_words = VGroup(Label("attention", size=size, color=look.ink, align="right"))
        super().__init__(self.roll, self.roll_words, self.pattern, self.pattern_words, self.each)
        for label, spot in zip(self._words(), self._spots(*self._early), strict=True):
            label.put(spot)

    def show(self, n: float) -> None:
        """Let the first n tokens be in."""
        self.roll.show(n)
        self.show_pattern(n)

    def show_pattern(self, n: float) -> None:
        """Show n rows of attention, and what the last of them gives to each token."""
        self.pattern.show(n)
        row = int(np.ceil(n)) - 1
        self.each.set_value(float(self.shares[np.clip(row, 0, len(self.shares) - 1)]))

    def move_aside(self, run_time: float = 1.0) -> Drive:
        """Leave the wide places for the narrow one."""
        before, after = (
            [np.concatenate([_edges(region) for region in regions]), *self._spots(*regions)]
            for regions in (self._early, self._late)
        )

        def show(state: NDArray[np.float64]) -> None:
            self.roll.fit(Region(*state[:4].tolist()))
            self.pattern.fit(Region(*state[4:8].tolist()))
            for label, spot in zip(self._words(), state[8:].reshape(-1, 3), strict=True):
                label.put(spot)

        start, end = np.concatenate(before), np.concatenate(after)
        return Drive(self, show, start, end, run_time=run_time)

    def _words(self) -> list[Label]:
        return [*self.roll_words, *self.pattern_words, self.each]

    def _spots(self, roll: Region, pattern: Region) -> list[NDArray[np.float64]]:
        """Where the words stand: those of the columns, the name of attention, its share."""
        corner = pattern.right - 0.14, pattern.top
        words = (pattern.left + self.pattern_words.width, pattern.top + 0.12)
        share = (corner[0], corner[1] - 0.36)
        if pattern.top < roll.bottom:
            words = (corner[0], corner[1] - (0.2 if self.slim else 0.28))
            share = (corner[0], corner[1] - (0.44 if self.slim else 0.6))
        spots = [
            (roll.left, roll.top + 0.12),
            (roll.left - 0.15, roll.top - 0.15),
            (roll.left - 0.15, roll.bottom + 0.03),
            words,
            share,
        ]
        return [np.array([x, y, 0.0]) for x, y in spots]


def _late(region: Region) -> list[Region]:
    """The pattern under the columns, token by token, or beside them in a wide region."""
    area = region.cut_top(_HEADING, 0.0)[1]
    if region.width > 1.6 * region.height:
        roll, pattern = area.columns(1.0, 1.0, gap=0.3)
        return [_beside_names(roll), pattern]
    roll, pattern = area.rows(1.0, 1.0, gap=0.12)
    return [_beside_names(roll), _beside_names(pattern)]


def _beside_names(region: Region) -> Region:
    return Region(region.left + _NAMES, region.bottom, region.right, region.top)


def _edges(region: Region) -> list[float]:
    return [region.left, region.bottom, region.right, region.top]
