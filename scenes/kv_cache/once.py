"""While a text is written, a query is needed once, and keys and values in every later step."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from manim import VGroup
from pydantic import Field

from model.token_uses import TokenUses
from model.tokens import words
from scenes.kv_cache.board import LETTERS, Board, Point, Tray, Vector
from scenes.kv_cache.chips import Chips, Lines
from scenes.parts.card import TitleCard
from scenes.parts.strip import Strip
from scenes.stage import CAPTION, Derived, Stage, StageInputs, Steps, Words, beat, fit
from scenes.texts import few_words

NAME = "The KV cache"
_TIME = 6.0
"""Seconds in which the words ask, all together; each needs a least time."""
_LEAST = 0.8


class Once(Stage):
    """While a text is written, a query is needed once, and keys and values in every later step."""

    class Inputs(StageInputs):
        text: Annotated[Words, few_words(4, 8, 10)] = Field(
            "the cat sat on the mat",
            description="4 to 8 words of letters a to z; one word is one token",
        )

    title = "Asked once, needed again"
    question = "A text is written word by word; a word is a token. What will the next one need?"
    caption = "So the queries can go. Keys and values are kept, on a shelf: the KV cache."
    opens = ("tiles",)
    leaves = ("tiles", "shelf")
    derived = {"signs": Derived("the signs of query, key and value", lambda _: "qkv")}

    values: TokenUses

    @classmethod
    def compute(cls, inputs: Any) -> TokenUses:
        return TokenUses(words(inputs.text))

    def layout(self) -> None:
        tokens, self.n = self["tokens"], self.values.n_tokens
        boards = Board(tokens), Board(tokens, in_rows=True)
        self.board = board = boards[fit(self.canvas, *boards)]
        self.tiles = Strip(tokens, hidden=self.n - 2, size=LETTERS)
        self.tiles.place_at(board.lane("tile"), board.tile)
        queries, keys, signs = self["query_uses_so_far"], self["key_uses_so_far"], self["signs"]
        self.queries = Chips(queries[0], board, "query", signs)
        self.keys = Chips(keys[0], board, "key", signs)
        self.tray = Tray(board.shelf).hide()
        self.value_chips = Chips(keys[0], board, "value", signs)
        self.shelf = VGroup(self.tray, self.keys, self.value_chips)
        self.card = TitleCard(NAME, role="key")
        self.card.place(board.free)
        self.card.hide()

    @property
    def _each(self) -> float:
        """Seconds for one word."""
        return max(_LEAST, _TIME / (self.n - 1))

    def _arcs(self, m: int) -> Lines:
        """From word m to all before it."""
        ends = self.board.lane("tile") + (self.board.edge("tile", 0, 1) - self.board.at("tile", 0))
        asked = self["counts.keys_used"][m - 1]
        return Lines(asked, ends[m], ends, role="query", bow=self.board.onwards)

    @beat("Every new word looks back at all the words before it.")
    def write(self) -> Steps:
        for m in range(1, self.n):
            arcs = self._arcs(m)
            if m > 1:
                yield self.tiles.type_in(m, run_time=0.4 * self._each)
            self.add(arcs)
            yield arcs.grow(run_time=0.4 * self._each)
            yield arcs.sink(run_time=0.25 * self._each)
            self.remove(arcs)
        yield self.tiles.blink(run_time=0.4)

    @beat("For that, it has a query, a key and a value. Its query also asks its own key.")
    def vectors(self) -> Steps:
        yield self.tiles.dim_tiles(*range(1, self.n))
        self.add(*self._chips)
        yield from self._step(0, 2.4)

    @beat(ask="Which of its three vectors will a word need again?")
    def go_on(self) -> Steps:
        for m in range(1, self.n):
            yield from self._step(m, self._each)

    @beat("A query asks once. A key and a value are used again by every later word.")
    def answer(self) -> Steps:
        yield self.tiles.paint(self.n - 1, None)
        yield self.queries.go(run_time=self.reading - 1.0)
        self.remove(self.queries)

    @beat(CAPTION)
    def keep(self) -> Steps:
        self.add(self.shelf)
        yield self.tray.come(run_time=1.4)
        yield self.card.appear(run_time=2.2)

    @property
    def _chips(self) -> tuple[Chips, Chips, Chips]:
        return self.queries, self.keys, self.value_chips

    def _step(self, m: int, time: float) -> Steps:
        """Word m comes with its vectors, and asks all words so far."""
        asks = [self.tiles.undim_tiles(m), self.tiles.paint(m, "query", run_time=0.3 * time)]
        if m:
            asks.append(self.tiles.paint(m - 1, None, run_time=0.3 * time))
        yield *asks, *(chips.come(m, run_time=0.35 * time) for chips in self._chips)
        asked, board, edges = self["counts.keys_used"][m], self.board, self._edges
        to_keys = Lines(asked, board.edge("query", m, 1), edges("key", -1), role="query")
        to_values = Lines(asked, edges("key", 1), edges("value", -1), role="query")
        self.add(to_keys, to_values)
        uses = self["query_uses_so_far"][m], *[self["key_uses_so_far"][m]] * 2
        pairs = zip(self._chips, uses, strict=True)
        counts = [chips.use(use, run_time=0.45 * time) for chips, use in pairs]
        lines = to_keys, to_values
        yield *(line.grow(run_time=0.45 * time) for line in lines), *counts
        yield [line.sink(run_time=0.2 * time) for line in lines]
        self.remove(*lines)

    def _edges(self, role: Vector, side: float) -> Point:
        """The edges of all keys, or all values, on one side, (T, 3)."""
        return np.array([self.board.edge(role, n, side) for n in range(self.n)])
