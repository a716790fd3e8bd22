"""How values, kinds and names are written in messages.

A value from a stranger's file is quoted, cut short and stripped of control characters, so that no
message can fill the terminal or command it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rapidfuzz import fuzz, process

_LONGEST = 40
_BEGINNING = 3
"""Characters from which on a word may stand for a name that begins with it."""
LONGEST_REASON = 2000
"""Characters that are shown of what went wrong with a shot."""
_FEW = 24
"""As many names are listed; beyond that, only the nearest is."""


def harmless(text: str, longest: int) -> str:
    """Text in one line that a terminal takes for nothing but text; cut where it is too long."""
    line = "".join(map(_harmless, text[: longest + 1]))
    return short(line, longest)


def short(text: str, longest: int = _LONGEST) -> str:
    """Text, cut where it is longer than so many characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def key_name(key: str, *, dots: bool = False) -> str:
    """A key as it is written, if it is a plain word, or one with dots in it; others in quotes."""
    plain = re.fullmatch(r"[\w.-]{1,80}" if dots else r"[\w-]{1,40}", key)
    return key if plain else show(key)


def show(value: object) -> str:
    """A value as its author would write it, on one line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return _between_marks(short(value))
        case list() | tuple():
            return f"a list of {count(len(value), 'thing')}"
        case dict():
            return "a map of keys"
        case _:
            return short(repr(value))


def kind(value: object) -> str:
    """A value together with what it is: `the text '32'`, `the number 31`, `true`."""
    match value:
        case bool() | None | list() | tuple() | dict():
            return show(value)
        case str():
            return f"the text {show(value)}" if value else "an empty text"
        case _:
            return f"the number {show(value)}"


def count(number: int, noun: str) -> str:
    """`1 shot`, `2 shots`, `1,000 shots`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """`a, b, c`, or `none`."""
    return ", ".join(names) or "none"


def unknown(noun: str, name: str, allowed: Collection[str]) -> str:
    """Say that there is no such name, with the nearest one, and the list when it is short."""
    near = nearest(name, allowed)
    hint = f"; did you mean {near}?" if near else ""
    few = f" ({noun}s: {listed(allowed)})" if len(allowed) <= _FEW else ""
    return f"there is no {noun} {show(name)}{hint}{few}"


def nearest(name: str, allowed: Collection[str]) -> str | None:
    """The allowed name that `name` was probably meant to be: begins with it, or is most alike."""
    wanted = name.lower()
    begun = [one for one in allowed if one.startswith(wanted)] if len(wanted) >= _BEGINNING else []
    if begun:
        return min(begun, key=len)
    match = process.extractOne(wanted, list(allowed), scorer=fuzz.ratio, score_cutoff=60)
    return None if match is None else str(match[0])


def described(name: str, facts: Mapping[str, Any]) -> str:
    """What is known of a fact, to stand behind its value: its unit, and what it is."""
    about = getattr(facts, "about", {}).get(name)
    if about is None:
        return ""
    return "".join([f" {about.unit}" if about.unit else "", f"   {about.description}"])


def _between_marks(text: str) -> str:
    """As Python writes a text, but for the backslashes, which stay as single as they are."""
    if not text.isprintable() or ("'" in text and '"' in text):
        return repr(text)
    mark = '"' if "'" in text else "'"
    return f"{mark}{text}{mark}"


def _harmless(character: str) -> str:
    """A blank for the end of a line or a tab, and escapes for what cannot be seen."""
    if character in "\t\n\r\u2028\u2029":
        return " "
    hidden = unicodedata.category(character).startswith("C")
    return character.encode("unicode_escape").decode() if hidden else character
