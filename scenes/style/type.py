"""Type: lines of text, shaped by HarfBuzz into outlines on a baseline.

A line is put into visual order (python-bidi), split where the font or the script changes, and
shaped piece by piece. A user's font that replaces the text face has priority, then comes the text
face; letters that its italic lacks are upright, and letters that the text face lacks come from the
user's other fonts (`fonts`).

Sizes are ems in pixels at 720p; nothing on screen is smaller than `MIN_SIZE`. The metrics of the
text face are in `face`.
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
"""A visible space. The text face lacks it, so it is drawn here."""
_OPEN_BOX_STROKE: dict[Weight, float] = {"regular": 0.07, "semibold": 0.1, "italic": 0.07}

_FILES: dict[Weight, tuple[str, ...]] = {
    "regular": ("Regular",),
    "semibold": ("Semibold",),
    "italic": ("It", "Regular"),
}
"""Files of the text face, in order of priority: its italic has no Greek and no Cyrillic."""
WEIGHTS: dict[Weight, int] = {"regular": 400, "semibold": 600, "italic": 400}
"""Weights as font files number them."""
_TEXT_FACE = {"kern": True, "liga": False, "tnum": True, "lnum": True}
"""Digits have equal widths and sit on the baseline, so that numbers can count up."""
_MAX_NAMED = 24
"""Maximum number of missing letters that a message names."""
_VIRAMA = 9
"""The combining class of signs that join the letters on both sides."""


@dataclass(frozen=True)
class Outline:
    """A shaped line of text: cubic curves on the baseline y = 0, in ems."""

    points: NDArray[np.float64]  # (4 * n_curves, 3)
    advance: float

    @cached_property
    def width(self) -> float:
        """Distance between the leftmost and the rightmost point, in ems."""
        return float(np.ptp(self.points[:, 0])) if len(self.points) else 0.0

    @cached_property
    def sides(self) -> tuple[int, int]:
        """Indices of the leftmost and the rightmost point."""
        across = self.points[:, 0]
        return int(across.argmin()), int(across.argmax())

    @cached_property
    def end_sides(self) -> tuple[int, int]:
        """The same among the end points of curves."""
        ends = np.flatnonzero(np.arange(len(self.points)) % 4 % 3 == 0)
        across = self.points[ends, 0]
        return int(ends[across.argmin()]), int(ends[across.argmax()])

    @cached_property
    def spread(self) -> float:
        """Root of the summed squared distances of its points from their mean.

        Rotations do not change it.
        """
        return spread(self.points)


def spread(points: NDArray[np.float64]) -> float:
    """The root of the summed squared distances of points (N, 3) from their mean.

    Rotations do not change it.
    """
    if not len(points):
        return 0.0
    beside = points - points.mean(axis=0)
    return float(np.sqrt(np.vdot(beside, beside)))


class MissingGlyph(ValueError):
    """No font can draw these letters; `letters` are all of them in the text, each once."""

    def __init__(self, letters: Iterable[str]) -> None:
        self.letters = tuple(dict.fromkeys(letters))
        named = ", ".join(map(_quote_letter, self.letters[:_MAX_NAMED]))
        more = len(self.letters) - _MAX_NAMED
        others = [font.name for font in fonts()]
        which = f"neither the text face nor {' nor '.join(others)}" if others else "the text face"
        verb = "can draw" if others else "cannot draw"
        super().__init__(
            f"{which} {verb} {named}{f' and {more} more' if more > 0 else ''}; name a font that "
            "can: `font: FILE` in the storyboard, or --font FILE"
        )


def _quote_letter(letter: str) -> str:
    """A letter in quotes; a combining mark by its code point instead."""
    return f"U+{ord(letter):04X}" if unicodedata.category(letter)[0] in "MC" else repr(letter)


def outline(text: str, weight: Weight = "regular", *, rtl: bool | None = None) -> Outline:
    """Shape `text` (kerned, one line) and return its outline.

    `rtl` is the direction of the line's paragraph; None takes it from the first letter.

    Raises:
        MissingGlyph: for letters that neither the text face nor the user's fonts can draw.
    """
    return _outline(text, weight, fonts(), language().code, rtl)


def advance(text: str, weight: Weight = "regular") -> float:
    """The width of a line of text, in ems; the same as `outline(...).advance`, but faster.

    Raises:
        MissingGlyph: for letters that neither the text face nor the user's fonts can draw.
    """
    return _advance(text, weight, fonts(), language().code)


def is_rtl(text: str) -> bool:
    """Whether a paragraph is read from right to left, as its first letter is."""
    return not text.isascii() and get_base_level(text) == 1


class Stretch(NamedTuple):
    """Consecutive letters of a text that one font draws."""

    text: str
    font: Font | None
    """The user's font that draws it; None for the text face."""
    upright: bool
    """Whether it is upright although the text is italic, because the italic lacks it."""


