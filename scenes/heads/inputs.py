"""What the stages of this family share: whose heads they show, and which part of the text."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.model.trained.transformer import trained_patterns
from clockhead.scenes.stage import DataName, StageInputs, said
from clockhead.scenes.trained.inputs import Moment

PLACES = (
    "the token before",
    "after the same token",
    "the same token",
    "the first token",
    "itself",
)
"""The five places that are looked for, in the order of `TARGETS`."""

Layer = Annotated[int, Field(ge=0, le=47, description="the layer of the head, from 0")]
Head = Annotated[int, Field(ge=0, le=63, description="the head's number in its layer, from 0")]
First = Annotated[
    int | None,
    Field(
        ge=0,
        le=511,
        description="the first token that is shown; where it is not set, those are shown in which "
        "the heads show most",
    ),
]


TEXT = "wug saw zorp and wug saw zorp and wug saw zorp"
"""What the small transformer reads."""
MOMENT: Moment = 2000
"""After how many steps of its training."""


class ModelInputs(StageInputs):
    """Whose heads are shown, reading which text."""

    data: DataName = ""
    text: str = Field(
        TEXT,
        min_length=1,
        max_length=63,
        pattern=r"^[a-z]+( [a-z]+)*$",
        description="what the small transformer that comes with Clockhead reads, letters a to z "
        "and one space between words; a data file has its own text",
    )
    moment: Moment = Field(
        MOMENT, description="after how many steps of training; a data file is of one moment"
    )


def spoken_places() -> tuple[str, ...]:
    """The names of the five places, in the language that is spoken."""
    return tuple(map(said, PLACES))


def patterns_seen(data: AttentionPatterns | None, text: str, moment: int) -> AttentionPatterns:
    """The patterns of a file, or of the small transformer.

    Raises:
        ValueError: for a text or a moment beside a file, which has its own.
    """
    if data is not None and text != TEXT:
        raise ValueError("text must be left out: the data file has its own text")
    if data is not None and moment != MOMENT:
        raise ValueError("moment must be left out: the data file is of one moment")
    return trained_patterns(text, moment) if data is None else data
