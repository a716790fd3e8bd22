"""What the handout says itself, in the languages it knows. Films in others get it in English."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = {
    "numbers": "Numbers",
    "inputs": "What went in",
    "part": "part",
    "parts": "parts",
    "all": "all parts",
}
_GERMAN = {
    "numbers": "Zahlen",
    "inputs": "Was hineinging",
    "part": "Teil",
    "parts": "Teile",
    "all": "alle Teile",
}
_WORDS = {"en": _ENGLISH, "de": _GERMAN}


def words_in(language: str) -> Mapping[str, str]:
    """The words."""
    return _WORDS.get(language, _ENGLISH)
