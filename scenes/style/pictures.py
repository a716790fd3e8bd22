"""The user's pictures: PNG, JPEG and SVG, read with limits and converted to pixels.

A picture includes the content of its file, so that workers that cannot see the file get it with the
shot. Pillow decodes pixels. Typst draws SVG without access to files or the network; an SVG that
would load or run something is refused first.
"""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.parsers import expat

from clockhead.scenes.style.files import UnreadableFile, read_bounded

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image

PICTURE_FILES = (".png", ".jpg", ".jpeg", ".svg")
"""The extensions of pictures."""
MAX_PICTURE_MB, MAX_SVG_MB = 16, 2
MAX_SIDE, MAX_PIXELS = 10_000, 40_000_000
MAX_RATIO = 16
"""Largest ratio of the sides of a picture."""
MOST_PIXELS = 4096
"""Maximum number of pixels along the longer side of a picture when it is drawn."""
MAX_ELEMENTS = 20_000
"""Maximum number of elements of an SVG."""
MAX_DEPTH = 64
"""Maximum nesting of the elements of an SVG."""
_PIXELS_INSIDE = re.compile(r"data:image/(png|jpe?g);base64,")

Kind = Literal["pixels", "svg"]


class PictureError(ValueError):
    """A file that cannot be used as a picture."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture: its name, the SHA-256 of its content in hex, the content, and its aspect ratio."""

    name: str
    digest: str
    kind: Kind
    ratio: float
    """Width divided by height."""
    data: bytes = field(repr=False, compare=False)


def read_picture(file: Path) -> PictureFile:
    """Read a picture file.

    Raises:
        PictureError: if there is no such file, or it is not a picture that may be used.
    """
    is_svg = file.suffix.lower() == ".svg"
    try:
        data = read_bounded(file, MAX_SVG_MB if is_svg else MAX_PICTURE_MB, "such a picture")
    except UnreadableFile as error:
        raise PictureError(str(error)) from None
    digest = hashlib.sha256(data).hexdigest()
    if is_svg:
        _SvgChecker().check(data)
        picture = PictureFile(file.name, digest, "svg", 1.0, data)
        width, height = _draw_svg(picture, 256).size
    else:
        picture = PictureFile(file.name, digest, "pixels", 1.0, data)
        width, height = _decode(picture).size  # a truncated file fails here
    if not 1 / MAX_RATIO <= width / height <= MAX_RATIO:
        raise PictureError(f"it is more than {MAX_RATIO} times as long as wide; cut it")
    return PictureFile(file.name, digest, picture.kind, width / height, data)


@lru_cache(maxsize=16)
def pixels_of(picture: PictureFile, side: int) -> NDArray[Any]:
    """A picture as premultiplied RGBA, (height, width, 4), for cairo; do not modify it.

    Its longer side has at most `side` pixels; that of an SVG exactly.
    """
    import numpy as np

    image = _draw_svg(picture, side) if picture.kind == "svg" else _decode(picture)
    longest = max(image.size)
    if longest > side:
        width, height = (max(1, round(length * side / longest)) for length in image.size)
        image = image.resize((width, height), _lanczos())
    rgba = np.asarray(image, dtype=np.uint16)
    colors = (rgba[..., :3] * rgba[..., 3:] + 127) // 255
    return np.ascontiguousarray(np.concatenate([colors, rgba[..., 3:]], axis=2), dtype=np.uint8)


