"""How a matrix comes out of a text: each token unfolds into its row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from manim import Animation, VGroup, smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.block_layout import Plan
from clockhead.scenes.parts.block_panels import Block, Panel, ZeroPanel
from clockhead.scenes.parts.block_tip import TIP, Tip, set_beside
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.stage import Picture, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label

_ROW = 0.25
_FADE = 0.3
"""Seconds in which numbers go before a motion, and come after it."""


class BlockUnfold(Picture):
    """What `Blocks` has, as its animations see it, and how it comes and goes."""

    across: list[Block]
    down: list[Block]
    rows: Strip | Value | None
    panels: list[list[Panel | ZeroPanel]]
    titles: list[Label]
    has_down: bool
    is_banded: bool
    plan: Plan | None
    cells: list[Panel]
    labelled: bool = False
    """Whether tiles stand beside the rows."""
    block: Callable[..., Panel]
    cell: Callable[..., Region]
    column_of: Callable[[str], int]
    title_of: Callable[[int], Label]
    tile_places: Callable[[], tuple[NDArray[np.float64], tuple[float, float]]]

    def label(self) -> None:
        """Let the tiles stand beside their rows at once, as in a first frame."""
        strip = self._strip()
        strip.place_at(*self.tile_places())
        for tile in strip.tiles:
            set_beside(tile, True)
            tile.draw(tile.state)
        self.labelled = True

    def stand_labelled(self, labelled: bool) -> None:
        """Take note of whether tiles stand beside the rows."""
        self.labelled = labelled

    def hide(self) -> None:
        """Let nothing be seen until it is drawn in or unfolded."""
        self.reveal(0.0, lambda panel: np.zeros(panel.hidden.shape))

    def draw_in(self, *, run_time: float = 1.6) -> Drive:
        """Let lines and names appear, and cells from the upper left to the lower right."""

        def show(share: NDArray[np.float64]) -> None:
            part = float(share)

            def grown(panel: Panel) -> NDArray[np.float64]:
                i, j = np.indices(panel.hidden.shape)
                at = (i + j) / max(panel.n_rows + panel.n_columns - 2, 1)
                return np.asarray(np.clip((part - 0.3 - 0.4 * at) / 0.3, 0, 1))

            self.reveal(min(1.0, 3 * part), grown)

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=lambda x: x)

    def unfold(self, name: str, *, run_time: float = 3.6) -> list[Animation]:
        """Let the tiles become labels of the rows, and unfold: in block `name`, a copy of each
        drops into the column in which its row has most."""
        strip = self._strip()
        if self.plan is None:
            return [Drive(self, lambda _: None, 0.0, 1.0, run_time=run_time)]
        goal, box = self.tile_places()
        tip = Tip(strip, goal, box, self.stand_labelled, beside=True, run_time=run_time)
        return [tip, _Unfold(self, strip, name, run_time=run_time)]

    def unlabel(
        self, places: NDArray[np.float64], box: tuple[float, float], *, run_time: float = 1.6
    ) -> Animation:
        """Let the tiles leave their rows, which stay as they are, for given middles."""
        strip = self._strip()
        if self.plan is None:
            return Drive(self, lambda _: None, 0.0, 1.0, run_time=run_time)
        return Tip(strip, places, box, self.stand_labelled, beside=False, run_time=run_time)

    def let_numbers_aside(self, alpha: float, run_time: float) -> None:
        """From the next `show` on, numbers in cells are seen as far as the motion lets them."""
        ends = max(1 - alpha * run_time / _FADE, 1 - (1 - alpha) * run_time / _FADE)
        seen = 1.0 if alpha >= 1 else float(np.clip(ends, 0.0, 1.0))
        for panel in self.cells:
            panel.draw_at(panel.scale_now, seen)

    # How it is done

    def _strip(self) -> Strip:
        if not isinstance(self.rows, Strip):
            raise TypeError("only blocks whose rows are the tiles of a strip can unfold")
        return self.rows

    def reveal(self, share: float, grown: Callable[[Panel], NDArray[np.float64]]) -> None:
        """Let lines and names be seen so far, and cells be so large."""
        for line in self.panels:
            for panel in line:
                if isinstance(panel, Panel):
                    panel.reveal(share, grown(panel))
                else:
                    panel.reveal(share)
        for title in self.titles:
            title.set_fill(opacity=share)


class _Unfold(Drive):
    """The rows come out of their tiles."""

    def __init__(self, blocks: BlockUnfold, strip: Strip, name: str, **options: Any) -> None:
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
        leave = TIP + (1 - TIP - _ROW) * np.arange(n) / max(n - 1, 1)
        parts = np.clip((share - leave) / _ROW, 0.0, 1.0)  # (R,)
        chosen = blocks.block(self._name)
        total = sum(block.n for block in blocks.across)

        def grown(panel: Panel) -> NDArray[np.float64]:
            at = (panel.across.first + np.arange(panel.n_columns)) / total
            come = np.clip((2 * parts[:, None] - at) / 0.5, 0, 1)
            if panel is chosen:
                for i, j in enumerate(self._columns):
                    if j >= 0:
                        come[i, j] = float(parts[i] >= 1)
            return np.asarray(come)

        blocks.reveal(float(np.clip((share - 0.5 * TIP) / (0.5 * TIP), 0, 1)), grown)
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
