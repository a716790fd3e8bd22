"""A picture shifted by whole pixels, compared with a copy of itself and read by filters.

Source: primer on attention, appendix B, which says of a shifted stroke only that the filter still
responds. In fact, one pixel halves the evidence, and two pixels leave none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array
from clockhead.model.networks.filters import FilterNet, filter_net
from clockhead.model.units import Count, Doc, Score, Shares


def shift_picture(image: ArrayLike, columns: int) -> Floats:
    """Shift a picture (H, W) to the right, or to the left if `columns` is negative.

    The shape stays the same: new columns are blank, and pixels outside are lost.
    """
    pixels = check_array("image", image, 2)
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
    """A template that is a copy of the picture, multiplied with pictures pixel by pixel."""

    image: Annotated[Floats, Doc("the picture: ink at each pixel; (H, W)")]
    moved: Annotated[Floats, Doc("the picture shifted one pixel to the right; (H, W)")]
    products: Annotated[Floats, Doc("copy times picture, pixel by pixel; (H, W)")]
    moved_products: Annotated[Floats, Doc("copy times shifted picture, pixel by pixel; (H, W)")]
    score: Annotated[Score, Doc("sum of copy times picture")]
    moved_score: Annotated[Score, Doc("sum of copy times shifted picture, always less")]
    is_lost: Annotated[bool, Doc("whether copy and shifted picture share no pixel with ink")]


def copy_reader(pixels: ArrayLike) -> CopyReader:
    """Compare a picture (H, W) with itself, and with itself shifted by one pixel.

    Raises ValueError for a picture without ink, or with negative values.
    """
    image = check_array("image", pixels, 2).copy()
    if not (image >= 0).all() or not image.any():
        raise ValueError("image must have ink at one pixel at least, and nowhere less than 0")
    right = shift_picture(image, 1)
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
    """A network of two filters on a picture, and on S shifts of it to either side.

    The largest shift is half of the width. The followed class is the winner for the picture without
    a shift; its filter has feature maps of (H - 2, W - 2).
    """

    net: FilterNet
    copy: Annotated[CopyReader, Doc("the copy of the picture as a template")]
    reach: Annotated[Count, Doc("largest shift in pixels to either side")]
    places: Annotated[Ints, Doc("shifts to the right in pixels; (S,), S = 2 reach + 1")]
    nets: tuple[FilterNet, ...]
    images: Annotated[Floats, Doc("shifted pictures; (S, H, W)")]
    sums: Annotated[Floats, Doc("feature map of the followed class's filter; (S, H - 2, W - 2)")]
    rectified: Annotated[Floats, Doc("feature map after ReLU; (S, H - 2, W - 2)")]
    pooled: Annotated[Floats, Doc("feature map after max pooling; (S, H - 3, W - 3)")]
    evidence: Annotated[Floats, Doc("score of the followed class; (S,)")]
    shares: Annotated[Shares, Doc("probability of the followed class; (S,)")]
    right_score: Annotated[
        Score, Doc("score of the followed class with the picture one pixel to the right")
    ]
    n_led: Annotated[Count, Doc("number of shifts at which the followed class wins")]
    leads_beside: Annotated[
        bool, Doc("whether the followed class wins one pixel to the left and one to the right")
    ]
    inner_uses: Annotated[
        Count,
        Doc("number of pooling windows that include cells of an inner column of the feature map"),
    ]
    rim_uses: Annotated[
        Count,
        Doc("number of pooling windows that include cells of the first column of the feature map"),
    ]


def moved_picture(net: FilterNet) -> MovedPicture:
    """Shift the picture of a network to either side, and run the same network on each shift."""
    image, filters = net.first.image, (net.first.weights, net.second.weights)
    reach = int(np.shape(image)[1]) // 2
    places = np.arange(-reach, reach + 1)  # (S,)
    pictures = (shift_picture(image, step) for step in places.tolist())
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
