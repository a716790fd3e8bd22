"""What a head of layer 1 finds a letter by: notes that heads of layer 0 have left in its keys.

A note is taken out where keys are made and nowhere else: the keys of layer 1 are computed from the
stream without what a head of layer 0 has added; queries and values stay as they are. So it is done
path by path, as in Wang et al., Interpretability in the Wild (2022).
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
    moments,
    normed,
    run,
    tokens_of,
)
from clockhead.model.units import Count, Doc, Place, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class SecondHop(Values):
    """A text, whose last letter asks, and three runs: whole, without one note, without two.

    N letters; `START` before them is not shown.
    """

    riddle: Annotated[Comeback, Doc("the end of the text, and where it stood before")]
    letters: Annotated[tuple[str, ...], Doc("the letters of the text, a space as ␣; N of them")]
    asks: Annotated[Place, Doc("the place of the last letter, which asks")]
    goal: Annotated[
        Place, Doc("the place of the answer that is looked at most, after the last letter")
    ]
    before_goal: Annotated[Place, Doc("the place of the letter before it, the same as the last")]

    reader: Annotated[Count, Doc("the number of the head of layer 1 that asks")]
    reader_name: Annotated[str, Doc("the head that asks, by layer and number")]
    writer: Annotated[Count, Doc("the number of the head of layer 0 that notes the letter before")]
    writer_name: Annotated[str, Doc("the head that notes the letter before, by layer and number")]
    other: Annotated[Count, Doc("the number of the head of layer 0 whose notes are taken out next")]
    other_name: Annotated[str, Doc("the head whose notes go next, by layer and number")]

    rows: Annotated[Floats, Doc("the attention of the last letter in all three runs; (3, N)")]
    runs: Annotated[Floats, Doc("attention on the goal and guess of the answer, for each; (3, 2)")]
    share: Annotated[Share, Doc("the attention that the goal gets from the last letter")]
    share_without: Annotated[Share, Doc("what the goal gets without notes of the letter before")]
    share_without_both: Annotated[Share, Doc("what the goal gets without notes of both heads")]
    guess: Annotated[Share, Doc("how likely the answer is guessed to come next")]
    guess_without: Annotated[
        Share, Doc("how likely the answer is guessed without notes of the letter before")
    ]
    guess_without_both: Annotated[
        Share, Doc("how likely the answer is guessed without notes of both heads")
    ]
    is_found: Annotated[bool, Doc("whether nothing gets more attention than the goal")]
    is_gone: Annotated[bool, Doc("whether another place gets more without both notes")]
    instead: Annotated[str, Doc("the letter that gets most then, or the start")]
    is_guessed: Annotated[bool, Doc("whether the answer is guessed most")]
    top: Annotated[str, Doc("the letter that is guessed most")]

    written: Annotated[Floats, Doc("the attention of the goal in layer 0, by the writer; (N,)")]
    notes: Annotated[tuple[str, ...], Doc("the letter before each one; N of them")]
    note_shares: Annotated[Floats, Doc("the attention that the writer gave it; (N,)")]
    bearers: Annotated[Ints, Doc("the places whose note is the last letter; (B,)")]
    n_bearers: Annotated[Count, Doc("how many notes are the last letter")]
    other_notes: Annotated[tuple[str, ...], Doc("what the other head looks at most; N of them")]
    other_shares: Annotated[Floats, Doc("the attention that it gave it; (N,)")]
    other_note: Annotated[str, Doc("what the other head looked at most from the goal")]
    is_before_last: Annotated[bool, Doc("whether this stands right before the last letter, too")]
    steps_back: Annotated[Count, Doc("how many letters before the goal that is")]


def second_hop(text: str, moment: int, reader: int | None = None) -> SecondHop:
    """What the last letter of a text finds, with a head of layer 1, and what it finds it by.

    The goal is where the answer of the riddle came after the same letter before; of several places
    that which gets most. Without a `reader`, it is the head of layer 1 that gives most.
    Raises ValueError for a text that `comeback` refuses, and a moment that was not kept.
    """
    riddle = comeback(text)
    weights, tokens = moments().at(moment), tokens_of(text)  # (T,)
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
    without = [_without_notes(weights, whole, [])]
    without.append(_without_notes(weights, whole, [writer]))
    others = [head for head in range(N_HEADS) if head != writer]
    both = [_without_notes(weights, whole, [writer, head]) for head in others]
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


def _without_notes(
    weights: TrainedWeights, whole: TrainedPass, heads: Sequence[int]
) -> tuple[Floats, Floats]:
    """The patterns of layer 1, (4, T, T), and the guess after the text, (27,).

    Keys of layer 1 are made of the stream without what some heads of layer 0 have added.
    """
    stream = whole.streams[1]  # (T, 64)
    noted = normed(stream - whole.added[0, list(heads)].sum(axis=0))  # (T, 64)
    keys = rotate(noted @ weights.w_k[1], np.arange(len(stream)), FREQUENCIES)  # (4, T, 16)
    scores = whole.queries[1] @ keys.swapaxes(-1, -2) * D_HEAD**-0.5  # (4, T, T)
    pattern = pattern_from_scores(scores)
    gives = pattern @ (normed(stream) @ weights.w_v[1]) @ weights.w_o[1]  # (4, T, 64)
    logits = normed(stream + gives.sum(axis=0))[-1] @ weights.unembedding  # (27,)
    likely = np.exp(logits - logits.max())
    return pattern, np.asarray(likely / likely.sum())
