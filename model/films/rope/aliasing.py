"""A previous-token head with equal frequencies, compared with one with the usual schedule.

Source: Chris Wendler's RoPE transformer, section 2 ("What if: if all frequencies were the same").
With one frequency all pairs complete a turn together, and a key further back, an alias, scores as
high as the target. The last token makes the query; keys move back from its target, the token
before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.films.rope.word_before import (
    PAUSE_DISTANCE,
    STEPS_PER_TOKEN,
    LookingBack,
    looking_back,
    word_before,
)
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.rope.rotation import equal_frequencies, kernel_gap
from clockhead.model.units import Cosine, Count, Doc, Positions, Score, Share

MIXTURES = 61
"""Number of steps from the schedule to one frequency."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EqualFrequencies(Values):
    """The last row of a text with the schedule, with one frequency, and between the two."""

    own: Annotated[LookingBack, Doc("the row with the schedule")]
    equal: Annotated[LookingBack, Doc("the row with one frequency for all pairs")]
    mixed_parts: Annotated[
        Floats,
        Doc("parts of the pairs in the score from the schedule to one frequency; (d_head/2, S, X)"),
    ]
    mixed_scores: Annotated[Floats, Doc("scores from the schedule to one frequency; (S, X)")]
    mixed_word_scores: Annotated[Floats, Doc("scores of the tokens among these; (S, long - 1)")]
    pause_step: Annotated[Count, Doc("step at which a key on its way back pauses")]
    pause_phases: Annotated[
        Floats,
        Doc("radians from the query to the paused key as frequencies become equal; (S, d_head/2)"),
    ]
    mixed_phases: Annotated[
        Floats,
        Doc("radians from the query to the alias's key as frequencies become equal; (S, d_head/2)"),
    ]
    alias: Annotated[Positions, Doc("distance of the wrong word from the right one")]
    alias_back: Annotated[Positions, Doc("how far back the wrong word is")]
    alias_step: Annotated[Count, Doc("step at which the key is at the wrong word")]
    alias_cosine: Annotated[Cosine, Doc("cosine of the phase of all pairs at the wrong word")]
    alias_score: Annotated[Score, Doc("score of the wrong word")]
    weight: Annotated[Share, Doc("attention weight on the right word, at one speed")]
    alias_weight: Annotated[Share, Doc("attention weight on the wrong word")]
    gathered: Annotated[
        Floats, Doc("row at one frequency, with all wrong words' weight at the alias; (long,)")
    ]
    wrong_weight: Annotated[Share, Doc("attention weight on all wrong words together")]
    schedule_weight: Annotated[Share, Doc("attention weight on the right word, at many speeds")]
    is_full: Annotated[
        bool, Doc("whether all pairs are within 1 degree of a full turn at the wrong word")
    ]


def equal_and_scheduled(
    long: int, theta: float, d_head: int, alpha: float, base: float
) -> EqualFrequencies:
    """The last row of a head with the schedule of `base`, and with `theta` for all pairs."""
    own = word_before(long, d_head, alpha, base)
    rates = equal_frequencies(d_head, theta)  # (d_head/2,)
    equal = looking_back(previous_token_head(long, d_head, alpha, frequencies=rates))
    alias, cosine = _best_alias(rates, own.target)
    pause = min(PAUSE_DISTANCE, own.target)
    share = np.linspace(0, 1, MIXTURES)[:, None]  # (S, 1)
    mixed = own.frequencies ** (1 - share) * rates**share  # (S, d_head/2)
    parts = alpha * np.cos(mixed.T[:, :, None] * (own.places - 1))  # (d_head/2, S, X)
    scores = parts.sum(axis=0)  # (S, X)
    gathered = np.zeros(long)  # (long,)
    gathered[own.target], gathered[own.target - alias] = equal.weight, 1 - equal.weight
    return EqualFrequencies(
        own=own,
        equal=equal,
        mixed_parts=parts,
        mixed_scores=scores,
        mixed_word_scores=scores[:, ::STEPS_PER_TOKEN],
        pause_step=STEPS_PER_TOKEN * pause,
        pause_phases=-pause * mixed,
        mixed_phases=-alias * mixed,
        alias=alias,
        alias_back=alias + 1,
        alias_step=STEPS_PER_TOKEN * alias,
        alias_cosine=cosine,
        alias_score=float(equal.word_scores[alias]),
        weight=equal.weight,
        alias_weight=float(equal.row[own.target - alias]),
        gathered=gathered,
        wrong_weight=1 - equal.weight,
        schedule_weight=own.weight,
        is_full=bool(cosine > np.cos(np.radians(1.1))),
    )


def _best_alias(frequencies: Floats, up_to: int) -> tuple[int, float]:
    """The offset from 1 to `up_to` at which pairs of one frequency agree best, and their cosine.

    With theta = 1 no whole offset is an exact alias, since pi is irrational; near ones are 6, 44,
    710, ... An exact alias needs a whole number 2 pi / theta.
    """
    gaps = kernel_gap(np.arange(1, up_to + 1), frequencies)  # (up_to,)
    nearest = int(gaps.argmin())
    return nearest + 1, 1 - float(gaps[nearest]) / frequencies.size
