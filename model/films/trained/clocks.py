"""The clock hands of a learned head of layer 0, beside those of one that was set by hand.

Before the first layer, a token's vector knows nothing of its place. So what a head scores, with
letters as common as in English, is a sum over pairs of coordinates: the mean query times the mean
key, turned by RoPE as many steps as there are between them. Each pair is a clock hand: where it
stands says how many letters back it scores most, and how long it is, how much that counts. By hand,
all are equally long and stand at the same number of steps (Chris Wendler's RoPE transformer,
section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clockhead.model.arrays import Floats, Ints, Values, sealed
from clockhead.model.films.trained.comeback import comeback
from clockhead.model.rope.rotation import kernel, periods
from clockhead.model.trained.texts import N_GUESSED, START, letter_pairs
from clockhead.model.trained.transformer import (
    D_HEAD,
    FREQUENCIES,
    Head,
    TrainedWeights,
    checked_head,
    moments,
    normed,
    run,
    tokens_of,
)
from clockhead.model.units import (
    Correlation,
    Count,
    Doc,
    Period,
    Positions,
    Score,
    ScoreScale,
    Steps,
    Tokens,
)

Complexes: TypeAlias = NDArray[np.complex128]
FURTHEST = 10
"""How many letters back scores are shown."""
GONE = 0.05
"""Hands shorter than this share of the longest are nearly gone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LearnedClocks(Values):
    """One head of layer 0 by its clock hands; D offsets, 8 hands."""

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, the start counted")]
    name: Annotated[str, Doc("the head by its layer and its number")]
    pattern: Annotated[Floats, Doc("what each token takes of those up to it; (T, T)")]

    diagonals: Annotated[
        Ints, Doc("the place so many letters before each, below 0 where there is none; (D, T)")
    ]

    offsets: Annotated[Ints, Doc("how many letters back, 0 to 10; (D,)")]
    frequencies: Annotated[Floats, Doc("radians that each hand turns per letter; (8,)")]
    turns: Annotated[Floats, Doc("after how many letters each hand has turned once; (8,)")]
    turns_written: Annotated[tuple[str, ...], Doc("the same, rounded, as written")]
    fastest_turn: Annotated[Period, Doc("after how many letters the fastest has turned once")]
    hands: Annotated[Floats, Doc("where training put them: up and to the right; (8, 2)")]
    lengths: Annotated[Floats, Doc("how long they are, in score; (8,)")]
    longest: Annotated[Score, Doc("the length of the longest hand")]
    steps: Annotated[Floats, Doc("how many letters back each stands; (8,)")]
    fastest_steps: Annotated[Steps, Doc("how many letters back the fastest hand stands")]
    scores: Annotated[Floats, Doc("mean score of a letter so many back; (D,)")]
    back: Annotated[Positions, Doc("how many letters back the mean score is highest")]
    top: Annotated[Score, Doc("the highest mean score")]

    moments: Annotated[Ints, Doc("the kept moments up to this one, in steps; (M,)")]
    hands_then: Annotated[Floats, Doc("`hands` at each of them; (M, 8, 2)")]
    scores_then: Annotated[Floats, Doc("`scores` at each of them; (M, D)")]

    kept: Annotated[Ints, Doc("the hands that are not nearly gone; (K,)")]
    n_kept: Annotated[Count, Doc("how many hands are not nearly gone, K")]
    slowest_are_gone: Annotated[bool, Doc("whether hands are nearly gone, and they are slowest")]

    built_angles: Annotated[Floats, Doc("by hand: how far each hand is turned; (8,)")]
    slow_part: Annotated[
        Floats, Doc("what the slowest hand that is left adds for a letter so many back; (D,)")
    ]
    slow_sinks: Annotated[bool, Doc("whether this sinks with every letter")]

    key_angles: Annotated[
        Floats, Doc("how far each hand turns the key of a letter so many back; (D, 8)")
    ]
    built_part: Annotated[
        Floats,
        Doc("by hand: what the fastest hand adds at alpha 1 for a letter so many back; (D,)"),
    ]
    built: Annotated[Floats, Doc("by hand: what so many back scores at alpha 1; (D,)")]
    alpha: Annotated[ScoreScale, Doc("the alpha at which those come closest to the learned")]
    shift: Annotated[Score, Doc("what is added to all of them, which no softmax notices")]
    fitted: Annotated[Floats, Doc("by hand at this alpha, with what is added; (D,)")]
    likeness: Annotated[
        Correlation, Doc("correlation of the scores by hand with the learned, over the offsets")
    ]


