"""The heads of layer 0 through the training: first several look one letter back, then one does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.trained.comeback import Comeback, comeback
from clockhead.model.films.trained.without import LAST, looks_of_layer_0, loss_without
from clockhead.model.trained.transformer import moments, run, tokens_of
from clockhead.model.units import Count, Doc, HeadNumber, Nats, Place, Share

SHARED = 600
"""The step at which the loss without the previous-token head is lowest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DividedWork(Values):
    """Losses without a head, and who looks one letter back, at the moments that were kept."""

    riddle: Annotated[Comeback, Doc("the text over which patterns are shown")]
    seen: Annotated[Ints, Doc("steps after which the loss was measured; (201,)")]
    again: Annotated[Floats, Doc("mean loss on letters that come again, with all heads; (201,)")]
    steps: Annotated[Ints, Doc("the moments at which the weights were kept; (12,)")]
    without_own: Annotated[Floats, Doc("the loss without the head that repeats; (12,)")]
    without_previous: Annotated[Floats, Doc("the loss without the previous-token head; (12,)")]
    patterns: Annotated[Floats, Doc("what the heads of layer 0 look at; (12, 4, T, T)")]
    back: Annotated[Floats, Doc("how much each gives the letter before, on average; (12, 4)")]

    own: Annotated[HeadNumber, Doc("the head that repeats")]
    previous: Annotated[HeadNumber, Doc("the head that looks one letter back at the end")]
    shared_at: Annotated[Count, Doc("after how many steps the previous-token head is missed least")]
    shared_place: Annotated[Place, Doc("the place of that moment among those kept")]
    lowest: Annotated[Nats, Doc("the loss without the previous-token head at that moment")]
    risen: Annotated[Nats, Doc("the same at the end")]
    shared: Annotated[Share, Doc("what the previous-token head gives the letter before then")]
    alone: Annotated[Share, Doc("the same at the end")]


def divided_work(text: str) -> DividedWork:
    """The losses, and the patterns of layer 0 over `text` at every moment."""
    training, riddle, tokens = moments(), comeback(text), tokens_of(text)
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
