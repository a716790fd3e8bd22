"""Texts of a few short words, and how fast clock hands turn."""

from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from clockhead.scenes.hands import HandsInputs
from clockhead.scenes.stage import StageInputs, Words
from clockhead.scenes.texts import few_words


class Few(StageInputs):
    text: Annotated[Words, few_words(2, 3, 4)] = Field("a b", description="a text")


def test_a_few_short_words_are_taken():
    assert Few(text="abcd b c").text == "abcd b c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "1 word; a text has 2 to 3"),
        ("a b c d", "4 words; a text has 2 to 3"),
        ("a abcde", "“abcde” is as wide as 5 average letters; at most 4 are legible"),
        ("a {b}", "pattern"),
        ("a  b", "pattern"),
    ],
)
def test_others_are_refused(text: str, message: str):
    with pytest.raises(ValidationError, match=message):
        Few(text=text)


def test_hands_turn_slower_and_slower():
    assert HandsInputs(d_head=4, base=100.0).frequencies == pytest.approx((1, 0.1))
