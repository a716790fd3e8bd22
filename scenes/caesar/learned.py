"""Weights of the letters that are trained instead of set: they come close to the logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.learned import Weights, weights
from clockhead.scenes.caesar.how_much_text import BY_DOT, BY_LOGS
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import shift_rows
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Handle,
    Row,
    Stage,
    StageInputs,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

LEARNED: Role = "probability"
"""Colour of the learned weights."""
BY_ROOTS: Role = "residual"
"""Colour of the square roots."""
_ROOM = 1.04
"""Range of the chart of weights, relative to the largest and smallest weight."""
_SIDE, _OVER = 0.42, 0.3
"""Margins at the sides and at the top, in units."""
_NAMES, _NUMBERS = 26.0, 30.0
"""Sizes of names and of numbers, in pixels at 720p."""
_ALL = range(N_ROTATIONS)
_FIFTHS = tuple(float(r) for r in range(0, N_ROTATIONS, 5))


class Learned(Stage[Weights]):
    """Weights of the letters that are trained instead of set: they come close to the logarithms."""

    class Inputs(StageInputs):
        """Length of the windows for training and testing."""

        learned_length: int = Field(
            8, ge=4, le=16, description="length of the training and test windows, in characters"
        )

    title = "Which numbers would be learned?"
    caption = "Shifted into every rotation, one in each row, these numbers are an unembedding."
    opens = ("letters", "numbers", "methods")

    handles = (Handle("learned_length", "4:16:2"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> Weights:
        return weights(inputs.learned_length)

    def layout(self) -> None:
        names = slots(self["column_names"], down=True)
        self.methods = Chart(Scale(0.0, 1.0, line=False), names, size=_NAMES)
        look: dict[str, Any] = {"spec": ".1%", "size": _NUMBERS, "grown": False}
        self.shares = Bars(self["held_out_shares"], self.methods, BY_DOT, **look)
        self.alike = Readout(self["correlation"], ".2f", words="correlation with the logarithms")
        self._lay_letters()
        fit(
            self.canvas.inset(_SIDE, 0.0).cut_top(_OVER, gap=0.0)[1],
            Row(self.letters, Column(self.methods, self.alike, weights=(3, 1)), weights=(3, 2)),
            Column(self.letters, Row(self.methods, self.alike, weights=(2, 1)), weights=(3, 1)),
        )
        self.unembedding = Matrix(
            self["unembedding"], role=LEARNED, columns=self["alphabet"], turns=(0.0,)
        )
        self.unembedding.place_cells(self.letters.area)
        self.unembedding.empty(*range(1, N_ROTATIONS))
        down = Scale(N_ROTATIONS - 0.5, -0.5, _FIFTHS, "d", line=False)
        self.rotations = Chart(Scale(-0.5, N_ROTATIONS - 0.5, line=False), down)
        self.rotations.place_area(self.letters.area)

    def _lay_letters(self) -> None:
        """Make a bar for every letter's weight."""
        drawn = [self["standard"].array.ravel(), self["path"].array.ravel()]
        low, high = (_ROOM * float(f(np.concatenate(drawn))) for f in (np.min, np.max))
        self.letters = Chart(slots(self["alphabet"]), Scale(low, high, line=False), size=_NAMES)
        frequencies, self.roots, self.logs = (self["standard"][k] for k in range(3))
        self.numbers = Bars(frequencies, self.letters, BY_DOT)
        self.by_hand = Dots(
            self.logs, self.letters, x=np.arange(N_ROTATIONS), role=BY_LOGS, radius=0.07
        )

    def _flatten(self, **options: Any) -> Drive:
        """Flatten the bars into the first row of the matrix, each into its cell."""
        start = np.array(self._edges(self.letters.area))
        way = np.array(self._edges(self.unembedding.row(0))) - start

        def show(share: NDArray[np.float64]) -> None:
            self.letters.place_area(Region(*(start + way * float(share)).tolist()))

        return Drive(self.numbers, show, 0.0, 1.0, **options)

    @staticmethod
    def _edges(area: Region) -> tuple[float, float, float, float]:
        return area.left, area.bottom, area.right, area.top

    @beat(
        "English was put in by hand: {n_letters} numbers. They find the key in "
        "{frequency_accuracy:.1%} of the last {n_held_out} windows of {learned_length}."
    )
    def frequencies(self) -> Steps:
        yield 0.4 * self.shares.grow([0])

    @beat("Square roots find more, because a rare and a very rare letter are further apart.")
    def roots_(self) -> Steps:
        yield self._change_weights(self.roots, 1, BY_ROOTS, 0.5 * self.reading)

    @beat("Logarithms find most. Now it is the rare letters that decide.", rest=REST)
    def logarithms(self) -> Steps:
        yield self._change_weights(self.logs, 2, BY_LOGS, 0.5 * self.reading)
        common = np.setdiff1d(_ALL, self.values.rare)
        yield self.numbers.dim_bars(common.tolist())

    def _change_weights(self, numbers: Value, k: int, role: Role, run_time: float) -> list[Any]:
        """Animate to other weights, and grow bar k with their accuracy."""
        options: dict[str, Any] = {"run_time": run_time}
        self.shares.recolor(k, role).interpolate(1.0)
        tint = self.numbers.recolor(_ALL, role, **options)
        return [self.numbers.to(numbers, **options), tint, self.shares.grow([k], **options)]

    @beat(
        "Begin with 0 for every letter. The dots are the logarithms, which it never sees.",
        ask="What would a network find, if it had to learn these numbers by itself?",
    )
    def begin(self) -> Steps:
        yield 0.6 * together(
            FadeIn(self.by_hand),
            self.numbers.to(self["path"][0]),
            self.numbers.recolor(_ALL, LEARNED),
        )

    @beat(
        "It reads {n_seen:,} other windows, and is told their keys. In {n_steps} rounds it makes "
        "these keys more and more likely."
    )
    def train(self) -> Steps:
        yield 0.9 * self.numbers.through(self["path"], rate_func=lambda share: share**1.6)

    @beat("It has found nearly the logarithms, and nobody told it to.", rest=REST)
    def agree(self) -> Steps:
        self.shares.recolor(3, LEARNED).interpolate(1.0)
        yield 0.4 * self.shares.grow([3])
        yield FadeIn(self.alike)

    @beat(CAPTION, rest=REST)
    def end(self) -> Steps:
        yield FadeOut(self.letters, self.by_hand, run_time=0.5)
        yield self._flatten(run_time=1.2)
        yield FadeIn(self.unembedding, self.rotations, run_time=0.5)
        self.remove(self.numbers)
        yield 0.5 * shift_rows(self.unembedding, 0)
