"""A strip of tiles tips over into labels of rows, and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from manim import smooth
from numpy.typing import NDArray

from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_moves import slide_to
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.style.motion import Drive

TIP = 0.3
"""The share of the time in which tiles turn from a line into labels of rows."""


class Tip(Drive):
    """Tiles go between a line and the labels of rows; their numbers go to the other side.

    On their way back they take the whole time; when they come, rows unfold in most of it.
    """

    def __init__(
        self,
        strip: Strip,
        goal: NDArray[np.float64],
        box: tuple[float, float],
        labelled: Callable[[bool], None],
        *,
        beside: bool,
        run_time: float,
    ) -> None:
        self._strip, self._beside, self._labelled = strip, beside, labelled
        self._slide = slide_to(strip, goal, box, rate_func=smooth)
        self._numbers: list[tuple[Tile, NDArray[np.float64]]] = []
        super().__init__(
            strip, lambda s: self._at(float(s)), 0.0, 1.0, rate_func=self._rate, run_time=run_time
        )

    def _rate(self, alpha: float) -> float:
        return min(alpha / TIP, 1.0) if self._beside else alpha

    def begin(self) -> None:
        self._labelled(False)
        for tile in self._strip.tiles:
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
        self._labelled(self._beside)

    def _at(self, share: float) -> None:
        self._slide.interpolate_mobject(share)
        part = smooth(share)
        for tile, start in self._numbers:
            if tile.number is not None:
                tile.number.put(start + (tile.number_spot - start) * part)


def set_beside(tile: Tile, beside: bool) -> None:
    """Let the number of a tile stand before it, or below; it does not move yet."""
    tile.beside = beside
    if tile.number is not None:
        tile.number.align = "right" if beside else "center"
