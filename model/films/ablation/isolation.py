"""One word of a text replaced by another: how far every row moves, with and without attention.

Only attention moves information between tokens; the MLP and the unembedding read every row by
itself. Without attention no other row moves. With it, rows before the word still do not move.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, appendix A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.films.ablation.head_effects import HeadEffects, head_effects
from clockhead.model.primer.worked_block import WorkedBlock, compute_block
from clockhead.model.transformer.transformer import TransformerPass
from clockhead.model.units import Count, Doc, Length, Position


@dataclass(frozen=True, kw_only=True, eq=False)
class WordExchange(Values):
    """A text before and after replacing one of its words, with and without attention."""

    before: Annotated[HeadEffects, Doc("the example before the replacement")]
    after: Annotated[HeadEffects, Doc("the example after the replacement")]
    place: Annotated[Position, Doc("position of the replaced token")]
    word: Annotated[str, Doc("the new token")]
    row: Annotated[Floats, Doc("row of the new token in the stream; (d_model,)")]
    alone_before: Annotated[
        TransformerPass, Doc("forward pass before the replacement, without attention")
    ]
    alone_after: Annotated[
        TransformerPass, Doc("forward pass after the replacement, without attention")
    ]

    moves: Annotated[
        Floats,
        Doc("distance that each row moves, at the start and after each layer; (L + 1, T)"),
    ]
    moves_alone: Annotated[Floats, Doc("the same distances without attention; (L + 1, T)")]
    reached: Annotated[
        Ints, Doc("positions whose row after the last layer moves, with attention; (0 to T,)")
    ]
    n_reached: Annotated[
        Count,
        Doc(
            "number of rows that move with attention, in the last layer, the replaced one included"
        ),
    ]
    n_reached_alone: Annotated[
        Count,
        Doc("number of rows that move without attention, in the last layer, with the replaced one"),
    ]
    largest_move_alone: Annotated[
        Length,
        Doc("largest distance that another row moves without attention"),
    ]


def exchange_word(
    block: WorkedBlock, place: int = 1, word: str | None = None, seed: int = 0
) -> WordExchange:
    """Replace the token at `place` of `block` by `word`.

    By default, `word` is the first word of the vocabulary that is not in the text. Its row is drawn
    with `seed` and the standard deviation of the rows of `block`. Raises ValueError for a place
    outside the text, for the same word, if all of the vocabulary is in the text, for a negative
    seed, and like `check_heads`.
    """
    if check_int("place", place, at_least=0) >= block.n_tokens:
        raise ValueError(f"place must be below {block.n_tokens}, the tokens, got {place}")
    old = block.tokens[place]
    new = _first_absent(block.vocabulary, block.tokens) if word is None else word
    if new == old:
        raise ValueError(f"word must be another than {new!r}, which stands there")
    rng = np.random.default_rng([check_int("seed", seed, at_least=0), 2])
    drawn = block.resid_pre.std() * rng.standard_normal(block.d_model)
    row = np.round(drawn, 2) + 0.0  # (d_model,), -0.0 becomes 0
    tokens, rows = list(block.tokens), block.resid_pre.copy()
    tokens[place], rows[place] = new, row
    before = head_effects(block)
    after = head_effects(compute_block(tokens, block.transformer, rows, block.vocabulary))
    alone_before, alone_after = (
        found.transformer.without_attention.run(found.resid_pre) for found in (before, after)
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
