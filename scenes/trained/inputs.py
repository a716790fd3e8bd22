"""What the stages of this film take: a text, a moment of the training, and a head."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from clockhead.model.films.trained.comeback import FEWEST, comeback
from clockhead.scenes.stage import StageInputs

MOST_LETTERS = 20
"""More are not legible as the rows of a pattern."""


def _ends_again(text: str) -> str:
    comeback(text)
    return text


def _as_name(head: Any) -> Any:
    """A head that YAML took for a number, as its name."""
    return f"{head:.1f}" if isinstance(head, float) else head


ComingBack = Annotated[
    str,
    Field(min_length=3, max_length=MOST_LETTERS, pattern=r"^[a-z]+( [a-z]+)*$"),
    AfterValidator(_ends_again),
]
"""A text whose end stood there before."""
OTHER_TEXTS = ("banana ban", "clockhead clock", "hello world hello w")
"""Some more of them, as stops of a handle."""
Moment = Literal[0, 50, 150, 300, 350, 400, 450, 500, 600, 800, 1200, 2000]
"""The steps of training after which the weights were kept."""
MOMENTS = ",".join(map(str, get_args(Moment)))
"""The same as stops of a handle."""
Late = Literal[600, 800, 1200, 2000]
"""Of these, the ones at which the heads of layer 0 look back."""
LATE_MOMENTS = ",".join(map(str, get_args(Late)))
"""The same as stops of a handle."""
HeadName = Annotated[
    Literal["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "1.2", "1.3"], BeforeValidator(_as_name)
]
"""A head by its name: its layer and its number in it, both from 0."""
PositionHead = Annotated[Literal["0.0", "0.1", "0.3"], BeforeValidator(_as_name)]
"""A head of layer 0 that looks at positions, by its name."""


class Trained(StageInputs):
    """A text that the trained transformer reads."""

    text: ComingBack = Field(
        "zorpanik zorpa",
        description=f"words of letters a to z, up to {MOST_LETTERS} characters, one space between "
        f"them; at least the last {FEWEST} characters stood there before",
    )


class TrainedMoment(Trained):
    """A text, and a moment of the training."""

    moment: Moment = Field(2000, description="after how many steps of training")


class LateMoment(Trained):
    """A text, and a moment at which the heads of layer 0 look back, each by so many letters."""

    late_moment: Late = Field(
        2000, description="after how many steps of training, once heads look back"
    )


class TrainedHead(TrainedMoment):
    """A text, a moment of the training, and a head."""

    head: HeadName = Field("0.1", description="the head, as layer.head, both from 0")

    @property
    def place(self) -> tuple[int, int]:
        """Layer and head, both from 0."""
        layer, head = map(int, self.head.split("."))
        return layer, head
