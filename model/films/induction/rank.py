"""Two numbers a token: a circle that finds every token, and what it costs as it fills."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import softmax
from clockhead.model.induction.bent_line import BentLine
from clockhead.model.induction.token_codes import (
    beta_needed,
    circle_codes,
    one_hot_codes,
    self_weights,
    sharpening,
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
    own_large: Annotated[Share, Doc("what each token gives itself on the full circle")]
    is_sharp: Annotated[
        bool, Doc("whether each token of the full circle gives itself `mass` or more already")
    ]
    beta_large: Annotated[
        ScoreScale, Doc("the least beta at which each token of the full circle does")
    ]
    beta_one_hot: Annotated[
        ScoreScale, Doc("the least beta that does it with a number of its own for every token")
    ]
    betas: Annotated[Floats, Doc("these two betas; (2,)")]
    decades: Annotated[
        tuple[float, float], Doc("the powers of ten between which every beta of the film lies")
    ]
    steps: Annotated[
        Ints, Doc("how many places off each token stands from the one in the middle; (n_large,)")
    ]
    sizes: Annotated[Ints, Doc("how many stand on the circle, from n_vocab to n_large; (F,)")]
    filling_shares: Annotated[
        Floats, Doc("attention of the token in the middle at every size; (F, n_large)")
    ]
    filling_own: Annotated[Floats, Doc("what that token gives itself at every size; (F,)")]
    turned_betas: Annotated[Floats, Doc("from beta to beta_large in equal ratios; (S,)")]
    turned_shares: Annotated[
        Floats, Doc("attention of the token in the middle at each of these; (S, n_large)")
    ]
    turned_own: Annotated[Floats, Doc("what that token gives itself at each of these; (S,)")]


def crowd(n_vocab: int, n_large: int, beta: float) -> Crowd:
    """Fill the circle of `n_vocab` tokens. Raises ValueError if it does not get fuller."""
    if n_large < n_vocab:
        raise ValueError(f"n_large must be at least n_vocab, {n_vocab}, got {n_large}")
    full = circle_codes(n_large)  # (n_large, 2)
    own_large = min(float(self_weights(full, beta)[0]), _ALMOST_ALL)
    beta_large = beta_needed(full, WEIGHT)
    beta_one_hot = beta_needed(one_hot_codes(n_large), WEIGHT)
    betas = sorted((beta, beta_large, beta_one_hot))
    decades = math.floor(math.log10(betas[0])), math.ceil(math.log10(betas[-1]))

    k = np.arange(n_large)
    steps = (k + 1) // 2 * np.where(k % 2, 1, -1)  # 0, 1, -1, 2, -2 ...
    sizes = np.arange(n_vocab, n_large + 1)  # (F,)
    angles = steps * FULL_TURN / sizes[:, None]  # (F, n_large)
    filling = softmax(np.where(k < sizes[:, None], beta * np.cos(angles), -np.inf))

    way = slice(None) if beta <= beta_large else slice(None, None, -1)
    turned_betas, patterns = sharpening(full, min(beta, beta_large), max(beta, beta_large))
    turned = patterns[way, steps]  # (S, n_large); step -1 is the last token
    return Crowd(
        n_large=n_large,
        beta=beta,
        mass=WEIGHT,
        own_large=own_large,
        is_sharp=own_large >= WEIGHT,
        beta_large=beta_large,
        beta_one_hot=beta_one_hot,
        betas=np.array([beta_large, beta_one_hot]),
        decades=(float(f"1e{decades[0]}"), float(f"1e{decades[1]}")),
        steps=steps,
        sizes=sizes,
        filling_shares=filling,
        filling_own=filling[:, 0],
        turned_betas=turned_betas[way],
        turned_shares=turned,
        turned_own=turned[:, 0],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoNumbers:
    """The different tokens of a text on a line that bends, and a fuller circle."""

    bent: Annotated[BentLine, Doc("the different tokens on a line that bends")]
    crowd: Annotated[Crowd, Doc("the circle as it fills")]
