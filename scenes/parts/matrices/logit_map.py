"""One matrix that changes: logits, masked, and after the softmax the attention pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.style.layout import Region
from scenes.style.motion import Drive, slide
from scenes.style.text import Label, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LABEL, SMALL

MOST_CELL = 0.9
"""The largest cells, in units: maps of as many rows in regions of one height stand row by row."""
SHARE = ".2g"
"""Shares of attention that are fractions such as 1/3; not for those that are almost 1."""


class LogitMap(BlockMap):
    """Logits (T, T) of queries (rows) and keys (columns), full at `high`, grey below 0.

    All cells stand as empty frames until `appear` shows them. `query` stands over the names of the
    rows, as `key_name` does over those of the columns.
    """

    def __init__(
        self,
        logits: ArrayLike,
        region: Region,
        *,
        queries: Sequence[str],
        keys: Sequence[str],
        key_name: str,
        high: float,
    ) -> None:
        values = np.asarray(logits, dtype=float)
        beyond = text_width("query", SMALL) - max(text_width(name, LABEL) for name in queries)
        super().__init__(
            values,
            Region(region.left + max(beyond, 0.0), region.bottom, region.right, region.top),
            columns=[Block(key_name, values.shape[1], theme().attention)],
            row_names=queries,
            column_names=keys,
            high=high,
            spec=".0f",
            negative=grey(),
            hidden=np.ones(values.shape, bool),
            most_cell=MOST_CELL,
            square=False,
        )
        look = theme()
        self.slots = VMobject(stroke_width=1.5, stroke_color=look.hairline, fill_opacity=0)
        self.add_to_back(self.slots.set_points(self._squares.reshape(-1, 3)))
        self.row_title = Label("query", size=SMALL, align="right")
        place = np.array([self.row_names[0].anchor[0], self.block_names[0].anchor[1], 0.0])
        self.add(self.row_title.put(place))
        for name in [*self.row_names, self.row_title]:
            name.set_fill(look.text_color("query"))
        for name in [*self.column_names, *self.block_names]:
            name.set_fill(look.text_color("key"))

    def fill_rows(self, **options: Any) -> Drive:
        """Let the logits appear, one row after another."""
        n_rows, n_columns = self.values.shape
        return self.appear(np.arange(n_rows * n_columns).reshape(n_rows, n_columns), **options)

    def softmax(self, pattern: ArrayLike, **options: Any) -> Drive:
        """Logits turn into shares: the numbers leave, the cells change, the shares are written."""
        start, end = self.values / self.high, np.asarray(pattern, dtype=float)
        logits = list(self.numbers.values())

        def show(share: NDArray[np.float64]) -> None:
            t = float(share)
            self.high, self.spec = 1.0, SHARE if t > 0.7 else None
            if t > 0.3 and logits:
                self._numbers.set_opacity(0.0).remove(*logits)
                self.numbers.clear()
                logits.clear()
            change = float(np.clip((t - 0.3) / 0.4, 0.0, 1.0))
            self.show(end if change == 1 else start + (end - start) * change)
            fading = 1 - t / 0.3 if t <= 0.3 else (t - 0.7) / 0.3
            for number in self.numbers.values():
                if t <= 0.3 or number.get_fill_opacity() > 0:
                    number.set_fill(opacity=min(fading, float(number.get_fill_opacity())))

        return Drive(self, show, 0.0, 1.0, **options)

    def rename(self, names: Sequence[str], title: str, **options: Any) -> Drive:
        """The columns go by other names, in the colour of values: the old ones leave first."""
        before = VGroup(*self.column_names, *self.block_names)
        self.column_names = [self._column_name(j, name) for j, name in enumerate(names)]
        self.column_blocks = [replace(self.column_blocks[0], name=title)]
        self.block_names = self._block_labels(over_names=True)
        after = VGroup(*self.column_names, *self.block_names)
        after.set_fill(theme().text_color("value"), opacity=0.0)
        self.add(*after)

        def show(share: NDArray[np.float64]) -> None:
            t = float(share)
            before.set_fill(opacity=max(0.0, 1 - 2 * t))
            after.set_fill(opacity=max(0.0, 2 * t - 1))
            if t == 1:
                self.remove(*before)

        return Drive(self, show, 0.0, 1.0, **options)

    @property
    def left(self) -> float:
        """Where the names of the rows begin."""
        return float(min(name.get_left()[0] for name in [*self.row_names, self.row_title]))

    def slide(self, by: ArrayLike, *, run_time: float = 0.8) -> Drive:
        """Move all of it by a vector."""
        way = np.asarray(by, dtype=float)
        self._x, self._y = self._x + way[0], self._y + way[1]
        self._squares = self._squares + way
        return slide(self, way, run_time=run_time)


def grey() -> str:
    """The colour of logits below 0."""
    return mix(theme().panel, theme().muted, 0.4)
