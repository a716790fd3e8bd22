"""What the tokens hand over: values shrink to their shares, pour into one row, and are added."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, rush_into
from numpy.typing import NDArray

from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import COMPUTED, MOST_NUMBER, SHARES, Page, grid_of, rows_of
from clockhead.scenes.attention.pour import Pour
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.matrix_turn import turn_into
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.stage import CAPTION, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Formula

_SHARE, _GAP, _OVER = 0.8, 0.2, 0.3
"""How wide the column of shares is, the gaps beside it, and the least over the blend, in units."""
_PLUS = 44.0


class Blend(ExampleStage):
    """Values, each with its share, pour into one row, which is added to the row of the asker."""

    title = "What is handed over"
    question = "What does {asker} get for its attention?"
    caption = "Attention adds: {asker} keeps its row, and takes in a blend."
    opens = ("grid",)
    leaves = ("x as rows",)

    def layout(self) -> None:
        page, last = Page(self), self.values.last
        self.place, n = page.x, self.values.n_tokens
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        self.grid = grid_of(self, "pattern", mask="causal", **shares)
        self.grid.place_cells(page.grid)
        self.lying = Matrix(self["last_weights"], lying=True, **shares)
        self.lying.place_cells(self.grid.row(last))
        self.last_row = np.arange(n)[:, None] == last
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        self.handed = rows_of(self, "values", "value")
        self.standing = Matrix(self["last_weights"], **shares)
        bound = bound_of(self["values"])
        look: dict[str, Any] = {"low": -bound, "high": bound}
        self.blend = rows_of(self, "z", "value", named=False, **look)
        look |= {"role": "value", "spec": COMPUTED, "most_number": MOST_NUMBER}
        self.alone = Matrix(self["z"][last], lying=True, **look)
        self._place_values(page)

    def _place_values(self, page: Page) -> None:
        """The values where the rows stand, beside them their shares, and where they pour."""
        x, room, most = page.x, page.rest, page.canvas.right - _SHARE - _GAP
        is_level = room.left > x.right
        right = x.right if is_level else min(x.right, most)
        self.handed.place_cells(Region(x.left, x.bottom, right, x.top))
        left, after = right + _GAP, right + 2 * _GAP + _SHARE
        self.standing.place_cells(Region(left, x.bottom, left + _SHARE, x.top))
        if is_level:
            left = after + _GAP
            area = Region(left, x.bottom, min(left + x.width, room.right), x.top)
            plus = (x.right + left) / 2, x.center[1]
        else:
            top = room.top - _OVER
            area = Region(x.left, max(top - x.height, room.bottom), x.right, top)
            plus = x.center[0], (x.bottom + top) / 2
        self.blend.place_cells(area)
        self.alone.place_cells(self.blend.row(self.values.last))
        self.blend.empty()
        self.plus = Formula("+", size=_PLUS).move_to((*plus, 0.0))

    @beat("Each token hands over its value, as much as its share says.")
    def stand(self) -> Steps:
        row = self.grid.frame_row(self.values.last, "query")
        yield Create(row, run_time=0.4)
        self.grid.open_to(self.grid.opened * ~self.last_row)
        self.add(self.lying)
        yield FadeOut(self.grid, run_time=0.6), FadeOut(row, run_time=0.6)
        yield turn_into(self.lying, self.standing, run_time=0.4 * self.reading)
        self.remove(self.lying)
        self.add(self.handed.empty())
        yield self.handed.fill_rows(run_time=0.4 * self.reading)

    @beat("Each shrinks to its share. Shares add up to 1, so together they fill one row.")
    def shrink(self) -> Steps:
        last = self.values.last
        goal, out = self.blend.row(last), self["z"][last]
        self.pour = Pour(self.handed, self["last_weights"], out, goal)
        self.framed = self.blend.frame(goal, "query")
        self.add(self.pour)
        yield self.pour.shrink(run_time=0.35 * self.reading)
        yield self.pour.go(run_time=0.5 * self.reading), Create(self.framed, run_time=0.5)

    @beat("Column by column, share times value is added up for {asker}.")
    def mix(self) -> Steps:
        back = self.handed.fill_rows(run_time=1.0, labels=False)
        yield self.pour.mix(run_time=1.0), back
        self.remove(self.framed)
        self.add(self.blend, self.framed)
        d, time = self.values.d_model, max(1.5, self.reading - 1.8)
        columns = [self.handed.column(j) for j in range(d)]
        frame = self.handed.frame(columns[0])
        yield Create(frame, run_time=0.4)
        when = np.where(self.last_row, np.linspace(0, 1, d), np.inf)
        fill = self.blend.fill(when, each=1 / (d + 1), run_time=time)
        yield fill, frame.trace(*columns[1:], run_time=time)
        yield FadeOut(frame, run_time=0.4)
        self.remove(self.pour)

    @beat(
        "No: in its place, it would wipe out that row. So it is added.",
        ask="Does the blend replace the row of {asker}?",
    )
    def place_(self) -> Steps:
        time = 0.3 * self.reading
        yield FadeOut(self.handed, run_time=0.6), FadeOut(self.standing, run_time=0.6)
        self.add(self.x.empty())
        yield self.x.fill_rows(run_time=time)
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

    @beat("Every token adds a blend of its own.")
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
            slide_cells(self.blend, self.place, run_time=time),
            Drive(self.blend, close, 0.0, 1.0, run_time=time, rate_func=rush_into),
            self.x.to(self["resid_post"], low=-bound, high=bound, spec=COMPUTED, run_time=time),
            FadeOut(self.plus, run_time=0.5),
            FadeOut(self.framed, run_time=0.5),
        )
        self.remove(self.blend)
