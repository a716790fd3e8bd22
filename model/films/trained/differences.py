"""Differences between the trained transformer and the hand-built induction circuit.

The hand-built circuit is that of Chris Wendler's RoPE transformer, sections 3 to 5, with the same
vocabulary: a previous-token head, and an induction head that compares one letter.
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
    encode_text,
    letter_losses,
    moments,
    run,
    trained_patterns,
)
from clockhead.model.units import Count, Doc, Letters, Share, Shares, Tokens

N_TEXTS, N_LETTERS = 200, 20
"""Number of repeated texts over which predictions are averaged, and letters before the repeat."""
_SEED = 37
MOST_AGAIN = 10
"""Largest number of repeated letters before a prediction."""
ALPHA = BETA = 10.0
"""Scales of the hand-built heads, as in the films about them."""
EXAMPLE = "kore pota ko"
"""A text whose last letter occurs twice before, with different followers."""
_LEAST_BACK, _MOST_BACK = 2, 3
"""Smallest and largest offset of the heads that attend further back than one letter."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadDifferences(Values):
    """Hand-built and trained heads on one text of N letters, and on many repeated texts."""

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; N + 1 tokens")]
    letters: Annotated[tuple[str, ...], Doc("letters of the text; N of them")]
    n_letters: Annotated[Tokens, Doc("number of letters of the text, N")]

    names: Annotated[
        Floats, Doc("heads `previous` and `resting` as decimal numbers layer.head; (2,)")
    ]
    previous: Annotated[str, Doc("trained previous-token head, as layer.head")]
    built_before: Annotated[
        Shares, Doc("hand-built: attention weight of each letter on the one before it; (N,)")
    ]
    learned_before: Annotated[
        Shares, Doc("trained: attention weight of each letter on the one before it; (N,)")
    ]
    built_least: Annotated[
        Share, Doc("hand-built: smallest attention weight of a letter on the one before it")
    ]
    learned_mean: Annotated[
        Share, Doc("trained: mean attention weight of letters on the one before")
    ]

    resting: Annotated[
        str,
        Doc("head of layer 1 with the largest extra attention of new letters on the start"),
    ]
    is_new: Annotated[Bools, Doc("whether each letter occurs for the first time; (N,)")]
    to_start: Annotated[
        Shares, Doc("attention weight of each letter on the start, in that head; (N,)")
    ]
    start_new: Annotated[Share, Doc("mean attention weight of new letters on the start")]
    start_again: Annotated[Share, Doc("mean attention weight of repeated letters on the start")]

    example: Annotated[
        tuple[str, ...], Doc("letters of the example, whose last one occurs twice before")
    ]
    example_at: Annotated[Ints, Doc("earlier positions of its last letter; (2,)")]
    followers: Annotated[tuple[str, ...], Doc("letters that followed it there; 2 of them")]
    example_built: Annotated[
        Shares, Doc("hand-built: probabilities of these two letters next; (2,)")
    ]
    example_learned: Annotated[
        Shares, Doc("trained: probabilities of these two letters next; (2,)")
    ]
    pair: Annotated[str, Doc("last two letters of the example")]
    asker: Annotated[str, Doc("last letter of the example")]
    first_follower: Annotated[str, Doc("letter that followed it the first time")]
    second_follower: Annotated[str, Doc("letter that followed it the second time")]
    each_built: Annotated[Share, Doc("hand-built: probability of either follower")]
    first_learned: Annotated[Share, Doc("trained: probability of the first follower")]

    again: Annotated[Ints, Doc("numbers of repeated letters, 1 to 10; (K,)")]
    built_right: Annotated[
        Shares, Doc("hand-built: mean probability of the right next letter; (K,)")
    ]
    learned_right: Annotated[
        Shares, Doc("trained: mean probability of the right next letter; (K,)")
    ]
    without_right: Annotated[
        Shares,
        Doc("trained, without the heads that attend further back: the same mean; (K,)"),
    ]
    built_at_first: Annotated[
        Share, Doc("hand-built: mean probability of the right letter after one repeated letter")
    ]
    learned_at_first: Annotated[
        Share, Doc("trained: mean probability of the right letter after one repeated letter")
    ]
    built_later: Annotated[
        Share, Doc("hand-built: mean probability of the right letter after ten repeated letters")
    ]
    learned_later: Annotated[
        Share, Doc("trained: mean probability of the right letter after ten repeated letters")
    ]
    without_later: Annotated[
        Share, Doc("trained, without the heads that attend further back: the same")
    ]
    ahead_from: Annotated[
        Letters,
        Doc(
            "number of repeated letters from which the trained model is ahead for good; 0 if never"
        ),
    ]
    further: Annotated[
        tuple[Head, ...], Doc("heads of layer 0 that attend two or three letters back")
    ]
    n_further: Annotated[
        Count, Doc("number of heads of layer 0 that attend two or three letters back")
    ]


