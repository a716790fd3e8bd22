"""Shots that are understood, and what all films of one command share; no stage is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from pipeline.storyboard.formulas import FormulaChecker
from pipeline.storyboard.inputs import Setting
from pipeline.storyboard.older_names import StoryboardFacts
from pipeline.storyboard.problems import Problem
from scenes.style.theme import ThemeName

if TYPE_CHECKING:
    from scenes.stage import Shot


@dataclass(frozen=True, slots=True)
class ResolvedShot:
    """A shot whose inputs are valid, whose values are computed and whose texts are written."""

    id: str
    number: int
    """Its place in the film, from 1."""
    stage: str
    shot: Shot
    facts: StoryboardFacts
    values: Any = field(repr=False)
    failures: tuple[Problem, ...] = ()
    """Claims and expectations that do not hold."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array that the picture shows."""
        from scenes.stage import find_stage

        return find_stage(self.stage).arrays(self.values)


@dataclass
class Known:
    """The shots and inputs that there are, to tell what a command asks for in vain."""

    shots: dict[str, None] = field(default_factory=dict)
    inputs: dict[str, None] = field(default_factory=dict)
    complete: bool = True
    """Whether every shot was understood; if not, there may be more of either."""


@dataclass(frozen=True)
class Context:
    """What all films of one command share."""

    settings: Sequence[Setting]
    theme: ThemeName
    formulas: FormulaChecker
    known: Known


def in_order(shots: Sequence[ResolvedShot]) -> Iterator[ResolvedShot]:
    """The shots of a film as they follow each other: each knows the one before it.

    A shot whose neighbour in the storyboard was left out begins by itself.
    """
    from scenes.stage import Predecessor

    for before, this in zip([None, *shots], shots, strict=False):
        after = None
        if before is not None and before.number + 1 == this.number:
            after = Predecessor(before.stage, before.shot)
        yield replace(this, shot=replace(this.shot, after=after, is_last=this is shots[-1]))
