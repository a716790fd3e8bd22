"""One word of a text exchanged for another: how far every row moves, with attention and without.

Attention is all that carries anything from token to token; the MLP and the unembedding read every
row by itself. Without attention no other row moves, with it the rows before still do not.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, appendix A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints, whole
from clockhead.model.films.ablation.head_looks import total_variation
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.transformer import TransformerPass
from clockhead.model.units import Count, Doc, Length, Position, Share


@dataclass(frozen=True, eq=False)
class WordExchange:
    """The text of `before` with `word` instead of the token at `place`, whose row is then `row`.

    Raises ValueError for a place outside the text, the token that stands there anyway, a row of
    another width, or the row that is there anyway.
    """

    before: Annotated[WorkedBlock, Doc("the example as it was")]
    place: Annotated[Position, Doc("which token is exchanged")]
    word: Annotated[str, Doc("the token that comes in")]
    row: Annotated[Floats, Doc("its row; (d_model,)")]

    def __post_init__(self) -> None:
        if whole("place", self.place, at_least=0) >= self.before.n_tokens:
            raise ValueError(
                f"place must be below {self.before.n_tokens}, the tokens, got {self.place}"
            )
        if self.word == self.old_word:
            raise ValueError(f"word must be another than {self.word!r}, which stands there")
        shape = finite("row", self.row, n_axes=1).shape
        if shape != (self.before.d_model,):
            raise ValueError(f"row must have {self.before.d_model} numbers, got {shape[0]}")
        if np.array_equal(self.row, self.before.resid_pre[self.place]):
            raise ValueError(f"row must be another than that of {self.old_word!r}")
        sealed(self.row)

    @property
    def old_word(self) -> str:
        """The token that goes."""
        return self.before.tokens[self.place]

    @cached_property
    def after(self) -> WorkedBlock:
        """The example with the other word."""
        tokens, rows = list(self.before.tokens), self.before.resid_pre.copy()
        tokens[self.place], rows[self.place] = self.word, self.row
        return replace(self.before, tokens=tuple(tokens), resid_pre=rows)

    @cached_property
    def alone_before(self) -> TransformerPass:
        """The example as it was, with no attention at all."""
        return self.before.transformer.without_attention.on(self.before.resid_pre)

    @cached_property
    def alone_after(self) -> TransformerPass:
        """The example with the other word, with no attention at all."""
        return self.after.transformer.without_attention.on(self.after.resid_pre)

    # How far the rows move

    @cached_property
    def moves(self) -> Floats:
        """The length of what is added to each row, before and after each layer; (L + 1, T)."""
        return _lengths(self.before.run, self.after.run)

    @cached_property
    def moves_alone(self) -> Floats:
        """The same with no attention at all; shape (L + 1, T)."""
        return _lengths(self.alone_before, self.alone_after)

    @property
    def moved(self) -> Floats:
        """How far each row of the last layer moves, with attention; shape (T,)."""
        return np.asarray(self.moves[-1])

    @property
    def moved_alone(self) -> Floats:
        """How far each row of the last layer moves without it; shape (T,)."""
        return np.asarray(self.moves_alone[-1])

    @cached_property
    def reached(self) -> Ints:
        """The positions whose last row moves at all, with attention; (0 to T,)."""
        return sealed_ints(np.flatnonzero(self.moved))

    @cached_property
    def reached_alone(self) -> Ints:
        """The positions whose last row moves at all without it; (0 to T,)."""
        return sealed_ints(np.flatnonzero(self.moved_alone))

    @property
    def n_reached(self) -> Count:
        """How many rows of the last layer move with attention, the exchanged one among them."""
        return len(self.reached)

    @property
    def n_reached_alone(self) -> Count:
        """How many rows of the last layer move without attention, the exchanged one among them."""
        return len(self.reached_alone)

    @property
    def own_move(self) -> Length:
        """How far the exchanged word's own row moves in the last layer, with attention."""
        return float(self.moved[self.place])

    @property
    def last_move(self) -> Length:
        """How far the last row of the last layer moves, with attention."""
        return float(self.moved[-1])

    @property
    def largest_move_alone(self) -> Length:
        """How far any row but that of the exchanged word moves without attention, at most."""
        return float(np.delete(self.moved_alone, self.place).max(initial=0.0))

    # What comes out

    @property
    def effect(self) -> Share:
        """How far the exchange moves the next word's probabilities, in total variation."""
        return float(total_variation(self.after.run.probabilities, self.before.run.probabilities))

    @property
    def effect_alone(self) -> Share:
        """How far it moves them without attention, in total variation."""
        return float(
            total_variation(self.alone_after.probabilities, self.alone_before.probabilities)
        )


def _lengths(before: TransformerPass, after: TransformerPass) -> Floats:
    return sealed(np.linalg.norm(after.resids - before.resids, axis=2))  # (L + 1, T)


def exchanged(
    block: WorkedBlock,
    place: int = 1,
    word: str | None = None,
    row: ArrayLike | None = None,
    seed: int = 0,
) -> WordExchange:
    """`block` with `word` at `place`: by default the first of its vocabulary not in its text.

    A row that is not given is drawn with `seed`, as spread as the rows of `block`. Raises
    ValueError for a vocabulary that is all in the text, a negative seed, and as `WordExchange`.
    """
    other = _first_absent(block.vocabulary, block.tokens) if word is None else word
    if row is None:
        rng = np.random.default_rng([whole("seed", seed, at_least=0), 2])
        drawn = block.resid_pre.std() * rng.standard_normal(block.d_model)
        row = np.round(drawn, 2) + 0.0  # -0.0 becomes 0
    return WordExchange(block, place, other, finite("row", row, n_axes=1).copy())


def _first_absent(vocabulary: Sequence[str], tokens: Sequence[str]) -> str:
    absent = [word for word in vocabulary if word not in tokens]
    if not absent:
        raise ValueError(f"word must be given where the text has all of {tuple(vocabulary)}")
    return absent[0]
