"""The way out of a transformer: the last row, U, and a bar for each word."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.logit_lens import LensedBlock
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.tile_shapes import rounded
from clockhead.scenes.stage import Size, Stage
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import SMALL

_STRIP, _BOX, _UNDER = 0.8, 0.46, 0.2
"""The width that U stands in, the side of its box, and how far under it its shape is written."""
_LEAST = 0.5
"""The least width of the bars."""
_AWAY, _LOW = 0.14, 0.42
"""How far a line keeps away from what it leads around, and U from the lower edge, in units."""


class WayOut(VGroup):
    """U in a box, and to its right the probabilities of all words."""

    most = Size(math.inf, math.inf)

    def __init__(self, stage: Stage, *, numbered: bool = True) -> None:
        super().__init__()
        self._block: LensedBlock = stage.values
        block, look = self._block, theme()
        top = float(block.run.probabilities.max())
        names = slots(stage["vocabulary"], down=True)
        self.chart = Chart(Scale(0.0, top), names, least=(_LEAST, 2.0), most=(3.0, 4.5))
        self.bars = Bars(
            stage["run.probabilities"],
            self.chart,
            "token",
            spec=".1%" if numbered else None,
            numbered=[block.prediction],
            grown=False,
        )
        self.box = VMobject(stroke_color=look.hairline, stroke_width=2)
        self.box.set_fill(look.panel, 1)
        self.sign = Formula("U", size=26.0)
        text = f"{block.d_model} × {block.n_vocab}"
        self.shape = Label(text, size=SMALL, color=look.muted)
        self.wire = VMobject(stroke_color=look.residual, stroke_width=2)
        self.add(self.wire, self.box, self.sign, self.shape)

    @property
    def least(self) -> Size:
        least = self.chart.least
        return Size(_STRIP + least.width, least.height)

    def place(self, region: Region) -> None:
        """Draw the bars in a region; U and the line to it wait to be connected."""
        self._region = region
        self.chart.place(Region(region.left + _STRIP, region.bottom, region.right, region.top))

    def connect(self, start: NDArray[np.float64]) -> None:
        """Let the line begin at a point, at the left of U or above it."""
        room = self._region
        x = self.chart.y.get_left()[0] - _STRIP / 2
        y = float(np.clip(start[1], room.bottom + _LOW, room.top - _BOX))
        self.box.set_points(rounded(_BOX, _BOX) + np.array([x, y, 0.0]))
        self.sign.move_to(self.box)
        self.shape.center_on(np.array([x, y - _BOX / 2 - _UNDER, 0.0]))
        left, right = x - _BOX / 2, x + _BOX / 2
        corners: list[Sequence[float]] = [start.tolist()]
        if start[1] > room.top:  # down and back to where it comes in from above
            over, aside = room.top + _AWAY, start[0] + _AWAY / 2
            corners += [[aside, start[1], 0.0], [aside, over, 0.0], [x, over, 0.0]]
            corners.append([x, y + _BOX / 2, 0.0])
        else:
            corners.append([left, y, 0.0])
        points = np.array(corners, dtype=float)
        out = np.array([[right, y, 0.0], [right + _AWAY, y, 0.0]])
        self.wire.set_points(
            np.concatenate([straight(points[:-1], points[1:]), straight(out[:1], out[1:])])
        )

    @property
    def region(self) -> Region:
        """Where U stands."""
        x, y, _ = self.box.get_center()
        half = _BOX / 2
        return Region(x - half, y - half, x + half, y + half)
