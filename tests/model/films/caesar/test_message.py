import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.message import phrase_counts

DEFAULT = "the shift hides every word but not how often each letter is needed to write it"
words = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9), min_size=1)


def test_the_default_says_how_often():
    found = phrase_counts(cryptogram(DEFAULT, 7))
    assert found.is_said
    assert found.phrase == "how often each letter"
    assert "".join(letter or " " for letter in found.phrase_letters) == found.phrase
    assert DEFAULT[found.start :].startswith("how often each")
    counted = dict(zip(found.phrase_letters, found.phrase_counts.tolist(), strict=True))
    assert counted == {
        "h": 5,
        "o": 5,
        "w": 3,
        "": 0,
        "f": 2,
        "t": 10,
        "e": 12,
        "n": 3,
        "a": 1,
        "c": 1,
        "l": 1,
        "r": 4,
    }
    assert found.message.hero_is == "e"
    assert found.n_phrase == 21


@pytest.mark.parametrize(
    ("text", "asked", "phrase", "start"),
    [
        (DEFAULT, "each letter", "each letter", 45),
        (DEFAULT, "the", "the", 0),
        (DEFAULT, "to write it", "to write it", 67),
        ("meet me at noon", "", "meet me at noon", 0),
        ("one two three four five six", "", "one two three four five", 0),
        ("a" * 24 + " b", "", "a" * 24, 0),
        ("a" * 30, "", "a" * 24, 0),
        ("  at last", "", "at last", 2),
        ("show often each letter", "", "show often each letter", 0),
        # The word, and not the end of the one before it
        ("bat at", "at", "at", 4),
    ],
)
def test_which_words_are_looked_at(text, asked, phrase, start):
    found = phrase_counts(cryptogram(text, 7), asked)
    assert (found.phrase, found.start, found.is_said) == (phrase, start, True)
    assert text[start : start + len(phrase)] == phrase


@pytest.mark.parametrize("asked", ["hides word", "ord but", "q", "how often"])
def test_letters_of_words_that_are_not_said_are_counted_all_the_same(asked):
    text = "the shift hides every word but not how of ten"
    found = phrase_counts(cryptogram(text, 7), asked)
    assert (found.phrase, found.is_said) == (asked, False)
    counted = [text.count(letter) if letter != " " else 0 for letter in asked]
    assert found.phrase_counts.tolist() == found.cipher_counts.tolist() == counted


@given(words, st.integers(0, 25), st.data())
def test_counts_are_those_of_the_whole_text(some, rotation, data):
    message = cryptogram(" ".join(some), rotation)
    asked = data.draw(st.sampled_from(["", *(word for word in some)]))
    found = phrase_counts(message, asked)
    assert 1 <= len(found.phrase) <= 24
    plain = message.text.replace(" ", "")
    expected = [plain.count(letter) if letter else 0 for letter in found.phrase_letters]
    assert found.phrase_counts.tolist() == expected
    # The cipher hides which letter it is, but not how often it comes
    sent = message.ciphertext[found.start : found.start + len(found.phrase)]
    hidden = [message.ciphertext.count(c) if c != " " else 0 for c in sent]
    assert found.phrase_counts.tolist() == hidden
    assert found.cipher_counts.tolist() == hidden
    assert found.phrase_turned[0] == found.phrase
    assert found.phrase_turned[-1] == sent
    assert len(found.phrase_turned) == rotation + 1
    if message.is_read:
        assert found.message.hero_is == "e"
