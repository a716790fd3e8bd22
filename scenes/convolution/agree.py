"""Frames around the pixels at which a picture and its copy both have ink."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.cell_outlines import draw_around
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Picture, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import theme

_RECTANGLE = 16


class Agree(Picture):
    """Around every pixel at which a product, (H, W), is not 0, in each of several matrices."""

    def __init__(self, products: Value, *matrices: Matrix) -> None:
        super().__init__(products)
        self._matrices = matrices
        color = theme().text_color("value")
        self.paths = [VMobject(stroke_color=color, stroke_width=5) for _ in matrices]
        self.add(*self.paths)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the frames."""
        blocks = [(float(i), float(j), 1, 1) for i, j in np.argwhere(state)]
        for path, matrix in zip(self.paths, self._matrices, strict=True):
            draw_around(path, matrix.lattice, blocks)

    def come(self, *, run_time: float = 1.0) -> Drive:
        """Let the frames appear."""
        return self._fade(0.0, 1.0, run_time)

    def go(self, *, run_time: float = 0.4) -> Drive:
        """Let them fade."""
        return self._fade(1.0, 0.0, run_time)

    def readings(self) -> Iterator[Reading]:
        """Whether a frame stands around each pixel: none where the product is 0."""
        for path, matrix in zip(self.paths, self._matrices, strict=True):
            if not is_visible(path):
                continue
            boxes = path.points.reshape(-1, _RECTANGLE, 3)
            middles = (boxes.min(axis=1) + boxes.max(axis=1)) / 2
            framed = {matrix.lattice.nearest(middle) for middle in middles}
            for i, j in np.ndindex(*self.state.shape):
                is_meant = bool(self.state[i, j])
                if ((i, j) in framed) != is_meant:
                    yield Reading(self.shown[i, j], "no frame" if is_meant else "a frame")

    def _fade(self, start: float, end: float, run_time: float) -> Drive:
        def show(seen: NDArray[np.float64]) -> None:
            for path in self.paths:
                path.set_stroke(opacity=float(seen))

        return Drive(self, show, start, end, run_time=run_time)
