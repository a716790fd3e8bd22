"""What stages of several films take: a text of a few short words."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pydantic import AfterValidator

from clockhead.model.tokens import words
from clockhead.scenes.spelling import plural
from clockhead.scenes.style.type import advance

_LETTER = advance("d")
"""The width of a usual letter, in ems: m and w alone are wider."""


def few_words(fewest: int, most: int, n_letters: int) -> AfterValidator:
    """A text is taken if it has so many words, and none wider than so many usual letters."""

    def check(text: str) -> str:
        tokens = words(text)
        if not fewest <= len(tokens) <= most:
            many = f"{most}" if fewest == most else f"{fewest} to {most}"
            raise ValueError(f"{plural(len(tokens), 'word')}; a text has {many}")
        too_wide(tokens, n_letters)
        return text

    return AfterValidator(check)


def _all_different(text: str) -> str:
    tokens = words(text)
    if twice := next((token for token in tokens if tokens.count(token) > 1), ""):
        raise ValueError(f"“{twice}” stands there twice; all are different")
    return text


ALL_DIFFERENT = AfterValidator(_all_different)
"""A text is taken if no word stands there twice."""


def too_wide(tokens: Iterable[str], n_letters: int) -> None:
    """Raises ValueError if the widest word is wider than so many usual letters.

    What is legible is a matter of width: “illiteracy” is narrower than “WWWWWW”.
    """
    widest = max(tokens, key=advance)
    width = math.ceil(advance(widest) / _LETTER - 1e-9)
    if width > n_letters:
        raise ValueError(
            f"“{widest}” is as wide as {width} usual letters; at most {n_letters} are legible"
        )


def words_said(fewest: int, most: int, n_letters: int) -> str:
    """What such a text is, in the description of an input."""
    letters = f"{n_letters} usual letters, of any letters, digits and signs but $ # {{ }} and \\"
    if most == 1:
        return f"one word, not wider than {letters}"
    many = f"{most}" if fewest == most else f"{fewest} to {most}"
    return f"{many} words, none wider than {letters}, one space between them; one word is one token"
