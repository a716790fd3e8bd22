"""What all eight heads look at, from the moment before the loss falls again to a later one.

What kind a head is of is told by many texts that are said twice, as the film `without` has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, sealed
from clockhead.model.heads.head_scores import CLEAR, detection_patterns
from clockhead.model.trained.texts import MEASURED_SEED, N_MEASURED, N_SAID, texts_said_twice
from clockhead.model.trained.transformer import (
    N_HEADS,
    N_LAYERS,
    Head,
    moments,
    run,
    trained_patterns,
)
from clockhead.model.units import Count, Doc, Share

BEFORE_THE_FALL = 150
"""The moment at which the loss stands still, and heads have not found anything yet."""
MAJORITY = 0.5
"""A letter has found something if it gives more than this share of its attention to it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsInTraining(Values):
    """Patterns at M moments, the last of which is asked for. T tokens, `START` first."""

    heads: Annotated[tuple[Head, ...], Doc("all heads, by layer and number; 8 of them")]
    labels: Annotated[tuple[str, ...], Doc("what shows each token; T of them")]
    first_step: Annotated[Count, Doc("after how many steps of training the first moment is")]
    last_step: Annotated[Count, Doc("after how many steps of training the last moment is")]
    steps: Annotated[Floats, Doc("after how many steps each moment is; (M,)")]
    patterns: Annotated[Floats, Doc("what all heads look at, at each moment; (M, 2, 4, T, T)")]
    seen: Annotated[Ints, Doc("the steps at which the loss was measured; (S,)")]
    losses: Annotated[Floats, Doc("the loss on a piece that comes again, in nats; (S,)")]
    loss_then: Annotated[Floats, Doc("this loss at each moment; (M,)")]

    previous: Annotated[Head, Doc("the head of layer 0 that looks most at the letter before")]
    previous_name: Annotated[str, Doc("the previous-token head, by layer and number")]
    previous_number: Annotated[Count, Doc("its number in layer 0")]
    previous_share: Annotated[Share, Doc("what it gives the letter before, on average")]
    is_previous: Annotated[bool, Doc("whether it is a previous-token head")]
    before: Annotated[Ints, Doc("the position before each one, -1 for the first; (T,)")]

    induction: Annotated[
        Head, Doc("the head of layer 1 that looks most at what followed, in this text")
    ]
    induction_name: Annotated[str, Doc("the head of layer 1, by layer and number")]
    is_induction: Annotated[bool, Doc("whether it is an induction head")]
    followed: Annotated[
        Ints, Doc("which letter that followed gets most of a row, or -1 if none gets half; (T,)")
    ]
    missed: Annotated[
        Ints, Doc("which letter that followed gets most of a row that did not find it, or -1; (T,)")
    ]
    n_again: Annotated[Count, Doc("how many letters stood before, with another one after them")]
    n_found: Annotated[Count, Doc("how many of them give half of their attention to what followed")]

    previous_heads: Annotated[tuple[Head, ...], Doc("all previous-token heads, the clearest first")]
    induction_heads: Annotated[tuple[Head, ...], Doc("all induction heads, the clearest first")]
    other_heads: Annotated[tuple[Head, ...], Doc("the heads that are neither")]
    n_previous: Annotated[Count, Doc("how many previous-token heads there are")]
    n_induction: Annotated[Count, Doc("how many induction heads there are")]


def heads_in_training(text: str, moment: int) -> HeadsInTraining:
    """What all heads look at in a text, from `BEFORE_THE_FALL` or earlier to `moment`.

    Raises ValueError for a text that `tokens_of` refuses, and a moment that was not kept.
    """
    training = moments()
    training.at(moment)
    start = min(moment, BEFORE_THE_FALL)
    steps = [int(step) for step in training.steps if start <= step <= moment]
    every = [trained_patterns(text, step) for step in steps]
    last = every[-1]
    before, after = mean_shares(moment)  # (2, 4) each
    are_previous = (before >= CLEAR) & (before >= after)  # (2, 4)
    are_induction = (after >= CLEAR) & ~are_previous
    previous = 0, int(before[0].argmax())

    again = detection_patterns(last.tokens)["induction"]  # (T, T)
    rows = again.any(axis=1)  # (T,)
    here = (last.patterns[1] * again).sum(axis=-1)[:, rows].mean(axis=-1)  # (4,)
    induction = 1, int(here.argmax())
    on_them = np.where(again, last.patterns[induction], 0.0)  # (T, T)
    found = on_them.sum(axis=1) > MAJORITY  # (T,)
    return HeadsInTraining(
        heads=tuple((layer, head) for layer in range(N_LAYERS) for head in range(N_HEADS)),
        labels=last.labels,
        first_step=start,
        last_step=moment,
        steps=np.array(steps, dtype=np.float64),
        patterns=np.array([one.patterns for one in every]),
        seen=training.seen,
        losses=training.repeated,
        loss_then=np.interp(steps, training.seen, training.repeated),
        previous=previous,
        previous_name=f"0.{previous[1]}",
        previous_number=previous[1],
        previous_share=float(np.diagonal(last.patterns[previous], -1).mean()),
        is_previous=bool(are_previous[previous]),
        before=np.arange(-1, last.n_tokens - 1),
        induction=induction,
        induction_name=f"1.{induction[1]}",
        is_induction=bool(are_induction[induction]),
        followed=np.where(found, on_them.argmax(axis=1), -1),
        missed=np.where(rows & ~found, on_them.argmax(axis=1), -1),
        n_again=int(rows.sum()),
        n_found=int(found.sum()),
        previous_heads=_clearest(are_previous, before),
        induction_heads=_clearest(are_induction, after),
        other_heads=_clearest(~are_previous & ~are_induction, np.zeros_like(before)),
        n_previous=int(are_previous.sum()),
        n_induction=int(are_induction.sum()),
    )


@cache
def mean_shares(moment: int) -> Floats:
    """What heads give to the letter before, and to what followed the same letter; (2, 2, 4).

    Layers are the second axis. What followed is looked for where the text is said again. Raises
    ValueError for a moment that was not kept.
    """
    texts = texts_said_twice(MEASURED_SEED, N_MEASURED, N_SAID)  # (N, 2 N_SAID + 1)
    patterns = run(moments().at(moment), texts).patterns  # (2, N, 4, T, T)
    before = np.diagonal(patterns, -1, -2, -1)[..., 1:]  # (2, N, 4, T - 2)
    after = np.diagonal(patterns, 1 - N_SAID, -2, -1)[..., 2:]  # (2, N, 4, N_SAID)
    return sealed(np.stack([before.mean(axis=(1, 3)), after.mean(axis=(1, 3))]))


def _clearest(chosen: Bools, shares: Floats) -> tuple[Head, ...]:
    """The chosen heads, (2, 4), by their shares, the largest first; then by layer and number."""
    heads = [(int(layer), int(head)) for layer, head in np.argwhere(chosen)]
    return tuple(sorted(heads, key=lambda head: (-float(shares[head]), head)))
