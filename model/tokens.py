"""Tokens, which are letters or words of a text: their indices, names and one-hot vectors."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clockhead.model.arrays import Floats, Ints, check_int
from clockhead.model.characters import TokenName, hidden_character


@dataclass(frozen=True)
class Vocabulary:
    """All tokens of a model, in the order of their indices.

    Raises ValueError for no token or for a token that is there twice.
    """

    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ValueError("tokens must hold at least one token, got none")
        if len(set(self.tokens)) < len(self.tokens):
            twice = next(t for t in self.tokens if self.tokens.count(t) > 1)
            raise ValueError(f"tokens must all be different, got {twice!r} more than once")

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Vocabulary:
        """The different tokens of a text, in order of first appearance."""
        return cls(tuple(dict.fromkeys(tokens)))

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Sequence[str]) -> Ints:
        """The index of every token; (T,). Raises ValueError for one outside the vocabulary."""
        places = {token: index for index, token in enumerate(self.tokens)}
        for position, token in enumerate(tokens):
            if token not in places:
                raise ValueError(
                    f"tokens must come from the vocabulary, got {token!r} at position {position}"
                )
        return np.array([places[token] for token in tokens], dtype=np.int64)  # (T,)


LETTERS = Vocabulary(tuple(string.ascii_lowercase))
LETTERS_AND_SPACE = Vocabulary((*string.ascii_lowercase, " "))


def letters(text: str) -> tuple[str, ...]:
    """The characters of `text`, each a token of `LETTERS_AND_SPACE`.

    Raises ValueError for an empty text, and for another character with its position.
    """
    if not text:
        raise ValueError("text must hold at least one character, got an empty text")
    for position, character in enumerate(text):
        if character not in LETTERS_AND_SPACE.tokens:
            hint = "; write it in lower case" if character.lower() in LETTERS.tokens else ""
            raise ValueError(
                f"text must hold only the letters a to z and spaces, "
                f"got {character!r} at position {position}{hint}"
            )
    return tuple(text)


def words(text: str) -> tuple[str, ...]:
    """The words of `text`, split at white space and normalized to NFC.

    Raises ValueError for a text without a word, or with an invisible character.
    """
    found = tuple(unicodedata.normalize("NFC", text).split())
    if not found:
        raise ValueError(f"text must hold at least one word, got {text!r}")
    for position, word in enumerate(found):
        if hidden_character(word) is not None:
            raise ValueError(
                f"text must hold only characters that can be printed, "
                f"got {word!r} as word {position}"
            )
    return found


def token_name(tokens: Sequence[str], position: int) -> TokenName:
    """The name of the token at `position`, which includes the position if the token is repeated.

    Raises ValueError for a position outside the text.
    """
    if check_int("position", position, at_least=0) >= len(tokens):
        raise ValueError(f"position must be 0 to {len(tokens) - 1}, got {position}")
    token = tokens[position]
    return TokenName(token, position if list(tokens).count(token) > 1 else None)


def spread_over_vocabulary(tokens: Sequence[str], n_vocab: int) -> tuple[int, ...]:
    """An index below `n_vocab` for every token, with the different tokens spread evenly.

    Raises ValueError if there are more than `n_vocab` different tokens.
    """
    vocabulary = Vocabulary.of(tokens)
    if len(vocabulary) > check_int("n_vocab", n_vocab, at_least=1):
        raise ValueError(
            f"n_vocab must be at least {len(vocabulary)}, one for each different token, "
            f"got {n_vocab}"
        )
    return tuple(int(k) * n_vocab // len(vocabulary) for k in vocabulary.encode(tokens))


def one_hot(indices: Sequence[int] | Ints, n_vocab: int) -> Floats:
    """A one-hot row for every index: (T,) to (T, n_vocab).

    Raises ValueError if an index is not a whole number from 0 to n_vocab - 1.
    """
    size = check_int("n_vocab", n_vocab, at_least=1)
    return np.eye(size)[token_indices(indices, below=size)]  # (T, n_vocab)


def token_indices(indices: Sequence[int] | Ints, below: int | None = None) -> Ints:
    """`indices` as an array (T,) of whole numbers from 0, less than `below` if given.

    Raises ValueError for anything else.
    """
    array = np.asarray(indices)  # (T,)
    if array.ndim != 1 or array.size == 0 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"indices must be a row of whole numbers, got {indices!r}")
    if array.min() < 0 or (below is not None and array.max() >= below):
        limit = "at least 0" if below is None else f"from 0 to {below - 1}"
        raise ValueError(f"indices must be {limit}, got {array.min()} to {array.max()}")
    return array.astype(np.int64)
