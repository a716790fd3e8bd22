"""Token embeddings as arrows, and the effect of a longer one on their best matches.

Source: Dan Wilhelm, LLM Foundations, appendix B: by cosine, each embedding is its own best match;
by dot product, a longer one is the best match of many. Here all arrows have length 1 except one
that grows: at length L it is the best match of each token at an angle a with L cos a > 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.units import Count, Doc, Length, Place

_STEPS = 61
_ROUNDING = 1e-9
"""Smallest difference by which a dot product counts as larger, so that rounding does not decide."""


@dataclass(frozen=True, kw_only=True)
class TokenMatches(Values):
    """T tokens as arrows of length 1 in a plane, of which the last grows in S steps."""

    tokens: Annotated[tuple[str, ...], Doc("tokens, of which the last one grows")]
    length: Annotated[Length, Doc("final length of the last arrow")]
    grown_token: Annotated[str, Doc("token of the growing arrow")]
    directions: Annotated[Floats, Doc("arrows at length 1; (T, 2)")]
    points: Annotated[Floats, Doc("tips of all arrows at every step, with height 0; (S, T, 3)")]
    dots: Annotated[Floats, Doc("dot products of all pairs of tokens at every step; (S, T, T)")]
    cosines: Annotated[Floats, Doc("cosines of all pairs of tokens, at any length; (T, T)")]
    best: Annotated[Ints, Doc("best match of each token by dot product, at every step; (S, T)")]
    taken: Annotated[
        tuple[int, ...],
        Doc("tokens whose best match is the longer arrow at the end"),
    ]
    n_taken: Annotated[Count, Doc("number of these tokens")]
    next_taken: Annotated[
        Place, Doc("token at the smallest angle to the growing arrow, the first to match it")
    ]
    least_length: Annotated[
        Length,
        Doc("length at which the arrow matches that token as well as itself; inf if never"),
    ]
    n_taken_by_cosine: Annotated[
        Count,
        Doc("number of tokens whose best match by cosine is not themselves, 0"),
    ]
    room: Annotated[
        Floats, Doc("corners of a floor that includes all arrows, and a point at height 1; (5, 3)")
    ]


def token_matches(tokens: tuple[str, ...], angles: tuple[int, ...], length: float) -> TokenMatches:
    """Grow the last arrow to `length`; `angles` are the directions in whole degrees.

    Raises ValueError for equal tokens or equal directions.
    """
    if len(set(tokens)) < len(tokens):
        raise ValueError(f"tokens must be different, got {' '.join(tokens)}")
    if len({angle % 360 for angle in angles}) < len(angles):
        raise ValueError("angles must be different, or two tokens would be alike")
    own = np.arange(len(tokens))
    grower = len(tokens) - 1
    turns = np.radians(angles)
    directions = np.stack([np.cos(turns), np.sin(turns)], axis=1)  # (T, 2)
    lengths = np.linspace(1.0, length, _STEPS)  # (S,)
    points = np.repeat(np.pad(directions, ((0, 0), (0, 1)))[None], _STEPS, axis=0)
    points[:, -1] *= lengths[:, None]
    dots = points @ points.transpose(0, 2, 1)
    cosines = directions @ directions.T
    takes = (lengths[:, None] * cosines[:, -1] > 1 + _ROUNDING) & (own != grower)  # (S, T)
    best = np.where(takes, grower, own)
    taken = tuple(np.flatnonzero(takes[-1]).tolist())
    next_taken = int(cosines[:-1, -1].argmax())
    cosine = float(cosines[next_taken, -1])
    others_fit = (cosines > np.diag(cosines)[:, None] + _ROUNDING).any(axis=1)  # (T,)

    tips = np.vstack([points[-1], points[0], np.zeros((1, 3))])
    (left, front, _), (right, back, _) = (
        np.minimum(tips.min(axis=0), -1.0),
        np.maximum(tips.max(axis=0), 1.0),
    )
    floor = [[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]]
    return TokenMatches(
        tokens=tokens,
        length=length,
        grown_token=tokens[-1],
        directions=directions,
        points=points,
        dots=dots,
        cosines=cosines,
        best=best,
        taken=taken,
        n_taken=len(taken),
        next_taken=next_taken,
        least_length=1 / cosine if cosine > _ROUNDING else float("inf"),
        n_taken_by_cosine=int(others_fit.sum()),
        room=np.array([*floor, [0, 0, 1]], dtype=np.float64),
    )
