"""Texts and the patterns that they must fit: what does not belong, and the nearest that does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_CLASS = re.compile(r"\[([^\]]+)\]")
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_SYNTAX = re.compile(r"\{[\d,]*\}|[\^$()*+?|]")


def strangers(text: str, pattern: str) -> list[str]:
    """The characters of a text that its pattern has in no place, each once."""
    classes = "".join(f"[{inside}]|" for inside in _CLASS.findall(pattern))
    literal = _SYNTAX.sub("", _CLASS.sub("", pattern))
    allowed = re.compile(classes + (f"[{re.escape(literal)}]" if literal else "(?!)"))
    return list(dict.fromkeys(one for one in text if not allowed.fullmatch(one)))


def fitting(text: str, pattern: str) -> Iterator[str]:
    """A text as its pattern wants it: as it is but for some signs, or else in plain letters."""
    small = unicodedata.normalize("NFKD", text).casefold()
    small = "".join(one for one in small if not unicodedata.combining(one))
    for kept in (text, small, small.lstrip("!")):
        marks = strangers(kept, pattern)
        if kept is text and any(mark.isalpha() for mark in marks):
            continue  # a letter is written otherwise, not left out
        spaced = "".join(
            one if one not in marks else "" if one in _APOSTROPHES else " " for one in kept
        )
        one = " ".join(spaced.split())
        if one and one != text and re.fullmatch(pattern, one):
            yield one
            return
