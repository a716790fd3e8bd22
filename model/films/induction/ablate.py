"""The induction circuit with a layer switched off, or with layer 0 attending one step too far back.

Without layer 0, no previous tokens are stored, all scores of layer 1 are 0, and the output is the
frequency of each token in the text, in any order. Without layer 1, the output is 0.
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
    """The whole circuit, and three broken versions of it."""

    both: Annotated[Induction, Doc("the circuit with both layers on")]
    no_layer_0: Annotated[Induction, Doc("the circuit with layer 0 off")]
    no_layer_1: Annotated[Induction, Doc("the circuit with layer 1 off")]
    two_back: Annotated[Induction, Doc("the circuit with layer 0 attending two positions back")]
    frequent: Annotated[
        tuple[str, ...],
        Doc("the most frequent tokens of the text, which are predicted without layer 0"),
    ]
    says: Annotated[
        tuple[str, ...], Doc("tokens predicted with layer 0 attending two positions back")
    ]
    shares_a_word: Annotated[
        bool, Doc("whether a token is predicted both with and without layer 0")
    ]


def ablations(
    tokens: tuple[str, ...], vocabulary: Vocabulary, alpha: float, beta: float
) -> Ablations:
    """Run the circuit on a text: whole, with either layer off, and with a wrong offset."""
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
