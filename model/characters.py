"""Invisible characters, and names of tokens. Imports no NumPy, so that commands start quickly."""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200c\u200d"
_VIRAMA = 9
"""Unicode's combining class of signs that join two consonants in scripts of India."""


def hidden_character(text: str) -> str | None:
    """The first invisible character of `text`, or None; line breaks and tabs are allowed.

    Joiners are allowed where they change the letters beside them: in Arabic and scripts of India.
    """
    for at, character in enumerate(text):
        kind = unicodedata.category(character)
        hidden = character not in "\t\n\r" and (kind[0] == "C" or kind in ("Zl", "Zp"))
        if hidden and not (character in _JOINERS and _changes_letters(text[:at], text[at + 1 :])):
            return character
    return None


def _changes_letters(before: str, after: str) -> bool:
    """Whether a joiner between the two texts changes how their letters are drawn."""
    signs = (before[-1:], after[:1])
    if any(sign and unicodedata.combining(sign) == _VIRAMA for sign in signs):
        return True
    letters = before.rstrip("".join(filter(unicodedata.combining, before)))
    return bool(letters) and unicodedata.bidirectional(letters[-1]) == "AL"


class TokenName(str):
    """The name of a token in a sentence: in quotes, and with its position if that is given.

    The string is the English name; other languages build theirs from `token` and `position`.
    """

    __slots__ = ("position", "token")
    token: str
    position: int | None

    def __new__(cls, token: str, position: int | None = None) -> TokenName:
        name = super().__new__(cls, f"“{token}”" + ("" if position is None else f" at {position}"))
        name.token, name.position = token, position
        return name

    def __reduce__(self) -> tuple[type[TokenName], tuple[str, int | None]]:
        return TokenName, (self.token, self.position)
