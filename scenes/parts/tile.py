"""A tile: a word in a rounded box, with an optional number and note.

A tile is drawn from five numbers (the middle of its box, the width and height of the box, and the
size of its letters), so that moving a tile means interpolating these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.paths import closed, straight
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shape, Shapes
from clockhead.scenes.style.text import Align, Label, Number, text_width
from clockhead.scenes.style.theme import Role, contrast, mix, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT, outline

Paint = Role | Literal["correct"]

PAD = 0.16
"""Distance from the letters to the sides of their box, in units."""
HEIGHT = 1.9
"""Height of a box, in ems of its letters."""
NOTE_SIZE = 28.0
"""Largest size of the letters of a note, in pixels."""
NOTE_HEIGHT = NOTE_SIZE * PX * 1.4
NOTE_GAP = 0.06
NUMBER_ROOM = MIN_SIZE * PX * 1.35
"""Height reserved for a small number below a tile, from the edge above it, in units."""
_NUMBER_DROP = 0.85 * 1.35
"""Distance from that edge down to the baseline of the number, in ems."""
_LINE, _STRONG = 2.0, 4.0
_GLYPH = 0.085
"""Half the width of a role's sign, in units."""
_BARE_GLYPH_GAP = 0.13
_READABLE = 4.6
"""Minimum contrast of dimmed words."""
_DISTINCT = 1.5
"""Minimum contrast of the edges of dimmed boxes."""
_TINTED = ("correct", "attention")
"""Roles that colour the whole box and leave the colour of the word unchanged."""
CORNER = 0.08
"""Radius of a corner, in units."""
_DASH = 0.085
_ROUND = 4 / 3 * np.tan(np.pi / 8)
"""Distance of the control points of a quarter circle of radius 1 from its ends."""


@dataclass(frozen=True, slots=True)
class TileLook:
    """The colours of a tile, and the width of its edge."""

    edge: str
    width: float
    fill: str
    ink: str
    sign: str
    signed: float
    """Opacity of the sign of its role, 0 or 1."""

    def towards(self, end: TileLook, share: float) -> TileLook:
        """The look interpolated towards another one."""
        return TileLook(
            mix(self.edge, end.edge, share),
            self.width + (end.width - self.width) * share,
            mix(self.fill, end.fill, share),
            mix(self.ink, end.ink, share),
            mix(self.sign, end.sign, share),
            self.signed + (end.signed - self.signed) * share,
        )


def look_of(role: Paint | None, *, dimmed: bool = False, boxed: bool = True) -> TileLook:
    """The look of a tile with a role: an edge colour, and a sign for those who see no colours."""
    page = theme()
    edge, width, fill, ink = mix(page.ground, page.muted, 0.5), _LINE, page.panel, page.token
    color: Role | None = "right" if role == "correct" else role
    if color:
        edge, width = getattr(page, color), _STRONG
        ink = ink if role in _TINTED and boxed else page.text_color(color)
    if role in _TINTED:
        fill = mix(page.panel, edge, 0.16)
    look = TileLook(edge, width, fill, ink, edge, float(role in SIGNS))
    if not dimmed:
        return look
    behind = page.panel if boxed else page.ground
    faint = _dimmed_edge(edge)
    return TileLook(faint, _LINE, page.panel, _dimmed(ink, behind), faint, look.signed)


def _dimmed_edge(edge: str) -> str:
    ground = theme().ground
    faint = mix(ground, edge, 0.6)
    return faint if contrast(faint, ground) >= _DISTINCT else mix(ground, edge, 0.8)


def _dimmed(ink: str, behind: str) -> str:
    """The faintest shade of a colour that is still legible."""
    shares = np.arange(0.0, 0.75, 0.05)
    inks = [mix(ink, behind, float(share)) for share in shares]
    return next((dim for dim in reversed(inks) if contrast(dim, behind) >= _READABLE), ink)


