"""A picture that moves by whole pixels: read by a copy of itself, and read by filters.

Source: primer on attention, appendix B, which moves the stroke in words only: it says that the
filter keeps answering. By one pixel half of the evidence is gone, by two all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints
from clockhead.model.networks.filters import FilterNet, FilterPass
from clockhead.model.units import Count, Doc, Score


def moved(image: ArrayLike, columns: int) -> Floats:
    """A picture (H, W) moved to the right, or to the left if `columns` is below 0; same shape.

    Blank columns come in; what leaves the page is gone.
    """
    pixels = finite("image", image, 2)
    width = pixels.shape[1]
    goal = np.zeros_like(pixels)
    kept = max(width - abs(columns), 0)
    if columns >= 0:
        goal[:, width - kept :] = pixels[:, :kept]
    else:
        goal[:, :kept] = pixels[:, width - kept :]
    return goal


@dataclass(frozen=True, eq=False)
class CopyReader:
    """A reader that keeps a copy of a picture (H, W) and compares others with it, pixel by pixel.

    Raises ValueError for a picture without ink, or with less than none.
    """

    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]

    def __post_init__(self) -> None:
        pixels = finite("image", self.image, 2)
        if not (pixels >= 0).all() or not pixels.any():
            raise ValueError("image must have ink at one pixel at least, and nowhere less than 0")

    @cached_property
    def moved(self) -> Floats:
        """The same picture one pixel to the right; shape (H, W)."""
        return sealed(moved(self.image, 1))

    @cached_property
    def products(self) -> Floats:
        """Copy times picture at each pixel; shape (H, W)."""
        return sealed(finite("image", self.image) ** 2)

    @cached_property
    def moved_products(self) -> Floats:
        """Copy times moved picture at each pixel; shape (H, W)."""
        return sealed(finite("image", self.image) * self.moved)

    @property
    def score(self) -> Score:
        """Copy times picture, added up."""
        return float(self.products.sum())

    @property
    def moved_score(self) -> Score:
        """Copy times moved picture, added up; always less."""
        return float(self.moved_products.sum())

    @property
    def is_lost(self) -> bool:
        """Whether no ink of the moved picture lies where the copy has any."""
        return not self.moved_products.any()


@dataclass(frozen=True, eq=False)
class MovedPicture:
    """A net of two filters over a picture, and over the same picture moved to either side.

    It moves as far as half of its width. What is followed is the class that scores more where the
    picture stands, the first of equals.
    """

    net: FilterNet

    @property
    def copy(self) -> CopyReader:
        """A reader that keeps a copy of the picture."""
        return CopyReader(self.net.first.image)

    @property
    def reach(self) -> Count:
        """How many pixels it moves to either side."""
        return int(np.shape(self.net.first.image)[1]) // 2

    @cached_property
    def places(self) -> Ints:
        """How far it has moved to the right; shape (S,), S = 2 reach + 1."""
        return sealed_ints(np.arange(-self.reach, self.reach + 1))

    @cached_property
    def nets(self) -> tuple[FilterNet, ...]:
        """The same net over each picture; S of them."""
        net, filters = self.net, (self.net.first.weights, self.net.second.weights)
        pictures = (moved(net.first.image, step) for step in self.places.tolist())
        return tuple(FilterNet.on(picture, filters, net.names) for picture in pictures)

    @cached_property
    def images(self) -> Floats:
        """The pictures; shape (S, H, W)."""
        return sealed(np.stack([net.first.image for net in self.nets]))

    @cached_property
    def sums(self) -> Floats:
        """The followed filter's map; shape (S, H - 2, W - 2)."""
        return sealed(np.stack([self._followed(net).feature_map for net in self.nets]))

    @cached_property
    def rectified(self) -> Floats:
        """The same after ReLU; shape (S, H - 2, W - 2)."""
        return sealed(np.stack([self._followed(net).rectified for net in self.nets]))

    @cached_property
    def pooled(self) -> Floats:
        """The followed filter's map after pooling; shape (S, H - 3, W - 3)."""
        return sealed(np.stack([self._followed(net).pooled for net in self.nets]))

    @cached_property
    def evidence(self) -> Floats:
        """The score of the followed class; shape (S,)."""
        return sealed(np.array([net.logits[self.net.winner] for net in self.nets]))

    @cached_property
    def shares(self) -> Floats:
        """Its probability; shape (S,)."""
        return sealed(np.array([net.shares[self.net.winner] for net in self.nets]))

    @property
    def right_score(self) -> Score:
        """Its score with the picture one pixel to the right."""
        return float(self.evidence[self.reach + 1])

    @property
    def n_led(self) -> Count:
        """At how many places it scores more than the other class."""
        return sum(self._leads)

    @property
    def leads_beside(self) -> bool:
        """Whether it scores more with the picture one pixel to the left, and one to the right."""
        return self._leads[self.reach - 1] and self._leads[self.reach + 1]

    @cached_property
    def column_uses(self) -> Ints:
        """How many of the patches that pooling takes each column of the map is in; shape (W - 2,).

        It is (H - 3) (1, 2, ..., 2, 1).
        """
        rows, columns = self.pooled.shape[1:]
        return sealed_ints(rows * np.convolve(np.ones(columns, dtype=np.int64), [1, 1]))

    @property
    def inner_uses(self) -> Count:
        """How many patches an inner column of the map is in."""
        return int(self.column_uses.max())

    @property
    def rim_uses(self) -> Count:
        """How many patches a column at the rim of the map is in."""
        return int(self.column_uses[0])

    @cached_property
    def _leads(self) -> list[bool]:
        """At which places it scores more than the other class; S of them."""
        return [not net.is_tie and net.winner == self.net.winner for net in self.nets]

    def _followed(self, net: FilterNet) -> FilterPass:
        return net.second if self.net.winner else net.first
