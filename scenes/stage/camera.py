"""A camera that can zoom into the canvas, while title and sentences stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import hypot
from typing import Any, Self

import cairo
import numpy as np
from manim import Camera, ManimColor, Mobject, VMobject, config
from numpy.typing import NDArray

from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.placed_picture import PixelShape, paint_pattern
from clockhead.scenes.style.raster import Raster
from clockhead.scenes.style.text import Label

CLOSEST = 4.0
"""Largest zoom."""
FURTHEST = 1.1
"""Smallest zoom that is worth a move."""
_FILLED = 0.94
"""Largest fraction of the canvas that a target fills."""
_SMALL = 0.1
"""Smallest size that is assumed for a target, in units."""
_POSITIONS = np.array(sorted(product((0, -0.5, 0.5, -1, 1), repeat=2), key=lambda way: hypot(*way)))
"""Possible positions of a target in its view: 0 is the middle, 1 the edge."""


@dataclass(frozen=True, slots=True)
class View:
    """A view of the canvas: the point `focus` is in the middle, magnified by `zoom`."""

    focus: tuple[float, float]
    zoom: float

    def project(
        self, points: NDArray[np.float64], middle: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Positions in the picture of points (N, 3) of the canvas, whose middle is `middle`."""
        moved = points.copy()
        moved[:, :2] = (points[:, :2] - self.focus) * self.zoom + middle[:2]
        return moved


class StageCamera(Camera):
    """Manim's camera with a view of the canvas; mobjects that are `fix`ed do not move with it."""

    is_swapped = True
    """Whether red and blue are swapped: its pixels are RGBA, cairo's are BGRA."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.view: View | None = None
        """None for the whole canvas."""
        self.middle = np.zeros(3)

    def init_background(self) -> None:
        """Make the background fully transparent if it is not opaque.

        Manim keeps the background's colour in transparent pixels. Cairo's colours are premultiplied
        by the opacity, so the edges of everything drawn there would be too light.
        """
        super().init_background()
        if not self.background_opacity:
            self.background = np.zeros_like(self.background)

    def transform_points_pre_display(self, mobject: Mobject, points: Any) -> Any:
        """Points as seen in the view."""
        points = super().transform_points_pre_display(mobject, points)
        if self.view is None or is_fixed(mobject):
            return points
        return self.view.project(points, self.middle)

    def apply_fill(self, ctx: Any, vmobject: VMobject) -> Self:
        """Fill a mobject; one in the colour of a transparent background erases what is below."""
        if isinstance(vmobject, PixelShape):
            paint_pattern(ctx, self.pattern_of(ctx, vmobject), vmobject.opacity)
            return self
        if not self.takes_away(vmobject):
            return super().apply_fill(ctx, vmobject)
        ctx.set_operator(cairo.OPERATOR_DEST_OUT)
        super().apply_fill(ctx, vmobject)
        ctx.set_operator(cairo.OPERATOR_OVER)
        return self

    def pattern_of(self, ctx: Any, picture: PixelShape) -> cairo.SurfacePattern:
        """The pattern of a mobject that is filled with pixels."""
        points = self.transform_points_pre_display(picture, picture.points)
        return picture.pattern(ctx, points, swapped=self.is_swapped)

    def takes_away(self, vmobject: VMobject) -> bool:
        """Whether a fill erases what is below it: one in the colour of a transparent background."""
        return not self.background_opacity and _is_ground(vmobject, self.background_color)


class BlindCamera(StageCamera):
    """A camera without pixels, for playing without drawing."""

    def init_background(self) -> None:
        """Make a background of a single pixel."""
        self.background = np.zeros((1, 1, self.n_channels), self.pixel_array_dtype)


class StillCamera(BlindCamera):
    """A camera that draws onto any surface of cairo's.

    Manim's own pixels are RGBA and cairo's are BGRA, so Manim's camera swaps red and blue.
    """

    is_swapped = False
    draws_areas = False
    """Whether cells are drawn as areas, for files that must not contain pixels."""

    def apply_fill(self, ctx: Any, vmobject: VMobject) -> Self:
        """Fill a mobject; cells as areas if `draws_areas` is set."""
        if not (self.draws_areas and isinstance(vmobject, Raster)):
            return super().apply_fill(ctx, vmobject)
        points = self.transform_points_pre_display(vmobject, vmobject.points)[:, :2]
        n_rows, n_columns = vmobject.colors.shape[:2]
        across, down = (points[4] - points[0]) / n_columns, (points[11] - points[0]) / n_rows
        for color, runs in vmobject.areas():
            ctx.new_path()
            for row, column, width in runs.tolist():
                x, y = points[0] + column * across + row * down
                ctx.rectangle(x, y, width * across[0], down[1])
            red, green, blue, opacity = (color / 255).tolist()
            ctx.set_source_rgba(red, green, blue, opacity * vmobject.opacity)
            ctx.fill()
        return self

    def set_cairo_context_color(self, ctx: Any, rgbas: Any, vmobject: VMobject) -> Self:
        """Set the colours without swapping red and blue."""
        super().set_cairo_context_color(ctx, np.asarray(rgbas)[:, [2, 1, 0, 3]], vmobject)
        return self


def _is_ground(vmobject: VMobject, ground: ManimColor) -> bool:
    """Whether a mobject is filled with the background colour, as plates under words are."""
    fill = vmobject.get_fill_rgbas()
    return bool(fill[0, 3] > 0 and np.allclose(fill[:, :3], ground.to_rgb(), atol=1 / 255))


class CameraMove(Drive):
    """Animation of the camera to another view; None is the whole canvas."""

    def __init__(
        self, camera: StageCamera, anchor: Mobject, view: View | None, *, run_time: float
    ) -> None:
        self._camera, self._view = camera, view
        whole = View((float(camera.middle[0]), float(camera.middle[1])), 1.0)
        start, end = camera.view or whole, view or whole
        super().__init__(
            anchor,
            self._show,
            [*start.focus, np.log(start.zoom)],
            [*end.focus, np.log(end.zoom)],
            run_time=run_time,
        )

    def _show(self, state: NDArray[np.float64]) -> None:
        self._camera.view = View((float(state[0]), float(state[1])), float(np.exp(state[2])))

    def finish(self) -> None:
        """Set the final view exactly, or None for the whole canvas."""
        super().finish()
        self._camera.view = self._view


def fix(mobject: Mobject) -> None:
    """Keep a mobject fixed on the frame, whatever the camera's view."""
    for member in mobject.get_family():
        member.__dict__["fixed_on_frame"] = True


