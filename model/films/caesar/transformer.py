"""The Caesar transformer on the first characters of a ciphertext.

Source: Dan Wilhelm, LLM Foundations, chapter 1. Uniform attention averages one-hot rows to a
histogram with a bin for the space, and its dot products with the templates are the logits.
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
"""Number of characters that are shown, or all of a shorter text."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstCharacters(Values):
    """The forward pass on the first n characters of a ciphertext, at the last of them."""

    n: Annotated[Characters, Doc("number of characters so far")]
    tokens: Annotated[Ints, Doc("the characters as tokens, space = 26; (n,)")]
    characters: Annotated[tuple[str, ...], Doc("the characters; n of them")]
    one_hot: Annotated[Floats, Doc("one-hot row of each character; (n, 27)")]
    query: Annotated[Score, Doc("query of the last character, which is 0")]
    scores: Annotated[Floats, Doc("attention scores of the last character, all 0; (n,)")]
    attention: Annotated[Floats, Doc("attention weights of the last character, all 1 / n; (n,)")]
    occurrences: Annotated[Ints, Doc("number of earlier occurrences of each character; (n,)")]
    marks: Annotated[
        Floats,
        Doc("attention weight on every token's k-th occurrence, 0 if there is none; (27, K)"),
    ]
    mean: Annotated[
        Floats, Doc("mean of the one-hot rows, a histogram with a bin for the space; (27,)")
    ]
    added: Annotated[Floats, Doc("the last row if that mean were added to it; (27,)")]
    replaced: Annotated[Floats, Doc("the last row after attention, that mean; (1, 27)")]
    templates: Annotated[
        Floats,
        Doc("the unembedding, a row for each rotation, the last column for the space; (26, 27)"),
    ]
    logits: Annotated[Floats, Doc("logits of every rotation after these characters; (26,)")]
    leaders: Annotated[Ints, Doc("rotations with the largest logit; (k,)")]


def first_characters(transformer: CaesarTransformer, n: int) -> FirstCharacters:
    """The forward pass of `transformer`, with one-hot tokens, on its first `n` characters."""
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
    """A ciphertext, the forward pass on it, and the one on its first characters."""

    cryptogram: Annotated[Cryptogram, Doc("the message and its rotation")]
    transformer: Annotated[
        CaesarTransformer, Doc("forward pass of the transformer on the ciphertext")
    ]
    first: Annotated[FirstCharacters, Doc("forward pass on the first characters")]


def counted_letters(cryptogram: Cryptogram) -> CountedLetters:
    """Run the hand-built transformer on a ciphertext, and on up to 8 of its characters."""
    transformer = caesar_transformer(cryptogram.tokens)
    return CountedLetters(
        cryptogram=cryptogram,
        transformer=transformer,
        first=first_characters(transformer, min(N_FIRST, cryptogram.n_tokens)),
    )
