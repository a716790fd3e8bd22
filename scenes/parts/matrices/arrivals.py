"""Matrices that grow with every token that comes in, always as large as their region."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from manim import Rectangle, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.paths import rectangles
from scenes.style.layout import Region
from scenes.style.theme import mix, theme

_FIRST = 4
"""Fewer tokens than this leave room for those to come."""
_SEAM = 0.03
_FINE = 0.16
"""Cells smaller than this, in units, stand without a seam between them."""
_BRIGHTER = 0.4
"""Shares are shaded by this power, or many small ones could not be seen."""


class OneHotRoll(VGroup):
    """One-hot columns, a token each: of `n_rows` cells the one of its index is filled.

    `show(n)` shows the first n; with a fraction, the last one is only that wide.
    """

    def __init__(self, indices: Sequence[int], region: Region, *, n_rows: int, color: str) -> None:
        self.indices = np.asarray(indices)  # (T,)
        self.n_rows = n_rows
        self.region, self.row = region, region.height / n_rows
        self.cells = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self.panel = _panel(region)
        self.n = 0.0
        super().__init__(self.panel, self.cells)
        self.show(0.0)

    def fit(self, region: Region) -> None:
        """Fill another region."""
        self.region, self.row = region, region.height / self.n_rows
        self.panel.set_points(_panel(region).points)
        self.show(self.n)

    def show(self, n: float) -> None:
        """Show the first n columns over the whole width."""
        self.n = n = min(n, len(self.indices))
        step, count = self.region.width / max(n, _FIRST), ceil(n)
        seam = _SEAM if step > _FINE else 0.0
        left = np.arange(count) * step
        right = np.minimum(np.arange(1, count + 1), n) * step - seam
        top = self.region.top - self.indices[:count] * self.row
        x = self.region.left
        self.cells.set_points(
            rectangles(x + left, top - self.row, x + np.maximum(right, left), top)
        )


class GrowingPattern(VGroup):
    """Causal attention that gains a row and a column with every token, the first row on top.

    `pattern` is (T, T); every row is shaded by its largest share.
    """

    def __init__(self, pattern: ArrayLike, region: Region) -> None:
        self.region = region
        shares = np.asarray(pattern, dtype=float).max(axis=1)  # (T,)
        look = theme()
        self.fills = [
            mix(look.panel, look.attention, float(share) ** _BRIGHTER) for share in shares
        ]
        self.rows = [
            VMobject(stroke_width=0, fill_color=fill, fill_opacity=1) for fill in self.fills
        ]
        self.panel = _panel(region)
        self.n = 0.0
        super().__init__(self.panel, *self.rows)
        self.show(0.0)

    @property
    def step(self) -> tuple[float, float]:
        """Width and height of a cell."""
        tokens = max(self.n, _FIRST)
        return self.region.width / tokens, self.region.height / tokens

    def fit(self, region: Region) -> None:
        """Fill another region."""
        self.region = region
        self.panel.set_points(_panel(region).points)
        self.show(self.n)

    def show(self, n: float) -> None:
        """Show the first n rows and columns; with a fraction, the last row is only that high."""
        self.n = n = min(n, len(self.rows))
        wide, high = self.step
        for m, path in enumerate(self.rows):
            part = min(1.0, n - m)
            path.set_points(self._row(m, wide, high, part)) if part > 0 else path.clear_points()

    def _row(self, m: int, wide: float, high: float, part: float) -> NDArray[np.float64]:
        fine = wide < _FINE
        lefts = np.array([0.0]) if fine else np.arange(m + 1) * wide
        rights = np.array([(m + 1) * wide]) if fine else lefts + wide - _SEAM
        rights = np.minimum(rights, max(self.n, _FIRST) * wide)
        seam = min(_SEAM, 0.3 * high) if high > _FINE / 2 else 0.0
        top = np.full(len(lefts), self.region.top - m * high)
        bottom = top - max(0.0, high * part - seam)
        return rectangles(self.region.left + lefts, bottom, self.region.left + rights, top)


def _panel(region: Region) -> Rectangle:
    panel = Rectangle(width=region.width, height=region.height, stroke_width=1.5)
    panel.set_stroke(theme().hairline).set_fill(theme().panel, 1)
    return panel.move_to(region.center)
