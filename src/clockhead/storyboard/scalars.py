"""Single values in YAML: parsing plain words, and writing values."""

from __future__ import annotations

import re
import shlex
import unicodedata
from typing import Any, TypeGuard

import yaml

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})")
_FLOAT = re.compile(r"[-+]?((0|[1-9][0-9]{0,99})(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,9})?")
_DECIMAL_COMMA = re.compile(r"[-+]?(0,\d+|\d+,(\d{1,2}|\d{4,}))")
_SPECIAL = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_BASE_60 = re.compile(r"[-+]?[0-9]+(:[0-9.]+)+")
"""A range such as 1:20, which many readers of YAML take for a number in base 60."""
_SHELL_SIGNS = re.compile(r'["$`\\!]')
"""Signs with a meaning for a shell even in double quotes."""
_YAML_SIGNS = re.compile(r"[,\[\]{}#]")
"""Signs that end a plain text, at least within brackets."""


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number; truth values, which are numbers in Python, are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain_value(word: str) -> Value:
    """The value of an unquoted word: nothing, a truth value, a number, or the word itself."""
    if word in ("", "~", "null", "Null", "NULL"):
        return None
    if _BOOL.fullmatch(word):
        return word.lower() == "true"
    if _INT.fullmatch(word):
        return int(word)
    if word.lower() in _SPECIAL:
        return float(_SPECIAL[word.lower()])
    return float(word) if _FLOAT.fullmatch(word) else word


def parse_decimal_comma(word: str) -> int | float | None:
    """The number that a word with a decimal comma stands for; None for any other word.

    Commas between thousands, as in `1,500` and `10,000`, do not count.
    """
    if not _DECIMAL_COMMA.fullmatch(word.strip()):
        return None
    number = plain_value(word.strip().replace(",", "."))
    return number if isinstance(number, int | float) else None


def normalize_text(value: Any) -> Any:
    """A value with all its texts in Unicode's form NFC, in which two spellings of a word are equal.

    A letter and its accent are one character in it.
    """
    match value:
        case str():
            return unicodedata.normalize("NFC", value)
        case list():
            return [normalize_text(item) for item in value]
        case dict():
            return {key: normalize_text(item) for key, item in value.items()}
    return value


def quote_text(text: str) -> str:
    """A text in double quotes, or in single ones if double quotes would change it."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def yaml_text(value: Any) -> str:
    """A value in YAML, on one line; a text has quotes if it needs them."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case str():
            return value if _may_be_plain(value) else quote_text(value)
        case list() | tuple():
            return f"[{', '.join(map(yaml_text, value))}]"
        case dict():
            return f"{{{', '.join(f'{key}: {yaml_text(item)}' for key, item in value.items())}}}"
    return str(value)


def quote_like(style: str | None, text: str) -> str:
    """A text in quote marks of this style; without a style, in quotes if it needs them."""
    if style == '"':
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if style == "'":
        return "'" + text.replace("'", "''") + "'"
    return text if style or _may_be_plain(text) else quote_text(text)


def set_option(option: str, value: Any) -> str:
    """`--set option=value`, quoted for a shell."""
    text = value if isinstance(value, str) and plain_value(value) == value else yaml_text(value)
    argument = f"{option}={text}"
    if shlex.quote(argument) == argument:
        return f"--set {argument}"
    plain = not _SHELL_SIGNS.search(argument)
    return f'--set "{argument}"' if plain else f"--set {shlex.quote(argument)}"


def _may_be_plain(text: str) -> bool:
    """Whether a text needs no quotes, in a list or a map either."""
    if (
        not text[:1].isalnum()
        or text != text.strip()
        or _YAML_SIGNS.search(text)
        or _BASE_60.fullmatch(text)
        or plain_value(text) != text
    ):
        return False
    try:
        return bool(yaml.load(f"{{a: {text}}}", yaml.BaseLoader) == {"a": text})
    except yaml.YAMLError:
        return False
