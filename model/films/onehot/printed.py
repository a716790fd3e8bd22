"""All six tables that the slides print, each beside what the equations give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.films.onehot.tables import PrintedTable, Table, printed_table
from clockhead.model.induction.onehot_layers import SLIDE_LETTERS
from clockhead.model.units import Count, Doc, Factor, Score


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSlides:
    """The printed tables; the mask comes first in what they are compared with."""

    scores_1: Annotated[PrintedTable, Doc("table (4): what the first layer scores; (6, 6)")]
    pattern_1: Annotated[PrintedTable, Doc("table (5): attention of the first layer; (6, 6)")]
    resid_mid: Annotated[PrintedTable, Doc("table (6): the rows after the first layer; (6, 12)")]
    scores_2: Annotated[PrintedTable, Doc("table (9): what the second layer scores; (6, 6)")]
    pattern_2: Annotated[PrintedTable, Doc("table (10): attention of the second layer; (6, 6)")]
    resid_post: Annotated[PrintedTable, Doc("table (11): the rows after the second layer; (6, 12)")]
    tables: Annotated[tuple[PrintedTable, ...], Doc("all six, in the order of the slides")]
    tokens: Annotated[tuple[str, ...], Doc("the text of the slides, BOS first; 6 of them")]
    column_names: Annotated[
        tuple[str, ...], Doc("the tokens that both halves of a row may name; 12 of them")
    ]
    n_numbers: Annotated[Count, Doc("how many numbers the six tables have")]
    n_wrong: Annotated[
        Count, Doc("how many of them are not what the equations give, to the printed decimal")
    ]
    n_right: Annotated[Count, Doc("how many of them are what the equations give")]
    forgotten: Annotated[
        tuple[int, int], Doc("row and column of the 1 that table (6) lacks: BOS before BOS")
    ]
    unmatched: Annotated[
        tuple[int, int], Doc("row and column of the score that table (9) lacks: BOS with itself")
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
    names: tuple[Table, ...] = (
        "scores_1",
        "pattern_1",
        "resid_mid",
        "scores_2",
        "pattern_2",
        "resid_post",
    )
    tables = {name: printed_table(name) for name in names}
    resid_mid, scores_2, resid_post = (tables[n] for n in ("resid_mid", "scores_2", "resid_post"))
    tokens = resid_mid.layers.tokens
    n_numbers = sum(table.printed.size for table in tables.values())
    n_wrong = sum(table.n_wrong for table in tables.values())
    [[row, column]] = np.argwhere(resid_mid.wrong).tolist()
    [[query, key]] = np.argwhere(scores_2.wrong).tolist()
    return PrintedSlides(
        **tables,
        tables=tuple(tables.values()),
        tokens=tokens,
        column_names=2 * SLIDE_LETTERS.tokens,
        n_numbers=n_numbers,
        n_wrong=n_wrong,
        n_right=n_numbers - n_wrong,
        forgotten=(row, column),
        unmatched=(query, key),
        forgetful=tokens[row],
        full_score=float(scores_2.true[query, key]),
        printed_answer=float(resid_post.printed[-1].max()),
        true_answer=float(resid_post.true[-1].max()),
        prediction=resid_post.layers.prediction,
    )
