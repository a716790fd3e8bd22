"""Typst in a sandbox: markup in, an SVG drawing out.

The compiler has no access to files (its root is deleted before it starts), system fonts, packages,
or Typst's `std` from within mathematics. It is reused, which makes formulas forty times faster. The
user's fonts are put into its root when it is created, and loaded then.
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
"""Weights for which the user's variable fonts are instantiated."""


def typeset(
    markup: str,
    *,
    size_px: float,
    color: str,
    width_px: float | None = None,
    fonts: tuple[Font, ...] = (),
) -> bytes:
    """Draw Typst markup as SVG; one point is one pixel at 720p.

    `size_px` is the em, `color` is `#RRGGBB`. Lines break at `width_px`, or, if it is None, only
    where the markup says so. The markup may name the families of `fonts`.

    Raises:
        typst.TypstError: if the markup does not compile; it has `message` and `hints`.
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
    """Draw an SVG as a PNG with `side` pixels along its longer side.

    Raises:
        typst.TypstError: if the SVG cannot be drawn.
    """
    quoted = svg.replace("\\", "\\\\").replace('"', '\\"')
    source = _PICTURE.format(svg=quoted, side=side)
    drawing = _compiler(()).compile(input=source.encode(), format="png", ppi=72.0)
    if not isinstance(drawing, bytes):
        raise ValueError("the picture takes more than one page")
    return drawing


def escape(text: str) -> str:
    """Markup that shows `text` literally: none of its characters has a meaning for Typst."""
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
"""One point is one pixel."""


def write_fonts(fonts: Sequence[Font], folder: Path) -> None:
    """Write fonts into a folder for Typst, which does not support variable fonts."""
    for number, font in enumerate(fonts):
        for weight, data in enumerate(static_files(font, _WEIGHTS)):
            (folder / f"{number}-{weight}{Path(font.name).suffix}").write_bytes(data)


@lru_cache(maxsize=32)
def family_of(font: Font) -> str:
    """The family name of a font in Typst."""
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
        # Load the fonts now, because their files are deleted on return.
        looks = (
            f'#text(font: "{family_of(font)}", weight: {weight})[a]'
            for font in fonts
            for weight in _WEIGHTS
        )
        if fonts:
            compiler.compile(input="".join(looks).encode(), format="svg")
        return compiler
