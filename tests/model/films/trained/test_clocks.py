"""The clock hands of a trained head, by its scores of all pairs of letters, offset by offset."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.trained.clocks import learned_clocks, letter_shares, steps_back
from clockhead.model.trained.transformer import FREQUENCIES, moments
from tests.model.plain_by_hand import built_sums, common, hands, mean_scores, parts
from tests.model.plain_trained import Reading, tokens

TEXT = "zorpanik zorpa"


def test_letters_are_as_common_as_in_a_long_text():
    assert_allclose(letter_shares(), common(), atol=1e-12)


@pytest.mark.parametrize(("moment", "number"), [(2000, 1), (2000, 3), (2000, 0), (600, 1)])
def test_scores_and_hands(moment: int, number: int):
    clocks = learned_clocks(TEXT, moment, number)
    assert_allclose(clocks.scores, mean_scores(moment, number), atol=1e-9)
    assert clocks.back == steps_back(moments().at(moment), (0, number))
    assert clocks.back == np.argmax(mean_scores(moment, number))
    lengths, angles = hands(moment, number)
    assert_allclose(clocks.lengths, lengths, atol=1e-9)
    turned = lengths[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert_allclose(clocks.hands, turned, atol=1e-9)
    assert_allclose(clocks.steps * FREQUENCIES, angles, atol=1e-6)
    assert clocks.kept.tolist() == np.flatnonzero(lengths > 0.05 * lengths.max()).tolist()
    slow = [parts(moment, number, back)[clocks.kept[-1]] for back in range(11)]
    assert_allclose(clocks.slow_part, slow, atol=1e-9)
    assert clocks.slow_sinks == (np.diff(slow) < 0).all()
    assert clocks.n_kept == len(clocks.kept)


def test_the_way_through_training_ends_where_the_hands_are():
    clocks = learned_clocks(TEXT, 600, 1)
    assert clocks.moments.tolist() == [0, 50, 150, 300, 350, 400, 450, 500, 600]
    assert_allclose(clocks.hands_then[-1], clocks.hands)
    assert_allclose(clocks.scores_then[-1], clocks.scores)
    assert_allclose(clocks.scores_then[2], mean_scores(150, 1), atol=1e-9)


@pytest.mark.parametrize("number", [1, 3])
def test_our_sum_comes_as_close_as_it_can(number: int):
    clocks = learned_clocks(TEXT, 2000, number)
    built = built_sums(clocks.back)
    alpha, shift = np.polyfit(built, clocks.scores, 1)
    assert (clocks.alpha, clocks.shift) == (pytest.approx(alpha), pytest.approx(shift))
    assert_allclose(clocks.fitted, alpha * built + shift)
    assert clocks.likeness == pytest.approx(np.corrcoef(built, clocks.scores)[0, 1])
    assert_allclose(np.cos(clocks.built_angles).sum(), built[0])
    assert_allclose(clocks.built_part, np.cos(np.arange(11) - clocks.back), atol=1e-9)
    assert_allclose(clocks.key_angles[4], 4 * FREQUENCIES)


def test_the_pattern_and_its_diagonals():
    clocks = learned_clocks("banana ban", 2000, 1)
    assert_allclose(clocks.pattern, Reading(2000, tokens("banana ban")).patterns[0, 1], atol=1e-9)
    assert clocks.diagonals[3].tolist() == [*range(-3, 8)]
    assert clocks.tokens == ("^", *"banana", "␣", *"ban")


def test_the_head_that_we_found():
    clocks = learned_clocks(TEXT, 2000, 1)
    assert clocks.back == 1
    assert clocks.top == pytest.approx(7.38, abs=0.01)
    assert clocks.kept.tolist() == [0, 1, 2, 3]
    assert clocks.slowest_are_gone
    assert clocks.fastest_steps == pytest.approx(1.118, abs=0.001)
    assert clocks.turns_written == ("6", "20", "63", "199", "628", "1,987", "6,283", "19,869")
    assert clocks.likeness == pytest.approx(0.977, abs=0.001)


@pytest.mark.parametrize("number", [-1, 4])
def test_there_are_four_heads(number: int):
    with pytest.raises(ValueError, match="head must be"):
        learned_clocks(TEXT, 2000, number)
