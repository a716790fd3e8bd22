"""A lane for each token of the text: its tile, the dials of its key, and space for the key's name.

Two shots use the same lanes, so that nothing moves between them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Circle, DashedVMobject, Rectangle, RoundedRectangle, VGroup
from numpy.typing import NDArray

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.scenes.parts.dial import APART, FURTHEST, LEAST_IN_LANE, Dials
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.tile import HEIGHT
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Size, Stage, Value, fit
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE, SMALL

_MOST_HANDS = 3
"""Largest number of hands of a key that are shown: the fastest ones."""
_TAG = 0.45
"""Space for the name of a key, in units."""
_FOOT = 0.7
"""Space under all lanes for an equation, in units."""
_SPEED = 0.75
"""Least distance between dials, which leaves room for the speeds in the first lane, in units."""
_LOWEST, _CLEAR = 0.3, 0.04
"""Least pitch of tiles in a column, and least gap between their boxes, in units."""
_HEAD, _SIDE = 0.52, 0.85
"""Space for the text before the first lane, over it or to its left, in units."""
_WIDEST, _TALLEST, _LARGEST = 2.1, 1.3, 0.55
"""Largest width and height of a lane, and largest radius of a dial, in units."""
_GAP, _AROUND = 0.12, 0.08
"""Gap between tiles and dials, and between a dial and its frame, in units."""
_TAG_SIZE = 26.0
"""Largest letter size of a key's name, in pixels."""
_UNDER = 0.15
"""Free space under the title, in units."""


