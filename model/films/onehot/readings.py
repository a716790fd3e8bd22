"""Attention of the second layer as the slides print it, beside two readings of equation (3).

A softmax over all positions that is masked afterwards loses what it gave to later ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.films.onehot.tables import PrintedTable, printed_numbers, printed_table
from clockhead.model.induction.onehot_layers import SLIDE_LETTERS
from clockhead.model.units import Count, Doc

_LEAST_LOSS = 0.01
"""Attention lost to the future, of a cell or of a row, that counts as a leak."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedAttention(Values):
    """The printed pattern, and both readings of the equation; rows are queries."""

    causal: Annotated[PrintedTable, Doc("the print beside the softmax over keys up to the query")]
    literal: Annotated[
        PrintedTable, Doc("the print beside equation (3) to the letter: softmax, then the mask")
    ]
    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    n_tokens: Annotated[Count, Doc("how many rows the table has")]
    n_cells: Annotated[Count, Doc("how many cells the table has")]
    printed: Annotated[Floats, Doc("the numbers of the slide; (6, 6)")]
    unmasked: Annotated[Floats, Doc("the softmax over all keys before any mask; (6, 6)")]
    row_sums: Annotated[Floats, Doc("what is left of each row under the literal reading; (6,)")]
    causal_row_sums: Annotated[Floats, Doc("the sum of each row where the mask comes first; (6,)")]
    lost: Annotated[
        Bools, Doc("the cells of later keys that the literal reading loses over 1 % to; (6, 6)")
    ]
    leaks: Annotated[Ints, Doc("the rows that lose over 1 % of attention to later keys; (0 to 6,)")]
    n_leaks: Annotated[
        Count, Doc("how many rows lose attention to later keys under the literal reading")
    ]
    n_wrong_causal: Annotated[
        Count, Doc("how many printed cells differ where the mask comes first")
    ]
    n_wrong_literal: Annotated[
        Count, Doc("how many printed cells differ from equation (3) to the letter")
    ]
    answers: Annotated[
        tuple[str, str, str], Doc("what the last row says as printed, masked first, masked last")
    ]
    prediction: Annotated[str, Doc("what the last row says where the mask comes first")]


def printed_attention() -> PrintedAttention:
    """Compare the table of equation (10) under both readings."""
    causal, literal = printed_table("pattern_2", "causal"), printed_table("pattern_2", "literal")
    unmasked = pattern_from_scores(literal.layers.scores_1, causal=False)  # (6, 6)
    row_sums = literal.true.sum(axis=1)  # (6,)
    leaks = np.flatnonzero(row_sums < 1 - _LEAST_LOSS)
    printed = SLIDE_LETTERS.tokens[int(printed_numbers("resid_post")[-1].argmax())]
    prediction = causal.layers.prediction
    return PrintedAttention(
        causal=causal,
        literal=literal,
        tokens=literal.layers.tokens,
        n_tokens=literal.layers.n_tokens,
        n_cells=literal.printed.size,
        printed=literal.printed,
        unmasked=unmasked,
        row_sums=row_sums,
        causal_row_sums=causal.true.sum(axis=1),
        lost=np.triu(unmasked, 1) > _LEAST_LOSS,
        leaks=leaks,
        n_leaks=len(leaks),
        n_wrong_causal=causal.n_wrong,
        n_wrong_literal=literal.n_wrong,
        answers=(printed, prediction, literal.layers.prediction),
        prediction=prediction,
    )
