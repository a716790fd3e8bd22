"""What the tokens hand over: values shrink to their shares, pour into one row, and are added."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, rush_into
from numpy.typing import NDArray

from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import COMPUTED, SHARES, Page, grid_of, rows_of
from clockhead.scenes.attention.pour import Pour
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells, turn_into
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.stage import CAPTION, REST, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Formula

_SHARE, _GAP, _SIGN_ROOM = 0.9, 0.45, 0.75
"""How wide the column of weights is, the room after it, and before it, in units."""
_MOST, _ROW, _PLUS, _LARGE = 1.3, 0.62, 44.0, 34.0
"""How wide cells of the blend may be, and how high its rows; the sizes of the plus
sign and of numbers in the blend, in pixels."""


class Blend(ExampleStage):
    """Values, each with its share, pour into one row, which is added to the row of the asker."""

    title = "Values, added up"
    caption = "So {asker} keeps its own row, and takes in what attention brought."
    opens = ("x", "queries", "keys", "handed", "signs", "grid")

    def layout(self) -> None:
        page, last = Page(self), self.values.last
        n = self.values.n_tokens
        self.x, self.queries, self.keys, self.handed = page.blocks(self)
        self.signs = page.signs()
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        self.grid = grid_of(self, "pattern", mask="causal", **shares)
        self.grid.place_cells(page.grid)
        self.lying = Matrix(self["last_weights"], lying=True, **shares)
        self.lying.place_cells(self.grid.row(last))
        self.last_row = np.arange(n)[:, None] == last
        self.standing = Matrix(self["last_weights"], **shares)
        bound = bound_of(self["values"])
        look: dict[str, Any] = {"low": -bound, "high": bound, "most_number": _LARGE}
        self.blend = rows_of(self, "z", "value", named=False, **look)
        look |= {"role": "value", "spec": COMPUTED}
        self.alone = Matrix(self["z"][last], lying=True, **look)
        self._place_values(page)

    def _place_values(self, page: Page) -> None:
        """The weights beside the values, and where these pour."""
        v, work, n = page.values, page.work, self.values.n_tokens
        if work.left > v.right:
            left = v.right + _SIGN_ROOM
            weights, room = Region(left, v.bottom, left + _SHARE, v.top), work
        else:
            weights, room = work.cut_top(v.height, gap=_GAP)
            weights = Region(v.left, weights.bottom, v.left + _SHARE, weights.top)
        wide = min(room.width - 2 * _GAP, _MOST * self.values.d_model)
        high = min(room.height - 2 * _GAP - v.height, _ROW * n)
        across, up = room.center[0], room.center[1] + (v.height / 2 if room is work else 0.0)
        self.blend.place_cells(
            Region(across - wide / 2, up - high / 2, across + wide / 2, up + high / 2)
        )
        self.standing.place_cells(weights)
        self.alone.place_cells(self.blend.row(self.values.last))
        self.blend.empty()
        self.plus = Formula("+", size=_PLUS).move_to((page.x.right + 0.35, page.x.center[1], 0.0))

    @beat("Each word hands over its value, as much of it as its weight says.")
    def stand(self) -> Steps:
        row = self.grid.frame_row(self.values.last, "query")
        yield Create(row, run_time=0.4)
        self.grid.open_to(self.grid.opened * ~self.last_row)
        self.add(self.lying)
        yield FadeOut(self.grid, run_time=0.6), FadeOut(row, run_time=0.6)
        yield turn_into(self.lying, self.standing, run_time=0.4 * self.reading)
        self.remove(self.lying)

    @beat(
        "Each value shrinks to its share. The shares add up to 1, so together they fill one row.",
        rest=REST,
    )
    def shrink(self) -> Steps:
        last = self.values.last
        goal, out = self.blend.row(last), self["z"][last]
        self.pour = Pour(self.handed, self["last_weights"], out, goal)
        self.framed = self.blend.frame(goal, "query")
        self.add(self.pour)
        yield self.pour.shrink(run_time=0.35 * self.reading)
        yield self.pour.go(run_time=0.5 * self.reading), Create(self.framed, run_time=0.5)

    @beat("Column by column, weight times value is added up for {asker}.")
    def mix(self) -> Steps:
        back = self.handed.fill_rows(run_time=1.0, labels=False)
        yield self.pour.mix(run_time=1.0), back
        self.remove(self.framed)
        self.add(self.blend, self.framed)
        d, time = self.values.d_model, max(2.5, self.reading - 1.8)
        columns = [self.handed.column(j) for j in range(d)]
        frame = self.handed.frame(columns[0])
        yield Create(frame, run_time=0.4)
        when = np.where(self.last_row, np.linspace(0, 1, d), np.inf)
        fill = self.blend.fill(when, each=1 / (d + 1), run_time=time)
        yield fill, frame.trace(*columns[1:], run_time=time)
        yield FadeOut(frame, run_time=0.4)
        self.remove(self.pour)

    @beat(
        "No, that would wipe out the word itself. It is added.",
        ask="Does this blend replace the row of {asker}?",
    )
    def place_(self) -> Steps:
        time = 0.3 * self.reading
        yield FadeOut(self.signs[0], run_time=0.4)
        self.add(self.alone)
        opened = self.blend.opened
        self.blend.open_to(opened * ~self.last_row)
        yield self._replaced(self.x.row(self.values.last), 0.0, time)
        yield self._replaced(self.blend.row(self.values.last), 1.0, time)
        self.remove(self.alone)
        self.blend.open_to(opened)
        yield FadeIn(self.plus), Create(self.x.frame_row(self.values.last, "query"))

    def _replaced(self, place: Region, opened: float, run_time: float) -> tuple[Drive, ...]:
        """The blend alone goes to a place, and the row of the asker vanishes or comes back."""

        def show(share: NDArray[np.float64]) -> None:
            self.x.open_to(np.where(self.last_row, float(share), 1.0) * np.ones(shape))

        shape, back = self.x.table.shape, 1 - opened
        row = Drive(self.x, show, back, opened, run_time=run_time)
        return row, slide_cells(self.alone, place, run_time=run_time)

    @beat("Every word gets a blend of its own.")
    def others(self) -> Steps:
        n = self.values.n_tokens
        at = np.where(self.last_row, -np.inf, np.linspace(0, 1, n)[:, None])
        shape = np.ones(self.blend.table.shape)
        yield self.blend.fill(at * shape, run_time=0.7 * self.reading)

    @beat(CAPTION)
    def add_(self) -> Steps:
        time = 0.6 * self.reading
        bound, opened = bound_of(self["resid_post"]), self.blend.opened

        def close(share: NDArray[np.float64]) -> None:
            self.blend.open_to(opened * (1 - float(share)))
            self.blend.fade_lines(1 - float(share))

        yield (
            slide_cells(self.blend, self.x.lattice.region, run_time=time),
            Drive(self.blend, close, 0.0, 1.0, run_time=time, rate_func=rush_into),
            self.x.to(self["resid_post"], low=-bound, high=bound, spec=COMPUTED, run_time=time),
            FadeOut(self.plus, run_time=0.5),
            FadeOut(self.framed, run_time=0.5),
        )
        self.remove(self.blend)
        yield FadeOut(self.standing, run_time=0.5)
        yield self.look_at(self.x)
        yield 0.5 * self.reading
        yield self.look_back()
