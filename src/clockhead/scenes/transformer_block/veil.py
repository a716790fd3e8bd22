"""What lies over cells that do not take part, so that those that do are seen alone."""

from __future__ import annotations

import numpy as np
from manim import VMobject

from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_THICK = 0.72


class Veil(VMobject):
    """Dims what lies in some regions, once it has been drawn; the words beside are left alone."""

    def __init__(self, *regions: Region) -> None:
        super().__init__(stroke_width=0, fill_color=theme().ground, fill_opacity=0)
        edges = np.array([[r.left, r.bottom, r.right, r.top] for r in regions]).reshape(-1, 4)
        self.set_points(rectangles(*edges.T))

    def draw(self, *, run_time: float = 0.6) -> Drive:
        """Let it come down."""
        return self._to(_THICK, run_time)

    def lift(self, *, run_time: float = 0.6) -> Drive:
        """Let it go."""
        return self._to(0.0, run_time)

    def _to(self, thick: float, run_time: float) -> Drive:
        def show(opacity: np.ndarray) -> None:
            self.set_fill(opacity=float(opacity))

        return Drive(self, show, self.get_fill_opacity(), thick, run_time=run_time)
