"""The tables of the primer's first worked example, each as printed beside what is true, by name.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Values
from clockhead.model.primer.tables import Compared, compared_5
from clockhead.model.primer.weights import SENTENCE, VOCABULARY
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedExample(Values):
    """Section 5 of the primer, table by table, in its order."""

    tokens: Annotated[tuple[str, ...], Doc("the text of the example")]
    n_words: Annotated[Count, Doc("how many words the vocabulary has")]
    n_known: Annotated[Count, Doc("how many of them have a row that is printed")]
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
    n_square: Annotated[Count, Doc("how many numbers dot products, scores and weights have")]
    n_square_wrong: Annotated[Count, Doc("how many of these are wrong")]
    n_numbers: Annotated[Count, Doc("how many numbers are printed")]
    n_wrong: Annotated[Count, Doc("how many of them differ from the true ones in a printed digit")]
    n_right: Annotated[Count, Doc("how many of them are true to the last printed digit")]


def printed_example() -> PrintedExample:
    """The example as it is printed, beside what follows from its rows and matrices."""
    tables = compared_5()
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
