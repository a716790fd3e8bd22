"""The same neurons as an MLP in a transformer: each token's row goes through them by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from manim import Create, Rectangle, VGroup, VMobject
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.one_layer.block import (
    D_MODEL,
    READ,
    WRITTEN,
    ChangedWord,
    change_word,
    wave_block,
)
from clockhead.model.tokens import words
from clockhead.scenes.one_layer.lines import CornerLine, CurvePoint
from clockhead.scenes.one_layer.page import Ramp, StepInputs, shape, step_chart, target_line
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import closed, nearest, points_at
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Picture,
    Reading,
    Room,
    Row,
    Size,
    Stage,
    Steps,
    Value,
    Words,
    beat,
    beside,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, together
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import theme
from clockhead.scenes.texts import few_words, words_said

_CHART = (3.0, 1.0)
"""Smallest chart, in units."""
_LETTERS, _LOWER = 30.0, 0.25
"""Letter size of the words, in pixels, and height of the lower sign, relative to the lane's."""
_MOST_WORDS = 6
"""Longest text, in words."""
_ONE_OTHER = 2
"""Length of a text with only one row beside the exchanged one."""


def _others(change: ChangedWord) -> str:
    if change.before.n_tokens == _ONE_OTHER:
        return "The other row does the same, by itself."
    return "The other rows do the same, each by itself."


