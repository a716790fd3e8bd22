"""One row of a head on the way from alpha 1 to the head's alpha."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.previous_token.sub_diagonal import scaled_row
from clockhead.model.previous_token.head import previous_token_head
from clockhead.model.previous_token.score_row import score_row

TEXT = tuple("abcdefghijkl")


def scaled_of(n_tokens=8, **options):
    return scaled_row(score_row(previous_token_head(n_tokens, **options), 1, TEXT[:n_tokens]))


def test_a_row_knows_the_alpha_that_its_head_needs():
    scaled = scaled_of()
    assert scaled.alpha_99 == pytest.approx(7.70, abs=0.01)
    assert scaled.weight_99 == 0.99


@pytest.mark.parametrize(
    ("alpha", "d_head", "decades"),
    [(10.0, 32, (0.1, 100.0)), (0.01, 256, (0.001, 10.0)), (1e4, 32, (0.1, 1e5))],
)
def test_the_decades_around_a_way_hold_all_of_it(alpha, d_head, decades):
    scaled = scaled_of(alpha=alpha, d_head=d_head)
    assert scaled.decades == pytest.approx(decades)
    assert decades[0] <= scaled.alphas.min() <= scaled.alphas.max() <= decades[1]


def test_an_exact_alias_is_refused():
    with pytest.raises(ValueError, match="alpha_99 must be a finite number"):
        scaled_of(frequencies=(np.pi / 2,) * 16)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0, 1e4])
def test_a_row_on_its_way_from_alpha_1(alpha):
    scaled = scaled_row(score_row(previous_token_head(8, alpha=alpha), 5, TEXT[:8]))
    assert scaled.at_one.head.alpha == 1
    for shares, head in (
        (scaled.shares[0], scaled.at_one.head),
        (scaled.shares[-1], scaled.row.head),
    ):
        assert_allclose(shares, head.pattern[5, :6])
    assert scaled.alphas[20] == pytest.approx(2 if alpha == 1 else alpha**0.5)
    assert_allclose(scaled.weights, np.minimum(scaled.shares[:, 4], 1), atol=1e-12)
    assert scaled.weights.max() < 1
    assert scaled.worst_weight < 1
    assert scaled.leads[[0, -1]] == pytest.approx([scaled.at_one.lead, scaled.row.lead])
    scores = scaled.row.head.scores[5, :6]
    assert_allclose(scaled.gaps[-1], scores - scores[4], rtol=1e-9, atol=1e-9 * alpha)
    assert (scaled.gaps[:, 4] == 0).all()
    assert_allclose(-np.delete(scaled.gaps, 4, axis=1).max(axis=1), scaled.leads)
