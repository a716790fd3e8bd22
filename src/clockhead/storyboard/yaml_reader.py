"""A small, literal YAML: texts, numbers, truth values, lists and maps, with their positions.

A storyboard may come from a stranger, or be no storyboard at all. What lets a file grow without
bound or mean something other than it says is refused (aliases, anchors, tags, merge keys, duplicate
keys, a second document) or stays text (`no`, `on`, `012`, `1:30`). The file is read event by event,
so a bomb is refused before it is built.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import yaml

from clockhead.model import characters
from clockhead.storyboard.problems import Place, Problem, StoryboardError, key_name, shorten, show
from clockhead.storyboard.scalars import Value, plain_value, quote_like
from clockhead.storyboard.yaml_advice import (
    YamlMark,
    comment_advice,
    latex_in_double_quotes,
    syntax_advice,
)

MAX_BYTES = 128 * 1024
MAX_DEPTH = 16
MAX_NODES = 10_000
KeyPath = tuple[str | int, ...]
"""Keys and indices from the root of a file to a value."""
LineColumn = tuple[int, int]

_ISOLATED = re.compile("\u2068([^\u2066-\u2069]*)\u2069")
_SUSPECT = re.compile(r"\r(?!\n)|[^\t\n\r -~]")
_LINE_ENDS = {
    "\r": "the lone carriage return",
    "\x85": "the line end",
    "\u2028": "the line separator",
    "\u2029": "the paragraph separator",
    **dict.fromkeys("\u202a\u202b\u202c\u202d\u202e", "the change of direction"),
    **dict.fromkeys("\u2066\u2067\u2068\u2069", "the change of direction"),
}
"""Characters by which an editor may show other lines than are read, even in comments."""


@dataclass(slots=True)
class Tree:
    """The values of a file, their positions, and the problems with them."""

    file: str
    value: Value = None
    values_at: dict[KeyPath, LineColumn] = field(default_factory=dict)
    keys_at: dict[KeyPath, LineColumn] = field(default_factory=dict)
    styles_at: dict[KeyPath, str] = field(default_factory=dict)
    """The quote mark around a text, or the sign of a block; not of plain texts."""
    problems: list[Problem] = field(default_factory=list)
    broken: set[KeyPath] = field(default_factory=set)
    """Paths whose value was refused, so that no other message is needed."""

    def place(self, at: KeyPath) -> Place:
        """The position of the value at a path, or of the nearest value around it."""
        around = at
        while around and around not in self.values_at:
            around = around[:-1]
        return Place(self.file, *self.values_at.get(around, (0, 0)), dotted_path(at))

    def key_place(self, at: KeyPath) -> Place:
        """The position of the key at a path, or else of its value."""
        if at in self.keys_at:
            return Place(self.file, *self.keys_at[at], dotted_path(at))
        return self.place(at)

    def line(self, at: KeyPath, text: str) -> str:
        """The line with another text at a path, in the same quotes."""
        style = self.styles_at.get(at)
        key = f"{at[-1]}: " if style not in ("|", ">") and isinstance(at[-1], str) else ""
        return key + quote_like(style, text)

    def is_broken(self, at: KeyPath) -> bool:
        """Whether the value at a path, or one around it, was refused already."""
        return any(at[:length] in self.broken for length in range(len(at) + 1))


def dotted_path(at: KeyPath) -> str:
    """`shots[2].inputs.d_head`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{key_name(step)}" for step in at)
    return "".join(steps).removeprefix(".")


def parse_file(file: Path) -> Tree:
    """Parse a YAML file.

    Raises:
        StoryboardError: if it cannot be read, is not text, or is not YAML.
    """
    return parse_bytes(read_file(file), file)


def parse_bytes(data: bytes, file: Path) -> Tree:
    """Parse the content of a YAML file, saved or not.

    Raises:
        StoryboardError: if it is too large, is not text, or is not YAML.
    """
    if len(data) > MAX_BYTES:
        raise _too_large(file, len(data))
    return parse_yaml(decode_text(data, str(file)), str(file))


def parse_yaml(text: str, file: str) -> Tree:
    """Parse YAML.

    Raises:
        StoryboardError: if it is not YAML, or is too deep or too large.
    """
    return _TreeBuilder(text, file).build()


def parse_value(text: str, place: str) -> Value:
    """The value of a command-line option: plain words, or YAML in quotes or brackets.

    Raises:
        StoryboardError: if the quotes or brackets do not hold YAML.
    """
    text = text.strip()
    if hidden := hidden_character(text):
        raise StoryboardError.at(place, f"the value holds the hidden character {hidden}")
    if not text.startswith(("[", "{", '"', "'")):
        return plain_value(text) if text else ""
    try:
        tree = parse_yaml(text, place)
        problems = tree.problems
    except StoryboardError as error:
        problems = list(error.problems)
    if problems:
        raise StoryboardError(Problem.at(Place(place), problem.message) for problem in problems)
    return tree.value


