import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.attention.pattern import softmax
from clockhead.model.films.transformer_block.lens import lensed_block
from clockhead.model.primer.worked_block import worked_block

TEXT = ("the", "cat", "sat")
LENS = lensed_block(worked_block(TEXT))


def test_the_lead_goes_from_sat_to_ran_to_dog():
    assert LENS.stations == ("start", "attention 0", "MLP 0", "attention 1", "MLP 1")
    assert [LENS.vocabulary[k] for k in LENS.leaders] == ["sat", "sat", "ran", "ran", "dog"]
    assert LENS.first_lead == 4


def test_rows_of_zeros_leave_all_words_level():
    level = lensed_block(worked_block(TEXT, resid_pre=np.zeros((3, 6))))
    assert level.leaders.tolist() == [-1] * level.n_stations == [-1] * 5
    assert (level.first_lead, level.first_led) == (-1, "")
    assert_allclose(level.lens_shares, 0.1)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 3]))
def test_each_station_is_the_stream_read_out_there(seed, n_heads):
    block = worked_block(TEXT, seed=seed, n_heads=n_heads)
    lens = lensed_block(block)
    assert lens.streams.shape == (5, 3, 6)
    assert_array_equal(lens.streams[[0, 2, 4]], block.run.resids)
    assert_array_equal(lens.streams[1], block.resid_pre + block.first.attn_out)
    assert_array_equal(lens.streams[3], block.first.resid_post + block.second.attn_out)
    assert_allclose(lens.lens_shares, softmax(lens.streams[:, -1] @ block.unembedding))
    assert lens.lens_top == lens.lens_shares.max()
    for shares, leader in zip(lens.lens_shares, lens.leaders, strict=True):
        assert leader < 0 or (shares[leader] > np.delete(shares, leader)).all()
    assert lens.leaders[lens.first_lead] == lens.prediction
    assert lens.prediction not in lens.leaders[: lens.first_lead]
    assert lens.first_led == lens.stations[lens.first_lead]
