"""What the film `tour` draws while it says something of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from clockhead.scenes.stage import find_stage
from tests.scenes import truths_caesar as caesar
from tests.scenes.staging import play
from tests.scenes.telling import those_taken
from tests.scenes.truths_tour import FILM


@pytest.mark.parametrize("text", ["The cat sat on the cat", "a1 b a1", "the-cat sat the-cat"])
def test_texts_whose_letters_cannot_be_counted_are_refused(text: str) -> None:
    for name in FILM.names:
        assert those_taken(name, [{"text": text}]) == []


# What stands in the pictures


def played(name: str, **given: Any) -> Any:
    stage = find_stage(name)
    return play(stage, stage.shot(stage.Inputs(**given)))


@pytest.mark.parametrize("rotation", [0, 1, 7])
def test_the_code_is_written_into_all_tiles_and_notes(rotation: int) -> None:
    scene = played("tour.code", rotation=rotation)
    words = ["on", "the", "mat", "the", "cat", "sat", "and", "the", "cat"]
    coded = [caesar.turned(word, rotation) for word in words]
    assert [tile.label.text for tile in scene.tiles.tiles] == ["BOS", *coded, coded[5]]
    notes = [tile.note.word for tile in scene.tiles.tiles if tile.note]
    assert notes == ["BOS", "BOS", *coded[:-1]]
    assert scene.message.text == " ".join(coded)
    assert scene.message in scene.mobjects
    assert scene.tiles not in scene.mobjects


def test_letters_leave_their_tiles_from_where_they_stand() -> None:
    """A letter of the message lies on the same letter of its word, and is as large."""
    scene = played("tour.code", rotation=0)
    cells = scene.cells
    for k, tile in enumerate(scene.tiles.tiles[1:10]):
        start = sum(len(word) + 1 for word in scene.values.turned[0][1 : k + 1])
        across = cells.middles[start : start + len(tile.label.text), 0]
        assert (np.diff(across) > 0).all()
        assert tile.corners[0][0] < across[0] < across[-1] < tile.corners[1][0]
        assert_allclose(np.mean([across[0], across[-1]]), tile.middle[0], atol=0.1)
        assert_allclose(cells.middles[start, 1], tile.middle[1])
        assert_allclose(cells.size, tile.state[4])


def test_the_message_is_read_at_the_end() -> None:
    text = "here the cat sees me and then the cat"
    scene = played("tour.alphabets", text=text, rotation=12)
    assert scene.message.text == text
    assert [scene.message.labels[k].text for k, c in enumerate(text) if c != " "] == list(
        text.replace(" ", "")
    )
