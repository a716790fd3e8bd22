"""The board: who rated which film how, and beside it a column for each measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, MIN_SIZE

_LEAST, _MOST = Size(0.78, 0.36), Size(1.3, 0.75)
_WIDER, _SEAM, HEAD = 1.2, 0.12, 0.42
"""How much wider a measure is than a film, on average; between two; the room for words over it."""
BOUND = 5
"""The best and, negative, the worst rating."""
_LONGEST = BOUND * 2**0.5
"""What an arrow can reach along an axis if it turns."""

_AIR = 0.08
"""Beside the word over a column, in units."""
_LOOK: dict[str, Any] = {"least_cell": _LEAST, "aspect": None, "turns": (0.0,), "most_number": 26.0}


class Headed(Matrix):
    """A column (N,) with a word over it, which is there from the beginning."""

    def __init__(
        self, word: str, value: Value, role: Role, low: float, high: float, spec: str
    ) -> None:
        specs = spec, ".3g"
        super().__init__(
            value, role=role, low=low, high=high, spec=specs, numbers_in_motion=True, **_LOOK
        )
        self.head = Label(word, align="center")

    def stand(self, region: Region, size: float, foot: float) -> None:
        """Let the cells fill a region, with the word over them, on a line."""
        self.place_cells(region)
        self.head = Label(self.head.text, size=size, align="center")
        self.add(self.head.put(np.array([region.center[0], foot, 0.0])))


class Board:
    """Ratings (N, 2) of two films, and distances, dot products and cosines to the first row."""

    def __init__(self, stage: Stage) -> None:
        self._films = stage["films"].content[:2]
        self.ratings = Matrix(
            stage["table"],
            rows=stage["raters"],
            columns=stage["films"][:2],
            role="value",
            low=-_LONGEST,
            high=_LONGEST,
            spec=(".0f",),
            numbers_in_motion=True,
            **_LOOK,
        )
        dots, lengths = abs(stage["dots"].array), stage["lengths"].array
        most = float(max(dots.max(), lengths[0] * lengths.max()))
        high = float(stage["distances"].array.max()) or 1.0
        third = str(stage["films"].content[2])
        self.third = Headed(third, stage["third"], "value", -_LONGEST, _LONGEST, ".0f")
        self.distance = Headed(said("distance"), stage["distances"], "residual", 0.0, high, ".2f")
        self.dot = Headed(said("dot product"), stage["dots"], "value", -most, most, ".0f")
        self.cosine = Headed(said("cosine"), stage["cosines"], "value", -1.0, 1.0, ".2f")

    @property
    def measures(self) -> tuple[Headed, Headed, Headed]:
        """The columns of the measures."""
        return self.distance, self.dot, self.cosine

    @property
    def least(self) -> Size:
        return self._size(_LEAST)

    @property
    def most(self) -> Size:
        return self._size(_MOST)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region; the third film is where the distances are."""
        names, n = self._names, self.ratings.n_rows
        share = 2 + 3 * _WIDER
        width = min(_MOST.width, (region.width - names - 3 * _SEAM) / share)
        height = min(_MOST.height, (region.height - HEAD) / n)
        whole = self._size(Size(width, height))
        x = region.center[0] - whole.width / 2 + names
        top = region.center[1] + whole.height / 2 - HEAD
        words = [text_width(column.head.text, LABEL) + _AIR for column in self.measures]
        widths = [3 * _WIDER * width * word / sum(words) for word in words]
        films = [text_width(film, LABEL) + _AIR for film in (*self._films, self.third.head.text)]
        room = widths[0] / words[0], *(width / film for film in films)
        size = max(MIN_SIZE, LABEL * min(1.0, *room))
        ends = [x + 2 * width]
        self.ratings.place_cells(Region(x, top - n * height, ends[0], top), size=LABEL)
        foot = float(self.ratings.column_labels[0].anchor[1])
        for column, wide in zip(self.measures, widths, strict=True):
            left = ends[-1] + _SEAM
            ends.append(left + wide)
            column.stand(Region(left, top - n * height, ends[-1], top), size, foot)
        left = ends[0] + _SEAM
        self.third.stand(Region(left, top - n * height, left + width, top), size, foot)

    @property
    def _names(self) -> float:
        """The room for names beside the rows."""
        return self.ratings.margins(_LEAST.width, LABEL)[0]

    def _size(self, cell: Size) -> Size:
        width = self._names + (2 + 3 * _WIDER) * cell.width + 3 * _SEAM
        return Size(width, HEAD + self.ratings.n_rows * cell.height)
