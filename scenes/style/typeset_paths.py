"""Drawings by Typst as paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import svgelements as se
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.style.fonts import Font, fonts
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.shape import Shape
from clockhead.scenes.style.theme import ROLES, theme
from clockhead.scenes.style.typeset import typeset

_CSS_PX_PER_POINT = 96 / 72
_CLOSED = 1e-9
"""Distance below which two points are equal."""
_SVG, _HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_PAGE_HEIGHT = re.compile(rb'<svg[^>]* height="([\d.]+)pt"')


def typeset_paths(
    markup: str, *, size: float, color: str, width: float | None = None
) -> list[VMobject]:
    """Typst's drawing as one filled path for each colour, centred at the origin."""
    width_px = None if width is None else width / PX
    drawn = _draw_colors(_define_roles(markup), size, color, width_px, fonts())
    paths = [_fill_path(points, fill) for fill, points in drawn]
    middle = VGroup(*paths).get_center()
    for path in paths:
        path.shift(-middle)
    return paths


def typeset_height(markup: str, *, size: float, color: str, width: float) -> float:
    """The height of the page of Typst's drawing, in units; it grows with every line."""
    svg = _svg(_define_roles(markup), size, color, width / PX, fonts())
    found = _PAGE_HEIGHT.search(svg)
    assert found is not None
    return float(found[1]) * PX


def _define_roles(markup: str) -> str:
    """Markup preceded by definitions of the roles that it uses as functions."""
    roles = (
        f'#let {role}(body) = text(fill: rgb("{theme().text_color(role)}"), body)\n'
        for role in ROLES
        if f"{role}(" in markup
    )
    return "".join(roles) + markup


@lru_cache(maxsize=128)
def _svg(
    markup: str, size: float, color: str, width: float | None, chosen: tuple[Font, ...]
) -> bytes:
    return typeset(markup, size_px=size, color=color, width_px=width, fonts=chosen)


@lru_cache(maxsize=512)
def _draw_colors(
    markup: str, size: float, color: str, width: float | None, chosen: tuple[Font, ...]
) -> tuple[tuple[str, NDArray[np.float64]], ...]:
    """The colours of Typst's drawing, each with its curves; cached, so do not modify them."""
    svg = ElementTree.fromstring(_svg(markup, size, color, width, chosen))
    symbols = {f"#{symbol.get('id')}": symbol for symbol in svg.iter(f"{_SVG}symbol")}
    by_color: dict[str, list[NDArray[np.float64]]] = {}
    for path, painted, matrix in _iterate_paths(svg, symbols, se.Matrix.scale(_CSS_PX_PER_POINT)):
        curves, paint = _curves(path, painted, matrix)
        if len(curves):
            by_color.setdefault(se.Color(paint).hexrgb.upper(), []).append(_to_units(curves))
    return tuple((fill, np.concatenate(curves)) for fill, curves in by_color.items())


def _iterate_paths(
    group: Element, symbols: Mapping[str, Element], matrix: se.Matrix
) -> Iterator[tuple[Element, Element, se.Matrix]]:
    """Every path, the element with its paint, and its transform.

    Typst has a symbol for each glyph and reuses it. svgelements could parse all of this, but is
    several times slower.
    """
    for part in group:
        here = se.Matrix(part.get("transform", "")) * matrix
        if part.tag == f"{_SVG}path":
            yield part, part, here
        elif part.tag == f"{_SVG}use":
            at = se.Matrix.translate(float(part.get("x", 0)), float(part.get("y", 0)))
            for path, _, there in _iterate_paths(symbols[part.get(_HREF, "")], symbols, at * here):
                yield path, part, there
        elif part.tag == f"{_SVG}g":
            yield from _iterate_paths(part, symbols, here)


def _curves(path: Element, painted: Element, matrix: se.Matrix) -> tuple[NDArray[np.float64], str]:
    """The cubic curves of a path, (4 N, 2), and its colour. Strokes become outlines."""
    turned = np.array([[matrix.a, matrix.b], [matrix.c, matrix.d]])
    there = np.array([matrix.e, matrix.f])
    stroke, outline = painted.get("stroke", "none"), _outline(path.get("d", ""))
    if stroke == "none":
        return outline @ turned + there, painted.get("fill", "#000000")
    width = float(painted.get("stroke-width", 1)) * abs(np.linalg.det(turned)) ** 0.5
    return _bar(outline @ turned + there, width), stroke


@lru_cache(maxsize=2048)
def _outline(d: str) -> NDArray[np.float64]:
    """The cubic curves of a path's data, (4 N, 2); cached, so do not modify them."""
    curves = [_cubic(segment) for segment in se.Path(d) if not isinstance(segment, se.Move)]
    return np.array([c for c in curves if c is not None], dtype=float).reshape(-1, 2)


def _cubic(segment: se.PathSegment) -> list[tuple[float, float]] | None:
    start, end = complex(segment.start), complex(segment.end)
    if isinstance(segment, se.CubicBezier):
        handles = complex(segment.control1), complex(segment.control2)
    elif isinstance(segment, se.QuadraticBezier):
        control = complex(segment.control)
        handles = start + (control - start) * 2 / 3, end + (control - end) * 2 / 3
    elif abs(end - start) < _CLOSED:
        return None
    else:
        handles = start + (end - start) / 3, start + (end - start) * 2 / 3
    return [(z.real, z.imag) for z in (start, *handles, end)]


def _bar(line: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """A straight stroke (a fraction bar, the top of a root) as a rectangle: curves to curves."""
    start, end = line[0], line[-1]
    way = (end - start) / np.linalg.norm(end - start)
    side = np.array([-way[1], way[0]]) * width / 2
    corners = [start + side, end + side, end - side, start - side, start + side]
    return np.array([a + (b - a) * k / 3 for a, b in pairwise(corners) for k in range(4)])


def _to_units(points: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = PX / _CSS_PX_PER_POINT
    return np.column_stack([points[:, 0] * scale, -points[:, 1] * scale, np.zeros(len(points))])


def _fill_path(points: NDArray[np.float64], color: str) -> VMobject:
    path = Shape(stroke_width=0, fill_color=color, fill_opacity=1)
    path.set_points(points)
    return path
