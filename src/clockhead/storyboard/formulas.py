"""Whether a formula from a stranger can be typeset, found out where it can do no harm.

A formula is mathematics in Typst's notation, and no program: code, files, packages and Typst's
library are refused by name. What gets past the names meets a compiler without files or packages,
in a process of its own that cannot open anything and is ended when it takes too long.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from types import TracebackType
from typing import Any, Self

from clockhead.places import PACKAGE
from clockhead.storyboard.wording import show

SECONDS = 5.0
"""The time that one formula may take; an honest one takes a few milliseconds."""

_TOKENS = re.compile(
    r"""\\. | "(?:\\.|[^"\\])*" | (?P<quote>") | (?P<dollar>\$) | (?P<comment>//|/\*)
    | (?P<code>\#\w*) | (?P<word>[^\W\d_][^\W_]*)""",
    re.VERBOSE | re.DOTALL,
)
_FILES = {"read", "image", "plugin", "csv", "json", "toml", "yaml", "xml", "cbor", "eval"}
_FILES |= {"include", "import", "bibliography"}
_CHILD = "import sys; sys.path.insert(0, sys.argv[1]); " + (
    "from clockhead.storyboard.formula_child import serve; serve()"
)
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}


class FormulaChecker:
    """Tries formulas out in one child process, started with the first formula, until closed."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._known: dict[str, str | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def problem(self, math: str) -> str | None:
        """What is wrong with the mathematics between two dollar signs, or None."""
        if math not in self._known:
            self._known[math] = _forbidden(math) or self._try_out(math)
        return self._known[math]

    def close(self) -> None:
        """End the child process, if there is one."""
        if self._child is None:
            return
        self._child.kill()
        self._child.communicate()
        self._child = None

    def _try_out(self, math: str) -> str | None:
        """Let Typst compile it, without a look at what it says."""
        child = self._child = self._child or _start()
        assert child.stdin is not None
        assert child.stdout is not None
        request = json.dumps({"math": math, "seconds": self._seconds})
        child.stdin.write(request.encode() + b"\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        if answer:
            return _explain(json.loads(answer))
        code = child.wait()
        self.close()
        return _how_it_ended(code, self._seconds)


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD, str(PACKAGE.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **_ONE_THREAD},
    )


def _forbidden(math: str) -> str | None:
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


def _how_it_ended(code: int, seconds: float) -> str:
    if code == -signal.SIGALRM:
        return f"not typeset within {seconds:g} seconds"
    if code < 0:
        return f"too large to be typeset ({signal.Signals(-code).name})"
    return f"the typesetting process ended with exit code {code}"
