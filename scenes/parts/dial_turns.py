"""Angles on dials: filled wedges between hands, and arcs that show how far a hand has turned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.dial import REACH, Bases, Dials, dial_at
from clockhead.scenes.parts.dial_hands import next_to
from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_PIECES = 24
"""Number of curves in the arc of a wedge, which may be a whole turn."""
_SEEN = 0.22
"""Least width of a wedge at its edge, if its hands are long enough, on a dial of radius 1."""
_PITCH = 0.09
"""Growth of an arc's radius with each full turn, as a fraction of the dial's radius."""
_MOST_TURNS = 3.0
"""Arcs of more turns are not drawn: nobody could count them."""


class Base(Protocol):
    """Something that an angle can start from: upright dials, hands or ghosts."""

    def bases(self) -> Bases:
        """Its positions, angles and lengths."""

    def follow(self, follower: Linked) -> None:
        """Redraw `follower` whenever this moves."""


class _OnDials(Linked):
    """Angles, (n,) or (lanes, n) in radians clockwise, that start at hands and move with them."""

    def __init__(self, value: Value, dials: Dials, start: Base | None) -> None:
        super().__init__(value)
        self.dials, self.start = dials, start or dials
        self.start.follow(self)

    def _angles(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(state)[..., self.dials.indices].ravel()

    def _read_arc(
        self, k: int, at: NDArray[np.float64], line: NDArray[np.float64], *, whole: bool
    ) -> Reading:
        """A reading of the arc through points (M, 3), drawn on the dial with centre `at`."""
        base = self.start.bases()
        found = dial_at(at, base.centers, k)
        lane, row = divmod(found, self.dials.shown_rows)
        index = int(self.dials.indices[row])
        meant = self.shown[(lane, index) if self.state.ndim == 2 else index]
        x, y, _ = (line - base.centers[found]).T
        angles = np.unwrap(np.arctan2(x, y))
        begin = next_to(float(angles[0]), float(base.angles[found]))
        if abs(begin - base.angles[found]) > 1e-6:
            return Reading(meant, f"an angle from {begin:.4g}, beside where it should begin,")
        swept = float(angles[-1] - angles[0])
        return Reading(meant, swept if whole else next_to(swept, float(meant.content)))


class Wedges(_OnDials):
    """Filled wedges that start at hands, signed and clockwise; all are one path.

    They start at `start` (hands, ghosts, or by default twelve o'clock) and turn with it. Full turns
    are left out; with `end`, the hands where they end, they take the shorter way. `out` is their
    radius as a fraction of the dial's. A narrow wedge reaches further out, to be visible beside its
    hands, but not beyond the shorter of the two. A hand of length 0 has no wedge.
    """

    def __init__(
        self,
        value: Value,
        dials: Dials,
        start: Base | None = None,
        *,
        end: Base | None = None,
        role: Role = "position",
        out: float = 0.56,
    ) -> None:
        super().__init__(value, dials, start)
        color = getattr(theme(), role)
        self._end, self._out = end, out
        if end is not None:
            end.follow(self)
        self.wedges = Shape(fill_color=color, fill_opacity=0.5)
        self.wedges.set_stroke(color, 1.5)
        self.add(self.wedges)
        self.redraw()

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw wedges of these angles."""
        if not self.dials.placed:
            return
        base = self.start.bases()
        lengths, swept = base.lengths, np.fmod(self._angles(state), 2 * np.pi)
        if self._end is not None:
            lengths = np.minimum(lengths, self._end.bases().lengths)
            swept = swept - 2 * np.pi * np.round(swept / (2 * np.pi))
        radius = self._radius(base.radii, lengths, swept)
        share = np.linspace(0, 1, _PIECES + 1)
        angles = base.angles[:, None] + swept[:, None] * share
        arc = _curve(base.centers, np.repeat(radius[:, None], _PIECES + 1, 1), angles)
        n = len(base.centers)
        out = straight(base.centers, arc[:, 0]).reshape(n, 4, 3)
        back = straight(arc[:, -1], base.centers).reshape(n, 4, 3)
        self.wedges.set_points(np.concatenate([out, arc, back], axis=1).reshape(-1, 3))

    def _radius(
        self, radii: NDArray[np.float64], lengths: NDArray[np.float64], swept: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The radius of each wedge: large enough to be visible, but not beyond its hands."""
        chord = 2 * np.abs(np.sin(swept / 2))
        seen = np.divide(_SEEN * np.sqrt(radii), chord, out=radii.copy(), where=chord > 1e-9)
        out = np.maximum(self._out * radii, seen)
        return np.asarray(np.minimum(out, REACH * lengths * radii))

    def readings(self) -> Iterator[Reading]:
        """The angle between the edges of each wedge, up to full turns, and where it begins."""
        if not self.dials.placed or not is_visible(self.wedges):
            return
        paths = self.wedges.points.reshape(-1, 4 * (_PIECES + 2), 3)
        for k, path in enumerate(paths):
            line = np.concatenate([path[4:-4:4], path[-5:-4]])
            if np.linalg.norm(line[0] - path[0]) > 1e-9:
                yield self._read_arc(k, path[0], line, whole=False)


class Turns(_OnDials):
    """Arcs with arrow heads that show how far each hand has turned, signed, with full turns.

    They start at `start`, as wedges do. Beyond one turn they spiral outwards, so that the turns do
    not overlap; near three turns an arc fades out. `out` is the radius as a fraction of the dial's.
    """

    def __init__(
        self,
        value: Value,
        dials: Dials,
        start: Base | None = None,
        *,
        role: Role = "position",
        out: float = 0.6,
    ) -> None:
        super().__init__(value, dials, start)
        color, n = getattr(theme(), role), self._angles(value.array).size
        self._out = out
        self.arcs = [Shape(stroke_color=color, stroke_width=4) for _ in range(n)]
        self.heads = [Shape(stroke_width=0, fill_color=color, fill_opacity=1) for _ in range(n)]
        self.add(*self.arcs, *self.heads)
        self.redraw()

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw arcs of these angles."""
        if not self.dials.placed:
            return
        base = self.start.bases()
        for k, swept in enumerate(self._angles(state)):
            turns = abs(swept) / (2 * np.pi)
            seen = float(np.clip(2 * (_MOST_TURNS - turns), 0, 1))
            size = min(0.14, 0.22 * base.radii[k], 0.45 * abs(swept) * base.radii[k])
            center = base.centers[k : k + 1]
            radius = base.radii[k]
            until = abs(swept) - size / (self._out * radius)
            line = self._spiral(center, radius, base.angles[k], swept)
            self.arcs[k].set_points(line[0]).set_stroke(opacity=seen)
            head = self._head(center[0], radius, base.angles[k], swept, max(0.0, until), size)
            self.heads[k].set_points(head).set_fill(opacity=seen)
        self.redraw_followers()

    def readings(self) -> Iterator[Reading]:
        """The angle of each arc around the centre of its dial, with full turns."""
        if not self.dials.placed:
            return
        centers = self.start.bases().centers
        for k, arc in enumerate(self.arcs):
            if is_visible(arc):
                line = np.concatenate([arc.points[::4], arc.points[-1:]])
                far = np.linalg.norm(centers - line.mean(axis=0), axis=1)
                inside = far < self._out * self.dials.radius * 1.5
                at = centers[k] if inside[k] else centers[int(np.argmin(far))]
                yield self._read_arc(k, at, line, whole=True)

    def _radius(self, radius: float, swept: NDArray[np.float64]) -> NDArray[np.float64]:
        turns = np.maximum(0, np.abs(swept) / (2 * np.pi) - 0.5)
        return np.asarray(radius * (self._out + _PITCH * turns))

    def _spiral(
        self, center: NDArray[np.float64], radius: float, start: float, swept: float
    ) -> NDArray[np.float64]:
        n = max(4, int(np.ceil(abs(swept) / np.radians(15))))
        way = np.linspace(0, swept, n + 1)
        return _curve(center, self._radius(radius, way)[None], (start + way)[None])

    def _head(
        self,
        center: NDArray[np.float64],
        radius: float,
        start: float,
        swept: float,
        until: float,
        size: float,
    ) -> NDArray[np.float64]:
        """A triangle whose tip is slightly beyond the end of the arc."""
        ends = start + np.sign(swept) * np.array([abs(swept), until, until])
        way = self._radius(radius, np.array([swept] * 3)) + np.array([0, 0.55, -0.55]) * size
        points = center + way[:, None] * _direction(ends)
        return closed(points)


def _direction(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors at angles, (...) to (..., 3)."""
    return np.stack([np.sin(angles), np.cos(angles), np.zeros_like(angles)], axis=-1)


def _curve(
    centers: NDArray[np.float64], radii: NDArray[np.float64], angles: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Curves through points at radii and angles (N, M + 1) around centres: (N, 4 M, 3)."""
    points = centers[:, None] + radii[..., None] * _direction(angles)
    step = np.diff(angles, axis=1)[..., None]
    outward = np.divide(
        np.diff(radii, axis=1)[..., None], step, out=np.zeros_like(step), where=step != 0
    )
    tangent = _direction(angles + np.pi / 2) * radii[..., None]
    first = tangent[:, :-1] + outward * _direction(angles[:, :-1])
    last = tangent[:, 1:] + outward * _direction(angles[:, 1:])
    start, end = points[:, :-1], points[:, 1:]
    pieces = np.stack([start, start + first * step / 3, end - last * step / 3, end], axis=2)
    return np.asarray(pieces.reshape(len(centers), -1, 3))
