import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from clockhead.model.attention.pattern import softmax
from clockhead.model.films.transformer_block.readout import last_row
from clockhead.model.primer.worked_block import worked_block


def row_of(**options):
    return last_row(worked_block(("the", "cat", "sat"), **options))


PRIMER = row_of()


def test_the_primers_row_has_its_length():
    assert PRIMER.length == pytest.approx(2.943294, abs=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_a_stretch_multiplies_logits_and_keeps_their_order(seed):
    row = row_of(seed=seed)
    logits = row.row @ row.unembedding
    for k, (factors, shares) in enumerate(
        zip(row.factors, row.stretched_probabilities, strict=True)
    ):
        for factor, share in zip(factors[::20], shares[::20], strict=True):
            assert_allclose(share, softmax(factor * logits), atol=1e-12)
        assert_allclose(row.stretched[k], np.outer(factors, row.row))
        assert_allclose(row.lengths[k], factors * row.length)
    assert row.share_halved <= row.next_word.greedy_share + 1e-12
    assert row.next_word.greedy_share <= row.share_doubled + 1e-12


def test_the_way_ends_where_it_begins():
    assert_allclose(PRIMER.factors[:, 0], [1, 2, 0.5])
    assert_allclose(PRIMER.factors[:, -1], [2, 0.5, 1])


@given(st.integers(0, 2**32 - 1))
def test_the_norm_takes_the_mean_away_and_sets_the_length(seed):
    row = row_of(seed=seed)
    assert row.mean == pytest.approx(sum(row.row) / row.d_model)
    assert row.centred.mean() == pytest.approx(0, abs=1e-12)
    assert row.centred_mean == pytest.approx(0, abs=1e-12)
    cosine = row.row @ row.centred / (row.length * row.centred_length)
    assert row.turn == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-4)
    assert row.centred_length == pytest.approx(float(np.linalg.norm(row.centred)))
    along = row.normed @ row.centred / (row.normed_length * row.centred_length)
    assert along == pytest.approx(1)
    assert_allclose(
        row.centred_word.probabilities, softmax(row.centred @ row.unembedding), atol=1e-12
    )
    assert (row.centred_word.order == row.normed_word.order).all()
    assert row.normed_length <= np.sqrt(6)
    assert row.normed_length == pytest.approx(np.sqrt(6), abs=0.05)
    assert_allclose(row.normed_probabilities[0, 0], row.normed_word.probabilities, atol=1e-12)


def test_a_stretch_does_nothing_to_the_normed_row_unless_it_is_nearly_flat():
    assert PRIMER.drift < 1e-5
    nearly_flat = row_of(resid_pre=np.full((3, 6), 1e-4) * np.arange(6))
    assert nearly_flat.drift > 1e-3
    assert row_of(resid_pre=np.zeros((3, 6))).normed_length == 0
