"""The tables of the primer's first worked example, each as printed beside what is true, by name.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.primer.tables import Compared, compared_5
from clockhead.model.primer.weights import SENTENCE
from clockhead.model.units import Count, Doc, Factor, Position, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedExample(Values):
    """Section 5 of the primer, table by table, in its order."""

    tokens: Annotated[tuple[str, ...], Doc("the text of the example")]
    queries: Annotated[Compared, Doc("Q, a row for each token")]
    keys: Annotated[Compared, Doc("K, a row for each token")]
    values: Annotated[Compared, Doc("V, a row for each token")]
    dots: Annotated[Compared, Doc("queries times keys")]
    scores: Annotated[Compared, Doc("the same, divided by the square root of 5")]
    pattern: Annotated[Compared, Doc("the weights of attention")]
    z: Annotated[Compared, Doc("what each token takes of the values")]
    last_row: Annotated[Compared, Doc("the row that is read out")]
    likely: Annotated[Compared, Doc("the probabilities of mat, floor and on")]
    tables: Annotated[tuple[Compared, ...], Doc("all tables in their order")]

    running: Annotated[Ints, Doc("how many numbers are wrong up to and with each table; (tables,)")]
    n_numbers: Annotated[Count, Doc("how many numbers are printed")]
    n_wrong: Annotated[Count, Doc("how many of them differ from the true ones in a printed digit")]
    n_right: Annotated[Count, Doc("how many of them are true to the last printed digit")]
    printed_share: Annotated[Share, Doc('the weight that "sat" gives "cat", as printed')]
    true_share: Annotated[Share, Doc('the weight that "sat" gives "cat"')]
    printed_query: Annotated[Factor, Doc('the first number of the query of "sat", as printed')]
    true_query: Annotated[Factor, Doc('the first number of the query of "sat"')]
    least_looked_at: Annotated[Position, Doc('the token that "sat" looks at least')]


def printed_example() -> PrintedExample:
    """The example as it is printed, beside what follows from its rows and matrices."""
    tables = compared_5()
    queries, pattern = tables["Q"], tables["weights"]
    running = np.cumsum([table.n_wrong for table in tables.values()])  # (tables,)
    n_numbers = sum(table.n_numbers for table in tables.values())
    return PrintedExample(
        tokens=SENTENCE,
        queries=queries,
        keys=tables["K"],
        values=tables["V"],
        dots=tables["QK^T"],
        scores=tables["scaled"],
        pattern=pattern,
        z=tables["attention_output"],
        last_row=tables["h_last"],
        likely=tables["probs"],
        tables=tuple(tables.values()),
        running=running,
        n_numbers=n_numbers,
        n_wrong=int(running[-1]),
        n_right=n_numbers - int(running[-1]),
        printed_share=float(pattern.printed.rows[-1, 1]),
        true_share=float(pattern.true[-1, 1]),
        printed_query=float(queries.printed.rows[-1, 0]),
        true_query=float(queries.true[-1, 0]),
        least_looked_at=int(np.argmin(pattern.true[-1])),
    )
