"""How things are written in sentences: lists, counts, numbers that read alike; and words.

All of it is in the language that is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clockhead.scenes.facts import Fact, fill, format_fact
from clockhead.scenes.language import language, translated_word

_COUNTS = "no one two three four five six seven eight nine ten eleven"


def said(text: str, **facts: Fact) -> str:
    """Words of a stage that are no sentence of a beat, such as a label, with facts filled in.

    Never for what the viewer has given: a token is not translated.
    """
    found = translated_word(text)
    return fill(found, facts) if facts else found


def quoted(word: str) -> str:
    """A token in quotation marks."""
    return language().quoted(word)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Several names in a sentence: “a”, “b” and “c”."""
    *rest, final = names
    return f"{', '.join(rest)} {said(last)} {final}" if rest else final


def counted(count: int) -> str:
    """A count in a sentence: in words up to eleven."""
    words = _COUNTS.split()
    return said(words[count]) if count < len(words) else str(count)


def told_apart(numbers: Sequence[float], formats: Sequence[str]) -> str:
    """The first of the formats in which all numbers read differently, or the last of them.

    The numbers are no shares.
    """
    for spec in formats:
        if len({format_fact(number, spec, None) for number in numbers}) == len(numbers):
            return spec
    return formats[-1]


def plural(count: int, noun: str) -> str:
    """A count in digits, and what is counted: 1 step, 2 steps."""
    return f"{count} {said(noun if count == 1 else f'{noun}s')}"
