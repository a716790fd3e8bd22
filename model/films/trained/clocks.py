"""The clock hands of a learned head of layer 0, compared with those of a hand-built head.

Before the first layer, a token's vector does not depend on its position. So the mean score of a
head at each offset, over letters as frequent as in English, is a sum over pairs of coordinates: the
mean query times the mean key, rotated by RoPE by the offset. Each pair is a clock hand: its angle
gives the offset at which it scores highest, and its length how much it counts. In the hand-built
head, all hands have the same length and offset (Chris Wendler's RoPE transformer, section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clockhead.model.arrays import Floats, Ints, Values, read_only
from clockhead.model.films.trained.comeback import comeback
from clockhead.model.rope.rotation import kernel, periods
from clockhead.model.trained.texts import N_GUESSED, START, letter_pairs
from clockhead.model.trained.transformer import (
    D_HEAD,
    FREQUENCIES,
    Head,
    TrainedWeights,
    check_head,
    encode_text,
    moments,
    rms_norm,
    run,
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
"""Largest offset at which scores are shown."""
GONE = 0.05
"""Hands shorter than this fraction of the longest are nearly gone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LearnedClocks(Values):
    """The clock hands and mean scores of one head of layer 0; D offsets, 8 hands."""

    tokens: Annotated[tuple[str, ...], Doc("the text, with the start; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, the start counted")]
    name: Annotated[str, Doc("name of the head, as layer.head")]
    pattern: Annotated[Floats, Doc("attention weights; (T, T)")]

    diagonals: Annotated[
        Ints, Doc("position at each offset before each token, negative if there is none; (D, T)")
    ]

    offsets: Annotated[Ints, Doc("offsets in letters back, 0 to 10; (D,)")]
    frequencies: Annotated[Floats, Doc("radians that each hand turns per letter; (8,)")]
    turns: Annotated[Floats, Doc("letters per full turn of each hand; (8,)")]
    turns_written: Annotated[tuple[str, ...], Doc("the same, rounded, as texts")]
    fastest_turn: Annotated[Period, Doc("letters per full turn of the fastest hand")]
    hands: Annotated[Floats, Doc("tips of the hands after training, up and to the right; (8, 2)")]
    lengths: Annotated[Floats, Doc("lengths of the hands, in score; (8,)")]
    longest: Annotated[Score, Doc("length of the longest hand")]
    steps: Annotated[Floats, Doc("offset at which each hand scores highest, in letters; (8,)")]
    fastest_steps: Annotated[Steps, Doc("offset at which the fastest hand scores highest")]
    scores: Annotated[Floats, Doc("mean score at each offset; (D,)")]
    back: Annotated[Positions, Doc("offset with the highest mean score")]
    top: Annotated[Score, Doc("highest mean score")]

    moments: Annotated[Ints, Doc("training steps of the checkpoints up to this one; (M,)")]
    hands_then: Annotated[Floats, Doc("`hands` at each checkpoint; (M, 8, 2)")]
    scores_then: Annotated[Floats, Doc("`scores` at each checkpoint; (M, D)")]

    kept: Annotated[Ints, Doc("hands that are not nearly gone; (K,)")]
    n_kept: Annotated[Count, Doc("number of hands that are not nearly gone, K")]
    slowest_are_gone: Annotated[
        bool, Doc("whether some hands are nearly gone, and these are the slowest")
    ]

    built_angles: Annotated[Floats, Doc("hand-built: angle of each hand, in radians; (8,)")]
    slow_part: Annotated[
        Floats, Doc("part of the slowest remaining hand in the score at each offset; (D,)")
    ]
    slow_sinks: Annotated[bool, Doc("whether this part falls with every letter")]

    key_angles: Annotated[Floats, Doc("radians that each offset turns each hand of a key; (D, 8)")]
    built_part: Annotated[
        Floats,
        Doc("hand-built: part of the fastest hand in the score at alpha 1; (D,)"),
    ]
    built: Annotated[Floats, Doc("hand-built: score at each offset at alpha 1; (D,)")]
    alpha: Annotated[
        ScoreScale, Doc("alpha with which the hand-built scores fit the learned ones best")
    ]
    shift: Annotated[
        Score, Doc("constant that is added for the fit, which does not change the softmax")
    ]
    fitted: Annotated[Floats, Doc("hand-built: scores at this alpha, with this constant; (D,)")]
    likeness: Annotated[
        Correlation, Doc("correlation of hand-built and learned scores over the offsets")
    ]


@lru_cache(maxsize=1)
def letter_shares() -> Floats:
    """Frequencies of letters that follow each other as in English; (27,).

    This is the stationary distribution of `letter_pairs`.
    """
    step = letter_pairs()  # (27, 27)
    equations = np.vstack([step.T - np.eye(N_GUESSED), np.ones(N_GUESSED)])  # (28, 27)
    wanted = np.append(np.zeros(N_GUESSED), 1.0)
    shares, *_ = np.linalg.lstsq(equations, wanted, rcond=None)
    return read_only(shares)


def learned_clocks(text: str, moment: int, number: int) -> LearnedClocks:
    """The clock hands of head `number` of layer 0 after `moment` steps of training.

    Raises ValueError for a text that `encode_text` refuses, a step without a checkpoint, and a head
    that does not exist.
    """
    at = check_head((0, number))
    weights = moments().at(moment)
    offsets = np.arange(FURTHEST + 1)  # (D,)
    then = moments().steps[moments().steps <= moment]  # (M,)
    products = np.stack([_products(moments().at(int(step)), at) for step in then])  # (M, 8)
    scores_then = _scores(products)  # (M, D)
    scores = scores_then[-1].copy()
    back = int(scores.argmax())
    # A hand scores highest, its length, at the offset that turns it by minus its angle
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
        pattern=run(weights, encode_text(text)).patterns[at].copy(),
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
    """The offset, 0 to `FURTHEST`, with the highest mean score of a head of layer 0."""
    return int(_scores(_products(weights, head)).argmax())


def _scores(products: Complexes) -> Floats:
    """Mean scores by offset from products (..., 8); (..., D).

    At offset d, the part of a hand is the real part of its product times exp(i d theta).
    """
    turns = np.exp(1j * np.arange(FURTHEST + 1)[:, None] * FREQUENCIES)  # (D, 8)
    return np.asarray((products[..., None, :] * turns).real.sum(axis=-1))


def _products(weights: TrainedWeights, at: Head) -> Complexes:
    """Products of the mean query of a head of layer 0 and its mean key, as complex numbers; (8,).

    The first coordinate of each pair is the real part.
    """
    mean = letter_shares() @ rms_norm(weights.embedding[:N_GUESSED])  # (64,)
    query, key = mean @ weights.w_q[at], mean @ weights.w_k[at]  # (16,) each
    pairs = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])  # (8,)
    return np.asarray(pairs * D_HEAD**-0.5)
