"""The logit lens: the last row is unembedded at every station, not only at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from manim import Create

from clockhead.model.films.transformer_block.lens import LensedBlock, lensed_block
from clockhead.scenes.facts import format_share
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.stage import (
    CAPTION,
    Column,
    Derived,
    Handle,
    Passage,
    Picture,
    Reading,
    Room,
    Size,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import TapePage

_SHARE = ".0%"
"""Format of probabilities, in sentences and cells."""
_TOPS = (0.25, 0.5, 1.0)
"""Possible upper ends of the axis of probabilities."""
_CELL, _CHART = Size(0.44, 0.24), Size(2.0, 0.9)
_STEP = 1.3
"""Seconds between two stations."""
_BACK = 1.4
"""Seconds for the way back to the start."""
_FORWARD = 2.8
"""Seconds for the way on to the end."""


def _lead_sentence(lens: LensedBlock) -> str:
    if lens.leaders[-1] < 0:
        return (
            "Frames mark words that lead alone: none in the end. "
            "“{predicted}” went from {at_start} to {at_end}."
        )
    when = "at the start already" if lens.first_lead == 0 else "first after {first_led}"
    way = "from {at_start}" if lens.first_lead == 0 else "from {at_start} at the start"
    return f"Frames mark who leads: “{{predicted}}” {when}, {way} to {{at_end}}."


class Lens(BlockStage[LensedBlock]):
    """The prediction of the last row at the start, after each attention and after each MLP."""

    title = "What would it say so far?"
    question = "What if $U$ read the row on its way?"
    caption = "The logit lens: read the row early, and see what it would predict so far."
    opens = ("x",)
    leaves = ("x",)
    derived = BlockStage.derived | {
        "at_start": Derived(
            "its probability at the start", lambda lens: format_share(lens.first_share, _SHARE)
        ),
        "at_end": Derived(
            "its probability at the end", lambda lens: format_share(lens.predicted_share, _SHARE)
        ),
    }

    handles = (Handle("seed", (0, 1, 2, 3, 4)),)

    compute = lensed_block

    def layout(self) -> None:
        page, lens = TapePage(self), self.values
        self.x = page.tape(self["streams"][lens.n_stations - 1])
        self.grid = Matrix(
            self["lens_shares"],
            rows=self["stations"],
            columns=self["vocabulary"],
            role="token",
            low=0.0,
            high=lens.lens_top,
            spec=_SHARE,
            least_cell=_CELL,
            aspect=(0.3, 1.0),
        )
        top = next((top for top in _TOPS if lens.lens_top <= top), 1.0)
        room = Room(_CHART)
        fit(page.rest, Column(room, self.grid, gap=0.1, weights=(1, 1)))
        self.chart = Chart(slots(lens.n_vocab), Scale(0.0, top, (0.0, top), ".0%"))
        self.bars = Bars(self["lens_shares"][0], self.chart, "token", grown=False)
        cells, over = self.grid.lattice.region, room.region
        self.chart.place_area(Region(cells.left, over.bottom, cells.right, over.top))
        self.grid.empty()
        self.leaders = self.grid.outline(self["leaders"], role="query")
        self.now = Station(self, 0)

    @beat("Back to the start: a row has {d_model} numbers at every stop, so $U$ fits.")
    def read(self) -> Steps:
        frame, time = self.x.frame_row(self.values.last, "residual"), 0.3 * self.reading
        yield together(self._move_tape(0), FadeIn(self.chart), run_time=time)
        yield Create(frame, run_time=0.5)
        self.add(self.grid)
        note = self._fill_row(0)
        yield together(frame.trace(self.grid.row(0)), self.bars.grow(lag=0.3), note, run_time=time)
        self.remove(frame)
        self.add(self.now)

    @beat(
        "After every attention and every MLP, $U$ reads the row again. If a model ends in a norm, "
        "the lens applies it first.",
        ask="How soon is the answer there?",
    )
    def walk(self) -> Steps:
        n = self.values.n_stations
        for k in range(1, n):
            bars, frame = self.bars.to(self["lens_shares"][k]), self.now.frame
            yield together(self._move_tape(k), bars, frame.trace(self.grid.row(k)), run_time=_STEP)
            yield self._fill_row(k, run_time=0.5)

    @beat(_lead_sentence)
    def lead(self) -> Steps:
        yield FadeOut(self.now, run_time=0.4)
        self.add(self.leaders)
        yield 0.7 * self.leaders.trace()

    @beat(CAPTION)
    def end(self) -> Steps:
        """Animate back to the start, and once more through all stations."""
        streams, shares, n = self["streams"], self["lens_shares"], self.values.n_stations
        bound = bound_of(streams)
        self.now = Station(self, n - 1)
        yield Create(self.now, run_time=0.4)
        for way, time in ((slice(None, None, -1), _BACK), (slice(None), _FORWARD)):
            rows = [self.grid.row(k) for k in range(n)][way]
            yield together(
                self.x.through(streams[way], low=-bound, high=bound),
                self.bars.through(shares[way]),
                self.now.frame.trace(*rows[1:]),
                run_time=time,
            )
        yield FadeOut(self.now, run_time=0.4)

    def _fill_row(self, k: int, **options: Any) -> Drive:
        """Fill row k of the grid with the probabilities of the bars."""
        sizes = self.grid.opened
        sizes[k] = 1.0
        return self.grid.resize(sizes, **options)

    def _move_tape(self, k: int, **options: Any) -> Passage:
        """Animate the tape to station k."""
        stream = self["streams"][k]
        bound = bound_of(stream)
        return self.x.to(stream, low=-bound, high=bound, **options)


_Parts = tuple[tuple[Any, Picture], ...]


class Station(Picture):
    """A frame around the row of the current station."""

    def __init__(self, stage: Lens, k: int) -> None:
        super().__init__(stage["lens_shares"])
        self.frame = CellFrame(stage.grid.row(k), "residual")
        self.add(self.frame)
        streams, lattice = stage["streams"], stage.grid.lattice
        self._row: Callable[[], int] = lambda: lattice.nearest(self.frame.region.center)[0]
        self._parts: Callable[[], _Parts] = lambda: ((self.shown, stage.bars), (streams, stage.x))

    def readings(self) -> Iterator[Reading]:
        """The numbers of the bars and the tape, when they do not move, for the framed station."""
        for series, part in self._parts():
            if isinstance(part.shown, Value):
                for place, number in np.ndenumerate(part.state):
                    yield Reading(series[self._row(), *place], float(number), 0.0)
