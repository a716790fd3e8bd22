"""All six tables of the slides, of which one lacks a 1.

Source: lecture slides on a one-hot induction head, equations (4) to (6) and (9) to (11).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Values
from clockhead.model.films.errata.slides import compare_slides, slide_layers
from clockhead.model.induction.onehot_layers import SLIDE_LETTERS
from clockhead.model.primer.tables import Compared
from clockhead.model.units import Count, Doc, Factor, Score


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSlides(Values):
    """The printed tables, compared with a computation that masks first."""

    scores_1: Annotated[Compared, Doc("table (4): attention scores of the first layer; (6, 6)")]
    pattern_1: Annotated[Compared, Doc("table (5): attention weights of the first layer; (6, 6)")]
    resid_mid: Annotated[Compared, Doc("table (6): rows after the first layer; (6, 12)")]
    scores_2: Annotated[Compared, Doc("table (9): attention scores of the second layer; (6, 6)")]
    pattern_2: Annotated[Compared, Doc("table (10): attention weights of the second layer; (6, 6)")]
    resid_post: Annotated[Compared, Doc("table (11): rows after the second layer; (6, 12)")]
    tables: Annotated[tuple[Compared, ...], Doc("all six tables, in the order of the slides")]
    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    column_names: Annotated[
        tuple[str, ...], Doc("token of each column, twice the vocabulary; 12 of them")
    ]
    n_numbers: Annotated[Count, Doc("number of numbers in the six tables")]
    n_wrong: Annotated[
        Count,
        Doc("number of printed numbers that differ from the equations, to the printed decimal"),
    ]
    forgotten: Annotated[
        tuple[int, int],
        Doc("row and column of the 1 missing in table (6): BOS as its own previous token"),
    ]
    forgetful: Annotated[str, Doc("token whose row lacks a 1 in table (6)")]
    full_score: Annotated[Score, Doc("score missing in table (9)")]
    printed_answer: Annotated[
        Factor, Doc("largest number of the last row of table (11), as printed")
    ]
    true_answer: Annotated[Factor, Doc("largest number of that row by the equations")]
    prediction: Annotated[
        str, Doc("token predicted by the last row, in print and by the equations")
    ]


def printed_slides() -> PrintedSlides:
    """Compare all six tables."""
    layers = slide_layers()
    tables = compare_slides(layers)
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
