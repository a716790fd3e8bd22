"""The loss on letters that come again, with one head silent or what it writes hidden from others.

Ablation to zero, on the texts on which the training measured its losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, sealed
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.films.trained.comeback import Comeback, comeback
from clockhead.model.rope.rotation import rotate
from clockhead.model.trained.texts import texts_said_twice
from clockhead.model.trained.transformer import (
    D_HEAD,
    FREQUENCIES,
    N_HEADS,
    N_LAYERS,
    Head,
    TrainedWeights,
    moments,
    normed,
    run,
    surprises,
    tokens_of,
)
from clockhead.model.units import Count, Doc, HeadNumber, Nats, Share

N_TEXTS, N_SAID, SEED = 64, 24, 9
"""Texts, the letters of each, which are said twice, and where they begin: as in training."""
EARLY, LAST = 150, 2000
"""Steps: the first fall of the loss is over; the end of the training."""
HEADS: list[Head] = list(np.ndindex(N_LAYERS, N_HEADS))
"""All heads, those of layer 0 first."""
PARTS = ("query", "key", "value")


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

    parts: Annotated[tuple[str, ...], Doc("what layer 1 makes of what that head writes; 3")]
    hidden: Annotated[Floats, Doc("the loss if it is hidden from each of them; (3,)")]
    hidden_query: Annotated[Nats, Doc("the loss if it is hidden from queries")]
    hidden_key: Annotated[Nats, Doc("the loss if it is hidden from keys")]
    hidden_value: Annotated[Nats, Doc("the loss if it is hidden from values")]


def silent_heads(text: str) -> SilentHeads:
    """The losses, and the patterns of all heads over `text`."""
    riddle, patterns = comeback(text), run(moments().at(LAST), tokens_of(text)).patterns
    losses = np.array([loss_without(LAST, head) for head in HEADS])
    looks, hidden = looks_of_layer_0(LAST), _hidden()
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
        parts=PARTS,
        hidden=hidden,
        hidden_query=float(hidden[0]),
        hidden_key=float(hidden[1]),
        hidden_value=float(hidden[2]),
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
    return texts_said_twice(SEED, N_TEXTS, N_SAID)


def _loss_again(logits: Floats, texts: Ints) -> float:
    """The mean loss on letters that come a second time, in texts that are said twice."""
    return float(surprises(logits, texts)[:, N_SAID + 1 :].mean())


@cache
def _hidden() -> Floats:
    """The loss if what the repeating head wrote is hidden from one part of layer 1; (3,).

    All else stays as it is: the head itself, and what the unembedding reads of it.
    """
    weights, texts = moments().at(LAST), _texts()
    found = run(weights, texts)
    stream, own = found.streams[1], int(looks_of_layer_0(LAST)[1].argmax())  # (N, T, 64)
    less = stream - found.added[0][:, own]
    losses = []
    for part in PARTS:
        reads = (normed(less if part == name else stream)[:, None] for name in PARTS)
        logits = normed(stream + _layer_1(weights, *reads)) @ weights.unembedding
        losses.append(_loss_again(logits, texts))
    return sealed(np.array(losses))


def _layer_1(weights: TrainedWeights, query: Floats, key: Floats, value: Floats) -> Floats:
    """What the heads of layer 1 write, each of its inputs (N, 1, T, 64) from its own stream."""
    places = np.arange(query.shape[-2])
    asks = rotate(query @ weights.w_q[1], places, FREQUENCIES)  # (N, 4, T, 16)
    found = rotate(key @ weights.w_k[1], places, FREQUENCIES)
    pattern = pattern_from_scores(asks @ found.swapaxes(-1, -2) * D_HEAD**-0.5)  # (N, 4, T, T)
    written = pattern @ (value @ weights.w_v[1]) @ weights.w_o[1]  # (N, 4, T, 64)
    return np.asarray(written.sum(axis=1))
