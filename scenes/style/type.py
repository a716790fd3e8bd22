"""Type: lines of text, shaped by HarfBuzz into outlines on a baseline.

A line is put into the order in which it is seen (python-bidi), cut where the face or the script
changes, and shaped piece by piece. The user's font in place of the text face draws what it can, and
then the text face; letters that its italic lacks are upright, and what the text face lacks comes
from the user's other fonts (`fonts`).

Sizes are pixels at 720p, as an em; nothing on screen is smaller than `MIN_SIZE`. The proportions of
the face are those of `face`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
import uharfbuzz as hb
from bidi import get_base_level, get_display
from numpy.typing import NDArray

from clockhead.scenes.language import language
from clockhead.scenes.style.face import ASCENT as ASCENT
from clockhead.scenes.style.face import CAP_HEIGHT as CAP_HEIGHT
from clockhead.scenes.style.face import DESCENT as DESCENT
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.face import LINE_HEIGHT as LINE_HEIGHT
from clockhead.scenes.style.face import X_HEIGHT as X_HEIGHT
from clockhead.scenes.style.fonts import Font, font_at, fonts, scale_of
from clockhead.scenes.style.fonts import Weight as Weight

TITLE = 36.0
SUBTITLE = 23.0
CAPTION = 26.0
FORMULA = 40.0
LABEL = 25.0
SMALL = 24.0
MIN_SIZE = 18.0

OPEN_BOX = "␣"
"""A space that is meant to be seen. The text face lacks it, so it is drawn here."""
_OPEN_BOX_STROKE: dict[Weight, float] = {"regular": 0.07, "semibold": 0.1, "italic": 0.07}

_FILES: dict[Weight, tuple[str, ...]] = {
    "regular": ("Regular",),
    "semibold": ("Semibold",),
    "italic": ("It", "Regular"),
}
"""Files of the text face, the first choice first: its italic has no Greek and no Cyrillic."""
WEIGHTS: dict[Weight, int] = {"regular": 400, "semibold": 600, "italic": 400}
"""As fonts count them."""
_TEXT_FACE = {"kern": True, "liga": False, "tnum": True, "lnum": True}
"""Digits are as wide as each other, and stand on the line, so that numbers can count up."""
_MOST_NAMED = 24
"""As many letters that nothing can draw are named."""
_VIRAMA = 9
"""The combining class of signs that join the letters on both sides."""


@dataclass(frozen=True)
class Outline:
    """A shaped line of text: cubic curves on the baseline y = 0, in ems."""

    points: NDArray[np.float64]  # (4 * n_curves, 3)
    advance: float

    @cached_property
    def width(self) -> float:
        """From the leftmost point to the rightmost, in ems."""
        return float(np.ptp(self.points[:, 0])) if len(self.points) else 0.0

    @cached_property
    def sides(self) -> tuple[int, int]:
        """Which of its points are the leftmost and the rightmost."""
        across = self.points[:, 0]
        return int(across.argmin()), int(across.argmax())

    @cached_property
    def end_sides(self) -> tuple[int, int]:
        """The same of the points where curves start or end."""
        ends = np.flatnonzero(np.arange(len(self.points)) % 4 % 3 == 0)
        across = self.points[ends, 0]
        return int(ends[across.argmin()]), int(ends[across.argmax()])

    @cached_property
    def spread(self) -> float:
        """How far its points lie from their mean, whichever way it is turned."""
        return spread(self.points)


def spread(points: NDArray[np.float64]) -> float:
    """How far points, (N, 3), lie from their mean, whichever way they are turned."""
    if not len(points):
        return 0.0
    beside = points - points.mean(axis=0)
    return float(np.sqrt(np.vdot(beside, beside)))


class MissingGlyph(ValueError):
    """Nothing here can draw some letters; `letters` are all of them in the text, each once."""

    def __init__(self, letters: Iterable[str]) -> None:
        self.letters = tuple(dict.fromkeys(letters))
        named = ", ".join(map(_named, self.letters[:_MOST_NAMED]))
        more = len(self.letters) - _MOST_NAMED
        others = [font.name for font in fonts()]
        which = f"neither the text face nor {' nor '.join(others)}" if others else "the text face"
        verb = "can draw" if others else "cannot draw"
        super().__init__(
            f"{which} {verb} {named}{f' and {more} more' if more > 0 else ''}; name a font that "
            "can: `font: FILE` in the storyboard, or --font FILE"
        )


def _named(letter: str) -> str:
    """A letter in quotes; a mark that would sit on the quotes, by its number."""
    return f"U+{ord(letter):04X}" if unicodedata.category(letter)[0] in "MC" else repr(letter)


def outline(text: str, weight: Weight = "regular", *, rtl: bool | None = None) -> Outline:
    """Shape `text` (kerned, one line) and return its outline.

    `rtl` is the direction of the paragraph that it is a line of; None, that of its first letter.

    Raises:
        MissingGlyph: for letters that neither the text face nor the user's fonts can draw.
    """
    return _outline(text, weight, fonts(), language().code, rtl)


def advance(text: str, weight: Weight = "regular") -> float:
    """How wide a line of text is, in ems; what `outline` says too, without drawing it.

    Raises:
        MissingGlyph: for letters that neither the text face nor the user's fonts can draw.
    """
    return _advance(text, weight, fonts(), language().code)


def is_rtl(text: str) -> bool:
    """Whether a paragraph is read from right to left: its first letter is."""
    return not text.isascii() and get_base_level(text) == 1


class Stretch(NamedTuple):
    """Letters of a text that follow each other and that one face draws."""

    text: str
    font: Font | None
    """The user's font that draws it; None for the text face."""
    upright: bool
    """Whether the text face draws it upright, for its italic cannot."""


