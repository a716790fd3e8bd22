"""A storyboard's bytes, read with care: it may come from a stranger, or be no storyboard at all."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path

from clockhead.pipeline.storyboard.problems import Place, Problem, StoryboardError
from clockhead.pipeline.storyboard.scalars import Value, plain_value
from clockhead.pipeline.storyboard.tree import Tree
from clockhead.pipeline.storyboard.yaml_reader import hidden_character, parse

MAX_BYTES = 128 * 1024


def read_source(file: Path) -> Tree:
    """Read a YAML file.

    Raises:
        StoryboardError: when it cannot be read, is no text, or is not YAML.
    """
    return read_bytes(_bytes(file), file)


def read_bytes(data: bytes, file: Path) -> Tree:
    """Read what a YAML file holds, or is yet to hold.

    Raises:
        StoryboardError: when it is too much, is no text, or is not YAML.
    """
    if len(data) > MAX_BYTES:
        raise _too_many(file, len(data))
    return parse(_text(data, str(file)), str(file))


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


def _bytes(file: Path) -> bytes:
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


def _text(data: bytes, file: str) -> str:
    """UTF-8 without control characters.

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
    for index, character in enumerate(text):
        if character not in "\t\n\r" and unicodedata.category(character) in ("Cc", "Cn"):
            message = f"the control character U+{ord(character):04X}: this is not a text file"
            raise StoryboardError([Problem.at(_end(text[:index], file), message)])
    return text


def _end(text: str, file: str) -> Place:
    """Where the text after `text` starts."""
    lines = text.split("\n")
    return Place(file, len(lines), len(lines[-1]) + 1)


def _too_many(file: Path, size: int) -> StoryboardError:
    return _refusal(file, f"{size:,} bytes are too many; a storyboard has at most {MAX_BYTES:,}")


def _refusal(file: Path | str, message: str) -> StoryboardError:
    return StoryboardError([Problem.at(Place(str(file)), message)])
