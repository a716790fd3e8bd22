"""What trained heads do differently, by heads that are computed once more."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.model.films.trained.differences import built_weights, differences
from clockhead.model.films.trained.side_by_side import side_by_side
from clockhead.model.induction.two_layers import two_layers
from tests.model.plain_by_hand import (
    built_before,
    built_followers,
    built_right,
    followers,
    looking_further,
    trained_right,
)
from tests.model.plain_trained import Reading, tokens

TEXT = "zorpanik zorpa"


def test_both_heads_by_hand():
    text = tokens("hello world hello wo")
    passed = two_layers(built_weights(), text)
    assert_allclose(passed.head_0.pattern, built_before(len(text)), atol=1e-9)
    assert_allclose(passed.head_1.pattern, built_followers(text), atol=1e-9)


@pytest.mark.parametrize("text", [TEXT, "banana ban"])
@pytest.mark.parametrize("moment", [600, 2000])
def test_one_text(text: str, moment: int):
    found, read = differences(text, moment), Reading(moment, tokens(text))
    n = len(text) + 1
    before = [[read.patterns[0, head][m, m - 1] for m in range(1, n)] for head in range(4)]
    number = int(np.argmax(np.mean(before, axis=1)))
    assert found.previous == f"0.{number}"
    assert_allclose(found.learned_before, before[number], atol=1e-9)
    assert found.built_least == pytest.approx(min(built_before(n)[m, m - 1] for m in range(1, n)))
    new = [text.index(letter) == k for k, letter in enumerate(text)]
    assert found.is_new.tolist() == new
    to_start = read.patterns[1, int(found.resting[-1])][1:, 0]
    assert_allclose(found.to_start, to_start, atol=1e-9)
    assert found.start_new == pytest.approx(np.mean(to_start[np.array(new)]))
    assert found.start_again == pytest.approx(np.mean(to_start[~np.array(new)]))


@pytest.mark.parametrize("moment", [800, 2000])
def test_texts_said_twice(moment: int):
    found = differences(TEXT, moment)
    assert found.further == looking_further(moment)
    assert_allclose(found.built_right, built_right(), atol=1e-9)
    assert_allclose(found.learned_right, trained_right(moment), atol=1e-9)
    assert_allclose(found.without_right, trained_right(moment, found.further), atol=1e-9)


def test_from_when_on_it_is_ahead():
    found = differences(TEXT, 2000)
    assert found.ahead_from == 2
    assert (found.learned_right[1:] > found.built_right[1:]).all()
    assert found.learned_right[0] < found.built_right[0]
    assert differences(TEXT, 400).ahead_from == 0


@pytest.mark.parametrize("moment", [600, 2000])
@pytest.mark.parametrize("text", [TEXT, "banana ban", "aaaa"])
def test_frames_of_one_head_over_another(text: str, moment: int):
    found, read = side_by_side(text, moment), Reading(moment, tokens(text))
    first, second = (read.patterns[head] for head in found.heads)
    assert_allclose(found.learned_first, first, atol=1e-9)
    assert_allclose(found.learned_second, second, atol=1e-9)
    assert found.share == pytest.approx(read.likely[-1][found.riddle.answer_index])
    assert found.is_right == (read.likely[-1].argmax() == found.riddle.answer_index)
    assert_allclose(found.built_second, built_followers(tokens(text)), atol=1e-9)
    rows = range(1, len(text) + 1)
    alike = [m for m in rows if first[m].argmax() == m - 1]
    assert (found.n_alike, found.n_rows) == (len(alike), len(text))
    assert np.flatnonzero(found.amiss_before >= 0).tolist() == sorted({*rows} - {*alike})
    places = followers(text)
    finding = [m for m in rows if places[m]]
    hits = [m for m in finding if second[m].argmax() in places[m]]
    assert (found.n_finding, found.n_found) == (len(finding), len(hits))
    assert np.flatnonzero(found.amiss_followers >= 0).tolist() == sorted({*finding} - {*hits})
    for m in rows:
        expected = found.followers[m] in places[m] if places[m] else found.followers[m] == -1
        assert expected


@pytest.mark.parametrize("moment", [600, 2000])
def test_a_letter_with_two_followers(moment: int):
    found = differences(TEXT, moment)
    text = tokens("".join(found.example).replace("␣", " "))
    assert [found.example[k] for k in found.example_at] == 2 * [found.asker]
    both = [int(text[k + 2]) for k in found.example_at]  # the start is the first token
    assert found.followers == (found.first_follower, found.second_follower) == ("r", "t")
    built = [built_followers(text)[-1][text == letter].sum() for letter in both]
    assert_allclose(found.example_built, built, atol=1e-9)
    assert_allclose(found.example_learned, Reading(moment, text).likely[-1][both], atol=1e-9)
