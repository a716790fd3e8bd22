"""Inputs that stages of several films share: a text of a few short words."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pydantic import AfterValidator

from clockhead.model.tokens import words
from clockhead.scenes.spelling import plural
from clockhead.scenes.style.type import advance

_LETTER = advance("d")
"""Width of an average letter, in ems; only m and w are wider."""


def few_words(fewest: int, most: int, n_letters: int) -> AfterValidator:
    """A validator for the number of words, and their width in average letters."""

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
        raise ValueError(f"“{twice}” appears twice; all must be different")
    return text


ALL_DIFFERENT = AfterValidator(_all_different)
"""A validator that rejects repeated words."""


def too_wide(tokens: Iterable[str], n_letters: int) -> None:
    """Raise ValueError if the widest word is wider than this number of average letters.

    Legibility depends on the width: “illiteracy” is narrower than “WWWWWW”.
    """
    widest = max(tokens, key=advance)
    width = math.ceil(advance(widest) / _LETTER - 1e-9)
    if width > n_letters:
        raise ValueError(
            f"“{widest}” is as wide as {width} average letters; at most {n_letters} are legible"
        )


def words_said(fewest: int, most: int, n_letters: int) -> str:
    """The part of an input's description that says which texts `few_words` allows."""
    width = f"at most {n_letters} average letters wide and without $ # {{ }} and \\"
    if most == 1:
        return f"one word, {width}"
    many = f"{most}" if fewest == most else f"{fewest} to {most}"
    return f"{many} words, one token each, separated by single spaces, each {width}"
