"""Typst in a closed room: markup in, an SVG drawing out.

The compiler sees no file (its root is gone before it starts), no font of the system, no package and
nothing of Typst's `std` from within mathematics. It is kept and used again, which makes a formula
forty times faster.
"""

from __future__ import annotations

import tempfile
from functools import cache

import typst

from clockhead.scenes.style.face import CAP_HEIGHT, FONT_DIR, LINE_HEIGHT

TEXT_FACE = "Source Sans Pro"
MATH_FACE = "New Computer Modern Math"


def typeset(markup: str, *, size_px: float, color: str, width_px: float | None = None) -> bytes:
    """Draw Typst markup as SVG, one point of the drawing to a pixel at 720p.

    `size_px` is the em, `color` is `#RRGGBB`; lines break at `width_px`, or only where the markup
    says so when it is None.

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
    drawing = _compiler().compile(input=(source + markup).encode(), format="svg")
    if not isinstance(drawing, bytes):
        raise ValueError(f"the markup takes more than one page: {markup!r}")
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


@cache
def _compiler() -> typst.Compiler:
    with tempfile.TemporaryDirectory(prefix="clockhead-typst-") as root:
        return typst.Compiler(
            root=root,
            font_paths=[str(FONT_DIR)],
            ignore_system_fonts=True,
            package_path=f"{root}/packages",
            package_cache_path=f"{root}/cache",
        )
