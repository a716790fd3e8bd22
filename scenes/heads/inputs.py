"""Inputs of the stages about trained heads: the model, its text, and the part that is shown."""

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
"""Names of the five places that heads may look at, in the order of `TARGETS`."""

Layer = Annotated[int, Field(ge=0, le=47, description="the layer of the head, from 0")]
Head = Annotated[int, Field(ge=0, le=63, description="the head's number in its layer, from 0")]
First = Annotated[
    int | None,
    Field(
        ge=0,
        le=511,
        description="position of the first token shown; default: the part of the text where the "
        "heads attend most clearly",
    ),
]


TEXT = "wug saw zorp and wug saw zorp and wug saw zorp"
"""Default text of the small transformer."""
MOMENT: Moment = 2000
"""Default training step of the small transformer."""


class ModelInputs(StageInputs):
    """The model, and the text that it reads."""

    data: DataName = ""
    text: str = Field(
        TEXT,
        min_length=1,
        max_length=63,
        pattern=r"^[a-z]+( [a-z]+)*$",
        description="the text for the small transformer included in Clockhead: words of letters "
        "a to z, one space between them; a data file has its own text",
    )
    moment: Moment = Field(
        MOMENT, description="training step of the small transformer; a data file has only one"
    )


def spoken_places() -> tuple[str, ...]:
    """The names of the five places, in the spoken language."""
    return tuple(map(said, PLACES))


def load_patterns(data: AttentionPatterns | None, text: str, moment: int) -> AttentionPatterns:
    """The attention patterns of a data file or of the small transformer.

    Raises:
        ValueError: if a text or a moment is given together with a data file, which has its own.
    """
    if data is not None and text != TEXT:
        raise ValueError("text must be left out: the data file has its own text")
    if data is not None and moment != MOMENT:
        raise ValueError("moment must be left out: the data file is of one moment")
    return trained_patterns(text, moment) if data is None else data
