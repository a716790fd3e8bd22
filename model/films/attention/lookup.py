"""The table in which each word of a vocabulary has its row, and which of them a text fetches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.primer.example import PRIMER_ROWS
from clockhead.model.primer.weights import VOCABULARY
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, eq=False)
class VocabularyRows(WorkedHead):
    """A head over a text, and the table from which the text has its rows.

    `of_primer` says that it is the primer's, which has 20 words and prints the rows of three;
    any other has the different words of the text.
    """

    of_primer: Annotated[bool, Doc("whether the rows are those that the primer prints")] = False

    @classmethod
    def around(cls, head: WorkedHead, *, of_primer: bool) -> VocabularyRows:
        """The same head with its table."""
        given = {field.name: getattr(head, field.name) for field in fields(WorkedHead)}
        return cls(**given, of_primer=of_primer)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that have a row, in order."""
        return VOCABULARY if self.of_primer else self.vocabulary.tokens

    @property
    def n_words(self) -> Count:
        """How many words have a row."""
        return len(self.words)

    @cached_property
    def known(self) -> Ints:
        """The places in the table of the rows whose numbers are known; shape (K,)."""
        known = PRIMER_ROWS if self.of_primer else self.vocabulary.tokens
        return sealed_ints(np.array([self.words.index(word) for word in known]))

    @property
    def n_known(self) -> Count:
        """How many rows have numbers that are known."""
        return len(self.known)

    @cached_property
    def table(self) -> Floats:
        """The row of every word, 0 where its numbers are not known; shape (V, d_model)."""
        rows = dict(zip(self.vocabulary.tokens, self.embedding, strict=True))
        if self.of_primer:
            rows = {word: np.array(row) for word, row in PRIMER_ROWS.items()}
        unknown = np.zeros(self.d_model)
        return sealed(np.array([rows.get(word, unknown) for word in self.words]))

    @cached_property
    def fetched(self) -> Ints:
        """The place in the table of each token's row; shape (T,)."""
        return sealed_ints(np.array([self.words.index(token) for token in self.tokens]))
