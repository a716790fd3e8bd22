"""The process in which formulas from strangers are tried out.

It reads one request to a line, `{"math": ..., "seconds": ...}`, and answers with one line: `{}`, or
what is wrong. It can open no file and no connection, its memory is bounded, and an alarm ends it
when a formula takes too long, even if whoever asked is gone by then.
"""

from __future__ import annotations

import json
import re
import resource
import signal
import sys
from contextlib import suppress

import typst

from clockhead.scenes.style.theme import ROLES
from clockhead.scenes.style.typeset import typeset

_MEMORY = 1 << 30
_ROLES = "".join(f"#let {role}(body) = body\n" for role in ROLES)
_NO_CHARACTER = "\u0378"
"""Not assigned, so that no font draws it."""


def serve() -> None:
    """Answer until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    blank = _glyphs(_NO_CHARACTER)
    _lock_the_doors()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, request["seconds"])
        answer = _try_out(request["math"], blank)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(json.dumps(answer), flush=True)


def _lock_the_doors() -> None:
    """From here on nothing can be opened, written or grown without bound."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):  # macOS does not bound address space
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _try_out(math: str, blank: set[bytes]) -> dict[str, str]:
    try:
        _draw(math)
        undrawn = [c for c in math if not c.isascii() and _glyphs(c) & blank]
    except typst.TypstError as error:
        return {"error": error.message}
    except ValueError as error:
        return {"error": str(error)}
    return {"undrawn": undrawn[0]} if undrawn else {}


def _draw(math: str) -> bytes:
    return typeset(f"{_ROLES}${math}$", size_px=20, color="#000000")


def _glyphs(character: str) -> set[bytes]:
    """Typst names the outlines in a drawing by their content."""
    return set(re.findall(rb'<symbol id="(\w+)"', _draw(f'"{character}"')))
