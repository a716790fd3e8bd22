"""Characters that cannot be seen, and names of tokens. This needs no NumPy: it starts quickly."""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200c\u200d"
_VIRAMA = 9
"""The combining class of signs that join two consonants of India's scripts."""


def hidden_character(text: str) -> str | None:
    """The first character of `text` that cannot be seen; line breaks and tabs are none.

    Joiners can be seen by what they do to their neighbours in the scripts of Arabic and India.
    """
    for at, character in enumerate(text):
        kind = unicodedata.category(character)
        hidden = character not in "\t\n\r" and (kind[0] == "C" or kind in ("Zl", "Zp"))
        if hidden and not (character in _JOINERS and _matters(text[:at], text[at + 1 :])):
            return character
    return None


def _matters(before: str, after: str) -> bool:
    """Whether a joiner between these says how letters are joined."""
    signs = (before[-1:], after[:1])
    if any(sign and unicodedata.combining(sign) == _VIRAMA for sign in signs):
        return True
    letters = before.rstrip("".join(filter(unicodedata.combining, before)))
    return bool(letters) and unicodedata.bidirectional(letters[-1]) == "AL"


class TokenName(str):
    """A token as a sentence names it: in quotes, and with its position if it needs one.

    The text is the English name; other languages build theirs from its parts.
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
