"""Type: one text face, shaped by HarfBuzz into outlines on a baseline.

Sizes are pixels at 720p, as an em; nothing on screen is smaller than `MIN_SIZE`. The proportions of
the face are those of `face`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
import uharfbuzz as hb
from numpy.typing import NDArray

from clockhead.scenes.style.face import ASCENT as ASCENT
from clockhead.scenes.style.face import CAP_HEIGHT as CAP_HEIGHT
from clockhead.scenes.style.face import DESCENT as DESCENT
from clockhead.scenes.style.face import FONT_DIR
from clockhead.scenes.style.face import LINE_HEIGHT as LINE_HEIGHT
from clockhead.scenes.style.face import X_HEIGHT as X_HEIGHT

Weight = Literal["regular", "semibold", "italic"]

TITLE = 36.0
SUBTITLE = 23.0
CAPTION = 26.0
FORMULA = 40.0
LABEL = 22.0
SMALL = 20.0
MIN_SIZE = 18.0

OPEN_BOX = "␣"
"""A space that is meant to be seen. The face lacks it, so it is drawn here."""
_OPEN_BOX_STROKE: dict[Weight, float] = {"regular": 0.07, "semibold": 0.1, "italic": 0.07}

_FILES: dict[Weight, str] = {
    "regular": "SourceSansPro-Regular.ttf",
    "semibold": "SourceSansPro-Semibold.ttf",
    "italic": "SourceSansPro-It.ttf",
}


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
    """The text face has no glyph for a character."""


@cache
def outline(text: str, weight: Weight = "regular") -> Outline:
    """Shape `text` (kerned, one line) and return its outline.

    Raises:
        MissingGlyph: for a character that the face cannot draw.
    """
    x, pieces = 0.0, []
    for glyph in _shaped(text, weight):
        origin = (x + glyph.x_offset, float(glyph.y_offset))
        pieces.append(_glyph_curves(glyph.number, weight) + origin)
        x += glyph.advance
    flat = np.concatenate(pieces or [np.zeros((0, 2))]) / _font(weight).face.upem
    return Outline(np.column_stack([flat, np.zeros(len(flat))]), advance(text, weight))


@cache
def advance(text: str, weight: Weight = "regular") -> float:
    """How wide a line of text is, in ems; what `outline` says too, without drawing it.

    Raises:
        MissingGlyph: for a character that the face cannot draw.
    """
    return float(sum(glyph.advance for glyph in _shaped(text, weight)) / _font(weight).face.upem)


class _Glyph(NamedTuple):
    """A glyph of a shaped line, in units of the font; number 0 is the open box."""

    number: int
    x_offset: float
    y_offset: float
    advance: float


@lru_cache(maxsize=64)
def _shaped(text: str, weight: Weight) -> tuple[_Glyph, ...]:
    if not text:
        return ()
    font = _font(weight)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer, {"kern": True, "liga": False, "tnum": True})
    glyphs = []
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        if info.codepoint:
            glyphs.append(_Glyph(info.codepoint, place.x_offset, place.y_offset, place.x_advance))
        elif text[info.cluster] == OPEN_BOX:
            glyphs.append(_Glyph(0, 0.0, 0.0, 0.5 * font.face.upem))
        else:
            raise MissingGlyph(f"the text face cannot draw {text[info.cluster]!r}")
    return tuple(glyphs)


@cache
def _glyph_curves(number: int, weight: Weight) -> NDArray[np.float64]:
    """A glyph's curves in units of the font, (4 * n_curves, 2); they are shared: never write."""
    font, pen = _font(weight), _Pen()
    if number:
        pen.draw(font, number)
    else:
        pen.draw_open_box(font.face.upem, _OPEN_BOX_STROKE[weight])
    return pen.curves()


@cache
def _font(weight: Weight) -> hb.Font:
    return hb.Font(hb.Face(hb.Blob.from_file_path(str(FONT_DIR / _FILES[weight]))))


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
