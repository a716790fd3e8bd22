"""A field of clocks: in the lane of every token, one dial for each hand that is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Dot, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.parts.clocks.hands import HAND, Hands, dials, steps, vectors
from scenes.parts.paths import straight
from scenes.parts.tokens.lanes import Lanes, Span
from scenes.style.layout import PX
from scenes.style.motion import Drive
from scenes.style.text import Number
from scenes.style.theme import theme
from scenes.style.type import SMALL, X_HEIGHT

_LANE = 0.86
"""How much of a lane its dials may take, so that lanes stay apart."""
_SPEED_ROOM = 1.4
"""What a hand's speed takes beside its dials, in units."""


class ClockField(VGroup):
    """Dials in the `span` of every lane, `n_hands` to a lane, with hands of any length.

    `show` takes the hands as `(T, n_hands, 2)`: up and right, 1 being the full length. `dials` and
    `hands` have a group for each lane, so that a lane can dim. `abreast` is how many dials stand
    side by side in a lane; by default as many as make the dials largest.
    """

    def __init__(
        self,
        lanes: Lanes,
        span: Span,
        n_lanes: int,
        n_hands: int,
        *,
        color: str | None = None,
        abreast: int | None = None,
    ) -> None:
        super().__init__()
        self.n_hands = n_hands
        self.lanes, self._span = lanes, span
        self._across = abreast or max(range(1, n_hands + 1), key=self._step)
        self.radius = min(0.62, 0.45 * self._step(self._across))
        self.dials = [dials(self.centers(k), self.radius) for k in range(n_lanes)]
        self.hands = [Hands(self.radius, color or theme().key) for _ in range(n_lanes)]
        self.add(*self.dials, *self.hands)
        self.vectors = np.zeros((n_lanes, n_hands, 2))
        self.show(self.vectors)

    def centers(self, lane: float) -> NDArray[np.float64]:
        """The middles of a lane's dials; (n_hands, 3)."""
        rows = -(-self.n_hands // self._across)
        step = min(self._step(self._across), 2.6 * self.radius)
        row, column = np.divmod(np.arange(self.n_hands), self._across)
        apart = min(self._span.length / rows, max(3 * self.radius, _SPEED_ROOM))
        along = self._span.middle + (row - (rows - 1) / 2) * apart
        across = lane + (column - (self._across - 1) / 2) * step / self.lanes.lane
        return np.array([self.lanes.at(a, b) for a, b in zip(across, along, strict=True)])

    def show(self, hands: ArrayLike) -> None:
        """Set all hands: (T, n_hands, 2)."""
        self.vectors = np.asarray(hands, dtype=float)
        for k, lane in enumerate(self.vectors):
            self.hands[k].place(self.centers(k), lane)

    def to(self, hands: ArrayLike, **options: Any) -> Drive:
        """Let the hands run to other vectors, straight: for hands that grow or shrink."""
        return Drive(self, self.show, self.vectors, hands, **options)

    def turn(self, start: ArrayLike, end: ArrayLike, **options: Any) -> Drive:
        """Turn full-length hands from angles (T, n_hands) to others."""
        return Drive(self, lambda a: self.show(vectors(a)), start, end, **options)

    def ghosts(self, hands: ArrayLike) -> VMobject:
        """Thin lines where hands would be: (T, n_hands, 2)."""
        wanted = np.asarray(hands, dtype=float)
        centers = np.concatenate([self.centers(k) for k in range(len(wanted))])
        ends = centers + HAND * self.radius * steps(wanted.reshape(-1, 2))
        lines = VMobject(stroke_color=theme().muted, stroke_width=2)
        return lines.set_points(straight(centers, ends))

    def speeds(self, degrees: ArrayLike, spec: str = ".1f", suffix: str = "° a step") -> VGroup:
        """How far each hand turns in a step, beside its dials; needs `abreast=1` and a margin."""
        labels, area = VGroup(), self.lanes.area
        for degree, center in zip(np.asarray(degrees), self.centers(0), strict=True):
            down = self.lanes.down
            number = Number(
                float(degree),
                spec,
                size=SMALL,
                color=theme().muted,
                align="right" if down else "center",
                suffix=suffix,
            )
            drop = X_HEIGHT / 2 * SMALL * PX
            place = (
                np.array([area.left - 0.22, center[1] - drop, 0.0])
                if down
                else np.array([center[0], area.top + SMALL * PX * 0.5, 0.0])
            )
            labels.add(number.put(place))
        return labels

    def _step(self, across: int) -> float:
        """The distance between dials if `across` of them stand side by side in a lane."""
        along = self._span.length / -(-self.n_hands // across)
        return min(_LANE * self.lanes.lane / across, along)


class Visitor(VGroup):
    """Thin hands with round tips that lie on the dials of one lane and can move to another.

    Laid over a lane's own hands they show two sets at once; where both agree they cover each other.
    `tag` goes with them and stays `tag_along` units from the lane's head.
    """

    def __init__(
        self, field: ClockField, color: str, tag: VMobject | None = None, tag_along: float = 0.0
    ) -> None:
        super().__init__()
        self._field, self._tag, self._tag_along = field, tag, tag_along
        self.lines = VMobject(stroke_color=color, stroke_width=max(2.0, field.radius * 4))
        self.tips = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        self._tip = Dot(radius=max(0.045, field.radius * 0.13)).points
        self.add(self.lines, self.tips, *([] if tag is None else [tag]))
        self.state = np.zeros(1 + field.n_hands)

    def show(self, state: ArrayLike) -> None:
        """Lie on lane `state[0]`, with hands at the angles `state[1:]`."""
        self.state = np.asarray(state, dtype=float)
        centers = self._field.centers(float(self.state[0]))
        ends = centers + 0.9 * self._field.radius * steps(vectors(self.state[1:]))
        self.lines.set_points(straight(centers, ends))
        self.tips.set_points(np.concatenate([self._tip + end for end in ends]))
        if self._tag is not None:
            self._tag.move_to(self._field.lanes.at(float(self.state[0]), self._tag_along))

    def to(self, lane: float, angles: ArrayLike, **options: Any) -> Drive:
        """Move to a lane and turn to angles."""
        end = np.concatenate([[lane], np.asarray(angles, dtype=float)])
        return Drive(self, self.show, self.state, end, **options)
