"""Token codes on a line that bends into a circle: from a match of rank 1 to one of rank 2.

Source: Chris Wendler's RoPE transformer, section 4, whose match has rank 1: W_QK = beta v v^T, and
a token is one number x = v . code. Then the score beta x_m x_n is largest at an end of the line,
and only the two tokens at its ends attend to themselves. On a circle, the tokens have the codes of
rank 2 from `model.induction.token_codes`, and every token attends to itself. The closer together
they are, the larger beta has to be to separate neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, check_float, check_int
from clockhead.model.attention.pattern import softmax
from clockhead.model.induction.token_codes import BETA_LIMIT
from clockhead.model.rope.rotation import FULL_TURN
from clockhead.model.units import Count, Doc, Place, ScoreScale, Share, Shares, Tokens

CURVE_STEPS = 12
"""Points of the curve per token; token k is point CURVE_STEPS (k + 1/2)."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Upper limit of a token's attention weight on itself: rounding must not make it 1."""
_ROUNDING = 1e-12
"""Scores that differ by less than this fraction of their size are equal."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BentLine(Values):
    """V different tokens on a line that bends in S steps; each code is both query and key."""

    names: Annotated[tuple[str, ...], Doc("the different tokens in order along the line")]
    n_vocab: Annotated[Tokens, Doc("number of different tokens")]
    beta: Annotated[ScoreScale, Doc("scale of the scores")]
    asker: Annotated[Place, Doc("place along the line of the token that makes the query")]
    asker_name: Annotated[str, Doc("the token that makes the query")]
    places: Annotated[
        Floats, Doc("x of each token: steps of 2 pi / V from negative to positive, never 0; (V,)")
    ]
    bends: Annotated[
        Floats, Doc("bend of the line, from 0, straight, to 1, a circle of radius 1; (S,)")
    ]
    codes: Annotated[
        Floats, Doc("code of every token, a point in the plane, at every bend; (S, V, 2)")
    ]
    curve: Annotated[
        Floats, Doc("points of the line, which extends half a step beyond its tokens; (S, C, 2)")
    ]
    scores: Annotated[Floats, Doc("beta c_m . c_n at every bend; (S, V, V)")]
    looks_at: Annotated[
        Ints, Doc("token that each attends to most at every bend, the first if several tie; (S, V)")
    ]
    found: Annotated[
        Bools,
        Doc("whether each token attends to itself more than to any other, at every bend; (S, V)"),
    ]
    n_found: Annotated[
        Ints, Doc("number of tokens that attend most to themselves, at every bend; (S,)")
    ]
    n_found_on_line: Annotated[
        Count, Doc("number of tokens that attend most to themselves on the straight line")
    ]
    line_shares: Annotated[Shares, Doc("the attention pattern on the line; (V, V)")]
    circle_shares: Annotated[Floats, Doc("the attention pattern on the circle; (V, V)")]
    own: Annotated[
        Share, Doc("attention weight of a token on itself, on the circle; the same for all")
    ]
    end: Annotated[Place, Doc("end of the straight line that the query attends to most")]


def bent_line(tokens: Sequence[str], beta: float = 10.0, n_steps: int = 81) -> BentLine:
    """The different tokens of a text, in order of first appearance, on a line that bends.

    The last token of the text makes the query, or the second token on the line if the last one is
    at an end. At bend b, x is mapped to (sin(b x) / b, (1 - cos(b x)) / b - b), on an arc of
    radius 1 / b and constant length; at b = 0 it is (x, 0). So the origin, on the line at first,
    becomes the centre of the circle.
    Raises ValueError for fewer than 3 different tokens, and for a beta not above 0.
    """
    names = tuple(dict.fromkeys(tokens))
    size = len(names)
    if size < 3:
        raise ValueError(
            f"tokens must be 3 or more different ones, so that one stands between the ends, such "
            f"as ('a', 'b', 'c'), got {names}"
        )
    last = names.index(tokens[-1])
    asker = last if 0 < last < size - 1 else 1
    scale = check_float("beta", beta, above=0, at_most=BETA_LIMIT)
    bends = np.linspace(0, 1, check_int("n_steps", n_steps, at_least=2))  # (S,)

    steps = np.arange(size, dtype=np.float64) + 0.5 - math.ceil(size / 2)  # (V,)
    places = steps * FULL_TURN / size
    along = np.arange(CURVE_STEPS * size + 1) / CURVE_STEPS - 0.5  # (C,)
    codes = _bend(places, bends)  # (S, V, 2)

    scores = scale * codes @ np.swapaxes(codes, 1, 2)  # (S, V, V)
    own = np.diagonal(scores, axis1=1, axis2=2)  # (S, V)
    rivals = np.where(np.eye(size, dtype=np.bool_), -np.inf, scores).max(axis=2)  # (S, V)
    found = own - rivals > _ROUNDING * np.abs(own)  # (S, V)
    n_found, looks_at = found.sum(axis=1), scores.argmax(axis=2)
    on_line, on_circle = softmax(scores[0]), softmax(scores[-1])  # (V, V)
    return BentLine(
        names=names,
        n_vocab=size,
        beta=scale,
        asker=asker,
        asker_name=names[asker],
        places=places,
        bends=bends,
        codes=codes,
        curve=_bend(places[0] + along * (FULL_TURN / size), bends),
        scores=scores,
        looks_at=looks_at,
        found=found,
        n_found=n_found,
        n_found_on_line=int(n_found[0]),
        line_shares=on_line,
        circle_shares=on_circle,
        own=min(float(on_circle[asker, asker]), _ALMOST_ALL),
        end=int(looks_at[0, asker]),
    )


def _bend(x: Floats, bends: Floats) -> Floats:
    """Points x (N,) of the line in the plane, at every bend (S,); shape (S, N, 2)."""
    b = bends[:, None]  # (S, 1)
    across = x * np.sinc(b * x / np.pi)  # (S, N); sin(b x) / b
    up = b * x**2 / 2 * np.sinc(b * x / FULL_TURN) ** 2 - b  # (S, N)
    return np.stack([across, up], axis=-1)
