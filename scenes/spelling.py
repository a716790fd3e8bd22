"""How things are written in sentences: lists, counts, numbers that read alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenes.facts import format_fact

_COUNTS = "no one two three four five six seven eight nine ten eleven"


def listed(names: Iterable[str], last: str = "and") -> str:
    """Several names in a sentence: “a”, “b” and “c”."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


def counted(count: int) -> str:
    """A count in a sentence: in words up to eleven."""
    words = _COUNTS.split()
    return words[count] if count < len(words) else str(count)


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
    return f"{count} {noun}{'' if count == 1 else 's'}"