class Block(Stage[ChangedWord]):
    """The neurons of the wave as a transformer's MLP: a changed word changes only its own row."""

    class Inputs(StepInputs):
        """A step function that the neurons draw, and words whose rows go through them."""

        epsilon: Ramp = Field(0.1, description="width of the ramps")
        text: Annotated[Words, few_words(2, _MOST_WORDS, 6)] = Field(
            "the cat sat", description=words_said(2, _MOST_WORDS, 6)
        )
        place: int = Field(
            1,
            ge=0,
            le=_MOST_WORDS - 1,
            description="position of the word to exchange, counted from 0, or the last one",
        )
        instead: Annotated[Words, few_words(1, 1, 6)] = Field(
            "dog", description=f"the word that replaces it; {words_said(1, 1, 6)}"
        )

    title = "The same layer in a transformer"
    question = "Where are such neurons at work?"
    caption = "Enough bends come close to any unbroken curve. Which weights will training find?"
    opens = ("chart", "target", "tiles")
    leaves = ("chart", "target")
    derived = {
        "many": Derived("number of neurons, spelled out", lambda v: counted(v.before.n_neurons)),
        "shape": Derived("name of the target: wave or step", lambda v: shape(v.before.wave.steps)),
    }

    @classmethod
    def compute(cls, inputs: Any) -> ChangedWord:
        block = wave_block(words(inputs.text), inputs.relus("epsilon"))
        return change_word(block, min(inputs.place, block.n_tokens - 1), inputs.instead)

    def layout(self) -> None:
        change, steps = self.values, self.values.before.wave.steps
        self.chart = step_chart(steps, _CHART)
        self.target = target_line(self["before.wave.steps.corners"], self.chart)
        self.net = CornerLine(self["before.wave.corners"], self.chart, drawn=0.0)
        blocks = change.before, change.after
        highest = max(float(np.abs(b).max()) for v in blocks for b in (v.rows, v.acts, v.out))
        foot, n = Room(_WORDS, Size(np.inf, _WORDS.height)), change.before.n_tokens
        self.lanes = [NeuronLane(self, m, highest) for m in range(n)]
        lanes = Column(Row(*self.lanes, gap=0.0), foot, gap=_GAP, weights=(1, 0))
        fit(self.canvas, beside(self.chart, lanes, weights=(1, 2)))
        words = min(_WORD_WIDE, foot.region.width / n - _FREE), foot.region.height
        feet = [(*lane.row.lattice.region.center[:1], foot.region.center[1]) for lane in self.lanes]
        self.tiles, self.renamed = (
            Strip(self[f"{when}.tokens"], size=_LETTERS).place_at(feet, words)
            for when in ("before", "after")
        )
        hide_tiles(self.renamed, *range(n))
        self.riders = [CurvePoint(self["before.points"][m], self.chart) for m in range(n)]
        for lane in self.lanes:
            lane.row.empty()
        at, x = self["before.wave.at_bends"], self["before.wave.bends"]
        self.bends = Dots(at, self.chart, x=x, role=None, radius=0.1, standing=())
        hero = self.lanes[change.place]
        self.signs = hero.sign("W_1", _LOWER, D_MODEL - 1), hero.sign("W_2", 1 - _LOWER, 0)

    @beat("In the MLP: each token's row goes through such a layer.")
    def rows(self) -> Steps:
        time = 0.75 * self.reading
        self.add(self.net)
        rows = [lane.row.fill_rows(run_time=time) for lane in self.lanes]
        yield *rows, self.net.draw_to(run_time=time)
        parts = (part for lane in self.lanes for part in (lane.neurons, lane.out))
        yield FadeIn(*parts, run_time=0.6)

    @beat("$W_1$ hands one number, x, to {many} neurons: each says how far x is past its bend.")
    def hero(self) -> Steps:
        """Draw the wires to the neurons, and a dot on the line where each neuron bends."""
        hero, time = self.values.place, 0.8 * self.reading
        lane = self.lanes[hero]
        self.frames = [self._frame(lane.row, READ), self._frame(lane.out, WRITTEN)]
        self.add(self.bends)
        yield Create(self.frames[0], run_time=0.15 * time), FadeIn(self.signs[0], run_time=0.4)
        yield from self._fill_neurons(hero, 0.5 * time)
        for k in range(len(self.bends.x)):
            yield self.bends.appear(k, run_time=0.35 * time / len(self.bends.x))

    @beat("$W_2$ weighs and adds them: the {shape} at x is added to the row.")
    def adds(self) -> Steps:
        hero, time = self.values.place, 0.8 * self.reading
        yield (
            self.lanes[hero].out.fill_rows(run_time=0.2 * time),
            FadeIn(self.signs[1], run_time=0.4),
        )
        yield Create(self.frames[1], run_time=0.1 * time)
        yield from self._write_output(hero, 0.7 * time)

    @beat(_others)
    def others(self) -> Steps:
        hero, n = self.values.place, self.values.before.n_tokens
        yield FadeOut(*self.frames, *self.wires, *self.signs, self.bends, run_time=0.4)
        time = 0.85 * self.reading / (n - 1)
        for m in (m for m in range(n) if m != hero):
            yield from self._fill_neurons(m, 0.4 * time)
            yield self.lanes[m].out.fill_rows(run_time=0.1 * time)
            yield from self._write_output(m, 0.4 * time)
            yield FadeOut(*self.wires, run_time=0.1 * time)

    @beat("“{old}” becomes “{word}”. Which other row changes?")
    def exchange(self) -> Steps:
        """Exchange word and row at once, and then recompute neurons and output, from below."""
        hero = self.values.place
        lane, rider = self.lanes[hero], self.riders[hero]
        self.add(self.renamed)
        words = leave(self.tiles, hero, by=(0.0, -0.4, 0.0)), come_back(self.renamed, hero)
        yield 0.15 * together(words, lane.row.to(self["after.rows"][hero]))
        yield 0.1 * self.reading
        up, on = self.wires = lane.wires("after")
        yield 0.15 * up.run()
        yield 0.1 * lane.neurons.to(self["after.acts"][hero])
        yield 0.15 * on.run()
        yield 0.2 * together(lane.out.to(self["after.out"][hero]), rider.through(self["way"]))

    @beat("None: only attention reaches other rows.")
    def none(self) -> Steps:
        """Frame what the other rows wrote, which is unchanged."""
        others = [lane.out for m, lane in enumerate(self.lanes) if m != self.values.place]
        self.frames = [self._frame(out, WRITTEN) for out in others]
        yield 0.6 * together(*map(Create, self.frames))

    @beat(CAPTION)
    def end(self) -> Steps:
        """Draw the wires of all rows at once."""
        yield FadeOut(*self.wires, *self.frames, run_time=0.4)
        every = [lane.wires("after") for lane in self.lanes]
        for wires in zip(*every, strict=True):
            yield 0.3 * together([one.run() for one in wires])

    def _fill_neurons(self, m: int, time: float) -> Steps:
        """Draw the wires from row m to its neurons, and fill these."""
        lane = self.lanes[m]
        self.wires = lane.wires("before")
        yield self.wires[0].run(run_time=0.5 * time)
        yield lane.neurons.fill_rows(run_time=0.5 * time)

    def _write_output(self, m: int, time: float) -> Steps:
        """Draw the wires from the neurons to row m's output, and fly its number to the chart."""
        lane, rider = self.lanes[m], self.riders[m]
        yield self.wires[1].run(run_time=0.4 * time)
        yield lane.out.to(lane.made, run_time=0.3 * time)
        start = lane.out.lattice.middles[0, WRITTEN]
        yield rider.fly_from(np.array([*start, 0.0]), run_time=0.3 * time)

    def _frame(self, matrix: Matrix, column: int) -> CellFrame:
        """A frame around one number of a row."""
        return matrix.frame(matrix.cell(0, column), "attention")


