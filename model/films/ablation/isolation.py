"""One word of a text exchanged for another: how far every row moves, with attention and without.

Attention is all that carries anything from token to token; the MLP and the unembedding read every
row by itself. Without attention no other row moves, with it the rows before still do not.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, appendix A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, whole
from clockhead.model.films.ablation.head_effects import HeadEffects, head_effects
from clockhead.model.primer.worked_block import WorkedBlock, compute_block
from clockhead.model.transformer.transformer import TransformerPass
from clockhead.model.units import Count, Doc, Length, Position


@dataclass(frozen=True, kw_only=True, eq=False)
class WordExchange(Values):
    """A text before and after one of its words is exchanged, with attention and without it."""

    before: Annotated[HeadEffects, Doc("the example as it was")]
    after: Annotated[HeadEffects, Doc("the example with the other word")]
    place: Annotated[Position, Doc("which token is exchanged")]
    word: Annotated[str, Doc("the token that comes in")]
    row: Annotated[Floats, Doc("its row; (d_model,)")]
    alone_before: Annotated[TransformerPass, Doc("the example as it was, with no attention at all")]
    alone_after: Annotated[
        TransformerPass, Doc("the example with the other word, with no attention at all")
    ]

    moves: Annotated[
        Floats,
        Doc("the length of what is added to each row, before and after each layer; (L + 1, T)"),
    ]
    moves_alone: Annotated[Floats, Doc("the same with no attention at all; (L + 1, T)")]
    reached: Annotated[
        Ints, Doc("the positions whose last row moves at all, with attention; (0 to T,)")
    ]
    n_reached: Annotated[
        Count,
        Doc("how many rows of the last layer move with attention, the exchanged one among them"),
    ]
    n_reached_alone: Annotated[
        Count, Doc("how many rows of the last layer move without it, the exchanged one among them")
    ]
    largest_move_alone: Annotated[
        Length,
        Doc("how far any row but that of the exchanged word moves without attention, at most"),
    ]


def exchange_word(
    block: WorkedBlock, place: int = 1, word: str | None = None, seed: int = 0
) -> WordExchange:
    """`block` with `word` at `place`: by default the first of its vocabulary not in its text.

    Its row is drawn with `seed`, as spread as the rows of `block`. Raises ValueError for a place
    outside the text, the word that stands there anyway, a vocabulary that is all in the text, a
    negative seed, and as `check_heads`.
    """
    if whole("place", place, at_least=0) >= block.n_tokens:
        raise ValueError(f"place must be below {block.n_tokens}, the tokens, got {place}")
    old = block.tokens[place]
    new = _first_absent(block.vocabulary, block.tokens) if word is None else word
    if new == old:
        raise ValueError(f"word must be another than {new!r}, which stands there")
    rng = np.random.default_rng([whole("seed", seed, at_least=0), 2])
    drawn = block.resid_pre.std() * rng.standard_normal(block.d_model)
    row = np.round(drawn, 2) + 0.0  # (d_model,), -0.0 becomes 0
    tokens, rows = list(block.tokens), block.resid_pre.copy()
    tokens[place], rows[place] = new, row
    before = head_effects(block)
    after = head_effects(compute_block(tokens, block.transformer, rows, block.vocabulary))
    alone_before, alone_after = (
        found.transformer.without_attention.on(found.resid_pre) for found in (before, after)
    )
    moves = np.linalg.norm(after.run.resids - before.run.resids, axis=2)  # (L + 1, T)
    moves_alone = np.linalg.norm(alone_after.resids - alone_before.resids, axis=2)  # (L + 1, T)
    reached = np.flatnonzero(moves[-1])
    return WordExchange(
        before=before,
        after=after,
        place=place,
        word=new,
        row=row,
        alone_before=alone_before,
        alone_after=alone_after,
        moves=moves,
        moves_alone=moves_alone,
        reached=reached,
        n_reached=len(reached),
        n_reached_alone=int((moves_alone[-1] > 0).sum()),
        largest_move_alone=float(np.delete(moves_alone[-1], place).max(initial=0.0)),
    )


def _first_absent(vocabulary: Sequence[str], tokens: Sequence[str]) -> str:
    absent = [word for word in vocabulary if word not in tokens]
    if not absent:
        raise ValueError(f"word must be given where the text has all of {tuple(vocabulary)}")
    return absent[0]
