"""A text that ends with letters that stood before, and what the transformer guesses comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.tokens import LETTERS_AND_SPACE, letters
from clockhead.model.trained.transformer import moments, run, tokens_of
from clockhead.model.units import Characters, Doc, Letter, Position

SPACE = "␣"
"""How a space is written where it is a token of its own."""
FEWEST = 2
"""Letters that must come again, so that there is something to find."""
SHOWN = 6
"""How many letters of a guess are shown: the likeliest, and the one that came before."""
ALPHABET = tuple(SPACE if token == " " else token for token in LETTERS_AND_SPACE.tokens)
"""Everything that can come next, as it is written; 27 of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comeback(Values):
    """The longest end of a text that stood in it before. T letters."""

    shown: Annotated[tuple[str, ...], Doc("the letters of the text, a space as ␣; T of them")]
    first: Annotated[str, Doc("the text before the piece that comes again")]
    piece: Annotated[str, Doc("the letters at the end that stood before")]
    n_piece: Annotated[Characters, Doc("how many letters come again")]
    source: Annotated[Position, Doc("where they stood last, as the place of the first letter")]
    answer_at: Annotated[Position, Doc("the place of the letter that came after them")]
    answer: Annotated[str, Doc("the letter that came after them")]
    answer_index: Annotated[Letter, Doc("the same as a number; 26 is the space")]
    last: Annotated[str, Doc("the last letter of the text")]
    is_name: Annotated[bool, Doc("whether the text is a word and its beginning once more")]


def comeback(text: str) -> Comeback:
    """The longest end of `text` that stood there before, with a letter after it.

    If it did so twice, the later one counts. Raises ValueError if fewer than `FEWEST` letters come
    again, or for another character than a to z and space.
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
    """How likely each letter is to come after `text`, after so many steps of training; (27,)."""
    logits = run(moments().at(moment), tokens_of(text)).logits[-1]  # (27,)
    likely = np.exp(logits - logits.max())
    return np.asarray(likely / likely.sum())


def likeliest(guess: Floats, answer: int, n: int = SHOWN) -> Ints:
    """The `n` likeliest letters of a guess (27,), the first the likeliest; `answer` among them."""
    order = guess.argsort()[::-1][:n]  # (n,)
    return order if answer in order else np.append(order[:-1], answer)
