"""What several stages of this film show: the text on tiles, and what is guessed to come next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.trained.transformer import N_HEADS
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Stage, Value
from clockhead.scenes.style.layout import PX, Region

LETTERS, LABELS, NUMBERS = 84.0, 32.0, 32.0
"""The sizes of the letters on large tiles, under bars, and of numbers over them, in pixels."""
ROW = 44.0
"""The same in a row over a picture."""
EYE = 0.7
"""The width of an eye over tiles, in units; so much stays free over them."""
_HIGH = 1.2
"""On a canvas so many times as high as wide, the row stands in two lines."""
_BETWEEN, _LAYERS = 0.2, 0.1
"""From one square to the next, and what is more between two layers, in units."""


def letter_tiles(
    stage: Stage, *, size: float = LETTERS, lines: int | None = None, hidden: int | None = 0
) -> Strip:
    """The letters of a text, and a “?”; with `hidden` None, the piece that comes again is typed."""
    shown, n = stage["riddle.shown"], stage.values.riddle.n_piece
    first = len(shown) - n
    after = [shown[k] for k in range(first, len(shown))]
    looks: dict[str, Any] = {"size": size, "gutter": EYE, "hidden": hidden, "lines": lines}
    return Strip(shown[:first], after=after, wonder=True, **looks)


def places_of(strip: Strip) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """The middles of all tiles of a strip that has been placed, and the size of their boxes."""
    box = strip.tiles[0].box
    return np.array([tile.middle for tile in strip.tiles]), (box.width, box.height)


def raised_row(stage: Stage) -> tuple[Strip, Region]:
    """The tiles along the top of the canvas, with room for an eye; and the room under them."""
    page = stage.canvas
    fewest = 2 if page.height > _HIGH * page.width else 1
    ways = [letter_tiles(stage, size=ROW, lines=lines) for lines in range(fewest, 4)]
    tiles = next(way for way in ways if way.least.width <= page.width)
    row, room = page.cut_top(tiles.most.height + EYE, gap=0.25)
    tiles.place(Region(row.left, row.bottom, row.right, row.top - EYE))
    return tiles, room


def eye_over(stage: Stage, tiles: Strip, k: int) -> Glance:
    """An eye over a tile, no wider than this; on its way it rises as far as there is room."""
    over = stage.canvas.top - float(tiles.top(0)[1])
    width = min(EYE, tiles.tiles[k].box.width)
    return Glance(tiles, k, width=width, highest=max(0.05, over - EYE))


class Guesses:
    """A bar for each of some letters that can come next: a `chart`, and the `bars` over it."""

    def __init__(
        self,
        guess: Value,
        names: Value,
        *,
        top: float | None = None,
        ticks: tuple[float, ...] = (),
        **options: Any,
    ) -> None:
        top = 1.05 * float(guess.array.max()) if top is None else top
        self.chart = Chart(slots(names), Scale(0.0, top, ticks, ".0%"), size=LABELS)
        self.bars = Bars(guess, self.chart, "probability", size=NUMBERS, **options)
        self.bars.headroom = NUMBERS * PX


class HeadSquares(HeadSheet):
    """The eight heads as squares without names: layer 0 above layer 1, as large as they can be."""

    def __init__(self, value: Value, **options: Any) -> None:
        super().__init__(value, named=False, **options)

    def place(self, region: Region) -> None:
        """Stand in rows of four, or of two where the region is high."""
        found = []
        for columns in (N_HEADS, N_HEADS // 2):
            rows = len(self.heads) // columns
            gaps = np.array([columns - 1, rows - 1]) * _BETWEEN
            sides = (np.array([region.width, region.height - _LAYERS]) - gaps) / [columns, rows]
            found.append((float(sides.min()), columns))
        side, columns = max(found)
        rows, pitch = len(self.heads) // columns, side + _BETWEEN
        high = rows * pitch - _BETWEEN + _LAYERS
        left = region.center[0] - (columns * pitch - _BETWEEN) / 2 + side / 2
        top = region.center[1] + high / 2 - side / 2
        spots = np.zeros((len(self.heads), 3))
        for k, (layer, _) in enumerate(self.heads):
            row, column = divmod(k, columns)
            spots[k] = left + column * pitch, top - row * pitch - layer * _LAYERS, side
        self.stand(Arrangement(spots, 0.0))
