"""The loss while the transformer learns: it falls twice, the second time on what comes again."""

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
from clockhead.model.units import Count, Doc, Nats, Place, Share

EARLY, BEFORE, AFTER = 150, 300, 600
"""Steps: the first fall is over; the second one begins; most of it is done."""
_LETTERS = 6
_ALIKE = 0.6
"""The correlation from which on guesses are as often as letters are in English."""
_LEAST = 0.0025
"""The least share of which the loss is drawn."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoFalls(Values):
    """Losses of the training, and what is guessed after a text at the moments that were kept."""

    riddle: Annotated[Comeback, Doc("the text, and what came after its end before")]

    # What a loss is
    shares: Annotated[Floats, Doc("what the right letter may get; (S,)")]
    costs: Annotated[Floats, Doc("minus their logarithms; (S,)")]
    ends: Annotated[Floats, Doc("the loss before training, and of a guess that is sure; (2,)")]
    ends_at: Annotated[Floats, Doc("what the right letter got then; (2,)")]
    first_loss: Annotated[Nats, Doc("the loss of the guess before training, in nats")]
    first_share: Annotated[Share, Doc("what the right letter got before training")]

    # While it learns
    seen: Annotated[Ints, Doc("steps after which the loss was measured; (201,)")]
    again: Annotated[Floats, Doc("mean loss on letters that come a second time; (201,)")]
    new: Annotated[Floats, Doc("mean loss on letters that come for the first time; (201,)")]
    steps: Annotated[Ints, Doc("the moments at which the weights were kept; (12,)")]
    start: Annotated[Nats, Doc("the loss on what comes again, before training")]
    early: Annotated[Nats, Doc("the same when the first fall is over")]
    end: Annotated[Nats, Doc("the same at the end")]
    early_at: Annotated[Count, Doc("steps to the end of the first fall")]
    before_at: Annotated[Count, Doc("steps to the beginning of the second fall")]
    after_at: Annotated[Count, Doc("steps until most of the second fall is done")]

    # What it guesses
    letters: Annotated[tuple[str, ...], Doc("letters that often follow the last one; 6")]
    english: Annotated[Floats, Doc("how often they follow it in English; (6,)")]
    guesses: Annotated[Floats, Doc("how likely they are taken to be, by moment; (12, 6)")]
    place: Annotated[Place, Doc("the place among them of the letter that came before")]
    early_share: Annotated[Share, Doc("what that letter gets after the first fall")]
    late_share: Annotated[Share, Doc("what that letter gets at the end")]
    knows_pairs: Annotated[bool, Doc("whether the early guess is much like English")]
    is_doubled: Annotated[bool, Doc("whether it gets twice as much at the end")]


def two_falls(text: str) -> TwoFalls:
    """The losses, and the guesses after `text`."""
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
    """The correlation of two rows, 0 if one of them is even."""
    x, y = a - a.mean(), b - b.mean()
    return float(x @ y / max(np.sqrt((x @ x) * (y @ y)), 1e-12))
