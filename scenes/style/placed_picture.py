"""Rectangles that cairo fills with pixels, such as pictures of the user's.

Each is a path, and so can fade, move and be carried over like other shapes; a camera asks it for
the pattern to fill it with.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, log2
from typing import Any

import cairo
import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.pictures import MOST_PIXELS, PictureFile, pixels_of
from clockhead.scenes.style.shape import Shape

_FEWEST_PIXELS = 256
_VECTOR_PIXELS = 4
"""Number of pixels per point in vector output."""


class PixelShape(Shape):
    """A rectangle filled with pixels, in the resolution that it is drawn in."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(stroke_width=0, fill_color="#808080", fill_opacity=1)
        self.stand_in(Region.frame(width, height))

    def stand_in(self, region: Region) -> None:
        """Fill a region; its corners are clockwise from the upper left."""
        (left, bottom), (right, top) = (region.left, region.bottom), (region.right, region.top)
        corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        self.set_points_as_corners([(x, y, 0.0) for x, y in corners])

    @property
    def content(self) -> object:
        """A value that identifies its pixels."""
        raise NotImplementedError

    @property
    def kind(self) -> object:
        """Shapes of the same kind morph into each other between shots; here, equal pictures."""
        return self.content

    def surface(self, needed: float, *, swapped: bool) -> cairo.ImageSurface:
        """Its pixels, about `needed` along the longer side; `swapped` exchanges red and blue."""
        raise NotImplementedError

    @property
    def opacity(self) -> float:
        """Its opacity, from 0 to 1."""
        return float(self.fill_rgbas[0, 3])

    def pattern(
        self, context: cairo.Context[cairo.Surface], points: NDArray[np.float64], *, swapped: bool
    ) -> cairo.SurfacePattern:
        """The cairo pattern for drawing it at `points`, in the resolution needed there.

        `swapped` exchanges red and blue, for cameras whose pixels are RGBA.
        """
        start, right, down = points[0, :2], points[4, :2], points[11, :2]  # its corners
        matrix = context.get_matrix()
        across = np.hypot(*matrix.transform_distance(*(right - start)))
        along = np.hypot(*matrix.transform_distance(*(down - start)))
        needed = max(across, along, 1.0)
        if not isinstance(context.get_target(), cairo.ImageSurface):
            needed *= _VECTOR_PIXELS
        surface = self.surface(float(needed), swapped=swapped)
        pattern = cairo.SurfacePattern(surface)
        pattern.set_filter(cairo.Filter.GOOD)
        pattern.set_extend(cairo.Extend.PAD)
        width, height = surface.get_width(), surface.get_height()
        to_units = cairo.Matrix(*((right - start) / width), *((down - start) / height), *start)
        to_units.invert()
        pattern.set_matrix(to_units)
        return pattern


class PlacedPicture(PixelShape):
    """A picture of the user's, `height` units high."""

    def __init__(self, picture: PictureFile, *, height: float = 1.0) -> None:
        super().__init__(picture.ratio * height, height)
        self.picture = picture

    @property
    def content(self) -> object:
        """The digest of the picture."""
        return self.picture.digest

    def fit_into(self, region: Region) -> PlacedPicture:
        """Centre it in a region, as large as fits."""
        self.scale(min(region.width / self.width, region.height / self.height))
        self.move_to(region.center)
        return self

    def surface(self, needed: float, *, swapped: bool) -> cairo.ImageSurface:
        """The picture with a power of two of pixels, so that only few sizes are created."""
        side = min(MOST_PIXELS, max(_FEWEST_PIXELS, 2 ** ceil(log2(needed))))
        return _surface(self.picture, side, swapped)


@lru_cache(maxsize=8)
def _surface(picture: PictureFile, side: int, swapped: bool) -> cairo.ImageSurface:
    """A picture as a cairo surface: blue first, unless red and blue are swapped."""
    rgba = pixels_of(picture, side)
    pixels: Any = rgba.copy() if swapped else np.ascontiguousarray(rgba[..., [2, 1, 0, 3]])
    height, width = pixels.shape[:2]
    return cairo.ImageSurface.create_for_data(pixels.data, cairo.Format.ARGB32, width, height)


def paint_pattern(
    context: cairo.Context[cairo.Surface], pattern: cairo.Pattern, opacity: float
) -> None:
    """Fill the current path with a pattern, and keep the path."""
    context.save()
    context.clip_preserve()
    context.set_source(pattern)
    context.paint_with_alpha(opacity)
    context.restore()
