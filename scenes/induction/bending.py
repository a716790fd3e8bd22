"""The line of words with all that lies on it, and how it bends into a circle: for two stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scenes.induction.beads import SIZES, Beads, Line, Numbers, Points, Standing
from scenes.induction.looks import Count, Looks
from scenes.stage import Stage, Value
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.type import LINE_HEIGHT

_UNDER, _OVER = 1.05, 1.1
"""What stays free under the line, besides rows of names, and over its bars."""
_CLOSE = 0.5
"""What names under the circle need."""
_FINDING = (0.1, 0.9)
"""Between these shares of its time the bending lets notes be found, evenly in time."""
_HIGH = 0.45
"""How high a bar is at most that says 1, as a share of the canvas."""


class Bending:
    """The line, its beads with their numbers, arrows and count, as two stages show them.

    `value` is where the stage has its `BentLine`.
    """

    def __init__(self, stage: Stage, value: str) -> None:
        def at(name: str) -> Value:
            return stage[f"{value}.{name}"]

        self.at, self.canvas = at, stage.canvas
        self.line = Line(at("curve")[0])
        self.beads = Beads(at("codes")[0], at("names"), self.line)
        self.numbers = Numbers(at("places"), self.beads)
        self.looks = Looks(at("looks_at"), at("found"), self.beads)
        self.count = Count(at("n_found"), at("n_vocab"))
        self.places = at("places").array
        self.count.place(self.canvas)
        self._stand()

    def bend(self, circle: Standing, *, run_time: float) -> tuple[Drive, ...]:
        """Let the line bend into a circle that stands there, and everything on it go along."""
        options: dict[str, Any] = {"run_time": run_time, "rate_func": self._pace()}
        return (
            self.line.go(self._ways(circle), **options),
            self.line.through(self.at("curve"), **options),
            self.beads.through(self.at("codes"), **options),
            self.looks.follow_bend(**options),
            self.count.follow_bend(**options),
        )

    def _pace(self) -> Callable[[float], float]:
        """How far the line is bent in the course of time: most of it is for the notes found."""
        changes = np.flatnonzero(np.diff(self.at("n_found").array)) + 0.5
        times = np.linspace(*_FINDING, len(changes) + 2)[1:-1]
        bent = np.array([0, *changes / (len(self.at("bends")) - 1), 1])
        return lambda time: float(np.interp(time, [0, *times, 1], bent))

    def _stand(self) -> None:
        """Let the line run across the canvas, with room for names below and bars above it."""
        x, canvas, beads = self.places, self.canvas, self.beads
        step = 2 * np.pi / len(x)
        for size in SIZES:
            beads.write(size, 1)
            widths = np.array([label.width for label in beads.labels])
            ends = max(widths[0], widths[-1])
            scale = min(canvas.width / (2 * np.pi), (canvas.width - ends) / (2 * np.pi - step))
            rows = _rows(widths + 0.16, step * scale)
            if rows == 1:
                break
        beads.write(size, rows)
        under = _UNDER + (rows - 1) * LINE_HEIGHT * size * PX
        high = min(_HIGH * canvas.height, canvas.height - under - _OVER)
        spare = canvas.height - under - _OVER - high
        middle = canvas.center[0] - scale * (x[0] + x[-1]) / 2
        origin = np.array([middle, canvas.bottom + under + spare / 2, 0.0])
        self.line.stand(Standing(origin, float(scale), float(high)))
        self.beads.redraw()

    def _ways(self, circle: Standing) -> Points:
        """How the line stands at every bend: it stays within the canvas, names included."""
        share = np.linspace(0, 1, len(self.at("bends")))  # (S,)
        states = self.line.standing.state + (
            (circle.state - self.line.standing.state) * share[:, None]
        )
        curve = self.at("curve").array  # (S, C, 2)
        canvas, widest = self.canvas, max(label.width for label in self.beads.labels)
        aside = np.minimum(1, 2 * share) ** 1.3 * (widest + _CLOSE)
        low = canvas.bottom + (1 - share) * _UNDER + share * _CLOSE
        high = canvas.top - np.minimum(1, 2 - 2 * share) * _CLOSE
        wide = (canvas.width - 2 * aside) / np.ptp(curve[:, :, 0], axis=1)
        tall = (high - low) / np.ptp(curve[:, :, 1], axis=1).clip(1e-6)
        states[1:-1, 2] = np.minimum(states[:, 2], np.minimum(wide, tall))[1:-1]
        for axis, least, most in (
            (0, canvas.left + aside, canvas.right - aside),
            (1, low, high),
        ):
            seen = states[:, axis, None] + states[:, 2:3] * curve[:, :, axis]
            lack = (least - seen.min(axis=1)).clip(0) - (seen.max(axis=1) - most).clip(0)
            states[1:-1, axis] += lack[1:-1]
        return states

    def over_line(self) -> Region:
        """The canvas over the line."""
        canvas = self.canvas
        return Region(
            canvas.left, float(self.line.standing.origin[1]) + 0.5, canvas.right, canvas.top
        )


def _rows(widths: Points, pitch: float) -> int:
    """In how many rows names do not meet, every so many of them in the same one."""
    for rows in range(1, len(widths)):
        pairs = (widths[:-rows] + widths[rows:]) / 2
        if (pairs <= rows * pitch).all():
            return rows
    return len(widths)
