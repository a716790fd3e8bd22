"""Clock dials: faces with ticks and labels, in a grid or in lanes, on which sets of hands lie.

`Dials` draws the faces; `Hands` (dial_hands), `Wedges` and `Turns` (dial_turns) and `DialNumbers`
(dial_numbers) lie on them, and move with them. Twelve o'clock is angle 0, a growing angle turns
clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.paths import DISC, discs, middles, straight
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import Linked, Reading, Size, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import Drive, along
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import contrast, mix, theme
from clockhead.scenes.style.type import CAP_HEIGHT, LABEL, SMALL

REACH = 0.88
"""How far a hand of full length reaches, as a share of the radius: to the ticks of the rim."""
LINE = 1.45 * LABEL * PX
"""From one line of text under a dial to the next, in units."""
_FACE_CONTRAST = 1.2
_Found = TypeVar("_Found")
LEAST, LEAST_IN_LANE = 0.3, 0.16
"""The smallest radius at which a hand can be read, in units."""
APART, FURTHEST = 2.5, 3.0
"""From dial to dial, in radii: at least, and at most where there is room."""
GAP = 0.14
_LEAST_DRAWN = 0.01
_EVEN = 1.2
"""How much larger dials in rows of unequal length have to be, to be preferred."""
_ROOM = 2.0
"""What a dial and the text under it may always take, in units, however small it is."""


@dataclass(frozen=True, slots=True)
class Bases:
    """Where hands begin: middles (N, 3), radii, angles and lengths (N,) of their dials' hands."""

    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    angles: NDArray[np.float64]
    lengths: NDArray[np.float64]