def is_fixed(mobject: Mobject) -> bool:
    """Whether a mobject is fixed on the frame."""
    return bool(mobject.__dict__.get("fixed_on_frame", False))


def region_of(*targets: Mobject | Region) -> Region:
    """The smallest region that contains all of these."""
    boxes = [
        target if isinstance(target, Region) else Region.around(target.get_all_points())
        for target in targets
    ]
    return Region(
        min(box.left for box in boxes),
        min(box.bottom for box in boxes),
        max(box.right for box in boxes),
        max(box.top for box in boxes),
    )


def closest_view(
    canvas: Region, target: Region, words: Sequence[Label], closest: float = CLOSEST
) -> View | None:
    """The closest view of a whole target that cuts off no word; None if it does not fit.

    The target is in the middle of the view, or as far from it as words require.
    """
    room = min(
        _FILLED * canvas.width / max(target.width, _SMALL),
        _FILLED * canvas.height / max(target.height, _SMALL),
    )
    each = [Region.around(word.points) for word in words]
    boxes = np.array([[box.left, box.bottom, box.right, box.top] for box in each])
    for zoom in np.linspace(min(closest, room), FURTHEST, 24) if room > FURTHEST else ():
        spare = np.array([canvas.width / zoom - target.width, canvas.height / zoom - target.height])
        for way in _POSITIONS:
            view = View(tuple((target.center[:2] + way * spare / 2).tolist()), float(zoom))
            if not _cuts(canvas, view, boxes):
                return view
    return None


def _cuts(canvas: Region, view: View, boxes: NDArray[np.float64]) -> bool:
    """Whether a view shows only a part of one of these boxes (n, 4)."""
    if not len(boxes):
        return False
    half = config.frame_width / 2
    low, high = np.array([-half, canvas.bottom]), np.array([half, canvas.top])
    corners = view.project(np.pad(boxes.reshape(-1, 2), ((0, 0), (0, 1))), canvas.center)
    left, right = corners[::2, :2], corners[1::2, :2]
    enters = ((left < high) & (right > low)).all(axis=1)
    is_whole = ((left >= low) & (right <= high)).all(axis=1)
    return bool((enters & ~is_whole).any())
