"""How far words see: a window that is the same for every text, and one that the text chooses.

A filter over words would see a word and those right before it. The attention is that of the
repaired induction head, computed by `model.induction.circuit`, without BOS: a word that has stood
before asks for what followed it. Source: primer on attention, section 1 and the end of appendix B.
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
"""How many words the window holds, as a filter's has three columns."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reach(Values):
    """A text, what a window of three words sees of it, and where an induction head looks in it."""

    tokens: Annotated[tuple[str, ...], Doc("the words of the text")]
    n_tokens: Annotated[Tokens, Doc("how many words there are")]
    window: Annotated[
        Floats, Doc("1 where a word sees another or itself through the window, else 0; (T, T)")
    ]
    head: Annotated[Induction, Doc("the induction head over the text; its last token asks")]
    pattern: Annotated[
        Floats, Doc("how its attention is spread over the words so far, row by row; (T, T)")
    ]
    asker: Annotated[str, Doc("the last word")]
    looks_at: Annotated[
        Position, Doc("the word that gets most of the last word's attention, the first of equals")
    ]
    found: Annotated[str, Doc("the word that gets most of the last word's attention, as text")]
    share: Annotated[Share, Doc("the attention that the word found gets")]
    back: Annotated[Positions, Doc("how far back the word found is")]
    before: Annotated[Positions, Doc("how many words before a word the window holds")]
    layers: Annotated[Count, Doc("the number of layers of windows that reach it")]
    is_answer: Annotated[
        bool, Doc("whether it gets more than half, and stands right after an earlier last word")
    ]
    is_beyond: Annotated[bool, Doc("whether it is out of the window")]


def reach(tokens: tuple[str, ...]) -> Reach:
    """How far the window and the head see over `tokens`."""
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


def asking(tokens: tuple[str, ...], avoid: Position = -1) -> tuple[str, ...]:
    """The text with a word added that stood before, if its last word finds no answer far back.

    Added is the first inner word that stands once and was followed by a word out of the window,
    best one whose follower is not at position `avoid`. Unchanged where there is no such word.
    """
    found = reach(tokens)
    if found.is_answer and found.is_beyond:
        return tokens
    places = [k for k in range(1, len(tokens) - WIDTH) if tokens.count(tokens[k]) == 1]
    places.sort(key=lambda k: k + 1 == avoid)  # stable
    return (*tokens, tokens[places[0]]) if places else tokens


def moved_words(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The same words in another order: all but the last go on, the hindmost to the front.

    They go as far as it takes for the head to find its answer at another place, out of the window
    if possible; by one word where no way does.
    """
    rest, before = tokens[:-1], reach(tokens).looks_at
    ways = [(*rest[-k:], *rest[:-k], tokens[-1]) for k in range(1, max(2, len(rest)))]
    good = [way for way in ways if (found := reach(way)).is_answer and found.looks_at != before]
    return next((way for way in good if reach(way).is_beyond), (good or ways)[0])


@dataclass(frozen=True, eq=False)
class TwoReaches(Values):
    """Two texts, and a picture, over which a filter's window goes likewise."""

    text: Annotated[Reach, Doc("the text")]
    other: Annotated[Reach, Doc("the other text, of the same words")]
    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]
