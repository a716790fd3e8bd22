"""The heads of layer 0 during training: at first several attend one letter back, later only one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.trained.comeback import Comeback, comeback
from clockhead.model.films.trained.without import LAST, looks_of_layer_0, loss_without
from clockhead.model.trained.transformer import encode_text, moments, run
from clockhead.model.units import Count, Doc, HeadNumber, Nats, Place, Share, Shares, Unit

SHARED = 600
"""Checkpoint with the lowest loss without the previous-token head."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DividedWork(Values):
    """Losses with a head ablated, and attention one letter back, at the 12 checkpoints."""

    riddle: Annotated[Comeback, Doc("text whose patterns are shown")]
    seen: Annotated[Ints, Doc("training steps at which the loss was measured; (201,)")]
    again: Annotated[
        Floats, Unit("nats"), Doc("mean loss on repeated letters, with all heads; (201,)")
    ]
    steps: Annotated[Ints, Doc("training steps of the checkpoints; (12,)")]
    without_own: Annotated[
        Floats, Unit("nats"), Doc("loss without the head that attends to the same letter; (12,)")
    ]
    without_previous: Annotated[
        Floats, Unit("nats"), Doc("loss without the previous-token head; (12,)")
    ]
    patterns: Annotated[Floats, Doc("attention weights of the heads of layer 0; (12, 4, T, T)")]
    back: Annotated[Shares, Doc("mean attention of each head on the letter before; (12, 4)")]

    own: Annotated[HeadNumber, Doc("head that attends to the same letter")]
    previous: Annotated[HeadNumber, Doc("head that attends one letter back at the end")]
    shared_at: Annotated[
        Count, Doc("training step at which ablating the previous-token head costs least")
    ]
    shared_place: Annotated[Place, Doc("index of that checkpoint")]
    lowest: Annotated[Nats, Doc("loss without the previous-token head at that checkpoint")]
    risen: Annotated[Nats, Doc("loss without the previous-token head at the end")]
    shared: Annotated[
        Share,
        Doc("mean attention of the previous-token head on the letter before, at that checkpoint"),
    ]
    alone: Annotated[Share, Doc("mean attention of that head on the letter before, at the end")]


def divided_work(text: str) -> DividedWork:
    """Losses, and the patterns of layer 0 on `text`, at every checkpoint."""
    training, riddle, tokens = moments(), comeback(text), encode_text(text)
    steps = training.steps.tolist()
    previous, own = looks_of_layer_0(LAST).argmax(axis=1).tolist()
    back = np.stack([looks_of_layer_0(step)[0] for step in steps])  # (12, 4)
    without = np.array(
        [[loss_without(step, (0, head)) for step in steps] for head in (previous, own)]
    )
    place = steps.index(SHARED)
    return DividedWork(
        riddle=riddle,
        seen=training.seen,
        again=training.repeated,
        steps=training.steps,
        without_own=without[1],
        without_previous=without[0],
        patterns=np.stack([run(each, tokens).patterns[0] for each in training.weights]),
        back=back,
        own=own,
        previous=previous,
        shared_at=SHARED,
        shared_place=place,
        lowest=float(without[0, place]),
        risen=float(without[0, -1]),
        shared=float(back[place, previous]),
        alone=float(back[-1, previous]),
    )
