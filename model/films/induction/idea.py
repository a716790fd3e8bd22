"""A text, what a reader says comes next, and what a head of one layer says."""

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
    """A text, what a reader says comes next, and what a head of one layer says."""

    text: Annotated[Continuation, Doc("where the last word stood before, and what followed")]
    echo: Annotated[Echo, Doc("the head that looks for its own token")]
    is_made_up: Annotated[bool, Doc("whether no language has any word of the text")]


def riddle(tokens: tuple[str, ...], vocabulary: Vocabulary, beta: float) -> Riddle:
    """Both for `tokens`, all from `vocabulary`; `beta` is the scale of the head's scores."""
    return Riddle(
        text=continuation(tokens, vocabulary),
        echo=echo(tokens, vocabulary, beta),
        is_made_up=MADE_UP.issuperset(tokens[1:]),
    )
