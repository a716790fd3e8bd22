"""How far words see: a window that is the same for every text, and one that the text chooses.

A filter over words would see a word and those right before it. The attention is that of the
repaired induction head, computed by `model.induction.circuit`, without BOS: a word that has stood
before asks for what followed it. Source: primer on attention, section 1 and the end of appendix B.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.induction.circuit import Induction, induction
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Count, Doc, Position, Positions, Share, Tokens

WIDTH = 3
"""How many words the window holds, as a filter's has three columns."""


@dataclass(frozen=True, eq=False)
class Reach:
    """A text, what a window of three words sees of it, and where an induction head looks in it."""

    tokens: Annotated[tuple[str, ...], Doc("the words of the text")]

    @property
    def n_tokens(self) -> Tokens:
        """How many words there are."""
        return len(self.tokens)

    @cached_property
    def window(self) -> Floats:
        """1 where a word sees another or itself through the window, else 0; shape (T, T)."""
        back = np.subtract.outer(np.arange(self.n_tokens), np.arange(self.n_tokens))  # (T, T)
        return sealed(((back >= 0) & (back < WIDTH)).astype(float))

    @cached_property
    def head(self) -> Induction:
        """The induction head over the text; its last token asks."""
        return induction(self.tokens, Vocabulary.of(self.tokens))

    @cached_property
    def pattern(self) -> Floats:
        """How its attention is spread over the words so far, row by row; shape (T, T)."""
        return sealed(np.array(self.head.forward.head_1.pattern))

    @property
    def asker(self) -> str:
        """The last word."""
        return self.tokens[-1]

    @property
    def looks_at(self) -> Position:
        """The word that gets most of the last word's attention, the first of equals."""
        return int(self.pattern[-1].argmax())

    @property
    def found(self) -> str:
        """What it is."""
        return self.tokens[self.looks_at]

    @property
    def share(self) -> Share:
        """How much of the last word's attention it gets."""
        return float(self.pattern[-1, self.looks_at])

    @property
    def back(self) -> Positions:
        """How many words before the last one it stands."""
        return self.n_tokens - 1 - self.looks_at

    @property
    def before(self) -> Positions:
        """How many words before a word the window holds."""
        return WIDTH - 1

    @property
    def layers(self) -> Count:
        """How many layers of such windows, one over the other, reach as far back."""
        return -(-self.back // self.before)

    @property
    def is_answer(self) -> bool:
        """Whether it gets more than half, and stands right after an earlier last word."""
        return self.share > 0.5 and self.tokens[self.looks_at - 1 : self.looks_at] == (self.asker,)

    @property
    def is_beyond(self) -> bool:
        """Whether it is out of the window."""
        return self.back >= WIDTH


def asking(tokens: tuple[str, ...], avoid: Position = -1) -> tuple[str, ...]:
    """The text with a word added that stood before, if its last word finds no answer far back.

    Added is the first inner word that stands once and was followed by a word out of the window,
    best one whose follower is not at position `avoid`. Unchanged where there is no such word.
    """
    found = Reach(tokens)
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
    rest, before = tokens[:-1], Reach(tokens).looks_at
    ways = [(*rest[-k:], *rest[:-k], tokens[-1]) for k in range(1, max(2, len(rest)))]
    good = [way for way in ways if (found := Reach(way)).is_answer and found.looks_at != before]
    return next((way for way in good if Reach(way).is_beyond), (good or ways)[0])


@dataclass(frozen=True, eq=False)
class TwoReaches:
    """Two texts, and a picture, over which a filter's window goes likewise."""

    text: Reach
    other: Reach
    image: Annotated[Floats, Doc("how much ink there is at each pixel; (H, W)")]

    @property
    def moves(self) -> bool:
        """Whether attention finds its word at another place in the other text."""
        return self.text.looks_at != self.other.looks_at
