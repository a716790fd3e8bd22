"""The sum of one window, written out: pixels times weights, which fly in from where they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from manim import linear, smooth
from numpy.typing import NDArray

from clockhead.model.networks.filters import SIDE
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage import Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive

_SIZE = 30.0
_EACH, _LEAST, _MOST = 0.6, 1.4, 3.0
"""Seconds for a product to come, and the least and the most for all of them."""


class WindowSum(PairSum):
    """`pixel × weight + ... = sum` for a stop in the first row of a picture: a box for `fit`.

    The stage has `stops`, (stops, 9), a `column` of weights, (9, 1), and their `sums`. Pixels
    without ink are left out.
    """

    def __init__(self, stage: Stage, image: Matrix, stop: int) -> None:
        def pixel(_: int, k: int) -> Region:
            return image.cell(k // SIDE, stop + k % SIDE)

        left = _Spread(stage["stops"], pixel)
        right = _Spread(stage["column"], lambda k, _: pixel(0, k))
        self.factors = left, right
        super().__init__(
            (left, right, Matrix(stage["sums"])),
            (stop, 0),
            ("token", "value", "value"),
            spec="",
            out_spec="",
            plain=True,
            size=_SIZE,
            negative="position",
        )

    def gather(self) -> Drive:
        """Let the products come one after another, then what they add up to."""
        ways: list[list[Callable[[float], Any]]] = [
            [*self.ways_of(k, *self.factors)] for k in self.pairs
        ]
        ways.append([self.term(name).fade_to for name in ("equals", "sum")])
        n = len(ways)

        def show(place: NDArray[np.float64]) -> None:
            for k, way in enumerate(ways):
                for go in way:
                    go(smooth(min(1.0, max(0.0, float(place) - k))))
            self.moving = float(place) < n

        time = min(_MOST, max(_LEAST, _EACH * n))
        return Drive(self, show, 0.0, float(n), run_time=time, rate_func=linear)


class _Spread(Matrix):
    """Numbers that stand elsewhere, where `place` says; it is never drawn."""

    def __init__(self, value: Value, place: Callable[[int, int], Region]) -> None:
        super().__init__(value)
        self._place = place

    def cell(self, i: int, j: int) -> Region:
        """Where number (i, j) stands."""
        return self._place(i, j)
