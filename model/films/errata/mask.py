"""Attention of the second layer as the slides print it, beside both orders of mask and softmax.

Source: lecture slides on a one-hot induction head, equations (3) and (10). Equation (3) divides by
a sum over all positions and then sets later ones to 0; the printed table (5) has it the other way
round, for else BOS would have given itself a sixth. So the scores of the second layer are those of
a first layer that masks first, and only the second softmax is in question here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.films.errata.slides import compare_slide, slide_layers
from clockhead.model.primer.tables import Compared
from clockhead.model.units import Count, Doc, Score, Share

_DECIMALS = 12
"""To which numbers are rounded: e to the -100, which softmax leaves elsewhere, is nothing here."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MaskOrders(Values):
    """The printed pattern, and what comes of the scores in both orders; rows are queries."""

    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    n_tokens: Annotated[Count, Doc("how many rows the table has")]
    printed: Annotated[Floats, Doc("the attention weights of the slide; (6, 6)")]
    printed_sums: Annotated[Floats, Doc("what each printed row adds up to; (6,)")]
    zero_rows: Annotated[Ints, Doc("the printed rows that add up to 0; (3,)")]
    n_zero_rows: Annotated[Count, Doc("how many printed rows add up to 0")]
    scores: Annotated[Floats, Doc("the scores of the second layer, the mask first before; (6, 6)")]
    full_score: Annotated[Score, Doc("the score of a token with one that it looks for")]
    over_all: Annotated[Floats, Doc("softmax of the scores over all positions; (6, 6)")]
    ahead: Annotated[Bools, Doc("the later positions to which it gives over 1 %; (6, 6)")]
    last: Annotated[Compared, Doc("the print beside this softmax, later positions then set to 0")]
    last_sums: Annotated[Floats, Doc("what is then left of each row; (6,)")]
    first: Annotated[Compared, Doc("the print beside the softmax over positions up to the query")]
    first_sums: Annotated[Floats, Doc("what each of its rows adds up to; (6,)")]
    first_layer_last: Annotated[
        Share,
        Doc("what BOS would give itself in the first layer, were the mask last there; printed 1"),
    ]


def mask_orders() -> MaskOrders:
    """The table of equation (10), and the scores before it, masked last and masked first."""
    layers = slide_layers()
    over_all, masked_first = (
        np.round(pattern_from_scores(layers.scores_1, causal=causal), _DECIMALS)
        for causal in (False, True)
    )  # (6, 6)
    last, first = (
        compare_slide("pattern_2", pattern) for pattern in (np.tril(over_all), masked_first)
    )
    printed = first.printed.rows
    printed_sums = printed.sum(axis=1)  # (6,)
    zero_rows = np.flatnonzero(printed_sums == 0)
    return MaskOrders(
        tokens=layers.tokens,
        n_tokens=layers.n_tokens,
        printed=printed,
        printed_sums=printed_sums,
        zero_rows=zero_rows,
        n_zero_rows=len(zero_rows),
        scores=np.round(layers.scores_1, _DECIMALS),
        full_score=float(layers.scores_1.max()),
        over_all=over_all,
        ahead=np.triu(over_all, 1) > 0.01,
        last=last,
        last_sums=last.true.sum(axis=1),
        first=first,
        first_sums=first.true.sum(axis=1),
        first_layer_last=float(slide_layers("literal").pattern_0[0, 0]),
    )
