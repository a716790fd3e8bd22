"""A text whose tokens leak into their keys, on the way to a strength."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from clockhead.model.films.previous_token.token_dependent_key import TokenLeak
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.tokens import words

TEXT = words("the cat sat on the mat and ran")
LEAK = TokenLeak.into(PreviousTokenHead(8), TEXT, 0.2)
HELD = TokenLeak.into(PreviousTokenHead(8), TEXT, 0.01)


def test_the_way_halts_around_the_first_loss():
    tie = LEAK.torn.first_loss_at
    assert LEAK.is_torn
    assert LEAK.goes_on
    assert LEAK.halts == pytest.approx((0, 0.96 * tie, 1.04 * tie, 0.2))
    lost = LEAK.looks_at[:, LEAK.torn.first_loss_row] != LEAK.torn.first_loss_target
    assert [bool(lost[LEAK.between(a, b)].any()) for a, b in ((0, 1), (1, 2))] == [False, True]
    assert (LEAK.asker, LEAK.target, LEAK.rival) == ("“and”", "“mat”", "“the” at 4")


@pytest.mark.parametrize("leak", [LEAK, HELD])
def test_every_leg_goes_from_halt_to_halt_and_back(leak):
    for start, end in ((0, 1), (1, 2), (2, 3), (3, 0), (1, 1)):
        way = leak.strengths[leak.between(start, end)]
        assert_allclose(way[[0, -1]], [leak.halts[start], leak.halts[end]])
        assert (np.sign(np.diff(way)) * np.sign(end - start) >= 0).all()
    assert_allclose(leak.patterns[0], leak.torn.constant.pattern, atol=1e-12)
    assert_allclose(leak.patterns[-1], leak.torn.pattern, atol=1e-12)
    assert_array_equal(leak.looks_at[-1], leak.torn.looks_at)


def test_a_text_that_bears_it_has_no_rival():
    assert not HELD.is_torn
    assert not HELD.goes_on
    assert HELD.halts[1:] == (0.01,) * 3
    assert HELD.telling_pair == HELD.torn.most_bent_pair
    one = TokenLeak.into(PreviousTokenHead(3), ("a", "a", "a"), 0.001)
    assert one.strengths.max() == 0.001


def test_the_telling_pair_reaches_further_along_the_query_at_the_rival():
    gained = LEAK.reaches - np.cos(LEAK.seen_turns)  # (T,)
    assert gained[LEAK.torn.first_loss_rival] > gained[LEAK.torn.first_loss_target]
    assert LEAK.seen_turns[LEAK.torn.first_loss_target] == 0
    head, pair = LEAK.torn, slice(2 * LEAK.telling_pair, 2 * LEAK.telling_pair + 2)
    query = head.queries[head.first_loss_row, pair] / head.constant.alpha
    seen = head.first_loss_row + 1  # keys up to the row's own
    assert_allclose(LEAK.reaches[:seen], head.keys[:seen, pair] @ query, atol=1e-12)
    assert LEAK.longest == pytest.approx(np.linalg.norm(LEAK.pairs, axis=-1).max())
    assert_allclose(LEAK.leads, [LEAK.torn.position_lead, LEAK.torn.token_lead])
    assert LEAK.most_lead == LEAK.leads.max()


def test_a_leak_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(LEAK)) == LEAK
