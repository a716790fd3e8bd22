"""The rotation that the Caesar transformer predicts after every character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values
from clockhead.model.attention.pattern import softmax
from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.transformer import CaesarTransformer, caesar_transformer
from clockhead.model.units import Characters, Count, Doc, Share

SHARPNESS = 300
"""With so many times the logits, softmax gives nearly all to the largest of a long text."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunningGuesses(Values):
    """A ciphertext, the transformer that reads it, and after which characters it is right."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[CaesarTransformer, Doc("the transformer that reads the ciphertext")]
    is_right: Annotated[
        Bools, Doc("whether the true rotation is predicted after every character; (T,)")
    ]
    n_wrong: Annotated[Count, Doc("the number of wrong guesses")]
    turns: Annotated[
        Ints, Doc("after how many characters the guess is a new one, the first among them; (k,)")
    ]
    relapse: Annotated[
        Characters, Doc("after how many the guess is wrong once it was right; 0 if never")
    ]
    shares: Annotated[Floats, Doc("what softmax makes of the last logits; (26,)")]
    share: Annotated[Share, Doc("the share that softmax gives the last guess")]
    sharpness: Annotated[Count, Doc("by how much logits are multiplied to be sharp")]
    sharp: Annotated[Floats, Doc("what softmax makes of the last logits, multiplied so; (26,)")]
    sharp_share: Annotated[Share, Doc("what it then gives the rotation predicted in the end")]
    even: Annotated[Share, Doc("what each rotation would have if all were alike")]


def running_guesses(cryptogram: Cryptogram) -> RunningGuesses:
    """Let the handmade transformer read a ciphertext."""
    transformer = caesar_transformer(cryptogram.tokens)
    shares, sharp = (softmax(k * transformer.logits[-1]) for k in (1, SHARPNESS))  # (26,)
    is_right = transformer.predictions == cryptogram.rotation  # (T,)
    falls = np.flatnonzero(is_right[:-1] & ~is_right[1:])  # (0 to T - 1,)
    return RunningGuesses(
        cryptogram=cryptogram,
        transformer=transformer,
        is_right=is_right,
        n_wrong=int((~is_right).sum()),
        turns=np.append(1, np.flatnonzero(np.diff(transformer.predictions)) + 2),
        relapse=int(falls[0]) + 2 if falls.size else 0,
        shares=shares,
        share=float(shares[transformer.found]),
        sharpness=SHARPNESS,
        sharp=sharp,
        sharp_share=float(sharp[transformer.found]),
        even=1 / N_ROTATIONS,
    )
