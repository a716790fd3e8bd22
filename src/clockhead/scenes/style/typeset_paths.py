"""What Typst draws, as paths."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
import svgelements as se
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.theme import ROLES, theme
from clockhead.scenes.style.typeset import typeset

_CSS_PX_PER_POINT = 96 / 72
_PAGE_HEIGHT = re.compile(rb'<svg[^>]* height="([\d.]+)pt"')


def typeset_paths(
    markup: str, *, size: float, color: str, width: float | None = None
) -> list[VMobject]:
    """Typst's drawing as one filled path per colour, centred on the origin."""
    drawn = _drawn(_with_roles(markup), size, color, None if width is None else width / PX)
    paths = [_filled(points, fill) for fill, points in drawn]
    middle = VGroup(*paths).get_center()
    for path in paths:
        path.shift(-middle)
    return paths


def typeset_height(markup: str, *, size: float, color: str, width: float) -> float:
    """How high the page is that Typst's drawing takes, in units: more with every line."""
    svg = _svg(_with_roles(markup), size, color, width / PX)
    found = _PAGE_HEIGHT.search(svg)
    assert found is not None
    return float(found[1]) * PX


def _with_roles(markup: str) -> str:
    """Markup after what colours it."""
    roles = (
        f'#let {role}(body) = text(fill: rgb("{theme().text_color(role)}"), body)\n'
        for role in ROLES
    )
    return "".join(roles) + markup


@lru_cache(maxsize=128)
def _svg(markup: str, size: float, color: str, width: float | None) -> bytes:
    return typeset(markup, size_px=size, color=color, width_px=width)


@lru_cache(maxsize=512)
def _drawn(
    markup: str, size: float, color: str, width: float | None
) -> tuple[tuple[str, NDArray[np.float64]], ...]:
    """Each colour of Typst's drawing, and all that is drawn in it; it is kept: never write."""
    svg = _svg(markup, size, color, width)
    by_color: dict[str, list[NDArray[np.float64]]] = {}
    for shape in se.SVG.parse(io.BytesIO(svg)).elements(_is_drawn):
        curves, fill = _curves(shape)
        by_color.setdefault(fill, []).append(curves)
    return tuple((fill, np.concatenate(curves)) for fill, curves in by_color.items())


def _is_drawn(element: object) -> bool:
    return isinstance(element, se.Shape) and len(se.Path(element)) > 1


def _curves(shape: se.Shape) -> tuple[NDArray[np.float64], str]:
    """A shape's cubic curves in units, y upwards, and its colour. Strokes become outlines."""
    path = se.Path(shape).reify()
    if shape.stroke.value is not None and shape.stroke_width:
        corners = _bar(path, float(shape.implicit_stroke_width))
        return corners, str(shape.stroke.hexrgb).upper()
    curves = [_cubic(segment) for segment in path if not isinstance(segment, se.Move)]
    points = np.array([c for c in curves if c is not None], dtype=float).reshape(-1, 2)
    return _to_units(points), str(shape.fill.hexrgb).upper()


def _cubic(segment: se.PathSegment) -> list[tuple[float, float]] | None:
    start, end = complex(segment.start), complex(segment.end)
    if isinstance(segment, se.CubicBezier):
        handles = complex(segment.control1), complex(segment.control2)
    elif isinstance(segment, se.QuadraticBezier):
        control = complex(segment.control)
        handles = start + (control - start) * 2 / 3, end + (control - end) * 2 / 3
    elif start == end:
        return None
    else:
        handles = start + (end - start) / 3, start + (end - start) * 2 / 3
    return [(z.real, z.imag) for z in (start, *handles, end)]


def _bar(path: se.Path, width: float) -> NDArray[np.float64]:
    """A straight stroke (a fraction bar, a root's roof) as a rectangle."""
    start, end = complex(path[0].end), complex(path[-1].end)
    side = 1j * (end - start) / abs(end - start) * width / 2
    corners = [start + side, end + side, end - side, start - side, start + side]
    lines = [[a, a + (b - a) / 3, a + (b - a) * 2 / 3, b] for a, b in pairwise(corners)]
    return _to_units(np.array([(z.real, z.imag) for line in lines for z in line]))


def _to_units(points: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = PX / _CSS_PX_PER_POINT
    return np.column_stack([points[:, 0] * scale, -points[:, 1] * scale, np.zeros(len(points))])


def _filled(points: NDArray[np.float64], color: str) -> VMobject:
    path = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
    path.set_points(points)
    return path
