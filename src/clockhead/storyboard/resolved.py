"""Shots that are understood, and what all films of one command share; no stage is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from clockhead.look import Wish
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.storyboard.inputs import Adjustment, Setting
from clockhead.storyboard.problems import Problem

if TYPE_CHECKING:
    from clockhead.scenes.stage import Shot
    from clockhead.scenes.stage.paths import Facts


@dataclass(frozen=True, slots=True)
class ResolvedShot:
    """A shot whose inputs are valid, whose values are computed and whose texts are written."""

    id: str
    number: int
    """Its place in the film, from 1."""
    stage: str
    shot: Shot
    facts: Facts
    values: Any = field(repr=False)
    say: Mapping[str, str] = field(default_factory=dict)
    """What a voice says instead, by the number of a sentence, or for the question or caption."""
    failures: tuple[Problem, ...] = ()
    """Claims and expectations that do not hold."""
    adjustments: tuple[Adjustment, ...] = ()
    """The inputs that nobody set and that gave way to those that somebody did."""
    warnings: tuple[Problem, ...] = ()
    """What nobody has put into the film's language, and is shown in English."""
    fact_names: tuple[str, ...] = ()
    """The facts that its texts name, in the order in which they do."""

    @property
    def script(self) -> tuple[str, ...]:
        """What a voice says: for the question, every sentence, and the caption."""
        shot = self.shot
        shown = {"question": shot.question}
        shown |= {str(number): note for number, note in enumerate(shot.notes, 1)}
        shown["caption"] = shot.caption
        return tuple(self.say.get(name, text) for name, text in shown.items())

    def english_descriptions(self) -> dict[str, str]:
        """Descriptions that exports show in English, and the number or input that each describes.

        Those of numbers in the shot's sentences come first. Empty for an English film.
        """
        find = self.shot.language.find
        about = {name: declared.description for name, declared in self.facts.about.items()}
        about = {name: about[name] for name in self.fact_names if name in about} | about
        for name, field_info in type(self.shot.inputs).model_fields.items():
            about.setdefault(f"inputs.{name}", field_info.description or "")
        found: dict[str, str] = {}
        for name, text in about.items():
            if text and find(text) is None:
                found.setdefault(text, name)
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array that the picture shows."""
        from clockhead.scenes.stage import find_stage

        return find_stage(self.stage).arrays(self.values)


@dataclass
class KnownNames:
    """The shots and inputs that there are, to tell what a command asks for in vain."""

    shots: dict[str, None] = field(default_factory=dict)
    inputs: dict[str, None] = field(default_factory=dict)
    complete: bool = True
    """Whether every shot was understood; if not, there may be more of either."""
    home: Path | None = None
    """Where the stages of one's own are that they take."""


@dataclass(frozen=True)
class Context:
    """What all films of one command share."""

    settings: Sequence[Setting]
    wish: Wish
    formulas: FormulaChecker
    known: KnownNames
    prepare: Callable[[Sequence[str]], None] = lambda _: None
    """Called with the names of a film's stages, before they are imported, and with them Manim."""


def link_shots(shots: Sequence[ResolvedShot]) -> Iterator[ResolvedShot]:
    """The shots of a film as they follow each other: each knows the one before it.

    A shot whose neighbour in the storyboard was left out begins by itself.
    """
    from clockhead.scenes.stage import Predecessor

    for before, this in zip([None, *shots], shots, strict=False):
        after = None
        if before is not None and before.number + 1 == this.number:
            after = Predecessor(before.stage, before.shot)
        yield replace(this, shot=replace(this.shot, after=after, is_last=this is shots[-1]))
