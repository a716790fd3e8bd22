"""A picture that moves by whole pixels: read by a copy of itself, and read by filters.

Source: primer on attention, appendix B, which moves the stroke in words only: it says that the
filter keeps answering. By one pixel half of the evidence is gone, by two all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, finite
from clockhead.model.networks.filters import FilterNet, filter_net
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


@dataclass(frozen=True, kw_only=True)
class CopyReader(Values):
    """A reader that keeps a copy of a picture and compares others with it, pixel by pixel."""

    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]
    moved: Annotated[Floats, Doc("the same picture one pixel to the right; (H, W)")]
    products: Annotated[Floats, Doc("copy times picture at each pixel; (H, W)")]
    moved_products: Annotated[Floats, Doc("copy times moved picture at each pixel; (H, W)")]
    score: Annotated[Score, Doc("copy times picture, added up")]
    moved_score: Annotated[Score, Doc("copy times moved picture, added up; always less")]
    is_lost: Annotated[bool, Doc("whether the copy has no ink where the moved picture has some")]


def copy_reader(pixels: ArrayLike) -> CopyReader:
    """Compare a picture (H, W) with itself, and with itself moved by one pixel.

    Raises ValueError for a picture without ink, or with less than none.
    """
    image = finite("image", pixels, 2).copy()
    if not (image >= 0).all() or not image.any():
        raise ValueError("image must have ink at one pixel at least, and nowhere less than 0")
    right = moved(image, 1)
    return CopyReader(
        image=image,
        moved=right,
        products=image**2,
        moved_products=image * right,
        score=float((image**2).sum()),
        moved_score=float((image * right).sum()),
        is_lost=not (image * right).any(),
    )


@dataclass(frozen=True, kw_only=True)
class MovedPicture(Values):
    """A net of two filters over a picture, and over the same picture moved to either side.

    It moves as far as half of its width, to S places. The followed class is the one that scores
    more where the picture stands, the first of equals; its filter has maps of (H - 2, W - 2).
    """

    net: FilterNet
    copy: Annotated[CopyReader, Doc("a reader that keeps a copy of the picture")]
    reach: Annotated[Count, Doc("the number of pixels it moves to either side")]
    places: Annotated[Ints, Doc("the moves to the right; (S,), S = 2 reach + 1")]
    nets: tuple[FilterNet, ...]
    images: Annotated[Floats, Doc("the moved pictures; (S, H, W)")]
    sums: Annotated[Floats, Doc("the followed filter's map; (S, H - 2, W - 2)")]
    rectified: Annotated[Floats, Doc("the same after ReLU; (S, H - 2, W - 2)")]
    pooled: Annotated[Floats, Doc("the same after pooling; (S, H - 3, W - 3)")]
    evidence: Annotated[Floats, Doc("the score of the followed class; (S,)")]
    shares: Annotated[Floats, Doc("its probability; (S,)")]
    right_score: Annotated[Score, Doc("its score with the picture one pixel to the right")]
    n_led: Annotated[Count, Doc("the number of places at which it beats the other class")]
    leads_beside: Annotated[
        bool, Doc("whether it beats the other class one pixel to the left, and one to the right")
    ]
    inner_uses: Annotated[Count, Doc("the number of patches that hold an inner column of the map")]
    rim_uses: Annotated[Count, Doc("the number of patches that hold a column at the rim")]


def moved_picture(net: FilterNet) -> MovedPicture:
    """Move the picture of a net to either side, and read it with the same net at each place."""
    image, filters = net.first.image, (net.first.weights, net.second.weights)
    reach = int(np.shape(image)[1]) // 2
    places = np.arange(-reach, reach + 1)  # (S,)
    pictures = (moved(image, step) for step in places.tolist())
    nets = tuple(filter_net(picture, filters, net.names) for picture in pictures)
    passes = [each.second if net.winner else each.first for each in nets]
    pooled = np.stack([each.pooled for each in passes])
    evidence = np.array([each.logits[net.winner] for each in nets])
    leads = [not each.is_tie and each.winner == net.winner for each in nets]
    rows, columns = pooled.shape[1:]
    column_uses = rows * np.convolve(np.ones(columns, dtype=np.int64), [1, 1])
    return MovedPicture(
        net=net,
        copy=copy_reader(image),
        reach=reach,
        places=places,
        nets=nets,
        images=np.stack([each.first.image for each in nets]),
        sums=np.stack([each.feature_map for each in passes]),
        rectified=np.stack([each.rectified for each in passes]),
        pooled=pooled,
        evidence=evidence,
        shares=np.array([each.shares[net.winner] for each in nets]),
        right_score=float(evidence[reach + 1]),
        n_led=sum(leads),
        leads_beside=leads[reach - 1] and leads[reach + 1],
        inner_uses=int(column_uses.max()),
        rim_uses=int(column_uses[0]),
    )
