"""Losses with one head silent, and what heads look at and write."""

import numpy as np
import pytest

from clockhead.model.films.trained.without import HEADS, looks_of_layer_0, silent_heads
from clockhead.model.trained.texts import texts_said_twice
from tests.model.plain_trained import Reading

TEXTS = texts_said_twice(9, 64, 24)


def test_a_head_that_is_silent():
    found = silent_heads("zorpanik zorpa")
    assert found.whole == pytest.approx(Reading(2000, TEXTS).losses[:, 25:].mean())
    for head, loss in zip(HEADS, found.losses, strict=True):
        assert loss == pytest.approx(Reading(2000, TEXTS, [head]).losses[:, 25:].mean())


def test_how_long_vectors_are():
    found, read = silent_heads("banana ban"), Reading(2000, TEXTS)
    vectors = (read.streams[0], read.added[0, found.previous], read.added[0, found.own])
    for length, vector in zip(found.lengths, vectors, strict=True):
        assert length == pytest.approx(np.sqrt((vector[:, 2:] ** 2).sum(axis=-1)).mean())
    assert (found.letter_length, found.note_length, found.copy_length) == tuple(found.lengths)


def test_what_heads_look_at():
    looks, patterns = looks_of_layer_0(600), Reading(600, TEXTS).patterns
    for head in range(4):
        rows = patterns[0, head]
        before = sum(rows[:, m, m - 1].mean() for m in range(2, 49)) / 47
        same = sum(
            rows[i, m, n]
            for i, text in enumerate(TEXTS)
            for m in range(2, 49)
            for n in range(m + 1)
            if text[m] == text[n]
        )
        assert looks[0, head] == pytest.approx(before)
        assert looks[1, head] == pytest.approx(same / (64 * 47))


def test_the_head_that_finds_most_in_a_text():
    found = silent_heads("zorpanik zorpa")
    assert found.patterns[1, found.looking_up, -1, 6] == found.patterns[1, :, -1, 6].max()
