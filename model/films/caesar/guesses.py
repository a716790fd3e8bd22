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
"""Factor on the logits with which softmax is nearly one-hot for a long text."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunningGuesses(Values):
    """The predictions of the Caesar transformer after every character of a ciphertext."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[
        CaesarTransformer, Doc("forward pass of the transformer on the ciphertext")
    ]
    is_right: Annotated[
        Bools, Doc("whether the true rotation is predicted, after every character; (T,)")
    ]
    n_wrong: Annotated[Count, Doc("number of wrong predictions")]
    turns: Annotated[
        Ints, Doc("numbers of characters after which the prediction changes, and 1; (k,)")
    ]
    relapse: Annotated[
        Characters,
        Doc("number of characters after which a right prediction first becomes wrong; 0 if never"),
    ]
    shares: Annotated[Floats, Doc("softmax of the last logits; (26,)")]
    share: Annotated[Share, Doc("probability of the last prediction, by softmax")]
    sharpness: Annotated[Count, Doc("factor on the logits for a sharp softmax")]
    sharp: Annotated[Floats, Doc("softmax of the last logits times this factor; (26,)")]
    sharp_share: Annotated[Share, Doc("probability of the last prediction, by this sharp softmax")]
    even: Annotated[Share, Doc("probability of each rotation if all are equal, 1 in 26")]


def running_guesses(cryptogram: Cryptogram) -> RunningGuesses:
    """Run the hand-built transformer on a ciphertext."""
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
