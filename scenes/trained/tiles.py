"""Pictures that stages of this film share: the text on tiles, and guesses of the next letter."""

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

LETTERS = 84.0
"""Size of the letters on large tiles, in pixels."""
LABELS = 32.0
"""Size of the letters under bars, in pixels."""
NUMBERS = 32.0
"""Size of the numbers above bars, in pixels."""
ROW = 44.0
"""Size of the letters on tiles in a row above a picture, in pixels."""
EYE = 0.7
"""Width of an eye over tiles, and the space kept free for it above them, in units."""
_HIGH = 1.2
"""Ratio of the height of a canvas to its width from which on the row has two lines."""
_BETWEEN = 0.2
"""Gap between two squares, in units."""
_LAYERS = 0.1
"""Additional gap between two layers, in units."""


def letter_tiles(
    stage: Stage, *, size: float = LETTERS, lines: int | None = None, hidden: int | None = 0
) -> Strip:
    """The letters of a text, and a “?”; with `hidden` None, the repeated piece is hidden."""
    shown, n = stage["riddle.shown"], stage.values.riddle.n_piece
    first = len(shown) - n
    after = [shown[k] for k in range(first, len(shown))]
    looks: dict[str, Any] = {"size": size, "gutter": EYE, "hidden": hidden, "lines": lines}
    return Strip(shown[:first], after=after, wonder=True, **looks)


def places_of(strip: Strip) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """The middles of all tiles of a placed strip, and the size of their boxes."""
    box = strip.tiles[0].box
    return np.array([tile.middle for tile in strip.tiles]), (box.width, box.height)


def raised_row(stage: Stage) -> tuple[Strip, Region]:
    """The tiles along the top of the canvas, below room for an eye, and the remaining region."""
    page = stage.canvas
    fewest = 2 if page.height > _HIGH * page.width else 1
    ways = [letter_tiles(stage, size=ROW, lines=lines) for lines in range(fewest, 4)]
    tiles = next(way for way in ways if way.least.width <= page.width)
    row, room = page.cut_top(tiles.most.height + EYE, gap=0.25)
    tiles.place(Region(row.left, row.bottom, row.right, row.top - EYE))
    return tiles, room


def eye_over(stage: Stage, tiles: Strip, k: int) -> Glance:
    """An eye over a tile, at most as wide; between tiles it rises as far as there is room."""
    over = stage.canvas.top - float(tiles.top(0)[1])
    width = min(EYE, tiles.tiles[k].box.width)
    return Glance(tiles, k, width=width, highest=max(0.05, over - EYE))


class Guesses:
    """A bar for each candidate for the next letter: a `chart`, and the `bars` on it."""

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
    """The eight heads as unnamed squares, layer 0 above layer 1, as large as possible."""

    def __init__(self, value: Value, **options: Any) -> None:
        super().__init__(value, named=False, **options)

    def place(self, region: Region) -> None:
        """Place them in rows of four, or of two in a tall region."""
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
