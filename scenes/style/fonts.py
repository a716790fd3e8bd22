"""The user's fonts: for letters that the text face lacks, or to replace the text face.

A font includes the content of its file, so that workers that cannot see the file get it with the
shot. The current fonts are a context variable, as the theme and the language are.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from clockhead.scenes.style.face import CAP_HEIGHT, X_HEIGHT
from clockhead.scenes.style.files import UnreadableFile, read_bounded

if TYPE_CHECKING:
    import uharfbuzz as hb

MAX_FONT_MB = 64
Weight = Literal["regular", "semibold", "italic"]
"""The weights of the text face."""
_WEIGHT_AXIS = "wght"
_RESTRICTED, _NO_SUBSETS, _BITMAPS_ONLY = 0x2, 0x100, 0x200
"""Bits of `fsType` in the OS/2 table of a font."""
_MOST_SCALED = 1.3
"""Largest factor by which a font is scaled up or down to match the size of the text face."""


class FontError(ValueError):
    """A file that cannot be used as a font."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font file: its name, the SHA-256 of its content in hex, and the content."""

    name: str
    digest: str
    data: bytes = field(repr=False, compare=False)
    replaces: tuple[Weight, ...] = ()
    """The weights of the text face that it replaces; empty if it only fills gaps."""


def read_font(file: Path) -> Font:
    """Read a font file.

    Raises:
        FontError: if there is no such file, or it is not a font with outlines.
    """
    try:
        data = read_bounded(file, MAX_FONT_MB, "a font")
    except UnreadableFile as error:
        raise FontError(str(error)) from None
    import uharfbuzz as hb  # imported late, for a quick start of commands that shape no text

    face = hb.Face(hb.Blob(data))
    outlines = {"glyf", "CFF ", "CFF2"} & set(face.table_tags)
    if not face.glyph_count or not face.unicodes or not outlines:
        raise FontError("this is not a font with outlines; .ttf, .otf and .ttc files are")
    if not _is_whole(data):
        raise FontError("this font is cut off: its tables reach beyond the end of the file")
    return Font(file.name, hashlib.sha256(data).hexdigest(), data)


def _is_whole(data: bytes) -> bool:
    """Whether all tables of a font, or of the first one in a collection, are within the file.

    HarfBuzz treats a truncated table as empty, and its letters as blanks.
    """
    start = struct.unpack_from(">I", data, 12)[0] if data.startswith(b"ttcf") else 0
    (n_tables,) = struct.unpack_from(">H", data, start + 4)
    places = (struct.unpack_from(">II", data, start + 20 + 16 * n) for n in range(n_tables))
    return all(offset + length <= len(data) for offset, length in places)


_current: ContextVar[tuple[Font, ...]] = ContextVar("fonts", default=())


def fonts() -> tuple[Font, ...]:
    """The current fonts of the user, the first choice first."""
    return _current.get()


def use_fonts(chosen: tuple[Font, ...]) -> None:
    """Set the current fonts of the user."""
    _current.set(chosen)


@contextmanager
def drawing_with(chosen: tuple[Font, ...]) -> Iterator[None]:
    """Set the current fonts of the user within a block."""
    token = _current.set(chosen)
    try:
        yield
    finally:
        _current.reset(token)


@lru_cache(maxsize=32)
def font_at(font: Font, weight: int) -> hb.Font:
    """A HarfBuzz font for shaping; a variable font is set to the weight."""
    import uharfbuzz as hb

    face = _face(font)
    found = hb.Font(face)
    if _has_weights(face):
        found.set_variations({_WEIGHT_AXIS: float(weight)})
    return found


@lru_cache(maxsize=32)
def scale_of(font: Font) -> float:
    """The factor that gives a font's letters the height of the text face's.

    Only fonts that replace the text face are scaled, by the height of x and H, so that texts need
    no more room.
    """
    if not font.replaces:
        return 1.0
    shaper = font_at(font, 400)
    em, ratios = shaper.face.upem, []
    for letter, height in (("x", X_HEIGHT), ("H", CAP_HEIGHT)):
        glyph = shaper.get_nominal_glyph(ord(letter))
        extents = None if glyph is None else shaper.get_glyph_extents(glyph)
        if extents is not None and extents.y_bearing > 0:
            ratios.append(height * em / extents.y_bearing)
    scale = math.prod(ratios) ** (1 / len(ratios)) if ratios else 1.0
    return min(_MOST_SCALED, max(1 / _MOST_SCALED, scale))


@lru_cache(maxsize=32)
def static_files(font: Font, weights: tuple[int, ...]) -> tuple[bytes, ...]:
    """Font files for programs without variable fonts: one for each weight, or the static one."""
    face = _face(font)
    if not _has_weights(face):
        return (font.data,)
    return tuple(_instantiate(face, weight) for weight in weights)


def single_font(font: Font, weight: int) -> bytes:
    """A font file with one weight, and without the other fonts of a collection."""
    face = _face(font)
    if not _has_weights(face) and not font.data.startswith(b"ttcf"):
        return font.data
    return _instantiate(face, weight)


def may_be_embedded(font: Font) -> bool:
    """Whether the licence bits of a font allow documents to embed it as a whole."""
    table = _face(font).reference_table("OS/2").data
    kind = int.from_bytes(table[8:10], "big") if len(table) >= 10 else 0
    return not kind & (_RESTRICTED | _NO_SUBSETS | _BITMAPS_ONLY)


def _instantiate(face: hb.Face, weight: int) -> bytes:
    """A variable font at one weight."""
    import uharfbuzz as hb

    wanted = hb.SubsetInput()
    wanted.keep_everything()
    if face.axis_infos:
        wanted.pin_all_axes_to_default(face)
    if _has_weights(face):
        wanted.pin_axis_location(face, _WEIGHT_AXIS, float(weight))
    return bytes(hb.subset(face, wanted).blob.data)


def _has_weights(face: hb.Face) -> bool:
    return any(axis.tag == _WEIGHT_AXIS for axis in face.axis_infos)


@lru_cache(maxsize=32)
def _face(font: Font) -> hb.Face:
    import uharfbuzz as hb

    return hb.Face(hb.Blob(font.data))
