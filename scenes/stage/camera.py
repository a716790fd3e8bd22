"""A camera that looks closer at the canvas, while title and sentences stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Camera, Mobject
from numpy.typing import NDArray

from scenes.style.motion import Drive


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

    def transform_points_pre_display(self, mobject: Mobject, points: Any) -> Any:
        """Points as the view shows them."""
        points = super().transform_points_pre_display(mobject, points)
        if self.view is None or is_fixed(mobject):
            return points
        return self.view.project(points, self.middle)


class Look(Drive):
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
