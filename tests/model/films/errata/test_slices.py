"""The printed code for the templates: what it leaves where it was, and what it reads."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clockhead.model.caesar.accuracy import accuracy, every_window, letter_shares
from clockhead.model.caesar.cipher import ENGLISH, decode, encode, templates, truncated_templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.films.errata.slices import printed_slices


@pytest.mark.parametrize("turned", [1, 7, 13, 20, 25])
def test_two_slices_make_a_row(turned):
    code = printed_slices(turned)
    row = np.hstack([code.tail[0], code.rest[0]])
    assert_array_equal(row, (ENGLISH.tolist()[-turned:] + ENGLISH.tolist()[turned:]))
    letters = code.tail_letters + code.rest_letters
    assert_array_equal(ENGLISH[[code.alphabet.index(c) for c in letters]], row)
    assert code.first_kept == code.alphabet[turned] == code.rest_letters[0]
    assert code.n_kept == 26 - turned == len(code.rest_letters)
    twice = [c for c in code.alphabet if letters.count(c) == 2]
    assert code.n_twice == len(twice) == sum(c not in letters for c in code.alphabet)
    assert (code.twice[0], code.twice[-1]) == (twice[0], twice[-1])
    assert_array_equal(np.hstack([code.tail[0], code.meant_rest[0]]), templates()[turned])
    assert code.tail_letters + code.meant_letters == code.alphabet[-turned:] + code.meant_letters


def test_no_turn_takes_all_letters_twice():
    code = printed_slices(1)
    assert_array_equal(code.not_turned[0], np.tile(ENGLISH, 2))


def test_the_worked_word():
    code = printed_slices(7)
    sums = truncated_templates() @ np.bincount(encode("fubjopt"), minlength=26)
    assert code.misread_by == int(sums.argmax()) == 13
    assert code.words == ("fubjopt", "showbcg", "etainos")
    assert decode((encode(code.misread) + 13) % 26) == "fubjopt"


def test_how_much_either_reads():
    code = printed_slices(7)
    assert_array_equal(code.shares_read, [code.printed_share, code.meant_share])
    assert len(code.names) == 2
    shares = letter_shares(every_window(SAMPLE_ENGLISH, code.length))
    each = [accuracy(np.roll(shares, r, axis=1) @ truncated_templates().T, r) for r in range(26)]
    assert np.mean(each) == pytest.approx(code.printed_share)
    assert accuracy(shares @ templates().T) == pytest.approx(code.meant_share)
