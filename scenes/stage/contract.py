"""What a stage is given and what it reports: plain data that travels between processes."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from clockhead.scenes.language import ENGLISH, Language
from clockhead.scenes.stage.data_files import DataFile
from clockhead.scenes.style.fonts import Font
from clockhead.scenes.style.looks import Captions, ThemeName
from clockhead.scenes.style.own_look import CLOCKHEAD_LOOK, OwnLook
from clockhead.scenes.style.pictures import PictureFile
from clockhead.scenes.style.type import advance


class StageInputs(BaseModel):
    """What a stage takes: every field bounded, described, and with a default."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )


EvenInt = Annotated[int, Field(multiple_of=2)]
"""The width of vectors that are taken two numbers at a time."""


def composed(text: Any) -> Any:
    """A text in NFC, so that two spellings of a word are one token."""
    return unicodedata.normalize("NFC", text) if isinstance(text, str) else text


def _drawn(text: str) -> str:
    """A text, if all of its letters can be drawn."""
    advance(text)
    return text


Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=160,
        pattern=r"^[^\s$#{}\\\x00-\x1f\x7f-\x9f]+( [^\s$#{}\\\x00-\x1f\x7f-\x9f]+)*$",
        description="words of letters, digits and signs, but for $ # { } and \\, one space between "
        "them; one word is one token",
    ),
    AfterValidator(_drawn),
    BeforeValidator(composed),  # the last: what stands behind it would not see the pattern
]
"""What stands between two spaces is a token. Signs that templates and formulas mean are none."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a stage says about its values, whether it holds, and what was found instead."""

    says: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class FilmCredits:
    """The film that a shot is part of: what it is called and whom it is owed to."""

    title: str = ""
    credit: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """How long a voice takes for each sentence of a shot."""

    voice: str
    """Whose voice it is, down to the version and the speed."""
    seconds: tuple[float, ...]
    """For the title's question, every sentence in order, and the caption."""


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything a stage needs to be drawn. The texts are filled in already."""

    inputs: StageInputs
    title: str
    question: str
    caption: str
    lines: tuple[tuple[str, str], ...] = ()
    """The question and the sentence of each beat that is told; either may be empty."""
    hold: float = 0.0
    language: Language = ENGLISH
    fonts: tuple[Font, ...] = ()
    """The user's: for letters that the text face lacks, or in its place."""
    theme: ThemeName = "chalk"
    own: OwnLook = CLOCKHEAD_LOOK
    """What the user's look.yaml changes."""
    pictures: tuple[PictureFile, ...] = ()
    """The user's, which its inputs name."""
    data: tuple[DataFile, ...] = ()
    """The user's data files that its values were computed with."""
    captions: Captions = "burnt"
    pace: float = 1.0
    """How much quicker than usual everything moves; sentences stay until they can be read."""
    spoken: Spoken | None = None
    """What is heard, if anything is: no sentence goes before it is spoken."""
    film: FilmCredits = FilmCredits()
    is_last: bool = False
    """Whether the film ends with it, and its credit is to be seen."""
    values: Any = field(default=None, compare=False, repr=False)
    """What the stage computed for these inputs, if somebody has done so already."""
    after: Predecessor | None = None
    """The shot whose last picture this one begins with."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything that is said before the caption, questions too, in order."""
        return tuple(filter(None, chain.from_iterable(self.lines)))


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
class CaptionLine:
    """A sentence of the caption band, and the frame with which it appears."""

    text: str
    frame: int
    asks: bool = False
    """Whether it is a question that is held before the next sentence answers it."""
