"""A table of the slides under its name, whose wrong numbers are marked, counted and put right."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup, VMobject

from clockhead.scenes.onehot.page import shade_below
from clockhead.scenes.parts.cell_numbers import least_width
from clockhead.scenes.parts.cell_outlines import FramedCells
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Size, Stage
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import SMALL

_HEAD, _GAP = 0.34, 0.1
"""The height of the name over a table, and the room under it, in units."""
_APART = 0.14
"""Between the name and the count, in units."""
_LEAST, _MOST = 0.2, 0.62
"""The least height and the largest side of cells; each is as wide as its numbers."""
_SPEC = (".2f", ".1f", ".0f")


class CorrectedTable(VGroup):
    """`path` leads to a `PrintedTable` of the stage. `count` says how many numbers are wrong,
    `marks` say which; both are for the stage to show. `spec` writes the true ones.
    """

    def __init__(
        self, stage: Stage, path: str, name: str, role: Role, spec: tuple[str, ...] = _SPEC
    ) -> None:
        super().__init__()
        printed, self._true = stage[f"{path}.printed"], stage[f"{path}.true"]
        self._wrong, self._spec, self.is_right = stage[f"{path}.wrong"], spec, False
        n_wrong = stage[f"{path}.n_wrong"]
        self.title = Label(stage.say_of(name), size=SMALL, color=theme().text_color(role))
        color = theme().text_color("wrong") if n_wrong.content else theme().muted
        self.count = Figure(n_wrong, "d", align="right", suffix=" off", size=SMALL, color=color)
        wide = len(stage["tokens"]) < printed.array.shape[1]
        look: dict[str, Any] = {"role": role, "spec": ".0f", "plain_zeros": True}
        look |= {"rows": stage["tokens"], "columns": stage["column_names" if wide else "tokens"]}
        least, most = float(printed.array.min()), float(printed.array.max())
        width = max(least_width(printed.array, ".0f"), least_width(self._true.array, spec[-1]))
        self.matrix = Matrix(
            printed,
            low=shade_below(least),
            high=most,
            least_cell=Size(width, _LEAST),
            most_cell=_MOST,
            aspect=(0.5, 1.3),
            **look,
        )

    @property
    def least(self) -> Size:
        least = self.matrix.least
        return Size(max(least.width, self._words), least.height + _HEAD + _GAP)

    @property
    def most(self) -> Size:
        most = self.matrix.most
        return Size(max(most.width, self._words), most.height + _HEAD + _GAP)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        self.matrix.place(region.cut_top(_HEAD, gap=_GAP)[1])
        left = min(float(label.get_left()[0]) for label in self.matrix.row_labels)
        over = max(float(label.get_top()[1]) for label in self.matrix.column_labels) + _GAP
        right = max(self.matrix.lattice.region.right, left + self._words)
        left -= max(0.0, right - region.right)
        self.title.put(np.array([left, over, 0.0]))
        self.count.put(np.array([min(right, region.right), over, 0.0]))
        self.marks = FramedCells(self._wrong, self.matrix.lattice, role="wrong")
        self.add(self.matrix, self.title)

    @property
    def _words(self) -> float:
        """What the name and the count take beside each other."""
        return float(self.title.width + _APART + self.count.number.width)

    @property
    def signs(self) -> list[VMobject]:
        """What says how many numbers are wrong, as long as they are, and which were."""
        return [self.marks] if self.is_right else [self.marks, self.count]

    def correct(self, run_time: float) -> tuple[Any, ...]:
        """Let every number be what the equations give, in a green frame if it was not."""
        self.is_right, high = True, float(self._true.array.max())
        change = self.matrix.to(self._true, high=high, spec=self._spec, run_time=run_time)
        path: Any = self.marks.paths[0]
        green = path.animate(run_time=run_time).set_stroke(theme().text_color("value"))
        return change, green, FadeOut(self.count, run_time=run_time)
