"""Check whether a formula from a stranger can be typeset, without running it as a program.

A formula is mathematics in Typst's notation: code, files, packages and Typst's library are refused
by name. A program that gets past the names meets a compiler without files or packages, in a worker
process that can open no file and no connection, has bounded memory, and is killed when it takes too
long.
"""

from __future__ import annotations

import re
import resource
import signal
from contextlib import suppress
from functools import cache
from typing import Any

import typst

from clockhead.scenes.style.theme import ROLES
from clockhead.scenes.style.typeset import typeset
from clockhead.storyboard.problems import show
from clockhead.workers import RunningJob, Worker, WorkerDied

SECONDS = 5.0
"""Seconds that one formula may take; an honest one takes a few milliseconds."""

_TOKENS = re.compile(
    r"""\\. | "(?:\\.|[^"\\])*" | (?P<quote>") | (?P<dollar>\$) | (?P<comment>//|/\*)
    | (?P<code>\#\w*) | (?P<word>[^\W\d_][^\W_]*)""",
    re.VERBOSE | re.DOTALL,
)
_FILES = {"read", "image", "plugin", "csv", "json", "toml", "yaml", "xml", "cbor", "eval"}
_FILES |= {"include", "import", "bibliography"}
_MEMORY = 1 << 30
"""Bytes of address space of the worker."""
_NO_CHARACTER = "\u0378"
"""Not assigned in Unicode, so that no font draws it."""
_missing_glyph: set[bytes] = set()
"""In the worker, once it is locked down: names of the outline of a missing character."""


class FormulaChecker:
    """Typesets formulas in one worker, started with the first formula, until it is closed."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._worker: Worker | None = None
        self._known: dict[str, str | None] = {}

    def problem(self, math: str) -> str | None:
        """What is wrong with the mathematics between two dollar signs, or None."""
        if math not in self._known:
            self._known[math] = _word_problem(math) or self._typeset(math)
        return self._known[math]

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._worker is not None:
            self._worker.close()
        self._worker = None

    def _typeset(self, math: str) -> str | None:
        """What Typst finds wrong, in formulas whose words were not checked too."""
        if self._worker is None:
            self._worker = Worker("spawn", sandboxed=True)
            self._worker.submit(f"{__name__}:lock_down")
        try:
            answer = self._worker.submit(
                f"{__name__}:typeset_formula", math, timeout=self._seconds
            ).result()
        except WorkerDied as death:
            self.close()
            if death.code == -signal.SIGALRM:
                return f"not typeset within {self._seconds:g} seconds"
            if death.code < 0:
                return f"too large to be typeset ({death})"
            return f"the typesetting process ended with {death}"
        return _explain(answer)


@cache
def formula_checker() -> FormulaChecker:
    """The checker of this process, which remembers the formulas that it has tried."""
    return FormulaChecker()


def _word_problem(math: str) -> str | None:
    """Why the text of a formula is refused before Typst sees it, or None."""
    for token in _TOKENS.finditer(math):
        text = token[0]
        match token.lastgroup:
            case "code":
                return (
                    f"{show(text)} is code, and a formula is mathematics alone: it reads no files, "
                    "fetches no packages and runs no loops"
                )
            case "word" if text == "std":
                return 'std is out of reach of a formula; a word goes in quotes: "std"'
            case "word" if text in _FILES and math[token.end() :].lstrip().startswith("("):
                return f"{text} is out of reach: a formula reads no files"
            case "comment":
                return f"{text} starts a comment; put a space or a backslash between its signs"
            case "quote":
                return "a quote mark is opened and not closed"
            case "dollar":
                return "a dollar sign within a formula; write \\$ for the sign"
    return None


def _explain(answer: dict[str, Any]) -> str | None:
    if "undrawn" in answer:
        return f"no font can draw {show(answer['undrawn'])}"
    if "error" not in answer:
        return None
    message = str(answer["error"])
    if unknown := re.fullmatch(r"unknown variable: (\w+)", message):
        word = unknown[1]
        apart = f"letters of a product go apart: {' '.join(word)}"
        return f'{message} (a word goes in quotes: "{word}"; {apart})'
    return message


# In the worker


def lock_down(_: RunningJob) -> None:
    """Load what typesetting needs; from here on nothing can be opened, written or grown."""
    _missing_glyph.update(_glyphs(_NO_CHARACTER))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):  # macOS does not bound address space
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def typeset_formula(_: RunningJob, math: str) -> dict[str, str]:
    """Typeset mathematics; the result has the compiler's `error`, or an `undrawn` character."""
    try:
        _draw(math)
        undrawn = [c for c in math if not c.isascii() and _glyphs(c) & _missing_glyph]
    except typst.TypstError as error:
        return {"error": error.message}
    except ValueError as error:
        return {"error": str(error)}
    return {"undrawn": undrawn[0]} if undrawn else {}


def _draw(math: str) -> bytes:
    roles = (f"#let {role}(body) = body\n" for role in ROLES if f"{role}(" in math)
    return typeset(f"{''.join(roles)}${math}$", size_px=20, color="#000000")


def _glyphs(character: str) -> set[bytes]:
    """The names of the outlines in a drawing, which Typst makes from their content."""
    return set(re.findall(rb'<symbol id="(\w+)"', _draw(f'"{character}"')))
