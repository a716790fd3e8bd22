"""A small convolutional network: filters, ReLU, max pooling, and a score for each class.

Source: primer on attention, section 1 and appendix B. As usual in networks, the convolution does
not flip its filter, so that elsewhere it would be called a cross-correlation. It has no padding:
windows are inside the picture. Max pooling has stride 1, which the primer leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, check_array
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Factor, Score, Share, Shares, Unit

SIDE, PATCH = 3, 2
"""Side lengths of a filter and of a pooling window, in cells."""
VERTICAL = ((-1.0, 2.0, -1.0),) * SIDE
HORIZONTAL = ((-1.0,) * SIDE, (2.0,) * SIDE, (-1.0,) * SIDE)
STROKE = ((0.0, 0.0, 1.0, 0.0, 0.0),) * 5
_ALMOST_NONE, _ALMOST_ALL = float(np.finfo(float).tiny), float(np.nextafter(1.0, 0.0))
_SAME = 1e-12
"""Rounding error of a sum, as a fraction of the sum of its terms' absolute values."""


def windows(grid: ArrayLike, side: int) -> Floats:
    """All square windows of a grid (H, W); shape (H - side + 1, W - side + 1, side, side).

    Raises ValueError if the grid is smaller than a window.
    """
    table = check_array("grid", grid, 2)
    if min(table.shape) < side:
        raise ValueError(f"grid must hold a window of {side} x {side}, got shape {table.shape}")
    return np.asarray(sliding_window_view(table, (side, side)))


@dataclass(frozen=True, kw_only=True, eq=False)
class FilterPass(Values):
    """One filter applied to a picture (H, W)."""

    image: Annotated[Floats, Doc("the picture: ink at each pixel; (H, W)")]
    weights: Annotated[Floats, Doc("the weights of the filter; (3, 3)")]
    n_stops: Annotated[Count, Doc("number of windows")]
    stops: Annotated[Floats, Doc("pixels of each window as a row; (stops, 9)")]
    column: Annotated[Floats, Doc("the weights of the filter as a column; (9, 1)")]
    sums: Annotated[Floats, Doc("weighted sum of the pixels in each window; (stops, 1)")]
    feature_map: Annotated[
        Floats, Doc("the feature map, these sums arranged as a grid; (H - 2, W - 2)")
    ]
    rectified: Annotated[Floats, Doc("the feature map after ReLU; (H - 2, W - 2)")]
    pooled: Annotated[Floats, Doc("after max pooling over 2 x 2 windows; (H - 3, W - 3)")]
    n_negative: Annotated[Count, Doc("number of sums below zero")]
    largest: Annotated[Score, Doc("the largest sum")]
    is_flat: Annotated[bool, Doc("whether every sum is exactly zero")]
    is_silent: Annotated[bool, Doc("whether no sum is above zero, so that ReLU gives only zeros")]
    evidence: Annotated[Score, Doc("the score, the sum of all cells after pooling")]


def filter_pass(image: ArrayLike, weights: ArrayLike) -> FilterPass:
    """Apply a filter (3, 3) to a picture (H, W).

    Raises ValueError for a picture of fewer than four rows or columns, too few for pooling, and for
    a filter of another shape.
    """
    pixels, filter_ = (
        check_array("image", image, 2).copy(),
        check_array("weights", weights, 2).copy(),
    )
    if min(pixels.shape) < SIDE + PATCH - 1:
        raise ValueError(f"image must be at least 4 x 4, got shape {pixels.shape}")
    if filter_.shape != (SIDE, SIDE):
        raise ValueError(f"weights must be 3 x 3, got shape {filter_.shape}")
    seen = windows(pixels, SIDE)  # (H - 2, W - 2, 3, 3)
    stops = seen.reshape(-1, SIDE * SIDE)  # (stops, 9)
    column = filter_.reshape(-1, 1)  # (9, 1)
    sums = stops @ column  # (stops, 1)
    rounding = _SAME * np.abs(stops * column[:, 0]).sum(axis=1)  # (stops,)
    sums = np.where(np.abs(sums) > rounding[:, None], sums, 0.0)
    feature_map = sums.reshape(seen.shape[:2])
    rectified = np.maximum(feature_map, 0.0)
    pooled = windows(rectified, PATCH).max(axis=(2, 3))
    return FilterPass(
        image=pixels,
        weights=filter_,
        n_stops=len(stops),
        stops=stops,
        column=column,
        sums=sums,
        feature_map=feature_map,
        rectified=rectified,
        pooled=pooled,
        n_negative=int((feature_map < 0).sum()),
        largest=float(feature_map.max()),
        is_flat=not feature_map.any(),
        is_silent=not rectified.any(),
        evidence=float(pooled.sum()),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FilterNet(Values):
    """A network with two filters and two classes; the score of a class is its filter's evidence.

    The weights of the last layer are 1 for the class's own filter and 0 for the other.
    """

    first: Annotated[FilterPass, Doc("pass of the first filter")]
    second: Annotated[FilterPass, Doc("pass of the second filter")]
    names: Annotated[tuple[str, str], Doc("names of the two classes")]
    pooled: Annotated[Floats, Doc("output of each filter after pooling, as a row; (2, cells)")]
    logits: Annotated[Floats, Doc("the score of each class; (2,)")]
    shares: Annotated[
        Shares,
        Doc(
            "probability of each class, by softmax; rounding is not allowed to make it 0 or 1; (2,)"
        ),
    ]
    is_tie: Annotated[bool, Doc("whether both classes score the same")]
    winner: Annotated[
        int,
        Unit("class, from 0"),
        Doc("index of the class with the larger score, the first if they tie"),
    ]
    answer: Annotated[str, Doc("name of the class with the larger score, the first if they tie")]
    score: Annotated[Score, Doc("the larger score")]
    other_score: Annotated[Score, Doc("score of the other class")]
    share: Annotated[Share, Doc("probability of the answer")]
    odds: Annotated[
        Factor,
        Doc(
            "probability of the answer over that of the other class; inf if a float cannot hold it"
        ),
    ]


def filter_net(
    pixels: ArrayLike,
    filters: tuple[ArrayLike, ArrayLike] = (VERTICAL, HORIZONTAL),
    names: tuple[str, str] = ("vertical", "horizontal"),
) -> FilterNet:
    """Run two filters (3, 3) on a picture (H, W); raises ValueError like `filter_pass`."""
    first, second = (filter_pass(pixels, weights) for weights in filters)
    pooled = np.stack([first.pooled.ravel(), second.pooled.ravel()])  # (2, cells)
    logits = pooled.sum(axis=1)  # (2,)
    shares = np.clip(softmax(logits), _ALMOST_NONE, _ALMOST_ALL)
    low, high = sorted(logits.tolist())
    is_tie = high - low <= _SAME * high
    winner = 0 if is_tie else int(logits.argmax())
    score, other_score = float(logits[winner]), float(logits[1 - winner])
    lead = score - other_score
    return FilterNet(
        first=first,
        second=second,
        names=names,
        pooled=pooled,
        logits=logits,
        shares=shares,
        is_tie=is_tie,
        winner=winner,
        answer=names[winner],
        score=score,
        other_score=other_score,
        share=float(shares[winner]),
        odds=math.exp(lead) if lead < math.log(np.finfo(float).max) else math.inf,
    )
