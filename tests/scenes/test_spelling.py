"""Tokens without a letter of their own are written so that they can be seen and said."""

import pytest

from model.prompts import PROMPT_TOKENS
from scenes.parts.text import Label
from scenes.spelling import listed, named, spelled


@pytest.mark.parametrize(
    ("token", "box", "sentence"),
    [("a", "a", "“a”"), (" ", "␣", "the space"), ("!", "BOS", "BOS")],
)
def test_spelled_and_named(token: str, box: str, sentence: str):
    assert spelled(token) == box
    assert named(token) == sentence


@pytest.mark.parametrize("token", PROMPT_TOKENS.tokens)
def test_every_token_of_a_prompt_can_be_drawn(token: str):
    assert Label(spelled(token)).has_points()


@pytest.mark.parametrize(
    ("names", "last", "read"),
    [
        (["a"], "and", "a"),
        (["a", "b"], "or", "a or b"),
        (["a", "b", "c"], "and", "a, b and c"),
    ],
)
def test_listed(names: list[str], last: str, read: str):
    assert listed(names, last) == read
