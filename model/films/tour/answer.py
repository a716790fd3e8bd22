"""An induction circuit, and the scores of a duplicate-token head, which finds only its own word.

Source: Chris Wendler's RoPE transformer, section 4; `model.induction.echo` for the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.induction.echo import echo
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class EchoedInduction(Induction):
    """An induction circuit with one-hot codes, and its scores if the words were the keys."""

    echoed_scores: Annotated[
        Floats,
        Doc("scores of the last row if each word were its own key, with the same beta; (T,)"),
    ]


def echoed_induction(
    tokens: tuple[str, ...], vocabulary: Vocabulary, alpha: float = 10.0, beta: float = 10.0
) -> EchoedInduction:
    """Run the induction circuit and the duplicate-token head on a text."""
    head = induction(tokens, vocabulary, alpha=alpha, beta=beta)
    scores = echo(tokens, vocabulary, beta).head.scores[-1]
    return EchoedInduction(**vars(head), echoed_scores=scores)
