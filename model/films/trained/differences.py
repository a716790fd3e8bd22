"""What the trained transformer does differently from the heads that were set by hand.

The heads by hand are those of Chris Wendler's RoPE transformer, sections 3 to 5, over the same
tokens: a previous-token head, and an induction head that compares one letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.films.trained.clocks import steps_back
from clockhead.model.films.trained.comeback import comeback, next_letter
from clockhead.model.heads.head_scores import TARGETS, head_scores
from clockhead.model.induction.two_layers import TwoLayerWeights, two_layers
from clockhead.model.induction.weights import induction_weights
from clockhead.model.trained.texts import START, TOKENS, texts_said_twice
from clockhead.model.trained.transformer import (
    D_HEAD,
    N_HEADS,
    Head,
    moments,
    run,
    surprises,
    tokens_of,
    trained_patterns,
)
from clockhead.model.units import Count, Doc, Letters, Share, Tokens

N_TEXTS, N_LETTERS = 200, 20
"""Texts that are said twice, and the letters of each, over which guesses are averaged."""
_SEED = 37
MOST_AGAIN = 10
"""How many letters may have come again before a guess."""
ALPHA = BETA = 10.0
"""The scales of the heads by hand, as in the films about them."""
EXAMPLE = "kore pota ko"
"""A text whose last letter stood twice before, with another letter after it each time."""
_FROM, _TO = 2, 3
"""How many letters back the heads look that look further than one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadDifferences(Values):
    """Heads by hand and trained ones over one text of N letters, and over many said twice."""

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; N + 1 tokens")]
    letters: Annotated[tuple[str, ...], Doc("the letters of the text; N of them")]
    n_letters: Annotated[Tokens, Doc("how many letters the text has, N")]

    names: Annotated[
        Floats, Doc("the heads `previous` and `resting` as written, with a point between; (2,)")
    ]
    previous: Annotated[str, Doc("the previous-token head: its layer and its number")]
    built_before: Annotated[Floats, Doc("by hand: what each gives the one before it; (N,)")]
    learned_before: Annotated[Floats, Doc("trained: what each gives the one before it; (N,)")]
    built_least: Annotated[Share, Doc("by hand: the least that a letter gives the one before it")]
    learned_mean: Annotated[Share, Doc("trained: the mean of what letters give the one before")]

    resting: Annotated[
        str, Doc("the head of layer 1 in which new letters look at the start more than others most")
    ]
    is_new: Annotated[Bools, Doc("whether each letter stands there for the first time; (N,)")]
    to_start: Annotated[Floats, Doc("what each letter gives the start in that head; (N,)")]
    start_new: Annotated[Share, Doc("the mean of what new letters give the start")]
    start_again: Annotated[Share, Doc("the mean of what letters that stood before give it")]

    example: Annotated[tuple[str, ...], Doc("letters of which the last stood there twice before")]
    example_at: Annotated[Ints, Doc("where it stood; (2,)")]
    followers: Annotated[tuple[str, ...], Doc("what followed it there; 2 letters")]
    example_built: Annotated[Floats, Doc("by hand: what these two get next; (2,)")]
    example_learned: Annotated[Floats, Doc("trained: what these two get next; (2,)")]
    pair: Annotated[str, Doc("the two letters that the example ends with")]
    asker: Annotated[str, Doc("the letter that the example ends with")]
    first_follower: Annotated[str, Doc("what followed this letter first")]
    second_follower: Annotated[str, Doc("what followed it the second time")]
    each_built: Annotated[Share, Doc("by hand: what each of both gets")]
    first_learned: Annotated[Share, Doc("trained: what the first of both gets")]

    again: Annotated[Ints, Doc("how many letters have come again, 1 to 10; (K,)")]
    built_right: Annotated[Floats, Doc("by hand: what the right next letter gets; (K,)")]
    learned_right: Annotated[Floats, Doc("trained: what the right next letter gets; (K,)")]
    without_right: Annotated[Floats, Doc("the same without the heads that look further back; (K,)")]
    built_at_first: Annotated[Share, Doc("by hand: what it gets after one letter")]
    learned_at_first: Annotated[Share, Doc("trained: what it gets after one letter")]
    built_later: Annotated[Share, Doc("by hand: what it gets after the most letters")]
    learned_later: Annotated[Share, Doc("trained: what it gets after the most letters")]
    without_later: Annotated[Share, Doc("without these heads, after the most letters")]
    ahead_from: Annotated[
        Letters, Doc("after how many letters the trained one is ahead for good; 0 if never")
    ]
    further: Annotated[
        tuple[Head, ...], Doc("the heads of layer 0 that look two or three letters back")
    ]
    n_further: Annotated[Count, Doc("how many heads of layer 0 look two or three letters back")]


