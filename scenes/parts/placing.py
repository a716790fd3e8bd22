"""How large a picture may be in the room there is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clockhead.scenes.stage import Size
from clockhead.scenes.style.layout import Region


def largest_in(region: Region, size: Callable[[float], Size], least: float, most: float) -> float:
    """How large a picture that needs so much room may be in a region, and never below the least."""
    radii = np.linspace(most, least, 60)
    rooms = ((float(radius), size(float(radius))) for radius in radii)
    fits = (r for r, s in rooms if s.width <= region.width and s.height <= region.height)
    return next(fits, least)
