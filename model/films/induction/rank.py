"""One number a token, and two: a line that bends into a circle, and what it costs as it fills."""

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
from clockhead.model.units import Doc, ScoreScale, Share, Tokens

WEIGHT = 0.99
"""What each token is to give itself."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""The most that a token gives itself, though what others get may be lost in rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Crowd(Values):
    """The circle of `n_vocab` tokens made fuller, until `n_large` stand on it, in F steps.

    Tokens are told by how far they are from one in the middle, which asks.
    """

    n_large: Annotated[Tokens, Doc("how many tokens stand on the full circle")]
    beta: Annotated[ScoreScale, Doc("scale of the scores")]
    mass: Annotated[Share, Doc("what each token is to give itself")]
    own_large: Annotated[Share, Doc("the attention that a word on the circle gives itself")]
    is_sharp: Annotated[
        bool, Doc("whether each token of the full circle gives itself `mass` or more already")
    ]
    beta_large: Annotated[ScoreScale, Doc("the factor that is enough on the circle")]
    beta_one_hot: Annotated[
        ScoreScale, Doc("the factor that is enough with a number for every word")
    ]
    betas: Annotated[Floats, Doc("these two betas; (2,)")]
    steps: Annotated[
        Ints, Doc("how many places off each token stands from the one in the middle; (n_large,)")
    ]
    sizes: Annotated[Ints, Doc("how many stand on the circle, from n_vocab to n_large; (F,)")]
    filling_shares: Annotated[
        Floats, Doc("attention of the token in the middle at every size; (F, n_large)")
    ]
    filling_own: Annotated[Floats, Doc("what that token gives itself at every size; (F,)")]


def crowd(n_vocab: int, n_large: int, beta: float) -> Crowd:
    """Fill the circle of `n_vocab` tokens. Raises ValueError if it does not get fuller."""
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
    """The different tokens of a text on a line that bends, and a fuller circle."""

    bent: Annotated[BentLine, Doc("the different tokens of a text on a line that bends")]
    outward: Annotated[
        Floats, Doc("how far out each stands on the circle in the direction of the asker; (V,)")
    ]
    crowd: Annotated[Crowd, Doc("the circle as it fills")]


def line_and_circle(tokens: tuple[str, ...], n_large: int, beta: float) -> LineAndCircle:
    """Both for a text; raises ValueError where `crowd` does."""
    bent = bent_line(tokens, beta)
    codes = bent.codes[-1]  # (V, 2)
    return LineAndCircle(
        bent=bent, outward=codes @ codes[bent.asker], crowd=crowd(bent.n_vocab, n_large, beta)
    )
