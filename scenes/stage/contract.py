"""The input and output of a stage: plain data that can be sent between processes."""

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
    """The inputs of a stage: every field has bounds, a description and a default."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, validate_default=True
    )


EvenInt = Annotated[int, Field(multiple_of=2)]
"""The width of vectors whose components are used in pairs."""


def composed(text: Any) -> Any:
    """Normalize a text to NFC, so that two spellings of a word are one token."""
    return unicodedata.normalize("NFC", text) if isinstance(text, str) else text


def _check_drawable(text: str) -> str:
    """Check that all letters of a text can be drawn, and return it."""
    advance(text)
    return text


Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=160,
        pattern=r"^[^\s$#{}\\\x00-\x1f\x7f-\x9f]+( [^\s$#{}\\\x00-\x1f\x7f-\x9f]+)*$",
        description="words separated by single spaces, one token each; any letters, digits and "
        "signs except $ # { } and \\",
    ),
    AfterValidator(_check_drawable),
    BeforeValidator(
        composed
    ),  # last, because Pydantic would not see the pattern of the types after it
]
"""A text of tokens separated by spaces, without the special characters of templates."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking a claim: what it says, whether it holds, and what is true instead."""

    says: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class FilmCredits:
    """Title and credit of the film that a shot is part of."""

    title: str = ""
    credit: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The durations of the spoken sentences of a shot."""

    voice: str
    """The voice, including its version and speed."""
    seconds: tuple[float, ...]
    """For the title's question, every sentence in order, and the caption."""


@dataclass(frozen=True, slots=True)
class Shot:
    """Everything that a stage needs to be drawn. Facts are already filled into the texts."""

    inputs: StageInputs
    title: str
    question: str
    caption: str
    lines: tuple[tuple[str, str], ...] = ()
    """The question and the sentence of each beat that is played; either may be empty."""
    hold: float = 0.0
    language: Language = ENGLISH
    fonts: tuple[Font, ...] = ()
    """The user's fonts, for letters that the text face lacks, or to replace it."""
    theme: ThemeName = "chalk"
    own: OwnLook = CLOCKHEAD_LOOK
    """The changes of the user's look.yaml."""
    pictures: tuple[PictureFile, ...] = ()
    """The user's pictures that its inputs name."""
    data: tuple[DataFile, ...] = ()
    """The user's data files that its values were computed with."""
    captions: Captions = "burnt"
    pace: float = 1.0
    """Factor on the speed of all motions; sentences stay until they have been read."""
    spoken: Spoken | None = None
    """The voice-over, if there is one: no sentence disappears before it has been spoken."""
    film: FilmCredits = FilmCredits()
    is_last: bool = False
    """Whether it is the last shot of the film, and shows its credit."""
    values: Any = field(default=None, compare=False, repr=False)
    """The values computed for these inputs, if they are known already."""
    after: Predecessor | None = None
    """The shot whose last picture this one begins with."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences before the caption, including questions, in order."""
        return tuple(filter(None, chain.from_iterable(self.lines)))


@dataclass(frozen=True, slots=True)
class Predecessor:
    """The shot before, with the name of its stage. It is played without its own predecessor."""

    stage: str
    shot: Shot


@dataclass(frozen=True, slots=True)
class Beat:
    """The name of a beat that was played, and its first frame."""

    name: str
    frame: int


@dataclass(frozen=True, slots=True)
class CaptionLine:
    """A sentence in the caption band, and the frame in which it appears."""

    text: str
    frame: int
    asks: bool = False
    """Whether it is a question that is shown before the sentence that answers it."""
