"""An induction head without its notes scores with its own word, wherever that stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.films.tour.answer import echoed_induction
from clockhead.model.tokens import Vocabulary, words

CAT = ("BOS", *words("on the mat the cat sat and the cat"))
texts = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12).map(tuple)


def test_the_cat_finds_both_cats_without_notes_and_sat_with_them() -> None:
    head = echoed_induction(CAT, Vocabulary.of(CAT))
    assert_allclose(head.echoed_scores, [0, 0, 0, 0, 0, 10, 0, 0, 0, 10], atol=1e-12)
    assert head.scores.argmax() == 6
    assert CAT[6] == "sat"


@given(texts, st.floats(0.01, 50))
def test_its_own_word_scores_beta_and_all_others_nothing(text: tuple[str, ...], beta: float):
    head = echoed_induction(text, Vocabulary.of(text), beta=beta)
    assert_allclose(head.echoed_scores, [beta * (t == text[-1]) for t in text], atol=1e-9)