class Tile(Shapes):
    """A word, or none, in a box (an invisible one if not `boxed`).

    `number` is below it, or before it with `beside`. `note` is the small tile below it, or behind
    it with `aside`; it has a dashed slot.
    """

    def __init__(
        self,
        word: str,
        *,
        boxed: bool = True,
        dashed: bool = False,
        align: Align = "center",
        number: Number | None = None,
        beside: bool = False,
        note: Note | None = None,
        aside: bool = False,
    ) -> None:
        super().__init__()
        self.boxed, self.dashed, self.align, self.beside = boxed, dashed, align, beside
        self.aside = aside
        self.box = Box()
        self.label = Label(word)
        self.sign = Shape(stroke_width=0, fill_opacity=0)
        self.number, self.note = number, note
        self.role: Paint | None = None
        self.dimmed = self.leaves_number = False
        self.size = MIN_SIZE
        self.look = look_of(None, boxed=boxed)
        self.present = self.worded = 1.0
        self.add(
            *(
                piece
                for piece in (note, self.box, self.label, self.sign, number)
                if piece is not None
            )
        )
        self.dress()

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of its box."""
        low, high = self.corners
        return (low + high) / 2

    @property
    def corners(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lower left and the upper right corner of its box."""
        points = self.box.points
        return points.min(axis=0), points.max(axis=0)

    @property
    def state(self) -> NDArray[np.float64]:
        """Its current state: x, y, width, height, size of letters; (5,)."""
        low, high = self.corners
        (x, y, _), (width, height, _) = (low + high) / 2, high - low
        size = self.label.em / PX if self.label.has_points() else self.size
        return np.array([x, y, width, height, size])

    @property
    def worn_look(self) -> TileLook:
        """The look of its role."""
        return look_of(self.role, dimmed=self.dimmed, boxed=self.boxed)

    def draw(self, state: NDArray[np.float64], word: str | None = None) -> None:
        """Draw it from x, y, width, height and size; optionally with only the first letters."""
        x, y, width, height, self.size = (float(number) for number in state)
        shape = dashes(width, height) if self.dashed else rounded(width, height)
        self.box.set_points(shape + np.array([x, y, 0.0]))
        self._write(x, y, width, word)
        self._place_sign(x, y, width, height)
        self.draw_note()
        if self.number and not self.leaves_number:
            self.number.put(self.number_spot)

    def draw_note(self) -> None:
        """Draw its note at its place, or displaced by its offset."""
        if self.note:
            x, y, width, height, size = self.state
            if self.aside:
                high = min(self.note.drop, height)
                self.note.draw(x + width + NOTE_GAP, y + NOTE_GAP + high / 2, width, size, high)
            else:
                self.note.draw(x, y - height / 2, width, size, self.note.drop)

    @property
    def number_spot(self) -> NDArray[np.float64]:
        """The position of the aligned end of its number."""
        x, y, width, height, _ = self.state
        if self.beside:
            return np.array([x - width / 2 - 0.12, y - X_HEIGHT / 2 * self._number_em, 0.0])
        note = NOTE_GAP + self.note.drop if self.note and not self.aside else 0.0
        return np.array([x, y - height / 2 - note - _NUMBER_DROP * self._number_em, 0.0])

    @property
    def _number_em(self) -> float:
        return self.number.em if self.number else MIN_SIZE * PX

    def take_number_of(self, other: Tile) -> None:
        """Swap numbers with another tile, because the two tiles swap places."""
        for tile, number in ((self, self.number), (other, other.number)):
            if number:
                tile.remove(number)
        self.number, other.number = other.number, self.number
        for tile in (self, other):
            if tile.number:
                tile.add(tile.number)

    def fly_to(self, point: NDArray[np.float64], **options: Any) -> Drive:
        """Move to a point, and fade out on arrival."""
        start = self.state
        way = np.array([*(point[:2] - start[:2]), 0.0, 0.0, 0.0])

        def show(share: NDArray[np.float64]) -> None:
            self.draw(start + way * float(share))
            self.present = min(1.0, 4 * (1 - float(share)))
            self.dress()

        return Drive(self, show, 0.0, 1.0, **options)

    def dress(self) -> None:
        """Apply its colours and opacity."""
        look, seen = self.look, self.present
        fill = seen if self.boxed and not self.dashed else 0.0
        self.box.set_fill(look.fill, fill)
        self.box.set_stroke(look.edge, look.width, seen if self.boxed else 0.0)
        self.label.set_fill(look.ink, seen * self.worded)
        self.sign.set_fill(look.sign, seen * look.signed)
        if self.number:
            page = theme()
            mauve = page.text_color("position")
            faint = self.dimmed and look == self.worn_look
            self.number.set_fill(_dimmed(mauve, page.ground) if faint else mauve, seen)

    def _write(self, x: float, y: float, width: float, word: str | None) -> None:
        """Write its word, or the start of it, on the baseline that all tiles of a line share."""
        whole, em = outline(self.label.text).points * self.size * PX, self.size * PX
        if len(whole) == 0:
            return
        points = whole if word is None else outline(word).points * em
        low, high = whole[:, 0].min(), whole[:, 0].max()
        if self.align == "right":
            shift = x + width / 2 - high
        elif self.align == "left":
            shift = x - width / 2 - low
        else:
            shift = x - (low + high) / 2
        self.label.set_points(points + np.array([shift, y - X_HEIGHT / 2 * em, 0.0]))

    def _place_sign(self, x: float, y: float, width: float, height: float) -> None:
        if self.role not in SIGNS:
            return
        middle = np.array([x - width / 2 + 0.1, y + height / 2, 0.0])
        if not self.boxed and self.label.has_points():
            middle = np.array([self.label.get_left()[0] - _BARE_GLYPH_GAP, y, 0.0])
        self.sign.set_points(middle + (_GLYPH if self.boxed else 0.75 * _GLYPH) * SIGNS[self.role])


