"""The message: letters in evenly spaced cells, the same in every shot of the film."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from manim import linear
from numpy.typing import NDArray

from clockhead.scenes.caesar.letter import Place, write_letter
from clockhead.scenes.caesar.message_lines import MessageLines
from clockhead.scenes.parts.axis import digits_middle
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, in_turn
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role, mix, theme

LETTERS = 34.0
"""Size of the letters when the message is at the top, in pixels at 720p."""
_EACH = 0.5
"""How long one letter moves, as a fraction of the whole animation."""
_REST = 0.3
"""Fraction of a step for which letters rest before and after they turn over."""
_THINNEST = 0.12
"""Smallest height of a letter while it turns over, relative to its full height."""
_GAP = 0.25
"""Gap below the message, in units."""


class Ciphertext(Picture):
    """A text as separate letters; the cells of spaces are empty.

    `place_message` places it at the top of a canvas, `place` in the middle of a region. `gutter` is
    the free room below each line, in units.
    """

    def __init__(
        self, text: Value, role: Role = "token", *, gutter: float = 0.0, most: float = LETTERS
    ) -> None:
        super().__init__(text)
        self._color = theme().text_color(role)
        self.gutter, self._most = gutter, most
        self.labels = {
            k: Label(character, weight="semibold", color=self._color, align="center")
            for k, character in enumerate(text.content)
            if character != " "
        }
        """The letters, by their positions in the text."""
        self.lines: MessageLines | None = None
        self.moving = False
        self.plain: Value | None = None
        """The plain text, against which readings check the letters that are marked as right."""
        self.add(*self.labels.values())

    def place(self, region: Region) -> None:
        """Centre the text in a region, with the line breaks that allow the largest letters."""
        self.set_lines(
            MessageLines.fit_region(self.text, region, most=self._most, gutter=self.gutter)
        )

    def set_lines(self, lines: MessageLines) -> None:
        """Move the letters into these cells, without animation."""
        self.lines = lines
        for k, label in self.labels.items():
            write_letter(label, lines.middles[k], lines.size)

    @property
    def text(self) -> str:
        """The text as it is displayed."""
        return str(self.shown.content)

    @property
    def region(self) -> Region:
        """The region of the lines."""
        assert self.lines is not None
        return self.lines.region

    def middle(self, k: int) -> NDArray[np.float64]:
        """The centre of a character's cell."""
        assert self.lines is not None
        return np.array(self.lines.middles[k])

    def cell_of(self, k: int) -> Place:
        """The centre of a character's cell, and the size of its letter."""
        assert self.lines is not None
        return self.middle(k), self.lines.size

    def below(self, k: int) -> NDArray[np.float64]:
        """The middle of the lower edge of a character's cell, where the gutter begins."""
        assert self.lines is not None
        return np.asarray(self.middle(k) - np.array([0.0, self.lines.line / 2, 0.0]))

    @property
    def cell(self) -> float:
        """The width of a cell, in units."""
        assert self.lines is not None
        return self.lines.cell

    def copy_of(self, k: int) -> Label:
        """A copy of a letter that a stage can move independently."""
        twin = Label(self.labels[k].text, weight="semibold", color=self._color, align="center")
        write_letter(twin, *self.cell_of(k))
        return twin

    def show_first(self, n: int) -> Ciphertext:
        """Show only the first `n` characters."""
        for k, label in self.labels.items():
            label.set_fill(opacity=float(k < n))
        return self

    def go_to(self, lines: MessageLines, **options: Any) -> Drive:
        """Move the letters one after another to other cells, even with other line breaks."""
        start, n = self.lines, len(self.text)
        assert start is not None

        def show(share: NDArray[np.float64]) -> None:
            s = float(share)
            self.moving = 0 < s < 1
            if s == 1:
                self.set_lines(lines)
                return
            shares = in_turn(s, n, _EACH)
            shares = shares**2 * (3 - 2 * shares)
            middles = start.middles + (lines.middles - start.middles) * shares[:, None]
            sizes = start.size + (lines.size - start.size) * shares
            for k, label in self.labels.items():
                write_letter(label, middles[k], float(sizes[k]))

        return Drive(self, show, 0.0, 1.0, **{"rate_func": linear} | options)

    def turn(self, texts: Value, **options: Any) -> Drive:
        """Turn all letters over together, through the texts (steps, T)."""

        def show(place: NDArray[np.float64]) -> None:
            step = int(np.floor(float(place) + 0.5))
            self.shown = texts[step]
            away = np.clip((abs(float(place) - step) - _REST) / (0.5 - _REST), 0.0, 1.0)
            seen = max(_THINNEST, float(np.cos(np.pi / 2 * away)))
            for k, label in self.labels.items():
                label.text = texts.content[step][k]
                write_letter(label, *self.cell_of(k), seen=seen)

        return Drive(self, show, 0.0, float(len(texts) - 1), **{"rate_func": linear} | options)

    def light_to(self, n: int, *, start: int = 0, **options: Any) -> Drive:
        """Light up characters `start` to `n` one after another; the rest stay grey."""

        def show(lit: NDArray[np.float64]) -> None:
            for k, label in self.labels.items():
                share = float(np.clip(lit - k, 0.0, 1.0))
                label.set_fill(mix(theme().muted, self._color, share))

        return Drive(self, show, float(start), float(n), **{"rate_func": linear} | options)

    def tint(
        self, places: Sequence[int], role: Role | Literal["muted"] | None, **options: Any
    ) -> Drive:
        """Fade letters one after another to the colour of a role; None restores their own."""
        color = self._color if role is None else str(getattr(theme(), role))
        labels, start = [self.labels[k] for k in places if k in self.labels], list[str]()

        def show(share: NDArray[np.float64]) -> None:
            if not start:
                start.extend(fill_of(label) for label in labels)
            shares = in_turn(float(share), len(labels), _EACH)
            for label, before, seen in zip(labels, start, shares, strict=True):
                label.set_fill(mix(before, color, float(seen)))

        return Drive(self, show, 0.0, 1.0, **options)

    def paint(self, plain: Value, places: Sequence[int], **options: Any) -> Drive:
        """Mark letters green, as right; readings compare them with the plain text."""
        self.plain = plain
        return self.tint(places, "right", **options)

    def focus(self, places: Sequence[int], **options: Any) -> Drive:
        """Grey out all letters except those at these positions."""
        return self.tint([k for k in self.labels if k not in places], "muted", **options)

    @property
    def state(self) -> NDArray[np.float64]:
        """Empty: a text has no numbers to animate."""
        return np.zeros(0)

    def set_to(self, value: Value) -> None:
        """Display another text with spaces at the same positions, without animation."""
        self.shown = value
        for k, label in self.labels.items():
            label.text = value.content[k]
            write_letter(label, *self.cell_of(k))

    def show(self, state: NDArray[np.float64]) -> None:
        """Do nothing: texts cannot be interpolated."""

    def readings(self) -> Iterator[Reading]:
        """Compare the letters in reading order, line by line and from the left.

        Green letters claim to be right, so they are compared with the plain text as well.
        """
        if self.lines is None or self.moving:
            return
        pitch, top = self.lines.line + self.lines.gutter, self.lines.region.top
        seen = {k: label for k, label in self.labels.items() if is_visible(label)}
        spots = {k: digits_middle(label) for k, label in seen.items()}
        order = sorted(spots, key=lambda k: (round((top - spots[k][1]) / pitch - 0.5), spots[k][0]))
        for k, written in zip(seen, order, strict=True):
            label = seen[written]
            yield Reading(self.shown[k], label.text)
            if fill_of(label) != theme().right.upper():
                continue
            if self.plain is None:
                yield Reading(self.shown[k], f"that {label.text} is right")
            else:
                yield Reading(self.plain[k], label.text)


def place_message(canvas: Region, message: Ciphertext, *, gap: float = _GAP) -> Region:
    """Place a message at the top of a canvas, in one size for all shots; return the rest."""
    lines = MessageLines.at_top(message.text, canvas, most=LETTERS, gutter=message.gutter)
    message.set_lines(lines)
    return Region(canvas.left, canvas.bottom, canvas.right, lines.region.bottom - gap)