def hidden_character(text: str) -> str | None:
    """The first invisible character, as `U+0007`; line ends and tabs do not count.

    Nor do joiners where they matter, and pairs of marks that isolate text of the other direction.
    """
    hidden = characters.hidden_character(_ISOLATED.sub(r"\1", text))
    return None if hidden is None else f"U+{ord(hidden):04X}"


def read_file(file: Path) -> bytes:
    """The content of a regular file.

    Raises:
        StoryboardError: if there is none, it is too large, or it may not be read.
    """
    try:
        found = file.stat()
        if stat.S_ISDIR(found.st_mode):
            raise StoryboardError.at(file, "this is a folder; a storyboard is a file")
        if not stat.S_ISREG(found.st_mode):
            raise StoryboardError.at(file, "this is not an ordinary file")
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise StoryboardError.at(file, "there is no such file") from None
    except PermissionError:
        raise StoryboardError.at(file, "there is no permission to read this file") from None
    except OSError as error:
        raise StoryboardError.at(file, f"cannot be read: {os.strerror(error.errno or 0)}") from None
    if len(data) > MAX_BYTES:
        raise _too_large(file, max(found.st_size, len(data)))
    return data


def decode_text(data: bytes, file: str) -> str:
    """Decode UTF-8 without control characters and unusual line ends.

    Raises:
        StoryboardError: with the position of the first byte or character that is not text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise StoryboardError.at(file, "this file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        byte = f"byte 0x{data[error.start]:02X} is not UTF-8 text"
        raise StoryboardError.at(_end(before, file), byte) from None
    for match in _SUSPECT.finditer(text):
        name = f"U+{ord(match[0]):04X}"
        if line_end := _LINE_ENDS.get(match[0]):
            message = (
                f"{line_end} {name}, with which an editor can show other lines than are read: "
                "leave it out, or end the line here"
            )
        elif unicodedata.category(match[0]) in ("Cc", "Cn"):
            message = f"the control character {name}: this is not a text file"
        else:
            continue
        raise StoryboardError.at(_end(text[: match.start()], file), message)
    return text


def _end(text: str, file: str) -> Place:
    """The position after `text`."""
    lines = text.split("\n")
    return Place(file, len(lines), len(lines[-1]) + 1)


def _too_large(file: Path, size: int) -> StoryboardError:
    return StoryboardError.at(
        file, f"{size:,} bytes are too many; a storyboard has at most {MAX_BYTES:,}"
    )


class _StopReading(Exception):
    """The rest of the file cannot be understood, or exceeds a bound."""


class _TreeBuilder:
    """Builds a tree from PyYAML's events and collects problems with their positions."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._tree = Tree(file)
        self._n_nodes = 0
        self._events = self._read_events()

    def build(self) -> Tree:
        """The tree of the whole text."""
        n_documents = 0
        try:
            for event in self._events:
                if isinstance(event, yaml.DocumentStartEvent):
                    n_documents += 1
                    if n_documents > 1:
                        self._stop(event.start_mark, "a second document: a file is one storyboard")
                elif isinstance(event, yaml.NodeEvent):
                    self._tree.value = self._node(event, ())
        except _StopReading:
            raise StoryboardError(self._tree.problems) from None
        return self._tree

    def _read_events(self) -> Iterator[yaml.Event]:
        """PyYAML's events, from its Python parser: the C parser crashes on deep nesting."""
        loader = yaml.SafeLoader(self._text)
        try:
            while loader.check_event():
                yield loader.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as error:
            self._stop(*syntax_advice(error, self._text))
        except (ValueError, OverflowError):
            self._stop(loader.get_mark(), "an escape that stands for no character")

    def _node(self, event: yaml.Event, at: KeyPath) -> Value:
        self._tree.values_at.setdefault(at, _position(event.start_mark))
        self._n_nodes += 1
        if self._n_nodes > MAX_NODES:
            self._stop(event.start_mark, f"more than {MAX_NODES:,} values")
        if len(at) > MAX_DEPTH:
            self._stop(event.start_mark, f"nested more than {MAX_DEPTH} levels deep")
        self._refuse_extras(event, at)
        match event:
            case yaml.ScalarEvent():
                return self._scalar(event, at)
            case yaml.SequenceStartEvent():
                items: list[Value] = []
                while not isinstance(inner := next(self._events), yaml.SequenceEndEvent):
                    items.append(self._node(inner, (*at, len(items))))
                return items
            case yaml.MappingStartEvent():
                return self._mapping(at)
        return None

    def _refuse_extras(self, event: yaml.Event, at: KeyPath) -> None:
        """Refuse aliases, anchors and tags."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent):
            name = shorten(str(anchor))
            message = f"aliases are refused: write the value out in place of *{name}"
            self._refuse(event.start_mark, at, message)
        elif anchor is not None:
            self._report(event.start_mark, at, f"anchors are refused: leave out &{shorten(anchor)}")
        if tag is not None:
            written = show(tag.replace("tag:yaml.org,2002:", "!!"))
            self._refuse(event.start_mark, at, f"tags are refused: leave out {written}")

    def _scalar(self, event: yaml.ScalarEvent, at: KeyPath) -> Value:
        start, end = event.start_mark, event.end_mark
        if event.style == '"' and start and end and start.line == end.line:
            # Double quotes have made something else of `\frac` or `\theta`.
            key = f"{at[-1]}: " if at and isinstance(at[-1], str) else ""
            if latex := latex_in_double_quotes(key + self._text[start.index : end.index]):
                self._refuse(start, at, latex)
                return None
        if hidden := hidden_character(event.value):
            self._refuse(start, at, f"the text holds the hidden character {hidden}")
            return None
        if event.style:
            self._tree.styles_at[at] = event.style
            return str(event.value)
        value = plain_value(event.value)
        if (value is None or isinstance(value, str)) and start and end:
            advice = comment_advice(event.value, self._text, start, end)
            if advice:
                self._report(start, at, advice)
        return value

    def _mapping(self, at: KeyPath) -> dict[str, Value]:
        items: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            inner = next(self._events) if self._may_be_decimals(event, items) else None
            if isinstance(inner, yaml.ScalarEvent) and not inner.value:
                self._refuse_comma(event, at, items)
                continue
            key = self._key(event, at, items)
            value = self._node(inner or next(self._events), (*at, "?" if key is None else key))
            if key is not None:
                items.setdefault(key, value)
        return items

    def _may_be_decimals(self, event: yaml.Event, items: dict[str, Value]) -> bool:
        """Whether a key stands right behind a number and a comma, as in `{alpha: 12,5}`."""
        if not items or not isinstance(event, yaml.ScalarEvent) or event.start_mark is None:
            return False
        number = items[next(reversed(items))]
        before = self._text[: event.start_mark.index]
        return event.value.isdecimal() and before.endswith(f"{number},")

    def _refuse_comma(self, event: yaml.Event, at: KeyPath, items: dict[str, Value]) -> None:
        """Refuse a decimal comma at the number before it."""
        last = next(reversed(items))
        here = (*at, last)
        number = f"{items[last]}.{getattr(event, 'value', '')}"
        message = f"decimals take a point: write {last}: {number}"
        self._tree.problems.append(Problem.at(self._tree.place(here), message))
        self._tree.broken.add(here)

    def _key(self, event: yaml.Event, at: KeyPath, items: dict[str, Value]) -> str | None:
        """A key, or None if it is refused and its value is dropped."""
        if not isinstance(event, yaml.ScalarEvent):
            self._node(event, (*at, "?"))
            self._refuse(event.start_mark, (*at, "?"), "a key is a plain word")
            return None
        here = (*at, event.value)
        self._refuse_extras(event, here)
        if hidden := hidden_character(event.value):
            message = f"the key holds the hidden character {hidden}"
            self._refuse(event.start_mark, here, message)
            return None
        if event.value == "<<" and not event.style:
            message = "merge keys (<<) are refused: write the keys out"
            self._refuse(event.start_mark, here, message)
            return None
        if event.value in items:
            line, _ = self._tree.keys_at[here]
            self._report(event.start_mark, here, f"given twice; the first is in line {line}")
        self._tree.keys_at.setdefault(here, _position(event.start_mark))
        return str(event.value)

    def _report(self, mark: YamlMark | None, at: KeyPath, message: str) -> None:
        place = Place(self._tree.file, *_position(mark), dotted_path(at))
        self._tree.problems.append(Problem.at(place, message))

    def _refuse(self, mark: YamlMark | None, at: KeyPath, message: str) -> None:
        """Report a problem, and no others about this value."""
        self._report(mark, at, message)
        self._tree.broken.add(at)

    def _stop(self, mark: YamlMark | None, message: str) -> NoReturn:
        self._report(mark, (), message)
        raise _StopReading


def _position(mark: YamlMark | None) -> LineColumn:
    return (0, 0) if mark is None else (mark.line + 1, mark.column + 1)
