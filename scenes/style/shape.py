"""Single paths and groups of them, with faster colours and measurements than Manim's.

Manim parses a colour for every piece, six times during its construction. A film has a dozen colours
and thousands of pieces, so the results are cached here. Manim also measures a piece point by point,
while NumPy can process all points at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSet
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from manim import DEFAULT_STROKE_WIDTH, ManimColor, Mobject, VGroup, VMobject
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_Kind = TypeVar("_Kind", bound=Mobject)
_Color = str | ManimColor | None


class Shape(VMobject):
    """A single path that behaves like Manim's own."""

    def __init__(
        self,
        *,
        fill_color: Any = None,
        fill_opacity: Any = 0.0,
        stroke_color: Any = None,
        stroke_opacity: Any = 1.0,
        stroke_width: float = DEFAULT_STROKE_WIDTH,
        **others: Any,
    ) -> None:
        """Take Manim's arguments; the common case of plain colours has a fast path."""
        given = {
            "fill_opacity": fill_opacity,
            "stroke_opacity": stroke_opacity,
            "stroke_width": stroke_width,
        }
        are_plain = all(isinstance(color, _Color) for color in (fill_color, stroke_color))
        if (
            others
            or not are_plain
            or not all(isinstance(one, int | float) for one in given.values())
        ):
            super().__init__(fill_color=fill_color, stroke_color=stroke_color, **given, **others)
            return
        first = _defaults()
        self.__dict__ |= first
        self.__dict__ |= given
        self.name = type(self).__name__
        self.submobjects, self.updaters = [], []
        self.sheen_direction = first["sheen_direction"].copy()
        self.fill_rgbas = _rgba(fill_color, fill_opacity, first["fill_rgbas"])
        self.stroke_rgbas = _rgba(stroke_color, stroke_opacity, first["stroke_rgbas"])
        self.background_stroke_rgbas = first["background_stroke_rgbas"].copy()
        self.reset_points()
        self.generate_points()

    def init_colors(self, propagate_colors: bool = True) -> Self:
        """Apply the opacities that were given; the colours are already set."""
        if self.submobjects or self.sheen_factor or len(self.fill_rgbas) > 1:
            super().init_colors(propagate_colors)
            return self
        self.set_fill(opacity=self.fill_opacity)
        self.set_stroke(width=self.stroke_width, opacity=self.stroke_opacity)
        self.set_background_stroke(
            color=self.background_stroke_color,
            width=self.background_stroke_width,
            opacity=self.background_stroke_opacity,
        )
        self.sheen_direction = np.array(self.sheen_direction)
        return self

    def update_rgbas_array(self, array_name: str, color: Any = None, opacity: Any = None) -> Self:
        """Write a colour or an opacity, or both, into one of its three arrays of colours."""
        plain = isinstance(color, str | ManimColor | None) and not isinstance(opacity, tuple | list)
        if not plain or self.sheen_factor:
            super().update_rgbas_array(array_name, color, opacity)
            return self
        rgbas = self.__dict__.get(array_name)
        if rgbas is None:
            rgbas = self.__dict__[array_name] = np.zeros((1, 4))
        if color is not None:
            rgbas[:, :3] = _rgb(color)
        if opacity is not None:
            rgbas[:, 3] = opacity
        return self

    def get_family(self, recurse: bool = True) -> list[Mobject]:
        """The shape and all its parts recursively, each once, at its last occurrence."""
        if not self.submobjects:
            return [self]
        return last_of_each(self._iter_family(set()))

    def _iter_family(self, active_path: MutableSet[Mobject]) -> Iterable[Mobject]:
        if self in active_path:
            return ()
        if not self.submobjects:
            return (self,)
        active_path.add(self)
        family: list[Mobject] = [self]
        for part in self.submobjects:
            family.extend(part._iter_family(active_path))
        active_path.remove(self)
        return family

    def get_merged_array(self, array_attr: str) -> NDArray[np.float64]:
        """Its own rows and those of all its parts."""
        own: NDArray[np.float64] = getattr(self, array_attr)
        if not self.submobjects:
            return own
        return np.concatenate(
            [own, *(part.get_merged_array(array_attr) for part in self.submobjects)]
        )

    def get_points_defining_boundary(self) -> NDArray[np.float64]:
        """The start and end points of its curves, (N, 3)."""
        ends = [_ends(piece) for piece in self.get_family() if len(piece.points)]
        return np.concatenate(ends) if ends else np.zeros((0, 3))

    def get_critical_point(self, direction: Any) -> NDArray[np.float64]:
        """The corner, side middle or centre of its bounding box in the given direction."""
        points = self.get_points_defining_boundary()
        if not len(points):
            return np.zeros(3)
        low, high, way = points.min(axis=0), points.max(axis=0), np.asarray(direction)
        return np.asarray(np.where(way < 0, low, np.where(way > 0, high, (low + high) / 2)))

    def reduce_across_dimension(
        self, reduce_func: Callable[[Iterable[float]], float], dim: int
    ) -> float | None:
        """The minimum or maximum coordinate of its points; None if it has none."""
        points = self.get_merged_array("points")
        if reduce_func is min and len(points):
            return float(points[:, dim].min())
        if reduce_func is max and len(points):
            return float(points[:, dim].max())
        return super().reduce_across_dimension(reduce_func, dim)


