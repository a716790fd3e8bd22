"""Vector pictures that share their shapes: what many of them have in common is kept once.

Pictures of one shot for different inputs differ in little. Each is a list of elements, each element
a shape at a place in a paint; shapes and paints are numbered, and stand in one table. Coordinates
are whole hundredths of a point, of which a picture is about 900 wide. All pictures of a view have
the same size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_FINE = 100
"""Steps in a point."""
_COMMAND = re.compile(r"([MLCZ])([^MLCZ]*)")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_STRAIGHT = 0.05
"""By how many points a curve may leave a straight line and still be written as one."""
_USUAL = {
    "fill": "none",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "stroke": "none",
    "stroke-opacity": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-miterlimit": "10",
}
"""Attributes of a paint, and the values that are left out."""
Point = tuple[float, float]
Element = tuple[int, int, int, int]
"""Numbers of shape and paint, and where the shape begins: across and down."""


class UnknownDrawing(ValueError):
    """A picture has an element that cannot be shared."""


@dataclass
class _View:
    size: tuple[int, int]
    """Of every picture, in points."""
    pictures: list[list[Element]] = field(default_factory=list)


@dataclass
class SharedPictures:
    """Pictures, in one or several views, whose shapes and paints are kept once."""

    _views: dict[str, _View] = field(default_factory=dict)
    _shapes: dict[str, int] = field(default_factory=dict)
    _paints: dict[tuple[tuple[str, str], ...], int] = field(default_factory=dict)

    def add(self, view: str, svg: bytes) -> int:
        """Add a picture that cairo drew to a view; return its number in it.

        Equal pictures have the same number.

        Raises:
            UnknownDrawing: if it has other elements than paths and rectangles.
        """
        root = ElementTree.fromstring(svg)
        _, _, across, down = map(float, root.attrib["viewBox"].split())
        there = self._views.setdefault(view, _View((round(across), round(down))))
        elements = [self._element(part) for part in root.iter() if part.tag != f"{_SVG}svg"]
        picture = [element for element in elements if element is not None]
        if picture not in there.pictures:
            there.pictures.append(picture)
        return there.pictures.index(picture)

    def data(self) -> dict[str, Any]:
        """All pictures as data that JSON can hold; elements one after the other."""
        return {
            "unit": _FINE,
            "shapes": list(self._shapes),
            "paints": [dict(paint) for paint in self._paints],
            "views": [
                {
                    "size": view.size,
                    "pictures": [[n for one in picture for n in one] for picture in view.pictures],
                }
                for view in self._views.values()
            ],
        }

    def _element(self, part: ElementTree.Element) -> Element | None:
        style = dict(
            item.strip().split(":", 1) for item in part.get("style", "").split(";") if item
        )
        if part.tag == f"{_SVG}g" and not style:
            return None
        matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        if "transform" in part.attrib:
            matrix = tuple(map(float, _NUMBER.findall(part.attrib["transform"])))  # type: ignore[assignment]
        if part.tag == f"{_SVG}rect":
            width, height = (float(part.attrib[name]) for name in ("width", "height"))
            x, y = (float(part.get(name, "0")) for name in ("x", "y"))
            corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            steps = [("L", [corner]) for corner in corners[1:]]
            drawing = [("M", corners[:1]), *steps, ("Z", [])]
        elif part.tag == f"{_SVG}path":
            drawing = list(_steps(part.attrib["d"], matrix))
        else:
            what = part.tag.removeprefix(_SVG)
            raise UnknownDrawing(f"a picture holds other things than lines and areas: {what}")
        start, shape = _write(drawing)
        paint = {}
        for name, usual in _USUAL.items():
            value = style.get(name, usual).strip()
            value = _color(value) if value.startswith("rgb") else value
            if value != usual or (name == "fill" and value == "none"):
                paint[name] = value
        if "stroke" in paint:
            scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
            paint["stroke-width"] = str(round(float(style["stroke-width"]) * scale * _FINE))
        key = tuple(sorted(paint.items()))
        return (
            self._shapes.setdefault(shape, len(self._shapes)),
            self._paints.setdefault(key, len(self._paints)),
            *start,
        )


def _steps(path: str, matrix: tuple[float, ...]) -> Iterator[tuple[str, list[Point]]]:
    """The commands of a path, each with its points on the picture."""
    a, b, c, d, e, f = matrix
    for command, text in _COMMAND.findall(path):
        numbers = list(map(float, text.split()))
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        yield command, [(a * x + c * y + e, b * x + d * y + f) for x, y in pairs]


def _write(drawing: list[tuple[str, list[Point]]]) -> tuple[tuple[int, int], str]:
    """Where a path begins, and the path from there in relative whole steps."""
    start = drawing[0][1][0]
    first = tuple(round(_FINE * one) for one in start)
    here = (0, 0)
    """Where the pen is, in steps from the start."""
    opened = (0, 0)
    exact = start
    written = []

    def relative(point: Point) -> tuple[int, int]:
        return tuple(round(_FINE * (p - s)) for p, s in zip(point, start, strict=True))  # type: ignore[return-value]

    for command, points in drawing:
        if command == "Z":
            written.append("z")
            here = opened
            continue
        if command == "C" and _is_straight(exact, points):
            command, points = "L", points[-1:]
        steps = [relative(point) for point in points]
        moved = [n for x, y in steps for n in (x - here[0], y - here[1])]
        here, exact = steps[-1], points[-1]
        if command == "M":
            opened = here
        if command == "L" and moved == [0, 0]:
            continue
        written.append(command.lower() + ",".join(map(str, moved)).replace(",-", "-"))
    return first, "".join(written)  # type: ignore[return-value]


def _is_straight(start: Point, points: list[Point]) -> bool:
    """Whether a cubic curve is a line."""
    (x0, y0), (x3, y3) = start, points[-1]
    length = math.hypot(x3 - x0, y3 - y0)
    for x, y in points[:2]:
        if length < _STRAIGHT:
            off = math.hypot(x - x0, y - y0)
        else:
            off = abs((x3 - x0) * (y - y0) - (y3 - y0) * (x - x0)) / length
            along = ((x - x0) * (x3 - x0) + (y - y0) * (y3 - y0)) / length
            off = max(off, -along, along - length)
        if off > _STRAIGHT / 5:
            return False
    return True


def _color(text: str) -> str:
    """`rgb(20%, 40%, 60%)` as `#336699`."""
    shares = [float(number) for number in _NUMBER.findall(text)]
    return "#" + "".join(f"{round(2.55 * share):02x}" for share in shares)
