"""How close the camera may go."""

from __future__ import annotations

import numpy as np
from manim import Mobject, config

from scenes.stage import Stage
from scenes.stage.camera import View
from scenes.stage.shown import is_visible
from scenes.style.text import Label

_CLOSEST, _FURTHEST = 2.2, 1.1


def zoom_on(stage: Stage, part: Mobject, around: Mobject, *, whole: bool = False) -> float:
    """The largest zoom on a part at which the view's edge cuts no word of what is around it.

    With `whole`, all of the part is seen, margins kept.
    """
    labels = [
        piece
        for piece in around.family_members_with_points()
        if isinstance(piece, Label) and is_visible(piece)
    ]
    zooms = np.linspace(_CLOSEST, _FURTHEST, 23)
    room = stage.canvas
    most = min(room.width / part.width, room.height / part.height) if whole else _CLOSEST
    fits = (float(z) for z in zooms if z <= most and not _cuts(stage, part, labels, float(z)))
    return next(fits, 1.0)


def _cuts(stage: Stage, part: Mobject, labels: list[Label], zoom: float) -> bool:
    x, y, _ = part.get_center()
    view, half = View((float(x), float(y)), zoom), config.frame_width / 2
    low = np.array([-half, stage.canvas.bottom])
    high = np.array([half, stage.canvas.top])
    for label in labels:
        points = view.project(label.points, stage.canvas.center)[:, :2]
        left, right = points.min(axis=0), points.max(axis=0)
        enters = (left < high).all() and (right > low).all()
        if enters and not ((left >= low).all() and (right <= high).all()):
            return True
    return False