class Note(Shapes):
    """The note of a tile: a dashed slot, and in it a small tile that `share` fills from below.

    `largest` is the largest size of its letters, in pixels.
    """

    def __init__(self, word: str, largest: float = NOTE_SIZE) -> None:
        super().__init__()
        self.word, self.share, self.largest = word, 1.0, largest
        self.slot = Shape(fill_opacity=0)
        self.back = Box()
        self.level = Shape(stroke_width=0)
        self.frame = Box()
        self.label = Label(word, size=MIN_SIZE, color="token")
        self.size = MIN_SIZE
        self.waiting = self.worn = 0.0
        self.role: Role = "value"
        self.written = 1.0
        self.offset = np.zeros(3)
        self.add(self.slot, self.back, self.level, self.frame, self.label)
        self.dress()

    @property
    def drop(self) -> float:
        """Its height below a tile."""
        return NOTE_HEIGHT * self.largest / NOTE_SIZE

    def draw(
        self, x: float, top: float, width: float, most: float = NOTE_SIZE, high: float = NOTE_HEIGHT
    ) -> None:
        """Draw slot and note below the edge of a tile; the note is displaced by its offset.

        `most` is the size of the letters on the tile, which limits that of the note's.
        """
        inner, middle = width - 0.08, np.array([x, top - NOTE_GAP - high / 2, 0.0])
        self.slot.set_points(dashes(inner, high) + middle)
        shape = rounded(inner, high) + middle + self.offset
        self.back.set_points(shape)
        self.frame.set_points(shape)
        self.fill_to(self.share)
        room = (inner - 0.14) / max(text_width(self.word, 1.0), 1e-9)
        self.size = max(MIN_SIZE, min(self.largest, room, max(LABEL, most)))
        self._write(middle + self.offset)

    def write(self, word: str) -> None:
        """Change its word."""
        self.word = self.label.text = word
        self._write(np.array(self.frame.get_center()))

    def _write(self, middle: NDArray[np.float64]) -> None:
        """Write its word centred at a point."""
        self.label.set_points(outline(self.word).points * self.size * PX)
        if self.label.has_points():
            self.label.center_on(middle)

    def fill_to(self, share: float) -> None:
        """Fill the frame from below, up to a fraction of its height."""
        self.share = share
        points = self.frame.points
        (left, bottom, _), (right, over, _) = points.min(axis=0), points.max(axis=0)
        top = bottom + share * (over - bottom)
        corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
        self.level.set_points(closed(np.array([(*corner, 0.0) for corner in corners])))

    def dress(self) -> None:
        """Apply its colours and the opacities of slot and note."""
        page = theme()
        self.slot.set_stroke(page.value, 2.5, self.waiting)
        self.back.set_fill(page.panel, self.worn).set_stroke(width=0)
        self.level.set_fill(mix(page.panel, page.value, 0.4), self.worn)
        width = 2.5 if self.role == "value" else 5.0
        self.frame.set_fill(page.panel, 0).set_stroke(getattr(page, self.role), width, self.worn)
        self.label.set_fill(page.token, self.worn * self.written)


