"""The table of rows that a text fetches its own from."""

from __future__ import annotations

import numpy as np
import pytest

from clockhead.model.films.attention.lookup import vocabulary_rows
from clockhead.model.primer.example import worked_head
from clockhead.model.primer.weights import VOCABULARY

TEXTS = ("the cat sat", "sat the cat the", "the the the")


@pytest.mark.parametrize("text", TEXTS)
def test_the_primer_prints_three_of_its_rows_whatever_the_text(text: str) -> None:
    rows = vocabulary_rows(worked_head(text.split()), of_primer=True)
    assert rows.words == VOCABULARY
    assert [rows.words[k] for k in rows.known] == ["the", "cat", "sat"]
    assert rows.table.shape == (20, 5)
    assert not rows.table[[k for k in range(20) if k not in rows.known]].any()


@pytest.mark.parametrize(
    ("text", "of_primer"), [(text, True) for text in TEXTS] + [("a b a", False)]
)
def test_what_is_fetched_is_the_row_of_each_token(text: str, of_primer: bool) -> None:
    head = worked_head(text.split(), seed=None if of_primer else 3)
    rows = vocabulary_rows(head, of_primer=of_primer)
    np.testing.assert_array_equal(rows.table[rows.fetched], rows.resid_pre)
    np.testing.assert_array_equal(rows.pattern, head.pattern)
    assert [rows.words[k] for k in rows.fetched] == text.split()


def test_any_other_table_has_the_different_words_of_the_text_and_all_their_numbers() -> None:
    rows = vocabulary_rows(worked_head(["a", "b", "a"], seed=1), of_primer=False)
    assert rows.words == ("a", "b")
    assert rows.n_known == rows.n_words == 2
