"""A digest of everything that a stage shows, to compare pictures without drawing them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from manim import Mobject, VMobject
from numpy.typing import NDArray

if TYPE_CHECKING:
    from clockhead.scenes.stage import Stage

_GRID = 1e-6
"""Numbers are rounded down to multiples of this, so that rounding errors make no difference."""
_OFFSET = 0.317
"""Shifts the grid, in steps of it: pictures are full of round numbers, which would lie on it."""


def visible_digest(stage: Stage) -> str:
    """SHA-256, in hex, over everything that is visible now: equal digests, equal frames."""
    canvas, view = stage.canvas, getattr(stage.camera, "view", None)
    hashed = hashlib.sha256(_numbers(canvas.left, canvas.bottom, canvas.right, canvas.top))
    hashed.update(b"" if view is None else _numbers(*view.focus, view.zoom))
    for mobject in _drawn(stage.mobjects):
        hashed.update(_appearance(mobject))
    return hashed.hexdigest()


def _drawn(mobjects: Sequence[Mobject]) -> Iterator[Mobject]:
    """Yield every mobject with points, in the order in which Manim draws them."""
    for mobject in mobjects:
        for member in mobject.get_family():
            if len(member.points):
                yield member


def _appearance(mobject: Mobject) -> bytes:
    """Everything that the pixels of a mobject depend on; empty if it is invisible."""
    if not isinstance(mobject, VMobject):
        pixels = getattr(mobject, "pixel_array", np.zeros(0))
        return _on_grid(mobject.points) + np.ascontiguousarray(pixels).tobytes()
    pens = (
        (mobject.fill_rgbas, 1.0),
        (mobject.stroke_rgbas, mobject.stroke_width),
        (mobject.background_stroke_rgbas, mobject.background_stroke_width),
    )
    visible = [
        (rgbas, width)
        for rgbas, width in pens
        if width > _GRID and len(rgbas) and (rgbas[:, 3] > _GRID).any()
    ]
    if not visible:
        return b""
    parts = [part for rgbas, width in visible for part in (_on_grid(rgbas), _numbers(float(width)))]
    style = (mobject.z_index, mobject.joint_type, mobject.cap_style, len(visible))
    return b"".join([repr(style).encode(), _on_grid(mobject.points), *parts])


def _numbers(*numbers: float) -> bytes:
    return _on_grid(np.array(numbers))


def _on_grid(numbers: NDArray[np.float64]) -> bytes:
    return np.floor(numbers / _GRID + _OFFSET).astype(np.int64).tobytes()
