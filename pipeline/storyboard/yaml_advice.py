"""What a writer of YAML should do about an error of syntax."""

from __future__ import annotations

import re
from typing import Protocol

import yaml

_INDENTATION = "the indentation does not fit the lines above"
_ADVICE = (
    (r"found ('-'|'\?'|'<(block \w+|document) start>')", _INDENTATION),
    (r"sequence entries are not allowed", "a list starts on a line of its own"),
    (r"could not find expected ':'", "a key without a colon: write `key: value`"),
    (r"found character '\\t'", "a tab: indent with spaces"),
    (r"found character '(.)' that", r"a text cannot start with \1: put it in quotes"),
    (
        r"unknown escape character '(.)'",
        r"\\\1 means nothing in double quotes: write \\\\\1, or use single quotes",
    ),
    (r"unexpected end of stream", "a quote mark is opened here and not closed"),
    (r"expected ',' or '\]'", "a list is opened here and not closed: ] or a comma is missing"),
    (r"expected ',' or '\}'", "a map is opened here and not closed: } or a comma is missing"),
    (r"node content, but found '<stream end>'", "a list or a map is opened and not closed"),
    (r"found '([\]}])'", r"\1 closes nothing"),
    (r"'<document start>', but found", "more text after the end of the storyboard"),
)
_OPENED = re.compile(r"unexpected end of stream|expected ',' or")
_QUOTED = re.compile(r"""\s*(-\s+)*([\w-]+:\s+)?(?P<first>[\[{"'])""")


class YamlMark(Protocol):
    """A position in YAML, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def index(self) -> int: ...


def advice(error: yaml.MarkedYAMLError, text: str) -> tuple[YamlMark | None, str]:
    """Where the mistake in `text` is, and what to do about it."""
    problem = error.problem or error.context or "this cannot be read"
    opened = error.context_mark if _OPENED.search(problem) else None
    mark = opened or error.problem_mark or error.context_mark
    before = "" if mark is None else text[: mark.index].rpartition("\n")[2]
    return mark, _say(problem, before)


def _say(problem: str, before: str) -> str:
    """What to do, given the part of the line that was understood."""
    if "mapping values are not allowed" in problem:
        return (
            "a text that has a colon and a space in it goes in quotes"
            if ": " in before
            else f"a colon where none can stand: one before it lacks a space, or {_INDENTATION}"
        )
    if "found '<scalar>'" in problem:
        start = _QUOTED.match(before)
        return (
            f"a text that starts with {start['first']} goes in quotes as a whole"
            if start
            else _INDENTATION
        )
    for pattern, text in _ADVICE:
        if match := re.search(pattern, problem):
            return match.expand(text)
    return f"not YAML: {problem}"
