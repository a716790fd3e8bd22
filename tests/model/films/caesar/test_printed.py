"""The printed code for the templates: what it leaves where it was, and what it reads."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clockhead.model.caesar.accuracy import every_window, letter_shares, share_right
from clockhead.model.caesar.cipher import ENGLISH, decode, encode, templates
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.films.caesar.printed import printed_code


@pytest.mark.parametrize("turned", [1, 7, 13, 25])
def test_two_slices_make_a_row(turned):
    code = printed_code(turned)
    row = np.hstack([code.tail[0], code.rest[0]])
    assert_array_equal(row, code.printed[turned])
    assert_array_equal(row, (ENGLISH.tolist()[-turned:] + ENGLISH.tolist()[turned:]))
    letters = code.tail_letters + code.rest_letters
    assert_array_equal(ENGLISH[[code.alphabet.index(c) for c in letters]], row)
    assert_array_equal(row[turned:], code.english[0, turned:])
    assert_array_equal(row[:turned], code.meant[turned, :turned])
    assert code.first_kept == code.alphabet[turned]
    assert code.n_kept == 26 - turned == len(code.rest_letters)


def test_row_0_is_too_long():
    code = printed_code(1)
    assert (code.n_first_row, code.n_rotations) == (52, 26)
    assert_array_equal(code.printed[0], ENGLISH)
    assert_array_equal(code.meant, templates())


def test_the_worked_word():
    code = printed_code(7)
    assert (code.worked.ciphertext, code.worked.text) == ("fubjopt", "etainos")
    assert code.worked.is_read
    sums = code.printed @ np.bincount(encode("fubjopt"), minlength=26)
    assert code.misread_by == int(sums.argmax()) == 13
    assert code.misread == code.misreadings[-1] == "showbcg"
    assert code.misreadings[0] == "fubjopt"
    assert (code.corrections[0], code.corrections[-1]) == ("showbcg", "etainos")
    assert len(code.corrections) == 13
    assert decode((encode("showbcg") + 13) % 26) == "fubjopt"


def test_how_much_either_reads():
    code = printed_code(7)
    assert code.printed_share == pytest.approx(0.508, abs=5e-4)
    assert code.meant_share == pytest.approx(0.960, abs=5e-4)
    assert_array_equal(code.shares_read, [code.printed_share, code.meant_share])
    assert len(code.names) == 2
    shares = letter_shares(every_window(SAMPLE_ENGLISH, code.length))
    each = [share_right(np.roll(shares, r, axis=1) @ code.printed.T, r) for r in range(26)]
    assert np.mean(each) == pytest.approx(code.printed_share)
    assert share_right(shares @ templates().T) == pytest.approx(code.meant_share)