_SIDES, _CORNER = 16, 4
"""Number of Bezier points of a quadrilateral, and between two of its corners."""
_BROADEST, _CLEAR = 0.085, 0.02
"""Width of the wire of the largest weight, and gap between wires and cells, in units."""
_PALE = 0.25
"""Opacity of the wires from inactive neurons."""
_HIGH, _FREE = 0.34, 0.16
"""Height of cells, and gap between lanes, in units."""
_WORDS, _GAP = Size(0.0, 0.46), 0.12
"""Space for the words under the lanes, and the gap between them, in units."""
_WORD_WIDE = 1.5
"""Largest width of a word's tile, in units."""
_LEAST_CELL, _MOST_WIDE, _LEAST_HIGH = 0.29, 0.75, 1.82
"""Smallest and largest width of a cell, and smallest height of a lane, in units."""
_WITHIN = 1e-6
"""Relative tolerance of readings."""
_SIGN = 30.0
"""Letter size of the weights' signs, in pixels."""


class Wires(Picture):
    """Weights (A, B) as wires from A points to B points above them.

    The width is the weight's size, and the colour its sign; a weight of 0 has no wire. Wires from
    points that are not `live` (A,) are pale. `run` draws the wires.
    """

    def __init__(
        self,
        weights: Value,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        live: NDArray[np.bool_],
    ) -> None:
        super().__init__(weights)
        self._starts, self._ends, self._live, self._grown = starts, ends, live, 0.0
        self._unit = _BROADEST / float(np.abs(weights.array).max())
        colors = {1: theme().value, -1: theme().position}
        self.kinds = [(sign, lives) for sign in colors for lives in (True, False)]
        self.paths = [
            VMobject(stroke_width=0, fill_color=colors[sign], fill_opacity=1.0 if lives else _PALE)
            for sign, lives in self.kinds
        ]
        self.add(*self.paths)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the grown part of each wire."""
        for path, (sign, lives) in zip(self.paths, self.kinds, strict=True):
            i, j = np.nonzero((sign * state > 0) & (self._live == lives)[:, None])
            half = np.abs(state[i, j])[:, None] * self._unit / 2 * [1.0, 0.0, 0.0]
            start = self._starts[i]
            end = start + self._grown * (self._ends[j] - start)
            corners = np.stack([start - half, start + half, end + half, end - half], axis=1)
            path.set_points(closed(corners).reshape(-1, 3))

    def run(self, **options: Any) -> Drive:
        """Grow the wires from their starts to their ends."""
        return self.drive("_grown", 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The weight between any two points, 0 without a wire, once the wires are complete."""
        if self._grown < 1:
            return
        says = np.zeros(self.state.shape)
        for path, (sign, _) in zip(self.paths, self.kinds, strict=True):
            for corners in path.points.reshape(-1, _SIDES, 3)[:, ::_CORNER]:
                start, end = corners[:2].mean(axis=0), corners[2:].mean(axis=0)
                i = nearest(self._starts, start)
                j = nearest(self._ends, end)
                says[i, j] = sign * np.ptp(corners[:2, 0]) / self._unit
        for (i, j), weight in np.ndenumerate(says):
            yield Reading(self.shown[i, j], float(weight), _WITHIN * (1 + abs(float(weight))))


