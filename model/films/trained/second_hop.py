"""Path patching: which heads of layer 0 a head of layer 1 reads through its keys.

The output of a head of layer 0 (its notes, in the film) is removed only on the path to the keys of
layer 1: these are computed from the stream without it, and queries and values do not change. Path
patching is from Wang et al., Interpretability in the Wild (2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.films.trained.comeback import ALPHABET, Comeback, comeback
from clockhead.model.films.trained.heads import mean_shares
from clockhead.model.rope.rotation import rotate
from clockhead.model.trained.texts import START
from clockhead.model.trained.transformer import (
    D_HEAD,
    FREQUENCIES,
    N_HEADS,
    TrainedPass,
    TrainedWeights,
    encode_text,
    moments,
    rms_norm,
    run,
)
from clockhead.model.units import Count, Doc, Place, Share, Shares


@dataclass(frozen=True, kw_only=True, eq=False)
class SecondHop(Values):
    """The last row of a text in three runs: whole, and with the notes of one and two heads removed.

    N letters; `START` before them is not shown.
    """

    riddle: Annotated[Comeback, Doc("the repeated end of the text, and its earlier occurrence")]
    letters: Annotated[tuple[str, ...], Doc("letters of the text, a space as ␣; N of them")]
    asks: Annotated[Place, Doc("index of the last letter, which makes the query")]
    goal: Annotated[
        Place, Doc("index of the expected letter, after an earlier copy of the last one")
    ]
    before_goal: Annotated[Place, Doc("index of the letter before it, the same letter as the last")]

    reader: Annotated[Count, Doc("number of the head of layer 1")]
    reader_name: Annotated[str, Doc("name of the head of layer 1, as layer.head")]
    writer: Annotated[Count, Doc("number of the head of layer 0 that stores the letter before")]
    writer_name: Annotated[
        str, Doc("name of the head that stores the letter before, as layer.head")
    ]
    other: Annotated[Count, Doc("number of the head of layer 0 whose output is removed next")]
    other_name: Annotated[str, Doc("name of the head whose output is removed next, as layer.head")]

    rows: Annotated[Floats, Doc("attention weights of the last letter in all three runs; (3, N)")]
    runs: Annotated[
        Shares,
        Doc("attention weight on the goal and probability of the answer, in each run; (3, 2)"),
    ]
    share: Annotated[Share, Doc("attention weight of the last letter on the goal")]
    share_without: Annotated[
        Share, Doc("attention weight on the goal without notes of the letter before")
    ]
    share_without_both: Annotated[
        Share, Doc("attention weight on the goal without notes of both heads")
    ]
    guess: Annotated[Share, Doc("probability of the answer as the next letter")]
    guess_without: Annotated[
        Share, Doc("probability of the answer without notes of the letter before")
    ]
    guess_without_both: Annotated[
        Share, Doc("probability of the answer without notes of both heads")
    ]
    is_found: Annotated[bool, Doc("whether the goal has the largest attention weight")]
    is_gone: Annotated[
        bool, Doc("whether another position has a larger weight without notes of both heads")
    ]
    instead: Annotated[
        str, Doc("letter with the largest weight without notes of both heads, or the start")
    ]
    is_guessed: Annotated[bool, Doc("whether the answer is the likeliest next letter")]
    top: Annotated[str, Doc("likeliest next letter")]

    written: Annotated[
        Floats, Doc("attention weights of the goal in layer 0, in the head `writer`; (N,)")
    ]
    notes: Annotated[tuple[str, ...], Doc("letter before each one; N of them")]
    note_shares: Annotated[
        Floats, Doc("attention weight of each letter on the one before it, in `writer`; (N,)")
    ]
    bearers: Annotated[Ints, Doc("indices of letters that follow a copy of the last letter; (B,)")]
    n_bearers: Annotated[Count, Doc("number of letters that follow a copy of the last letter")]
    other_notes: Annotated[
        tuple[str, ...],
        Doc("letter with the largest weight in each row of the head `other`; N of them"),
    ]
    other_shares: Annotated[Floats, Doc("largest weight in each row of `other`; (N,)")]
    other_note: Annotated[str, Doc("letter with the largest weight in the goal's row of `other`")]
    is_before_last: Annotated[
        bool, Doc("whether this is also the letter right before the last one")
    ]
    steps_back: Annotated[Count, Doc("how many letters before the goal it is")]


def second_hop(text: str, moment: int, reader: int | None = None) -> SecondHop:
    """Run a text whole, and with the notes of one and two heads of layer 0 removed from the keys.

    The goal is a position at which the expected letter follows an earlier copy of the last one; of
    several, the one with the largest weight. By default, `reader` is the head of layer 1 with the
    largest weight on it. Raises ValueError for a text that `comeback` refuses, and a step without a
    checkpoint.
    """
    riddle = comeback(text)
    weights, tokens = moments().at(moment), encode_text(text)  # (T,)
    whole = run(weights, tokens)
    first, second = whole.patterns  # (4, T, T) each
    shown = np.array([START, *riddle.shown], dtype=object)  # (T,)
    after = (shown == riddle.answer) & np.roll(shown == riddle.last, 1)  # (T,)
    goals = np.flatnonzero(after)
    shares = second[:, -1, goals].copy()  # (4, G)
    if reader is not None:
        shares[[head for head in range(N_HEADS) if head != reader]] = -1
    reader, at = (int(k) for k in np.unravel_index(shares.argmax(), shares.shape))
    goal = int(goals[at])
    writer = int(mean_shares(moment)[0, 0].argmax())
    without = [_patch_keys(weights, whole, [])]
    without.append(_patch_keys(weights, whole, [writer]))
    others = [head for head in range(N_HEADS) if head != writer]
    both = [_patch_keys(weights, whole, [writer, head]) for head in others]
    fewest = int(np.argmin([pattern[reader, -1, goal] for pattern, _ in both]))
    other = others[fewest]
    without.append(both[fewest])

    rows = np.array([pattern[reader, -1] for pattern, _ in without])  # (3, T)
    guesses = np.array([guess for _, guess in without])  # (3, 27)
    runs = np.column_stack([rows[:, goal], guesses[:, riddle.answer_index]])  # (3, 2)
    looks_at = first[other].argmax(axis=1)  # (T,)
    notes = tuple(shown[:-1].tolist())
    bearers = np.array([k for k, note in enumerate(notes) if note == riddle.last], dtype=np.int64)
    return SecondHop(
        riddle=riddle,
        letters=riddle.shown,
        asks=len(riddle.shown) - 1,
        goal=goal - 1,
        before_goal=goal - 2,
        reader=reader,
        reader_name=f"1.{reader}",
        writer=writer,
        writer_name=f"0.{writer}",
        other=other,
        other_name=f"0.{other}",
        rows=rows[:, 1:].copy(),
        runs=runs,
        share=float(runs[0, 0]),
        share_without=float(runs[1, 0]),
        share_without_both=float(runs[2, 0]),
        guess=float(runs[0, 1]),
        guess_without=float(runs[1, 1]),
        guess_without_both=float(runs[2, 1]),
        is_found=bool(rows[0].argmax() == goal),
        is_gone=bool(rows[2].argmax() != goal),
        instead=str(shown[rows[2].argmax()]),
        is_guessed=bool(guesses[0].argmax() == riddle.answer_index),
        top=ALPHABET[int(guesses[0].argmax())],
        written=first[writer, goal, 1:].copy(),
        notes=notes,
        note_shares=np.diagonal(first[writer], -1).copy(),
        bearers=bearers,
        n_bearers=len(bearers),
        other_notes=tuple(shown[looks_at[1:]].tolist()),
        other_shares=first[other].max(axis=1)[1:].copy(),
        other_note=str(shown[looks_at[goal]]),
        is_before_last=bool(shown[looks_at[goal]] == shown[-2]),
        steps_back=int(goal - looks_at[goal]),
    )


def _patch_keys(
    weights: TrainedWeights, whole: TrainedPass, heads: Sequence[int]
) -> tuple[Floats, Floats]:
    """The patterns of layer 1 (4, T, T), and the probabilities of the next letter (27,).

    The keys of layer 1 are computed from the stream without the output of `heads` of layer 0.
    """
    stream = whole.streams[1]  # (T, 64)
    noted = rms_norm(stream - whole.added[0, list(heads)].sum(axis=0))  # (T, 64)
    keys = rotate(noted @ weights.w_k[1], np.arange(len(stream)), FREQUENCIES)  # (4, T, 16)
    scores = whole.queries[1] @ keys.swapaxes(-1, -2) * D_HEAD**-0.5  # (4, T, T)
    pattern = pattern_from_scores(scores)
    gives = pattern @ (rms_norm(stream) @ weights.w_v[1]) @ weights.w_o[1]  # (4, T, 64)
    logits = rms_norm(stream + gives.sum(axis=0))[-1] @ weights.unembedding  # (27,)
    likely = np.exp(logits - logits.max())
    return pattern, np.asarray(likely / likely.sum())
