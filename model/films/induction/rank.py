"""Token codes of rank 1 and 2: a line that bends into a circle, and a circle that fills up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import softmax
from clockhead.model.induction.bent_line import BentLine, bent_line
from clockhead.model.induction.token_codes import (
    beta_needed,
    circle_codes,
    one_hot_codes,
    self_weights,
)
from clockhead.model.rope.rotation import FULL_TURN
from clockhead.model.units import Doc, ScoreScale, Share, Shares, Tokens

WEIGHT = 0.99
"""Attention weight that each token should have on itself."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Upper limit of a token's attention weight on itself: rounding must not make it 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Crowd(Values):
    """A circle of codes filled in F steps from `n_vocab` to `n_large` tokens.

    Tokens are ordered by their distance from the one in the middle, which makes the query.
    """

    n_large: Annotated[Tokens, Doc("number of tokens on the full circle")]
    beta: Annotated[ScoreScale, Doc("scale of the scores")]
    mass: Annotated[Share, Doc("attention weight that each token should have on itself")]
    own_large: Annotated[Share, Doc("attention weight of a token on itself, on the full circle")]
    is_sharp: Annotated[bool, Doc("whether this is already at least `mass`")]
    beta_large: Annotated[ScoreScale, Doc("beta that is needed on the full circle")]
    beta_one_hot: Annotated[ScoreScale, Doc("beta that is needed with one-hot codes")]
    betas: Annotated[Floats, Doc("both betas; (2,)")]
    steps: Annotated[
        Ints, Doc("signed number of steps from the token in the middle to each; (n_large,)")
    ]
    sizes: Annotated[Ints, Doc("number of tokens on the circle, from n_vocab to n_large; (F,)")]
    filling_shares: Annotated[
        Floats, Doc("attention weights of the token in the middle at every size; (F, n_large)")
    ]
    filling_own: Annotated[
        Shares, Doc("attention weight of that token on itself at every size; (F,)")
    ]


def crowd(n_vocab: int, n_large: int, beta: float) -> Crowd:
    """Fill a circle of `n_vocab` tokens. Raises ValueError for `n_large` below `n_vocab`."""
    if n_large < n_vocab:
        raise ValueError(f"n_large must be at least n_vocab, {n_vocab}, got {n_large}")
    full = circle_codes(n_large)  # (n_large, 2)
    own_large = min(float(self_weights(full, beta)[0]), _ALMOST_ALL)
    beta_large = beta_needed(full, WEIGHT)
    beta_one_hot = beta_needed(one_hot_codes(n_large), WEIGHT)
    k = np.arange(n_large)
    steps = (k + 1) // 2 * np.where(k % 2, 1, -1)  # 0, 1, -1, 2, -2 ...
    sizes = np.arange(n_vocab, n_large + 1)  # (F,)
    angles = steps * FULL_TURN / sizes[:, None]  # (F, n_large)
    filling = softmax(np.where(k < sizes[:, None], beta * np.cos(angles), -np.inf))
    return Crowd(
        n_large=n_large,
        beta=beta,
        mass=WEIGHT,
        own_large=own_large,
        is_sharp=own_large >= WEIGHT,
        beta_large=beta_large,
        beta_one_hot=beta_one_hot,
        betas=np.array([beta_large, beta_one_hot]),
        steps=steps,
        sizes=sizes,
        filling_shares=filling,
        filling_own=filling[:, 0],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class LineAndCircle(Values):
    """The different tokens of a text on a line that bends, and a circle with more tokens."""

    bent: Annotated[BentLine, Doc("the different tokens of a text on a line that bends")]
    outward: Annotated[Floats, Doc("dot product of each code on the circle with the query's; (V,)")]
    crowd: Annotated[Crowd, Doc("the circle as it is filled")]


def line_and_circle(tokens: tuple[str, ...], n_large: int, beta: float) -> LineAndCircle:
    """Line and circle for a text; raises ValueError like `crowd`."""
    bent = bent_line(tokens, beta)
    codes = bent.codes[-1]  # (V, 2)
    return LineAndCircle(
        bent=bent, outward=codes @ codes[bent.asker], crowd=crowd(bent.n_vocab, n_large, beta)
    )
