"""A card of the heads board: the small pattern of a head, its name, a switch and a result."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.tile_shapes import Box, rounded
from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import mix, theme
from clockhead.scenes.style.type import LABEL, SMALL

Head = tuple[int, int]
"""A layer and a head of it."""

PAD, ASIDE = 0.1, 0.94
"""Around what is on a card, and the width of what stands beside a pattern, air and all."""
_BAND = 0.3
"""The height of a line of words."""
_SWITCH, _RIM = Size(0.5, 0.25), 0.04


class Switch(VGroup):
    """A small switch, on or off."""

    def __init__(self) -> None:
        super().__init__()
        self.pill = VMobject(stroke_width=2, fill_opacity=1)
        self.knob = VMobject(stroke_width=0, fill_opacity=1)
        self.add(self.pill, self.knob)
        self.on = 1.0
        """How far it is on, 0 to 1."""
        self._middle = np.zeros(3)

    def stand(self, middle: NDArray[np.float64]) -> None:
        """Stand around a point."""
        self._middle = np.asarray(middle, dtype=float)
        self.turn(self.on)

    def turn(self, on: float) -> None:
        """Be so far on."""
        look, self.on = theme(), on
        width, height = _SWITCH.width, _SWITCH.height
        self.pill.set_points(rounded(width, height, height / 2) + self._middle)
        side, way = height - 2 * _RIM, (on - 0.5) * (width - height)
        self.knob.set_points(rounded(side, side, side / 2) + self._middle + [way, 0.0, 0.0])
        lit = mix(look.panel, look.attention, 0.75)
        self.pill.set_fill(mix(look.ground, lit, on)).set_stroke(mix(look.muted, lit, on))
        self.knob.set_fill(mix(look.muted, look.ink_on(lit), on))

    @property
    def reads(self) -> float:
        """How far it is on, from where its knob lies in its pill: 0 to 1."""
        low, high = float(self.pill.points[:, 0].min()), float(self.pill.points[:, 0].max())
        knob = self.knob.points[:, 0]
        return float((knob.min() - low - _RIM) / (high - low - np.ptp(knob) - 2 * _RIM))


class HeadCard(VGroup):
    """A card: the pattern of a head, and beside it its name, a switch and a result, if it has any.

    The result waits unseen.
    """

    def __init__(
        self, head: Head, pattern: Matrix, *, switch: bool, result: Figure | None = None
    ) -> None:
        super().__init__()
        self.head, self.pattern, self.result = head, pattern, result
        self.box = Box()
        self.box.set_fill(theme().panel, 1).set_stroke(theme().hairline, 2).set_z_index(-1)
        self.title = Label(f"head {head[1]}", size=LABEL, color=theme().muted, align="center")
        self.switch = Switch() if switch else None
        self.add(self.box, self.title, pattern, *([self.switch] if self.switch else []))
        if result:
            self.add(result.set_fill(opacity=0))

    def stand(self, region: Region, cells: Region) -> None:
        """Fill a region, the cells of the pattern another one in it."""
        self.region = region
        self.pattern.place_cells(cells, size=SMALL)
        self.box.set_points(rounded(region.width, region.height) + region.center)
        aside = Region(cells.right, region.bottom, region.right, region.top).inset(0.0, PAD)
        self.title.center_on(aside.cut_top(_BAND, 0.0)[0].center)
        if self.switch:
            self.switch.stand(aside.center)
        if self.result:
            self.result.place(aside.cut_bottom(_BAND, 0.0)[0])
