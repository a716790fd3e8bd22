"""Shares of attention as logits: what softmax makes of them, times gamma.

The output matrix of `model.induction.weights`, gamma [0 0 I 0], copies the subspace out, into which
layer 1 writes shares. A model that ends in softmax(logits) makes softmax(gamma shares) of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.next_word import probabilities_at
from clockhead.model.films.induction.other_texts import OtherTexts, other_texts
from clockhead.model.induction.circuit import TIE, Induction, induction
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.units import Count, Difference, Doc, Factor, Share

STEPS_PER_UNIT = 10
"""Gamma is told in tenths."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
_WAY = 60
"""Steps from one gamma to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareLogits(Values):
    """Shares that are copied as logits, and the gamma at which the largest come to a goal."""

    shares: Annotated[Floats, Doc("what attention gives each token; (V,)")]
    goal: Annotated[Share, Doc("the probability that the leading tokens are to have")]
    leaders: Annotated[Ints, Doc("the tokens whose share is the largest or ties; (1 to V,)")]
    n_leaders: Annotated[Count, Doc("how many tokens lead")]
    lead: Annotated[
        Share, Doc("what attention gives the leading tokens together; not all if there are others")
    ]
    flat: Annotated[Floats, Doc("the probabilities at gamma 1; (V,)")]
    flat_lead: Annotated[Share, Doc("the probability of the leading tokens together, at gamma 1")]
    gamma: Annotated[
        Factor, Doc("the least gamma, in tenths, at which the leading tokens reach the goal")
    ]
    sharp: Annotated[Floats, Doc("the probabilities at that gamma; (V,)")]
    likeliest: Annotated[Share, Doc("the probability of the likeliest token at that gamma, alone")]

    def at(self, gamma: float) -> Floats:
        """The softmax of the shares times gamma; shape (V,)."""
        return softmax_at(self.shares, gamma)


def softmax_at(shares: Floats, gamma: float) -> Floats:
    """The softmax of shares (V,) times gamma; shape (V,)."""
    return np.asarray(probabilities_at(shares, [1 / gamma])[0])


def share_logits(shares: Floats, goal: float = 0.99) -> ShareLogits:
    """Find the gamma for shares (V,), two or more. The lead grows with it, so bisection does."""
    leaders = np.flatnonzero(shares > shares.max() - TIE)
    lead = float(shares[leaders].sum())

    def lead_at(tenths: int) -> float:
        return float(softmax_at(shares, tenths / STEPS_PER_UNIT)[leaders].sum())

    low, high = 0, 1  # in tenths; low is too small, or nothing
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
class ShareExamples(Values):
    """A text, and one in which a word followed twice and another once, over one vocabulary."""

    texts: Annotated[
        OtherTexts, Doc("the text and its vocabulary, with a word that it does not have")
    ]
    main: Annotated[Induction, Doc("the text itself, after BOS")]
    often: Annotated[str, Doc("the word that followed twice")]
    once: Annotated[str, Doc("the word that followed once")]
    torn: Annotated[
        Induction, Doc("the last word of the text, each time with one of those behind it")
    ]
    worst_error: Annotated[
        Difference, Doc("how far an output is at most from the shares of what stores its query")
    ]

    # Shares as logits
    sure: Annotated[ShareLogits, Doc("what the head gives after the text")]
    split: Annotated[ShareLogits, Doc("what the head gives after the other text")]
    often_share: Annotated[Share, Doc("what attention gives the word that followed twice")]
    once_share: Annotated[Share, Doc("what attention gives the word that followed once")]
    same: Annotated[
        Floats, Doc("probabilities after the other text, at the gamma of the first; (V,)")
    ]
    turns_on: Annotated[bool, Doc("whether it takes a larger gamma there for the same probability")]
    last_gamma: Annotated[Factor, Doc("the larger one of the two gammas")]
    last: Annotated[Floats, Doc("probabilities after the other text, at the larger gamma; (V,)")]
    last_often: Annotated[Share, Doc("what is left there for the word that followed twice")]
    last_once: Annotated[Share, Doc("what is left there for the word that followed once")]
    last_odds: Annotated[
        Factor, Doc("how many times as likely the word that followed twice is there")
    ]

    # On the way
    gammas: Annotated[
        Floats, Doc("gamma on its way from 1 to where the first text reaches the goal; (steps,)")
    ]
    probabilities: Annotated[
        Floats, Doc("probabilities after the first text on that way; (steps, V)")
    ]
    more_gammas: Annotated[
        Floats, Doc("gamma on its way on to where both texts reach the goal; (steps,)")
    ]
    more_probabilities: Annotated[
        Floats, Doc("probabilities after the other text on that way; (steps, V)")
    ]

    def came(self, word: str) -> int:
        """How often a word followed in the other text."""
        return sum(self.torn.tokens[place] == word for place in self.torn.text.followers)


def share_examples(words: tuple[str, ...], alpha: float, beta: float) -> ShareExamples:
    """Both texts, made of `words` without BOS. Raises ValueError where `other_texts` does."""
    texts = other_texts(words, alpha=alpha, beta=beta)
    main, tokens = texts.main, texts.vocabulary.tokens
    query, often, once = words[-1], main.tokens[main.text.other_follower], texts.new_word
    said = (query, often, query, often, query, once, query)
    torn = induction((BOS_TOKEN, *said), texts.vocabulary, alpha=alpha, beta=beta)

    # No share is 1, though the others may be lost in rounding
    sure, split = (share_logits(np.minimum(t.output, _ALMOST_ALL)) for t in (main, torn))
    last_gamma = max(sure.gamma, split.gamma)
    last = split.at(last_gamma)  # (V,)
    twice, single = tokens.index(often), tokens.index(once)
    gammas, more = _way(1.0, sure.gamma), _way(sure.gamma, last_gamma)  # (steps,) each
    often_share, once_share = float(split.shares[twice]), float(split.shares[single])
    return ShareExamples(
        texts=texts,
        main=main,
        often=often,
        once=once,
        torn=torn,
        worst_error=max(main.match_error, torn.match_error),
        sure=sure,
        split=split,
        often_share=often_share,
        once_share=once_share,
        same=split.at(sure.gamma),
        turns_on=split.gamma > sure.gamma,
        last_gamma=last_gamma,
        last=last,
        last_often=float(last[twice]),
        last_once=float(last[single]),
        last_odds=float(np.exp(last_gamma * (often_share - once_share))),
        gammas=gammas,
        probabilities=probabilities_at(sure.shares, 1 / gammas),
        more_gammas=more,
        more_probabilities=probabilities_at(split.shares, 1 / more),
    )


def _way(start: float, end: float) -> Floats:
    """Equal factors from one gamma to another, both of them to the digit; (steps,)."""
    steps = np.geomspace(start, end, _WAY + 1)
    steps[[0, -1]] = start, end
    return steps
