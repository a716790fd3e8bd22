"""The message: letters in even cells, the same in every shot of the film."""

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
"""The size of a letter at the top of a canvas, in pixels."""
_EACH = 0.5
"""The share of the time of a move that one letter takes."""
_REST = 0.3
"""The share of a step for which letters stand still before they turn over, and after."""
_THINNEST = 0.12
"""What is seen of a letter that is just turned over, as a share of its height."""
_GAP = 0.25


class Ciphertext(Picture):
    """A text by its characters, `self["ciphertext"]`; nothing stands where it has a space.

    `message_above` hangs it on top of a canvas, `place` fills a region. `gutter` is free under each
    of its lines, in units.
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
        """The letters by their places in the text."""
        self.lines: MessageLines | None = None
        self.moving = False
        self.plain: Value | None = None
        """What letters that are lit as right are held against."""
        self.add(*self.labels.values())

    # Where it stands

    def place(self, region: Region) -> None:
        """Stand in the middle of a region, in as many lines as let the letters be largest."""
        self.put_on(MessageLines.filling(self.text, region, most=self._most, gutter=self.gutter))

    def put_on(self, lines: MessageLines) -> None:
        """Stand in these cells."""
        self.lines = lines
        for k, label in self.labels.items():
            write_letter(label, lines.middles[k], lines.size)

    @property
    def text(self) -> str:
        """What is written."""
        return str(self.shown.content)

    @property
    def region(self) -> Region:
        """What it fills."""
        assert self.lines is not None
        return self.lines.region

    def middle(self, k: int) -> NDArray[np.float64]:
        """The middle of the cell of a character."""
        assert self.lines is not None
        return np.array(self.lines.middles[k])

    def cell_of(self, k: int) -> Place:
        """The middle of the cell of a character, and the size of its letter."""
        assert self.lines is not None
        return self.middle(k), self.lines.size

    def under(self, k: int) -> NDArray[np.float64]:
        """The middle of the lower edge of that cell; a gutter begins there."""
        assert self.lines is not None
        return np.asarray(self.middle(k) - np.array([0.0, self.lines.line / 2, 0.0]))

    @property
    def cell(self) -> float:
        """The width of a cell, in units."""
        assert self.lines is not None
        return self.lines.cell

    def copy_of(self, k: int) -> Label:
        """A letter like that at a place, for a stage to send on a way of its own."""
        twin = Label(self.labels[k].text, weight="semibold", color=self._color, align="center")
        write_letter(twin, *self.cell_of(k))
        return twin

    # How it changes

    def show_first(self, n: int) -> Ciphertext:
        """Let only the first `n` characters be there."""
        for k, label in self.labels.items():
            label.set_fill(opacity=float(k < n))
        return self

    def go_to(self, lines: MessageLines, **options: Any) -> Drive:
        """Let the letters go to other cells one after another, however these are in lines."""
        start, n = self.lines, len(self.text)
        assert start is not None

        def show(share: NDArray[np.float64]) -> None:
            s = float(share)
            self.moving = 0 < s < 1
            if s == 1:
                self.put_on(lines)
                return
            shares = in_turn(s, n, _EACH)
            shares = shares**2 * (3 - 2 * shares)
            middles = start.middles + (lines.middles - start.middles) * shares[:, None]
            sizes = start.size + (lines.size - start.size) * shares
            for k, label in self.labels.items():
                write_letter(label, middles[k], float(sizes[k]))

        return Drive(self, show, 0.0, 1.0, **{"rate_func": linear} | options)

    def turn(self, texts: Value, **options: Any) -> Drive:
        """Write one text after another, (steps, T) characters: all letters turn over together."""

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
        """Light one character after the other up to the first `n`, from the first `start` on."""

        def show(lit: NDArray[np.float64]) -> None:
            for k, label in self.labels.items():
                share = float(np.clip(lit - k, 0.0, 1.0))
                label.set_fill(mix(theme().muted, self._color, share))

        return Drive(self, show, float(start), float(n), **{"rate_func": linear} | options)

    def tint(
        self, places: Sequence[int], role: Role | Literal["muted"] | None, **options: Any
    ) -> Drive:
        """Give letters the colour of a role one after the other, or their own again."""
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
        """Give letters the green of what is right; `plain` is what is right to read there."""
        self.plain = plain
        return self.tint(places, "right", **options)

    def focus(self, places: Sequence[int], **options: Any) -> Drive:
        """Dim all letters but those at some places."""
        return self.tint([k for k in self.labels if k not in places], "muted", **options)

    # What it says

    @property
    def state(self) -> NDArray[np.float64]:
        """A text has no numbers."""
        return np.zeros(0)

    def set_to(self, value: Value) -> None:
        """Write another text of the same words at once."""
        self.shown = value
        for k, label in self.labels.items():
            label.text = value.content[k]
            write_letter(label, *self.cell_of(k))

    def show(self, state: NDArray[np.float64]) -> None:
        """Nothing of a text lies between two values."""

    def readings(self) -> Iterator[Reading]:
        """The letters in the order in which they are read: line by line, each from the left.

        A green one says that it is right, and is held against the plain text as well.
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


def message_above(canvas: Region, message: Ciphertext, *, gap: float = _GAP) -> Region:
    """Hang a message on top of a canvas, of one size in all shots; returns what is left below."""
    lines = MessageLines.hanging(message.text, canvas, most=LETTERS, gutter=message.gutter)
    message.put_on(lines)
    return Region(canvas.left, canvas.bottom, canvas.right, lines.region.bottom - gap)
