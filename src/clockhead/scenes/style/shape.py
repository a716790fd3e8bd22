"""What pictures are made of: single paths, and groups of them, coloured without a detour.

Manim makes a colour anew for every piece that wears it, six times while the piece is made. A film
has a dozen colours and thousands of pieces, so here a colour is worked out once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

import numpy as np
from manim import ManimColor, Mobject, VGroup, VMobject
from numpy.typing import NDArray


class Shape(VMobject):
    """One path; in every respect Manim's own."""

    def init_colors(self, propagate_colors: bool = True) -> Self:
        """Take on the opacities that were given; the colour it has already."""
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
        """It and all its parts, and theirs; most pieces have none."""
        return super().get_family(recurse) if self.submobjects else [self]


class Shapes(VGroup, Shape):
    """Several of them."""


def fill_of(mobject: VMobject) -> str:
    """The colour that a mobject is filled with, the first of several: `#RRGGBB`."""
    red, green, blue, _ = mobject.fill_rgbas[0].tolist()
    return _hex(red, green, blue)


def stroke_of(mobject: VMobject) -> str:
    """The colour of a mobject's line, the first of several: `#RRGGBB`."""
    red, green, blue, _ = mobject.stroke_rgbas[0].tolist()
    return _hex(red, green, blue)


@lru_cache(maxsize=4096)
def _hex(red: float, green: float, blue: float) -> str:
    return ManimColor((red, green, blue)).to_hex().upper()[:7]


def _rgb(color: str | ManimColor) -> NDArray[np.float64]:
    return _read(color) if isinstance(color, str) else np.asarray(color.to_rgb())


@lru_cache(maxsize=4096)
def _read(color: str) -> NDArray[np.float64]:
    return np.asarray(ManimColor(color).to_rgb())
