"""Made-up queries and keys of the words of a text, and their scores with and without position.

The numbers are made up, and chosen so that there is something to see: the standard normals of seed
2322, rounded to one decimal so that a number on screen is the number itself. Without rotation the
score of two words is the same in every order of the text; rotated by RoPE it depends on the offset.
Source of the rotation: Su et al. (2021); Chris Wendler's RoPE transformer, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints, whole
from clockhead.model.films.rope.matrix import RotatedVector
from clockhead.model.films.rope.position_pair import PositionPair, RotatedDotProduct
from clockhead.model.rope.rotation import checked_frequencies, rope_phases, rotate
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Difference, Doc, Length, Position, SignedPositions

SEED = 2322
"""The seed whose vectors show, for "dog bites man", what the film tells."""

SEEN = 0.01
"""A score that changes by less reads the same to two decimals."""

SWAP_STEPS = 193
"""Steps in which the outer words change places: odd, so that they meet in one of them."""


@dataclass(frozen=True)
class WordScores:
    """The word at `asks` against every word of a text, each at its own of the `positions`.

    `vocabulary` is the order in which vectors were drawn with `seed`, so that a word keeps its
    vectors where its place changes. Raises ValueError for fewer than 3 words, an asker that is not
    strictly inside, a first, last and asking word that are not three different ones, another number
    of positions, and frequencies that `model.rope.rotation` refuses.
    """

    words: tuple[str, ...]
    asks: Annotated[Position, Doc("place of the asking word in the text, from 0")]
    positions: tuple[int, ...]
    frequencies: tuple[float, ...]
    vocabulary: Vocabulary
    seed: Annotated[int, Doc("seed of the made-up vectors")] = SEED

    def __post_init__(self) -> None:
        if len(self.words) < 3:
            raise ValueError(f"words must be 3 or more, got {len(self.words)}")
        last = len(self.words) - 1
        if not 0 < whole("asks", self.asks, at_least=0) < last:
            raise ValueError(
                f"asks must be a place strictly inside the text, 1 to {last - 1}, got {self.asks}"
            )
        outer = self.words[0], self.words[last]
        if outer[0] == outer[1]:
            raise ValueError(
                f"text must begin and end with different words, got {outer[0]!r} twice: "
                f"swapping {outer[0]!r} with {outer[1]!r} changes nothing"
            )
        if self.words[self.asks] in outer:
            raise ValueError(
                f"asks must be the place of a word other than the first and the last of the text, "
                f"got {self.words[self.asks]!r}"
            )
        if len(self.positions) != len(self.words):
            raise ValueError(
                f"positions must be {len(self.words)}, one for each word, got {len(self.positions)}"
            )
        for position in self.positions:
            whole("positions", position, at_least=0)
        checked_frequencies(self.frequencies)
        whole("seed", self.seed, at_least=0)
        self.vocabulary.encode(self.words)

    @classmethod
    def told(
        cls, words: Sequence[str], asks: int, frequencies: ArrayLike, seed: int = SEED
    ) -> WordScores:
        """A text as it is first told, its words at positions 0 .. T - 1."""
        rates = tuple(checked_frequencies(frequencies).tolist())
        positions = tuple(range(len(words)))
        return cls(tuple(words), asks, positions, rates, Vocabulary.of(words), seed)

    # The vectors

    @cached_property
    def queries(self) -> Floats:
        """The query of every word of the vocabulary, to one decimal; shape (V, d_head)."""
        return sealed(self._drawn[0].copy())

    @cached_property
    def keys(self) -> Floats:
        """The key of every word of the vocabulary, to one decimal; shape (V, d_head)."""
        return sealed(self._drawn[1].copy())

    @cached_property
    def indices(self) -> Ints:
        """The place of every word of the text in the vocabulary; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.words))

    @cached_property
    def query(self) -> Floats:
        """The query of the asking word; shape (d_head,)."""
        return sealed(self.queries[self.indices[self.asks]].copy())

    @cached_property
    def word_keys(self) -> Floats:
        """The key of every word of the text; shape (T, d_head)."""
        return sealed(self.keys[self.indices])

    @cached_property
    def query_pairs(self) -> Floats:
        """The pairs of the asking word's query before the rotation; shape (d_head/2, 2)."""
        return sealed(self.query.reshape(-1, 2))

    @cached_property
    def key_pairs(self) -> Floats:
        """The pairs of every word's key before the rotation; shape (T, d_head/2, 2)."""
        return sealed(self.word_keys.reshape(len(self.words), -1, 2))

    @cached_property
    def query_lengths(self) -> Floats:
        """The length of every pair of the asking word's query; shape (d_head/2,)."""
        return sealed(np.linalg.norm(self.query_pairs, axis=-1))

    @cached_property
    def key_lengths(self) -> Floats:
        """The length of every pair of every word's key; shape (T, d_head/2)."""
        return sealed(np.linalg.norm(self.key_pairs, axis=-1))

    @property
    def unit(self) -> Length:
        """The length of the longest pair of the asking word's query and of all keys."""
        keys = np.linalg.norm(self.keys.reshape(len(self.keys), -1, 2), axis=-1)  # (V, d_head/2)
        return float(max(self.query_lengths.max(), keys.max()))

    # Scores

    @property
    def asker(self) -> str:
        """The asking word."""
        return self.words[self.asks]

    @property
    def others(self) -> tuple[int, ...]:
        """The places of all words but the asking one."""
        return tuple(n for n in range(self.n_words) if n != self.asks)

    @property
    def first(self) -> str:
        """The first word."""
        return self.words[0]

    @property
    def last(self) -> str:
        """The last word."""
        return self.words[-1]

    @property
    def outer_words(self) -> tuple[str, str]:
        """The first and the last word."""
        return self.first, self.last

    @property
    def n_words(self) -> Count:
        """How many words the text has."""
        return len(self.words)

    @property
    def n_pairs(self) -> Count:
        """How many pairs a query or a key has."""
        return len(self.frequencies)

    @cached_property
    def plain_scores(self) -> Floats:
        """q . k for every word, the asking word's own key too, without position; shape (T,)."""
        return sealed((self.word_keys * self.query).sum(axis=-1))

    @cached_property
    def terms(self) -> Floats:
        """What every pair adds to the scores, the rotated pairs' products; shape (T, d_head/2)."""
        return sealed(self._terms_at(np.array(self.positions, dtype=float)))

    @cached_property
    def scores(self) -> Floats:
        """(R_m q) . (R_n k) for every word at its own position; shape (T,)."""
        return sealed(self.terms.sum(axis=-1))

    @cached_property
    def rotated_query_pairs(self) -> Floats:
        """The pairs of the asking word's query at its position; shape (d_head/2, 2)."""
        return sealed(self.query_pairs_at(self.positions[self.asks]).copy())

    @cached_property
    def rotated_key_pairs(self) -> Floats:
        """The pairs of every word's key at its position; shape (T, d_head/2, 2)."""
        return sealed(self.key_pairs_at(self.positions).copy())

    @cached_property
    def phases(self) -> Floats:
        """How far its position rotates every word, in radians, not reduced; (T, d_head/2)."""
        return sealed(rope_phases(np.array(self.positions), self.frequencies))

    @cached_property
    def first_phases(self) -> Floats:
        """How far its position rotates every word's first pair, in radians; shape (T,)."""
        return sealed(self.phases[:, 0].copy())

    @cached_property
    def angles(self) -> Floats:
        """From the rotated query to every word's rotated key, in (-pi, pi]; (T, d_head/2)."""
        queries, keys = self.rotated_query_pairs, self.rotated_key_pairs
        across = queries[:, 0] * keys[..., 1] - queries[:, 1] * keys[..., 0]  # (T, d_head/2)
        return sealed(np.arctan2(across, (queries * keys).sum(axis=-1)))

    # At other positions, fractional ones too

    def scores_at(self, positions: ArrayLike) -> Floats:
        """`scores` with every word at another position: (..., T) to (..., T)."""
        return np.asarray(self._terms_at(self._places(positions)).sum(axis=-1))

    def query_pairs_at(self, positions: ArrayLike) -> Floats:
        """The asking word's query at any positions: (...) to (..., d_head/2, 2)."""
        query = rotate(self.query, positions, self.frequencies)  # (..., d_head)
        return query.reshape(*query.shape[:-1], -1, 2)

    def key_pairs_at(self, positions: ArrayLike) -> Floats:
        """Every word's key at its own of the positions: (..., T) to (..., T, d_head/2, 2)."""
        keys = rotate(self.word_keys, self._places(positions), self.frequencies)  # (..., T, d_head)
        return keys.reshape(*keys.shape[:-1], -1, 2)

    def shown_pairs_at(self, positions: ArrayLike) -> Floats:
        """The asking word's query and the others' keys: (..., T) to (..., T, d_head/2, 2)."""
        places = self._places(positions)  # (..., T)
        pairs = self.key_pairs_at(places).copy()  # (..., T, d_head/2, 2)
        pairs[..., self.asks, :, :] = self.query_pairs_at(places[..., self.asks])
        return pairs

    def with_word(self, n: int, m_position: int, n_position: int) -> RotatedDotProduct:
        """The asking word's query and the key of word `n`, at whole positions of their own."""
        pair = PositionPair(m_position, n_position, self.frequencies)
        key = self.word_keys[self._place(n)]  # (d_head,)
        return RotatedDotProduct(pair, tuple(self.query.tolist()), tuple(key.tolist()))

    def query_turned_to(self, m: int) -> RotatedVector:
        """The asking word's query before and after a turn to a whole position."""
        return RotatedVector(tuple(self.query.tolist()), m, self.frequencies, self.asker)

    # The other order, and further on in the text

    def swapped(self) -> WordScores:
        """The same text with its first and last word in each other's place."""
        first, *inner, last = self.words
        return replace(self, words=(last, *inner, first))

    def shifted(self, by: int) -> WordScores:
        """The same text `by` positions further on. ValueError if a position would fall below 0."""
        return replace(self, positions=tuple(position + by for position in self.positions))

    def swap_positions(self, shares: ArrayLike) -> Floats:
        """Every word's position on the way to the other order: shares (S,) of it to (S, T)."""
        way = finite("shares", shares, n_axes=1)[:, None]  # (S, 1)
        start = np.array(self.positions, dtype=float)  # (T,)
        return np.asarray((1 - way) * start + way * start[self._after_swap])

    @cached_property
    def plain_changes(self) -> Floats:
        """How the swap changes `plain_scores`, word by word as first told: all 0; shape (T,)."""
        return sealed(self.swapped().plain_scores[self._after_swap] - self.plain_scores)

    @cached_property
    def changes(self) -> Floats:
        """How the swap changes `scores`, word by word in this order; shape (T,)."""
        return sealed(self.swapped().scores[self._after_swap] - self.scores)

    @property
    def largest_plain_change(self) -> Difference:
        """By how much the swap changes a score without position at most, exactly 0."""
        return float(np.abs(self.plain_changes).max())

    @property
    def largest_change(self) -> Difference:
        """By how much the swap changes a score with position at most."""
        return float(np.abs(self.changes).max())

    @property
    def smallest_change(self) -> Difference:
        """The smaller of the two changes that the swap makes to the scores of the outer words."""
        return float(np.abs(self.changes[[0, -1]]).min())

    def change_when_shifted(self, by: int) -> Difference:
        """By how much a shift of all words changes a score at most, which is rounding alone."""
        return float(np.abs(self.shifted(by).scores - self.scores).max())

    @cached_property
    def _drawn(self) -> Floats:
        """Queries and keys, without a negative zero; shape (2, V, d_head)."""
        shape = (2, len(self.vocabulary), 2 * len(self.frequencies))
        return np.round(np.random.default_rng(self.seed).standard_normal(shape), 1) + 0.0

    @property
    def _after_swap(self) -> Ints:
        """The place of every word after the swap; shape (T,)."""
        places = np.arange(len(self.words))  # (T,)
        places[[0, -1]] = places[[-1, 0]]
        return places

    def _terms_at(self, positions: Floats) -> Floats:
        query = self.query_pairs_at(positions[..., self.asks])[..., None, :, :]
        return np.asarray((query * self.key_pairs_at(positions)).sum(axis=-1))  # (..., T, d_head/2)

    def _places(self, positions: ArrayLike) -> Floats:
        places = finite("positions", positions)  # (..., T)
        if places.ndim == 0 or places.shape[-1] != len(self.words):
            raise ValueError(
                f"positions must have a last axis of {len(self.words)}, one for each word, "
                f"got shape {places.shape}"
            )
        return places

    def _place(self, n: int) -> int:
        if whole("n", n, at_least=0) >= len(self.words):
            raise ValueError(f"n must be a place of the text, 0 to {len(self.words) - 1}, got {n}")
        return n


