"""Prompts for induction heads: words or letters after a first token BOS.

Each token is spelled as it is shown: `BOS`, `cat`, `a`, `␣`.
"""

from __future__ import annotations

import string
from collections.abc import Sequence

from clockhead.model.tokens import Vocabulary, letters, words

BOS_TOKEN = "BOS"
"""Beginning of sequence; a text must not contain this word."""
SPACE_TOKEN = "␣"
LETTER_TOKENS = Vocabulary((BOS_TOKEN, *string.ascii_lowercase, SPACE_TOKEN))
_BOS_OF_THE_SLIDES = "!"


def word_prompt(text: str) -> tuple[str, ...]:
    """BOS and the words of `text`, each a token: T = 1 + number of words.

    Raises ValueError for a text without a word, and for one that contains the word BOS.
    """
    found = words(text)
    if BOS_TOKEN in found:
        raise ValueError(
            f"text must not hold the word {BOS_TOKEN!r}, which stands in front of every text, "
            f"got it as word {found.index(BOS_TOKEN)}; “the cat sat” works"
        )
    return (BOS_TOKEN, *found)


def letter_prompt(text: str) -> tuple[str, ...]:
    """BOS and the characters of `text`, each a token of `LETTER_TOKENS`; the space is `␣`.

    A leading `!`, which is BOS in the slides on the one-hot induction head, is removed. Raises
    ValueError for a text without a letter or space, for another character, and for a later `!`.
    """
    shown = {" ": SPACE_TOKEN}
    return (BOS_TOKEN, *(shown.get(letter, letter) for letter in letters(_without_bos(text))))


def letter_vocabulary(tokens: Sequence[str]) -> Vocabulary:
    """The different tokens of a text of letters, in the order of `LETTER_TOKENS`.

    Raises ValueError for a token outside `LETTER_TOKENS`, and for no token.
    """
    LETTER_TOKENS.encode(tokens)
    present = set(tokens)
    return Vocabulary(tuple(token for token in LETTER_TOKENS.tokens if token in present))


def _without_bos(text: str) -> str:
    rest = text.removeprefix(_BOS_OF_THE_SLIDES)
    if _BOS_OF_THE_SLIDES in rest:
        place = text.index(_BOS_OF_THE_SLIDES, len(text) - len(rest))
        raise ValueError(
            f"text must have {_BOS_OF_THE_SLIDES!r} at its beginning or nowhere, "
            f"got it at position {place}"
        )
    return rest
