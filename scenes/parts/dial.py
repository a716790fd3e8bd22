"""Clock dials: faces with ticks and labels, in a grid or in lanes, that carry sets of hands.

`Dials` draws the faces. `Hands` (dial_hands), `Wedges` and `Turns` (dial_turns) are drawn on them
and move with them. Angle 0 is at twelve o'clock, and angles grow clockwise.
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
"""Length of a full hand, as a fraction of the radius: it ends at the ticks of the rim."""
LINE = 1.45 * LABEL * PX
"""Line height of text under a dial, in units."""
_FACE_CONTRAST = 1.2
_Found = TypeVar("_Found")
LEAST = 0.3
"""Smallest legible radius in a grid, in units."""
LEAST_IN_LANE = 0.16
"""Smallest legible radius in a lane, in units."""
APART = 2.5
"""Smallest distance between the centres of dials, in radii."""
FURTHEST = 3.0
"""Largest distance between the centres of dials, in radii."""
GAP = 0.14
_LEAST_DRAWN = 0.01
_UNEVEN_FACTOR = 1.2
"""Dials in rows of unequal length must be this many times larger to be preferred."""
_ROOM = 2.0
"""Horizontal space that a dial and the text under it may always take, in units."""


@dataclass(frozen=True, slots=True)
class Bases:
    """Where hands begin: centres (N, 3) and radii of their dials, and angles and lengths (N,)."""

    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    angles: NDArray[np.float64]
    lengths: NDArray[np.float64]


class Dials(Linked):
    """Faces for `n` hands, in a grid; with `lanes`, `n` faces in the lane of every token.

    At most `most` hands are shown, spread evenly over all, or those in `chosen`; `indices` has
    their indices. A label is a template for the index of the hand, or one of the names in a
    `Value`. Dials in lanes have no labels and are placed with `place_at`. `largest` is the largest
    radius in units. `lines_under` and `lines_over` reserve lines of text besides the labels, and
    `wide` is the width that they need per dial, in units.
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

    # Size and position

    @property
    def shown_rows(self) -> int:
        """Number of hands shown in a lane, or altogether."""
        return len(self.indices)

    @property
    def least(self) -> Size:
        """The size of the squarest grid, or of the given number of columns."""
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

    def in_rows(self, rows: int) -> _FixedColumns:
        """The same dials in this number of rows, as an alternative for a stage's `fit`."""
        return _FixedColumns(self, -(-self.shown_rows // rows))

    def place(self, region: Region) -> None:
        """Choose the number of columns with the largest dials."""
        text = Text(self._label_width, self._text_height, self._over * LINE)
        room = grid_in(region, self.shown_rows, self._columns, text, self.largest)
        self.place_at(room.centers, min(self.largest, room.radius))

    def place_at(self, centers: ArrayLike, radius: float) -> None:
        """Draw the dials around centres, (n, 2 or 3) or (lanes, n, 2 or 3), in order."""
        self._home, self._home_radius = self._points(centers), radius
        self._arrange(self._home, radius, np.ones(len(self.labels)))
        self.add(self.faces, self.ticks, *self.labels)

    @property
    def placed(self) -> bool:
        return self.faces.has_points()

    # What is drawn

    @property
    def centers(self) -> NDArray[np.float64]:
        """The centres of the faces as drawn; (lanes, n shown, 3)."""
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
        """The centres of dials at lanes, which may be fractional or outside; (L, n shown, 3)."""
        return between_lanes(self.centers, lanes)

    def radii_at(self, lanes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The radii of dials at lanes, which may be fractional or outside; (L, n shown)."""
        return between_lanes(self.radii[..., None], lanes)[..., 0]

    def bases(self) -> Bases:
        """The dials as bases with upright hands."""
        radii = self.radii.ravel()
        centers = self.centers.reshape(-1, 3)
        return Bases(centers, radii, np.zeros(len(radii)), np.ones(len(radii)))

    # Points beside the dials; `k` counts the dials that are shown

    def under(self, k: int, line: int = 0) -> NDArray[np.float64]:
        """The centre of the baseline of a line of text under a dial, below its label."""
        return self._below(k, line + bool(self.labels))

    def over(self, k: int, line: int = 0) -> NDArray[np.float64]:
        """The centre of the baseline of a line of text over a dial; line 0 is the lowest."""
        center, radius = self._dial(k)
        return np.array([center[0], center[1] + radius + GAP + line * LINE, 0.0])

    def rim(self, k: int, angle: float, share: float = 1.0) -> NDArray[np.float64]:
        """The point at an angle and a fraction `share` of the radius."""
        center, radius = self._dial(k)
        return np.array(center + share * radius * np.array([np.sin(angle), np.cos(angle), 0.0]))

    # Motion

    def go_to(self, centers: ArrayLike, radius: float, *, run_time: float = 1.2) -> Drive:
        """Move the dials to other centres, with another radius."""
        start, first, end = self.centers.reshape(-1, 3), self.radius, self._points(centers)
        self._home, self._home_radius = end, radius
        seen = np.ones(len(self.labels))

        def show(share: NDArray[np.float64]) -> None:
            s = float(share)
            middles = end if s == 1 else start + (end - start) * s
            self._arrange(middles, first + (radius - first) * s, seen)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def spread_from(self, k: int, *, run_time: float = 1.6) -> Drive:
        """Slide the dials out of dial `k`, like cards of a fan, each to its own position."""
        return Drive(self, lambda share: self.fan(k, float(share)), 0, 1, run_time=run_time)

    def fan(self, k: int, share: float) -> None:
        """Draw the fan opened by `share`; at 0 all dials are at dial `k`, the only one labelled."""
        away = np.arange(len(self._home)) - k
        reach = share * np.abs(away).max(initial=0)
        places = k + np.sign(away) * np.minimum(np.abs(away), reach)
        centers = np.stack([along(self._home, float(place)) for place in places])
        seen = np.clip(1 - 3 * (np.abs(away) - reach), 0, 1)[: len(self.labels)]
        self._arrange(centers, self._home_radius, seen)

    # Readings

    def readings(self) -> Iterator[Reading]:
        """The names, if they are values; `label_faults` checks labels from a template."""
        if isinstance(self._names, Value):
            for k, text in self._found_labels():
                yield Reading(self.shown[int(self.indices[k])], text)

    def label_faults(self) -> Iterator[tuple[int, str]]:
        """Dials whose nearest label is not their own, and the text of that label."""
        for k, text in self._found_labels():
            if text != self._texts[k]:
                yield k, text

    def _found_labels(self) -> Iterator[tuple[int, str]]:
        """The texts next to the dials that have labels; labels may cross while they move."""
        seen = [label for label in self.labels if is_visible(label)]
        if not self.placed or not seen:
            return
        anchors = np.stack([label.anchor for label in seen])
        for k, own in enumerate(self.labels):
            if is_visible(own):
                far = np.linalg.norm(anchors - self._below(k, 0), axis=1)
                near = min(range(len(seen)), key=lambda i: (round(far[i], 6), seen[i] is not own))
                yield k, seen[near].text if far[near] < LINE / 2 else "no label"

    # Drawing

    def _arrange(
        self, centers: NDArray[np.float64], radius: float, seen: NDArray[np.float64]
    ) -> None:
        """Draw faces around centres, (N, 3), and labels with these opacities."""
        self.faces.set_points(discs(centers, radius))
        quarters = np.array([[0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0]]) * radius
        start = (centers[:, None] + 0.9 * quarters).reshape(-1, 3)
        end = (centers[:, None] + 0.985 * quarters).reshape(-1, 3)
        self.ticks.set_points(straight(start, end))
        for k, label in enumerate(self.labels):
            label.put(self._below(k, 0)).set_fill(opacity=float(seen[k]))
        self.redraw_followers()

    def _points(self, centers: ArrayLike) -> NDArray[np.float64]:
        """Centres as (lanes * n shown, 3); ValueError for another number of points."""
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
        """Height of all lines of text over and under a dial."""
        return (self._under + self._over + bool(self._texts)) * LINE

    def _text(self, index: int) -> str:
        if isinstance(self._names, Value):
            return str(self._names.content[index])
        return str(self._names).format(index)


class _FixedColumns:
    """Dials in a fixed number of columns, as an alternative layout."""

    def __init__(self, dials: Dials, columns: int) -> None:
        self._dials, self._columns = dials, columns

    @property
    def least(self) -> Size:
        return self._apply(lambda dials: dials.least)

    @property
    def most(self) -> Size:
        return self._apply(lambda dials: dials.most)

    def place(self, region: Region) -> None:
        """Place the dials in these columns."""
        self._apply(lambda dials: dials.place(region))

    def _apply(self, ask: Callable[[Dials], _Found]) -> _Found:
        before, self._dials._columns = self._dials._columns, self._columns
        found = ask(self._dials)
        self._dials._columns = before
        return found


def face_color() -> str:
    """The faintest colour that is visible against the background."""
    look = theme()
    shades = (mix(look.ground, look.muted, share) for share in np.arange(0.1, 1.0, 0.01))
    return next(shade for shade in shades if contrast(shade, look.ground) >= _FACE_CONTRAST)


def dial_at(point: NDArray[np.float64], points: NDArray[np.float64], own: int) -> int:
    """Index of the dial at a point: `own` if the point is its centre, else the nearest."""
    far = np.linalg.norm(points - point, axis=1)
    return own if far[own] < 1e-6 else int(np.argmin(far))


@dataclass(frozen=True, slots=True)
class Places:
    """Centres (N, 3) and the largest radius that they allow."""

    centers: NDArray[np.float64]
    radius: float


@dataclass(frozen=True, slots=True)
class Text:
    """Width of the labels, height of all lines of text at a dial, and of those over it."""

    width: float
    height: float
    over: float


def grid_in(region: Region, n: int, columns: int | None, text: Text, largest: float) -> Places:
    """The places of `n` dials in rows, centred in a region."""

    def radius_of(columns: int) -> float:
        high = region.height / -(-n // columns) - text.height - GAP
        radius = min(largest, region.width / columns / APART, high / 2)
        fits = columns == 1 or region.width / columns >= text.width + GAP / 2
        return max(_LEAST_DRAWN, radius if fits else 0.0)

    options = [columns] if columns else range(n, 0, -1)
    chosen = max(options, key=lambda c: radius_of(c) * (1 if n % c else _UNEVEN_FACTOR))
    radius, rows = radius_of(chosen), -(-n // chosen)
    step_x = min(region.width / chosen, max(FURTHEST * radius, _ROOM))
    step_y = min(region.height / rows, 2.3 * radius + text.height + GAP)
    row, column = np.divmod(np.arange(n), chosen)
    in_row = np.minimum(chosen, n - row * chosen)
    x = (column - (in_row - 1) / 2) * step_x
    y = ((rows - 1) / 2 - row) * step_y + text.height / 2 - text.over
    return Places(region.center + np.column_stack([x, y, 0.0 * x]), radius)


def between_lanes(per_lane: NDArray[np.float64], lanes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values (lanes, n, ...) interpolated at lanes, also fractional or outside: (L, n, ...)."""
    count = len(per_lane)
    if count == 1:
        return np.repeat(per_lane, len(lanes), axis=0)
    low = np.clip(np.floor(lanes).astype(int), 0, count - 2)
    share = (lanes - low)[:, None, None]
    return np.asarray(per_lane[low] * (1 - share) + per_lane[low + 1] * share)
