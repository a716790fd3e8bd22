"""A text with its notes, and a bar at every token: over the tiles, or beside them if they go down.

Upright bars stand over tiles in a line whose notes hang below; where words are long or the page is
tall, tiles stand in a column, notes behind them, and bars lie to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from manim import LEFT, RIGHT, UP, RoundedRectangle, VGroup, linear
from numpy.typing import NDArray

from scenes.facts import format_fact
from scenes.parts.axis import Axis
from scenes.parts.bars import Bars
from scenes.parts.chart import Chart
from scenes.parts.figures import Figure
from scenes.parts.glance import Glance
from scenes.parts.scale import Scale, slots
from scenes.parts.strip import Strip
from scenes.parts.strip_lines import SEAM
from scenes.parts.tile import HEIGHT, NOTE_GAP
from scenes.parts.tile_shapes import CORNER
from scenes.stage import Size, Value
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, in_turn
from scenes.style.text import text_width
from scenes.style.theme import Role, theme
from scenes.style.type import MIN_SIZE, SMALL

Written = tuple[Value, str]
"""Numbers that will stand at the ends of bars, and how they are written."""

_LETTERS = 38.0
"""The largest size of the words on tiles, in pixels."""
_AIR = 0.08
"""Between tiles and the foot of the bars, in units."""
_STUB, _LEAST_BAR, _MOST_BAR = 0.3, 1.1, 3.0
"""The length of the longest bar."""
_LINE, _LOW = 0.35, 0.3
"""The least distance of lines that go down, and the least height of a tile in them."""
_LID, _EYE = 0.34, 0.7
"""How far a standing eye is from its tile, and what it takes before one."""


class Noted:
    """Tokens (T,) that wear notes, and bars of `values` (T,) on the first of some scales.

    With `wonder` there is a place after the last, where "?" can come. `figures` are all the numbers
    that will stand at bars, so that there is room for them; so is there for an eye if it `looks`.
    """

    most = Size(float("inf"), float("inf"))

    def __init__(
        self,
        tokens: Value,
        notes: Value,
        shares: Value,
        values: Value,
        *scales: Scale,
        down: bool,
        figures: Sequence[Written] = (),
        wonder: bool = False,
        role: Role = "attention",
        grown: bool = True,
        looks: bool = False,
    ) -> None:
        self._beside = _EYE * looks
        self.down, self.n, self._places = down, len(tokens), len(tokens) + wonder
        options: dict[str, Any] = {"positions": True, "beside": down, "aside": down}
        self.tiles = Strip(
            tokens, notes=notes, shares=shares, wonder=wonder, size=_LETTERS, **options
        )
        names = Scale(self._places - 0.5, -0.5, names=("",) * self._places)
        self.chart = Chart(scales[0], names) if down else Chart(slots(self._places), scales[0])
        axes = [Axis(scale, "bottom" if down else "left") for scale in scales]
        self._shortest = max(axis.least for axis in axes)
        self._axis = max(axis.thickness for axis in axes)
        """What the numbers along the bars take."""
        self.bars = NotedBars(values, self.chart, role, at=np.arange(self.n), grown=grown)
        texts = [[format_fact(float(x), spec, v.unit) for x in v.array] for v, spec in figures]
        widths = [[text_width(text, SMALL) + 2 * _AIR for text in row] for row in texts]
        self._number = max((width for row in widths for width in row), default=0.0)
        self._lane = max((sum(two) / 2 for row in widths for two in pairwise(row)), default=0.0)
        """What a number takes beside another one."""
        self.eye = Glance(_Sight(self), self.n - 1)
        self.rings = Rings(self.tiles, self.n)

    # How much room it takes, and where it stands

    @property
    def least(self) -> Size:
        if self.down:
            columns = 2 * (self._narrowest + NOTE_GAP) + self._before + _AIR
            return Size(columns + self._shortest + self._number, self._places * _LINE + self._axis)
        lane = max(self.tiles.least_lane.width, self._lane)
        block = self.tiles.measures.block(1, 1, MIN_SIZE).height
        return Size(self._places * lane + self._axis, block + _AIR + _LEAST_BAR + self._over)

    @property
    def _over(self) -> float:
        """What the numbers over upright bars take."""
        return SMALL * PX + _AIR

    @property
    def _before(self) -> float:
        """The room before a tile, for its number and an eye."""
        return self.tiles.measures.before + self._beside

    @property
    def _narrowest(self) -> float:
        return self.tiles.measures.width(MIN_SIZE)

    def place(self, region: Region) -> None:
        """Stand in a region, as large as it goes, in its middle."""
        self._stand_down(region) if self.down else self._stand_across(region)
        self.eye.stand(self.eye.over(self.n - 1))

    def _stand_across(self, region: Region) -> None:
        n, widest = self._places, self.tiles.measures.width(_LETTERS) + SEAM
        pitch = min((region.width - self._axis) / n, max(widest, self._number))
        left = region.center[0] - (n * pitch - self._axis) / 2
        xs = left + (np.arange(n) + 0.5) * pitch
        state = self.tiles.states_on(_points(xs, np.zeros(n)), None)[0]
        tall = state[3] + self.tiles.measures.below
        bar = min(_MOST_BAR, region.height - tall - _AIR - self._over)
        top = region.center[1] + (bar + _AIR + tall + self._over) / 2 - self._over
        y = top - bar - _AIR - state[3] / 2
        self.tiles.place_at(_points(xs, np.full(n, y)))
        self.chart.place_area(Region(left, top - bar, left + n * pitch, top))

    def _stand_down(self, region: Region) -> None:
        n, high = self._places, HEIGHT * _LETTERS * PX + SEAM
        pitch = min((region.height - self._axis) / n, high)
        top = region.center[1] + (n * pitch + self._axis) / 2
        ys = top - (np.arange(n) + 0.5) * pitch
        room = region.width - self._before - self._number - 2 * NOTE_GAP - _AIR
        width = float(self.tiles.states_on(_points(0 * ys, ys), None)[0, 2])
        width = max(self._narrowest, min(width, (room - _MOST_BAR) / 2))
        bar = max(_STUB, min(1.5 * _MOST_BAR, room - 2 * width))
        left = region.center[0] - (region.width - room + 2 * width + bar) / 2 + self._before
        height = max(_LOW, min(pitch - SEAM, high))
        self.tiles.place_at(_points(np.full(n, left + width / 2), ys), (width, height))
        start = left + 2 * (width + NOTE_GAP) + _AIR
        self.chart.place_area(Region(start, top - n * pitch, start + bar, top))

    def rescale(self, scale: Scale, **options: Any) -> Drive:
        """Let the bars run to another scale."""
        if self.down:
            return self.chart.rescale(x=scale, **options)
        return self.chart.rescale(y=scale, **options)

    # What an eye needs to know

    def top(self, k: int) -> NDArray[np.float64]:
        """The point over which an eye stands that looks at a tile."""
        if self.down:
            return np.array(
                self.tiles.left(k) + (self._before - self._beside / 2) * LEFT - _LID * UP
            )
        return self.tiles.top(k)


class Listed:
    """A strip whose tiles go down one by one, notes behind them."""

    def __init__(self, strip: Strip) -> None:
        self.strip = strip
        size = strip.measures.width(MIN_SIZE)
        self._n, self._before = len(strip.tiles), strip.measures.before
        self.least = Size(2 * (size + NOTE_GAP) + self._before, self._n * _LINE)
        self.most = self.least

    def place(self, region: Region) -> None:
        """Fill a region."""
        width = (region.width - self._before) / 2 - NOTE_GAP
        pitch = region.height / self._n
        ys = region.top - (np.arange(self._n) + 0.5) * pitch
        xs = np.full(self._n, region.left + self._before + width / 2)
        self.strip.place_at(_points(xs, ys), (width, max(_LOW, pitch - SEAM)))


class _Sight:
    """What an eye needs to know of the tiles."""

    def __init__(self, noted: Noted) -> None:
        self.tiles: list[Any] = noted.tiles.tiles
        self.top = noted.top


class NotedBars(Bars):
    """Bars whose numbers come and go, `clear` units off their ends, and that can sink."""

    _seen = 1.0

    def __init__(self, *args: Any, clear: float = 0.0, **options: Any) -> None:
        self._clear = clear
        super().__init__(*args, **options)
        self.headroom += clear
        self.beside += clear

    def _stand_number(
        self, figure: Figure, k: int, edges: NDArray[np.float64], value: float
    ) -> None:
        super()._stand_number(figure, k, edges, value)
        figure.number.shift(self._clear * (RIGHT if self._lying else UP))

    def draw(self, state: NDArray[np.float64]) -> None:
        """Draw bars of these values (n,)."""
        super().draw(state)
        for k, figure in self._numbers.items():
            figure.number.set_fill(opacity=self._seen * float(self._grown[k] >= 1))

    def write(self, keys: Sequence[int], spec: str, *, run_time: float = 0.5) -> Drive:
        """Let numbers appear at the ends of some bars."""

        def show(share: NDArray[np.float64]) -> None:
            if self._spec != spec or list(self._numbers) != list(keys):
                self._spec = spec
                self._numbers = {k: self._number(k, spec, SMALL) for k in keys}
                self.numbers.submobjects = list(self._numbers.values())
            self._seen = float(share)
            self.redraw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def unwrite(self, *, run_time: float = 0.4) -> Drive:
        """Let the numbers fade."""

        def show(seen: NDArray[np.float64]) -> None:
            self._seen = float(seen)
            self.redraw()

        return Drive(self, show, 1.0, 0.0, run_time=run_time)

    def sink(self, *, run_time: float = 1.0) -> Drive:
        """Let all bars sink to nothing."""

        def show(share: NDArray[np.float64]) -> None:
            self._grown[:] = float(share)
            self.redraw()

        return Drive(self, show, 1.0, 0.0, run_time=run_time)


class Rings(VGroup):
    """A ring round each of the first n notes; in the colour of keys, unless another is given."""

    def __init__(self, strip: Strip, n: int, role: Role = "key") -> None:
        super().__init__()
        self._strip, self._closed = strip, np.zeros(n)
        color = getattr(theme(), role)
        for _ in range(n):
            self.add(RoundedRectangle(fill_opacity=0, stroke_width=4.5, stroke_color=color))
        self._draw()

    def close(self, order: Sequence[int], *, run_time: float) -> Drive:
        """Let rings close one after another, as an eye meets their tiles."""
        return self._drive(order, 1.0, run_time)

    def open(self, *keys: int, run_time: float = 0.6) -> Drive:
        """Let rings (all, unless some are named) go."""
        return self._drive(keys or range(len(self._closed)), 0.0, run_time, together=True)

    def _drive(
        self, keys: Sequence[int], end: float, run_time: float, *, together: bool = False
    ) -> Drive:
        chosen, starts = list(keys), self._closed.copy()

        def show(share: NDArray[np.float64]) -> None:
            if share == 0:
                starts[:] = self._closed
            n = len(chosen)
            parts = np.full(n, float(share)) if together else in_turn(float(share), n, 1 / n)
            self._closed[chosen] = starts[chosen] + (end - starts[chosen]) * parts
            self._draw()

        return Drive(self, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def _draw(self) -> None:
        """Wide and faint rings that are still open, close and bright ones that are not."""
        for ring, tile, share in zip(self, self._strip.tiles, self._closed, strict=False):
            if tile.note is None or not tile.note.frame.has_points():
                continue
            frame, air = tile.note.frame, 0.06 + 0.3 * (1 - float(share))
            shape = RoundedRectangle(
                width=frame.width + air, height=frame.height + air, corner_radius=CORNER
            )
            ring.set_points(shape.points + frame.get_center())
            ring.set_stroke(opacity=float(share))


def _points(xs: NDArray[Any], ys: NDArray[Any]) -> NDArray[np.float64]:
    return np.column_stack([xs, ys])
