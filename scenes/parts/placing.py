"""Putting a picture where it belongs: from a corner, under another, or over what runs behind it."""

from __future__ import annotations

import numpy as np
from manim import DOWN, LEFT, UP, Mobject, Rectangle, VGroup
from numpy.typing import NDArray

from scenes.style.text import Label
from scenes.style.theme import theme


def hang(mobject: Mobject, corner: NDArray[np.float64]) -> None:
    """Hang a picture from its top left corner."""
    mobject.shift(corner - mobject.get_corner(UP + LEFT))


def under(mobject: Mobject, gap: float) -> NDArray[np.float64]:
    """The point `gap` below a picture's lower left corner."""
    return np.array(mobject.get_corner(DOWN + LEFT) - np.array([0.0, gap, 0.0]))


def plated(label: Label, middle: NDArray[np.float64]) -> VGroup:
    """A label on a plate that covers what runs behind it."""
    plate = Rectangle(width=label.width + 0.14, height=0.3, stroke_width=0)
    plate.set_fill(theme().ground, 1).move_to(middle)
    return VGroup(plate, label.center_on(middle))
