"""A camera that looks closer at the canvas, while title and sentences stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import cairo
import numpy as np
from manim import Camera, ManimColor, Mobject, VMobject, config
from numpy.typing import NDArray

from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label

_CLOSEST, _FURTHEST = 2.2, 1.1
"""How far the camera pushes in at most, and at least if it does."""


@dataclass(frozen=True, slots=True)
class View:
    """What the camera looks at: the point `focus` stands in the middle of the canvas, enlarged."""

    focus: tuple[float, float]
    zoom: float

    def project(
        self, points: NDArray[np.float64], middle: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Where points (N, 3) of the canvas are seen, its middle being `middle`."""
        moved = points.copy()
        moved[:, :2] = (points[:, :2] - self.focus) * self.zoom + middle[:2]
        return moved


class StageCamera(Camera):
    """Manim's camera with a view of the canvas; what is `fix`ed does not move with it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.view: View | None = None
        """None while the whole canvas is seen as it is."""
        self.middle = np.zeros(3)

    def init_background(self) -> None:
        """Nothing at all where there is no ground.

        Manim leaves the ground's colour there, in pixels that cover nothing. Cairo's colours are
        multiplied by what they cover, so the edges of all that is drawn over it would be too light.
        """
        super().init_background()
        if not self.background_opacity:
            self.background = np.zeros_like(self.background)

    def transform_points_pre_display(self, mobject: Mobject, points: Any) -> Any:
        """Points as the view shows them."""
        points = super().transform_points_pre_display(mobject, points)
        if self.view is None or is_fixed(mobject):
            return points
        return self.view.project(points, self.middle)

    def apply_fill(self, ctx: Any, vmobject: VMobject) -> Self:
        """Fill a mobject; without a ground, what has its colour takes away what lies under it."""
        if not self.takes_away(vmobject):
            return super().apply_fill(ctx, vmobject)
        ctx.set_operator(cairo.OPERATOR_DEST_OUT)
        super().apply_fill(ctx, vmobject)
        ctx.set_operator(cairo.OPERATOR_OVER)
        return self

    def takes_away(self, vmobject: VMobject) -> bool:
        """Whether a fill clears what lies under it: the ground's colour, where there is none."""
        return not self.background_opacity and _is_ground(vmobject, self.background_color)


class BlindCamera(StageCamera):
    """Looks where it should and has no pixels."""

    def init_background(self) -> None:
        """There is none."""
        self.background = np.zeros((1, 1, self.n_channels), self.pixel_array_dtype)


class StillCamera(BlindCamera):
    """Draws onto any surface of cairo's.

    Manim's own pixels are RGBA and cairo's are BGRA, so its camera exchanges red and blue.
    """

    def set_cairo_context_color(self, ctx: Any, rgbas: Any, vmobject: VMobject) -> Self:
        """Take the colours as they are."""
        super().set_cairo_context_color(ctx, np.asarray(rgbas)[:, [2, 1, 0, 3]], vmobject)
        return self


def _is_ground(vmobject: VMobject, ground: ManimColor) -> bool:
    """Whether a mobject is filled with the colour of the ground, as plates under words are."""
    fill = vmobject.get_fill_rgbas()
    return bool(fill[0, 3] > 0 and np.allclose(fill[:, :3], ground.to_rgb(), atol=1 / 255))


class CameraMove(Drive):
    """The camera on its way to another view; None is the whole canvas."""

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
        """Arrive exactly, and see the whole canvas as it is when that was the aim."""
        super().finish()
        self._camera.view = self._view


def fix(mobject: Mobject) -> None:
    """Keep a mobject where it is on the frame, however close the camera looks."""
    for member in mobject.get_family():
        member.__dict__["fixed_on_frame"] = True


def is_fixed(mobject: Mobject) -> bool:
    """Whether a mobject stays where it is on the frame."""
    return bool(mobject.__dict__.get("fixed_on_frame", False))


def zoom_on(canvas: Region, part: Mobject, around: Mobject, *, whole: bool = False) -> float:
    """The largest zoom on a part at which the view's edge cuts no word of what is around it.

    With `whole`, all of the part is seen, margins kept.
    """
    labels = [
        piece
        for piece in around.family_members_with_points()
        if isinstance(piece, Label) and is_visible(piece)
    ]
    zooms = np.linspace(_CLOSEST, _FURTHEST, 23)
    most = min(canvas.width / part.width, canvas.height / part.height) if whole else _CLOSEST
    fits = (float(z) for z in zooms if z <= most and not _cuts(canvas, part, labels, float(z)))
    return next(fits, 1.0)


def _cuts(canvas: Region, part: Mobject, labels: list[Label], zoom: float) -> bool:
    x, y, _ = part.get_center()
    view, half = View((float(x), float(y)), zoom), config.frame_width / 2
    low = np.array([-half, canvas.bottom])
    high = np.array([half, canvas.top])
    for label in labels:
        points = view.project(label.points, canvas.center)[:, :2]
        left, right = points.min(axis=0), points.max(axis=0)
        enters = (left < high).all() and (right > low).all()
        if enters and not ((left >= low).all() and (right <= high).all()):
            return True
    return False
