"""How things are written in sentences. BOS and the space have no letter of their own.

A token in a box is written with `spelled`, one in a sentence with `named`; a number that is nearly
0 with `power_of_ten`.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.prompts import BOS

_COUNTS = "no one two three four five six seven eight nine ten eleven"
_SPELLED = {BOS: "BOS", " ": "␣"}
_NAMED = {BOS: "BOS", " ": "the space"}
_KINDS = {BOS: "BOS", " ": "space"}


def spelled(token: str) -> str:
    """The token as it stands in a box: `a`, `␣` or `BOS`."""
    return _SPELLED.get(token, token)


def named(token: str) -> str:
    """The token as a sentence speaks of it: “a”, the space or BOS."""
    return _NAMED.get(token, f"“{token}”")


def kind(token: str) -> str:
    """The token after the, each or every: every “a”, every space."""
    return _KINDS.get(token, f"“{token}”")


def opening(words: str) -> str:
    """Words as a sentence begins with them."""
    return words[:1].upper() + words[1:]


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
