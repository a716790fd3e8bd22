"""The end of a text that stood there before, and what came after it; letters that are guessed."""

import numpy as np
import pytest

from clockhead.model.films.trained.comeback import comeback, next_letter
from clockhead.model.trained.transformer import SHAPES, moments, tokens_of


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
def test_guesses_by_a_sum_over_letters(moment: int):
    """One letter at a time, one head at a time, with loops."""
    text = "zorpanik zorpa"
    weights, tokens = moments().at(moment), tokens_of(text)
    frequencies = [10000 ** (-2 * i / 16) for i in range(8)]

    def normed(x):
        return x / np.sqrt(np.mean(x * x) + 1e-6)

    def turned(x, position):
        pairs = x.reshape(8, 2)
        z = (pairs[:, 0] + 1j * pairs[:, 1]) * np.exp(1j * position * np.array(frequencies))
        return np.stack([z.real, z.imag], axis=1).reshape(16)

    stream = [weights.embedding[token] for token in tokens]
    for layer in range(2):
        read = [normed(x) for x in stream]
        added = [np.zeros(64) for _ in stream]
        for head in range(4):
            q, k, v = (getattr(weights, f"w_{name}")[layer, head] for name in "qkv")
            for m in range(len(tokens)):
                scores = [turned(read[m] @ q, m) @ turned(read[n] @ k, n) / 4 for n in range(m + 1)]
                shares = np.exp(scores) / np.exp(scores).sum()
                taken = sum(share * (read[n] @ v) for n, share in enumerate(shares))
                added[m] += taken @ weights.w_o[layer, head]
        stream = [x + more for x, more in zip(stream, added, strict=True)]
    likely = np.exp(normed(stream[-1]) @ weights.unembedding)
    np.testing.assert_allclose(next_letter(text, moment), likely / likely.sum(), atol=1e-9)


def test_the_numbers_that_are_trained():
    assert sum(int(np.prod(shape)) for shape in SHAPES.values()) == 36288