def stretches(text: str, weight: Weight = "regular") -> list[Stretch]:
    """A text split by font, in reading order.

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
    """A text split into typed units: letters with their marks, and letters joined by a sign."""
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
    """A glyph of a shaped line; its curves, (4 * n_curves, 2), and metrics in ems."""

    curves: NDArray[np.float64]
    x_offset: float
    y_offset: float
    advance: float


class _Face:
    """A font for shaping; `user` is the user's font, or None for the text face."""

    def __init__(self, font: hb.Font, user: Font | None = None) -> None:
        self.font, self.user = font, user
        self._features = {} if user and not user.replaces else _TEXT_FACE
        self._em = font.face.upem / (scale_of(user) if user else 1.0)
        self._curves: dict[int, NDArray[np.float64]] = {}
        self._covered: dict[str, bool] = {}

    def shape(
        self, text: str, start: int, end: int, script: str | None, code: str, rtl: bool
    ) -> list[tuple[int, _Glyph]]:
        """The glyphs of a piece of `text` from left to right, each with its index in the font."""
        buffer = hb.Buffer()
        buffer.add_str(text, item_offset=start, item_length=end - start)
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.script = script or "Zyyy"
        buffer.language = code  # HarfBuzz would otherwise use the language of the machine
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
        """Whether it has glyphs for a letter with all its marks, and they are not blank."""
        if letter not in self._covered:
            rtl = unicodedata.bidirectional(letter[0]) in ("R", "AL")
            glyphs = self.shape(letter, 0, len(letter), _script(letter[0]), "en", rtl)
            inked = any(len(glyph.curves) for _, glyph in glyphs)
            blank = unicodedata.category(letter[0])[0] in "ZC"
            self._covered[letter] = all(number for number, _ in glyphs) and (inked or blank)
        return self._covered[letter]

    def curves(self, number: int) -> NDArray[np.float64]:
        """The curves of a glyph in ems, (4 * n_curves, 2); cached, so do not modify them."""
        if number not in self._curves:
            pen = _Pen()
            pen.draw(self.font, number)
            self._curves[number] = pen.curves() / self._em
        return self._curves[number]


class _Piece(NamedTuple):
    """A piece that is shaped at once: one script and one font; no font for open boxes."""

    face: _Face | None
    script: str | None
    start: int
    end: int


@lru_cache(maxsize=64)
def _line(
    text: str, weight: Weight, chosen: tuple[Font, ...], code: str, rtl: bool | None
) -> tuple[_Glyph, ...]:
    """The glyphs of a line from left to right."""
    faces = _faces(weight, chosen)
    _refuse_missing(text, faces)
    glyphs: list[_Glyph] = []
    for start, end, backwards in _directed_runs(text, rtl):
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
    """The fonts for a weight, in order of priority."""
    users = [_Face(font_at(font, WEIGHTS[weight]), font) for font in chosen]
    before = [face for face, font in zip(users, chosen, strict=True) if weight in font.replaces]
    after = [face for face, font in zip(users, chosen, strict=True) if not font.replaces]
    return (*before, *(_face_of_text(name) for name in _FILES[weight]), *after)


@cache
def _face_of_text(name: str) -> _Face:
    file = FONT_DIR / f"SourceSansPro-{name}.ttf"
    return _Face(hb.Font(hb.Face(hb.Blob.from_file_path(str(file)))))


def _refuse_missing(text: str, faces: Sequence[_Face]) -> None:
    """Raise MissingGlyph with every letter of a text that no font can draw."""
    missing = [letter for letter in letters_of(text) if _face_for(letter, faces) is None]
    missing = [letter for letter in missing if letter[0] != OPEN_BOX]
    if missing:
        bare = [part for letter in missing for part in letter if not _can_draw(part, faces)]
        raise MissingGlyph(bare or missing)


def _can_draw(part: str, faces: Sequence[_Face]) -> bool:
    return _face_for(part, faces) is not None


def _face_for(letters: str, faces: Sequence[_Face]) -> _Face | None:
    """The first font that draws all of these letters; None if there is none."""
    each = letters_of(letters)
    return next((face for face in faces if all(map(face.draws, each))), None)


# --- Splitting a line ---

_TAGS = [[chr(first + k) for k in range(48)] for first in (0xE0020, 0xE0050)]
"""Signs that do not affect the order of a line: each stays with the letter before it."""
_NUMBERS = [{tag: k for k, tag in enumerate(tags)} for tags in _TAGS]
_END = "\ufffc"
"""A sign for the end of a line, where python-bidi would treat the tags as blanks."""


def _directed_runs(text: str, rtl: bool | None) -> Iterator[tuple[int, int, bool]]:
    """Start, end and direction (True for right to left) of the runs of a line.

    They are in visual order, from left to right. python-bidi returns the reordered letters without
    their indices, so each letter is followed by two signs that encode its index; in right-to-left
    runs they precede it.
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
    """A run split where the script or the font changes; signs go with the letters before them.

    All letters of a word have the same font if one font can draw them all.
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
    """The script of a letter, such as `Grek`; None for signs, which occur in all scripts."""
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
        """Draw a bracket lying on its back, half an em wide."""
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
