"""What a writer of YAML should do about an error of syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import yaml

from clockhead.storyboard.problems import show
from clockhead.storyboard.scalars import quote_like, quote_text

_INDENTATION = "the indentation does not fit the lines above"
_ADVICE = (
    (r"found ('-'|'\?'|'<(block \w+|document) start>')", _INDENTATION),
    (r"sequence entries are not allowed", "a list starts on a line of its own"),
    (r"could not find expected ':'", "a key without a colon: write `key: value`"),
    (r"found character '\\t'", "a tab: indent with spaces"),
    (r"found character '(.)' that", r"a text cannot start with \1: put it in quotes"),
    (r"unknown escape character '(.)'", r"\\\1 means nothing in double quotes"),
    (r"unexpected end of stream", "a quote mark is opened here and not closed"),
    (r"expected ',' or '\]'", "a list is opened here and not closed: ] or a comma is missing"),
    (r"expected ',' or '\}'", "a map is opened here and not closed: } or a comma is missing"),
    (r"node content, but found '<stream end>'", "a list or a map is opened and not closed"),
    (r"found '([\]}])'", r"\1 closes nothing"),
    (r"'<document start>', but found", "more text after the end of the storyboard"),
)
_OPENED = re.compile(r"unexpected end of stream|expected ',' or")
_LINE = re.compile(r"\s*(?:- +)*(?:(?P<key>[\w.-]+):[ \t]+)?(?P<value>.*)")
_APOSTROPHE = re.compile(r"'([^']*\w'\w[^']*)'")
_COMMENT = re.compile(r"[ \t]+#(?=\w)[^\n]*")
_AFTER_QUOTES = re.compile(r"""(?<=['"])[ \t]+#.*""")
_STAGE = re.compile(r"\w+\.\w+")
_LATEX = re.compile(r"\$[^$]*(?<!\\)(?:\\\\)*\\[A-Za-z]{2,}[^$]*\$")
_LONGEST_LINE = 1000
"""No formula is looked for in a longer line: no text is as long."""
_TEXT = re.compile(
    "mapping values are not allowed|found '<scalar>'|that cannot start any token"
    "|unknown escape character|unexpected end of stream"
)
"""Errors that quotes can mend."""


class YamlMark(Protocol):
    """A position in YAML, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def index(self) -> int: ...


def syntax_advice(error: yaml.MarkedYAMLError, text: str) -> tuple[YamlMark | None, str]:
    """Where the mistake in `text` is, and what to do about it."""
    problem = error.problem or error.context or "this cannot be read"
    opened = error.context_mark if _OPENED.search(problem) else None
    mark = opened or error.problem_mark or error.context_mark
    if mark is None:
        return mark, _say(problem, "")
    lines = text.split("\n")
    number = min(mark.line, len(lines) - 1)
    if "escape character" in problem and (latex := latex_in_double_quotes(lines[number])):
        return mark, latex
    said = _say(problem, text[: mark.index].rpartition("\n")[2])
    better = next(
        (new for new in _rewritten(problem, lines[number]) if _helps(new, lines, number)), ""
    )
    if better:
        return mark, f"{said}: write {_LINE.sub(_without_lead, better)}"
    return mark, said + (": use single quotes" if "escape character" in problem else "")


def comment_advice(value: str, text: str, start: YamlMark, end: YamlMark) -> str | None:
    """That the rest of a line goes unread, where a value without quotes is followed by `#1`."""
    match = _COMMENT.match(text, end.index)
    if match is None:
        return None
    comment = match[0].strip()
    said = f"{show(comment)} is read as a comment, and left out"
    spaced = f"# {comment[1:]}"
    if _STAGE.fullmatch(value):
        return f"{said}: write {value}  {spaced}"
    line = text[: match.end()].rpartition("\n")[2]
    whole = _LINE.fullmatch(line)
    if whole is None or start.line != end.line:
        return f"{said}: put the text in quotes, or write {spaced} for a comment"
    key = f"{whole['key']}: " if whole["key"] else ""
    return f"{said}: write {key}{quote_text(whole['value'].strip())}, or {spaced} for a comment"


def latex_in_double_quotes(line: str) -> str | None:
    """What to say of LaTeX in double quotes, where YAML takes its backslashes away."""
    if len(line) > _LONGEST_LINE:
        return None
    match = _LINE.fullmatch(line.rstrip())
    if match is None or not match["value"].startswith('"') or not _LATEX.search(match["value"]):
        return None
    text = match["value"].strip('"').replace('\\"', '"').replace("\\\\", "\\")
    key = f"{match['key']}: " if match["key"] else ""
    said = "double quotes take LaTeX's backslashes away; single quotes leave them"
    return f"{said}: write {key}{quote_like(chr(39), text)}"


def _rewritten(problem: str, line: str) -> Iterator[str]:
    """The line with its text in quotes, as it was probably meant."""
    if not _TEXT.search(problem) and "'" not in line:
        return
    match = _LINE.fullmatch(line.rstrip())
    value = _AFTER_QUOTES.sub("", match["value"]).strip() if match else ""
    if match and value and _TEXT.search(problem):
        yield line[: match.start("value")] + quote_text(_meant(value))
    yield _APOSTROPHE.sub(lambda found: quote_text(found[1]), line)


def _meant(value: str) -> str:
    """The text between the quote marks around it, if there are any."""
    mark = value[0]
    if mark not in "'\"":
        return value
    if len(value) > 1 and value.endswith(mark):
        inner = value[1:-1]
    elif mark not in value[1:]:
        inner = value[1:]
    else:
        return value
    if mark == "'":
        return inner.replace("''", "'")
    return inner.replace('\\"', '"').replace("\\\\", "\\")


def _helps(line: str, lines: Sequence[str], number: int) -> bool:
    """Whether the file can be read beyond this line once it is written so."""
    if line == lines[number]:
        return False
    try:
        for _ in yaml.parse(
            "\n".join([*lines[:number], line, *lines[number + 1 :]]), yaml.SafeLoader
        ):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark
        return mark is not None and mark.line > number
    except (ValueError, OverflowError, RecursionError):
        return False
    return True


def _without_lead(match: re.Match[str]) -> str:
    return (f"{match['key']}: " if match["key"] else "") + match["value"]


def _say(problem: str, before: str) -> str:
    """What is wrong, given the part of the line that was understood."""
    if "mapping values are not allowed" in problem:
        return (
            "a text that has a colon and a space in it goes in quotes"
            if ": " in before
            else f"a colon where none can stand: one before it lacks a space, or {_INDENTATION}"
        )
    if "found '<scalar>'" in problem:
        return _say_of_quotes(before)
    for pattern, text in _ADVICE:
        if match := re.search(pattern, problem):
            return match.expand(text)
    return f"not YAML: {problem}"


def _say_of_quotes(before: str) -> str:
    """Of a text that goes on after the quote mark or the bracket that closes it."""
    match = _LINE.fullmatch(before)
    first = match["value"][:1] if match else ""
    if first not in ("[", "{", '"', "'"):
        return _INDENTATION
    if first == "'" and re.search(r"\w'$", before):
        return "an apostrophe ends a text in single quotes"
    if first == '"' and before.endswith('"'):
        return "a quote mark ends a text in double quotes"
    return f"a text that starts with {first} goes in quotes as a whole"
