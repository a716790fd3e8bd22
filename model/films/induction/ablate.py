"""The induction head with a layer switched off, or with layer 0 looking one step too far back.

Without layer 0 nothing is noted, all scores of layer 1 are 0, and the output is how often each
token stands in the text, whatever the order. Without layer 1 nothing is read, and the output is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Values
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class Ablations(Values):
    """The whole head, and what is left of it."""

    both: Annotated[Induction, Doc("the head with both layers on")]
    no_layer_0: Annotated[Induction, Doc("the head with layer 0 off")]
    no_layer_1: Annotated[Induction, Doc("the head with layer 1 off")]
    two_back: Annotated[Induction, Doc("the head with layer 0 looking two positions back")]
    frequent: Annotated[
        tuple[str, ...], Doc("the tokens that stand most often: what is said without layer 0")
    ]
    says: Annotated[tuple[str, ...], Doc("what is said with layer 0 looking two positions back")]
    shares_a_word: Annotated[
        bool, Doc("whether the head without layer 0 says one of the tokens that it says with it")
    ]


def ablations(
    tokens: tuple[str, ...], vocabulary: Vocabulary, alpha: float, beta: float
) -> Ablations:
    """Run the head over a text, whole, with either layer off, and with layer 0 set wrong."""
    head = partial(induction, tokens, vocabulary, alpha=alpha, beta=beta)
    both, two_back = head(), head(offset=2)
    counts = np.bincount(both.text.indices, minlength=len(vocabulary))  # (V,)
    frequent = tuple(vocabulary.tokens[k] for k in np.flatnonzero(counts == counts.max()))
    return Ablations(
        both=both,
        no_layer_0=head(layer_0=False),
        no_layer_1=head(layer_1=False),
        two_back=two_back,
        frequent=frequent,
        says=two_back.says,
        shares_a_word=not set(frequent).isdisjoint(both.says),
    )
