"""Declarations of a stage about its inputs: claims that must hold, and handles for pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about a stage's values; a film for which it does not hold is not rendered.

    `holds` is a function of the values; `found` is a template over the facts that says what is true
    instead. A claim that holds for all legal inputs belongs in the tests of the model.
    """

    says: str
    holds: Callable[[Any], bool]
    found: str


@dataclass(frozen=True, slots=True)
class Handle:
    """An input that readers of a page can change, to see the picture and the sentence change.

    A handle has stops, and a picture is rendered for each of them. Claims may fail at a stop; the
    page then says so.
    """

    input: str
    """The name of the input."""
    stops: str | tuple[Any, ...]
    """Its values, besides the film's own: `"1:20"`, `"0.5,1,2:10:2"`, or the values themselves."""
    beat: str | tuple[str, ...] = ()
    """The beat whose last picture is shown, by default the last one of the shot.

    Of several beats, the first one that is played for the values is used; of several handles of a
    stage, the first one that names beats.
    """

    @property
    def beats(self) -> tuple[str, ...]:
        """The names in `beat`, as a tuple."""
        return (self.beat,) if isinstance(self.beat, str) else self.beat
