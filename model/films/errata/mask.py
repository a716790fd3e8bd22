"""The printed attention of the second layer, compared with both orders of mask and softmax.

Source: lecture slides on a one-hot induction head, equations (3) and (10). Equation (3) divides by
a sum over all positions and then sets later ones to 0. The printed table (5) masks first; otherwise
the attention weight of BOS on itself would be a sixth. So the first layer masks first here, and
only the order in the second layer is compared.
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
"""Numbers are rounded to this many decimals, so that weights of e^-100 become 0."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MaskOrders(Values):
    """The printed pattern, and the patterns of the scores in both orders; rows are queries."""

    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    n_tokens: Annotated[Count, Doc("number of rows of the table")]
    printed: Annotated[Floats, Doc("printed attention weights; (6, 6)")]
    printed_sums: Annotated[Floats, Doc("sum of each printed row; (6,)")]
    zero_rows: Annotated[Ints, Doc("printed rows whose sum is 0; (3,)")]
    n_zero_rows: Annotated[Count, Doc("number of printed rows whose sum is 0")]
    scores: Annotated[
        Floats,
        Doc("attention scores of the second layer, after a first layer that masks first; (6, 6)"),
    ]
    full_score: Annotated[Score, Doc("score of a token with a match")]
    over_all: Annotated[Floats, Doc("softmax of the scores over all positions; (6, 6)")]
    ahead: Annotated[Bools, Doc("later positions with more than 1 % in this softmax; (6, 6)")]
    last: Annotated[
        Compared,
        Doc("printed table compared with this softmax, with later positions then set to 0"),
    ]
    last_sums: Annotated[Floats, Doc("sum of each row of that pattern; (6,)")]
    first: Annotated[
        Compared, Doc("printed table compared with the softmax over positions up to the query")
    ]
    first_sums: Annotated[Floats, Doc("sum of each row of that softmax; (6,)")]
    first_layer_last: Annotated[
        Share,
        Doc("attention weight of BOS on itself in a first layer that masks last; printed 1"),
    ]


def mask_orders() -> MaskOrders:
    """Compare the table of equation (10) with both orders of mask and softmax."""
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