@lru_cache(maxsize=1)
def letter_shares() -> Floats:
    """How common each letter is in a text whose letters follow one another as in English; (27,)."""
    step = letter_pairs()  # (27, 27)
    equations = np.vstack([step.T - np.eye(N_GUESSED), np.ones(N_GUESSED)])  # (28, 27)
    wanted = np.append(np.zeros(N_GUESSED), 1.0)
    shares, *_ = np.linalg.lstsq(equations, wanted, rcond=None)
    return sealed(shares)


def learned_clocks(text: str, moment: int, number: int) -> LearnedClocks:
    """The hands of head `number` of layer 0 after so many steps of training.

    Raises ValueError for a text that `tokens_of` refuses, a moment that was not kept, and a head
    that there is not.
    """
    at = checked_head((0, number))
    weights = moments().at(moment)
    offsets = np.arange(FURTHEST + 1)  # (D,)
    then = moments().steps[moments().steps <= moment]  # (M,)
    products = np.stack([_products(moments().at(int(step)), at) for step in then])  # (M, 8)
    scores_then = _scores(products)  # (M, D)
    scores = scores_then[-1].copy()
    back = int(scores.argmax())
    # A hand adds its length where it is turned by minus its angle: there it stands
    lengths, angles = np.abs(products[-1]), -np.angle(products[-1])  # (8,)
    steps, turns = angles / FREQUENCIES, periods(FREQUENCIES)  # (8,)
    kept = np.flatnonzero(lengths >= GONE * lengths.max())
    hands_then = np.stack([products.real, -products.imag], axis=-1)  # (M, 8, 2)

    slow = int(kept[-1])
    slow_part = lengths[slow] * np.cos(offsets * FREQUENCIES[slow] - angles[slow])  # (D,)

    built = kernel(offsets - back, FREQUENCIES)  # (D,)
    spread = built - built.mean()
    alpha = float(spread @ scores / (spread @ spread))
    shift = float(scores.mean() - alpha * built.mean())
    return LearnedClocks(
        tokens=(START, *comeback(text).shown),
        n_tokens=len(text) + 1,
        name=f"0.{number}",
        diagonals=np.arange(len(text) + 1) - offsets[:, None],
        pattern=run(weights, tokens_of(text)).patterns[at].copy(),
        offsets=offsets,
        frequencies=FREQUENCIES.copy(),
        turns=turns,
        turns_written=tuple(f"{turn:,.0f}" for turn in turns),
        fastest_turn=float(turns[0]),
        hands=hands_then[-1].copy(),
        lengths=lengths,
        longest=float(lengths.max()),
        steps=steps,
        fastest_steps=float(steps[0]),
        scores=scores,
        back=back,
        top=float(scores[back]),
        moments=then,
        hands_then=hands_then,
        scores_then=scores_then,
        kept=kept,
        n_kept=len(kept),
        slowest_are_gone=len(kept) < len(lengths) and bool((kept == np.arange(len(kept))).all()),
        built_angles=back * FREQUENCIES,
        slow_part=slow_part,
        slow_sinks=bool((np.diff(slow_part) < 0).all()),
        key_angles=offsets[:, None] * FREQUENCIES,
        built_part=np.cos((offsets - back) * FREQUENCIES[0]),
        built=built,
        alpha=alpha,
        shift=shift,
        fitted=alpha * built + shift,
        likeness=float(np.corrcoef(built, scores)[0, 1]),
    )


def steps_back(weights: TrainedWeights, head: Head) -> int:
    """How many letters back the mean score of a head of layer 0 is highest, 0 to `FURTHEST`."""
    return int(_scores(_products(weights, head)).argmax())


def _scores(products: Complexes) -> Floats:
    """The mean scores by offset of products (..., 8); (..., D).

    At offset d, a hand adds the real part of its product times exp(i d theta).
    """
    turns = np.exp(1j * np.arange(FURTHEST + 1)[:, None] * FREQUENCIES)  # (D, 8)
    return np.asarray((products[..., None, :] * turns).real.sum(axis=-1))


def _products(weights: TrainedWeights, at: Head) -> Complexes:
    """The mean query of a head of layer 0 times its mean key, as complex numbers; (8,).

    Of each pair of coordinates, the first is the real part.
    """
    mean = letter_shares() @ normed(weights.embedding[:N_GUESSED])  # (64,)
    query, key = mean @ weights.w_q[at], mean @ weights.w_k[at]  # (16,) each
    pairs = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])  # (8,)
    return np.asarray(pairs * D_HEAD**-0.5)
