"""The loss on repeated letters with one head ablated, and the lengths of vectors that heads add.

Zero ablation, on the texts on which losses were measured during training.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, read_only
from clockhead.model.films.trained.comeback import Comeback, comeback
from clockhead.model.trained.texts import MEASURED_SEED, N_MEASURED, N_SAID, texts_said_twice
from clockhead.model.trained.transformer import (
    N_HEADS,
    N_LAYERS,
    Head,
    encode_text,
    letter_losses,
    moments,
    run,
)
from clockhead.model.units import Count, Doc, HeadNumber, Length, Nats, Share, Unit

EARLY, LAST = 150, 2000
"""Training steps at the end of the first fall of the loss, and at the end of the training."""
HEADS: list[Head] = list(np.ndindex(N_LAYERS, N_HEADS))
"""All heads, those of layer 0 first."""
KINDS = ("letter", "note", "again")
"""Names of a letter's embedding, and of what the previous-token and same-letter heads add."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SilentHeads(Values):
    """Losses with each head ablated, in nats, and the heads whose ablation costs most."""

    riddle: Annotated[Comeback, Doc("text whose patterns are shown")]
    patterns: Annotated[Floats, Doc("attention weights of all heads; (2, 4, T, T)")]
    heads: Annotated[tuple[Head, ...], Doc("layer and number of all heads; 8 of them")]
    whole: Annotated[Nats, Doc("loss on repeated letters with all heads")]
    losses: Annotated[Floats, Unit("nats"), Doc("loss on repeated letters without each head; (8,)")]
    n_heads: Annotated[Count, Doc("number of heads")]
    plateau: Annotated[Nats, Doc("loss on repeated letters after the first fall")]
    plateau_at: Annotated[Count, Doc("training step at the end of the first fall")]
    upper: Annotated[Nats, Doc("largest loss without a head of layer 1")]

    previous: Annotated[
        HeadNumber, Doc("head of layer 0 with the most attention on the letter before")
    ]
    looking_up: Annotated[
        HeadNumber,
        Doc("head of layer 1 with the largest weight on the expected letter, in the text"),
    ]
    previous_loss: Annotated[Nats, Doc("loss without the previous-token head")]
    own: Annotated[HeadNumber, Doc("head of layer 0 with the most attention on the same letter")]
    own_loss: Annotated[Nats, Doc("loss without the head on the same letter")]
    own_share: Annotated[Share, Doc("mean attention of that head on the same letter")]

    kinds: Annotated[
        tuple[str, ...], Doc("names of three vectors in the stream after layer 0; 3 of them")
    ]
    lengths: Annotated[
        Floats, Doc("mean lengths of a letter's embedding and of both heads' outputs; (3,)")
    ]
    letter_length: Annotated[Length, Doc("mean length of a letter's embedding")]
    note_length: Annotated[Length, Doc("mean length of the previous-token head's output")]
    copy_length: Annotated[Length, Doc("mean length of the same-letter head's output")]


def silent_heads(text: str) -> SilentHeads:
    """Losses with each head ablated, and the patterns of all heads on `text`."""
    riddle, patterns = comeback(text), run(moments().at(LAST), encode_text(text)).patterns
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
    """The loss on repeated letters after `step` steps, with one head or no head ablated."""
    texts = _texts()
    found = run(moments().at(step), texts, [] if silent is None else [silent])
    return _loss_again(found.logits, texts)


@cache
def looks_of_layer_0(step: int) -> Floats:
    """Mean attention of heads of layer 0 on the letter before, and on the same letter; (2, 4).

    The same letter is the token itself and its earlier copies. The first letter of each text, right
    after the start, is left out.
    """
    texts = _texts()
    patterns = run(moments().at(step), texts).patterns[0]  # (N, 4, T, T)
    is_same = texts[:, None, :, None] == texts[:, None, None, :]  # (N, 1, T, T)
    before = np.diagonal(patterns, offset=-1, axis1=-2, axis2=-1)[..., 1:]  # (N, 4, T - 2)
    same = (patterns * is_same).sum(axis=-1)[..., 2:]  # (N, 4, T - 2)
    return read_only(np.stack([before.mean(axis=(0, 2)), same.mean(axis=(0, 2))]))


def _texts() -> Ints:
    """The texts, (N, T)."""
    return texts_said_twice(MEASURED_SEED, N_MEASURED, N_SAID)


def _loss_again(logits: Floats, texts: Ints) -> float:
    """The mean loss on repeated letters, in repeated texts."""
    return float(letter_losses(logits, texts)[:, N_SAID + 1 :].mean())


@cache
def _lengths() -> Floats:
    """Mean lengths of a letter's embedding, and of the outputs of two heads of layer 0; (3,).

    The first letter of each text is left out, as in `looks_of_layer_0`.
    """
    found = run(moments().at(LAST), _texts())
    previous, own = looks_of_layer_0(LAST).argmax(axis=1).tolist()
    added = found.added[0]  # (N, 4, T, 64)
    vectors = np.stack([found.streams[0], added[:, previous], added[:, own]])  # (3, N, T, 64)
    return read_only(np.linalg.norm(vectors, axis=-1)[:, :, 2:].mean(axis=(1, 2)))
