"""Check whether a formula from a stranger can be typeset, without running it as a program.

A formula is mathematics in Typst's notation: code, files, packages and Typst's library are refused
by name. A program that gets past the names meets a compiler without files or packages, in a worker
process that cannot open anything and is killed when it takes too long.
"""

from __future__ import annotations

import re
import signal
from functools import cache
from typing import Any

from clockhead.storyboard.problems import show
from clockhead.workers import Worker, WorkerDied

SECONDS = 5.0
"""Seconds that one formula may take; an honest one takes a few milliseconds."""

_TOKENS = re.compile(
    r"""\\. | "(?:\\.|[^"\\])*" | (?P<quote>") | (?P<dollar>\$) | (?P<comment>//|/\*)
    | (?P<code>\#\w*) | (?P<word>[^\W\d_][^\W_]*)""",
    re.VERBOSE | re.DOTALL,
)
_FILES = {"read", "image", "plugin", "csv", "json", "toml", "yaml", "xml", "cbor", "eval"}
_FILES |= {"include", "import", "bibliography"}
_JOBS = "clockhead.storyboard.formula_child"


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
            self._worker.submit(f"{_JOBS}:lock_down")
        try:
            answer = self._worker.submit(
                f"{_JOBS}:typeset_formula", math, timeout=self._seconds
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