@lru_cache(maxsize=1)
def built_weights() -> TwoLayerWeights:
    """Both layers by hand over the tokens of the trained transformer, with as many clock hands."""
    return induction_weights(len(TOKENS), d_head=D_HEAD, alpha=ALPHA, beta=BETA)


def differences(text: str, moment: int) -> HeadDifferences:
    """Compare over a text, after so many steps of training.

    Raises ValueError for a text that `tokens_of` refuses, and a moment that was not kept.
    """
    found = trained_patterns(text, moment)
    scores = head_scores(found)
    previous = TARGETS.index("previous")
    layer, number = 0, int(scores.on_target[0, :, previous].argmax())
    built = two_layers(built_weights(), tokens_of(text)).head_0.pattern  # (N + 1, N + 1)
    rows = np.arange(1, found.n_tokens)
    learned = found.patterns[layer, number][rows, rows - 1]
    names = comeback(text).shown
    is_new = np.array([letter not in names[:k] for k, letter in enumerate(names)])  # (N,)
    to_start = found.patterns[1, :, 1:, 0]  # (4, N)
    on_new = to_start[:, is_new].mean(axis=1)  # (4,)
    on_again = to_start[:, ~is_new].mean(axis=1)
    resting = int((on_new - on_again).argmax())
    many, shown = _over_many(moment), comeback(EXAMPLE).shown
    at = [k for k, letter in enumerate(shown[:-1]) if letter == shown[-1]]  # (2,)
    both = [TOKENS.tokens.index(shown[k + 1]) for k in at]
    by_hand = two_layers(built_weights(), tokens_of(EXAMPLE)).logits[-1][both]  # (2,)
    guess = next_letter(EXAMPLE, moment)[both]  # (2,)
    return HeadDifferences(
        tokens=(START, *names),
        letters=names,
        n_letters=len(names),
        names=np.array([number / 10, 1 + resting / 10]),
        previous=f"{layer}.{number}",
        built_before=built[rows, rows - 1],
        learned_before=learned,
        built_least=float(built[rows, rows - 1].min()),
        learned_mean=float(learned.mean()),
        resting=f"1.{resting}",
        is_new=is_new,
        to_start=to_start[resting].copy(),
        start_new=float(on_new[resting]),
        start_again=float(on_again[resting]),
        example=shown,
        example_at=np.array(at),
        followers=tuple(shown[k + 1] for k in at),
        example_built=by_hand,
        example_learned=guess,
        pair="".join(shown[-2:]),
        asker=shown[-1],
        first_follower=shown[at[0] + 1],
        second_follower=shown[at[1] + 1],
        each_built=float(by_hand[0]),
        first_learned=float(guess[0]),
        again=np.arange(1, MOST_AGAIN + 1),
        built_right=many.built,
        learned_right=many.learned,
        without_right=many.without,
        built_at_first=float(many.built[0]),
        learned_at_first=float(many.learned[0]),
        built_later=float(many.built[-1]),
        learned_later=float(many.learned[-1]),
        without_later=float(many.without[-1]),
        ahead_from=_ahead_from(many.learned - many.built),
        further=many.further,
        n_further=len(many.further),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _OverMany(Values):
    """What `HeadDifferences` has of the texts that are said twice."""

    built: Annotated[Floats, Doc("what the right letter gets by hand; (D,)")]
    learned: Annotated[Floats, Doc("what it gets in the trained model; (D,)")]
    without: Annotated[Floats, Doc("what it gets there without the heads of `further`; (D,)")]
    further: Annotated[tuple[Head, ...], Doc("heads that look two or three letters back")]


@lru_cache(maxsize=4)
def _over_many(moment: int) -> _OverMany:
    weights = moments().at(moment)
    texts = texts_said_twice(_SEED, N_TEXTS, N_LETTERS)  # (S, T)
    heads = [(0, head) for head in range(N_HEADS)]
    further = [head for head in heads if _FROM <= steps_back(weights, head) <= _TO]
    found = run(weights, texts)
    by_hand = np.stack([two_layers(built_weights(), text).logits for text in texts])  # (S, T, V)
    return _OverMany(
        built=_right(np.take_along_axis(by_hand[:, :-1], texts[:, 1:, None], axis=-1)[..., 0]),
        learned=_right(np.exp(-surprises(found.logits, texts))),
        without=_right(np.exp(-surprises(run(weights, texts, further).logits, texts))),
        further=tuple(further),
    )


def _right(shares: Floats) -> Floats:
    """The mean of what next letters get, (S, T - 1), after 1, 2 ... letters said again; (K,)."""
    begins = N_LETTERS + 1
    return np.asarray(shares[:, begins : begins + MOST_AGAIN].mean(axis=0))


def _ahead_from(lead: Floats) -> int:
    """After how many letters a lead (K,) stays above zero; 0 if it never does."""
    behind = np.flatnonzero(lead <= 0)
    last = int(behind[-1]) + 1 if behind.size else 0
    return last + 1 if last < len(lead) else 0
