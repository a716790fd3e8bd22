"""A small, literal YAML: texts, numbers, truth values, lists and maps.

What lets a file grow without bound or mean something other than it says is refused (aliases,
anchors, tags, merge keys, duplicate keys, a second document) or stays text (`no`, `on`, `012`,
`1:30`). The file is read event by event, so a bomb is refused before it is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml

from clockhead.model import characters
from clockhead.storyboard.problems import Place, Problem, StoryboardError
from clockhead.storyboard.scalars import Value, plain_value
from clockhead.storyboard.tree import At, Mark, Tree, dotted
from clockhead.storyboard.wording import short, show
from clockhead.storyboard.yaml_advice import (
    YamlMark,
    advice,
    cut_off,
    latex_in_double_quotes,
)

MAX_DEPTH = 16
MAX_NODES = 10_000
_ISOLATED = re.compile("\u2068([^\u2066-\u2069]*)\u2069")


def parse(text: str, file: str) -> Tree:
    """Read YAML.

    Raises:
        StoryboardError: when it is not YAML, or is too deep or too large.
    """
    return _Reader(text, file).tree()


def hidden_character(text: str) -> str | None:
    """The first character that cannot be seen, as `U+0007`; line breaks and tabs are none.

    Nor are joiners where they matter, and pairs of signs that isolate what is read the other way.
    """
    hidden = characters.hidden_character(_ISOLATED.sub(r"\1", text))
    return None if hidden is None else f"U+{ord(hidden):04X}"


class _StopReading(Exception):
    """The rest of the file cannot be understood, or is not worth it."""


class _Reader:
    """Builds values from PyYAML's events, noting positions and refusing as it goes."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._text = text
        self._values_at: dict[At, Mark] = {}
        self._keys_at: dict[At, Mark] = {}
        self._problems: list[Problem] = []
        self._broken: set[At] = set()
        self._styles_at: dict[At, str] = {}
        self._nodes = 0
        self._events = self._listen(text)

    def tree(self) -> Tree:
        """The whole text's."""
        try:
            value = self._document()
        except _StopReading:
            raise StoryboardError(self._problems) from None
        return Tree(
            self._file,
            value,
            self._values_at,
            self._keys_at,
            tuple(self._problems),
            frozenset(self._broken),
            self._styles_at,
        )

    def _listen(self, text: str) -> Iterator[yaml.Event]:
        """PyYAML's events, in pure Python: its C parser dies of deep nesting."""
        loader = yaml.SafeLoader(text)
        try:
            while loader.check_event():
                yield loader.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as error:
            self._stop(*advice(error, text))
        except (ValueError, OverflowError):
            self._stop(loader.get_mark(), "an escape that stands for no character")

    def _document(self) -> Value:
        value: Value = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._stop(event.start_mark, "a second document: a file is one storyboard")
            elif isinstance(event, yaml.AliasEvent | yaml.NodeEvent):
                value = self._node(event, ())
        return value

    def _node(self, event: yaml.Event, at: At) -> Value:
        self._values_at.setdefault(at, _mark(event.start_mark))
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._stop(event.start_mark, f"more than {MAX_NODES:,} values")
        if len(at) > MAX_DEPTH:
            self._stop(event.start_mark, f"nested more than {MAX_DEPTH} levels deep")
        self._refuse_extras(event, at)
        match event:
            case yaml.ScalarEvent():
                return self._scalar(event, at)
            case yaml.SequenceStartEvent():
                return self._sequence(at)
            case yaml.MappingStartEvent():
                return self._mapping(at)
        return None

    def _refuse_extras(self, event: yaml.Event, at: At) -> None:
        """Aliases, anchors and tags."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent):
            message = f"aliases are refused: write the value out in place of *{short(str(anchor))}"
            self._refuse(event.start_mark, at, message)
        elif anchor is not None:
            self._add(event.start_mark, at, f"anchors are refused: leave out &{short(anchor)}")
        if tag is not None:
            written = show(tag.replace("tag:yaml.org,2002:", "!!"))
            self._refuse(event.start_mark, at, f"tags are refused: leave out {written}")

    def _scalar(self, event: yaml.ScalarEvent, at: At) -> Value:
        if event.style == '"' and (latex := self._latex(event, at)):
            self._refuse(event.start_mark, at, latex)
            return None
        if hidden := hidden_character(event.value):
            self._refuse(event.start_mark, at, f"the text holds the hidden character {hidden}")
            return None
        if event.style:
            self._styles_at[at] = event.style
            return str(event.value)
        value = plain_value(event.value)
        start, end = event.start_mark, event.end_mark
        may_be_text = value is None or isinstance(value, str)
        if may_be_text and start and end and (cut := cut_off(event.value, self._text, start, end)):
            self._add(start, at, cut)
        return value

    def _latex(self, event: yaml.ScalarEvent, at: At) -> str | None:
        r"""What to write where double quotes have made something else of `\frac` or `\theta`."""
        start, end = event.start_mark, event.end_mark
        if start is None or end is None or start.line != end.line:
            return None
        key = f"{at[-1]}: " if at and isinstance(at[-1], str) else ""
        return latex_in_double_quotes(key + self._text[start.index : end.index])

    def _sequence(self, at: At) -> list[Value]:
        items: list[Value] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event, (*at, len(items))))
        return items

    def _mapping(self, at: At) -> dict[str, Value]:
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

    def _refuse_comma(self, event: yaml.Event, at: At, items: dict[str, Value]) -> None:
        """Say how the number before the comma is written."""
        last = next(reversed(items))
        here = (*at, last)
        line, column = self._values_at[here]
        number = f"{items[last]}.{getattr(event, 'value', '')}"
        message = f"decimals take a point: write {last}: {number}"
        self._problems.append(Problem.at(Place(self._file, line, column, dotted(here)), message))
        self._broken.add(here)

    def _key(self, event: yaml.Event, at: At, items: dict[str, Value]) -> str | None:
        """A key as it is written, or None when it is refused and its value is to be dropped."""
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
            line, _ = self._keys_at[here]
            self._add(event.start_mark, here, f"given twice; the first is in line {line}")
        self._keys_at.setdefault(here, _mark(event.start_mark))
        return str(event.value)

    def _add(self, mark: YamlMark | None, at: At, message: str) -> None:
        line, column = _mark(mark)
        self._problems.append(Problem.at(Place(self._file, line, column, dotted(at)), message))

    def _refuse(self, mark: YamlMark | None, at: At, message: str) -> None:
        """Say what is wrong, and nothing else about this value."""
        self._add(mark, at, message)
        self._broken.add(at)

    def _stop(self, mark: YamlMark | None, message: str) -> NoReturn:
        self._add(mark, (), message)
        raise _StopReading


def _mark(mark: YamlMark | None) -> Mark:
    return (0, 0) if mark is None else (mark.line + 1, mark.column + 1)