class Dials(Linked):
    """Faces for `n` hands, in a grid; with `lanes`, `n` of them in the lane of every token.

    At most `most` hands are shown, spread over all, or those that are `chosen`: `indices` says
    which. A label is a template for the hand's index, or one of the names in a `Value`. Dials in
    lanes have none, and stand where they are put, by `place_at`. `largest` is the largest radius
    in units, `lines_under` and `lines_over` are lines of text for which room is kept besides the
    labels, and `wide` is how much room they need from dial to dial, in units.
    """

    def __init__(
        self,
        n: int,
        *,
        lanes: int = 1,
        labels: str | Value | None = "hand {}",
        most: int = 8,
        chosen: ArrayLike | None = None,
        columns: int | None = None,
        largest: float = 1.0,
        lines_under: int = 0,
        lines_over: int = 0,
        wide: float = 0.0,
    ) -> None:
        super().__init__(labels if isinstance(labels, Value) else Value("labels", ()))
        look = theme()
        self.n, self.lanes, self.largest = n, lanes, largest
        spread = np.linspace(0, n - 1, min(n, most)).round() if chosen is None else chosen
        self.indices = np.unique(np.asarray(spread, dtype=int))
        self.faces = Shape(fill_color=face_color(), fill_opacity=1)
        self.faces.set_stroke(mix(look.ground, look.muted, 0.8), 2)
        self.ticks = Shape(stroke_color=look.muted, stroke_width=1.5)
        self._names = said(labels) if isinstance(labels, str) else labels
        self._texts = [] if labels is None else [self._text(int(i)) for i in self.indices]
        self.labels = [Label(t, size=SMALL, color="muted", align="center") for t in self._texts]
        self._columns, self._under, self._over = columns, lines_under, lines_over
        self._wide = wide
        self._home, self._home_radius = np.zeros((0, 3)), 0.0

    # Size and place

    @property
    def shown_rows(self) -> int:
        """How many hands of a lane, or of all, are shown."""
        return len(self.indices)

    @property
    def least(self) -> Size:
        """For the squarest grid, or the given columns."""
        columns = self._columns or round(np.ceil(np.sqrt(self.shown_rows)))
        rows = -(-self.shown_rows // columns)
        width = max(APART * LEAST, self._label_width + GAP)
        return Size(columns * width, rows * (2 * LEAST + GAP + self._text_height))

    @property
    def most(self) -> Size:
        width, rows = FURTHEST * self.largest, self.shown_rows
        height = 2.2 * self.largest + self._text_height
        if self._columns is None:
            return Size(rows * width, rows * height)
        return Size(self._columns * width, -(-rows // self._columns) * height)

    def in_rows(self, rows: int) -> _InRows:
        """The same dials in so many rows, for a stage to choose from."""
        return _InRows(self, -(-self.shown_rows // rows))

    def place(self, region: Region) -> None:
        """Take the columns that make the largest dials."""
        text = Text(self._label_width, self._text_height, self._over * LINE)
        room = grid_in(region, self.shown_rows, self._columns, text, self.largest)
        self.place_at(room.centers, min(self.largest, room.radius))

    def place_at(self, centers: ArrayLike, radius: float) -> None:
        """Stand around given middles, (n, 2 or 3) or (lanes, n, 2 or 3), in order."""
        self._home, self._home_radius = self._points(centers), radius
        self._arrange(self._home, radius, np.ones(len(self.labels)))
        self.add(self.faces, self.ticks, *self.labels)

    @property
    def placed(self) -> bool:
        return self.faces.has_points()

    # What is drawn

    @property
    def centers(self) -> NDArray[np.float64]:
        """The middles of the faces as drawn; (lanes, n shown, 3)."""
        return middles(self.faces).reshape(self.lanes, -1, 3)

    @property
    def radii(self) -> NDArray[np.float64]:
        """The radii of the faces as drawn; (lanes, n shown)."""
        points = self.faces.points.reshape(self.lanes, -1, len(DISC), 3)
        across = points[:, :, 0] - points[:, :, len(DISC) // 2]
        return np.asarray(np.linalg.norm(across, axis=-1) / 2)

    @property
    def radius(self) -> float:
        return float(self.radii.max())

    def centers_at(self, lanes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The middles of dials in lanes that may lie between two, or outside; (L, n shown, 3)."""
        return between_lanes(self.centers, lanes)

    def radii_at(self, lanes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The radii of dials in such lanes; (L, n shown)."""
        return between_lanes(self.radii[..., None], lanes)[..., 0]

    def bases(self) -> Bases:
        """The dials with hands that stand upright."""
        radii = self.radii.ravel()
        centers = self.centers.reshape(-1, 3)
        return Bases(centers, radii, np.zeros(len(radii)), np.ones(len(radii)))

    # Points beside the dials; `k` counts the dials that are shown

    def under(self, k: int, line: int = 0) -> NDArray[np.float64]:
        """Where the baseline of a line of text under a dial is, under its label, centred."""
        return self._below(k, line + bool(self.labels))

    def over(self, k: int, line: int = 0) -> NDArray[np.float64]:
        """Where the baseline of a line of text over a dial is; line 0 is the lowest."""
        center, radius = self._dial(k)
        return np.array([center[0], center[1] + radius + GAP + line * LINE, 0.0])

    def rim(self, k: int, angle: float, share: float = 1.0) -> NDArray[np.float64]:
        """The point at an angle, at a share of the radius from the middle."""
        center, radius = self._dial(k)
        return np.array(center + share * radius * np.array([np.sin(angle), np.cos(angle), 0.0]))

    # Motion

    def go_to(self, centers: ArrayLike, radius: float, *, run_time: float = 1.2) -> Drive:
        """Slide to other places, with another radius."""
        start, first, end = self.centers.reshape(-1, 3), self.radius, self._points(centers)
        self._home, self._home_radius = end, radius
        seen = np.ones(len(self.labels))

        def show(share: NDArray[np.float64]) -> None:
            s = float(share)
            middles = end if s == 1 else start + (end - start) * s
            self._arrange(middles, first + (radius - first) * s, seen)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def spread_from(self, k: int, *, run_time: float = 1.6) -> Drive:
        """Slide out of dial `k` like a fan of cards, each as far as its own place."""
        return Drive(self, lambda share: self.fan(k, float(share)), 0, 1, run_time=run_time)

    def fan(self, k: int, share: float) -> None:
        """Stand `share` of the way out of dial `k`; at 0 all lie on it, and only it has a label."""
        away = np.arange(len(self._home)) - k
        reach = share * np.abs(away).max(initial=0)
        places = k + np.sign(away) * np.minimum(np.abs(away), reach)
        centers = np.stack([along(self._home, float(place)) for place in places])
        seen = np.clip(1 - 3 * (np.abs(away) - reach), 0, 1)[: len(self.labels)]
        self._arrange(centers, self._home_radius, seen)

    # What it says

    def readings(self) -> Iterator[Reading]:
        """The names, where they are values; `label_faults` tells of labels from a template."""
        if isinstance(self._names, Value):
            for k, text in self._found_labels():
                yield Reading(self.shown[int(self.indices[k])], text)

    def label_faults(self) -> Iterator[tuple[int, str]]:
        """Dials that do not have their own label next to them, and what they have instead."""
        for k, text in self._found_labels():
            if text != self._texts[k]:
                yield k, text

    def _found_labels(self) -> Iterator[tuple[int, str]]:
        """The texts found at the dials that have labels; on their way, labels may cross."""
        seen = [label for label in self.labels if is_visible(label)]
        if not self.placed or not seen:
            return
        anchors = np.stack([label.anchor for label in seen])
        for k, own in enumerate(self.labels):
            if is_visible(own):
                far = np.linalg.norm(anchors - self._below(k, 0), axis=1)
                near = min(range(len(seen)), key=lambda i: (round(far[i], 6), seen[i] is not own))
                yield k, seen[near].text if far[near] < LINE / 2 else "no label"

    # How it is drawn

    def _arrange(
        self, centers: NDArray[np.float64], radius: float, seen: NDArray[np.float64]
    ) -> None:
        """Draw faces around middles, (N, 3), and labels with their opacities."""
        self.faces.set_points(discs(centers, radius))
        quarters = np.array([[0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0]]) * radius
        start = (centers[:, None] + 0.9 * quarters).reshape(-1, 3)
        end = (centers[:, None] + 0.985 * quarters).reshape(-1, 3)
        self.ticks.set_points(straight(start, end))
        for k, label in enumerate(self.labels):
            label.put(self._below(k, 0)).set_fill(opacity=float(seen[k]))
        self.redraw_followers()

    def _points(self, centers: ArrayLike) -> NDArray[np.float64]:
        """Middles as (lanes * n shown, 3)."""
        given = np.asarray(centers, dtype=float)
        flat = given.reshape(-1, given.shape[-1])
        if len(flat) != self.lanes * self.shown_rows:
            raise ValueError(
                f"centers must be {self.lanes} x {self.shown_rows} points, got {len(flat)}"
            )
        return np.column_stack([flat[:, :2], np.zeros(len(flat))])

    def _dial(self, k: int) -> tuple[NDArray[np.float64], float]:
        return self.centers.reshape(-1, 3)[k], float(self.radii.ravel()[k])

    def _below(self, k: int, line: int) -> NDArray[np.float64]:
        center, radius = self._dial(k)
        drop = radius + GAP + CAP_HEIGHT * SMALL * PX + line * LINE
        return np.array([center[0], center[1] - drop, 0.0])

    @property
    def _label_width(self) -> float:
        return max([self._wide, *(text_width(text, SMALL) for text in self._texts)])

    @property
    def _text_height(self) -> float:
        """Of all lines over and under a dial."""
        return (self._under + self._over + bool(self._texts)) * LINE

    def _text(self, index: int) -> str:
        if isinstance(self._names, Value):
            return str(self._names.content[index])
        return str(self._names).format(index)


class _InRows:
    """Dials in a number of columns, as an alternative to be placed."""

    def __init__(self, dials: Dials, columns: int) -> None:
        self._dials, self._columns = dials, columns

    @property
    def least(self) -> Size:
        return self._with(lambda dials: dials.least)

    @property
    def most(self) -> Size:
        return self._with(lambda dials: dials.most)

    def place(self, region: Region) -> None:
        """Keep the columns."""
        self._with(lambda dials: dials.place(region))

    def _with(self, ask: Callable[[Dials], _Found]) -> _Found:
        before, self._dials._columns = self._dials._columns, self._columns
        found = ask(self._dials)
        self._dials._columns = before
        return found


def face_color() -> str:
    """The faintest colour that stands out from the ground."""
    look = theme()
    shades = (mix(look.ground, look.muted, share) for share in np.arange(0.1, 1.0, 0.01))
    return next(shade for shade in shades if contrast(shade, look.ground) >= _FACE_CONTRAST)


def dial_at(point: NDArray[np.float64], points: NDArray[np.float64], own: int) -> int:
    """The dial at whose point, of (N, 3), a point lies: its own if it lies there, else the nearest.

    Dials that lie on one another all have the same middle.
    """
    far = np.linalg.norm(points - point, axis=1)
    return own if far[own] < 1e-6 else int(np.argmin(far))


@dataclass(frozen=True, slots=True)
class Places:
    """Middles (N, 3) and the largest radius that they allow."""

    centers: NDArray[np.float64]
    radius: float


@dataclass(frozen=True, slots=True)
class Text:
    """The width of the labels, the height of all lines at a dial, and of those over it."""

    width: float
    height: float
    over: float


def grid_in(region: Region, n: int, columns: int | None, text: Text, largest: float) -> Places:
    """`n` dials in rows around the middle of a region."""

    def radius_of(columns: int) -> float:
        high = region.height / -(-n // columns) - text.height - GAP
        radius = min(largest, region.width / columns / APART, high / 2)
        fits = columns == 1 or region.width / columns >= text.width + GAP / 2
        return max(_LEAST_DRAWN, radius if fits else 0.0)

    options = [columns] if columns else range(n, 0, -1)
    chosen = max(options, key=lambda c: radius_of(c) * (1 if n % c else _EVEN))
    radius, rows = radius_of(chosen), -(-n // chosen)
    step_x = min(region.width / chosen, max(FURTHEST * radius, _ROOM))
    step_y = min(region.height / rows, 2.3 * radius + text.height + GAP)
    row, column = np.divmod(np.arange(n), chosen)
    in_row = np.minimum(chosen, n - row * chosen)
    x = (column - (in_row - 1) / 2) * step_x
    y = ((rows - 1) / 2 - row) * step_y + text.height / 2 - text.over
    return Places(region.center + np.column_stack([x, y, 0.0 * x]), radius)


def between_lanes(per_lane: NDArray[np.float64], lanes: NDArray[np.float64]) -> NDArray[np.float64]:
    """What (lanes, n, ...) is in lanes that may lie between two, or outside: (L, n, ...)."""
    count = len(per_lane)
    if count == 1:
        return np.repeat(per_lane, len(lanes), axis=0)
    low = np.clip(np.floor(lanes).astype(int), 0, count - 2)
    share = (lanes - low)[:, None, None]
    return np.asarray(per_lane[low] * (1 - share) + per_lane[low + 1] * share)
