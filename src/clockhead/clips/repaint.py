"""A camera that redraws only those areas of the last frame in which something changed.

Manim draws every moving mobject into every frame. Here each piece keeps its outline and its paint.
Where a piece has changed, is new or is gone, an area of the frame is cleared, and all pieces that
overlap it are drawn again in their order. The pixels are those that Manim would have drawn
(`tests/scenes/test_repaint.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import ceil, floor
from typing import Any

import cairo
import numpy as np
from manim import Mobject, VMobject
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP
from numpy.typing import NDArray

from clockhead.clips.areas import NOWHERE, Area, boxes_in, merge_areas, widen_areas
from clockhead.scenes.stage.camera import StageCamera, is_fixed
from clockhead.scenes.style.placed_picture import PixelShape, paint_pattern

_CURVE = 4
"""Number of points of a cubic curve."""
_RELATIVE = 1e-5
"""Manim's relative tolerance for equal points."""
_STEADY_FRAMES, _MIN_GAIN = 3, 4
"""A new layer is drawn when it would have that many more pieces, unchanged for that many frames."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Colour (in cairo's order), width in units, joins and caps of a line."""

    color: tuple[float, ...]
    width: float
    join: cairo.LineJoin
    cap: cairo.LineCap

    def apply(self, context: cairo.Context[Any]) -> None:
        """Have a context draw with it."""
        context.set_source_rgba(*self.color)
        context.set_line_width(self.width)
        context.set_line_join(self.join)
        context.set_line_cap(self.cap)


@dataclass(frozen=True, slots=True, eq=False)
class PaintedMobject:
    """A mobject as it looks in one frame; if it changes, it becomes another piece."""

    mobject: Mobject
    shape: Any
    """All that its outline depends on."""
    paint: Any
    """All else that its pixels depend on, such as colours."""
    area: Area
    """The pixels that it may change."""
    path: Any = None
    """Its outline as a path of cairo; None if Manim has to draw it."""
    below: Stroke | None = None
    """A stroke under the fill."""
    fill: tuple[float, ...] | None = None
    erases: bool = False
    """Whether its fill erases what lies under it."""
    stroke: Stroke | None = None
    pattern: cairo.SurfacePattern | None = None
    """What fills it instead of a colour, if it has pixels."""
    opacity: float = 1.0
    """Of the pattern."""

    def draw(self, context: cairo.Context[Any]) -> None:
        """Draw it in the order in which Manim draws fill and strokes."""
        context.new_path()
        context.append_path(self.path)
        if self.pattern:
            paint_pattern(context, self.pattern, self.opacity)
        if self.below:
            self.below.apply(context)
            context.stroke_preserve()
        if self.fill:
            context.set_source_rgba(*self.fill)
            context.set_operator(cairo.OPERATOR_DEST_OUT if self.erases else cairo.OPERATOR_OVER)
            context.fill_preserve()
            context.set_operator(cairo.OPERATOR_OVER)
        if self.stroke:
            self.stroke.apply(context)
            context.stroke_preserve()


