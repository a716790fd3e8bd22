"""The 2 x 2 blocks of a rotation: each unfolds from a dial, and goes to its place in a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from scenes.parts.cells import Brackets
from scenes.parts.dial import Dials
from scenes.parts.matrix import Matrix
from scenes.stage import Size, Value
from scenes.style.layout import Region
from scenes.style.motion import Drive, in_turn

_EACH = 0.6
"""The share of the time that one of several blocks takes."""
_CELL = Size(0.66, 0.36)
"""The smallest cell in which a number of two decimals can be read, in units."""


class TurnCells(Matrix):
    """A rotation, or a block of it, with its numbers: cells from -1 to 1."""

    def __init__(self, value: Value, **options: Any) -> None:
        super().__init__(
            value,
            role="position",
            negative="residual",
            low=-1,
            high=1,
            spec=(".3f", ".2f", ".1f"),
            most_cell=0.85,
            aspect=(_CELL.height / _CELL.width, 1.3),
            **options,
        )

    @property
    def least(self) -> Size:
        around = 2 * Brackets.room
        return Size(self.n_columns * _CELL.width + around, self.n_rows * _CELL.height + around)


class TurnBlocks(VGroup):
    """The blocks of a rotation, (n, 2, 2), as they stand in a matrix, in these regions."""

    def __init__(self, blocks: Value, regions: Sequence[Region]) -> None:
        super().__init__(*(TurnCells(blocks[i]) for i in range(len(blocks))))
        for block, region in zip(self, regions, strict=True):
            block.place_cells(region)
        self._regions = regions
        self._shapes = [
            [(piece, piece.points.copy()) for piece in block.family_members_with_points()]
            for block in self
        ]
        self._now = np.array([[*region.center[:2], 1.0] for region in regions])  # (n, 3)
        self.set_z_index(5)

    def unfold(self, dials: Dials, *, run_time: float) -> Drive:
        """Let each grow in the face of its dial, one after another."""
        sizes = [np.hypot(region.width, region.height) for region in self._regions]
        centers, radii = dials.centers.reshape(-1, 3), dials.radii.ravel()
        full = np.column_stack([centers[:, :2], np.maximum(1.0, 2 * radii / sizes)])
        return self._go(full * [1.0, 1.0, 0.02], full, run_time)

    def line_up(self, *, run_time: float) -> Drive:
        """Let each go to its place in the matrix, one after another."""
        home = np.array([[*region.center[:2], 1.0] for region in self._regions])
        return self._go(self._now, home, run_time)

    def _go(self, start: NDArray[np.float64], end: NDArray[np.float64], run_time: float) -> Drive:
        def show(share: NDArray[np.float64]) -> None:
            come = in_turn(float(share), len(start), _EACH)[:, None]
            self._stand(np.where(come < 1, start + (end - start) * come, end))

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def _stand(self, poses: NDArray[np.float64]) -> None:
        """Stand around middles, in a size, (n, 3)."""
        self._now = poses
        for (x, y, size), region, shapes in zip(poses, self._regions, self._shapes, strict=True):
            middle = np.array([x, y, 0.0])
            for piece, shape in shapes:
                piece.points = middle + (shape - region.center) * size
