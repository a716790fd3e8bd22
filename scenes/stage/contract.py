"""What a stage is given and what it reports: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from scenes.style.theme import ThemeName

READING_SPEED = 15.0
"""Characters that a viewer reads in a second."""


class StageInputs(BaseModel):
    """What a stage takes: every field bounded, described, and with a default."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )


EvenInt = Annotated[int, Field(multiple_of=2)]
"""The width of vectors that are taken two numbers at a time."""
Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=120,
        pattern=r"^[a-z]+( [a-z]+)*$",
        description="words of letters a to z, one space between them; one word is one token",
    ),
]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a stage says about its values, whether it holds, and what was found instead."""

    says: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class Film:
    """The film that a shot is part of: what it is called and whom it is owed to."""

    title: str = ""
    credit: str = ""


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything a stage needs to be drawn. The texts are filled in already."""

    inputs: StageInputs
    title: str
    question: str
    caption: str
    notes: tuple[str, ...] = ()
    """Every sentence that is said before the caption, in order."""
    hold: float = 0.0
    theme: ThemeName = "chalk"
    film: Film = Film()
    is_last: bool = False
    """Whether the film ends with it, and its credit is to be seen."""
    values: Any = field(default=None, compare=False, repr=False)
    """What the stage computed for these inputs, if somebody has done so already."""
    after: Predecessor | None = None
    """The shot whose last picture this one begins with."""


@dataclass(frozen=True, slots=True)
class Predecessor:
    """The shot before, and the name of its stage. It is played alone: nothing came before it."""

    stage: str
    shot: Shot


@dataclass(frozen=True, slots=True)
class Beat:
    """A step of the story, and the frame with which it begins."""

    name: str
    frame: int


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the caption band, and the frame with which it appears."""

    text: str
    frame: int
    asks: bool = False
    """Whether it is a question that is held before the next sentence answers it."""
