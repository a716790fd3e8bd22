"""The rotation that the Caesar transformer predicts after every character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Bools, Values
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.transformer import CaesarTransformer, caesar_transformer
from clockhead.model.units import Count, Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class RunningGuesses(Values):
    """A ciphertext, the transformer that reads it, and after which characters it is right."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[CaesarTransformer, Doc("the transformer that reads the ciphertext")]
    is_right: Annotated[
        Bools, Doc("whether the true rotation is predicted after every character; (T,)")
    ]
    n_wrong: Annotated[Count, Doc("after how many characters another rotation is predicted")]


def running_guesses(cryptogram: Cryptogram) -> RunningGuesses:
    """Let the handmade transformer read a ciphertext."""
    transformer = caesar_transformer(cryptogram.tokens)
    is_right = transformer.predictions == cryptogram.rotation  # (T,)
    return RunningGuesses(
        cryptogram=cryptogram,
        transformer=transformer,
        is_right=is_right,
        n_wrong=int((~is_right).sum()),
    )
