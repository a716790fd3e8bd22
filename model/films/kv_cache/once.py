"""How often the query, key and value of every token are used while a text is generated.

Source: primer on attention, section 3: a query is used in its own step only, a key and a value in
all steps from then on. This is why a cache keeps keys and values, but no queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Ints, Values
from clockhead.model.transformer.cache_sizes import ScoreCounts, score_counts
from clockhead.model.units import Count, Doc, Tokens


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenUses(Values):
    """Uses of queries, keys and values in a text that is generated token by token."""

    tokens: Annotated[tuple[str, ...], Doc("tokens of the text, in order")]
    n_tokens: Annotated[Tokens, Doc("length of the text, which is also the number of steps")]
    counts: Annotated[ScoreCounts, Doc("tokens that every step uses")]
    vectors: Annotated[
        tuple[str, ...], Doc("names of the vectors of a token: query, key and value; (3,)")
    ]
    uses_so_far: Annotated[
        Ints,
        Doc("uses so far of each vector of each token, from 0 steps on; (steps + 1, 3, T)"),
    ]
    first_key_uses: Annotated[
        Count, Doc("number of steps that use the key, and the value, of the first token")
    ]


def token_uses(tokens: tuple[str, ...]) -> TokenUses:
    """Count the uses of all vectors of the text `tokens`, step by step.

    A value is used whenever its key is. Raises ValueError for no tokens, or more than 128.
    """
    counts = score_counts(len(tokens))
    keys = counts.keys_used  # (steps, T)
    used = np.stack([counts.queries_used, keys, keys], axis=1)  # (steps, 3, T)
    so_far = np.pad(used.cumsum(axis=0, dtype=np.int64), ((1, 0), (0, 0), (0, 0)))
    return TokenUses(
        tokens=tokens,
        n_tokens=len(tokens),
        counts=counts,
        vectors=("query", "key", "value"),
        uses_so_far=so_far,
        first_key_uses=int(so_far[-1, 1, 0]),
    )
