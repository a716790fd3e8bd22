"""What a stage declares about its inputs: claims that must hold, and handles that pages turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claim:
    """What a stage says about its values; a film for which it does not hold is not rendered.

    `holds` is a function of the values, `found` a template over the facts that says what is true
    instead. A claim that no legal input can break is no claim: it belongs to the model's tests.
    """

    says: str
    holds: Callable[[Any], bool]
    found: str


@dataclass(frozen=True, slots=True)
class Handle:
    """An input that readers of a page can turn, and see the picture and the sentence change.

    The handle has stops, and a picture is drawn for each: nothing in between is made up. Among the
    stops may be values for which a claim fails; the page then says so.
    """

    input: str
    """Its name."""
    stops: str | tuple[Any, ...]
    """Its values, the film's own aside: `"1:20"`, `"0.5,1,2:10:2"`, or the values themselves."""
    beat: str | tuple[str, ...] = ()
    """The beat whose last picture is shown: that of the shot, if none is named.

    Of several beats, the first that is told for the values counts; of several handles of a stage,
    the first that names any.
    """

    @property
    def beats(self) -> tuple[str, ...]:
        """The names in `beat`."""
        return (self.beat,) if isinstance(self.beat, str) else self.beat
