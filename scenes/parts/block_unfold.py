"""How a matrix comes out of a text: each token unfolds into its row; and how tokens go again."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VGroup, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.block_panels import Panel
from clockhead.scenes.parts.blocks import Blocks, set_beside
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.style.motion import Drive

_TIP = 0.3
"""The share of the time in which tiles turn from a line into labels of rows."""
_ROW = 0.25


def unfold_rows(blocks: Blocks, name: str, *, run_time: float = 3.6) -> list[Animation]:
    """Let the tiles become labels of the rows, and unfold: in block `name`, a copy of each
    drops into the column in which its row has most."""
    strip = blocks.strip
    if blocks.plan is None:
        return [Drive(blocks, lambda _: None, 0.0, 1.0, run_time=run_time)]
    tip = Tip(blocks, *blocks.tile_places(), beside=True, run_time=run_time)
    return [tip, _Unfold(blocks, strip, name, run_time=run_time)]


def leave_rows(
    blocks: Blocks,
    places: NDArray[np.float64],
    box: tuple[float, float],
    *,
    run_time: float = 1.6,
) -> Drive:
    """Let the tiles leave their rows, which stay as they are, for given middles."""
    return Tip(blocks, places, box, beside=False, run_time=run_time)


class Tip(Drive):
    """Tiles go between a line and the labels of rows; their numbers go to the other side.

    On their way back they take the whole time; when they come, rows unfold in most of it.
    """

    def __init__(
        self,
        blocks: Blocks,
        goal: NDArray[np.float64],
        box: tuple[float, float],
        *,
        beside: bool,
        run_time: float,
    ) -> None:
        self._blocks, self._beside, strip = blocks, beside, blocks.strip
        self._slide = slide_to(strip, goal, box, rate_func=smooth)
        self._numbers: list[tuple[Tile, NDArray[np.float64]]] = []
        super().__init__(
            strip, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=self._rate, run_time=run_time
        )

    def _rate(self, alpha: float) -> float:
        return min(alpha / _TIP, 1.0) if self._beside else alpha

    def begin(self) -> None:
        self._blocks.labelled = False
        for tile in self._blocks.strip.tiles:
            if tile.number is not None:
                tile.leaves_number = True
                set_beside(tile, self._beside)
                self._numbers.append((tile, tile.number.anchor))
        self._slide.begin()
        super().begin()

    def finish(self) -> None:
        super().finish()
        self._slide.finish()
        for tile, _ in self._numbers:
            tile.leaves_number = False
            tile.draw(tile.state)
        self._blocks.labelled = self._beside

    def _at(self, share: float) -> None:
        self._slide.interpolate_mobject(share)
        part = smooth(share)
        for tile, start in self._numbers:
            if tile.number is not None:
                tile.number.put(start + (tile.number_spot - start) * part)


class _Unfold(Drive):
    """The rows come out of their tiles."""

    def __init__(self, blocks: Blocks, strip: Strip, name: str, **options: Any) -> None:
        self._blocks, self._strip, self._name = blocks, strip, name
        self._copies: list[Tile] = []
        self._flying = VGroup()
        super().__init__(
            blocks, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=lambda x: x, **options
        )

    def begin(self) -> None:
        blocks, strip = self._blocks, self._strip
        panel = blocks.block(self._name)
        places, box = blocks.tile_places()
        self._starts = strip.states_on(places, box)
        part = blocks.state[:, panel.across.span]
        self._columns = [int(np.argmax(row)) if row.any() else -1 for row in part]
        self._copies = [_copy(strip, i) for i in range(len(part))]
        self._flying = VGroup(*self._copies)
        blocks.add(self._flying)
        super().begin()

    def finish(self) -> None:
        super().finish()
        self._blocks.remove(self._flying)

    def _at(self, share: float) -> None:
        blocks, n = self._blocks, len(self._columns)
        leave = _TIP + (1 - _TIP - _ROW) * np.arange(n) / max(n - 1, 1)
        parts = np.clip((share - leave) / _ROW, 0.0, 1.0)  # (R,)
        chosen = blocks.block(self._name)
        total = sum(block.n for block in blocks.across)

        def opened(panel: Panel) -> NDArray[np.float64]:
            at = (panel.across.first + np.arange(panel.n_columns)) / total
            come = np.clip((2 * parts[:, None] - at) / 0.5, 0, 1)
            if panel is chosen:
                for i, j in enumerate(self._columns):
                    if j >= 0:
                        come[i, j] = float(parts[i] >= 1)
            return np.asarray(come)

        blocks.reveal(float(np.clip((share - 0.5 * _TIP) / (0.5 * _TIP), 0, 1)), opened)
        for i, (copy, j) in enumerate(zip(self._copies, self._columns, strict=True)):
            part = smooth(float(parts[i]))
            copy.present = float(0 < part < 1 and j >= 0)
            copy.worded = max(0.0, 1 - 1.5 * part)
            if copy.present:
                room = chosen.cell(i, j)
                end = [*room.center[:2], room.width, room.height, self._starts[i][4]]
                copy.draw(self._starts[i] + (np.array(end) - self._starts[i]) * part)
            copy.dress()


def _copy(strip: Strip, i: int) -> Tile:
    copy = strip.copy_of(i)
    copy.present = 0.0
    copy.dress()
    return copy
