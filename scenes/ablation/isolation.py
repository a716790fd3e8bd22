"""Without attention a new word is noticed by its own row alone; with it, by those after it too."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from manim import Create
from pydantic import Field, model_validator

from clockhead.model.films.ablation.isolation import WordExchange, exchange_word
from clockhead.model.tokens import named
from clockhead.scenes.ablation.inputs import MOST_LETTERS, MOST_WORDS, HeadsInputs
from clockhead.scenes.ablation.storeys import Storeys
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.strip_looks import come_back, leave
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, Words, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.texts import few_words, words_said


def _noticed(exchange: WordExchange) -> str:
    if exchange.place == exchange.before.last:
        return "Again its own alone: no token comes after it, and tokens look back, never ahead."
    return "Now rows after it can move too: tokens look back, never ahead."


class Isolation(Stage[WordExchange]):
    """One word is exchanged: which rows notice, without attention and with it?"""

    class Inputs(HeadsInputs):
        """A short text, the rows that go in, and the word to be exchanged."""

        place: int = Field(
            1,
            ge=0,
            le=MOST_WORDS - 1,
            description="which token is exchanged, from 0; the last one if the text is shorter",
        )
        word: Annotated[Words, few_words(1, 1, MOST_LETTERS)] | None = Field(
            None,
            description="the word that comes instead, "
            f"{words_said(1, 1, MOST_LETTERS)}; left out, one that is not in the text",
        )

        @model_validator(mode="after")
        def _exchanges(self) -> Isolation.Inputs:
            self.exchange()
            return self

        def exchange(self) -> WordExchange:
            """The heads over this text and over the other; ValueError where there is no other."""
            place = min(self.place, len(self.tokens) - 1)
            return exchange_word(self.effects(), place, self.word, seed=self.seed or 0)

    title = "Which rows notice a new word?"
    question = "First with all heads off, then all on."
    caption = "Attention is the only way from token to token."
    opens = ("tiles",)
    derived = {"old": Derived("the word that goes", lambda e: named(e.before.tokens, e.place))}

    inputs: Inputs

    @classmethod
    def compute(cls, inputs: Any) -> WordExchange:
        found: WordExchange = inputs.exchange()
        return found

    def layout(self) -> None:
        found = self.values
        runs = found.before.run, found.after.run, found.alone_before, found.alone_after
        bounds = np.abs([run.resids for run in runs]).max(axis=(0, 2, 3))
        most = float(max(found.moves.max(), found.moves_alone.max()))
        self.storeys = Storeys(self, found.place, [bound or 1.0 for bound in bounds], most)
        self.storeys.place(self.canvas)
        self.tiles, self.new_tile = self.storeys.tiles, self.storeys.new_tile

    @beat("Every head is off: each row goes up alone, and only MLPs change it.")
    def alone(self) -> Steps:
        storeys, time = self.storeys, 0.8 * self.reading
        every = (row for rows in storeys.rows for row in rows)
        yield [FadeIn(part, run_time=0.1 * time) for part in (*every, storeys.wires)]
        when = np.linspace(0.0, 1.0, self.values.before.d_model)[None]
        for name, rows in zip(storeys.names, storeys.rows, strict=True):
            yield FadeIn(name), *(row.fill(when, run_time=0.3 * time) for row in rows)

    @beat(
        "Its own, by this distance. In the other rows, not a single digit moves.",
        ask="{old} becomes “{word}”. Which rows will move?",
    )
    def exchange_alone(self) -> Steps:
        yield [FadeIn(part, run_time=0.4) for part in self.storeys.boxes("moves_alone")]
        yield from self._exchange("alone_after.resids", 0.7 * self.reading)

    @beat(
        "Back to {old}, all heads on. For each head, a thread shows how much a row looks at {old}."
    )
    def switch_on(self) -> Steps:
        storeys, time = self.storeys, 0.6 * self.reading
        yield (
            leave(self.new_tile, 0),
            *storeys.run("alone_before.resids", run_time=0.9),
            *(FadeOut(cell, run_time=0.6) for level in storeys.moves for cell in level),
        )
        _, *cells = storeys.boxes("moves")
        yield (
            come_back(self.tiles, self.values.place, run_time=0.4),
            *(FadeIn(cell, run_time=0.4) for cell in cells),
        )
        self.remove(storeys.wires)
        ribbons = storeys.look("before.patterns")
        self.add(*ribbons, storeys.wires, *cells)
        yield (
            *(each.draw_in(run_time=time) for each in ribbons),
            *storeys.run("before.run.resids", run_time=time),
        )

    @beat(_noticed, ask="The same exchange. Which rows move now?")
    def exchange_on(self) -> Steps:
        yield from self._exchange("after.run.resids", 0.9 * self.reading)

    def _exchange(self, streams: str, time: float) -> Steps:
        """Let the other word come, and what it moves move, from level to level."""
        storeys, each = self.storeys, 0.25 * time
        yield leave(self.tiles, self.values.place, run_time=0.5 * each)
        self.add(self.new_tile)
        yield come_back(self.new_tile, 0, run_time=0.5 * each)
        for level, cells in enumerate(storeys.moves):
            yield (
                *storeys.run(streams, level, run_time=each),
                *(cell.fill(np.zeros((1, 1)), each=1.0, run_time=each) for cell in cells),
                *(
                    ribbons.to(self["after.patterns"][level - 1, head], run_time=each)
                    for below in storeys.ribbons[level - 1 : level]
                    for head, ribbons in enumerate(below)
                ),
            )

    @beat(CAPTION)
    def end(self) -> Steps:
        """A frame goes from the new word to where the next word is read off, if there is a way."""
        storeys, last, place = self.storeys, self.values.before.last, self.values.place
        end = last if last in self.values.reached else place
        frame = CellFrame(storeys.block(0, place), "attention")
        yield 0.2 * together(Create(frame))
        way = [storeys.block(level, end) for level in range(1, len(storeys.rows))]
        yield 0.7 * frame.trace(*way)
