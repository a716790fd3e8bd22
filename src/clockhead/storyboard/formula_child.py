"""The sandbox in which formulas from strangers are typeset: a job of a worker process.

The process can open no file and no connection, and its memory is bounded.
"""

from __future__ import annotations

import re
import resource
from contextlib import suppress

import typst

from clockhead.scenes.style.theme import ROLES
from clockhead.scenes.style.typeset import typeset
from clockhead.workers import RunningJob

_MEMORY = 1 << 30
"""Bytes of address space."""
_NO_CHARACTER = "\u0378"
"""Not assigned in Unicode, so that no font draws it."""
_missing_glyph: set[bytes] = set()


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
