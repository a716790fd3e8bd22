"""Texts that the film `tour` refuses."""

from __future__ import annotations

import pytest

from tests.scenes.telling import those_taken
from tests.scenes.truths_tour import FILM


@pytest.mark.parametrize("text", ["The cat sat on the cat", "a1 b a1", "the-cat sat the-cat"])
def test_texts_whose_letters_cannot_be_counted_are_refused(text: str) -> None:
    for name in FILM.names:
        assert those_taken(name, [{"text": text}]) == []
