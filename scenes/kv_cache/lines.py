"""Lines from one to many: which of all tokens one of them asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import Role, theme

_ENDS = 4
"""Points of a line, the last of which is its end."""


class Lines(Picture):
    """Which tokens are asked, (T,): a line to the end (T, 3) of each, from a start, (3,) or (T, 3).

    They are drawn by `run`.
    """

    def __init__(
        self, asked: Value, starts: NDArray[np.float64], ends: NDArray[np.float64], role: Role
    ) -> None:
        super().__init__(asked)
        self._starts, self._ends, self._come = np.broadcast_to(starts, ends.shape), ends, 0.0
        self.path = VMobject(stroke_color=theme().text_color(role), stroke_width=3.0)
        self.add(self.path)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw each line as far as it has come."""
        starts, ends = (points[state > 0] for points in (self._starts, self._ends))
        self.path.set_points(straight(starts, starts + self._come * (ends - starts)))

    def run(self, *, run_time: float) -> Drive:
        """Let the lines run to those asked."""

        def show(share: NDArray[np.float64]) -> None:
            self._come = float(share)
            self.show(self.state)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """At which tokens a line arrives, once all of them are drawn."""
        if self._come < 1:
            return
        tips = self.path.points.reshape(-1, _ENDS, 3)[:, -1]  # (N, 3)
        apart = np.linalg.norm(self._ends[:, None] - tips[None], axis=2)  # (T, N)
        reached = set(apart.argmin(axis=0).tolist())
        for n in range(len(self._ends)):
            yield Reading(self.shown[n], float(n in reached))
