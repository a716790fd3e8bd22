"""The running guess: its rotation, whether each guess was right, and where it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import VMobject, linear, there_and_back
from numpy.typing import NDArray

from clockhead.scenes.caesar.ciphertext import Ciphertext
from clockhead.scenes.caesar.scores import NAMED
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Mark
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.parts.tile import rounded
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE

DASHES, GUTTER = 0.17, 0.38
"""Room below a line of the message for dashes, and for dashes and guesses, in units."""
_DASH, _NUMBER = 0.07, 0.25
"""Distances of the dashes and of the numbers' centres below a line, in units."""
_LARGEST = 22.0
"""Largest size of these numbers, in pixels at 720p."""
_RECTANGLE = 16
"""Number of points of a rectangle."""
_WIDE = 0.8
"""Width of a dash, as a fraction of a cell."""
_HEIGHTS = (0.035, 0.1)
"""Heights of wrong and of right dashes, in units: colour is not the only cue."""
_OFF = 1e-3
"""Tolerance of the readings, in units or slots."""


class _RunningPicture(Picture):
    """A picture of what is known after the first n characters."""

    def read_to(self, n: int) -> None:
        """Show what is known after the first `n` characters."""
        raise NotImplementedError

    def run(self, start: int, end: int, **options: Any) -> Drive:
        """Animate from the first `start` to the first `end` characters."""
        return Drive(
            self,
            lambda n: self.read_to(int(float(n) + 1e-9)),
            float(start),
            float(end),
            **{"rate_func": linear} | options,
        )


