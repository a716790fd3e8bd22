"""The induction head over a text, and over others in which the same places repeat.

The head only compares and copies, so that its attention is the same whatever the words are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Values
from clockhead.model.films.induction.other_texts import MADE_UP
from clockhead.model.films.induction.training import Training, training
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.induction.prompts import BOS_TOKEN
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Difference, Doc

NOTES = ("la", "fu", "mi", "do", "re", "so", "ti", "ha", "ju", "ko", "ne")
PEOPLE = ("Ada", "Byron", "met", "Tom", "Hood", "and", "read", "old", "poems", "until", "noon")
"""Eleven words each, as many as a text can hold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnyWords(Values):
    """A text, and what becomes of it when every word is another one."""

    head: Annotated[Induction, Doc("both layers over the text")]
    sung: Annotated[Induction, Doc("both layers over the same text in `NOTES`")]
    named: Annotated[Induction, Doc("both layers over the same text in `PEOPLE`")]
    is_made_up: Annotated[bool, Doc("whether no language has any word of the text")]
    trained: Annotated[Training, Doc("both heads as they learn from random texts how to look")]
    apart: Annotated[
        Difference, Doc("the largest difference of attention, in either layer, from the text's")
    ]


def any_words(head: Induction) -> AnyWords:
    """Run the head over the text of `head` with its words replaced, the same ones by the same."""
    words = head.tokens[1:]
    kinds = tuple(dict.fromkeys(words))

    def replaced(others: tuple[str, ...]) -> Induction:
        tokens = (BOS_TOKEN, *(others[kinds.index(word)] for word in words))
        return induction(tokens, Vocabulary.of(tokens), alpha=head.alpha, beta=head.beta)

    sung, named = replaced(NOTES), replaced(PEOPLE)
    heads = head, sung, named
    both = [(one.forward.head_0.pattern, one.forward.head_1.pattern) for one in heads]
    return AnyWords(
        head=head,
        sung=sung,
        named=named,
        trained=training(head),
        is_made_up=MADE_UP.issuperset(words),
        apart=max(
            float(abs(mine - theirs).max())
            for others in both[1:]
            for mine, theirs in zip(both[0], others, strict=True)
        ),
    )
