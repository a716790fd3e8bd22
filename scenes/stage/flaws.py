"""Errors in a stage's own texts and code, with the file and line of each.

Authors of films write stages too. All texts of a stage are checked before anything is drawn, so
that misspelt facts are reported together, each with its file and line.
"""

from __future__ import annotations

import inspect
import linecache
import re
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from clockhead.libraries import libraries
from clockhead.places import display_path
from clockhead.scenes.facts import Fact, TemplateError, UnknownFact, misfits
from clockhead.scenes.stage.beats import beats_of
from clockhead.scenes.stage.paths import Facts
from clockhead.scenes.stage.stage import Stage

TEXTS: Final = ("title", "question", "caption")


@dataclass(frozen=True, slots=True)
class Flaw:
    """An error of a stage, and its location: the file relative to the project, and the line."""

    file: str
    line: int
    what: str
    """The part of the stage: `caption`, `beat softmax`."""
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}: {self.message}"


@dataclass(frozen=True, slots=True)
class Saying:
    """A text of a stage as its author wrote it, and its location."""

    template: str
    file: str
    line: int
    what: str
    """The part of the stage: `caption`, `beat softmax`."""


def sayings(stage: type[Stage], values: Any, given: Collection[str] = ()) -> Iterator[Saying]:
    """All texts of a stage for these values.

    `given` names the texts that a storyboard replaces: `title`, `beats.softmax`, `asks.softmax`.
    """
    for name in TEXTS:
        if name not in given and hasattr(stage, name):
            yield Saying(getattr(stage, name), *place_of(stage, name), name)
    for spec in beats_of(stage):
        if spec.told(values):
            place = _place_of_call(getattr(stage, spec.method))
            for kind, line in zip(("asks", "beats"), spec.lines(values), strict=True):
                if line and f"{kind}.{spec.key}" not in given:
                    yield Saying(line, *place, f"beat {spec.method}")


def flaws_of(
    stage: type[Stage], inputs: Any, values: Any, given: Collection[str] = ()
) -> list[Flaw]:
    """All errors in the texts and claims of a stage for these values.

    Texts that are `given` by a storyboard are not checked. Exceptions in the stage's own code are
    raised; `blame` finds where they come from.
    """
    facts = stage.facts_of(inputs, values)
    return [
        *_missing(stage),
        *(flaw for saying in sayings(stage, values, given) for flaw in _misfits(saying, facts)),
        *_claims(stage, facts, values),
    ]


def blame(error: Exception, stage: type[Stage]) -> Flaw | None:
    """The error of a stage that caused an exception; None if it comes from somewhere else."""
    frame = own_frame(error)
    if frame is not None:
        message = f"{type(error).__name__}: {reason(error)}"
        return Flaw(display_path(frame.filename), frame.lineno or 0, frame.name, message)
    if isinstance(error, ValidationError):
        wrong = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        return Flaw(*place_of(stage, "Inputs"), "Inputs", f"the defaults: {'; '.join(wrong)}")
    if isinstance(error, TemplateError):
        return Flaw(*place_of(stage), stage.__name__, str(error))
    if isinstance(error, NotImplementedError):
        return Flaw(*place_of(stage), stage.__name__, "the stage has no `compute` of its own")
    return None


def in_text(stage: type[Stage], name: str, message: str) -> Flaw:
    """An error in a stage's title, question or caption."""
    return Flaw(*place_of(stage, name), name, message)


def own_frame(error: BaseException) -> traceback.FrameSummary | None:
    """The last call in a traceback that is in a library's folder."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if _is_in_library(frame.filename)), None)


def reason(error: BaseException) -> str:
    """The text of an exception; a KeyError's without its quotes."""
    if isinstance(error, KeyError) and len(error.args) == 1:
        return str(error.args[0])
    return str(error)


def _missing(stage: type[Stage]) -> Iterator[Flaw]:
    for name in TEXTS:
        if not hasattr(stage, name):
            yield Flaw(*place_of(stage), stage.__name__, f"the stage has no {name}")


def _claims(stage: type[Stage], facts: Facts, values: Any) -> Iterator[Flaw]:
    place = place_of(stage, "claims")
    for claim in stage.claims:
        yield from _misfits(Saying(claim.says, *place, "claims"), facts)
        # While a claim holds, facts that only `found` uses need not exist.
        untold = facts.about if claim.holds(values) else {}
        for error in misfits(claim.found, facts):
            if not (isinstance(error, UnknownFact) and error.name in untold):
                yield Flaw(*place, "claims", str(error))


def _misfits(saying: Saying, facts: Mapping[str, Fact]) -> Iterator[Flaw]:
    for error in misfits(saying.template, facts):
        yield Flaw(saying.file, saying.line, saying.what, str(error))


def place_of(stage: type[Stage], name: str = "") -> tuple[str, int]:
    """File and line of a class, or of its attribute `name`; line 0 if there is no source."""
    owner = next((kind for kind in stage.__mro__ if name in vars(kind)), stage)
    try:
        lines, first = _source(owner)
    except (OSError, TypeError):
        return stage.__module__, 0
    set_here = re.compile(rf"\s+(class {name}\b|{name}\b[^=]*=)")
    ahead = next((i for i, line in enumerate(lines) if name and set_here.match(line)), 0)
    return display_path(inspect.getsourcefile(owner) or ""), first + ahead


@cache
def _source(kind: type) -> tuple[list[str], int]:
    """The lines of a class and those after it, and the number of the first.

    `inspect.getsource` parses the module, which takes longer than all other checks of a stage.
    """
    lines = linecache.getlines(inspect.getsourcefile(kind) or "")
    begins = re.compile(rf"\s*class {kind.__name__}\b")
    for index, line in enumerate(lines):
        if begins.match(line):
            return lines[index:], index + 1
    raise OSError(f"{kind.__name__} has no source")


def _place_of_call(method: Callable[..., Any]) -> tuple[str, int]:
    """File and line of a method, including its decorators."""
    code = inspect.unwrap(method).__code__
    return display_path(code.co_filename), code.co_firstlineno


def _is_in_library(filename: str) -> bool:
    file = Path(filename).resolve()
    return any(library.holds(file) for library in libraries())