def stretches(text: str, weight: Weight = "regular") -> list[Stretch]:
    """A text cut where another face draws it, in the order in which it is read.

    Raises:
        MissingGlyph: for letters that neither the text face nor the user's fonts can draw.
    """
    faces = _faces(weight, fonts())
    italic = next(face for face in faces if face.user is None)
    found = _pieces(text, 0, len(text), faces)
    return [
        Stretch("".join(text[p.start : p.end] for p in pieces), face.user, face is not italic)
        for face, pieces in groupby(found, key=lambda piece: piece.face or faces[0])
    ]


def letters_of(text: str) -> list[str]:
    """A text cut into what is typed as one: a letter with its marks, letters that a sign joins."""
    found: list[str] = []
    for letter in text:
        before = found[-1][-1] if found else ""
        joins = before == "\u200d" or (before and unicodedata.combining(before) == _VIRAMA)
        if found and (joins or unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf")):
            found[-1] += letter
        else:
            found.append(letter)
    return found


@cache
def _outline(
    text: str, weight: Weight, chosen: tuple[Font, ...], code: str, rtl: bool | None
) -> Outline:
    x, pieces = 0.0, []
    for glyph in _line(text, weight, chosen, code, rtl):
        pieces.append(glyph.curves + np.array([x + glyph.x_offset, glyph.y_offset]))
        x += glyph.advance
    flat = np.concatenate(pieces or [np.zeros((0, 2))])
    return Outline(np.column_stack([flat, np.zeros(len(flat))]), x)


@cache
def _advance(text: str, weight: Weight, chosen: tuple[Font, ...], code: str) -> float:
    return float(sum(glyph.advance for glyph in _line(text, weight, chosen, code, None)))


class _Glyph(NamedTuple):
    """A glyph of a shaped line; its curves, (4 * n_curves, 2), and all else in ems."""

    curves: NDArray[np.float64]
    x_offset: float
    y_offset: float
    advance: float


class _Face:
    """A font to shape with; `user` is the user's font that it is, if it is one."""

    def __init__(self, font: hb.Font, user: Font | None = None) -> None:
        self.font, self.user = font, user
        self._features = {} if user and not user.replaces else _TEXT_FACE
        self._em = font.face.upem / (scale_of(user) if user else 1.0)
        self._curves: dict[int, NDArray[np.float64]] = {}
        self._covered: dict[str, bool] = {}

    def shape(
        self, text: str, start: int, end: int, script: str | None, code: str, rtl: bool
    ) -> list[tuple[int, _Glyph]]:
        """The glyphs of a piece of `text` from left to right, each with its number in the font."""
        buffer = hb.Buffer()
        buffer.add_str(text, item_offset=start, item_length=end - start)
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.script = script or "Zyyy"
        buffer.language = code  # and not that of the machine, which it would be
        hb.shape(self.font, buffer, self._features)
        em = self._em
        return [
            (
                info.codepoint,
                _Glyph(
                    self.curves(info.codepoint),
                    place.x_offset / em,
                    place.y_offset / em,
                    place.x_advance / em,
                ),
            )
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def draws(self, letter: str) -> bool:
        """Whether it has a glyph for all of a letter with its marks, and ink where it shows."""
        if letter not in self._covered:
            rtl = unicodedata.bidirectional(letter[0]) in ("R", "AL")
            glyphs = self.shape(letter, 0, len(letter), _script(letter[0]), "en", rtl)
            inked = any(len(glyph.curves) for _, glyph in glyphs)
            blank = unicodedata.category(letter[0])[0] in "ZC"
            self._covered[letter] = all(number for number, _ in glyphs) and (inked or blank)
        return self._covered[letter]

    def curves(self, number: int) -> NDArray[np.float64]:
        """A glyph's curves in ems, (4 * n_curves, 2); they are kept: never write."""
        if number not in self._curves:
            pen = _Pen()
            pen.draw(self.font, number)
            self._curves[number] = pen.curves() / self._em
        return self._curves[number]


class _Piece(NamedTuple):
    """What is shaped at once: letters of one script in one face; None for an open box."""

    face: _Face | None
    script: str | None
    start: int
    end: int


@lru_cache(maxsize=64)
def _line(
    text: str, weight: Weight, chosen: tuple[Font, ...], code: str, rtl: bool | None
) -> tuple[_Glyph, ...]:
    """A line's glyphs from left to right."""
    faces = _faces(weight, chosen)
    _refuse_missing(text, faces)
    glyphs: list[_Glyph] = []
    for start, end, backwards in _directed(text, rtl):
        pieces = _pieces(text, start, end, faces)
        for face, script, first, last in reversed(pieces) if backwards else pieces:
            if face is None:
                glyphs.extend(_open_box(weight) for _ in range(first, last))
                continue
            shaped = face.shape(text, first, last, script, code, backwards)
            if not all(number for number, _ in shaped):
                raise MissingGlyph(text[first:last])
            glyphs.extend(glyph for _, glyph in shaped)
    return tuple(glyphs)


@cache
def _faces(weight: Weight, chosen: tuple[Font, ...]) -> tuple[_Face, ...]:
    """What draws a weight, the first choice first."""
    users = [_Face(font_at(font, WEIGHTS[weight]), font) for font in chosen]
    before = [face for face, font in zip(users, chosen, strict=True) if weight in font.replaces]
    after = [face for face, font in zip(users, chosen, strict=True) if not font.replaces]
    return (*before, *(_face_of_text(name) for name in _FILES[weight]), *after)


@cache
def _face_of_text(name: str) -> _Face:
    file = FONT_DIR / f"SourceSansPro-{name}.ttf"
    return _Face(hb.Font(hb.Face(hb.Blob.from_file_path(str(file)))))


def _refuse_missing(text: str, faces: Sequence[_Face]) -> None:
    """Raises MissingGlyph with every letter of a text that no face can draw."""
    missing = [letter for letter in letters_of(text) if _face_for(letter, faces) is None]
    missing = [letter for letter in missing if letter[0] != OPEN_BOX]
    if missing:
        bare = [part for letter in missing for part in letter if not _can_draw(part, faces)]
        raise MissingGlyph(bare or missing)


def _can_draw(part: str, faces: Sequence[_Face]) -> bool:
    return _face_for(part, faces) is not None


def _face_for(letters: str, faces: Sequence[_Face]) -> _Face | None:
    """The first face that draws all of these letters."""
    each = letters_of(letters)
    return next((face for face in faces if all(map(face.draws, each))), None)


# --- From a line to pieces ---

_TAGS = [[chr(first + k) for k in range(48)] for first in (0xE0020, 0xE0050)]
"""Signs that the order of a line does not depend on: each goes where the letter before it goes."""
_NUMBERS = [{tag: k for k, tag in enumerate(tags)} for tags in _TAGS]
_END = "\ufffc"
"""A sign at the end, whose tags would otherwise be taken for blanks there."""


def _directed(text: str, rtl: bool | None) -> Iterator[tuple[int, int, bool]]:
    """Where the runs of a line start and end, and which are read from right to left.

    They come as they stand from left to right. python-bidi gives the letters in their order and not
    where each was, so each letter has two signs behind it that say its place; they come before it
    where it is read from right to left.
    """
    if text.isascii() or not (rtl or any(_is_backwards(letter) for letter in text)):
        yield 0, len(text), False
        return
    tagged = "".join(
        letter + _TAGS[0][place // 48] + _TAGS[1][place % 48] for place, letter in enumerate(text)
    )
    base = None if rtl is None else "R" if rtl else "L"
    seen = str(get_display(tagged + _END, base_dir=base)).replace(_END, "")
    order = []
    for at in range(0, len(seen), 3):
        backwards = seen[at] in _NUMBERS[1]
        low, high = (seen[at], seen[at + 1]) if backwards else (seen[at + 2], seen[at + 1])
        order.append((_NUMBERS[0][high] * 48 + _NUMBERS[1][low], backwards))
    for (_, backwards), run in groupby(
        enumerate(order), key=lambda at: (at[1][0] + (at[0] if at[1][1] else -at[0]), at[1][1])
    ):
        places = [place for _, (place, _) in run]
        yield min(places), max(places) + 1, backwards


def _is_backwards(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL", "AN", "RLE", "RLO", "RLI", "FSI")


def _pieces(text: str, start: int, end: int, faces: Sequence[_Face]) -> list[_Piece]:
    """A run cut where the script or the face changes; signs go with the letters before them.

    One face draws all letters of a word, if there is one that can.
    """
    found: list[_Piece] = []
    at = start
    for script, group in groupby(letters_of(text[start:end]), key=lambda part: _script(part[0])):
        parts = list(group)
        whole = _face_for("".join(parts), faces) if script else None
        for part in parts:
            if part[0] == OPEN_BOX:
                face, script = None, None
            else:
                face = whole or _face_for(part, faces) or faces[0]
            last = found[-1] if found else None
            same = last is not None and last.face is face
            if last and same and (script is None or last.script in (None, script)):
                found[-1] = _Piece(face, last.script or script, last.start, at + len(part))
            else:
                found.append(_Piece(face, script, at, at + len(part)))
            at += len(part)
    return found


@cache
def _script(letter: str) -> str | None:
    """The script of a letter, such as `Grek`; None for signs, which any script has."""
    buffer = hb.Buffer()
    buffer.add_str(letter)
    buffer.guess_segment_properties()
    return str(buffer.script) if buffer.script else None


@cache
def _open_box(weight: Weight) -> _Glyph:
    pen = _Pen()
    pen.draw_open_box(1.0, _OPEN_BOX_STROKE[weight])
    return _Glyph(pen.curves(), 0.0, 0.0, 0.5)


class _Pen:
    """Collects HarfBuzz's drawing calls as cubic curves."""

    def __init__(self) -> None:
        self._start = self._at = (0.0, 0.0)
        self._points: list[tuple[float, float]] = []
        self._calls = hb.DrawFuncs()
        self._calls.set_move_to_func(self._move)
        self._calls.set_line_to_func(self._line)
        self._calls.set_cubic_to_func(self._cubic)
        self._calls.set_close_path_func(self._close)

    def draw(self, font: hb.Font, glyph: int) -> None:
        font.draw_glyph(glyph, self._calls, None)

    def draw_open_box(self, em: float, stroke: float) -> None:
        """A bracket that lies on its back, half an em wide."""
        left, right, bottom, top = 0.05, 0.45, -0.12, 0.12
        inner = left + stroke, right - stroke, bottom + stroke
        corners = [(left, top), (left, bottom), (right, bottom), (right, top), (inner[1], top)]
        corners += [(inner[1], inner[2]), (inner[0], inner[2]), (inner[0], top)]
        first, *rest = [(x * em, y * em) for x, y in corners]
        self._move(*first, None)
        for corner in rest:
            self._line(*corner, None)
        self._close(None)

    def curves(self) -> NDArray[np.float64]:
        return np.array(self._points, dtype=float).reshape(-1, 2)

    def _move(self, x: float, y: float, _: object) -> None:
        self._start = self._at = (x, y)

    def _line(self, x: float, y: float, _: object) -> None:
        (x0, y0) = self._at
        third = ((x - x0) / 3, (y - y0) / 3)
        self._cubic(x0 + third[0], y0 + third[1], x - third[0], y - third[1], x, y, None)

    def _cubic(
        self, x1: float, y1: float, x2: float, y2: float, x: float, y: float, _: object
    ) -> None:
        self._points.extend((self._at, (x1, y1), (x2, y2), (x, y)))
        self._at = (x, y)

    def _close(self, _: object) -> None:
        if self._at != self._start:
            self._line(*self._start, None)