class Verdicts(_RunningPicture):
    """A dash below each letter: green if the guess after it was right, thin and red if not.

    The value says for each character whether the guess is right, (T,). Spaces have no dash, because
    they change no guess. Nothing is visible before `run`.
    """

    def __init__(self, right: Value, message: Ciphertext) -> None:
        super().__init__(right)
        self._message, self._n = message, 0
        self._paths = [VMobject(stroke_width=0, fill_opacity=1) for _ in _HEIGHTS]
        for path, color in zip(self._paths, (theme().wrong, theme().right), strict=True):
            self.add(path.set_fill(color))

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the dashes of the characters read so far."""
        wide = _WIDE / 2 * self._message.cell
        for right, (path, high) in enumerate(zip(self._paths, _HEIGHTS, strict=True)):
            spots = [self._spot(k) for k in self._letters if bool(state[k]) == right]
            x, y, _ = np.array(spots).reshape(-1, 3).T
            path.set_points(rectangles(x - wide, y - high / 2, x + wide, y + high / 2))

    @property
    def _letters(self) -> list[int]:
        """The positions of the letters read so far."""
        return [k for k in self._message.labels if k < self._n]

    def _spot(self, k: int) -> NDArray[np.float64]:
        """The centre of the dash below a letter."""
        x, y, z = self._message.below(k)
        return np.array([x, y - _DASH, z])

    def read_to(self, n: int) -> None:
        """Show the verdicts of the first `n` characters."""
        self._n = n
        self.show(self.state)

    def readings(self) -> Iterator[Reading]:
        """Compare the verdict of each dash, from its colour and its height."""
        if not is_visible(self):
            return
        letters, seen = list(self._letters), set()
        spots = np.array([self._spot(k) for k in letters])  # (N, 3)
        for path in filter(is_visible, self._paths):
            is_green = fill_of(path) == theme().right.upper()
            boxes = path.points.reshape(-1, _RECTANGLE, 3)
            low, high = boxes.min(axis=1), boxes.max(axis=1)  # (dashes, 3)
            far = np.abs(spots - (low + high)[:, None] / 2).max(axis=2)  # (dashes, N)
            is_thick = high[:, 1] - low[:, 1] > np.mean(_HEIGHTS)
            is_clear = (far.min(axis=1) < _OFF) & (is_thick == is_green)
            for place, clear in zip(far.argmin(axis=1).tolist(), is_clear.tolist(), strict=True):
                k = letters[place]
                yield Reading(self.shown[k], float(is_green) if clear else "an unclear dash")
                seen.add(k)
        for k in set(letters) - seen:
            yield Reading(self.shown[k], "no dash")


class Guess(_RunningPicture, Mark):
    """A label such as "rotation 7" above the guessed bar, with a line to it; red if wrong.

    The values are the rotation guessed after each character, and whether it is right, (T,).
    """

    headroom = 0.6

    def __init__(self, guesses: Value, right: Value, bars: Bars) -> None:
        super().__init__(guesses[0], bars.chart)
        self._guesses, self._right, self._bars = guesses, right, bars
        self.figure = Figure(guesses[0], "d", prefix="rotation ", size=NAMED)
        self.stroke = VMobject(stroke_width=2)
        self.add(self.stroke, self.figure)
        self.read_to(1)

    def read_to(self, n: int) -> None:
        """Show the guess after the first `n` characters."""
        self._is_right = self._right[n - 1]
        color = theme().text_color("right" if self._is_right.content else "wrong")
        self.figure.set_to(self._guesses[n - 1])
        self.figure.number.set_fill(color)
        self.stroke.set_stroke(color)
        self.set_to(self._guesses[n - 1])

    def draw(self, state: NDArray[np.float64]) -> None:
        """Place the label above the bar, inside the chart."""
        area, tip = self.chart.area, self._bars.tip(int(state))
        half = self.figure.number.width / 2
        x = float(np.clip(tip[0], area.left + half, max(area.left + half, area.right - half)))
        ends = tip + np.array([[[0.0, up, 0.0]] for up in (0.03, 0.18)])
        self.stroke.set_points(straight(*ends))
        self.figure.put(np.array([x, tip[1] + 0.24 + 0.2 * self.figure.number.em, 0.0]))

    def readings(self) -> Iterator[Reading]:
        """Compare the bar below the line, the rotation in the label, and its colour."""
        if self.chart.placed and is_visible(self.stroke):
            slot = float(self.chart.x.read(self.stroke.points[:, 0].mean()))
            yield Reading(self.shown, slot, _OFF)
            yield Reading(self.shown, self.figure.number.value)
            color = fill_of(self.figure.number)
            yield Reading(self._is_right, float(color == theme().text_color("right").upper()))


class Turns(_RunningPicture):
    """The first guess, and a frame around each character that changed it, with the new guess.

    The value has the positions of these characters from 1, (k,). Narrow cells have no numbers.
    """

    def __init__(self, turns: Value, guesses: Value, right: Value, message: Ciphertext) -> None:
        super().__init__(turns)
        self._message = message
        self.path = VMobject(fill_opacity=0).set_stroke(theme().ink, 3)
        size = min(_LARGEST, 0.95 * message.cell / text_width("00", 1.0))
        self.numbers = list[Figure]()
        for n in turns.content if size >= MIN_SIZE else ():
            role: Role = "right" if right.content[n - 1] else "wrong"
            figure = Figure(guesses[int(n) - 1], "d", size=size, color=role)
            middle = message.below(int(n) - 1) - np.array([0.0, _NUMBER, 0.0])
            self.numbers.append(figure.put(middle - np.array([0.0, 0.36 * figure.number.em, 0.0])))
        self.add(self.path, *self.numbers)
        self.read_to(0)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the frames of the characters read so far."""
        lines = self._message.lines
        assert lines is not None
        shape = rounded(0.96 * lines.cell, 0.9 * lines.line)
        frames = [shape + self._message.middle(int(n) - 1) for n in state[1 : self._n]]
        self.path.set_points(np.concatenate([np.zeros((0, 3)), *frames]))

    def read_to(self, n: int) -> None:
        """Show the first `n` guesses and their frames."""
        self._n = n
        for k, figure in enumerate(self.numbers):
            figure.number.set_fill(opacity=float(k < n))
        self.show(self.state)

    def flash(self, **options: Any) -> Drive:
        """Flash the frames: make them thick for a moment."""
        options = {"rate_func": there_and_back} | options
        return Drive(self, lambda width: self.path.set_stroke(width=float(width)), 3, 9, **options)

    def readings(self) -> Iterator[Reading]:
        """Compare the positions of the framed characters."""
        lines = self._message.lines
        if lines is None or not is_visible(self.path):
            return
        for k, frame in enumerate(self.path.points.reshape(self._n - 1, -1, 3), 1):
            middle = (frame.min(axis=0) + frame.max(axis=0)) / 2
            far = np.linalg.norm(lines.middles - middle, axis=1)
            says = float(far.argmin() + 1) if far.min() < _OFF else "around no character"
            yield Reading(self.shown[k], says)
