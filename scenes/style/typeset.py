"""Typst in a closed room: markup in, an SVG drawing out.

The compiler sees no file (its root is gone before it starts), no font of the system, no package and
nothing of Typst's `std` from within mathematics. It is kept and used again, which makes a formula
forty times faster. The user's fonts are put into its room while it begins, and read there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import typst

from clockhead.scenes.style.face import CAP_HEIGHT, FONT_DIR, LINE_HEIGHT
from clockhead.scenes.style.fonts import Font, static_files

TEXT_FACE = "Source Sans Pro"
MATH_FACE = "New Computer Modern Math"
_WEIGHTS = (400, 600)
"""Of the user's fonts, as far as they can be varied."""


def typeset(
    markup: str,
    *,
    size_px: float,
    color: str,
    width_px: float | None = None,
    fonts: tuple[Font, ...] = (),
) -> bytes:
    """Draw Typst markup as SVG, one point of the drawing to a pixel at 720p.

    `size_px` is the em, `color` is `#RRGGBB`; lines break at `width_px`, or only where the markup
    says so when it is None. The markup may name the families of `fonts`.

    Raises:
        typst.TypstError: when the markup does not compile; it has `message` and `hints`.
    """
    source = _PREAMBLE.format(
        width="auto" if width_px is None else f"{width_px}pt",
        size=size_px,
        color=color,
        text_face=TEXT_FACE,
        math_face=MATH_FACE,
        leading=LINE_HEIGHT - CAP_HEIGHT,
    )
    drawing = _compiler(fonts).compile(input=(source + markup).encode(), format="svg")
    if not isinstance(drawing, bytes):
        raise ValueError(f"the markup takes more than one page: {markup!r}")
    return drawing


def draw_svg(svg: str, side: int) -> bytes:
    """Draw an SVG as a PNG with so many pixels along its longer side.

    Raises:
        typst.TypstError: when it is no SVG that can be drawn.
    """
    quoted = svg.replace("\\", "\\\\").replace('"', '\\"')
    source = _PICTURE.format(svg=quoted, side=side)
    drawing = _compiler(()).compile(input=source.encode(), format="png", ppi=72.0)
    if not isinstance(drawing, bytes):
        raise ValueError("the picture takes more than one page")
    return drawing


def escape(text: str) -> str:
    """Markup that shows `text` as it is: none of its characters means anything to Typst."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'#"{quoted}";'


_PREAMBLE = """\
#set text(font: "{text_face}", size: {size}pt, fill: rgb("{color}"), lang: "en", hyphenate: false)
#set page(width: {width}, height: auto, margin: (x: 0pt, y: 0.4em), fill: none)
#set par(leading: {leading}em)
#show math.equation: set text(font: "{math_face}")
#let std = none
"""


_PICTURE = """\
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#context {{
  let drawing = image(bytes("{svg}"), format: "svg")
  let (width, height) = measure(drawing)
  let scale = {side}pt / calc.max(width, height)
  image(bytes("{svg}"), format: "svg", width: width * scale, height: height * scale)
}}
"""
"""One point to a pixel."""


def write_fonts(fonts: Sequence[Font], folder: Path) -> None:
    """Put fonts into a folder for Typst, which has no use for those that can be varied."""
    for number, font in enumerate(fonts):
        for weight, data in enumerate(static_files(font, _WEIGHTS)):
            (folder / f"{number}-{weight}{Path(font.name).suffix}").write_bytes(data)


@lru_cache(maxsize=32)
def family_of(font: Font) -> str:
    """What Typst calls a font."""
    with tempfile.TemporaryDirectory(prefix="clockhead-fonts-") as folder:
        write_fonts([font], Path(folder))
        found = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder]
        ).fonts()
    first = min(found, key=lambda one: one.index, default=None)
    return first.family if first else TEXT_FACE


@lru_cache(maxsize=8)
def _compiler(fonts: tuple[Font, ...]) -> typst.Compiler:
    with tempfile.TemporaryDirectory(prefix="clockhead-typst-") as root:
        write_fonts(fonts, Path(root))
        compiler = typst.Compiler(
            root=root,
            font_paths=[str(FONT_DIR), root],
            ignore_system_fonts=True,
            package_path=f"{root}/packages",
            package_cache_path=f"{root}/cache",
        )
        # A font is read when it is first asked for, and then its file is gone.
        looks = (
            f'#text(font: "{family_of(font)}", weight: {weight})[a]'
            for font in fonts
            for weight in _WEIGHTS
        )
        if fonts:
            compiler.compile(input="".join(looks).encode(), format="svg")
        return compiler
