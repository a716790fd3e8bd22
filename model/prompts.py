"""Texts that an induction head continues: letters and spaces, with or without a first token BOS."""

from __future__ import annotations

import string
from collections.abc import Sequence

from model.tokens import Vocabulary, letters

BOS = "!"  # beginning of sequence, written as in the slides on the one-hot induction head
PROMPT_TOKENS = Vocabulary((BOS, *string.ascii_lowercase, " "))


def prompt(text: str, bos: bool | None = None) -> tuple[str, ...]:
    """The characters of `text`, each a token of `PROMPT_TOKENS`.

    Whether BOS comes first is as typed if `bos` is None; True adds it, False takes it away.
    Raises ValueError for a text without a letter or space, another character, or a later BOS.
    """
    rest = text.removeprefix(BOS)
    if BOS in rest:
        place = text.index(BOS, len(text) - len(rest))
        raise ValueError(
            f"text must have {BOS!r} at its beginning or nowhere, got it at position {place}"
        )
    first = rest != text if bos is None else bos
    return ((BOS,) if first else ()) + letters(rest)


def prompt_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The different tokens of a prompt in the order of `PROMPT_TOKENS`: BOS, letters, space.

    As few as the prompt has, so that matrices stay small enough to be read.
    Raises ValueError for a token that no prompt has, and if there is none.
    """
    PROMPT_TOKENS.encode(tokens)
    present = set(tokens)
    return Vocabulary(tuple(token for token in PROMPT_TOKENS.tokens if token in present))