def seen_on(picture: PictureFile, ground: str) -> float:
    """The fraction of a picture's ink that has a contrast of at least 1.5 to a background."""
    import numpy as np

    from clockhead.scenes.style.theme import contrast

    rgba = pixels_of(picture, 64).reshape(-1, 4)
    ink = rgba[rgba[:, 3] > 127]
    if not len(ink):
        return 0.0
    colors = np.clip(ink[:, :3].astype(int) * 255 // ink[:, 3:], 0, 255)
    seen = sum(contrast("#{:02X}{:02X}{:02X}".format(*color), ground) >= 1.5 for color in colors)
    return seen / len(ink)


# --- Pixels ---


def _open(data: bytes) -> Image.Image:
    """A PNG or JPEG with a valid size, whose pixels have not been decoded yet."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():  # about many pixels, which are counted below
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise PictureError("this is not a PNG, JPEG or SVG picture") from None
    width, height = image.size
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_PIXELS):
        raise PictureError(
            f"{width:,} by {height:,} pixels are too many; a picture has at most {MAX_SIDE:,} "
            f"along a side, and {MAX_PIXELS:,} in all"
        )
    return image


@lru_cache(maxsize=4)
def _decode(picture: PictureFile) -> Image.Image:
    """A picture as upright RGBA, with at most `MOST_PIXELS` along a side."""
    from PIL import Image, ImageOps

    try:
        image = _open(picture.data)
        image.draft("RGB", (MOST_PIXELS, MOST_PIXELS))  # JPEG can be decoded at a reduced size
        upright = ImageOps.exif_transpose(image) or image
        upright = upright.convert("RGBA")
    except PictureError:
        raise
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise PictureError(f"this picture is damaged: {error}") from None
    upright.thumbnail((MOST_PIXELS, MOST_PIXELS), _lanczos())
    return upright


def _lanczos() -> Any:
    from PIL import Image

    return Image.Resampling.LANCZOS


# --- SVG ---


@lru_cache(maxsize=16)
def _draw_svg(picture: PictureFile, side: int) -> Image.Image:
    """An SVG drawn with `side` pixels along its longer side."""
    import typst
    from PIL import Image

    from clockhead.scenes.style.typeset import draw_svg

    try:
        png = draw_svg(picture.data.decode("utf-8-sig"), side)
    except typst.TypstError as error:
        raise PictureError(f"this SVG cannot be drawn: {error.message}") from None
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        return image.convert("RGBA")


class _SvgChecker:
    """Refuses an SVG that would load or run something, or has too many elements.

    Only references to parts of the same file (`#part`) and embedded pixels (`data:image/png`) are
    allowed. Entities are refused, because a small file could expand to a very large one. The
    drawing library limits the expansion of `use`.
    """

    def __init__(self) -> None:
        self._depth, self._n_elements = 0, 0
        self._in_style = False

    def check(self, data: bytes) -> None:
        """Parse and check an SVG.

        Raises:
            PictureError: if it is refused, with the line.
        """
        try:
            data.decode()
        except UnicodeDecodeError:
            raise PictureError("this SVG is not UTF-8 text; save it as plain SVG") from None
        parser = expat.ParserCreate()
        parser.EntityDeclHandler = self._refuse_entity
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise PictureError(f"this is not SVG: {error}") from None
        except PictureError as error:
            raise PictureError(f"line {parser.CurrentLineNumber}: {error}") from None

    def _refuse_entity(self, name: str, *_: Any) -> None:
        raise PictureError(f"the entity {name!r} is refused; save the picture as plain SVG")

    def _instruction(self, target: str, _: str) -> None:
        if target == "xml-stylesheet":
            raise PictureError("it names a style sheet elsewhere, and a picture loads nothing")

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if not self._depth and name != "svg":
            raise PictureError(f"this is not SVG: it begins with <{tag}>")
        if name in ("script", "foreignObject", "handler", "listener"):
            raise PictureError(f"<{name}> is refused: a picture runs nothing")
        self._depth, self._n_elements = self._depth + 1, self._n_elements + 1
        if self._depth > MAX_DEPTH:
            raise PictureError(f"its elements are nested more than {MAX_DEPTH} deep")
        if self._n_elements > MAX_ELEMENTS:
            raise PictureError(f"it has more than {MAX_ELEMENTS:,} elements")
        for key, value in attributes.items():
            self._attribute(name, key.rpartition(":")[2], value.strip())
        self._in_style = name == "style"

    def _attribute(self, element: str, name: str, value: str) -> None:
        if name.lower().startswith("on"):
            raise PictureError(f"the attribute {name!r} is refused: a picture runs nothing")
        if name != "href":
            self._styles(value)
        elif element == "a" or value.startswith("#"):
            return
        elif element == "image" and (inside := _PIXELS_INSIDE.match(value)):
            try:
                _open(b64decode(value[inside.end() :]))
            except ValueError as error:
                raise PictureError(f"a picture inside of it cannot be read: {error}") from None
        else:
            raise PictureError(f"{value[:40]!r} is not in the file, and a picture loads nothing")

    def _text(self, text: str) -> None:
        if self._in_style:
            self._styles(text)

    def _styles(self, text: str) -> None:
        """Refuse styles that load something; references to parts of the same file are allowed."""
        if "@import" in text:
            raise PictureError("@import is refused: a picture loads nothing")
        for address in text.split("url(")[1:]:
            if not address.lstrip(" \t\n\"'").startswith("#"):
                shown = address.partition(")")[0][:40]
                raise PictureError(f"url({shown}) is not in the file, and a picture loads nothing")

    def _end(self, _: str) -> None:
        self._depth -= 1
        self._in_style = False
