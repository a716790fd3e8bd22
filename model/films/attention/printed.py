"""The tables of the primer's first worked example, each as printed beside what is true, by name.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.primer.tables import Compared, compared_5
from clockhead.model.primer.weights import SENTENCE
from clockhead.model.units import Count, Doc, Factor, Position, Share


@dataclass(frozen=True, eq=False)
class PrintedExample:
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

    @classmethod
    def of_primer(cls) -> PrintedExample:
        """The example as it is printed, beside what follows from its rows and matrices."""
        names = "Q K V QK^T scaled weights attention_output h_last probs"
        tables = compared_5()
        return cls(SENTENCE, *(tables[name] for name in names.split()))

    @property
    def tables(self) -> tuple[Compared, ...]:
        """All tables in their order."""
        return (
            *(self.queries, self.keys, self.values, self.dots, self.scores, self.pattern),
            *(self.z, self.last_row, self.likely),
        )

    @cached_property
    def running(self) -> Ints:
        """How many numbers are wrong up to and with each table; shape (tables,)."""
        return sealed_ints(np.cumsum([table.n_wrong for table in self.tables]))

    @property
    def n_numbers(self) -> Count:
        """How many numbers are printed."""
        return sum(table.n_numbers for table in self.tables)

    @property
    def n_wrong(self) -> Count:
        """How many of them differ from the true ones in a printed digit."""
        return int(self.running[-1])

    @property
    def n_right(self) -> Count:
        """How many of them are true to the last printed digit."""
        return self.n_numbers - self.n_wrong

    @property
    def printed_share(self) -> Share:
        """The weight that "sat" gives "cat", as printed."""
        return float(self.pattern.printed.rows[-1, 1])

    @property
    def true_share(self) -> Share:
        """The weight that "sat" gives "cat"."""
        return float(self.pattern.true[-1, 1])

    @property
    def printed_query(self) -> Factor:
        """The first number of the query of "sat", as printed."""
        return float(self.queries.printed.rows[-1, 0])

    @property
    def true_query(self) -> Factor:
        """The first number of the query of "sat"."""
        return float(self.queries.true[-1, 0])

    @cached_property
    def least_looked_at(self) -> Position:
        """The token that "sat" looks at least."""
        return int(np.argmin(self.pattern.true[-1]))
