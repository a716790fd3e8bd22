"""The first characters of a ciphertext on their way through the Caesar transformer.

Source: Dan Wilhelm, LLM Foundations, chapter 1. One-hot rows, equal attention to each, their mean,
which is a histogram with a bin for the space, and its products with the templates: the logits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.caesar.cipher import N_TOKENS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.caesar.transformer import CaesarTransformer, caesar_transformer, uniform_head
from clockhead.model.tokens import LETTERS_AND_SPACE, one_hot
from clockhead.model.units import Characters, Doc, Score

N_FIRST = 8
"""How many characters are followed, or all of a shorter text."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstCharacters(Values):
    """The first n characters of a ciphertext, one-hot, and what the transformer makes of them."""

    n: Annotated[Characters, Doc("how many characters there are so far")]
    tokens: Annotated[Ints, Doc("the characters as tokens, space = 26; (n,)")]
    characters: Annotated[tuple[str, ...], Doc("the characters themselves; n of them")]
    one_hot: Annotated[Floats, Doc("a row for each character with a single 1; (n, 27)")]
    query: Annotated[Score, Doc("the query of the last of them, which is 0")]
    scores: Annotated[Floats, Doc("of the last of them with each, 0; (n,)")]
    attention: Annotated[Floats, Doc("what the last of them pays to each, 1 / n; (n,)")]
    occurrences: Annotated[Ints, Doc("how often each character came before; (n,)")]
    marks: Annotated[
        Floats, Doc("share of every token's k-th occurrence, 0 where there is none; (27, K)")
    ]
    mean: Annotated[
        Floats, Doc("the mean of the one-hot rows, a histogram with a bin for the space; (27,)")
    ]
    added: Annotated[Floats, Doc("what it would be if that mean were added to it; (27,)")]
    replaced: Annotated[Floats, Doc("the last row after attention, that mean; (1, 27)")]
    templates: Annotated[
        Floats, Doc("the unembedding, a row a rotation, a last column for the space; (26, 27)")
    ]
    logits: Annotated[Floats, Doc("a score for every rotation after these characters; (26,)")]
    leaders: Annotated[Ints, Doc("the rotations that share the largest of these scores; (k,)")]


def first_characters(transformer: CaesarTransformer, n: int) -> FirstCharacters:
    """What `transformer`, with one-hot tokens, does with the first `n` that it reads, 1 to T."""
    tokens = transformer.tokens[:n]  # (n,)
    attention = transformer.pattern[n - 1, :n]  # (n,)
    occurrences = np.tril(tokens[:, None] == tokens, -1).sum(axis=1)  # (n,)
    marks = np.zeros((N_TOKENS, int(occurrences.max()) + 1))  # (27, K)
    marks[tokens, occurrences] = attention
    exact = transformer.exact_scores[n - 1]  # (26,)
    query = uniform_head(N_TOKENS).w_q @ transformer.resid_pre[n - 1]  # (1,)
    hot = one_hot(tokens, N_TOKENS)  # (n, 27)
    return FirstCharacters(
        n=n,
        tokens=tokens,
        characters=tuple(LETTERS_AND_SPACE.tokens[token] for token in tokens),
        one_hot=hot,
        query=float(query[0]),
        scores=transformer.scores[n - 1, :n],
        attention=attention,
        occurrences=occurrences,
        marks=marks,
        mean=marks.sum(axis=1),
        added=hot[-1] + marks.sum(axis=1),
        replaced=transformer.head_out[n - 1 : n],
        templates=transformer.unembed.T,
        logits=transformer.logits[n - 1],
        leaders=np.flatnonzero(exact == exact.max()),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedLetters(Values):
    """A ciphertext, the transformer that reads it, and its first characters."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[CaesarTransformer, Doc("the transformer that reads the ciphertext")]
    first: Annotated[FirstCharacters, Doc("the first characters on their way through it")]


def counted_letters(cryptogram: Cryptogram) -> CountedLetters:
    """The handmade transformer on a ciphertext, and up to 8 of its characters."""
    transformer = caesar_transformer(cryptogram.tokens)
    return CountedLetters(
        cryptogram=cryptogram,
        transformer=transformer,
        first=first_characters(transformer, min(N_FIRST, cryptogram.n_tokens)),
    )