class Shapes(VGroup, Shape):
    """A group of shapes."""


def last_of_each(mobjects: Iterable[Mobject]) -> list[Mobject]:
    """Each mobject once, at its last occurrence."""
    found = list(mobjects)
    found.reverse()
    found = list(dict.fromkeys(found))
    found.reverse()
    return found


def is_a(mobject: Mobject, kind: type[_Kind]) -> TypeIs[_Kind]:
    """A cached `isinstance`, which is slow for Manim's classes."""
    classes: Any = type(mobject), kind
    return _derives(*classes)


@cache
def _derives(one: Any, other: Any) -> bool:
    return issubclass(one, other)


def has_ink(piece: Mobject, least: float) -> bool:
    """Whether a piece is itself drawn (not a group), with more than `least` opacity."""
    if not len(piece.points) or not is_a(piece, VMobject):
        return False
    if piece.fill_rgbas[0, 3] > least:
        return True
    return bool(piece.stroke_rgbas[0, 3] > least and piece.get_stroke_width() > 0)


def fill_of(mobject: VMobject) -> str:
    """The first fill colour of a mobject: `#RRGGBB`."""
    red, green, blue, _ = mobject.fill_rgbas[0].tolist()
    return _hex(red, green, blue)


def stroke_of(mobject: VMobject) -> str:
    """The first stroke colour of a mobject: `#RRGGBB`."""
    red, green, blue, _ = mobject.stroke_rgbas[0].tolist()
    return _hex(red, green, blue)


@cache
def _defaults() -> dict[str, Any]:
    """The attributes of a path made without arguments."""
    return vars(VMobject())


def _rgba(color: _Color, opacity: float, usual: NDArray[np.float64]) -> NDArray[np.float64]:
    """A colour with an opacity as a new array, (1, 4)."""
    rgba = usual.copy()
    if color is not None:
        rgba[0, :3] = _rgb(color)
    rgba[0, 3] = opacity
    return rgba


def _ends(piece: Mobject) -> NDArray[np.float64]:
    """The start and end points of the curves of one piece, (N, 3), in order."""
    points: NDArray[np.float64] = piece.points
    if isinstance(piece, VMobject) and len(points) % 4 == 0:
        return points.reshape(-1, 4, 3)[:, ::3].reshape(-1, 3)
    return np.asarray(piece.get_anchors() if isinstance(piece, VMobject) else points)


@lru_cache(maxsize=4096)
def _hex(red: float, green: float, blue: float) -> str:
    return ManimColor((red, green, blue)).to_hex().upper()[:7]


def _rgb(color: str | ManimColor) -> NDArray[np.float64]:
    return _parse_color(color) if isinstance(color, str) else np.asarray(color.to_rgb())


@lru_cache(maxsize=4096)
def _parse_color(color: str) -> NDArray[np.float64]:
    return np.asarray(ManimColor(color).to_rgb())
