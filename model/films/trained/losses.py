"""The training loss, which falls twice, the second time on repeated letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.films.trained.comeback import (
    ALPHABET,
    Comeback,
    comeback,
    likeliest,
    next_letter,
)
from clockhead.model.trained.texts import letter_pairs
from clockhead.model.trained.transformer import moments
from clockhead.model.units import Count, Doc, Nats, Place, Share, Shares, Unit

EARLY, BEFORE, AFTER = 150, 300, 600
"""Training steps at the end of the first fall, the start of the second, and its end."""
_LETTERS = 6
"""Number of letters whose probabilities are shown."""
_ALIKE = 0.6
"""Smallest correlation at which a prediction is said to resemble English letter pairs."""
_LEAST = 0.0025
"""Smallest probability at which the loss is drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoFalls(Values):
    """Losses of the training, and predictions after a text at the 12 checkpoints."""

    riddle: Annotated[Comeback, Doc("text, and the letter that followed its repeated end")]

    # The loss as a function
    shares: Annotated[Shares, Doc("possible probabilities of the right letter; (S,)")]
    costs: Annotated[Floats, Unit("nats"), Doc("losses for these, minus their logarithms; (S,)")]
    ends: Annotated[
        Floats, Unit("nats"), Doc("loss before training, and of a certain prediction; (2,)")
    ]
    ends_at: Annotated[Shares, Doc("probability of the right letter at these losses; (2,)")]
    first_loss: Annotated[Nats, Doc("loss of the prediction before training, in nats")]
    first_share: Annotated[Share, Doc("probability of the right letter before training")]

    # During training
    seen: Annotated[Ints, Doc("training steps at which the loss was measured; (201,)")]
    again: Annotated[Floats, Unit("nats"), Doc("mean loss on repeated letters; (201,)")]
    new: Annotated[Floats, Unit("nats"), Doc("mean loss on new letters; (201,)")]
    steps: Annotated[Ints, Doc("training steps of the checkpoints; (12,)")]
    start: Annotated[Nats, Doc("loss on repeated letters before training")]
    early: Annotated[Nats, Doc("loss on repeated letters after the first fall")]
    end: Annotated[Nats, Doc("loss on repeated letters at the end")]
    early_at: Annotated[Count, Doc("training steps to the end of the first fall")]
    before_at: Annotated[Count, Doc("training steps to the start of the second fall")]
    after_at: Annotated[Count, Doc("training steps until most of the second fall is over")]

    # Predictions
    letters: Annotated[
        tuple[str, ...], Doc("letters that most often follow the last one in English; 6 of them")
    ]
    english: Annotated[Shares, Doc("frequencies with which they follow it in English; (6,)")]
    guesses: Annotated[
        Shares, Doc("predicted probabilities of these letters at each checkpoint; (12, 6)")
    ]
    place: Annotated[Place, Doc("index among them of the right letter")]
    early_share: Annotated[Share, Doc("probability of the right letter after the first fall")]
    late_share: Annotated[Share, Doc("probability of the right letter at the end")]
    knows_pairs: Annotated[
        bool, Doc("whether the prediction after the first fall resembles English letter pairs")
    ]
    is_doubled: Annotated[
        bool, Doc("whether the right letter is at least twice as likely at the end")
    ]


def two_falls(text: str) -> TwoFalls:
    """Losses of the training, and predictions after `text`."""
    riddle, training = comeback(text), moments()
    steps = training.steps.tolist()
    every = np.stack([next_letter(text, step) for step in steps])  # (12, 27)
    pairs = letter_pairs()[ALPHABET.index(riddle.last)]  # (27,)
    shown = likeliest(pairs, riddle.answer_index, _LETTERS)  # (6,)
    early, late = every[steps.index(EARLY)], every[-1]  # (27,)
    first = float(every[0, riddle.answer_index])
    shares = np.geomspace(min(_LEAST, first), 1.0, 200)  # (S,)
    again, seen = training.repeated, training.seen.tolist()
    return TwoFalls(
        riddle=riddle,
        shares=shares,
        costs=-np.log(shares),
        ends=np.array([-np.log(first), 0.0]),
        ends_at=np.array([first, 1.0]),
        first_loss=float(-np.log(first)),
        first_share=first,
        seen=training.seen,
        again=again,
        new=training.new,
        steps=training.steps,
        start=float(again[0]),
        early=float(again[seen.index(EARLY)]),
        end=float(again[-1]),
        early_at=EARLY,
        before_at=BEFORE,
        after_at=AFTER,
        letters=tuple(ALPHABET[k] for k in shown),
        english=pairs[shown],
        guesses=every[:, shown],
        place=int(np.flatnonzero(shown == riddle.answer_index)[0]),
        early_share=float(early[riddle.answer_index]),
        late_share=float(late[riddle.answer_index]),
        knows_pairs=_correlation(early, pairs) > _ALIKE,
        is_doubled=bool(late[riddle.answer_index] >= 2 * early[riddle.answer_index]),
    )


def _correlation(a: Floats, b: Floats) -> float:
    """The correlation of two rows, 0 if one of them is constant."""
    x, y = a - a.mean(), b - b.mean()
    return float(x @ y / max(np.sqrt((x @ x) * (y @ y)), 1e-12))
