"""How things are written in sentences: lists, counts, numbers that are nearly 0."""

from __future__ import annotations

from collections.abc import Iterable

_COUNTS = "no one two three four five six seven eight nine ten eleven"


def listed(names: Iterable[str], last: str = "and") -> str:
    """Several names in a sentence: “a”, “b” and “c”."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


def counted(count: int) -> str:
    """A count in a sentence: in words up to eleven."""
    words = _COUNTS.split()
    return words[count] if count < len(words) else str(count)


def power_of_ten(value: float) -> str:
    """A number to one digit, as mathematics: 8.3e-17 is 8 times a power of ten; 0 is 0.

    The product is words, so that no line ends within it.
    """
    if value == 0:
        return "$0$"
    digit, exponent = f"{value:.0e}".split("e")
    return f'$"{digit} × 10"^({int(exponent)})$'
