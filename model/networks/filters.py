"""A picture read by small filters: sums over windows, ReLU, pooling, and a score for each class.

Source: primer on attention, section 1 and appendix B. What nets call a convolution does not turn
its filter round; elsewhere that is a cross-correlation. A filter stops wherever its whole window
lies on the picture. Pooling goes on by one cell at a time, which the primer does not say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, finite
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Factor, Score, Share, Unit

SIDE, PATCH = 3, 2
"""The side of a filter's window, and of what pooling takes together."""
VERTICAL = ((-1.0, 2.0, -1.0),) * SIDE
HORIZONTAL = ((-1.0,) * SIDE, (2.0,) * SIDE, (-1.0,) * SIDE)
STROKE = ((0.0, 0.0, 1.0, 0.0, 0.0),) * 5
_ALMOST_NONE, _ALMOST_ALL = float(np.finfo(float).tiny), float(np.nextafter(1.0, 0.0))
_SAME = 1e-12
"""Sums are equal that differ by less than this share of what was added up: that is rounding."""


def windows(grid: ArrayLike, side: int) -> Floats:
    """All square windows of a grid (H, W); shape (H - side + 1, W - side + 1, side, side).

    Raises ValueError where the grid is smaller than one of them.
    """
    table = finite("grid", grid, 2)
    if min(table.shape) < side:
        raise ValueError(f"grid must hold a window of {side} x {side}, got shape {table.shape}")
    return np.asarray(sliding_window_view(table, (side, side)))


@dataclass(frozen=True, kw_only=True, eq=False)
class FilterPass(Values):
    """What one filter makes of a picture."""

    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]
    weights: Annotated[Floats, Doc("how much ink counts at each place of a window; (3, 3)")]
    n_stops: Annotated[Count, Doc("at how many places the whole window lies on the picture")]
    stops: Annotated[
        Floats, Doc("the pixels of each of these windows in one row, row by row; (stops, 9)")
    ]
    column: Annotated[Floats, Doc("the nine weights as a column; (9, 1)")]
    sums: Annotated[Floats, Doc("pixels times weights, added up, at each stop; (stops, 1)")]
    feature_map: Annotated[Floats, Doc("the sums where their windows are; (H - 2, W - 2)")]
    rectified: Annotated[
        Floats, Doc("the sums, or 0 where they are below it (ReLU); (H - 2, W - 2)")
    ]
    pooled: Annotated[Floats, Doc("the largest of each 2 x 2 patch of them; (H - 3, W - 3)")]
    n_negative: Annotated[Count, Doc("how many sums are below zero")]
    largest: Annotated[Score, Doc("the largest sum of all")]
    is_flat: Annotated[bool, Doc("whether every sum is exactly zero")]
    is_silent: Annotated[
        bool, Doc("whether no sum is above zero, so that nothing is left after ReLU")
    ]
    evidence: Annotated[Score, Doc("the score: all that is left after pooling")]


def filter_pass(image: ArrayLike, weights: ArrayLike) -> FilterPass:
    """Slide a filter (3, 3) over a picture (H, W).

    Raises ValueError unless the picture has at least four rows and columns, which pooling needs,
    and the filter nine weights.
    """
    pixels, filter_ = finite("image", image, 2).copy(), finite("weights", weights, 2).copy()
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
    """Two filters on one picture, and the score of a class for each: its filter's evidence.

    The last layer's weights are 1 for the class's own filter and 0 for the other's.
    """

    first: Annotated[FilterPass, Doc("what the first filter makes of the picture")]
    second: Annotated[FilterPass, Doc("what the second filter makes of the picture")]
    names: Annotated[tuple[str, str], Doc("the names of both classes")]
    pooled: Annotated[
        Floats, Doc("what is left of both pictures after pooling, in a row each; (2, cells)")
    ]
    logits: Annotated[Floats, Doc("the score of each class; (2,)")]
    shares: Annotated[
        Floats,
        Doc(
            "the probability of each class, by softmax; none is all or nothing, though rounding "
            "might make it so; (2,)"
        ),
    ]
    is_tie: Annotated[bool, Doc("whether both classes score the same")]
    winner: Annotated[
        int, Unit("class, from 0"), Doc("the class that scores more, the first of equals")
    ]
    answer: Annotated[str, Doc("the name of the class that scores more, the first of equals")]
    score: Annotated[Score, Doc("what the class with the larger score has")]
    other_score: Annotated[Score, Doc("what the other class has")]
    share: Annotated[Share, Doc("the share of the answer")]
    odds: Annotated[
        Factor,
        Doc("how many times as likely it is as the other; infinity beyond what a float holds"),
    ]


def filter_net(
    pixels: ArrayLike,
    filters: tuple[ArrayLike, ArrayLike] = (VERTICAL, HORIZONTAL),
    names: tuple[str, str] = ("vertical", "horizontal"),
) -> FilterNet:
    """The net over a picture (H, W), with two filters of (3, 3); ValueError as `filter_pass`."""
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
