"""All six tables that the slides print, and a 1 that one of them lacks.

Source: lecture slides on a one-hot induction head, equations (4) to (6) and (9) to (11).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Values
from clockhead.model.films.errata.slides import compared_slides, slide_layers
from clockhead.model.induction.onehot_layers import SLIDE_LETTERS
from clockhead.model.primer.tables import Compared
from clockhead.model.units import Count, Doc, Factor, Score


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSlides(Values):
    """The printed tables; the mask comes first in what they are compared with."""

    scores_1: Annotated[Compared, Doc("table (4): what the first layer scores; (6, 6)")]
    pattern_1: Annotated[Compared, Doc("table (5): attention of the first layer; (6, 6)")]
    resid_mid: Annotated[Compared, Doc("table (6): the rows after the first layer; (6, 12)")]
    scores_2: Annotated[Compared, Doc("table (9): what the second layer scores; (6, 6)")]
    pattern_2: Annotated[Compared, Doc("table (10): attention of the second layer; (6, 6)")]
    resid_post: Annotated[Compared, Doc("table (11): the rows after the second layer; (6, 12)")]
    tables: Annotated[tuple[Compared, ...], Doc("all six, in the order of the slides")]
    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    column_names: Annotated[
        tuple[str, ...], Doc("the tokens that both halves of a row may name; 12 of them")
    ]
    n_numbers: Annotated[Count, Doc("how many numbers the six tables have")]
    n_wrong: Annotated[
        Count, Doc("how many of them are not what the equations give, to the printed decimal")
    ]
    forgotten: Annotated[
        tuple[int, int], Doc("row and column of the 1 that table (6) lacks: BOS before BOS")
    ]
    forgetful: Annotated[str, Doc("the token whose row lacks a 1 in table (6)")]
    full_score: Annotated[Score, Doc("the score that table (9) lacks")]
    printed_answer: Annotated[
        Factor, Doc("the largest number of the last row of table (11), as printed")
    ]
    true_answer: Annotated[Factor, Doc("the largest number of that row as the equations give it")]
    prediction: Annotated[str, Doc("what the last row says, by the print and by the equations")]


def printed_slides() -> PrintedSlides:
    """Compare all six tables."""
    layers = slide_layers()
    tables = compared_slides(layers)
    resid_mid, scores_2, resid_post = (tables[n] for n in ("resid_mid", "scores_2", "resid_post"))
    [[row, column]] = np.argwhere(resid_mid.wrong).tolist()
    [[query, key]] = np.argwhere(scores_2.wrong).tolist()
    return PrintedSlides(
        **tables,
        tables=tuple(tables.values()),
        tokens=layers.tokens,
        column_names=2 * SLIDE_LETTERS.tokens,
        n_numbers=sum(table.n_numbers for table in tables.values()),
        n_wrong=sum(table.n_wrong for table in tables.values()),
        forgotten=(row, column),
        forgetful=layers.tokens[row],
        full_score=float(scores_2.true[query, key]),
        printed_answer=float(resid_post.printed.rows[-1].max()),
        true_answer=float(resid_post.true[-1].max()),
        prediction=layers.prediction,
    )
