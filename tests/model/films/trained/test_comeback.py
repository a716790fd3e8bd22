"""The end of a text that stood there before, and what came after it; letters that are guessed."""

import numpy as np
import pytest

from clockhead.model.films.trained.comeback import comeback, likeliest, next_letter
from clockhead.model.films.trained.untrained import first_guess
from clockhead.model.trained.transformer import SHAPES
from tests.model.plain_trained import LETTERS, Reading, kept, tokens


@pytest.mark.parametrize(
    ("text", "piece", "answer"),
    [
        ("zorpanik zorpa", "zorpa", "n"),
        ("banana ban", "ban", "a"),
        ("hello world hello w", "hello w", "o"),
        ("aaaa", "aaa", "a"),
        ("a b a b", "a b", "␣"),
        ("miss ississ", "iss", "i"),
    ],
)
def test_the_letter_after_the_longest_end_that_stood_before(text: str, piece: str, answer: str):
    found = comeback(text)
    assert (found.piece, found.answer) == (piece, answer)
    assert text[found.source :].startswith(text[-found.n_piece :])
    assert found.source + found.n_piece < len(text)
    assert "".join(found.shown).replace("␣", " ") == text


@pytest.mark.parametrize("text", ["abc", "a", "aa", "the dog"])
def test_a_text_in_which_nothing_comes_again_is_refused(text: str):
    with pytest.raises(ValueError, match=r"^text must end with at least 2 letters that stood"):
        comeback(text)


@pytest.mark.parametrize("moment", [0, 150, 2000])
@pytest.mark.parametrize("text", ["zorpanik zorpa", "hello world hello w"])
def test_guesses_head_by_head(text: str, moment: int):
    due = Reading(moment, tokens(text)).likely[-1]
    np.testing.assert_allclose(next_letter(text, moment), due, atol=1e-9)


@pytest.mark.parametrize("answer", [3, 25])
def test_the_likeliest_letters_and_the_one_that_is_due(answer: int):
    guess = np.arange(27.0)[::-1] / 351
    assert likeliest(guess, answer).tolist() == [*range(5), 5 if answer == 3 else 25]


def test_the_numbers_that_are_trained():
    assert sum(int(np.prod(shape)) for shape in SHAPES.values()) == 36288


def test_a_dot_for_each_number_of_the_heads():
    """A quarter is white, minus a quarter black; four matrices of 64 times 16 make a square."""
    shades, file = first_guess("banana ban").shades, kept()
    assert shades.shape == (2, 4, 64, 64)
    for at, name in enumerate(("w_q", "w_k", "w_v")):
        due = np.clip(2 * file[name][0].astype(float) + 0.5, 0, 1)
        np.testing.assert_allclose(shades[..., 16 * at : 16 * at + 16], due)
    out = np.clip(2 * file["w_o"][0, 0, 3].astype(float) + 0.5, 0, 1)  # (16, 64)
    np.testing.assert_allclose(shades[0, 3, :, 48:], out.T)


def test_a_few_numbers_and_the_guesses_after_fifty_steps():
    found = first_guess("banana ban")
    np.testing.assert_allclose(found.few, kept()["w_q"][:2, 0, 1, :4, :2])
    shown = [LETTERS.index(letter.replace("␣", " ")) for letter in found.letters]
    for row, step in zip(found.likely, (0, 50), strict=True):
        np.testing.assert_allclose(row, next_letter("banana ban", step)[shown])


def test_a_piece_stands_twice_in_the_text_that_is_shown():
    found = first_guess("banana ban")
    text, size = "".join(found.sample), found.n_sample_piece
    first, second = found.sample_starts.tolist()
    assert text[first : first + size] == text[second : second + size]
    assert first + size <= second
    longer = range(len(text) - size)
    assert not any(text.find(text[k : k + size + 1], k + size + 1) >= 0 for k in longer)
