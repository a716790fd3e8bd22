"""What is wrong with a stage itself: in its own words, or in its own code; and where it is written.

A film's author writes stages too. What a stage says is tried out before anything is drawn, so that
a misspelt fact is found with the file and line that hold it, and with all others.
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
    """Something that is wrong with a stage, and where: the file as seen from the project."""

    file: str
    line: int
    what: str
    """The part of the stage: `caption`, `beat softmax`."""
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}: {self.message}"


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence of a stage as its author wrote it, and where."""

    template: str
    file: str
    line: int
    what: str
    """The part of the stage: `caption`, `beat softmax`."""


def sayings(stage: type[Stage], values: Any, given: Collection[str] = ()) -> Iterator[Saying]:
    """All that a stage says of these values.

    `given` names what a storyboard says in its place: `title`, `beats.softmax`, `asks.softmax`.
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
    """Everything that is wrong with what a stage says and claims of these values.

    What is `given` by a storyboard is not looked at. An error of the stage's own code is raised as
    it is; `blame` says where it is from.
    """
    facts = stage.facts_of(inputs, values)
    return [
        *_missing(stage),
        *(flaw for saying in sayings(stage, values, given) for flaw in _misfits(saying, facts)),
        *_claims(stage, facts, values),
    ]


def blame(error: Exception, stage: type[Stage]) -> Flaw | None:
    """What a stage is to be blamed for, or None if an error came up somewhere else."""
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
    """Something that is wrong with a stage's title, question or caption."""
    return Flaw(*place_of(stage, name), name, message)


def own_frame(error: BaseException) -> traceback.FrameSummary | None:
    """Where an error left the stages of a film: the last call of a film's folder."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if _is_own(frame.filename)), None)


def reason(error: BaseException) -> str:
    """What an error says; a KeyError says it in quotes."""
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
        # While a claim holds, what would be found instead need not be there to be told.
        untold = facts.about if claim.holds(values) else {}
        for error in misfits(claim.found, facts):
            if not (isinstance(error, UnknownFact) and error.name in untold):
                yield Flaw(*place, "claims", str(error))


def _misfits(saying: Saying, facts: Mapping[str, Fact]) -> Iterator[Flaw]:
    for error in misfits(saying.template, facts):
        yield Flaw(saying.file, saying.line, saying.what, str(error))


def place_of(stage: type[Stage], name: str = "") -> tuple[str, int]:
    """File and line of a class, or of what it sets as `name`; line 0 where it has no source."""
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
    """The lines from the beginning of a class on, and the number of the first.

    Python's own search parses the module, and takes longer than all else that is asked of a stage.
    """
    lines = linecache.getlines(inspect.getsourcefile(kind) or "")
    begins = re.compile(rf"\s*class {kind.__name__}\b")
    for index, line in enumerate(lines):
        if begins.match(line):
            return lines[index:], index + 1
    raise OSError(f"{kind.__name__} has no source")


def _place_of_call(method: Callable[..., Any]) -> tuple[str, int]:
    """File and line of a method, from its first decorator on."""
    code = inspect.unwrap(method).__code__
    return display_path(code.co_filename), code.co_firstlineno


def _is_own(filename: str) -> bool:
    file = Path(filename).resolve()
    return any(library.holds(file) for library in libraries())
