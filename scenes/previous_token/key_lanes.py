"""A lane for each token of the text: its tile, the dials of its key, and room for the key's name.

Two shots stand on the same lanes, so that nothing moves between them.
"""

from __future__ import annotations

import numpy as np
from manim import Rectangle, RoundedRectangle, VGroup
from numpy.typing import NDArray

from scenes.parts.dial import Dials
from scenes.parts.dial_places import APART, FURTHEST, LEAST_IN_LANE
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.parts.strip import Strip
from scenes.parts.tile import HEIGHT
from scenes.stage import Size, Value, fit
from scenes.style.layout import PX, Region
from scenes.style.text import Align, Label
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL, MIN_SIZE

MOST_HANDS = 3
"""The fastest hands of a key, which are shown."""
_TAG = 0.45
"""The room for the name of a key."""
_FOOT = 0.7
"""What is kept free under all lanes, for an equation."""
_GAP = 0.12
_WIDEST, _TALLEST = 2.1, 1.3
"""Lanes of a short text grow no wider, side by side, and no taller, below each other."""
_LARGEST = 0.55
_GUTTER = 0.95
"""The least room before the first lane, for the speeds."""
_AROUND = 0.08
_SPEED = 1.25
"""The room for a hand's speed, in units."""
_LINE = 1.2 * MIN_SIZE * PX
_TAG_SIZE = 26.0


