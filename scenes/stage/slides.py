"""Slides: the contract of the stages that were made before beats.

Such a stage draws in a `construct` of its own, finds its sentences by number, and gives its facts
by name. The films still made of them are ported one by one; then this module goes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np
from manim import Animation
from manim.utils.exceptions import EndSceneEarlyException
from numpy.typing import NDArray

from scenes.facts import Fact, fill
from scenes.stage.contract import Beat, Finding, StageInputs
from scenes.stage.stage import Stage


class Slide(Stage):
    """A stage that says its numbered `notes` when its `construct` tells it to."""

    takes_over = False
    notes: ClassVar[tuple[str, ...]] = ()
    """What is being shown, sentence by sentence, where the caption will stand."""

    @classmethod
    def facts(cls, values: Any) -> dict[str, Fact]:
        """Named numbers and words for captions, expectations and exports."""
        raise NotImplementedError

    @classmethod
    def checks(cls, values: Any) -> list[Finding]:
        """What the pictures and texts assert, and whether it holds."""
        return []

    @classmethod
    def narration(cls, values: Any) -> tuple[str, ...]:
        """The notes, filled with the facts; a stage whose story varies in length tells its own."""
        return tuple(fill(note, cls.facts(values)) for note in cls.notes)

    @classmethod
    def facts_of(cls, inputs: StageInputs, values: Any) -> Mapping[str, Fact]:
        facts = cls.facts(values)
        return {k: v.item() if isinstance(v, np.generic) else v for k, v in facts.items()}

    @classmethod
    def findings(cls, inputs: StageInputs, values: Any) -> list[Finding]:
        return cls.checks(values)

    @classmethod
    def sentences(cls, inputs: StageInputs, values: Any) -> tuple[str, ...]:
        return cls.narration(values)

    @classmethod
    def arrays(cls, values: Any) -> dict[str, NDArray[Any]]:
        """Every array behind the pictures; by default, the array fields of `values`."""
        pairs = ((field.name, getattr(values, field.name)) for field in dataclasses.fields(values))
        return {name: value for name, value in pairs if isinstance(value, np.ndarray)}

    def tear_down(self) -> None:
        """Say the caption; Manim's `-n` may have ended the scene before."""
        with suppress(EndSceneEarlyException):
            self._close()

    def say(self, note: int) -> Animation:
        """Let a note take the place of what the caption band says."""
        return self._say(self._shot.notes[note])

    def beat(self, name: str) -> None:
        """Open a step of the story."""
        self.beats.append(Beat(name, self.frame))
