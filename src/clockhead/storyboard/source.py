"""A storyboard's bytes, read with care: it may come from a stranger, or be no storyboard at all."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path

from clockhead.storyboard.problems import Place, Problem, StoryboardError
from clockhead.storyboard.scalars import Value, plain_value
from clockhead.storyboard.tree import Tree
from clockhead.storyboard.yaml_reader import hidden_character, parse

MAX_BYTES = 128 * 1024
_DOUBTFUL = re.compile(r"\r(?!\n)|[^\t\n\r -~]")
_NO_TEXT = ("Cc", "Cn")
_OTHERWISE = "with which an editor can show other lines than are read"
_LINE_ENDS = {
    "\r": "the lone carriage return",
    "\x85": "the line end",
    "\u2028": "the line separator",
    "\u2029": "the paragraph separator",
    **dict.fromkeys("\u202a\u202b\u202c\u202d\u202e", "the change of direction"),
    **dict.fromkeys("\u2066\u2067\u2068\u2069", "the change of direction"),
}
"""By these, also in comments, a file can look unlike what it says."""


def read_source(file: Path) -> Tree:
    """Read a YAML file.

    Raises:
        StoryboardError: when it cannot be read, is no text, or is not YAML.
    """
    return read_bytes(bytes_of(file), file)


def read_bytes(data: bytes, file: Path) -> Tree:
    """Read what a YAML file holds, or is yet to hold.

    Raises:
        StoryboardError: when it is too much, is no text, or is not YAML.
    """
    if len(data) > MAX_BYTES:
        raise _too_many(file, len(data))
    return parse(text_of(data, str(file)), str(file))


def value_of(text: str, place: str) -> Value:
    """The value written on a command line: plain words, or YAML in quotes or brackets.

    Raises:
        StoryboardError: when the quotes or brackets do not hold YAML.
    """
    text = text.strip()
    if hidden := hidden_character(text):
        raise _refusal(place, f"the value holds the hidden character {hidden}")
    if not text.startswith(("[", "{", '"', "'")):
        return plain_value(text) if text else ""
    try:
        tree = parse(text, place)
        problems = tree.problems
    except StoryboardError as error:
        problems = error.problems
    if problems:
        raise StoryboardError(Problem.at(Place(place), problem.message) for problem in problems)
    return tree.value


def bytes_of(file: Path) -> bytes:
    """A regular file's content.

    Raises:
        StoryboardError: when there is none, or too much, or no permission to read it.
    """
    try:
        found = file.stat()
        if stat.S_ISDIR(found.st_mode):
            raise _refusal(file, "this is a folder; a storyboard is a file")
        if not stat.S_ISREG(found.st_mode):
            raise _refusal(file, "this is not an ordinary file")
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _refusal(file, "there is no such file") from None
    except PermissionError:
        raise _refusal(file, "there is no permission to read this file") from None
    except OSError as error:
        raise _refusal(file, f"cannot be read: {os.strerror(error.errno or 0)}") from None
    if len(data) > MAX_BYTES:
        raise _too_many(file, max(found.st_size, len(data)))
    return data


def text_of(data: bytes, file: str) -> str:
    """UTF-8 without control characters, and with line ends that all programs take for such.

    Raises:
        StoryboardError: where the first byte or character stands that is no text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refusal(file, "this file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        byte = f"byte 0x{data[error.start]:02X} is not UTF-8 text"
        raise StoryboardError([Problem.at(_end(before, file), byte)]) from None
    for match in _DOUBTFUL.finditer(text):
        if (found := match[0]) not in _LINE_ENDS and unicodedata.category(found) not in _NO_TEXT:
            continue
        name = f"U+{ord(found):04X}"
        message = f"the control character {name}: this is not a text file"
        if found in _LINE_ENDS:
            message = (
                f"{_LINE_ENDS[found]} {name}, {_OTHERWISE}: leave it out, or end the line here"
            )
        raise StoryboardError([Problem.at(_end(text[: match.start()], file), message)])
    return text


def _end(text: str, file: str) -> Place:
    """Where the text after `text` starts."""
    lines = text.split("\n")
    return Place(file, len(lines), len(lines[-1]) + 1)


def _too_many(file: Path, size: int) -> StoryboardError:
    return _refusal(file, f"{size:,} bytes are too many; a storyboard has at most {MAX_BYTES:,}")


def _refusal(file: Path | str, message: str) -> StoryboardError:
    return StoryboardError([Problem.at(Place(str(file)), message)])
