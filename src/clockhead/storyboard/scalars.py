"""Single values in YAML: what a plain word stands for, and how a value is written."""

from __future__ import annotations

import re
import shlex
import unicodedata
from typing import Any

import yaml

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})")
_FLOAT = re.compile(r"[-+]?((0|[1-9][0-9]{0,99})(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,9})?")
_DECIMAL_COMMA = re.compile(r"[-+]?(0,\d+|\d+,(\d{1,2}|\d{4,}))")
_SPECIAL = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_FOR_THE_SHELL = re.compile(r'["$`\\!]')
"""What means something to a shell even in double quotes."""
_IN_A_LIST = re.compile(r"[,\[\]{}#]")
"""What means something within brackets, or ends a text."""


def plain_value(word: str) -> Value:
    """What an unquoted word stands for: nothing, a truth value, a number, or itself."""
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
    """The number that is meant by a word with a decimal comma; None for any other word.

    Commas between thousands are none: `1,500` and `10,000` are as English writes them.
    """
    if not _DECIMAL_COMMA.fullmatch(word.strip()):
        return None
    number = plain_value(word.strip().replace(",", "."))
    return number if isinstance(number, int | float) else None


def normalize_text(value: Any) -> Any:
    """A value with all texts in it in Unicode's form NFC: a letter is one sign with its accent.

    Two spellings of a word are one word then. Names of files are left as they are written.
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
    """A text in double quotes; in single ones where it holds what double quotes change."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def yaml_text(value: Any) -> str:
    """A value as a storyboard may hold it, on one line; a text in quotes where it needs them."""
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
    """A text between the quote marks that `style` is, if it is any."""
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
    plain = not _FOR_THE_SHELL.search(argument)
    return f'--set "{argument}"' if plain else f"--set {shlex.quote(argument)}"


def _may_be_plain(text: str) -> bool:
    """Whether a text means itself without quotes, in a list and in a map too."""
    if (
        not text[:1].isalnum()
        or text != text.strip()
        or _IN_A_LIST.search(text)
        or plain_value(text) != text
    ):
        return False
    try:
        return bool(yaml.load(f"{{a: {text}}}", yaml.BaseLoader) == {"a": text})
    except yaml.YAMLError:
        return False
