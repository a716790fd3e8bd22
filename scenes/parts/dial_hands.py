"""Sets of clock hands on dials: each set has its own value and can move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.dial import REACH, Bases, Dials, dial_at
from clockhead.scenes.parts.paths import closed, discs, middles
from clockhead.scenes.stage import Linked, Passage, Reading, Value
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import Role, theme

_SAME = 1e-6
_TAPER = 0.65
"""Width at the end of a hand without a round tip, as a fraction of its width at the hub."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """Width of a hand and radii of its tip and hub, in units, on a dial of radius 1.

    They scale with the square root of the radius, so that hands stay visible on small dials.
    """

    width: float
    tip: float
    hub: float


_SHAPES: dict[str, _Shape] = {
    "query": _Shape(0.13, 0.0, 0.1),
    "key": _Shape(0.05, 0.085, 0.055),
    "ghost": _Shape(0.03, 0.0, 0.0),
}
_OTHER = _Shape(0.085, 0.0, 0.08)


class Hands(Linked):
    """A set of hands on dials. A hand is a pair: the first number goes up, the second to the right.

    The value is (n, 2), or (lanes, n, 2) for dials in lanes. With `angles` it is (n,) or (lanes,
    n), in radians clockwise from twelve, and all hands have full length. `unit` is the length that
    reaches the rim. A set (n, 2) on dials in lanes is drawn in `lane`, which may be a fraction; a
    set for all lanes is displaced by it. A query's hands are thick and taper, a key's are thin with
    a round tip, and `ghost` hands, thin and muted, mark where hands were. A hand of length 0 is
    only a hub. A `rim` in the background colour separates it from a hand below it.
    """

    def __init__(
        self,
        value: Value,
        dials: Dials,
        role: Role = "position",
        *,
        unit: float = 1.0,
        angles: bool = False,
        lane: float = 0.0,
        ghost: bool = False,
        rim: bool = False,
    ) -> None:
        super().__init__(value)
        color = theme().muted if ghost else str(getattr(theme(), role))
        self.dials, self.unit, self.lane = dials, unit, lane
        self._angles, self._role = angles, role
        self._shape = _SHAPES["ghost"] if ghost else _SHAPES.get(role, _OTHER)
        self._is_field = value.array.ndim == (2 if angles else 3)
        self._state = self.state
        blades, tips, hubs = (
            Shape(stroke_width=0, fill_color=color, fill_opacity=1) for _ in range(3)
        )
        if rim:
            for piece in (blades, tips):
                piece.set_stroke(theme().ground, 5, background=True)
        self.blades, self.tips, self.hubs = blades, tips, hubs
        self.add(blades, tips, hubs)
        dials.follow(self)
        self.redraw()

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the hands of these pairs, or angles."""
        if not self.dials.placed:
            return
        self._state = state
        base = self.bases()
        steps = _on_frame(self._pairs(state)) * REACH * base.radii[:, None]
        ends, stout = base.centers + steps, float(np.sqrt(self.dials.radius))
        width = max(1.5 * PX, stout * self._shape.width)
        shape = self._shape
        taper = 1.0 if shape.tip else _TAPER
        self.blades.set_points(_blades(base.centers, ends, width, taper * width))
        for piece, share, at in (
            (self.tips, shape.tip, ends),
            (self.hubs, shape.hub, base.centers),
        ):
            if share:
                piece.set_points(discs(at, max(2 * PX, share * stout)))
        self.redraw_followers()

    def bases(self) -> Bases:
        """The positions, angles and lengths of the hands."""
        pairs = self._pairs(self._state if self.dials.placed else self.state)
        centers = self.dials.centers_at(self._lanes).reshape(-1, 3)
        radii = self.dials.radii_at(self._lanes).ravel()
        angles = np.arctan2(pairs[:, 1], pairs[:, 0])
        return Bases(centers, radii, angles, np.hypot(pairs[:, 0], pairs[:, 1]))

    def tip(self, k: int, out: float = 0.0) -> NDArray[np.float64]:
        """The end of a visible hand, or a point `out` units beyond it."""
        base = self.bases()
        way = np.array([np.sin(base.angles[k]), np.cos(base.angles[k]), 0.0])
        return np.array(base.centers[k] + way * (base.lengths[k] * REACH * base.radii[k] + out))

    def ghosts(self) -> Hands:
        """Thin muted copies that stay where these hands are now; add them behind the hands."""
        shown = self.shown
        value = shown.end if isinstance(shown, Passing) else shown
        return Hands(
            value,
            self.dials,
            self._role,
            unit=self.unit,
            angles=self._angles,
            lane=self.lane,
            ghost=True,
        )

    # Motion, besides `to`, `through` and `grow`

    def turn_to(self, value: Value, by: ArrayLike, **options: Any) -> Passage:
        """Turn to other pairs, each hand by its angle `by` (radians, clockwise, unlimited)."""
        return _Turn(self, value, np.asarray(by, dtype=float), **options)

    def up_then_right(self, value: Value, **options: Any) -> Passage:
        """Move to other pairs, first upwards and then to the right."""
        end = value.array
        between = np.stack([end[..., 0], self.state[..., 1]], axis=-1)
        return Passage(self, value, np.stack([self.state, between, end]), **options)

    def move_to_lane(self, lane: float, *, run_time: float = 1.2) -> Drive:
        """Move to the dials of another lane; a set for all lanes moves by this many."""
        return self.drive("lane", self.lane, lane, run_time=run_time)

    # Readings

    def readings(self) -> Iterator[Reading]:
        """Both numbers of every pair, from the tip; angles up to full turns.

        A hand does not show full turns, so its angle is taken as the one next to the expected
        value.
        """
        if not self.dials.placed or not is_visible(self.blades):
            return
        corners = self.blades.points.reshape(-1, 4, 4, 3)[:, :, 0]  # (N, corner, 3)
        tails = (corners[:, 0] + corners[:, 3]) / 2
        yield from self._read_hands(tails, (corners[:, 1] + corners[:, 2]) / 2)
        if self._shape.tip:
            yield from self._read_hands(tails, middles(self.tips))
        for row, text in self.dials.label_faults():
            yield Reading(self._value_at(row, 0), f"something, at the dial with “{text}”,")

    def _read_hands(
        self, tails: NDArray[np.float64], tips: NDArray[np.float64]
    ) -> Iterator[Reading]:
        centers = self.dials.centers_at(self._lanes).reshape(-1, 3)
        reach = self.dials.radii_at(self._lanes).ravel() * REACH
        for k, (tail, tip) in enumerate(zip(tails, tips, strict=True)):
            found = dial_at(tail, centers, k)
            right, up, _ = (tip - centers[found]) / reach[found]
            if not self._angles:
                yield Reading(self._value_at(found, 0), up * self.unit, _SAME * self.unit)
                yield Reading(self._value_at(found, 1), right * self.unit, _SAME * self.unit)
                continue
            meant = self._value_at(found)
            length = float(np.hypot(up, right))
            if abs(length - 1) > _SAME:
                yield Reading(meant, f"a hand of length {length:.3g}")
            else:
                yield Reading(meant, next_to(float(np.arctan2(right, up)), float(meant.content)))

    def _value_at(self, k: int, *coordinate: int) -> Any:
        """The value of the hand on dial `k`, counted among the dials of this set."""
        lane, row = divmod(k, self.dials.shown_rows)
        index = (int(self.dials.indices[row]), *(coordinate if not self._angles else ()))
        return self.shown[(lane, *index) if self._is_field else index]

    @property
    def _lanes(self) -> NDArray[np.float64]:
        return np.asarray(np.arange(self.dials.lanes if self._is_field else 1) + self.lane)

    def _pairs(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """The visible hands, up and right, full length 1; (N, 2)."""
        if self._angles:
            angles = np.asarray(state)[..., self.dials.indices].ravel()
            return np.column_stack([np.cos(angles), np.sin(angles)])
        pairs = np.asarray(state, dtype=float)[..., self.dials.indices, :]
        return np.asarray(pairs.reshape(-1, 2) / self.unit)


class _Turn(Passage):
    """Animation of turning hands: angles and lengths change linearly, over any number of turns."""

    def __init__(
        self, hands: Hands, end: Value, turns: NDArray[np.float64], **options: Any
    ) -> None:
        start = hands.state
        super().__init__(hands, end, np.stack([start, end.array]), **options)
        self._turns, self._begin = turns, np.arctan2(start[..., 1], start[..., 0])
        self._ends = [np.linalg.norm(pairs, axis=-1) for pairs in (start, end.array)]
        self._reach = np.maximum(*self._ends)[..., None].repeat(2, axis=-1)

    def _go(self, place: float) -> None:
        if place >= 1:
            super()._go(place)
            return
        angle = self._begin + place * self._turns
        length = self._ends[0] + place * (self._ends[1] - self._ends[0])
        state = np.stack([length * np.cos(angle), length * np.sin(angle)], axis=-1)
        reach = self._reach
        self._picture.shown = Passing(self._origin, self._goal, -reach, reach, state)
        self._picture.show(state)


def next_to(angle: float, meant: float) -> float:
    """The angle plus the number of full turns that brings it nearest to the expected value."""
    return angle + 2 * np.pi * round((meant - angle) / (2 * np.pi))


def _on_frame(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hands as vectors in the frame: (N, 2) to (N, 3)."""
    return np.column_stack([pairs[:, 1], pairs[:, 0], np.zeros(len(pairs))])


def _blades(
    start: NDArray[np.float64], end: NDArray[np.float64], width: float, end_width: float
) -> NDArray[np.float64]:
    """Blades between points, with these widths at their ends; (16 N, 3)."""
    way = end - start
    length = np.linalg.norm(way, axis=1, keepdims=True)
    way = np.divide(way, length, out=np.zeros_like(way), where=length > 1e-9)
    across = np.column_stack([-way[:, 1], way[:, 0], way[:, 2]]) / 2
    side, tip = width * across, end_width * across
    corners = np.stack([start - side, end - tip, end + tip, start + side], axis=1)
    return closed(corners).reshape(-1, 3)