class RepaintCamera(StageCamera):
    """Redraws the areas of the frame that change."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pieces: list[PaintedMobject] = []
        self._known: dict[int, PaintedMobject] = {}
        self._ground: Any = None
        self._below: NDArray[np.uint8] | None = None
        """A frame of the `_n_below` lowest pieces, drawn once for many frames."""
        self._n_below = 0
        self._least: list[int] = []
        self._context: cairo.Context[Any] = self.get_cairo_context(self.pixel_array)

    def freeze(self, mobjects: Iterable[Mobject]) -> list[PaintedMobject]:
        """The pieces of mobjects as they look now, in the order in which they are drawn."""
        return [self._piece(mobject) for mobject in self._members(mobjects)]

    def repaint(self, frozen: Sequence[PaintedMobject], mobjects: Iterable[Mobject]) -> list[Area]:
        """Draw frozen pieces and these mobjects over them, and return the areas that changed."""
        pieces = [*frozen, *self.freeze(mobjects)]
        areas = self._changes(pieces)
        pairs = zip(self._pieces, pieces, strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs)) if areas else 0
        self._pieces = pieces
        self._known = {id(piece.mobject): piece for piece in pieces}
        if not areas:
            return []
        below = self._frame_below(alike, pieces)
        width, height = self.pixel_width, self.pixel_height
        over = [piece for piece in pieces[self._n_below :] if not piece.area.is_empty]
        boxes = np.array([piece.area for piece in over], np.int64).reshape(-1, 4)
        changed = merge_areas(areas, width, height)
        for area in widen_areas(changed, boxes, width):
            self.pixel_array[area.slices] = below[area.slices]
            self._draw_in(area, [over[i] for i in boxes_in(area, boxes)])
        return changed

    def _members(self, mobjects: Iterable[Mobject]) -> list[Mobject]:
        """All members of mobjects that have points, in the order in which Manim draws them."""
        found: list[Mobject] = []
        for mobject in mobjects:
            _collect(mobject, found)
        once = {id(mobject): mobject for mobject in reversed(found)}
        if len(once) < len(found):  # Manim draws the last of duplicates
            found = list(once.values())[::-1]
        if any(mobject.z_index for mobject in found):
            found.sort(key=lambda mobject: mobject.z_index)
        return found

    # What a mobject looks like

    def _piece(self, mobject: Mobject) -> PaintedMobject:
        """A mobject as it looks now: the same piece as in the last frame if it has not changed."""
        if not isinstance(mobject, VMobject) or not _is_plain(mobject):
            # Manim draws it, anew in every frame.
            whole = Area(0, 0, self.pixel_width, self.pixel_height)
            return PaintedMobject(mobject, object(), object(), whole)
        known = self._known.get(id(mobject))
        view = None if self.view is None or is_fixed(mobject) else self.view
        shape, paint = (mobject.points.tobytes(), view), _paint(mobject)
        if known is None or known.shape != shape:
            return self._make_piece(mobject, shape, paint, None)
        return (
            known if known.paint == paint else self._make_piece(mobject, shape, paint, known.path)
        )

    def _make_piece(self, mobject: VMobject, shape: Any, paint: Any, path: Any) -> PaintedMobject:
        context = self._context
        if path is None:
            context.new_path()
            self._outline(context, mobject)
            path = context.copy_path()
        else:
            context.new_path()
            context.append_path(path)
        below = self._stroke(mobject, mobject.background_stroke_rgbas, background=True)
        stroke = self._stroke(mobject, mobject.stroke_rgbas, background=False)
        fill, pattern, opacity = _color(mobject.fill_rgbas), None, 1.0
        extents = [context.path_extents()] if fill else []
        if fill and isinstance(mobject, PixelShape):
            pattern, opacity, fill = self.pattern_of(context, mobject), mobject.opacity, None
        for pen in filter(None, (below, stroke)):
            pen.apply(context)
            extents.append(context.stroke_extents())
        erases = fill is not None and self.takes_away(mobject)
        area = self._pixels(extents)
        return PaintedMobject(
            mobject, shape, paint, area, path, below, fill, erases, stroke, pattern, opacity
        )

    def _outline(self, context: cairo.Context[Any], mobject: VMobject) -> None:
        """Give a context the path of a mobject, as Manim does, finding its breaks all at once."""
        points = self.transform_points_pre_display(mobject, mobject.points)
        if len(points) % _CURVE:
            self.set_cairo_context_path(context, mobject)
            return
        curves = points[:, :2].reshape(-1, _CURVE, 2)
        starts, ends = curves[:, 0], curves[:, 3]
        nearness = mobject.tolerance_for_point_equality
        breaks = np.flatnonzero(~_coincide(ends[:-1], starts[1:], nearness)) + 1
        lasts = np.append(breaks, len(curves))
        firsts = np.concatenate([[0], breaks])
        closed = _coincide(starts[firsts], ends[lasts - 1], nearness)
        begins, steps = curves[firsts, 0].tolist(), curves[:, 1:].reshape(-1, 6).tolist()
        first, curve_to = 0, context.curve_to
        for begin, last, closes in zip(begins, lasts.tolist(), closed.tolist(), strict=True):
            context.move_to(*begin)
            for step in steps[first:last]:
                curve_to(*step)
            if closes:
                context.close_path()
            first = last

    def _stroke(
        self, mobject: VMobject, rgbas: NDArray[np.float64], *, background: bool
    ) -> Stroke | None:
        width, color = mobject.get_stroke_width(background), _color(rgbas)
        if not width or color is None:
            return None
        join, cap = LINE_JOIN_MAP[mobject.joint_type], CAP_STYLE_MAP[mobject.cap_style]
        return Stroke(color, width * self.cairo_line_width_multiple, join, cap)

    def _pixels(self, extents: Sequence[tuple[float, float, float, float]]) -> Area:
        """The area around extents, which are in units of the frame."""
        if not extents:
            return NOWHERE
        matrix = self._context.get_matrix()
        edges = np.array(extents)
        left, top = matrix.transform_point(edges[:, 0].min(), edges[:, 3].max())
        right, bottom = matrix.transform_point(edges[:, 2].max(), edges[:, 1].min())
        around = Area(floor(left) - 1, floor(top) - 1, ceil(right) + 1, ceil(bottom) + 1)
        return around.within(self.pixel_width, self.pixel_height)

    # What changed

    def _changes(self, pieces: Sequence[PaintedMobject]) -> list[Area]:
        """Areas in which the current frame differs from one with these pieces."""
        if self._ground is not self.background:
            self._ground = self.background
            self._below = None
            return [Area(0, 0, self.pixel_width, self.pixel_height)]
        before, now = set(self._pieces), set(pieces)
        if [p for p in self._pieces if p in now] != [p for p in pieces if p in before]:
            return [Area(0, 0, self.pixel_width, self.pixel_height)]  # some changed places
        return [piece.area for piece in before ^ now]

    # Drawing

    def _frame_below(self, alike: int, pieces: Sequence[PaintedMobject]) -> NDArray[np.uint8]:
        """A frame of some of the first `alike` pieces, which are the same as in the last frame.

        It is drawn again when that pays off.
        """
        known = sum(1 for _ in takewhile(lambda piece: piece.path is not None, pieces[:alike]))
        self._least = [*self._least, known][-_STEADY_FRAMES:]
        steady = min(self._least)
        if self._below is None or self._n_below > alike:
            steady = 0
        elif len(self._least) < _STEADY_FRAMES or steady < self._n_below + _MIN_GAIN:
            return self._below
        self._n_below = steady
        self._below = self._ground.copy()
        surface = cairo.ImageSurface.create_for_data(
            self._below.data, cairo.FORMAT_ARGB32, self.pixel_width, self.pixel_height
        )
        context = cairo.Context(surface)
        context.set_matrix(self._context.get_matrix())
        for piece in pieces[:steady]:
            piece.draw(context)
        surface.finish()
        return self._below

    def _draw_in(self, area: Area, pieces: Iterable[PaintedMobject]) -> None:
        """Draw the parts of pieces that are in an area."""
        context = self._context
        context.save()
        matrix = context.get_matrix()
        context.identity_matrix()
        context.new_path()
        context.rectangle(area.left, area.top, area.width, area.height)
        context.clip()
        context.set_matrix(matrix)
        for piece in pieces:
            if piece.path is not None:
                piece.draw(context)
            else:  # its area is the whole frame
                draw = self.display_funcs[self.type_or_raise(piece.mobject)]
                draw([piece.mobject], self.pixel_array)
        context.restore()


def _coincide(
    points: NDArray[np.float64], others: NDArray[np.float64], nearness: float
) -> NDArray[np.bool_]:
    """Whether Manim counts points, (N, 2), as equal to others: (N,)."""
    near = np.abs(points - others) <= nearness + _RELATIVE * np.abs(others)
    return near[:, 0] & near[:, 1]


def _color(rgbas: NDArray[np.float64]) -> tuple[float, ...] | None:
    """A colour in cairo's order, blue first, or None if it is transparent."""
    if not len(rgbas) or not rgbas[0, 3]:
        return None
    red, green, blue, alpha = rgbas[0].tolist()
    return blue, green, red, alpha


def _collect(mobject: Mobject, into: list[Mobject]) -> None:
    if len(mobject.points):
        into.append(mobject)
    for part in mobject.submobjects:
        _collect(part, into)


def _is_plain(mobject: VMobject) -> bool:
    """Whether its pixels depend on nothing but its points, one fill colour and its strokes."""
    return (
        len(mobject.fill_rgbas) == len(mobject.stroke_rgbas) == 1
        and len(mobject.background_stroke_rgbas) <= 1
        and mobject.get_background_image() is None
    )


def _paint(mobject: VMobject) -> Any:
    return (
        mobject.fill_rgbas.tobytes(),
        mobject.stroke_rgbas.tobytes(),
        mobject.background_stroke_rgbas.tobytes(),
        mobject.stroke_width,
        mobject.background_stroke_width,
        mobject.joint_type,
        mobject.cap_style,
        mobject.content if isinstance(mobject, PixelShape) else None,
    )
