"""Inputs of this film's stages: a text, a training step, and a head."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from clockhead.model.films.trained.comeback import FEWEST, comeback
from clockhead.scenes.stage import StageInputs

MOST_LETTERS = 20
"""Longer texts would be illegible as the rows of a pattern."""


def _check_repetition(text: str) -> str:
    comeback(text)
    return text


def _parse_head(head: Any) -> Any:
    """The name of a head, also if YAML has parsed it as a number."""
    return f"{head:.1f}" if isinstance(head, float) else head


ComingBack = Annotated[
    str,
    Field(min_length=3, max_length=MOST_LETTERS, pattern=r"^[a-z]+( [a-z]+)*$"),
    AfterValidator(_check_repetition),
]
"""A text that ends with letters that occur earlier in it."""
OTHER_TEXTS = ("banana ban", "clockhead clock", "hello world hello w")
"""More such texts, as stops of a handle."""
Moment = Literal[0, 50, 150, 300, 350, 400, 450, 500, 600, 800, 1200, 2000]
"""The training steps at which the weights were saved."""
MOMENTS = ",".join(map(str, get_args(Moment)))
"""The same as stops of a handle."""
Late = Literal[600, 800, 1200, 2000]
"""The steps among them at which heads of layer 0 look back."""
LATE_MOMENTS = ",".join(map(str, get_args(Late)))
"""The same as stops of a handle."""
HeadName = Annotated[
    Literal["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "1.2", "1.3"], BeforeValidator(_parse_head)
]
"""The name of a head: its layer and its number there, both from 0."""
PositionHead = Annotated[Literal["0.0", "0.1", "0.3"], BeforeValidator(_parse_head)]
"""The name of a head of layer 0 that attends by position."""


class Trained(StageInputs):
    """A text for the trained transformer."""

    text: ComingBack = Field(
        "zorpanik zorpa",
        description=f"words of letters a to z, up to {MOST_LETTERS} characters, separated by "
        f"single spaces; at least the last {FEWEST} characters must occur earlier",
    )


class TrainedMoment(Trained):
    """A text, and a training step."""

    moment: Moment = Field(2000, description="training step")


class LateMoment(Trained):
    """A text, and a training step at which heads of layer 0 look back."""

    late_moment: Late = Field(
        2000, description="training step, among those at which heads look back"
    )


class TrainedHead(TrainedMoment):
    """A text, a training step, and a head."""

    head: HeadName = Field("0.1", description="the head, as layer.head, both from 0")

    @property
    def place(self) -> tuple[int, int]:
        """Layer and head, both from 0."""
        layer, head = map(int, self.head.split("."))
        return layer, head
