"""The tables of the primer's first worked example, compared with the true values.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Values
from clockhead.model.primer.tables import Compared, compare_section_5
from clockhead.model.primer.weights import SENTENCE, VOCABULARY
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedExample(Values):
    """Section 5 of the primer, table by table, in its order."""

    tokens: Annotated[tuple[str, ...], Doc("text of the example")]
    n_words: Annotated[Count, Doc("size of the vocabulary")]
    n_known: Annotated[Count, Doc("number of words whose embedding is printed")]
    queries: Annotated[Compared, Doc("Q, the queries")]
    keys: Annotated[Compared, Doc("K, the keys")]
    values: Annotated[Compared, Doc("V, the values")]
    dots: Annotated[Compared, Doc("dot products of queries and keys")]
    scores: Annotated[Compared, Doc("attention scores, dot products over the square root of 5")]
    pattern: Annotated[Compared, Doc("attention weights")]
    z: Annotated[Compared, Doc("head outputs")]
    last_row: Annotated[
        Compared, Doc("last row of the residual stream, from which the next word is predicted")
    ]
    likely: Annotated[Compared, Doc("probabilities of mat, floor and on")]
    tables: Annotated[tuple[Compared, ...], Doc("all tables in their order")]
    n_square: Annotated[Count, Doc("number of numbers in dot products, scores and weights")]
    n_square_wrong: Annotated[Count, Doc("number of wrong numbers among these")]
    n_numbers: Annotated[Count, Doc("number of printed numbers")]
    n_wrong: Annotated[
        Count, Doc("number of printed numbers that differ from the true ones in a printed digit")
    ]
    n_right: Annotated[Count, Doc("number of printed numbers that are right to their last digit")]


def printed_example() -> PrintedExample:
    """Compare the printed tables with the values that follow from rows and matrices."""
    tables = compare_section_5()
    square = [tables[name] for name in ("QK^T", "scaled", "weights")]
    n_numbers = sum(table.n_numbers for table in tables.values())
    n_wrong = sum(table.n_wrong for table in tables.values())
    return PrintedExample(
        tokens=SENTENCE,
        n_words=len(VOCABULARY),
        n_known=len(set(SENTENCE)),
        queries=tables["Q"],
        keys=tables["K"],
        values=tables["V"],
        dots=square[0],
        scores=square[1],
        pattern=square[2],
        z=tables["attention_output"],
        last_row=tables["h_last"],
        likely=tables["probs"],
        tables=tuple(tables.values()),
        n_square=sum(table.n_numbers for table in square),
        n_square_wrong=sum(table.n_wrong for table in square),
        n_numbers=n_numbers,
        n_wrong=n_wrong,
        n_right=n_numbers - n_wrong,
    )
