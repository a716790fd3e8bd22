"""A printed table with a name, whose wrong numbers can be marked, counted and corrected."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.model.primer.tables import Compared
from clockhead.scenes.parts.cell_outlines import FramedCells
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Size, Stage
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, recolor
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, theme

NUMBER, SMALLER = 32.0, 28.0
"""Largest size of numbers, names and counts, and size of words at tables, in pixels at 720p."""
_HEAD, _GAP = 0.45, 0.12
"""Height of the name above a table, and the gap below it, in units."""
_LEAST_WORDS = 2.2
"""Least width for a name and a count beside each other, in units."""


class Sheet(VGroup):
    """A printed table with its name; `path` is the fact path of a `Compared`.

    A name between dollar signs is a formula. The stage shows `count`, the number of wrong numbers,
    and `marks`, frames around them.
    """

    def __init__(self, stage: Stage, path: str, name: str, role: Role) -> None:
        super().__init__()
        compared: Compared = getattr(stage.values, path)
        decimals = f".{compared.printed.decimals}f"
        self._true, self._wrong = stage[f"{path}.true"], stage[f"{path}.wrong"]
        make = Formula if name.startswith("$") else Label
        words = stage.say_of(name).strip("$")
        self.title = make(words, size=NUMBER, color=theme().text_color(role))
        color = theme().text_color("wrong") if compared.n_wrong else theme().text_color("right")
        n_wrong, of = stage[f"{path}.n_wrong"], f" of {compared.n_numbers} off"
        self.count = Figure(n_wrong, "d", align="right", suffix=of, size=NUMBER, color=color)
        bound = float(np.abs([compared.printed.rows, compared.true]).max())
        look: dict[str, Any] = {"low": -bound, "high": bound, "spec": decimals, "role": role}
        look |= {"most_number": NUMBER, "numbers_in_motion": True}
        self.matrix = Matrix(stage[f"{path}.printed.rows"], **look)

    @property
    def least(self) -> Size:
        least = self.matrix.least
        return Size(max(least.width, self._words), least.height + _HEAD + _GAP)

    @property
    def most(self) -> Size:
        most = self.matrix.most
        return Size(max(most.width, self._words), most.height + _HEAD + _GAP)

    def place(self, region: Region) -> None:
        """Centre the table and its name in a region."""
        self.matrix.place(region.cut_top(_HEAD, gap=_GAP)[1])
        cells = self.matrix.lattice.region
        right = max(cells.right, cells.left + min(self._words, region.width))
        right = min(right, region.right)
        y = cells.top + _GAP + _HEAD / 2
        self.title.move_to((cells.left + self.title.width / 2, y, 0.0))
        self.count.put(np.array([right, y - 0.1, 0.0]))
        self.marks = FramedCells(self._wrong, self.matrix.lattice, role="wrong")
        self.add(self.matrix, self.title)

    @property
    def _words(self) -> float:
        return max(_LEAST_WORDS, float(self.title.width + self.count.number.width) + 0.25)

    def correct(self, *, run_time: float = 0.8) -> list[Drive]:
        """Turn every cell over to its true number, and recolour the frames from red to green."""
        matrix, shape = self.matrix, self.matrix.table.shape

        def show(share: NDArray[np.float64]) -> None:
            matrix.open_to(np.full(shape, abs(1 - 2 * float(share))))
            if share >= 0.5 and matrix.value is not self._true:
                matrix.set_to(self._true)

        green = recolor(self.marks, theme().text_color("right"), run_time=run_time)
        return [Drive(matrix, show, 0.0, 1.0, run_time=run_time), green]
