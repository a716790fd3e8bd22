"""Receptive fields of words: a fixed window as in a convolution, and attention by content.

A filter over words would see a word and those right before it. The attention is that of the
repaired induction circuit (`model.induction.circuit`) without BOS, in which a repeated word attends
to the word that followed it. Source: primer on attention, section 1 and the end of appendix B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position, Positions, Share, Tokens

WIDTH = 3
"""Width of the window in words, equal to that of a filter in pixels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reach(Values):
    """A text, the windows of three words in it, and the pattern of an induction head."""

    tokens: Annotated[tuple[str, ...], Doc("words of the text")]
    n_tokens: Annotated[Tokens, Doc("number of words")]
    window: Annotated[
        Floats,
        Doc("1 where a word (row) has another or itself (column) in its window, else 0; (T, T)"),
    ]
    head: Annotated[
        Induction, Doc("the induction circuit on the text; the last token makes the query")
    ]
    pattern: Annotated[Floats, Doc("attention weights of the induction head; (T, T)")]
    asker: Annotated[str, Doc("the last word")]
    looks_at: Annotated[
        Position,
        Doc("position with the largest attention weight in the last row, the first if several tie"),
    ]
    found: Annotated[str, Doc("word at that position")]
    share: Annotated[Share, Doc("attention weight of that word in the last row")]
    back: Annotated[Positions, Doc("how many words back that word is")]
    before: Annotated[Positions, Doc("number of earlier words in the window")]
    layers: Annotated[Count, Doc("number of layers of windows needed to reach that word")]
    is_answer: Annotated[
        bool,
        Doc("whether it gets more than half of the attention and follows an earlier last word"),
    ]
    is_beyond: Annotated[bool, Doc("whether it is outside the window")]


def reach(tokens: tuple[str, ...]) -> Reach:
    """The window and the induction head on `tokens`."""
    n_tokens, asker = len(tokens), tokens[-1]
    offsets = np.subtract.outer(np.arange(n_tokens), np.arange(n_tokens))  # (T, T)
    head = induction(tokens, Vocabulary.of(tokens))
    pattern = np.array(head.forward.head_1.pattern)  # (T, T)
    looks_at = int(pattern[-1].argmax())
    share, back = float(pattern[-1, looks_at]), n_tokens - 1 - looks_at
    follows = tokens[looks_at - 1 : looks_at] == (asker,)
    return Reach(
        tokens=tokens,
        n_tokens=n_tokens,
        window=((offsets >= 0) & (offsets < WIDTH)).astype(float),
        head=head,
        pattern=pattern,
        asker=asker,
        looks_at=looks_at,
        found=tokens[looks_at],
        share=share,
        back=back,
        before=WIDTH - 1,
        layers=-(-back // (WIDTH - 1)),
        is_answer=share > 0.5 and follows,
        is_beyond=back >= WIDTH,
    )


def append_query(tokens: tuple[str, ...], avoid: Position = -1) -> tuple[str, ...]:
    """Append a repeated word to a text, unless its last word already finds an answer far back.

    Takes the first inner word that occurs once and whose follower is outside the window, if
    possible not at position `avoid`. Without such a word, the text is returned unchanged.
    """
    found = reach(tokens)
    if found.is_answer and found.is_beyond:
        return tokens
    places = [k for k in range(1, len(tokens) - WIDTH) if tokens.count(tokens[k]) == 1]
    places.sort(key=lambda k: k + 1 == avoid)  # stable
    return (*tokens, tokens[places[0]]) if places else tokens


def rotate_words(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Rotate all words but the last, so that those at the end move to the front.

    Takes the smallest rotation with which the head finds its answer at another position, if
    possible outside the window; by one word if there is none.
    """
    rest, before = tokens[:-1], reach(tokens).looks_at
    ways = [(*rest[-k:], *rest[:-k], tokens[-1]) for k in range(1, max(2, len(rest)))]
    good = [way for way in ways if (found := reach(way)).is_answer and found.looks_at != before]
    return next((way for way in good if reach(way).is_beyond), (good or ways)[0])


@dataclass(frozen=True, eq=False)
class TwoReaches(Values):
    """Two texts, and a picture to compare windows of words with those of a filter."""

    text: Annotated[Reach, Doc("the text")]
    other: Annotated[Reach, Doc("the other text, with the same words")]
    image: Annotated[Floats, Doc("the picture: ink at each pixel; (H, W)")]
