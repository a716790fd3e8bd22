"""A printed table under its name, whose wrong numbers are marked and counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import FramedCells
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, theme

_HEAD, _GAP = 0.34, 0.06
"""The height of the name over a table, and the room under it, in units."""
_NAME, _NUMBER = 24.0, 30.0
"""The size of a name, and the largest of a number, in pixels."""
_WIDE = 2.0
"""The least room for a name and a count beside each other."""
_LEAST, _DECIMAL, _MOST = Size(0.36, 0.22), 0.11, Size(1.0, 0.5)
"""The least cells, what they need for each decimal, and the largest."""
_TRUE = (".3f", ".2f")
"""How true numbers are written."""


class Proof(VGroup):
    """A table as it is printed, under its name: `path` leads to a `Compared` of the stage.

    A name between dollar signs is a formula. `count` says how many numbers are wrong, `marks` says
    which. `words` go beside rows and over columns once the matrix shows them.
    """

    def __init__(
        self, stage: Stage, path: str, name: str, role: Role, words: Value | None = None
    ) -> None:
        super().__init__()
        self._compared = compared = getattr(stage.values, path)
        self._true, self._wrong = stage[f"{path}.true"], stage[f"{path}.wrong"]
        make = Formula if name.startswith("$") else Label
        self.title = make(name.strip("$"), size=_NAME, color=theme().text_color(role))
        n_wrong, n = stage[f"{path}.n_wrong"], compared.n_numbers
        color = theme().text_color("wrong") if n_wrong.content else theme().muted
        self.count = Figure(n_wrong, "d", align="right", suffix=f" of {n}", color=color)
        bound = float(np.abs([compared.printed.rows, compared.true]).max())
        look: dict[str, Any] = {"low": -bound, "high": bound, "role": role, "rows": words}
        look |= {"spec": f".{compared.printed.decimals}f", "most_number": _NUMBER}
        printed = stage[f"{path}.printed.rows"]
        self.matrix = Matrix(printed, columns=words, numbers_in_motion=True, **look)

    @property
    def least(self) -> Size:
        digits = _DECIMAL * self._compared.printed.decimals
        return self._size(Size(_LEAST.width + digits, _LEAST.height))

    @property
    def most(self) -> Size:
        return self._size(_MOST)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        rows, columns = self._compared.printed.rows.shape
        width = min(_MOST.width, region.width / columns)
        height = min(_MOST.height, (region.height - _HEAD - _GAP) / rows, 0.7 * width)
        x, y = region.center[:2]
        top, left = y + (rows * height - _HEAD - _GAP) / 2, x - columns * width / 2
        cells = Region(left, top - rows * height, left + columns * width, top)
        self.matrix.place_cells(cells)
        self.matrix.words_to(0.0)
        self.marks = FramedCells(self._wrong, self.matrix.lattice, role="wrong")
        y = top + _GAP + _HEAD / 2
        self.title.move_to((left + self.title.width / 2, y, 0.0))
        right = max(cells.right, left + min(_WIDE, region.width))
        self.count.put(np.array([right, y - 0.08, 0.0]))
        self.add(self.matrix, self.title)

    def correct(self) -> Drive:
        """Turn every cell: its other side is the true number."""
        matrix, shape = self.matrix, self.matrix.table.shape

        def show(share: NDArray[np.float64]) -> None:
            matrix.open_to(np.full(shape, abs(1 - 2 * float(share))))
            if share >= 0.5 and matrix.value is not self._true:
                matrix.set_to(self._true)
                matrix.rescale(spec=_TRUE)

        return Drive(matrix, show, 0.0, 1.0, run_time=0.8)

    def _size(self, cell: Size) -> Size:
        rows, columns = self._compared.printed.rows.shape
        return Size(max(columns * cell.width, _WIDE), rows * cell.height + _HEAD + _GAP)
