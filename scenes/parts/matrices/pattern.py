"""Attention patterns too fine for numbers, which may change in every frame."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes.parts.matrices.grid import shade
from scenes.parts.paths import closed
from scenes.style.layout import Region
from scenes.style.theme import mix, theme

SHADES = 48
"""Colours that cells are sorted into; all cells of one colour are one path, which is fast."""


class PatternMap(VGroup):
    """A causal pattern with cells too small for numbers, which may change in every frame.

    The cells that the mask forbids are left out.
    """

    def __init__(self, n_tokens: int, region: Region) -> None:
        self.side = min(region.width, region.height)
        self.cell = self.side / n_tokens
        self.corner = region.center + np.array([-self.side / 2, self.side / 2, 0.0])
        self._allowed = np.tri(n_tokens, dtype=np.bool_)
        self._squares = self._square_paths()
        look = theme()
        self._shades = [
            VMobject(
                stroke_width=0,
                fill_color=mix(look.panel, look.attention, k / (SHADES - 1)),
                fill_opacity=1,
            )
            for k in range(SHADES)
        ]
        super().__init__(*self._shades)
        self.show(np.zeros((n_tokens, n_tokens)))

    def show(self, pattern: NDArray[np.float64]) -> None:
        """Colour every cell by its share of its row's attention."""
        levels = np.round(shade(pattern, 0.0, 1.0)[self._allowed] * (SHADES - 1))
        for k, path in enumerate(self._shades):
            path.set_points(self._squares[levels == k].reshape(-1, 3))

    def _square_paths(self) -> NDArray[np.float64]:
        """The cubic curves around every allowed cell, row by row: (n_cells, 16, 3)."""
        rows, columns = np.nonzero(self._allowed)
        inset = min(0.03, self.cell * 0.08)
        left = self.corner[0] + columns * self.cell + inset
        top = self.corner[1] - rows * self.cell - inset
        size = self.cell - 2 * inset
        x = left[:, None] + size * np.array([0, 1, 1, 0])  # (n_cells, 4)
        y = top[:, None] - size * np.array([0, 0, 1, 1])  # (n_cells, 4)
        return closed(np.stack([x, y, np.zeros_like(x)], axis=-1))
