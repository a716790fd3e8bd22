"""While a text is written, a query is used once, and keys and values in every later step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from manim import Create, VMobject
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.kv_cache.once import TokenUses, token_uses
from clockhead.model.tokens import words
from clockhead.scenes.kv_cache.words import WordVectors
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import line_ends, points_at, straight
from clockhead.scenes.parts.strip_typing import blink, type_in
from clockhead.scenes.stage import (
    CAPTION,
    Picture,
    Reading,
    Stage,
    StageInputs,
    Steps,
    Value,
    Words,
    beat,
)
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, together
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.texts import few_words, words_said

_TIME, _LEAST = 5.4, 0.9
"""Seconds for all of the last words together, and the least for each."""
_LATER = 9.0
"""Start time of cells that stay hidden, after any animation; negated, of visible ones."""


class Once(Stage[TokenUses]):
    """While a text is written, a query is used once, and keys and values in every later step."""

    class Inputs(StageInputs):
        text: Annotated[Words, few_words(4, 12, 10)] = Field(
            "the cat sat on the mat", description=words_said(4, 12, 10)
        )

        @property
        def tokens(self) -> tuple[str, ...]:
            """The words of the text."""
            return words(self.text)

    title = "Asked once, needed again"
    question = "What does a new word need of those before it?"
    caption = "So the queries can go. Keys and values are kept, on a shelf: the KV cache."
    opens = ("tiles", "query", "key", "value")
    leaves = ("tiles", "card")

    compute = token_uses

    def layout(self) -> None:
        self.n, uses = self.values.n_tokens, self["uses_so_far"]
        self.words = WordVectors(
            self.canvas, self["tokens"], self["vectors"], uses[0], hidden=self.n - 1
        )
        self.tiles, self.card, self.vectors = self.words.tiles, self.words.card, self.words.vectors
        self.query, self.key, self.value = self.vectors
        for vector in self.vectors:
            vector.empty()

    @beat("Its query $q$ asks the keys $k$ of all words so far, by dot products.")
    def ask_keys(self) -> Steps:
        for m in (0, 1):
            yield from self._step(m, 0.4 * self.reading)

    @beat("The dot products say how much it takes of each word's value $v$.")
    def take_values(self) -> Steps:
        yield from self._step(2, 0.8 * self.reading)

    @beat(ask="The numbers count uses. Which of the three does a word need again?")
    def go_on(self) -> Steps:
        for m in range(3, self.n):
            yield from self._step(m, max(_LEAST, _TIME / (self.n - 3)))

    @beat("A query asks once. A key and a value are used again by every later word.")
    def answer(self) -> Steps:
        yield blink(self.tiles, run_time=0.4)
        needed = self.key.frame_column(0, "key"), self.value.frame_column(0, "value")
        yield 0.6 * together(*map(Create, needed))
        yield FadeOut(*needed, run_time=0.4)

    @beat(CAPTION)
    def keep(self) -> Steps:
        yield FadeOut(self.query, run_time=1.4)
        yield FadeIn(self.words.tray, run_time=1.4)
        yield self.card.appear(run_time=2.2)

    def _step(self, m: int, time: float) -> Steps:
        """Type word m, show its vectors, and draw lines from its query to the keys so far."""
        if m:
            yield type_in(self.tiles, m, run_time=0.2 * time)
        when = _LATER * np.sign(np.arange(self.n) - m)[:, None]
        fill = [vector.fill(when, labels=False) for vector in self.vectors]
        yield together(fill, run_time=0.2 * time)
        asked = self["counts.keys_used"][m]
        to_keys = QueryLines(asked, _edges(self.query, 1)[m], _edges(self.key, -1), "query")
        to_values = QueryLines(asked, _edges(self.key, 1), _edges(self.value, -1), "query")
        uses = self["uses_so_far"][m + 1]
        counts = [vector.to(uses[k]) for k, vector in enumerate(self.vectors)]
        yield together(to_keys.run(), to_values.run(), counts, run_time=0.4 * time)
        yield FadeOut(to_keys, to_values, run_time=0.2 * time)


def _edges(column: Matrix, side: int) -> NDArray[np.float64]:
    """Middles of the left (-1) or right edges (1) of a column's cells; (T, 3)."""
    cells = column.lattice
    x, y = cells.middles[:, 0].T
    return points_at(x + side * cells.cell_width / 2, y)


class QueryLines(Picture):
    """Lines to the tokens whose keys are used, `asked` (T,), from one start (3,) or from T of them.

    The ends are (T, 3). `run` draws the lines.
    """

    def __init__(
        self, asked: Value, starts: NDArray[np.float64], ends: NDArray[np.float64], role: Role
    ) -> None:
        super().__init__(asked)
        self._starts, self._ends, self._grown = np.broadcast_to(starts, ends.shape), ends, 0.0
        self.path = VMobject(stroke_color=theme().text_color(role), stroke_width=3.0)
        self.add(self.path)
        self.set_z_index(-1)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the grown part of each line."""
        starts, ends = (points[state > 0] for points in (self._starts, self._ends))
        self.path.set_points(straight(starts, starts + self._grown * (ends - starts)))

    def run(self) -> Drive:
        """Grow the lines from their starts to their ends."""
        return self.drive("_grown", 0.0, 1.0)

    def readings(self) -> Iterator[Reading]:
        """Whether a line ends at each token; nothing before the lines are complete."""
        if self._grown < 1:
            return
        _, tips = line_ends(self.path.points)  # (N, 3)
        apart = np.linalg.norm(self._ends[:, None] - tips[None], axis=2)  # (T, N)
        reached = set(apart.argmin(axis=0).tolist())
        for n in range(len(self._ends)):
            yield Reading(self.shown[n], float(n in reached))
