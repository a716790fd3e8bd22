"""How often the query, the key and the value of every token are needed while a text is written.

Source: primer on attention, section 3: a query is needed in its own step, keys and values are
needed in all steps from then on, which is why a cache keeps these two and no queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, sealed_ints
from clockhead.model.transformer.cache_sizes import ScoreCounts
from clockhead.model.units import Count, Doc, Tokens


@dataclass(frozen=True)
class TokenUses:
    """The text `tokens`, written token by token: each asks all so far, itself included.

    Raises ValueError for a text of no tokens, or of more than 128.
    """

    tokens: Annotated[tuple[str, ...], Doc("the tokens of the text, in order")]

    def __post_init__(self) -> None:
        _ = self.counts.keys_used

    @cached_property
    def counts(self) -> ScoreCounts:
        """Which tokens every step needs."""
        return ScoreCounts(len(self.tokens), prompt=1)

    @property
    def vectors(self) -> tuple[str, ...]:
        """What every token has: a query, a key and a value; shape (3,)."""
        return "query", "key", "value"

    @property
    def n_tokens(self) -> Tokens:
        """Length of the text, and as many steps."""
        return len(self.tokens)

    @property
    def first_key_uses(self) -> Count:
        """How many steps need the key, and the value, of the first token."""
        return int(self.uses_so_far[-1, 1, 0])

    @cached_property
    def uses_so_far(self) -> Ints:
        """How many steps have needed each of the `vectors` of each token; (steps + 1, 3, T).

        At first, and after every step. A value is needed whenever its key is.
        """
        keys = self.counts.keys_used
        used = np.stack([self.counts.queries_used, keys, keys], axis=1)
        return sealed_ints(np.pad(used.cumsum(axis=0, dtype=np.int64), ((1, 0), (0, 0), (0, 0))))
