"""Beats: the steps of a stage's story, each with the sentence that belongs to it.

    @beat("Softmax turns each row into shares.", ask="15.3 against 16: is that enough?")
    def softmax(self) -> Steps:
        yield self.grid.to(self["head.pattern"])

A beat yields what is to be played: an animation, several together in a tuple, or a pause in
seconds. The stage says the sentence with the first of them, and leaves time to read it after the
last; a question (`ask`) is said before and held, so that a viewer can guess.

With weights, animations share the time that the sentence takes to read, one after the other:

        yield 3 * self.grid.to(self["head.pattern"]), 1 * FadeIn(self.label)

A sum of less than 1 leaves the rest of the time: `0.6 * move` takes 60 % of it.
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
"""An animation (or Manim's `.animate`), several in a tuple or list, or seconds."""
Steps = Iterator[Step]


class Caption(Enum):
    """The type of `CAPTION`."""

    CAPTION = "caption"


CAPTION: Final = Caption.CAPTION
"""In place of a beat's sentence: the stage's caption, which the storyboard may have replaced."""
Sentence = str | Callable[[Any], str] | Literal[Caption.CAPTION]
"""A template over facts, a function of the values that chooses one, or `CAPTION`."""


@dataclass(frozen=True, slots=True)
class BeatSpec:
    """What a beat says, and when it is told at all."""

    method: str
    sentence: Sentence
    ask: Sentence
    when: Callable[[Any], bool] | None
    rest: float
    """Seconds that its last picture stands at least."""
    focus: tuple[str, ...] = ()
    """The attributes of the stage that it speaks of."""

    @property
    def key(self) -> str:
        """What the beat is called in a storyboard."""
        return self.method.strip("_")

    @property
    def name(self) -> str:
        """What the beat is called in chapters and on contact sheets."""
        return self.key.replace("_", " ")

    def told(self, values: Any) -> bool:
        """Whether the story has this beat for these values."""
        return self.when is None or bool(self.when(values))

    def lines(self, values: Any) -> tuple[str, str]:
        """Its question and its own sentence for these values, as templates; else empty."""
        return _chosen(self.ask, values), _chosen(self.sentence, values)

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
    """Make a method a beat of its stage; beats are told in the order in which they are defined.

    The last picture of a beat that carries the point stands longer: `rest=REST`. `focus` names the
    attributes that it speaks of; at its end, they are checked to be large (`FocusChecker`).
    """
    names = (focus,) if isinstance(focus, str) else focus

    def mark(method: Callable[[Any], Steps]) -> Callable[[Any], Steps]:
        if not inspect.isgeneratorfunction(method):
            raise TypeError(f"the beat {method.__name__} must yield what it plays")
        method.__dict__["beat"] = BeatSpec(method.__name__, sentence, ask, when, rest, names)
        return method

    return mark


def beats_of(stage: type) -> list[BeatSpec]:
    """The beats of a stage in their order; one that a subclass defines anew keeps its place.

    Where the stage `tells` some of them, these alone and in that order.
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
    """What a step plays, one after the other: seconds to wait, or animations that begin together.

    Animations with weights share `reading` seconds.

    Raises:
        TypeError: when some of them have weights and others have none.
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


def _chosen(sentence: Sentence, values: Any) -> str:
    if isinstance(sentence, Caption):
        return ""
    return sentence if isinstance(sentence, str) else sentence(values)
