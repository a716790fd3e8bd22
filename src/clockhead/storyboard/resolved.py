"""Shots that are ready to be drawn, and the state shared by all films of one command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from clockhead.look import Wish
from clockhead.storyboard.inputs import Adjustment, Setting
from clockhead.storyboard.problems import Place, Problem

if TYPE_CHECKING:
    from clockhead.scenes.stage import Shot
    from clockhead.scenes.stage.paths import Facts


@dataclass(frozen=True, slots=True)
class ResolvedHandle:
    """An input that a page can turn."""

    input: str
    description: str
    stops: tuple[Any, ...]
    """Valid values, as JSON has them, each once; the shot's own is among them."""
    own: int
    """The index of the shot's own value."""
    beats: tuple[str, ...] = ()
    """The first of these that is told is the beat whose last picture is shown."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A shot with inputs turned to other values, or why there is none."""

    shot: ResolvedShot | None = None
    breaks_claim: bool = False
    """Whether a claim of the stage fails, so that its sentences may be untrue."""
    refusals: tuple[Problem, ...] = ()
    """What does not hold for these values, told to readers; without a shot, why it fails."""


@dataclass(frozen=True, slots=True)
class Quiz:
    """The answers to a question, in plain text, and which of them is right, counted from 0."""

    answers: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True)
class ResolvedShot:
    """A shot with valid inputs, computed values and finished texts."""

    id: str
    number: int
    """Position in the storyboard, from 1; of the cards of a look, before and after all others."""
    stage: str
    shot: Shot
    facts: Facts
    values: Any = field(repr=False)
    say: Mapping[str, str] = field(default_factory=dict)
    """Spoken instead of sentences: by their number, or "question" or "caption"."""
    own_lines: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The storyboard's own `beats` and `asks`, as they are said."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """For the speaker of slides, in plain text: by beat, or "caption", or "" for the whole shot."""
    quizzes: Mapping[str, Quiz] = field(default_factory=dict)
    """By the beat whose question they are about."""
    card_place: Place | None = None
    """Where the look.yaml has it, if it is not in the storyboard."""
    failures: tuple[Problem, ...] = ()
    """Claims and expectations that do not hold."""
    adjustments: tuple[Adjustment, ...] = ()
    """Inputs that were changed to fit those that were given."""
    warnings: tuple[Problem, ...] = ()
    """Texts without a translation into the film's language, shown in English."""
    fact_names: tuple[str, ...] = ()
    """Facts that its texts name, in their order."""
    expected: tuple[str, ...] = ()
    """Facts that the storyboard expects something of."""
    handles: tuple[ResolvedHandle, ...] = ()
    turn: Callable[[Mapping[str, Any]], Turned] = field(
        default=lambda _: Turned(), repr=False, compare=False
    )
    """Give inputs other values: resolve the shot anew, whatever its claims say."""

    def place(self, storyboard: Path) -> Place:
        """Where it is written, for messages about its picture."""
        path = f"shots[{self.number - 1}] ({self.id})"
        return self.card_place or Place(str(storyboard), path=path)

    @property
    def script(self) -> tuple[str, ...]:
        """The spoken texts: the question, every sentence, and the caption."""
        shot = self.shot
        shown = {"question": shot.question}
        shown |= {str(number): note for number, note in enumerate(shot.sentences, 1)}
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
class Context:
    """The state shared by all films of one command."""

    settings: Sequence[Setting]
    wish: Wish
    prepare: Callable[[Sequence[str]], None] = lambda _: None
    """Called with the names of a film's stages before they, and Manim, are imported."""
    shots: dict[str, None] = field(default_factory=dict)
    """Names of all shots of the films."""
    inputs: dict[str, None] = field(default_factory=dict)
    """Names of all inputs of the films."""
    complete: bool = True
    """Whether every shot is valid; if not, there may be more names."""
    project: Path | None = None
    """The user's project whose stages they use."""


def link_shots(shots: Sequence[ResolvedShot]) -> Iterator[ResolvedShot]:
    """Link each shot of a film to the one before it, if that one is its neighbour."""
    from clockhead.scenes.stage import Predecessor

    for before, this in zip([None, *shots], shots, strict=False):
        after = None
        if before is not None and before.number + 1 == this.number:
            after = Predecessor(before.stage, before.shot)
        yield replace(this, shot=replace(this.shot, after=after, is_last=this is shots[-1]))
