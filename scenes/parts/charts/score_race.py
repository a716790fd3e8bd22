"""A race of scores: bars that grow one after another, the leader lit, the first two named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, linear, smooth
from numpy.typing import ArrayLike, NDArray

from scenes.parts.charts.letter_bars import LetterBars, quiet
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, in_turn
from scenes.style.text import Number
from scenes.style.theme import theme
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
        foot, above = region.cut_bottom(_FOOT, 0.0)
        self._foot_y = foot.center[1]
        self.bars = LetterBars(
            self.scores,
            above,
            high=float(self.scores.max()),
            color=quiet(),
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
        """Bars up to `at` have grown, the next one grows; returns the nearest bar's number.

        At -1 there is none yet.
        """
        grown = np.clip(at + 1 - np.arange(len(self.scores)), 0.0, 1.0)
        self.bars.show(self.scores * grown)
        leader = int((self.scores * (grown == 1)).argmax())
        for k, bar in enumerate(self.bars.bars):
            bar.set_fill(theme().value if k == leader else quiet())
        now = int(np.clip(at + 0.5, 0, len(self.scores) - 1))
        self.mark.set_value(now).center_on(self._foot(now))
        return now

    def stack(self, numbers: Sequence[Number], *, run_time: float) -> Drive:
        """Let numbers fall on the first bar, one after another; it grows by each of them.

        They are the terms of the first score, and are gone in the end.
        """
        terms = np.array([number.value for number in numbers])
        tops = self.bars.zero + self.bars.unit * terms.cumsum()
        starts = [number.anchor.copy() for number in numbers]
        ways = [
            np.array([self.bars.middle(0), top, 0.0]) - number.get_center()
            for number, top in zip(numbers, tops, strict=True)
        ]

        def show(at: NDArray[np.float64]) -> None:
            shares = in_turn(float(at), len(terms), 0.55)
            for number, start, way, share in zip(numbers, starts, ways, shares, strict=True):
                number.put(start + way * smooth(float(share)))
                number.set_fill(opacity=float(np.clip(4 * (1 - share), 0.0, 1.0)))
            landed = float((terms * np.clip(4 * shares - 3, 0.0, 1.0)).sum())
            self.show(0.0 if at >= 1 else landed / float(self.scores[0]) - 1)

        part = VGroup(self, *numbers)
        return Drive(part, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

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
