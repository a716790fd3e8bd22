"""What a head of layer 1 finds a letter by."""

import numpy as np
import pytest

from clockhead.model.films.trained.second_hop import SecondHop, second_hop
from tests.model.plain_trained import LETTERS, Reading, normed, tokens, turned, weights

TEXTS = ["zorpanik zorpa", "banana ban", "hello world hello w", "aaaa"]


def without(step: int, text: str, heads: list[int]) -> tuple[list[np.ndarray], np.ndarray]:
    """The rows of the last letter in layer 1, and the guess, with keys that lack some notes."""
    read, w = Reading(step, tokens(text)), weights(step)
    stream = read.streams[1]
    for_keys = stream.copy()
    for head in heads:
        for_keys = for_keys - read.added[0, head]
    rows, end = [], stream[-1]
    for head in range(4):
        at = 1, head
        key = turned(normed(for_keys) @ w["w_k"][at])
        query = turned(normed(stream) @ w["w_q"][at])[-1]
        scores = np.exp((key @ query.conj()).real / 4)
        rows.append(scores / scores.sum())
        end = end + rows[-1] @ (normed(stream) @ w["w_v"][at]) @ w["w_o"][at]
    likely = np.exp(normed(end) @ w["unembedding"])
    return rows, likely / likely.sum()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("moment", [600, 2000])
def test_three_runs(text: str, moment: int):
    found = second_hop(text, moment)
    runs = [[], [found.writer], [found.writer, found.other]]
    for k, heads in enumerate(runs):
        rows, guess = without(moment, text, heads)
        np.testing.assert_allclose(found.rows[k], rows[found.reader][1:], atol=1e-9)
        due = rows[found.reader][found.goal + 1], guess[found.riddle.answer_index]
        np.testing.assert_allclose(found.runs[k], due, atol=1e-9)
    whole = Reading(moment, tokens(text))
    np.testing.assert_allclose(found.rows[0], whole.patterns[1, found.reader][-1, 1:], atol=1e-9)
    assert found.guess == pytest.approx(whole.likely[-1][found.riddle.answer_index])


@pytest.mark.parametrize("text", TEXTS)
def test_no_other_head_or_place_gets_more(text: str):
    found = second_hop(text, 2000)
    rows, _ = without(2000, text, [])
    answer = LETTERS[found.riddle.answer_index]
    due = max(
        (rows[head][n + 1], head, n)
        for head in range(4)
        for n in range(1, len(text))
        if text[n - 1] == text[-1] and text[n] == answer
    )
    assert (found.reader, found.goal) == due[1:]
    left = {
        head: without(2000, text, [found.writer, head])[0][found.reader][found.goal + 1]
        for head in range(4)
        if head != found.writer
    }
    assert found.other == min(left, key=left.__getitem__)


@pytest.mark.parametrize("text", TEXTS)
def test_notes(text: str):
    found, first = second_hop(text, 2000), Reading(2000, tokens(text)).patterns
    shown = "^" + text.replace(" ", "␣")
    writer, other = first[0, found.writer], first[0, found.other]
    for k, letter in enumerate(found.letters):
        assert letter == shown[k + 1]
        assert found.notes[k] == shown[k]
        assert found.note_shares[k] == pytest.approx(writer[k + 1, k])
        assert found.other_notes[k] == shown[int(other[k + 1].argmax())]
        assert found.other_shares[k] == pytest.approx(other[k + 1].max())
    np.testing.assert_allclose(found.written, writer[found.goal + 1, 1:], atol=1e-9)
    assert found.other_note == found.other_notes[found.goal]
    assert [found.notes[k] for k in found.bearers] == [text[-1]] * found.n_bearers


def test_without_both_notes_most_of_the_attention_is_lost():
    """Other words are found by two such notes as well."""
    words = ["zorpanik", "blickwug", "tembolar", "quistane", "fendrake", "molivest"]
    hops = [second_hop(f"{word} {word[:k]}", 2000) for word in words for k in (4, 6)]
    sure = [hop for hop in hops if hop.share > 0.5]
    assert len(sure) >= 6
    assert all(hop.share_without_both < hop.share / 2 for hop in sure)


@pytest.mark.parametrize("reader", range(4))
def test_a_reader_that_is_given(reader: int):
    found: SecondHop = second_hop("zorpanik zorpa", 2000, reader)
    assert found.reader == reader
    assert found.letters[found.goal] == "n"
