"""Random queries and keys of the words of a text, and their scores with and without position.

The vectors are standard normal numbers, rounded to one decimal so that numbers on screen are exact;
the seed 2322 is chosen so that effects are visible. Without rotation the score of two words is the
same in every order of the text; with RoPE it depends on the offset.
Source of the rotation: Su et al. (2021); Chris Wendler's RoPE transformer, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.rope.rotation import check_frequencies, rope_phases, rotate
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Length, Position

SEED = 2322
"""Seed whose vectors show the film's points for "dog bites man"."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WordScores(Values):
    """The query of one word against the keys of all words of a text, each at its position."""

    words: Annotated[tuple[str, ...], Doc("words of the text; T of them")]
    asks: Annotated[Position, Doc("index of the query's word in the text, from 0")]
    asker: Annotated[str, Doc("word of the query")]
    others: Annotated[tuple[int, ...], Doc("indices of all other words")]
    first: Annotated[str, Doc("the first word")]
    last: Annotated[str, Doc("the last word")]
    n_words: Annotated[Count, Doc("number of words of the text")]
    positions: Annotated[Ints, Doc("position of every word; (T,)")]

    n_pairs: Annotated[Count, Doc("number of pairs of a query or a key")]
    frequencies: Annotated[Floats, Doc("radians per position that each pair turns; (d_head/2,)")]
    query: Annotated[Floats, Doc("the query; (d_head,)")]
    keys: Annotated[Floats, Doc("keys of all words; (T, d_head)")]
    query_pairs: Annotated[Floats, Doc("pairs of the query before the rotation; (d_head/2, 2)")]
    key_pairs: Annotated[Floats, Doc("pairs of the keys before the rotation; (T, d_head/2, 2)")]
    unit: Annotated[Length, Doc("length of the longest pair in the query and all keys")]
    plain_scores: Annotated[Floats, Doc("score q . k of every word, without position; (T,)")]

    phases: Annotated[
        Floats, Doc("radians that its position turns every word's pairs; (T, d_head/2)")
    ]
    rotated_query_pairs: Annotated[
        Floats, Doc("pairs of the query after the rotation; (d_head/2, 2)")
    ]
    rotated_key_pairs: Annotated[
        Floats, Doc("pairs of the keys after the rotation; (T, d_head/2, 2)")
    ]
    angles: Annotated[
        Floats, Doc("radians from the rotated query to each rotated key; (T, d_head/2)")
    ]
    scores: Annotated[Floats, Doc("score (R_m q) . (R_n k) of every word at its position; (T,)")]


def word_scores(
    words: Sequence[str], asks: int, frequencies: ArrayLike, seed: int = SEED
) -> WordScores:
    """Random vectors and scores for a text at positions 0 .. T - 1.

    Raises ValueError for fewer than 3 words, for a query's word `asks` at either end, and unless
    the first, the last and the query's word are all different.
    """
    last = len(words) - 1
    if last < 2:
        raise ValueError(f"words must be 3 or more, got {len(words)}")
    if not 0 < check_int("asks", asks, at_least=0) < last:
        raise ValueError(
            f"asks must be a place strictly inside the text, 1 to {last - 1}, got {asks}"
        )
    outer = words[0], words[last]
    if outer[0] == outer[1]:
        raise ValueError(
            f"text must begin and end with different words, got {outer[0]!r} twice: "
            f"swapping {outer[0]!r} with {outer[1]!r} changes nothing"
        )
    if words[asks] in outer:
        raise ValueError(
            f"asks must be the place of a word other than the first and the last of the text, "
            f"got {words[asks]!r}"
        )
    rates = check_frequencies(frequencies).copy()  # (d_head/2,)
    vocabulary = Vocabulary.of(words)
    shape = (2, len(vocabulary), 2 * rates.size)
    drawn = np.random.default_rng(check_int("seed", seed, at_least=0)).standard_normal(shape)
    queries, keys = np.round(drawn, 1) + 0.0  # (V, d_head) each, without a negative zero
    places = vocabulary.encode(words)  # (T,)
    return _score(words, asks, rates, queries[places[asks]], keys[places], np.arange(len(words)))


def swap_outer_words(words: WordScores) -> WordScores:
    """The same text with its first and last word swapped."""
    order = [len(words.words) - 1, *range(1, len(words.words) - 1), 0]
    texts, keys = [words.words[n] for n in order], words.keys[order]
    return _score(texts, words.asks, words.frequencies, words.query, keys, words.positions)


def shift_words(words: WordScores, by: int) -> WordScores:
    """The same text `by` positions later."""
    positions = words.positions + check_int("by", by, at_least=0)
    return _score(words.words, words.asks, words.frequencies, words.query, words.keys, positions)


def score_words(words: WordScores, positions: Floats) -> Floats:
    """Scores of all words at any positions: (..., T) to (..., T)."""
    query = rotate(words.query, positions[..., words.asks], words.frequencies)  # (..., d_head)
    keys = rotate(words.keys, positions, words.frequencies)  # (..., T, d_head)
    return np.asarray((query[..., None, :] * keys).sum(axis=-1))


def _score(
    words: Sequence[str], asks: int, rates: Floats, query: Floats, keys: Floats, positions: Ints
) -> WordScores:
    phases = rope_phases(positions, rates)  # (T, d_head/2)
    q = rotate(query, positions[asks], rates).reshape(-1, 2)  # (d_head/2, 2)
    k = rotate(keys, positions, rates).reshape(len(words), -1, 2)  # (T, d_head/2, 2)
    terms, across = (q * k).sum(axis=-1), q[:, 0] * k[..., 1] - q[:, 1] * k[..., 0]
    pairs = np.concatenate([query, keys.ravel()]).reshape(-1, 2)  # of the query and all keys
    return WordScores(
        words=tuple(words),
        asks=asks,
        asker=words[asks],
        others=tuple(n for n in range(len(words)) if n != asks),
        first=words[0],
        last=words[-1],
        n_words=len(words),
        positions=positions,
        n_pairs=rates.size,
        frequencies=rates,
        query=query,
        keys=keys,
        query_pairs=query.reshape(-1, 2),
        key_pairs=keys.reshape(len(words), -1, 2),
        unit=float(np.linalg.norm(pairs, axis=-1).max()),
        plain_scores=(keys * query).sum(axis=-1),
        phases=phases,
        rotated_query_pairs=q,
        rotated_key_pairs=k,
        angles=np.arctan2(across, terms),
        scores=terms.sum(axis=-1),
    )
