"""While a text is written, a query is needed once, and keys and values in every later step."""

from __future__ import annotations

from typing import Annotated, Any

from manim import FadeIn, FadeOut, VGroup
from pydantic import Field

from clockhead.model.token_uses import TokenUses
from clockhead.model.tokens import words
from clockhead.scenes.kv_cache.board import LETTERS, Board, Tray
from clockhead.scenes.kv_cache.chips import Chips, Lines
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import (
    CAPTION,
    Derived,
    Stage,
    StageInputs,
    Steps,
    Value,
    Words,
    beat,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.texts import few_words, words_said

NAME = "The KV cache"
_TIME = 5.4
"""Seconds in which the words ask, all together; each needs a least time."""
_LEAST = 0.8


def lay_words(canvas: Region, tokens: Value, *, hidden: int = 0) -> tuple[Board, Strip]:
    """The words of the text, and where all else stands; the last ones wait unseen."""
    boards = Board(tokens), Board(tokens, in_rows=True)
    board = boards[fit(canvas, *boards)]
    return board, Strip(tokens, hidden=hidden, size=LETTERS).place_at(
        board.lane("tile"), board.tile
    )


class Once(Stage):
    """While a text is written, a query is needed once, and keys and values in every later step."""

    class Inputs(StageInputs):
        text: Annotated[Words, few_words(4, 8, 10)] = Field(
            "the cat sat on the mat",
            description=words_said(4, 8, 10),
        )

    title = "Asked once, needed again"
    question = "A text is written word by word; a word is a token. What will the next one need?"
    caption = "So the queries can go. Keys and values are kept, on a shelf: the KV cache."
    opens = ("tiles",)
    leaves = ("tiles", "card")
    derived = {"signs": Derived("the signs of query, key and value", lambda _: "qkv")}

    values: TokenUses

    @classmethod
    def compute(cls, inputs: Any) -> TokenUses:
        return TokenUses(words(inputs.text))

    def layout(self) -> None:
        tokens, self.n = self["tokens"], self.values.n_tokens
        self.board, self.tiles = board, _ = lay_words(self.canvas, tokens, hidden=self.n - 2)
        uses, signs = self._uses(0), self["signs"]
        self.queries = Chips(uses[0], board, "query", signs, hidden=True)
        self.keys = Chips(uses[1], board, "key", signs, hidden=True)
        self.kept_values = Chips(uses[2], board, "value", signs, hidden=True)
        self.chips = self.queries, self.keys, self.kept_values
        self.tray = Tray(board.shelf)
        self.shelf = VGroup(self.tray, self.keys, self.kept_values)
        self.card = TitleCard(NAME, role="key")
        self.card.place(board.free)
        self.card.hide()

    @property
    def _each(self) -> float:
        """Seconds for one word."""
        return max(_LEAST, _TIME / (self.n - 1))

    def _uses(self, m: int) -> tuple[Value, Value, Value]:
        """How often queries, keys and values have been used, up to step m."""
        keys = self["key_uses_so_far"][m]
        return self["query_uses_so_far"][m], keys, keys

    def _arcs(self, m: int) -> Lines:
        """From word m to all before it."""
        ends = self.board.edges("tile", 1)
        asked = self["counts.keys_used"][m - 1]
        return Lines(asked, ends[m], ends, role="query", bow=self.board.onwards)

    @beat("Every new word looks back at all the words before it.")
    def write(self) -> Steps:
        for m in range(1, self.n):
            arcs = self._arcs(m)
            if m > 1:
                yield self.tiles.type_in(m, run_time=0.4 * self._each)
            self.add(arcs)
            yield arcs.run(1, run_time=0.4 * self._each)
            yield arcs.run(2, run_time=0.25 * self._each)
            self.remove(arcs)
        yield self.tiles.blink(run_time=0.4)

    @beat(
        "Its query $q$ asks all keys $k$ so far by dot products: the larger, the more of that "
        "value $v$ it takes."
    )
    def vectors(self) -> Steps:
        yield self.tiles.dim_tiles(*range(1, self.n))
        self.add(*self.chips)
        yield from self._step(0, 2.4)

    @beat(ask="Which of its three vectors will a word need again?")
    def go_on(self) -> Steps:
        for m in range(1, self.n):
            yield from self._step(m, self._each)

    @beat("A query asks once. A key and a value are used again by every later word.")
    def answer(self) -> Steps:
        yield self.tiles.paint(self.n - 1, None)
        away = 0.5 * self.board.onwards
        yield FadeOut(self.queries, shift=away, run_time=self.reading - 1.0)

    @beat(CAPTION)
    def keep(self) -> Steps:
        yield FadeIn(self.tray, run_time=1.4)
        self.add(self.shelf)
        yield self.card.appear(run_time=2.2)

    def _step(self, m: int, time: float) -> Steps:
        """Word m comes with its vectors, and asks all words so far."""
        asks = [self.tiles.undim_tiles(m), self.tiles.paint(m, "query", run_time=0.3 * time)]
        if m:
            asks.append(self.tiles.paint(m - 1, None, run_time=0.3 * time))
        yield *asks, *(chips.come(m, run_time=0.35 * time) for chips in self.chips)
        asked, edges = self["counts.keys_used"][m], self.board.edges
        to_keys = Lines(asked, edges("query", 1)[m], edges("key", -1), role="query")
        to_values = Lines(asked, edges("key", 1), edges("value", -1), role="query")
        lines = to_keys, to_values
        self.add(*lines)
        pairs = zip(self.chips, self._uses(m), strict=True)
        counts = [chips.use(use, run_time=0.45 * time) for chips, use in pairs]
        yield *(line.run(1, run_time=0.45 * time) for line in lines), *counts
        yield [line.run(2, run_time=0.2 * time) for line in lines]
        self.remove(*lines)
