"""Tokens can be seen, and what sentences list or count can be said."""

import pytest

from model.prompts import LETTER_TOKENS
from scenes.spelling import counted, listed, power_of_ten
from scenes.style.text import Label, Paragraph


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


@pytest.mark.parametrize(
    ("value", "read"),
    [(8.3e-17, '$"8 × 10"^(-17)$'), (9.6e-16, '$"1 × 10"^(-15)$'), (2e3, '$"2 × 10"^(3)$')],
)
def test_a_power_of_ten_is_mathematics(value: float, read: str):
    assert power_of_ten(value) == read
    assert Paragraph(f"about {read}", width=4).width > 0


def test_nothing_has_no_power():
    assert power_of_ten(0.0) == "$0$"
