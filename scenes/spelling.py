"""Spelling in sentences: lists, counts, distinguishable numbers, and translated words.

All of it in the current language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clockhead.scenes.facts import Fact, fill, format_fact
from clockhead.scenes.language import language, translated_word

_COUNTS = "no one two three four five six seven eight nine ten eleven"


def said(text: str, **facts: Fact) -> str:
    """A translated text of a stage that is not a beat's sentence, such as a label, with its facts.

    Never use it for what the user has given: tokens are not translated.
    """
    found = translated_word(text)
    return fill(found, facts) if facts else found


def quoted(word: str) -> str:
    """A token in quotation marks."""
    return language().quoted(word)


def listed(names: Iterable[str], last: str = "and") -> str:
    """A list for a sentence: “a”, “b” and “c”."""
    *rest, final = names
    return f"{', '.join(rest)} {said(last)} {final}" if rest else final


def counted(count: int) -> str:
    """A count for a sentence: in words up to eleven."""
    words = _COUNTS.split()
    return said(words[count]) if count < len(words) else str(count)


def told_apart(numbers: Sequence[float], formats: Sequence[str]) -> str:
    """The first format in which all these numbers read differently, or the last one.

    The numbers must not be shares.
    """
    for spec in formats:
        if len({format_fact(number, spec, None) for number in numbers}) == len(numbers):
            return spec
    return formats[-1]


def plural(count: int, noun: str) -> str:
    """A count in digits with its noun: 1 step, 2 steps."""
    return f"{count} {said(noun if count == 1 else f'{noun}s')}"
