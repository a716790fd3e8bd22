"""The induction circuit on a text, and on texts of other words with the same repetitions.

The circuit only compares and copies, so its attention does not depend on the words.
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
"""Replacement words, eleven each: the most that a text can have."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnyWords(Values):
    """A text, and two versions of it with all words replaced."""

    head: Annotated[Induction, Doc("the induction circuit on the text")]
    sung: Annotated[Induction, Doc("the circuit on the text with words from `NOTES`")]
    named: Annotated[Induction, Doc("the circuit on the text with words from `PEOPLE`")]
    is_made_up: Annotated[bool, Doc("whether all words of the text are made up")]
    trained: Annotated[Training, Doc("training of the two scales on random texts")]
    apart: Annotated[
        Difference,
        Doc("largest difference of an attention weight between the texts, in either layer"),
    ]


def any_words(head: Induction) -> AnyWords:
    """Run the circuit on the text of `head` with its words replaced, equal words by equal ones."""
    words = head.tokens[1:]
    kinds = tuple(dict.fromkeys(words))

    def replace_words(others: tuple[str, ...]) -> Induction:
        tokens = (BOS_TOKEN, *(others[kinds.index(word)] for word in words))
        return induction(tokens, Vocabulary.of(tokens), alpha=head.alpha, beta=head.beta)

    sung, named = replace_words(NOTES), replace_words(PEOPLE)
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
