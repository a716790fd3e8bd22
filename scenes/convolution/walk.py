"""A 3 by 3 filter moves over a picture; its sums are a feature map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from manim import linear, smooth
from numpy.typing import NDArray

from clockhead.model.networks.filters import SIDE, FilterPass, filter_pass
from clockhead.scenes.convolution.inputs import FilterInputs, target_line
from clockhead.scenes.convolution.page import PicturePage, TitledMatrix, bound, signed_matrix
from clockhead.scenes.convolution.stencil import Stencil
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Layers,
    Row,
    Stage,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, fly

_SPELT = 2
"""Number of sums that are written out."""


_SIZE = 30.0
"""Size of the sums, in pixels at 720p."""
_EACH, _LEAST, _MOST = 0.6, 1.4, 3.0
"""Duration of a product, and least and largest duration of all products, in seconds."""


class WindowSum(PairSum):
    """`pixel × weight + ... = sum` for a stop in the first row of a picture, as a box for `fit`.

    The stage's values have `stops`, (stops, 9), a `column` of weights, (9, 1), and their `sums`.
    Pixels without ink are omitted.
    """

    def __init__(self, stage: Stage, image: Matrix, stop: int) -> None:
        def pixel(_: int, k: int) -> Region:
            return image.cell(k // SIDE, stop + k % SIDE)

        left = _PlacedNumbers(stage["stops"], pixel)
        right = _PlacedNumbers(stage["column"], lambda k, _: pixel(0, k))
        self.factors = left, right
        super().__init__(
            (left, right, Matrix(stage["sums"])),
            (stop, 0),
            ("token", "value", "value"),
            spec="",
            out_spec="",
            plain=True,
            size=_SIZE,
        )

    def gather(self) -> Drive:
        """Show the products one after another, and then their sum."""
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


class _PlacedNumbers(Matrix):
    """Numbers that other pictures display at `place`; this matrix is never drawn."""

    def __init__(self, value: Value, place: Callable[[int, int], Region]) -> None:
        super().__init__(value)
        self._place = place

    def cell(self, i: int, j: int) -> Region:
        """The region of number (i, j)."""
        return self._place(i, j)


def _filter_sentence(one: FilterPass) -> str:
    line = target_line(one.weights)
    if not line:
        return "Weights above zero count ink for it, weights below zero against it."
    return f"A stroke: ink in its middle {line} adds, ink beside it takes away, or a blot would do."


def _second_sum_sentence(one: FilterPass) -> str:
    before, now = one.sums[0, 0], one.sums[1, 0]
    if before == now:
        return "The same: {second_sum}."
    word = "Larger" if now > before else "Smaller"
    left, middle, right = one.stops[1].reshape(SIDE, SIDE).T
    fits = (
        target_line(one.weights) == "column" and middle.all() and not left.any() and not right.any()
    )
    return f"{word}: {{second_sum}}." + " Its middle column lies on ink." * bool(fits)


def _map_sentence(one: FilterPass) -> str:
    if one.is_silent:
        return said("One sum for each place, a feature map. None is above 0: it finds nothing.")
    return said(
        "One sum for each place, a feature map: large where the filter finds what it wants."
    )


class Walk(Stage[FilterPass]):
    """A filter moves over all windows of a picture; each sum goes into the feature map."""

    Inputs = FilterInputs
    title = "A filter walks over the picture"
    question = "It is three by three. What does it look for?"
    caption = "{made}"
    opens = ("image", "filter")
    leaves = ("image", "filter", "map")
    derived = {
        "made": Derived("a sentence about the feature map", _map_sentence),
        "first_sum": Derived("the sum at the first stop", lambda one: one.sums[0, 0]),
        "second_sum": Derived("the sum at the second stop", lambda one: one.sums[1, 0]),
        "third_sum": Derived("the sum at the third stop", lambda one: one.sums[2, 0]),
    }

    @classmethod
    def compute(cls, inputs: FilterInputs) -> FilterPass:
        return filter_pass(inputs.pixels, inputs.first)

    def layout(self) -> None:
        page = PicturePage(self)
        self.image = page.image
        self.filter = signed_matrix(self["weights"], bound(self["weights"]))
        self.map = signed_matrix(self["feature_map"], bound(self["feature_map"]))
        heads = (
            TitledMatrix(said("filter"), self.filter),
            TitledMatrix(said("feature map"), self.map),
        )
        self.sums = [WindowSum(self, self.image, stop) for stop in range(_SPELT)]
        lines = Layers(*sorted(self.sums, key=lambda line: -line.least.height))
        matrices = Row(*heads, weights=(SIDE, self.map.n_columns))
        fit(page.room, Column(matrices, lines, weights=(1, 0)))
        self.heads = [head.write("muted") for head in heads]
        self.map.empty()
        self.stencil = Stencil(self.filter, self.image, self.map)

    @beat(_filter_sentence)
    def lie(self) -> Steps:
        yield 0.48 * FadeIn(self.heads[0])
        yield 0.48 * self.stencil.lie_down()

    @beat("Each pixel with ink, times the weight on it, all added up: {first_sum}.")
    def first(self) -> Steps:
        yield FadeIn(self.map, self.heads[1], run_time=0.5)
        self.add(self.stencil)  # in front of the map
        yield from self._add_up(0)

    @beat("One pixel further: is the sum larger or smaller?")
    def step(self) -> Steps:
        yield FadeOut(self.sums[0], run_time=0.3)
        yield self.stencil.step_to(0, 1, run_time=1.2)

    @beat(_second_sum_sentence)
    def second(self) -> Steps:
        yield from self._add_up(1)

    @beat("Then {third_sum}, and so on: the same nine weights wherever the whole window fits.")
    def rest(self) -> Steps:
        yield FadeOut(self.sums[-1], run_time=0.4)
        rows, columns = self.values.feature_map.shape
        stops = [(i, j) for i in range(rows) for j in range(columns)][_SPELT:]
        time = max(0.9 * self.reading, min(4.6, 0.5 * len(stops)))
        yield self.stencil.walk(stops, run_time=time)

    @beat(CAPTION)
    def made(self) -> Steps:
        yield self.stencil.lift(run_time=1.0)
        self.remove(self.stencil)
        if self.values.is_silent:
            return
        best = np.argwhere(self.values.feature_map == self.values.largest).tolist()
        frames = [self.map.frame(self.map.cell(i, j)) for i, j in best]
        yield [FadeIn(frame, run_time=0.6) for frame in frames]
        yield 0.25 * self.reading
        yield [FadeOut(frame, run_time=0.4) for frame in frames]

    def _add_up(self, stop: int) -> Steps:
        """Move pixels and weights into their sum, and its result into the map."""
        line = self.sums[stop]
        yield line.gather()
        total = line.term("sum").copy()
        yield fly(total, self.map.cell(0, stop).center, run_time=0.8)
        self.remove(total)
        yield self.stencil.open_cell(run_time=0.3)
