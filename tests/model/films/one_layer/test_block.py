import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.one_layer.block import D_MODEL, READ, WRITTEN, change_word, wave_block
from clockhead.model.networks.relu_wave import relu_wave
from clockhead.model.networks.step_function import WAVE, StepFunction, step_function
from tests.model.networks.test_step_function import BAR

CAT = change_word(wave_block(("the", "cat", "sat")), 1, "dog")


def test_each_word_stands_on_a_level_of_its_own():
    """Two in the middle of a level, two after 0.2 + 0.6 * 0.118 of one that is 0.75 long."""
    assert_allclose(CAT.before.x, [0.625, 1.375, -1.25 + 0.203115], atol=1e-6)
    assert_allclose(CAT.after.x[1], -0.5 + 0.203115, atol=1e-6)
    assert_allclose(CAT.before.y, [-0.5, 0.5, 0.0], atol=1e-12)
    assert_allclose(CAT.after.y, [-0.5, 1.0, 0.0], atol=1e-12)
    assert (CAT.old, CAT.before.n_neurons, CAT.before.d_model) == ("cat", 6, 4)


def test_the_mlp_written_out_neuron_by_neuron():
    """Six neurons for x = 0.625, which bend at -0.55, -0.45, 0.2, 0.3, 0.95, 1.05."""
    acts = [1.175, 1.075, 0.425, 0.325, 0, 0]
    assert_allclose(CAT.before.acts[0], acts)
    by_hand = sum(a * w for a, w in zip(acts, [10, -10, -15, 15, 10, -10], strict=True))
    assert_allclose(CAT.before.added[0], [0, 0, by_hand, 0], atol=1e-12)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4),
    st.sampled_from([WAVE, BAR, step_function((0.0, -2.0, 1.0), (0.0, 1.0))]),
)
def test_rows_go_alone_and_only_one_number_changes(tokens: list[str], steps: StepFunction):
    block = wave_block(tuple(tokens), relu_wave(steps, 0.1))
    assert block.rows.shape == block.out.shape == (len(tokens), D_MODEL)
    changed = np.zeros((len(tokens), D_MODEL), dtype=bool)
    changed[:, WRITTEN] = True
    assert_array_equal(block.out[~changed], block.rows[~changed])
    assert_allclose(block.y, block.wave.at(block.x), atol=1e-9)
    assert_array_equal(block.points, np.column_stack([block.rows[:, READ], block.y]))
    for m, token in enumerate(tokens):
        alone = wave_block((token,), block.wave, tuple(dict.fromkeys(tokens)))
        assert_allclose(alone.out[0], block.out[m], atol=1e-12)
    assert len(set(block.x.tolist())) == len(set(tokens))


@given(st.integers(0, 2), st.sampled_from(["the", "dog"]))
def test_another_word_changes_its_own_row_and_no_other(place: int, word: str):
    before = wave_block(("the", "cat", "sat"))
    if before.tokens[place] == word:
        with pytest.raises(ValueError, match=r"instead must be another word .* 'the'"):
            change_word(before, place, word)
        return
    change = change_word(before, place, word)
    assert change.n_changed == 1
    others = [m for m in range(3) if m != place]
    assert_allclose(change.after.out[others], before.out[others], atol=1e-12)
    assert_allclose(change.way[0], before.points[place], atol=1e-12)
    assert_allclose(change.way[-1], change.after.points[place], atol=1e-12)
    assert_allclose(change.way[:, 1], before.wave.at(change.way[:, 0]))


def test_what_makes_no_sense():
    with pytest.raises(ValueError, match="tokens must be one or more"):
        wave_block(())
    with pytest.raises(ValueError, match="place must be 0 to 2, got 3"):
        change_word(CAT.before, 3, "dog")
