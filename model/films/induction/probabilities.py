"""Attention weights used as logits: their softmax, with a factor gamma.

The output matrix of `model.induction.weights`, gamma [0 0 I 0], reads the subspace out, in which
layer 1 writes its attention weight on each token. So a model that ends in softmax(logits) gives
softmax(gamma shares).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.next_word import probabilities_at
from clockhead.model.films.induction.other_texts import OtherTexts, other_texts
from clockhead.model.induction.circuit import TIE, Induction
from clockhead.model.units import Count, Difference, Doc, Factor, Share, Shares

STEPS_PER_UNIT = 10
"""Gamma is found in steps of a tenth."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
_WAY = 60
"""Number of steps from one gamma to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareLogits(Values):
    """Attention weights used as logits, and the gamma at which the largest reach a goal."""

    shares: Annotated[Floats, Doc("attention weight on each token; (V,)")]
    goal: Annotated[Share, Doc("probability that the leading tokens should reach")]
    leaders: Annotated[
        Ints, Doc("tokens with the largest attention weight, all that tie; (1 to V,)")
    ]
    n_leaders: Annotated[Count, Doc("number of leading tokens")]
    lead: Annotated[
        Share, Doc("attention weight on all leading tokens, below 1 if there are others")
    ]
    flat: Annotated[Floats, Doc("probabilities at gamma 1; (V,)")]
    flat_lead: Annotated[Share, Doc("probability of all leading tokens at gamma 1")]
    gamma: Annotated[
        Factor,
        Doc("smallest gamma, in steps of a tenth, at which the leading tokens reach the goal"),
    ]
    sharp: Annotated[Floats, Doc("probabilities at that gamma; (V,)")]
    likeliest: Annotated[Share, Doc("probability of a single likeliest token at that gamma")]

    def at(self, gamma: float) -> Floats:
        """The softmax of gamma times the shares; shape (V,)."""
        return softmax_at(self.shares, gamma)


def softmax_at(shares: Floats, gamma: float) -> Floats:
    """The softmax of gamma times shares (V,); shape (V,)."""
    return np.asarray(probabilities_at(shares, [1 / gamma])[0])


def share_logits(shares: Floats, goal: float = 0.99) -> ShareLogits:
    """Find the gamma for two or more shares (V,), by bisection: the lead grows with gamma."""
    leaders = np.flatnonzero(shares > shares.max() - TIE)
    lead = float(shares[leaders].sum())

    def lead_at(tenths: int) -> float:
        return float(softmax_at(shares, tenths / STEPS_PER_UNIT)[leaders].sum())

    low, high = 0, 1  # in tenths; low is too small, or 0
    while lead_at(high) < goal:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if lead_at(middle) >= goal else (middle, high)
    sharp = softmax_at(shares, high / STEPS_PER_UNIT)
    return ShareLogits(
        shares=shares,
        goal=goal,
        leaders=leaders,
        n_leaders=len(leaders),
        lead=min(lead, 1.0 if len(leaders) == len(shares) else _ALMOST_ALL),
        flat=softmax_at(shares, 1.0),
        flat_lead=lead_at(STEPS_PER_UNIT),
        gamma=high / STEPS_PER_UNIT,
        sharp=sharp,
        likeliest=float(sharp.max()),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareExample(Values):
    """Output of the induction circuit as logits, their softmax, and the gamma that they need."""

    texts: Annotated[OtherTexts, Doc("the text and its vocabulary, which has one more word")]
    main: Annotated[Induction, Doc("the circuit on the text after BOS")]
    sure: Annotated[ShareLogits, Doc("output of the circuit as logits")]
    blocks: Annotated[Floats, Doc("exponential of each share; (V,)")]
    lead_block: Annotated[Factor, Doc("largest of these exponentials")]
    least_block: Annotated[Factor, Doc("smallest of these exponentials")]
    worst_error: Annotated[
        Difference,
        Doc("largest difference of the output from the distribution of tokens at matches"),
    ]
    gammas: Annotated[Floats, Doc("gammas from 1 to the one that reaches the goal; (steps,)")]
    probabilities: Annotated[Floats, Doc("probabilities at each of these gammas; (steps, V)")]
    leading: Annotated[
        Shares, Doc("probability of all leading tokens at each of these gammas; (steps,)")
    ]


def share_example(words: tuple[str, ...], alpha: float, beta: float) -> ShareExample:
    """The example for a text of `words` without BOS. Raises ValueError like `other_texts`."""
    texts = other_texts(words, alpha=alpha, beta=beta)
    # Rounding may make a share 1 although others are above 0
    sure = share_logits(np.minimum(texts.main.output, _ALMOST_ALL))
    blocks, gammas = np.exp(sure.shares), _gammas(1.0, sure.gamma)  # (V,), (steps,)
    probabilities = probabilities_at(sure.shares, 1 / gammas)  # (steps, V)
    return ShareExample(
        texts=texts,
        main=texts.main,
        sure=sure,
        blocks=blocks,
        lead_block=float(blocks.max()),
        least_block=float(blocks.min()),
        worst_error=texts.main.match_error,
        gammas=gammas,
        probabilities=probabilities,
        leading=probabilities[:, sure.leaders].sum(axis=1),
    )


def _gammas(start: float, end: float) -> Floats:
    """Gammas in equal ratios between two exact ends; (steps,)."""
    steps = np.geomspace(start, end, _WAY + 1)
    steps[[0, -1]] = start, end
    return steps