@dataclass(frozen=True)
class WordOrders:
    """A text as first told, with its outer words swapped, and both moved on by `shift` positions.

    Raises ValueError for a shift that moves a word to a position below 0.
    """

    told: WordScores
    shift: Annotated[SignedPositions, Doc("how far the text is moved on")] = 0

    def __post_init__(self) -> None:
        self.told.shifted(self.shift)

    @cached_property
    def swapped(self) -> WordScores:
        """The text with its first and last word in each other's place."""
        return self.told.swapped()

    @cached_property
    def shifted(self) -> WordScores:
        """The text as first told, moved on."""
        return self.told.shifted(self.shift)

    @cached_property
    def swapped_and_shifted(self) -> WordScores:
        """The text with its outer words swapped, moved on."""
        return self.swapped.shifted(self.shift)

    @cached_property
    def shift_phases(self) -> Floats:
        """How far the shift rotates every pair, in radians, not reduced; shape (d_head/2,)."""
        return sealed(rope_phases(self.shift, self.told.frequencies))

    # On the way to the other order, in even steps from position to position

    @cached_property
    def swap_scores(self) -> Floats:
        """Every word's score, in the order first told, on the way to the other; shape (S, T)."""
        return sealed(self.told.scores_at(self._swap_positions))

    @cached_property
    def swap_key_pairs(self) -> Floats:
        """Every word's rotated key on the way to the other order; shape (T, S, d_head/2, 2)."""
        pairs = self.told.key_pairs_at(self._swap_positions)  # (S, T, d_head/2, 2)
        return sealed(np.swapaxes(pairs, 0, 1))

    @cached_property
    def swap_angles(self) -> Floats:
        """The `angles` on the way to the other order, not reduced; shape (T, S, d_head/2)."""
        moved = (self._swap_positions - np.array(self.told.positions)).T  # (T, S)
        return sealed(self.told.angles[:, None] + rope_phases(moved, self.told.frequencies))

    @property
    def _swap_positions(self) -> Floats:
        return self.told.swap_positions(np.linspace(0, 1, SWAP_STEPS))

    @property
    def largest_plain_change(self) -> Difference:
        """By how much the swap changes a score without position at most, exactly 0."""
        return self.told.largest_plain_change

    @property
    def largest_change(self) -> Difference:
        """By how much the swap changes a score with position at most."""
        return self.told.largest_change

    @property
    def smallest_change(self) -> Difference:
        """The smaller of the two changes that the swap makes to the scores of the outer words."""
        return self.told.smallest_change

    @property
    def swap_is_seen(self) -> bool:
        """Whether the swap changes both scores of the outer words by a hundredth or more."""
        return self.smallest_change >= SEEN

    @property
    def shifted_change(self) -> Difference:
        """By how much the shift changes a score of either order at most, which is rounding."""
        orders = self.told, self.swapped
        return max(order.change_when_shifted(self.shift) for order in orders)


@dataclass(frozen=True)
class TurnedWord:
    """The asking word's query, turned to position `m`, and the words among which it stands."""

    told: WordScores
    m: Annotated[Position, Doc("position to which the query is turned")]

    @cached_property
    def turned(self) -> RotatedVector:
        """The query before and after the turn."""
        return self.told.query_turned_to(self.m)


@dataclass(frozen=True)
class WordPair:
    """The asking word's query at position `m`, and the first word's key at position `n`."""

    words: WordScores
    m: Annotated[Position, Doc("position of the query")]
    n: Annotated[Position, Doc("position of the key")]

    @cached_property
    def product(self) -> RotatedDotProduct:
        """The query and the key, and their score."""
        return self.words.with_word(0, self.m, self.n)