class KeyLanes:
    """Lanes side by side, or below each other if `down`, with an empty lane before the first.

    Every key has `n` hands, of which the fastest are shown. With `lower`, every other tile of lanes
    side by side is a line lower, which leaves room for wide words. `size` is the largest letter
    size, in pixels.
    """

    most = Size(float("inf"), float("inf"))

    def __init__(
        self,
        tokens: Value,
        positions: Value,
        n: int,
        *,
        down: bool,
        lower: bool = False,
        size: float = LABEL,
    ) -> None:
        self.down, self._lower = down, lower
        self.n_tokens, self._positions = len(tokens), positions
        self._size, self._small = size, SMALL if size > LABEL else MIN_SIZE
        self.tiles = Strip(tokens, positions=True, beside=down, size=size, number_size=self._small)
        self.dials = Dials(n, lanes=len(tokens), labels=None, chosen=range(min(n, _MOST_HANDS)))

    @classmethod
    def choose(
        cls, stage: Stage, row: ScoreRow, path: str = "", *, size: float = LABEL
    ) -> KeyLanes:
        """Lanes for the `row` at a path, side by side on a wide canvas if the words fit."""
        wide, n = stage.canvas.wide, row.head.n_pairs
        tokens, positions = stage[path + "tokens"], stage[path + "head.positions"]
        lanes = [cls(tokens, positions, n, down=down, size=size) for down in (not wide, wide)]
        lanes.append(cls(tokens, positions, n, down=False, lower=True, size=size))
        return lanes[fit(stage.canvas, *lanes)]

    @property
    def least(self) -> Size:
        tile, lane = self.tiles.measures.block(1, 1, MIN_SIZE), self.tiles.least_lane
        dial, n = APART * LEAST_IN_LANE, self.n_tokens
        across = self.dials.shown_rows * dial + _TAG
        if self.down:
            return Size(tile.width + across, n * _LOWEST + _HEAD + _FOOT)
        lines, lanes = 1 + self._lower, n + self._lower / 2
        pitch = max(dial, lane.width / lines)
        return Size(lanes * pitch + max(pitch, _SIDE), lines * tile.height + across + _FOOT)

    def place(self, region: Region) -> None:
        """Fill a region with the lanes; those of a short text are in its middle."""
        region = replace(region, top=region.top - _UNDER * (self._small > MIN_SIZE))
        self.region, n, rows = region, self.n_tokens, self.dials.shown_rows
        tile, (x, y, _) = self.tiles.measures.block(1, 1, self._size), region.center
        if self.down:
            pitch, self._along = _lane_middles(region.height - _FOOT, n, _TALLEST, _HEAD)
            self._along = y + _FOOT / 2 - self._along
            self._tile = region.left + (tile.width + self.tiles.measures.before) / 2
            self._edge, end = region.left + tile.width + _GAP, region.right - _TAG
        else:
            beyond = self._lower / 2  # of a lane, for the half of a wide tile
            pitch, self._along = _lane_middles(region.width, n + beyond, _WIDEST, _SIDE)
            self._along += x
            self._tile = region.top - HEIGHT * self._size * PX / 2
            high = (1 + self._lower) * tile.height
            self._edge, end = region.top - high - _GAP, region.bottom + _FOOT + _TAG
        room, self._way = abs(end - self._edge), float(np.sign(end - self._edge))
        self._pitch = pitch
        radius = min(_LARGEST, pitch / APART, room / rows / APART)
        step = min(room / rows, max(FURTHEST * radius, _SPEED))
        steps = self._way * step * (np.arange(rows) - (rows - 1) / 2)
        self._across = (self._edge + end) / 2 + steps
        self._step = self._lower * tile.height
        low = self.down and pitch < tile.height + _CLEAR
        box = (self.tiles.measures.width(MIN_SIZE), pitch - _CLEAR) if low else None
        self.tiles.place_at(np.array([self.tile_at(k) for k in range(n)]), box)
        self.dials.place_at(
            [[self.dial_at(k, row) for row in range(rows)] for k in range(n)], radius
        )

    # Places

    @property
    def free_region(self) -> Region:
        """The region beside or below the tiles."""
        return replace(self.region, **{"left" if self.down else "top": self._edge})

    @property
    def foot(self) -> Region:
        """The region under all lanes."""
        return self.region.cut_bottom(_FOOT - _GAP)[0]

    def tile_at(self, n: int) -> NDArray[np.float64]:
        """Middle of the tile of lane n; lane -1 is the empty one before the first."""
        return self._point(n, self._tile - n % 2 * self._step)

    def dial_at(self, n: int, row: int) -> NDArray[np.float64]:
        """Middle of a dial of lane n."""
        return self._point(n, self._across[row])

    def region_between(self, first: int, last: int) -> Region:
        """The region from the first dial of one lane to that of another."""
        ends = np.array([self.dial_at(first, 0), self.dial_at(last, 0)])
        return Region.around(ends).inset(-FURTHEST / 2 * self.dials.radius)

    def plates(self, first: int, last: int) -> VGroup:
        """Covers over all dials but the first ones of two lanes and those between them."""
        half, edge = self._pitch / 2, self.dials.radius + _AROUND
        page = replace(self.region, top=self.region.top + _CLEAR)
        ends = np.array([self.dial_at(first, 0), self.dial_at(last, 0)])
        keep = Region.around(ends).inset(-half, -edge)
        boxes = [
            replace(page, right=keep.left),
            replace(page, left=keep.right),
            Region(keep.left, page.bottom, keep.right, keep.bottom),
        ]
        if self.down:
            keep = Region.around(ends).inset(-edge, -half)
            boxes = [
                replace(page, bottom=keep.top),
                replace(page, top=keep.bottom),
                Region(keep.right, keep.bottom, page.right, keep.top),
            ]
        plates = (
            Rectangle(width=box.width, height=box.height, stroke_width=0).move_to(box.center)
            for box in boxes
        )
        return VGroup(*plates).set_fill(theme().ground, 1)

    def _point(self, n: int, across: float) -> NDArray[np.float64]:
        along = self._along[n + 1]
        return np.array([across, along, 0.0] if self.down else [along, across, 0.0])

    # Labels, outlines and covers

    def tags(self, name: str = "k_{n:d}") -> VGroup:
        """The names of the keys: k_0, k_1 and so on, or one name for all."""
        beyond = self._across[-1] + self._way * (self.dials.radius + _TAG / 2 + _AROUND)
        tags, size = VGroup(), min(_TAG_SIZE, self._pitch / PX)
        for n in range(self.n_tokens):
            known, (x, y, _) = {"n": self._positions[n]}, self._point(n, beyond)
            tag = Equation([("name", f"key({name})")], values=known, size=size)
            tag.place(Region(x - 0.3, y - 0.3, x + 0.3, y + 0.3))
            tags.add(tag)
        return tags

    def speeds(self, degrees: Value) -> VGroup:
        """Labels in the empty lane with the degrees that each hand turns in a step."""
        looks, line = self._small_text
        group = VGroup()
        for row, index in enumerate(self.dials.indices):
            place = self.dial_at(-1, row) + line / 2
            turn = Figure(degrees[int(index)], ".1f", suffix="°", weight="regular", **looks)
            group.add(turn.put(place), Label(said("a step"), **looks).put(place - line))
        return group

    def note(self) -> VGroup:
        """A label in the empty lane with the number of hands shown; an empty group if all are."""
        looks, line = self._small_text
        shown, of_all = self.dials.shown_rows, self.dials.n
        if shown == of_all:
            return VGroup()
        count = Label(said("{shown} of {all}", shown=shown, all=of_all), **looks)
        place = self.tile_at(-1) + line / 2
        return VGroup(count.put(place), Label(said("hands"), **looks).put(place - line))

    @property
    def _small_text(self) -> tuple[dict[str, Any], NDArray[np.float64]]:
        """Options of small labels, and the shift from a line of them to the one above."""
        looks = {"size": self._small, "color": theme().muted, "align": "center"}
        return looks, np.array([0.0, 1.2 * self._small * PX, 0.0])

    def frame(self, n: int) -> RoundedRectangle:
        """An outline in the query's colour around the dials of lane n."""
        side = 2 * (self.dials.radius + _AROUND)
        length = float(np.ptp(self._across)) + side
        side = min(side, abs(self._along[1] - self._along[0]) - _AROUND / 2)
        size = (length, side) if self.down else (side, length)
        frame = RoundedRectangle(width=size[0], height=size[1], corner_radius=0.08)
        middle = self._point(n, float(self._across.mean()))
        return frame.set_stroke(theme().query, 3).set_fill(opacity=0).move_to(middle)

    def empty_dials(self) -> VGroup:
        """Dashed dials in the empty lane before the first, where there is no key."""
        faces = VGroup()
        for row in range(self.dials.shown_rows):
            face = Circle(self.dials.radius, color=theme().muted, stroke_width=2)
            faces.add(DashedVMobject(face.move_to(self.dial_at(-1, row)), num_dashes=16))
        return faces

    def veil(self, n: int) -> VGroup:
        """Translucent covers that dim the dials of all lanes but lane n."""
        others = (self.frame(k) for k in range(self.n_tokens) if k != n)
        ground = theme().ground
        return VGroup(*(veil.set_stroke(width=0).set_fill(ground, 0.65) for veil in others))


def _lane_middles(
    room: float, n: float, most: float, before: float
) -> tuple[float, NDArray[np.float64]]:
    """Pitch of `n` lanes in the middle of `room`, and middles of the empty lane and of all lanes.

    The empty lane before the first has at least the width `before`, and others at most `most`.
    """
    pitch = min(most, room / (n + 1), (room - before) / n)
    first = max(pitch, before)
    start = -(first + n * pitch) / 2
    lanes = start + first + (np.arange(int(n)) + 0.5) * pitch
    return pitch, np.array([start + first / 2, *lanes])