class NeuronLane:
    """One token's way through the MLP: its row (D,), the neurons (N,) above, and the output (D,).

    The output shows the row itself until the neurons' output is added.
    """

    most = Size(np.inf, np.inf)

    def __init__(self, stage: Stage, m: int, highest: float) -> None:
        self._stage, self._m = stage, m
        look: dict[str, Any] = {"lying": True, "spec": (".1f",), "most_number": 22.0}
        low, acts, self.made = (stage[f"before.{path}"][m] for path in ("rows", "acts", "out"))
        signed: dict[str, Any] = {"role": "residual", "low": -highest, "high": highest}
        self.row, self.out = Matrix(low, **signed, **look), Matrix(low, **signed, **look)
        self.neurons = Matrix(acts, role="value", low=0.0, high=highest, **look)
        self.neurons.empty()
        self.out.empty()

    @property
    def least(self) -> Size:
        n = max(self.row.n_columns, self.neurons.n_columns)
        return Size(_LEAST_CELL * n + _FREE, _LEAST_HIGH)

    def place(self, region: Region) -> None:
        """Place row, neurons and output in a region, from bottom to top."""
        area = region.inset(_FREE / 2, 0.0)
        middle = area.center[1] - _HIGH / 2
        for matrix, bottom in (
            (self.row, area.bottom),
            (self.neurons, middle),
            (self.out, area.top - _HIGH),
        ):
            width = min(area.width, _MOST_WIDE * matrix.n_columns)
            left = area.center[0] - width / 2
            matrix.place_cells(Region(left, bottom, left + width, bottom + _HIGH))

    def wires(self, when: str) -> tuple[Wires, Wires]:
        """Wires from the row to the neurons, and from these to the output.

        `when` is "before" or "after" the exchange; wires from neurons inactive then are pale.
        """
        w_1, w_2 = self._stage["before.w_1"], self._stage["before.w_2"]
        start, live = edges(self.row, 1), self._stage[f"{when}.acts"][self._m].array > 0
        first = Wires(w_1, start, edges(self.neurons, -1), np.ones(len(start), dtype=bool))
        return first, Wires(w_2, edges(self.neurons, 1), edges(self.out, -1), live)

    def sign(self, text: str, share: float, column: int) -> VGroup:
        """The sign of a weight matrix over a column, at a fraction of the lane's height."""
        label = Formula(text, size=_SIGN)
        (x, low), high = self.row.lattice.middles[0, column], self.out.lattice.middles[0, 0, 1]
        label.move_to(np.array([x, low + share * (high - low), 0.0]))
        plate = Rectangle(width=label.width, height=label.height, stroke_width=0)
        plate.set_fill(theme().ground, 1).move_to(label)
        return VGroup(plate, label)


def edges(matrix: Matrix, side: int) -> NDArray[np.float64]:
    """Middles of the lower (-1) or upper edges (1) of a row's cells; (n, 3)."""
    cells = matrix.lattice
    x, y = cells.middles[0].T
    return points_at(x, y + side * (cells.cell_height / 2 + _CLEAR))
