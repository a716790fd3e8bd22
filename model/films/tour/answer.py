"""An induction head, and what it would find without notes: its own word.

Source: Chris Wendler's RoPE transformer, section 4; `model.induction.echo` for the head without
notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.induction.circuit import Induction
from clockhead.model.induction.echo import Echo


@dataclass(frozen=True, eq=False)
class EchoedInduction(Induction):
    """An induction head with one-hot codes, and its scores if words were the keys, not notes."""

    @cached_property
    def echoed_scores(self) -> Floats:
        """What the last position scores with the word of each, by the same beta; shape (T,)."""
        return np.asarray(Echo(self.tokens, self.vocabulary, self.beta).head.scores[-1])
