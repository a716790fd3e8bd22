"""A filter that lies on a picture: nine cards with weights, which go from window to window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from clockhead.model.networks.filters import SIDE
from clockhead.scenes.convolution.page import NUMBER
from clockhead.scenes.convolution.visit import Visit
from clockhead.scenes.parts import cells
from clockhead.scenes.parts.cell_numbers import CellNumbers
from clockhead.scenes.parts.cells import Lattice, ShadedCells
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Reading
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive

_CARD = 0.66
"""How large a card is on its pixel, of which some has to be seen around it."""
_SEAM, _AIR, _NEAR = 0.028, 0.06, 0.02
_ALL = np.ones((SIDE, SIDE), dtype=np.bool_)


class Stencil(Visit):
    """The weights of a `filter_` as cards, which leave it and lie down on an `image`.

    Its frames say that pixels times weights, added up, are the cell of the feature map `out`.
    """

    def __init__(self, filter_: Matrix, image: Matrix, out: Matrix) -> None:
        weights = filter_.table
        super().__init__(image, out, SIDE, lambda x: float((x * weights).sum()), "value")
        self._filter, self._weights, self._down = filter_, weights, 0.0
        self._cards = ShadedCells(filter_.ramp)
        self._numbers = CellNumbers(_ALL, unit=None, plain_zeros=False, most=NUMBER)
        self.add(self._cards, self._numbers)
        self.show(self.state)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the cards where they are now, and frames once they lie on the picture."""
        scale, lattice = self._filter.scale_now, self._lattice
        step = cells.steps(self._weights, scale.low, scale.high)
        side = np.array([lattice.cell_width, lattice.cell_height])
        half = (side * (1 - (1 - _CARD) * self._down) - _SEAM) / 2
        self._cards.draw_between(lattice.middles - half, lattice.middles + half, step, _ALL)
        room = Lattice(Region(0.0, 0.0, *(SIDE * (2 * half + _AIR)).tolist()), SIDE, SIDE)
        self._numbers.choose(room, scale.spec, [self._weights])
        seen = np.full((SIDE, SIDE), float(self._down > 0))  # in the filter its own can be read
        self._numbers.draw(lattice.middles, self._weights, step, seen, self._cards.ramp)
        if self._down >= 1:
            super().show(state)
        else:
            self.window.clear_points()
            self.target.clear_points()

    def lie_down(self, *, run_time: float = 1.5) -> Drive:
        """Let the cards leave the filter and lie down on the first window."""
        return self.drive(self._lie, 0.0, 1.0, run_time=run_time)

    def lift(self, *, run_time: float = 1.0) -> Drive:
        """Let them go back to the filter."""
        return self.drive(self._lie, 1.0, 0.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """What its frames say; and of every card its weight, and that it lies in its window."""
        yield from super().readings()
        lattice, scale, weights = self._lattice, self._filter.scale_now, self._filter.value
        span, rests = scale.high - scale.low, self._down >= 1 and self.resting
        for middle, step in zip(*self._cards.seen(), strict=True):
            at = lattice.nearest(middle)
            says = scale.low + span * step / cells.SHADES
            yield Reading(weights[at], says, span / cells.SHADES * 0.501)
            if rests and not self._lies_on(at, middle):
                yield Reading(weights[at], "beside its pixel")
        for number in self._numbers.seen():
            meant = weights[lattice.nearest(number.middle)]
            yield Reading(meant, self._numbers.says(number, float(meant.content)), 0.0)

    def _lies_on(self, at: tuple[int, int], middle: NDArray[np.float64]) -> bool:
        """Whether the middle of a card is that of its pixel of the framed window."""
        frame, image = self.window.points, self._source.lattice
        corner = image.at((frame[:, 0].min(), frame[:, 1].max()))
        place = np.array(image.at(middle)) - corner - 0.5
        return bool(np.abs(place - at).max() < _NEAR)

    @property
    def _lattice(self) -> Lattice:
        """Where the cards lie: in the filter, on the picture, or between the two."""
        (i, j), image = self.spot, self._source.lattice
        left = image.region.left + j * image.cell_width
        top = image.region.top - i * image.cell_height
        low, high = top - SIDE * image.cell_height, left + SIDE * image.cell_width
        home = self._filter.lattice.region
        start = np.array([home.left, home.bottom, home.right, home.top])
        edges = start + (np.array([left, low, high, top]) - start) * self._down
        return Lattice(Region(*edges.tolist()), SIDE, SIDE)

    def _lie(self, share: float) -> None:
        self._down = share
