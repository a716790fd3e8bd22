"""A text that ends with repeated letters, and the transformer's prediction of the next letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.tokens import LETTERS_AND_SPACE, letters
from clockhead.model.trained.transformer import encode_text, moments, run
from clockhead.model.units import Characters, Doc, Letter, Position

SPACE = "␣"
"""Sign for a space that is a token of its own."""
FEWEST = 2
"""Smallest number of repeated letters."""
SHOWN = 6
"""Number of letters of a prediction that are shown, the expected one included."""
ALPHABET = tuple(SPACE if token == " " else token for token in LETTERS_AND_SPACE.tokens)
"""All possible next letters, as they are shown; 27 of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comeback(Values):
    """The longest repeated end of a text of T letters, and what followed its earlier copy."""

    shown: Annotated[tuple[str, ...], Doc("letters of the text, a space as ␣; T of them")]
    first: Annotated[str, Doc("the text before its repeated end")]
    piece: Annotated[str, Doc("the repeated letters at the end")]
    n_piece: Annotated[Characters, Doc("number of repeated letters")]
    source: Annotated[Position, Doc("position of their latest earlier occurrence")]
    answer_at: Annotated[Position, Doc("position of the letter that followed them there")]
    answer: Annotated[str, Doc("letter that followed them there, the expected next letter")]
    answer_index: Annotated[Letter, Doc("index of that letter; 26 is the space")]
    last: Annotated[str, Doc("last letter of the text")]
    is_name: Annotated[bool, Doc("whether the text is a word and then its beginning again")]


def comeback(text: str) -> Comeback:
    """Find the longest end of `text` that occurs before and is followed by a letter there.

    The latest of several occurrences counts. Raises ValueError if fewer than `FEWEST` letters are
    repeated, or for a character other than a to z and space.
    """
    found = letters(text)
    n = len(found)
    sizes = [size for size in range(1, n) if text[-size:] in text[:-1]]
    size = max(sizes, default=0)
    if size < FEWEST:
        raise ValueError(
            f"text must end with at least {FEWEST} letters that stood there before, "
            f"as “banana ban” does; “{text}” ends with “{text[-FEWEST:]}” for the first time"
        )
    source = text[:-1].rfind(text[-size:])
    answer = found[source + size]
    first = text[: n - size]
    return Comeback(
        shown=tuple(SPACE if letter == " " else letter for letter in found),
        first=first.strip(),
        piece=text[-size:].strip(),
        n_piece=size,
        source=source,
        answer_at=source + size,
        answer=SPACE if answer == " " else answer,
        answer_index=LETTERS_AND_SPACE.tokens.index(answer),
        last=SPACE if found[-1] == " " else found[-1],
        is_name=first.count(" ") == 1 and first[-1] == " " and source == 0,
    )


def next_letter(text: str, moment: int) -> Floats:
    """Probabilities of the next letter after `text`, after `moment` steps of training; (27,)."""
    logits = run(moments().at(moment), encode_text(text)).logits[-1]  # (27,)
    likely = np.exp(logits - logits.max())
    return np.asarray(likely / likely.sum())


def likeliest(guess: Floats, answer: int, n: int = SHOWN) -> Ints:
    """Indices of the `n` likeliest letters of a prediction (27,), the likeliest first.

    `answer` replaces the last one if it is not among them.
    """
    order = guess.argsort()[::-1][:n]  # (n,)
    return order if answer in order else np.append(order[:-1], answer)