@lru_cache(maxsize=1)
def built_weights() -> TwoLayerWeights:
    """The hand-built circuit with the vocabulary and the head width of the trained transformer."""
    return induction_weights(len(TOKENS), d_head=D_HEAD, alpha=ALPHA, beta=BETA)


def differences(text: str, moment: int) -> HeadDifferences:
    """Compare both models on a text, after `moment` steps of training.

    Raises ValueError for a text that `encode_text` refuses, and a step without a checkpoint.
    """
    found = trained_patterns(text, moment)
    scores = head_scores(found)
    previous = TARGETS.index("previous")
    layer, number = 0, int(scores.on_target[0, :, previous].argmax())
    built = two_layers(built_weights(), encode_text(text)).head_0.pattern  # (N + 1, N + 1)
    rows = np.arange(1, found.n_tokens)
    learned = found.patterns[layer, number][rows, rows - 1]
    names = comeback(text).shown
    is_new = np.array([letter not in names[:k] for k, letter in enumerate(names)])  # (N,)
    to_start = found.patterns[1, :, 1:, 0]  # (4, N)
    on_new = to_start[:, is_new].mean(axis=1)  # (4,)
    on_again = to_start[:, ~is_new].mean(axis=1)
    resting = int((on_new - on_again).argmax())
    many, shown = _means_over_texts(moment), comeback(EXAMPLE).shown
    at = [k for k, letter in enumerate(shown[:-1]) if letter == shown[-1]]  # (2,)
    both = [TOKENS.tokens.index(shown[k + 1]) for k in at]
    by_hand = two_layers(built_weights(), encode_text(EXAMPLE)).logits[-1][both]  # (2,)
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
        ahead_from=_first_lasting_lead(many.learned - many.built),
        further=many.further,
        n_further=len(many.further),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _OverMany(Values):
    """Means of `HeadDifferences` over many repeated texts."""

    built: Annotated[Floats, Doc("hand-built: mean probability of the right letter; (K,)")]
    learned: Annotated[Floats, Doc("trained: mean probability of the right letter; (K,)")]
    without: Annotated[Floats, Doc("trained, without the heads of `further`: the same; (K,)")]
    further: Annotated[tuple[Head, ...], Doc("heads that attend two or three letters back")]


@lru_cache(maxsize=4)
def _means_over_texts(moment: int) -> _OverMany:
    weights = moments().at(moment)
    texts = texts_said_twice(_SEED, N_TEXTS, N_LETTERS)  # (S, T)
    heads = [(0, head) for head in range(N_HEADS)]
    further = [head for head in heads if _LEAST_BACK <= steps_back(weights, head) <= _MOST_BACK]
    found = run(weights, texts)
    by_hand = np.stack([two_layers(built_weights(), text).logits for text in texts])  # (S, T, V)
    return _OverMany(
        built=_mean_by_repeat(
            np.take_along_axis(by_hand[:, :-1], texts[:, 1:, None], axis=-1)[..., 0]
        ),
        learned=_mean_by_repeat(np.exp(-letter_losses(found.logits, texts))),
        without=_mean_by_repeat(np.exp(-letter_losses(run(weights, texts, further).logits, texts))),
        further=tuple(further),
    )


def _mean_by_repeat(shares: Floats) -> Floats:
    """Means of probabilities (S, T - 1) after 1, 2 .. `MOST_AGAIN` repeated letters; (K,)."""
    begins = N_LETTERS + 1
    return np.asarray(shares[:, begins : begins + MOST_AGAIN].mean(axis=0))


def _first_lasting_lead(lead: Floats) -> int:
    """Number of letters from which a lead (K,) stays above zero; 0 if it never does."""
    behind = np.flatnonzero(lead <= 0)
    last = int(behind[-1]) + 1 if behind.size else 0
    return last + 1 if last < len(lead) else 0
