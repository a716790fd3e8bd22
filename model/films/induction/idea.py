"""A text, how a reader would continue it, and what a head of one layer predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.films.induction.other_texts import MADE_UP
from clockhead.model.induction.continuation import Continuation, continuation
from clockhead.model.induction.echo import Echo, echo
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class Riddle:
    """The continuation of a text by a reader, and the pass of a duplicate-token head."""

    text: Annotated[
        Continuation, Doc("earlier positions of the last word, and what followed it there")
    ]
    echo: Annotated[Echo, Doc("pass of the head that attends to its own token")]
    is_made_up: Annotated[bool, Doc("whether all words of the text are made up")]


def riddle(tokens: tuple[str, ...], vocabulary: Vocabulary, beta: float) -> Riddle:
    """The riddle of `tokens`, all from `vocabulary`; `beta` is the scale of the head's scores."""
    return Riddle(
        text=continuation(tokens, vocabulary),
        echo=echo(tokens, vocabulary, beta),
        is_made_up=MADE_UP.issuperset(tokens[1:]),
    )
