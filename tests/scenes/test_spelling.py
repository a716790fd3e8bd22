"""Tokens can be seen, and what sentences list or count can be said."""

import pytest

from clockhead.model.induction.prompts import LETTER_TOKENS
from clockhead.scenes.spelling import counted, listed, plural, told_apart
from clockhead.scenes.style.text import Label


@pytest.mark.parametrize("token", LETTER_TOKENS.tokens)
def test_every_token_can_be_drawn(token: str):
    assert Label(token).has_points()


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


@pytest.mark.parametrize(("count", "read"), [(0, "no"), (2, "two"), (11, "eleven"), (12, "12")])
def test_counted(count: int, read: str):
    assert counted(count) == read


@pytest.mark.parametrize(("count", "read"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps")])
def test_plural(count: int, read: str):
    assert plural(count, "step") == read


@pytest.mark.parametrize(
    ("numbers", "spec"),
    [([15.3, 16.0], ".1f"), ([0.96, 1.0], ".2f"), ([2.0, 2.001], ".3g"), ([7.0], ".1f")],
)
def test_numbers_are_told_apart_in_the_first_format_that_can(numbers: list[float], spec: str):
    assert told_apart(numbers, (".1f", ".2f", ".3g")) == spec
