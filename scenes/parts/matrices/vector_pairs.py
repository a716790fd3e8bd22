"""Two vectors side by side, lane by lane, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import AnimationGroup, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.grid import Grid
from scenes.parts.sentence import Sentence
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, text_width
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL, X_HEIGHT

_LANE_GAP = 0.16
_LINE = 0.46
"""Room between lanes, and for a line of words, in units."""
_MOST_CELL = (2.1, 0.8)
_NUMBER = 26.0


class VectorPair(VGroup):
    """Two vectors as columns of cells, cut into lanes, under a heading.

    `lanes` are tables (w, 2), one under the other; `entries` name the rows of each. `names`
    holds those of each lane.
    """

    def __init__(
        self,
        heading: str,
        columns: Sequence[str],
        lanes: Sequence[ArrayLike],
        entries: Sequence[Sequence[str]],
        region: Region,
        *,
        spec: str = ".3f",
    ) -> None:
        super().__init__()
        look = theme()
        tables = [np.asarray(lane, dtype=float) for lane in lanes]
        n_rows, self._region = sum(len(table) for table in tables), region
        indent = max(text_width(name, LABEL) for names in entries for name in names) + 0.2
        free = region.height - 3 * _LINE - _LANE_GAP * (len(tables) - 1)
        self.cell = np.array(
            [min(_MOST_CELL[0], (region.width - indent) / 2), min(_MOST_CELL[1], free / n_rows)]
        )
        left = region.center[0] + (indent - 2 * self.cell[0]) / 2
        right = left + 2 * self.cell[0]
        middle = np.array([(left + right) / 2, 0.0, 0.0])
        used = n_rows * self.cell[1] + 3 * _LINE + _LANE_GAP * (len(tables) - 1)
        y = region.top - max(0.0, region.height - used) / 2
        title = Label(heading, weight="semibold", align="center")
        title.put(middle + np.array([0.0, y - 0.7 * LABEL * PX, 0.0]))
        over = [
            Label(name, weight="semibold", color=look.muted, align="center").put(
                np.array([left + (k + 0.5) * self.cell[0], y - _LINE - 0.85 * LABEL * PX, 0.0])
            )
            for k, name in enumerate(columns)
        ]
        y -= 2 * _LINE
        self.grids: list[Grid] = []
        self.names: list[VGroup] = []
        self._feet: list[NDArray[np.float64]] = []
        for table, rows in zip(tables, entries, strict=True):
            bottom = y - len(table) * self.cell[1]
            area = Region(left, bottom, right, y)
            grid = Grid(
                table,
                area,
                color=look.residual,
                spec=spec,
                most_cell=_MOST_CELL[0],
                most_size=_NUMBER,
                square=False,
            )
            self.grids.append(grid)
            self.names.append(VGroup())
            for k, name in enumerate(rows):
                place = grid.middle(k, 0) - [self.cell[0] / 2 + 0.14, X_HEIGHT / 2 * LABEL * PX, 0]
                self.names[-1].add(Label(name, color=look.muted, align="right").put(place))
            self._feet.append(middle + np.array([0.0, bottom - 1.3 * LABEL * PX, 0.0]))
            y = bottom - _LANE_GAP
        self.heads = VGroup(title, *over, *self.names)
        self.add(self.heads, *self.grids)

    def measure(
        self, words: str, distance: float, spec: str, role: Role, *, lane: int = -1
    ) -> Sentence:
        """How far apart the two columns are, in the colour of `role`, under a lane."""
        color = theme().text_color(role)
        line = Sentence(
            words + " ", (distance, spec), weight="semibold", color=color, align="center"
        )
        foot = self._feet[lane]
        too_far = max(0.0, foot[0] + line.length / 2 - self._region.right)
        return line.put(foot - np.array([too_far, 0.0, 0.0]))

    def pour(self, other: Grid, into: ArrayLike, *, run_time: float = 1.2) -> AnimationGroup:
        """Move a grid onto the first lane, where it is lost as that runs to the sum."""
        way: NDArray[np.float64] = self.grids[0].middle(0, 0) - other.middle(0, 0)
        gone = np.zeros(3)

        def show(share: NDArray[np.float64]) -> None:
            other.shift(way * float(share) - gone)
            gone[:] = way * float(share)
            other.set_opacity(min(1.0, 2 - 2 * float(share)))

        return AnimationGroup(
            Drive(other, show, 0.0, 1.0, run_time=run_time),
            self.grids[0].to(into, run_time=run_time),
        )
