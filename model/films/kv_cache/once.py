"""How often the query, the key and the value of every token are needed while a text is written.

Source: primer on attention, section 3: a query is needed in its own step, keys and values are
needed in all steps from then on, which is why a cache keeps these two and no queries.
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
    """A text that is written token by token: each asks all so far, itself included."""

    tokens: Annotated[tuple[str, ...], Doc("the tokens of the text, in order")]
    n_tokens: Annotated[Tokens, Doc("length of the text, and as many steps")]
    counts: Annotated[ScoreCounts, Doc("which tokens every step needs")]
    vectors: Annotated[
        tuple[str, ...], Doc("what every token has: a query, a key and a value; (3,)")
    ]
    uses_so_far: Annotated[
        Ints,
        Doc("how many steps have needed each of the `vectors` of each token; (steps + 1, 3, T)"),
    ]
    first_key_uses: Annotated[
        Count, Doc("how many steps need the key, and the value, of the first token")
    ]


def token_uses(tokens: tuple[str, ...]) -> TokenUses:
    """The text `tokens`, its uses counted at first and after every step.

    A value is needed whenever its key is. Raises ValueError for no tokens, or more than 128.
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
