"""A text with what belongs to each token beside it, however long: in rows, or down the frame.

A place on the strip has a slot, its number in the text, and a band: the row of tokens, the room for
arcs over it, the notes under it. In a wide frame slots run to the right, in as many rows as they
need, and bands lie under each other; in a tall frame slots run down and bands stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, RoundedRectangle, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.parts.tokens.lanes import Band, Span, spans_of
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, along, hex_of
from scenes.style.text import Label, text_width
from scenes.style.theme import mix, theme
from scenes.style.type import LINE_HEIGHT, MIN_SIZE, SMALL, X_HEIGHT, Weight

_LEAST_SLOT = 0.445
"""A slot in which a letter, and BOS, can be read; in units."""
_SEAM = 0.07
_ROW_GAP = 0.26
_BAND_GAP = 0.12
_PAD = 0.2
_NAME_GAP = 0.08
_TALL = 1.15
"""How much higher than wide a region is in which the text runs down."""


class TokenBox(VGroup):
    """A token in a box with an edge; `tint` changes its colours."""

    def __init__(
        self, token: str, box: Region, *, size: float, weight: Weight = "semibold"
    ) -> None:
        look = theme()
        self.box = RoundedRectangle(width=box.width, height=box.height, corner_radius=0.08)
        self.box.set_fill(look.panel, 1).set_stroke(look.hairline, 2).move_to(box.center)
        fits = 0.88 * box.width / max(text_width(token, 1.0, weight), 1e-9)
        self.label = Label(token, size=max(MIN_SIZE, min(size, fits)), weight=weight)
        self.label.set_fill(look.token)
        super().__init__(self.box, self.label.center_on(box.center))

    @property
    def middle(self) -> NDArray[np.float64]:
        return np.array(self.box.get_center())

    def tint(
        self,
        edge: str | None = None,
        ink: str | None = None,
        fill: str | None = None,
        *,
        width: float = 4.0,
        run_time: float = 0.5,
    ) -> Drive:
        """Give the edge, the letter and the ground of the box other colours, if they are given."""
        now = [
            hex_of(self.box.get_stroke_color()),
            hex_of(self.label.get_fill_color()),
            hex_of(self.box.get_fill_color()),
        ]
        then = [b or a for a, b in zip(now, (edge, ink, fill), strict=True)]
        before = float(self.box.get_stroke_width())
        after = width if edge else before

        def show(share: NDArray[np.float64]) -> None:
            colors = [mix(a, b, float(share)) for a, b in zip(now, then, strict=True)]
            self.box.set_stroke(colors[0], before + (after - before) * float(share))
            self.label.set_fill(colors[1])
            self.box.set_fill(colors[2], 1)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def ring(self, color: str) -> RoundedRectangle:
        """A frame around the box, which may be moved to another of the same size."""
        ring = RoundedRectangle(
            width=self.box.width + 0.1, height=self.box.height + 0.1, corner_radius=0.12
        )
        return ring.set_stroke(color, 5).move_to(self.middle)

    def fly(self, path: ArrayLike, *, appear: bool = False, run_time: float = 1.0) -> Drive:
        """Move along points (n, 3), from the first to the last; perhaps out of nothing."""
        points = np.asarray(path, dtype=float)

        def show(place: NDArray[np.float64]) -> None:
            self.shift(along(points, float(place)) - self.middle)
            if appear:
                self.set_opacity(min(1.0, 6 * float(place) / (len(points) - 1)))

        return Drive(self, show, 0.0, len(points) - 1.0, run_time=run_time)

    def recede(self, *, run_time: float = 0.5) -> Drive:
        """Step back: a faint edge and a muted letter."""
        look = theme()
        return self.tint(look.hairline, look.muted, look.panel, width=2.0, run_time=run_time)

    def light(self, role_color: str, *, run_time: float = 0.5) -> Drive:
        """Step forward in the colour of a role."""
        return self.tint(role_color, role_color, run_time=run_time)


class PromptStrip(VGroup):
    """Slots and bands in a region; it draws the tokens in band `token`, and the bands' names.

    `blank` adds an empty slot after the last token, for what comes next. `down` says whether the
    text runs down; `onward` and `outward` are the directions in which slots follow each other and
    in which the first band lies. `names` holds the name of every band that has one.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        region: Region,
        bands: Sequence[Band],
        *,
        blank: bool = False,
        most: float = 0.8,
        size: float = 32.0,
    ) -> None:
        super().__init__()
        self.tokens = list(tokens)
        self.down = region.height > _TALL * region.width
        self.onward, self.outward = (DOWN, LEFT) if self.down else (RIGHT, UP)
        slots = len(self.tokens) + blank
        lines = [line for band in bands for line in band.name.split("\n") if line]
        if self.down:
            self._head = max(b.name.count("\n") + 1 if b.name else 0 for b in bands)
            above = SMALL * PX * LINE_HEIGHT * self._head + _PAD if lines else 0.0
            self.rows, self.per_row = 1, slots
            self.slot = min(1.25 * most, (region.height - above) / slots)
            across, start = region.width, (region.left, region.top - above)
            bands = [replace(band, length=max(band.length, _broad(band))) for band in bands]
            spare = region.height - above - self.slot * slots
            self._start = np.array([start[0], start[1] - 0.5 * spare, 0.0])
        else:
            margin = max((text_width(line, SMALL) for line in lines), default=0.0)
            margin += _PAD if margin else 0.0
            self.rows, self.per_row = _wrapped(slots, region.width - margin)
            self.slot = min(most, (region.width - margin) / self.per_row)
            across = (region.height - _ROW_GAP * (self.rows - 1)) / self.rows
            spare = region.width - margin - self.slot * self.per_row
            self._start = np.array([region.left + margin + 0.5 * spare, region.top, 0.0])
        self._step = across + _ROW_GAP
        self.spans: dict[str, Span] = spans_of(bands, across, gap=_BAND_GAP)
        room = (self.slot - _SEAM) * (0.62 if self.down else 0.9)
        self.size = max(MIN_SIZE, min(size, room / PX, self._room("token")))
        self.boxes = [self.token_box(k, token, "token") for k, token in enumerate(self.tokens)]
        self.names = {b.key: self._name(b) for b in bands if b.name}
        self.tokens_shown = VGroup(*self.boxes)
        self.add(self.tokens_shown, *self.names.values())

    def row(self, slot: float) -> int:
        """The row in which a slot stands, counted from the top."""
        return int(slot) // self.per_row

    def at(self, slot: int, depth: float) -> NDArray[np.float64]:
        """The point in the middle of a slot, `depth` units from the outer edge of its row."""
        row, place = divmod(slot, self.per_row)
        along = (place + 0.5) * self.slot * self.onward
        return np.array(self._start + along - (depth + row * self._step) * self.outward)

    def box(self, slot: int, band: str) -> Region:
        """The box of a slot in a band: no higher than a line of text asks for."""
        span = self.spans[band]
        middle, broad = self.at(slot, span.middle), self.slot - _SEAM
        if self.down:
            width, height = min(span.length, max(0.85, 1.3 * broad)), broad
        else:
            width, height = broad, min(span.length, max(0.46, 1.12 * broad))
        x, y = middle[:2]
        return Region(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def across(self, slot: int, first: str, last: str) -> Region:
        """A slot from one band to another, with half the seams around."""
        a, b, air = self.box(slot, first), self.box(slot, last), _SEAM / 2
        return Region(
            min(a.left, b.left) - air,
            min(a.bottom, b.bottom) - air,
            max(a.right, b.right) + air,
            max(a.top, b.top) + air,
        )

    def edge(self, slot: int, band: str, *, inner: bool = False) -> NDArray[np.float64]:
        """The middle of the outer (or inner) side of a slot's box."""
        box = self.box(slot, band)
        half = (box.width if self.down else box.height) / 2
        return np.array(box.center + (-half if inner else half) * self.outward)

    def token_box(self, slot: int, token: str, band: str, *, size: float | None = None) -> TokenBox:
        """A token in the box of a slot in a band."""
        return TokenBox(token, self.box(slot, band), size=size or self.size)

    def blank(self, slot: int, band: str = "token", token: str = "") -> TokenBox:
        """An empty box, or one that waits for its token with a mark in it."""
        box = self.token_box(slot, token or " ", band)
        box.box.set_fill(theme().ground, 1)
        return box

    def _room(self, band: str) -> float:
        """The largest type that the boxes of a band are high enough for."""
        span = self.spans[band]
        return float("inf") if self.down else span.length / PX / 1.35

    def _name(self, band: Band) -> VGroup:
        """The name of a band, before its first slot."""
        look, stack, lines = theme(), VGroup(), band.name.split("\n")
        middle = self.at(0, self.spans[band.key].middle)
        for k, line in enumerate(lines):
            if self.down:
                label = Label(line, size=SMALL, color=look.muted, align="center")
                rise = self.slot / 2 + 0.14 + (len(lines) - 1 - k) * LINE_HEIGHT * SMALL * PX
                stack.add(label.put(middle + rise * UP))
            else:
                label = Label(line, size=SMALL, color=look.muted, align="right")
                drop = X_HEIGHT / 2 + LINE_HEIGHT * (k - (len(lines) - 1) / 2)
                place = middle + (self.slot / 2 + _PAD * 0.7) * LEFT + drop * SMALL * PX * DOWN
                stack.add(label.put(place))
        return stack


def _broad(band: Band) -> float:
    """How long a band must be for its name, where the text runs down."""
    return max(text_width(line, SMALL) for line in band.name.split("\n")) + _NAME_GAP


def rows_of(slots: int, region: Region, longest_name: str = "") -> int:
    """How many rows a strip will have; 1 where the text runs down."""
    if region.height > _TALL * region.width:
        return 1
    margin = text_width(longest_name, SMALL) + _PAD if longest_name else 0.0
    return _wrapped(slots, region.width - margin)[0]


def _wrapped(slots: int, width: float) -> tuple[int, int]:
    """How many rows, and how many slots in each: the fewest rows in which a slot can be read."""
    rows = 1
    while width / -(-slots // rows) < _LEAST_SLOT and rows < slots:
        rows += 1
    return rows, -(-slots // rows)