class KeyLanes:
    """Lanes side by side or, `down`, below each other; one more is kept free before the first.

    Every key has `n` hands, of which the fastest are shown.
    """

    def __init__(self, tokens: Value, positions: Value, n: int, *, down: bool) -> None:
        self.down, self.n_tokens, self._positions = down, len(tokens), positions
        self.tiles = Strip(tokens, positions=True, beside=down)
        self.dials = Dials(n, lanes=len(tokens), labels=None, chosen=range(min(n, MOST_HANDS)))
        self.lane = 0.0
        self._across: NDArray[np.float64] = np.zeros(0)
        self.region = Region(0, 0, 0, 0)

    @property
    def least(self) -> Size:
        tile, rows, lanes = self._tile(MIN_SIZE), self.dials.shown_rows, self.n_tokens + 1
        dial = APART * LEAST_IN_LANE
        if self.down:
            height = max(dial, self.tiles.least_lane.height)
            return Size(tile.width + rows * dial + _TAG, lanes * height + _FOOT)
        width = max(dial, self.tiles.least_lane.width)
        height = tile.height + rows * dial + _TAG + _FOOT
        return Size(self.n_tokens * width + max(_GUTTER, width), height)

    most = Size(float("inf"), float("inf"))

    def place(self, region: Region) -> None:
        """Take the whole region; the lanes of a short text stand in its middle."""
        self.region = region
        rows, lanes = self.dials.shown_rows, self.n_tokens + 1
        if self.down:
            self.lane = min(_TALLEST, (region.height - _FOOT) / lanes)
            start = region.left + self._tile(LABEL).width + 2 * _GAP
            room = region.right - _TAG - start
        else:
            beside = (region.width - _GUTTER) / self.n_tokens
            self.lane = min(_WIDEST, region.width / lanes, beside)
            start = region.top - self._tile(LABEL).height - _GAP
            room = start - region.bottom - _FOOT - _TAG
        radius = min(_LARGEST, self.lane / APART, room / rows / APART)
        step = min(room / rows, max(FURTHEST * radius, self.down * _SPEED))
        sign = 1 if self.down else -1
        first = 0.5 * (room - rows * step) if not self.down else 0.0
        steps = first + step * (np.arange(rows, dtype=np.float64) + 0.5)
        self._across = np.asarray(start + sign * steps)
        self.tiles.place_at(np.array([self.tile_at(n) for n in range(self.n_tokens)]))
        self.dials.place_at(
            [[self.at(n, row) for row in range(rows)] for n in range(self.n_tokens)], radius
        )

    @property
    def open(self) -> Region:
        """All that the tiles leave free."""
        region = self.region
        if self.down:
            left = region.left + self._tile(LABEL).width + 3 * _GAP
            return Region(left, region.bottom, region.right, region.top)
        top = region.top - self._tile(LABEL).height - 2 * _GAP
        return Region(region.left, region.bottom, region.right, top)

    @property
    def foot(self) -> Region:
        """The room under all lanes."""
        region = self.region
        return Region(region.left, region.bottom, region.right, region.bottom + _FOOT - _GAP)

    def along(self, n: float) -> float:
        """The middle of lane n, across the lanes; lane -1 is the one before the first."""
        if self.down:
            middle = (self.region.top + self.region.bottom + _FOOT) / 2
            return middle + (self.n_tokens / 2 - n - 1) * self.lane
        before = max(_GUTTER, self.lane)
        left = float(self.region.center[0]) - (before + self.n_tokens * self.lane) / 2
        return left + before + (n + 0.5) * self.lane

    def tile_at(self, n: float) -> NDArray[np.float64]:
        """The middle of the tile of a lane."""
        if self.down:
            tile, before = self._tile(LABEL), self.tiles.measures.before
            return np.array([self.region.left + (tile.width + before) / 2, self.along(n), 0.0])
        height = HEIGHT * LABEL * PX
        return np.array([self.along(n), self.region.top - height / 2, 0.0])

    def at(self, n: float, row: int) -> NDArray[np.float64]:
        """The middle of a dial of a lane."""
        across = float(self._across[row])
        place = (across, self.along(n)) if self.down else (self.along(n), across)
        return np.array([*place, 0.0])

    def tag(self, n: float) -> NDArray[np.float64]:
        """The middle of the room for the name of a key, beyond the last dial."""
        radius, last = self.dials.radius, self.at(n, -1)
        away = [radius + _TAG / 2 + _GAP, 0, 0] if self.down else [0, -radius - _TAG / 2, 0]
        return np.asarray(last + away)

    def tags(self, role: Role) -> VGroup:
        """The name of the key or the query of every lane: k_0, k_1 and so on."""
        tags = VGroup()
        for n in range(self.n_tokens):
            terms = [("name", f"{role}({role[0]}_{{n:d}})")]
            tag = Equation(terms, values={"n": self._positions[n]}, size=_TAG_SIZE)
            middle = self.tag(n)
            tag.place(Region(*(middle[:2] - 0.3), *(middle[:2] + 0.3)))
            tags.add(tag)
        return tags

    def speeds(self, degrees: Value) -> VGroup:
        """How far each hand turns in a step, in degrees, in the lane before the first."""
        group = VGroup()
        for row, index in enumerate(self.dials.indices):
            point = self.at(-1, row)
            if self.down:
                figure = _figure(degrees[int(index)], "center", suffix="° a step")
                group.add(figure.put(point - np.array([0, 0.3 * self.lane, 0])))
                continue
            end = point + np.array([self.lane - self.dials.radius - _GAP, 0, 0])
            label = Label("a step", size=MIN_SIZE, color=theme().muted, align="right")
            group.add(_figure(degrees[int(index)], "right", suffix="°").put(end))
            group.add(label.put(end - np.array([0, _LINE, 0])))
        return group

    def note(self, n_shown: Value, n_hands: Value) -> VGroup:
        """How many hands are shown, in the lane before the first; nothing if all are."""
        if n_shown.content == n_hands.content:
            return VGroup()
        align: Align = "left" if self.down else "right"
        corner = np.array([self.region.left, self.along(-1), 0.0])
        if not self.down:
            corner = self.tag(-1) + np.array([self.lane - self.dials.radius - _GAP, 0, 0])
        lines = f"{n_shown.content} of {n_hands.content}", "hands"
        labels = [Label(t, size=MIN_SIZE, color=theme().muted, align=align) for t in lines]
        for k, label in enumerate(labels):
            label.put(corner - np.array([0, k * _LINE, 0]))
        return VGroup(*labels)

    def veil(self, n: int) -> VGroup:
        """What dims the dials of all lanes but one."""
        last, reach = self.n_tokens - 1, self.dials.radius + 0.05
        veils = VGroup()
        for first, end in ((0, n - 1), (n + 1, last)):
            if first > end:
                continue
            corners = np.array([self.at(first, 0), self.at(end, -1)])
            width, height = np.ptp(corners, axis=0)[:2] + 2 * reach
            veil = Rectangle(width=width, height=height, stroke_width=0)
            veils.add(veil.set_fill(theme().ground, 0.65).move_to(corners.mean(axis=0)))
        return veils

    def frame(self, n: float) -> RoundedRectangle:
        """An outline in the query's colour round the dials of a lane."""
        first, last = self.at(n, 0), self.at(n, -1)
        length = float(np.abs(last - first).max()) + 2 * (self.dials.radius + _AROUND)
        width = min(self.lane - 0.04, 2 * (self.dials.radius + _AROUND))
        size = (length, width) if self.down else (width, length)
        frame = RoundedRectangle(width=size[0], height=size[1], corner_radius=0.08)
        return frame.set_stroke(theme().query, 3).set_fill(opacity=0).move_to((first + last) / 2)

    @classmethod
    def fitting(cls, canvas: Region, tokens: Value, positions: Value, n: int) -> KeyLanes:
        """The lanes that suit a canvas: side by side on a wide one if the words allow it."""
        lanes = [cls(tokens, positions, n, down=down) for down in (not canvas.wide, canvas.wide)]
        return lanes[fit(canvas, *lanes)]

    def _tile(self, size: float) -> Size:
        block = self.tiles.measures.block(1, 1, size)
        return Size(block.width + self.tiles.measures.before, block.height)


def _figure(value: Value, align: Align, suffix: str) -> Figure:
    color = theme().muted
    return Figure(
        value, ".1f", size=MIN_SIZE, weight="regular", color=color, align=align, suffix=suffix
    )
