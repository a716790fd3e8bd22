"""The loss on letters that come again with one head silent, and how long are vectors that it adds.

Ablation to zero, on the texts on which the training measured its losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, sealed
from clockhead.model.films.trained.comeback import Comeback, comeback
from clockhead.model.trained.texts import MEASURED_SEED, N_MEASURED, N_SAID, texts_said_twice
from clockhead.model.trained.transformer import (
    N_HEADS,
    N_LAYERS,
    Head,
    moments,
    run,
    surprises,
    tokens_of,
)
from clockhead.model.units import Count, Doc, HeadNumber, Length, Nats, Share

EARLY, LAST = 150, 2000
"""Steps: the first fall of the loss is over; the end of the training."""
HEADS: list[Head] = list(np.ndindex(N_LAYERS, N_HEADS))
"""All heads, those of layer 0 first."""
KINDS = ("letter", "note", "again")
"""The letter itself, what the previous-token head adds, and what the head that repeats adds."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SilentHeads(Values):
    """What is lost without each head, in nats, and what the head is like that is missed most."""

    riddle: Annotated[Comeback, Doc("the text over which patterns are shown")]
    patterns: Annotated[Floats, Doc("what each head looks at in it; (2, 4, T, T)")]
    heads: Annotated[tuple[Head, ...], Doc("layer and head of all heads; 8")]
    whole: Annotated[Nats, Doc("the loss on letters that come again, with all heads")]
    losses: Annotated[Floats, Doc("the same without each head; (8,)")]
    n_heads: Annotated[Count, Doc("how many heads there are")]
    plateau: Annotated[Nats, Doc("the loss when the first fall was over")]
    plateau_at: Annotated[Count, Doc("after how many steps that was")]
    upper: Annotated[Nats, Doc("the loss without the head of layer 1 that is missed most")]

    previous: Annotated[HeadNumber, Doc("the head of layer 0 that looks most at the letter before")]
    looking_up: Annotated[HeadNumber, Doc("the head of layer 1 that finds most in the text")]
    previous_loss: Annotated[Nats, Doc("the loss without it")]
    own: Annotated[HeadNumber, Doc("the head of layer 0 that looks most at the same letter")]
    own_loss: Annotated[Nats, Doc("the loss without that one")]
    own_share: Annotated[Share, Doc("how much of its attention the same letter gets, on average")]

    kinds: Annotated[tuple[str, ...], Doc("what stands in the stream after layer 0; 3 of it")]
    lengths: Annotated[
        Floats, Doc("mean length of a letter's vector and of what both heads add to it; (3,)")
    ]
    letter_length: Annotated[Length, Doc("mean length of the vector of a letter")]
    note_length: Annotated[Length, Doc("mean length of what the previous-token head adds")]
    copy_length: Annotated[Length, Doc("mean length of what the head that repeats adds")]


def silent_heads(text: str) -> SilentHeads:
    """The losses, and the patterns of all heads over `text`."""
    riddle, patterns = comeback(text), run(moments().at(LAST), tokens_of(text)).patterns
    losses = np.array([loss_without(LAST, head) for head in HEADS])
    looks, lengths = looks_of_layer_0(LAST), _lengths()
    previous, own = looks.argmax(axis=1).tolist()
    found = patterns[1, :, -1, 1 + riddle.answer_at]  # (4,)
    training = moments()
    return SilentHeads(
        riddle=riddle,
        patterns=patterns,
        heads=tuple(HEADS),
        whole=loss_without(LAST, None),
        losses=losses,
        n_heads=len(HEADS),
        plateau=float(training.repeated[training.seen.tolist().index(EARLY)]),
        plateau_at=EARLY,
        upper=float(losses[N_HEADS:].max()),
        previous=previous,
        looking_up=int(found.argmax()),
        previous_loss=float(losses[previous]),
        own=own,
        own_loss=float(losses[own]),
        own_share=float(looks[1, own]),
        kinds=KINDS,
        lengths=lengths,
        letter_length=float(lengths[0]),
        note_length=float(lengths[1]),
        copy_length=float(lengths[2]),
    )


@cache
def loss_without(step: int, silent: Head | None) -> float:
    """The loss on letters that come again after so many steps, with one head silent, or none."""
    texts = _texts()
    found = run(moments().at(step), texts, [] if silent is None else [silent])
    return _loss_again(found.logits, texts)


@cache
def looks_of_layer_0(step: int) -> Floats:
    """What heads of layer 0 give to the letter before, and to the same letter; (2, 4).

    The same letter is the letter itself, and it again where it stood before. The mean over all
    letters but the first of a text, which stands right behind the start.
    """
    texts = _texts()
    patterns = run(moments().at(step), texts).patterns[0]  # (N, 4, T, T)
    is_same = texts[:, None, :, None] == texts[:, None, None, :]  # (N, 1, T, T)
    before = np.diagonal(patterns, offset=-1, axis1=-2, axis2=-1)[..., 1:]  # (N, 4, T - 2)
    same = (patterns * is_same).sum(axis=-1)[..., 2:]  # (N, 4, T - 2)
    return sealed(np.stack([before.mean(axis=(0, 2)), same.mean(axis=(0, 2))]))


def _texts() -> Ints:
    """The texts, (N, T)."""
    return texts_said_twice(MEASURED_SEED, N_MEASURED, N_SAID)


def _loss_again(logits: Floats, texts: Ints) -> float:
    """The mean loss on letters that come a second time, in texts that are said twice."""
    return float(surprises(logits, texts)[:, N_SAID + 1 :].mean())


@cache
def _lengths() -> Floats:
    """Mean lengths of a letter's vector, and of what two heads of layer 0 add to it; (3,).

    The mean over all letters but the first of a text, as in `looks_of_layer_0`.
    """
    found = run(moments().at(LAST), _texts())
    previous, own = looks_of_layer_0(LAST).argmax(axis=1).tolist()
    added = found.added[0]  # (N, 4, T, 64)
    vectors = np.stack([found.streams[0], added[:, previous], added[:, own]])  # (3, N, T, 64)
    return sealed(np.linalg.norm(vectors, axis=-1)[:, :, 2:].mean(axis=(1, 2)))
