"""The table in which each word of a vocabulary has its row, and which of them a text fetches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.primer.example import PRIMER_ROWS
from clockhead.model.primer.weights import VOCABULARY
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class VocabularyRows(WorkedHead):
    """A head over a text, and the table from which the text has its rows."""

    of_primer: Annotated[bool, Doc("whether the rows are those that the primer prints")]
    words: Annotated[tuple[str, ...], Doc("the words that have a row, in order; V of them")]
    n_words: Annotated[Count, Doc("how many words have a row")]
    known: Annotated[Ints, Doc("the places in the table of rows with known numbers; (K,)")]
    n_known: Annotated[Count, Doc("how many rows have numbers that are known")]
    table: Annotated[Floats, Doc("the row of every word, 0 where it is not known; (V, d_model)")]
    fetched: Annotated[Ints, Doc("the place in the table of each token's row; (T,)")]


def vocabulary_rows(head: WorkedHead, *, of_primer: bool) -> VocabularyRows:
    """The same head with its table.

    That of the primer has 20 words, of which three rows are printed; any other has the different
    words of the text.
    """
    rows = dict(zip(head.vocabulary.tokens, head.embedding, strict=True))
    words = head.vocabulary.tokens
    if of_primer:
        words, rows = VOCABULARY, {word: np.array(row) for word, row in PRIMER_ROWS.items()}
    unknown = np.zeros(head.d_model)
    return VocabularyRows(
        **vars(head),
        of_primer=of_primer,
        words=words,
        n_words=len(words),
        known=np.array([words.index(word) for word in rows]),
        n_known=len(rows),
        table=np.array([rows.get(word, unknown) for word in words]),
        fetched=np.array([words.index(token) for token in head.tokens]),
    )
