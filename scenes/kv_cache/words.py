"""A column of words, each with its query, key and value, and the shelf for keys and values."""

from __future__ import annotations

import numpy as np
from manim import SurroundingRectangle, VMobject

from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Room, Row, Size, Value, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import MIN_SIZE

NAME = "The KV cache"
VECTORS: tuple[Role, ...] = ("query", "key", "value")
_LETTERS = 34.0
"""Largest letter size of the words, in pixels."""
_LEAST_CELL, _MOST_CELL = Size(0.75, 0.4), 1.7
"""Smallest size and largest side of a cell, in units."""
_FLAT = (0.3, 0.9)
"""Range of a cell's height relative to its width."""
_SEAM, _GAP, _RIM = 0.08, 0.3, 0.15
"""Gaps between tiles, between columns, and between the shelf's edge and its contents, in units."""
_LEAST_GAP, _WIDE = 0.6, 3.4
"""Narrowest and widest gap between queries and keys, in units."""


class WordVectors:
    """A text, (T,), and how often its queries, keys and values have been used, (3, T).

    The last `hidden` words are invisible until they are typed. The gap between queries and keys has
    room for lines, and for the shelf's name.
    """

    def __init__(
        self, canvas: Region, tokens: Value, names: Value, uses: Value, hidden: int
    ) -> None:
        self.tiles = Strip(tokens, hidden=hidden, size=_LETTERS)
        least, most = (Size(self.tiles.measures.width(s), 1.0) for s in (MIN_SIZE, _LETTERS))
        words, between = Room(least, Size(most.width, np.inf)), Room(Size(_LEAST_GAP, 1.0))
        between.most = Size(_WIDE, np.inf)
        highs = 1.0, float(len(tokens)), float(len(tokens))
        self.vectors = [
            Matrix(
                uses[k],
                columns=names[k : k + 1],
                role=role,
                low=0.0,
                high=highs[k],
                spec=".0f",
                most_number=_LETTERS,
                numbers_in_motion=True,
                least_cell=_LEAST_CELL,
                most_cell=_MOST_CELL,
                aspect=_FLAT,
            )
            for k, role in enumerate(VECTORS)
        ]
        query, key, value = self.vectors
        fit(canvas.inset(_RIM), Row(words, query, between, key, value, gap=_GAP))
        for vector, role in zip(self.vectors, VECTORS, strict=True):
            vector.column_labels[0].set_fill(theme().text_color(role))
        cells = query.lattice
        points = np.zeros((len(tokens), 3))
        points[:, 0], points[:, 1] = words.region.center[0], cells.middles[:, 0, 1]
        self.tiles.place_at(points, (words.region.width, cells.cell_height - _SEAM))
        self.tray = tray(key, value)
        self.card = TitleCard(NAME, role="key")
        area = cells.region
        left, right = words.region.right, float(self.tray.get_left()[0])
        self.card.place(Region(left, area.bottom, right, area.top))


def tray(*parts: VMobject) -> SurroundingRectangle:
    """A shelf behind keys and values."""
    look = theme()
    shelf = SurroundingRectangle(
        *parts, color=mix(look.ground, look.ink, 0.7), buff=_RIM, corner_radius=0.1, stroke_width=3
    )
    shelf.set_fill(look.panel, 1).set_z_index(-1)
    return shelf