class Box(Shape):
    """The outline of a tile or a note; a class of its own, so that only boxes morph into boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.set_points(rounded(1.0, 1.0))


@lru_cache(maxsize=512)
def dashes(width: float, height: float, corner: float = CORNER) -> NDArray[np.float64]:
    """A dashed rounded rectangle around the origin, as one path."""
    edge = rounded(width, height, corner).reshape(-1, 4, 3)  # curves
    places = np.linspace(0.0, 1.0, 7)[:-1, None, None]
    a, b, c, d = (edge[None, :, k] for k in range(4))
    curve = (
        (1 - places) ** 3 * a
        + 3 * places * (1 - places) ** 2 * b
        + 3 * places**2 * (1 - places) * c
        + places**3 * d
    )
    loop = curve.transpose(1, 0, 2).reshape(-1, 3)
    loop = np.vstack([loop, loop[:1]])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    n = 3 * max(4, round(walked[-1] / (2 * _DASH)))
    stops = np.linspace(0.0, walked[-1], 2 * n + 1)
    points = np.column_stack([np.interp(stops, walked, loop[:, axis]) for axis in range(3)])
    kept = (np.arange(2 * n) // 3) % 2 == 0
    return straight(points[:-1][kept], points[1:][kept])


@lru_cache(maxsize=512)
def rounded(width: float, height: float, corner: float = CORNER) -> NDArray[np.float64]:
    """A rounded rectangle around the origin."""
    radius = min(corner, width / 2.01, height / 2.01)
    x, y = width / 2, height / 2
    a, b, handle = x - radius, y - radius, _ROUND * radius
    arc = np.array([[x, b], [x, b + handle], [a + handle, y], [a, y]])  # the upper right corner
    sides = [arc, arc[::-1] * [-1, 1], -arc, arc[::-1] * [1, -1]]
    points: list[NDArray[np.float64]] = []
    for side, then in zip(sides, [*sides[1:], sides[0]], strict=True):
        thirds = np.linspace(0.0, 1.0, 4)[:, None]
        points += [side, side[-1] + (then[0] - side[-1]) * thirds]
    return np.pad(np.concatenate(points), ((0, 0), (0, 1)))


def _polygon(*corners: tuple[float, float]) -> NDArray[np.float64]:
    return closed(np.array([(*corner, 0.0) for corner in corners]))


def _ring(n: int = 24) -> NDArray[np.float64]:
    angles = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    return closed(np.column_stack([np.cos(angles), np.sin(angles), np.zeros(n)]))


_T, _S = 0.3, 1.0
_CROSS = [(_S, _S - _T), (_T, 0.0), (_S, _T - _S), (_S - _T, -_S), (0.0, -_T), (_T - _S, -_S)]
_CROSS += [(-_S, _T - _S), (-_T, 0.0), (-_S, _S - _T), (_T - _S, _S), (0.0, _T), (_S - _T, _S)]
_TICK = [(-1.0, 0.0), (-0.3, -0.9), (1.1, 0.7), (0.7, 1.1), (-0.3, -0.1), (-0.65, 0.35)]
SIGNS: dict[str | None, NDArray[np.float64]] = {
    "query": _polygon((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "key": 1.1 * _ring(),
    "value": 1.2 * _polygon((-1, 0), (0, -1), (1, 0), (0, 1)),
    "correct": 1.1 * _polygon(*_TICK),
    "wrong": _polygon(*_CROSS),
}
"""The sign of each role."""
