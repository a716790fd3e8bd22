"""Advice on errors of YAML syntax: what to write instead."""

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
    (r"but got '\?'", "a text with a ? in it stands in quotes within brackets"),
    (r"expected ',' or '\]'", "a list is opened here and not closed: ] or a comma is missing"),
    (r"expected ',' or '\}'", "a map is opened here and not closed: } or a comma is missing"),
    (r"node content, but found '<stream end>'", "a list or a map is opened and not closed"),
    (r"found '([\]}])'", r"\1 closes nothing"),
    (r"'<document start>', but found", "more text after the end of the storyboard"),
)
_UNCLOSED = re.compile(r"unexpected end of stream|expected ',' or .+ but got (?!'\?')")
_LINE = re.compile(r"\s*(?:- +)*(?:(?P<key>[\w.-]+):[ \t]+)?(?P<value>.*)")
_APOSTROPHE = re.compile(r"'([^']*\w'\w[^']*)'")
_COMMENT = re.compile(r"[ \t]+#(?=\w)[^\n]*")
_AFTER_QUOTES = re.compile(r"""(?<=['"])[ \t]+#.*""")
_STAGE = re.compile(r"\w+\.\w+")
_LATEX = re.compile(r"\$[^$]*(?<!\\)(?:\\\\)*\\[A-Za-z]{2,}[^$]*\$")
_LONGEST_LINE = 1000
"""Characters of a line in which LaTeX is looked for; texts are shorter."""
_NEEDS_QUOTES = re.compile(
    "mapping values are not allowed|found '<scalar>'|that cannot start any token"
    "|unknown escape character|unexpected end of stream"
)
"""Errors that go away if the text is put in quotes."""


class YamlMark(Protocol):
    """A position in YAML, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def index(self) -> int: ...


def syntax_advice(error: yaml.MarkedYAMLError, text: str) -> tuple[YamlMark | None, str]:
    """The position of a syntax error, and what to write there instead."""
    problem = error.problem or error.context or "this cannot be read"
    opened = error.context_mark if _UNCLOSED.search(problem) else None
    mark = opened or error.problem_mark or error.context_mark
    if mark is None:
        return mark, _explain(problem, "")
    lines = text.split("\n")
    number = min(mark.line, len(lines) - 1)
    if "escape character" in problem and (latex := latex_in_double_quotes(lines[number])):
        return mark, latex
    explained = _explain(problem, text[: mark.index].rpartition("\n")[2])
    for better in _rewrite(problem, lines[number]):
        if _helps(better, lines, number):
            return mark, f"{explained}: write {_LINE.sub(lambda m: _key(m) + m['value'], better)}"
    return mark, explained + (": use single quotes" if "escape character" in problem else "")


def comment_advice(value: str, text: str, start: YamlMark, end: YamlMark) -> str | None:
    """A warning that `#1` behind a text without quotes is read as a comment."""
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
    line = _key(whole) + quote_text(whole["value"].strip())
    return f"{said}: write {line}, or {spaced} for a comment"


def latex_in_double_quotes(line: str) -> str | None:
    """A message about LaTeX in double quotes, which take its backslashes away."""
    if len(line) > _LONGEST_LINE:
        return None
    match = _LINE.fullmatch(line.rstrip())
    if match is None or not match["value"].startswith('"') or not _LATEX.search(match["value"]):
        return None
    better = _key(match) + quote_like("'", _unescape(match["value"].strip('"')))
    return "double quotes take LaTeX's backslashes away; single quotes leave them: write " + better


def _key(line: re.Match[str]) -> str:
    """The key of a line, with its colon."""
    return f"{line['key']}: " if line["key"] else ""


def _unescape(text: str) -> str:
    """The content of double quotes, but for escapes other than `\\"` and `\\\\`."""
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _rewrite(problem: str, line: str) -> Iterator[str]:
    """The line with its text in quotes, as it was probably meant."""
    if not _NEEDS_QUOTES.search(problem) and "'" not in line:
        return
    match = _LINE.fullmatch(line.rstrip())
    value = _AFTER_QUOTES.sub("", match["value"]).strip() if match else ""
    if match and value and _NEEDS_QUOTES.search(problem):
        yield line[: match.start("value")] + quote_text(_strip_quotes(value))
    yield _APOSTROPHE.sub(lambda found: quote_text(found[1]), line)


def _strip_quotes(value: str) -> str:
    """The text between its quote marks, even if one is missing."""
    mark = value[0]
    if mark not in "'\"":
        return value
    if len(value) > 1 and value.endswith(mark):
        inner = value[1:-1]
    elif mark not in value[1:]:
        inner = value[1:]
    else:
        return value
    return inner.replace("''", "'") if mark == "'" else _unescape(inner)


def _helps(line: str, lines: Sequence[str], number: int) -> bool:
    """Whether YAML can be read beyond this line if it is replaced."""
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


def _explain(problem: str, before: str) -> str:
    """The error in plain words; `before` is the part of the line that could be read."""
    if "mapping values are not allowed" in problem:
        return (
            "a text that has a colon and a space in it goes in quotes"
            if ": " in before
            else f"a colon where none can stand: one before it lacks a space, or {_INDENTATION}"
        )
    if "found '<scalar>'" in problem:
        return _explain_quotes(before)
    for pattern, text in _ADVICE:
        if match := re.search(pattern, problem):
            return match.expand(text)
    return f"not YAML: {problem}"


def _explain_quotes(before: str) -> str:
    """The error of a text that goes on after its closing quote mark or bracket."""
    match = _LINE.fullmatch(before)
    first = match["value"][:1] if match else ""
    if first not in ("[", "{", '"', "'"):
        return _INDENTATION
    if first == "'" and re.search(r"\w'$", before):
        return "an apostrophe ends a text in single quotes"
    if first == '"' and before.endswith('"'):
        return "a quote mark ends a text in double quotes"
    return f"a text that starts with {first} goes in quotes as a whole"
