"""Patterns of all eight heads, from the checkpoint before the second fall of the loss on.

The kind of a head is decided on many repeated texts, as in `model.films.trained.without`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, read_only
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
from clockhead.model.units import Count, Doc, Share, Unit

PLATEAU = 150
"""Checkpoint on the plateau of the loss, at which heads have no clear targets yet."""
MAJORITY = 0.5
"""A letter has found a target if its attention weight on it is above this."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadsInTraining(Values):
    """Patterns at M checkpoints, and kinds of heads at the last one. T tokens, `START` first."""

    heads: Annotated[tuple[Head, ...], Doc("layer and number of all heads; 8 of them")]
    labels: Annotated[tuple[str, ...], Doc("readable label of each token; T of them")]
    first_step: Annotated[Count, Doc("training step of the first checkpoint")]
    last_step: Annotated[Count, Doc("training step of the last checkpoint")]
    steps: Annotated[Floats, Doc("training step of each checkpoint; (M,)")]
    patterns: Annotated[
        Floats, Doc("attention weights of all heads at each checkpoint; (M, 2, 4, T, T)")
    ]
    seen: Annotated[Ints, Doc("training steps at which the loss was measured; (S,)")]
    losses: Annotated[Floats, Unit("nats"), Doc("loss on repeated letters, in nats; (S,)")]
    loss_then: Annotated[
        Floats, Unit("nats"), Doc("loss on repeated letters at each checkpoint; (M,)")
    ]

    previous: Annotated[Head, Doc("head of layer 0 with the most attention on the letter before")]
    previous_name: Annotated[str, Doc("name of this head, as layer.head")]
    previous_number: Annotated[Count, Doc("number of this head in layer 0")]
    previous_share: Annotated[
        Share, Doc("mean attention of this head on the letter before, in the text")
    ]
    is_previous: Annotated[bool, Doc("whether this head is a previous-token head")]
    before: Annotated[Ints, Doc("position before each, -1 for the first; (T,)")]

    induction: Annotated[
        Head,
        Doc("head of layer 1 with the most attention on followers of the same letter, in the text"),
    ]
    induction_name: Annotated[str, Doc("name of that head of layer 1, as layer.head")]
    is_induction: Annotated[bool, Doc("whether that head is an induction head")]
    followed: Annotated[
        Ints, Doc("follower with the largest weight in each row, -1 if they do not get half; (T,)")
    ]
    missed: Annotated[
        Ints,
        Doc("follower with the largest weight in rows where they do not get half, else -1; (T,)"),
    ]
    n_again: Annotated[Count, Doc("number of letters that occurred before, with a follower")]
    n_found: Annotated[
        Count, Doc("number of these with more than half of their attention on followers")
    ]

    previous_heads: Annotated[tuple[Head, ...], Doc("all previous-token heads, the clearest first")]
    induction_heads: Annotated[tuple[Head, ...], Doc("all induction heads, the clearest first")]
    other_heads: Annotated[tuple[Head, ...], Doc("heads of neither kind")]
    n_previous: Annotated[Count, Doc("number of previous-token heads")]
    n_induction: Annotated[Count, Doc("number of induction heads")]


def heads_in_training(text: str, moment: int) -> HeadsInTraining:
    """Patterns of all heads on a text, from `PLATEAU` to `moment`, which may be earlier.

    Raises ValueError for a text that `encode_text` refuses, and a step without a checkpoint.
    """
    training = moments()
    training.at(moment)
    start = min(moment, PLATEAU)
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
    """Mean attention of heads on the letter before, and on followers of the same letter; (2, 2, 4).

    The axes are target, layer and head. Followers count in the repeats only. Raises ValueError for
    a step without a checkpoint.
    """
    texts = texts_said_twice(MEASURED_SEED, N_MEASURED, N_SAID)  # (N, 2 N_SAID + 1)
    patterns = run(moments().at(moment), texts).patterns  # (2, N, 4, T, T)
    before = np.diagonal(patterns, -1, -2, -1)[..., 1:]  # (2, N, 4, T - 2)
    after = np.diagonal(patterns, 1 - N_SAID, -2, -1)[..., 2:]  # (2, N, 4, N_SAID)
    return read_only(np.stack([before.mean(axis=(1, 3)), after.mean(axis=(1, 3))]))


def _clearest(chosen: Bools, shares: Floats) -> tuple[Head, ...]:
    """The chosen heads (2, 4), sorted by decreasing shares, then by layer and number."""
    heads = [(int(layer), int(head)) for layer, head in np.argwhere(chosen)]
    return tuple(sorted(heads, key=lambda head: (-float(shares[head]), head)))
