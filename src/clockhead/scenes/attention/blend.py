"""What the tokens hand over: values shrink to their shares, pour into one row, and are added."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup, rush_into
from numpy.typing import NDArray

from clockhead.scenes.attention.inputs import ExampleStage
from clockhead.scenes.attention.page import COMPUTED, MOST_NUMBER, SHARES, Page, grid_of, rows_of
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.pour import Pour
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage import CAPTION, Steps, beat
from clockhead.scenes.style.layout import GAP, Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role

_SHARE, _GAP = 0.8, 0.2
"""How wide the column of shares is, and the gaps beside it, in units."""
_PLUS = 44.0
_LARGE = 10.0
"""Values from here on have fewer decimals in a sum."""


class Blend(ExampleStage):
    """Values, each with its share, pour into one row, which is added to the row of the asker."""

    title = "What is handed over"
    question = "{asker} has shared out its attention. What does it get?"
    caption = "Attention adds: {asker} keeps its row and takes in a blend of what it looked at."
    opens = ("grid",)
    leaves = ("rows",)

    def layout(self) -> None:
        page, last = Page(self), self.values.last
        self.place, n = page.x, self.values.n_tokens
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        self.grid = grid_of(self, "pattern", mask="causal", **shares)
        self.grid.place_cells(page.grid)
        self.lying = Matrix(self["shares"], lying=True, **shares)
        self.lying.place_cells(self.grid.row(last))
        self.last_row = np.arange(n)[:, None] == last
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        self._lay_values(page, shares)

    def _lay_values(self, page: Page, shares: dict[str, Any]) -> None:
        """The values, beside them their shares, and the rows into which they pour."""
        x, room = page.x, page.rest
        is_level, wide = room.left > x.right, _SHARE + 2 * _GAP
        right = x.right if is_level else min(x.right, page.canvas.right - _SHARE - _GAP)
        self.handed = rows_of(self, "values", "value")
        self.handed.place_cells(Region(x.left, x.bottom, right, x.top))
        self.standing = Matrix(self["shares"], **shares)
        self.standing.place_cells(Region(right + _GAP, x.bottom, right + _GAP + _SHARE, x.top))
        bound = self.handed.scale_now.high
        look: dict[str, Any] = {"low": -bound, "high": bound}
        self.blend = rows_of(self, "blend", "value", named=False, **look)
        look |= {"role": "value", "spec": COMPUTED, "most_number": MOST_NUMBER}
        self.alone = Matrix(self["blend"][self.values.last], lying=True, **look)
        self.sum = self._sum()
        if is_level:
            left = right + _GAP + wide
            area = Region(left, x.bottom, min(left + x.width, room.right), x.top)
            plus = (x.right + left) / 2, x.center[1]
        else:
            under = self.sum.least.height + GAP
            top, high = room.top - 0.3, min(x.height, room.height - 0.3 - under)
            area = Region(x.left, top - high, x.right, top)
            plus = x.center[0], (x.bottom + top) / 2
        self.blend.place_cells(area)
        self.blend.empty()
        foot = min(area.bottom, x.bottom) - GAP
        canvas = page.canvas
        self.sum.place(Region(canvas.left, canvas.bottom, canvas.right, foot))
        self.alone.place_cells(self.blend.row(self.values.last))
        self.plus = Formula("+", size=_PLUS).move_to((*plus, 0.0))

    def _sum(self) -> PairSum:
        """The first number of the last token's blend, share times value, added up."""
        head = self.values
        shares, values, total = head.shares, head.values[:, 0], head.blend[head.last, 0]
        out = ".4f" if np.abs(values).max() < _LARGE else ".2f"
        added = {k: np.round(shares, k) @ np.round(values, k) for k in (3, 4, 5)}
        meant = format(total, out)
        digits = next((k for k, at in added.items() if format(at, out) == meant), 6)
        matrices = self.grid, self.handed, self.blend
        roles: tuple[Role, Role, Role] = ("attention", "value", "value")
        spec = f".{digits}f"
        return PairSum(matrices, (head.last, 0), roles, spec=spec, out_spec=out, plain=False)

    @beat("Each token hands over its value, as much as its share says.")
    def stand(self) -> Steps:
        row = self.grid.frame_row(self.values.last, "query")
        yield Create(row, run_time=0.4)
        self.grid.open_to(self.grid.opened * ~self.last_row)
        self.add(self.lying)
        yield FadeOut(self.grid, run_time=0.6), FadeOut(row, run_time=0.6)
        yield self.lying.turn_into(self.standing, run_time=0.4 * self.reading)
        self.remove(self.lying)
        self.add(self.handed.empty())
        yield self.handed.fill_rows(run_time=0.4 * self.reading)

    @beat("Each shrinks to its share. Shares add up to 1, so together they fill one row.")
    def shrink(self) -> Steps:
        last = self.values.last
        goal, out = self.blend.row(last), self["blend"][last]
        self.pour = Pour(self.handed, self["shares"], out, goal)
        self.add(self.pour)
        yield self.pour.shrink(run_time=0.35 * self.reading)
        frame = self.blend.frame(goal, "query")
        yield self.pour.go(run_time=0.5 * self.reading), Create(frame, run_time=0.5)
        self.framed = frame

    @beat("Share times value, added up column by column: the blend that {asker} takes.")
    def mix(self) -> Steps:
        yield self.pour.mix(run_time=1.0)
        self.remove(self.framed)
        self.add(self.blend, self.framed)
        last = self.values.last
        when = np.where(self.last_row, 0.0, np.inf) * np.ones(self.blend.table.shape)
        yield self.blend.fill(when, each=0.9, run_time=0.8)
        self.remove(self.pour)
        column, cell = self.handed.column(0), self.blend.cell(last, 0)
        self.frames = VGroup(self.handed.frame(column), self.blend.frame(cell))
        self.add(self.sum)
        time = 0.6 * self.reading
        shown = self.handed.fill_rows(run_time=time / 2, labels=False)
        yield self.sum.write(run_time=time), shown, Create(self.frames, run_time=0.5)

    @beat(
        "No: in its place, it would wipe out that row. So it is added.",
        ask="Does the blend replace the row of {asker}?",
    )
    def place_(self) -> Steps:
        gone, time = (self.handed, self.standing, self.sum, self.frames), 0.3 * self.reading
        yield [FadeOut(part, run_time=0.6) for part in gone]
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
        return row, self.alone.slide_cells_to(place, run_time=run_time)

    @beat("Every token adds its own blend. No matrix $W_O$ comes in between here.")
    def others(self) -> Steps:
        n = self.values.n_tokens
        at = np.where(self.last_row, -np.inf, np.linspace(0, 1, n)[:, None])
        shape = np.ones(self.blend.table.shape)
        yield self.blend.fill(at * shape, run_time=0.7 * self.reading)

    @beat(CAPTION)
    def add_(self) -> Steps:
        time = 0.6 * self.reading
        bound, opened = float(np.abs(self.values.resid_post).max()) or 1.0, self.blend.opened

        def close(share: NDArray[np.float64]) -> None:
            self.blend.open_to(opened * (1 - float(share)))
            self.blend.fade_lines(1 - float(share))

        yield (
            self.blend.slide_cells_to(self.place, run_time=time),
            Drive(self.blend, close, 0.0, 1.0, run_time=time, rate_func=rush_into),
            self.x.to(self["resid_post"], low=-bound, high=bound, spec=COMPUTED, run_time=time),
            FadeOut(self.plus, run_time=0.5),
            FadeOut(self.framed, run_time=0.5),
        )
        self.remove(self.blend)
        self.rows = self.x
