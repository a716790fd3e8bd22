"""A race of scores: bars that grow one after another, the leader lit, the first two named."""

from __future__ import annotations

import numpy as np
from manim import VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.letter_bars import LetterBars
from scenes.parts.text import Number
from scenes.style.layout import PX, Region
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, MIN_SIZE, SMALL

_FOOT = 0.34
_HEADING = 0.42
_EDGE = 0.13
_APART = 0.12
"""Lengths, in units."""


class ScoreRace(VGroup):
    """A bar for each score from 0 on, under a heading; `mark` says whose turn it is.

    `best` and `runner_up` hold a score and the number of its bar; they are not added.
    """

    def __init__(self, scores: ArrayLike, region: Region, *, heading: str, spec: str) -> None:
        super().__init__()
        look = theme()
        self.scores = np.asarray(scores, dtype=float)
        self.region, self.spec = region, spec
        self._dimmed = mix(look.panel, look.residual, 0.35)
        foot, above = region.cut_bottom(_FOOT, 0.0)
        self._foot_y = foot.center[1]
        self.bars = LetterBars(
            self.scores,
            above,
            high=float(self.scores.max()),
            color=self._dimmed,
            names=(),
            room=SMALL * PX * 1.3 + _HEADING,
        )
        self.heading = self.bars.heading(heading)
        self.mark = Number(
            0, "d", size=LABEL, weight="semibold", color=look.text_color("attention")
        )
        self.add(self.bars, self.heading, self.mark)
        first, second = (int(k) for k in np.argsort(-self.scores, kind="stable")[:2])
        size = MIN_SIZE if abs(first - second) == 1 else LABEL
        self.best = self._named(first, look.text_color("value"), size)
        self.runner_up = self._named(second, look.ink, size)
        self._part(first, second)

    @property
    def corner(self) -> NDArray[np.float64]:
        """The end of the heading's line, at the right."""
        return np.array([self.region.right, self.heading.anchor[1], 0.0])

    def show(self, at: float) -> int:
        """Bars up to `at` have grown, the next one grows; returns the nearest bar's number."""
        grown = np.clip(at + 1 - np.arange(len(self.scores)), 0.0, 1.0)
        self.bars.show(self.scores * grown)
        leader = int((self.scores * (grown == 1)).argmax())
        for k, bar in enumerate(self.bars.bars):
            bar.set_fill(theme().value if k == leader else self._dimmed)
        now = min(int(at + 0.5), len(self.scores) - 1)
        self.mark.set_value(now).center_on(self._foot(now))
        return now

    def _foot(self, k: int) -> NDArray[np.float64]:
        """Where the number of bar k stands, under it."""
        low, high = self.region.left + _EDGE, self.region.right - _EDGE
        return np.array([float(np.clip(self.bars.middle(k), low, high)), self._foot_y, 0.0])

    def _named(self, k: int, color: str, size: float) -> VGroup:
        score = self.bars.number(
            k, float(self.scores[k]), self.spec, size=LABEL, weight="semibold", color=color
        )
        mark = Number(k, "d", size=size, weight="semibold", color=color)
        return VGroup(score, mark.center_on(self._foot(k)))

    def _part(self, first: int, second: int) -> None:
        """Move the second score off the best bar; without room for it, leave it out."""
        best, score = self.best[0], self.runner_up[0]
        x, half = self.bars.middle(first), self.bars.step / 2
        if second > first:
            edge = max(best.get_right()[0], x + half) + _APART
            way = max(0.0, edge - score.get_left()[0])
        else:
            edge = min(best.get_left()[0], x - half) - _APART
            way = min(0.0, edge - score.get_right()[0])
        score.shift(np.array([way, 0.0, 0.0]))
        inside = self.region.left <= score.get_left()[0] < score.get_right()[0] <= self.region.right
        if not inside:
            self.runner_up.remove(score)
