"""Beats: the steps of a stage, each with its sentence.

    @beat("Softmax turns each row into shares.", ask="15.3 against 16: is that enough?")
    def softmax(self) -> Steps:
        yield self.grid.to(self["head.pattern"])

A beat yields what to play: an animation, several simultaneous ones in a tuple, or a pause in
seconds. The stage shows the sentence with the first of them, and waits after the last until the
sentence has been read. A question (`ask`) is shown before that for a while, so that viewers can
guess.

Animations with weights share the time that the sentence takes to read, one after the other:

        yield 3 * self.grid.to(self["head.pattern"]), 1 * FadeIn(self.label)

Weights with a sum of less than 1 leave some of that time unused: `0.6 * move` takes 60 % of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal

from clockhead.scenes.stage.rhythm import PAUSE
from clockhead.scenes.style.motion import Moves, together

Step = Any
"""An animation (or Manim's `.animate`), a tuple or list of animations, or seconds."""
Steps = Iterator[Step]


class Caption(Enum):
    """The type of `CAPTION`."""

    CAPTION = "caption"


CAPTION: Final = Caption.CAPTION
"""Used as a beat's sentence: the stage's caption, which a storyboard may replace."""
Sentence = str | Callable[[Any], str] | Literal[Caption.CAPTION]
"""A template over facts, a function of the values that chooses one, or `CAPTION`."""


@dataclass(frozen=True, slots=True)
class BeatSpec:
    """The sentence of a beat, and the condition under which it is played."""

    method: str
    sentence: Sentence
    ask: Sentence
    when: Callable[[Any], bool] | None
    rest: float
    """Minimum number of seconds for which its last picture is shown."""
    focus: tuple[str, ...] = ()
    """The attributes of the stage that the beat is about."""

    @property
    def key(self) -> str:
        """The name of the beat in a storyboard."""
        return self.method.strip("_")

    @property
    def name(self) -> str:
        """The name of the beat in chapters and on contact sheets."""
        return self.key.replace("_", " ")

    def told(self, values: Any) -> bool:
        """Whether the beat is played for these values."""
        return self.when is None or bool(self.when(values))

    def lines(self, values: Any) -> tuple[str, str]:
        """Its question and its sentence for these values, as templates; empty if there is none."""
        return _choose_sentence(self.ask, values), _choose_sentence(self.sentence, values)

    @property
    def says_caption(self) -> bool:
        """Whether it says the stage's caption."""
        return self.sentence is CAPTION


def beat(
    sentence: Sentence = "",
    *,
    ask: Sentence = "",
    when: Callable[[Any], bool] | None = None,
    rest: float = PAUSE,
    focus: str | tuple[str, ...] = (),
) -> Callable[[Callable[[Any], Steps]], Callable[[Any], Steps]]:
    """Make a method a beat of its stage; beats are played in the order of their definitions.

    With `rest=REST`, the last picture of an important beat is shown for longer. `focus` names the
    attributes that the beat is about; `FocusChecker` checks at its end that they are large enough.
    """
    names = (focus,) if isinstance(focus, str) else focus

    def mark(method: Callable[[Any], Steps]) -> Callable[[Any], Steps]:
        if not inspect.isgeneratorfunction(method):
            raise TypeError(f"the beat {method.__name__} must yield what it plays")
        method.__dict__["beat"] = BeatSpec(method.__name__, sentence, ask, when, rest, names)
        return method

    return mark


def beats_of(stage: type) -> list[BeatSpec]:
    """The beats of a stage in order; a beat that a subclass overrides keeps its place.

    If the stage sets `tells`, only the beats named there, in that order.
    """
    found: dict[str, BeatSpec] = {}
    for kind in reversed(stage.__mro__):
        for name, member in vars(kind).items():
            spec = getattr(member, "beat", None) if inspect.isfunction(member) else None
            if isinstance(spec, BeatSpec):
                found[name] = spec
    told = getattr(stage, "tells", ()) or found
    if unknown := [name for name in told if name not in found]:
        raise AttributeError(f"{stage.__name__} tells {unknown[0]!r}, which is no beat of it")
    return [found[name] for name in told]


def plays_of(step: Step, reading: float) -> list[float | tuple[Any, ...]]:
    """The plays of a step, one after the other: seconds to wait, or simultaneous animations.

    Animations with weights share `reading` seconds.

    Raises:
        TypeError: if only some of the animations have weights.
    """
    if isinstance(step, int | float):
        return [float(step)]
    moves = list(step) if isinstance(step, tuple | list) else [step]
    weighted = [move for move in moves if isinstance(move, Moves) and move.weight is not None]
    if not weighted:
        return [together(*moves).animations]
    if len(weighted) < len(moves):
        raise TypeError("a step in which some animations have weights and others do not")
    each = reading / max(1.0, sum(move.weight or 0.0 for move in weighted))
    return [move.last((move.weight or 0.0) * each) for move in weighted]


def _choose_sentence(sentence: Sentence, values: Any) -> str:
    if isinstance(sentence, Caption):
        return ""
    return sentence if isinstance(sentence, str) else sentence(values)
