"""Without attention a new word is noticed by its own row alone; with it, by those after it too."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut
from pydantic import Field, model_validator

from clockhead.model.tokens import named
from clockhead.model.word_exchange import WordExchange, exchanged
from clockhead.scenes.ablation.inputs import MOST_LETTERS, HeadsInputs
from clockhead.scenes.ablation.storeys import Storeys
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_motion import Motion, Show
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, Value, beat
from clockhead.scenes.style.motion import Drive


def _after(exchange: WordExchange) -> str:
    """What the exchange moves with attention on."""
    n, place = exchange.before.n_tokens, exchange.place
    n_after, n_moved = n - place - 1, exchange.n_reached - 1
    if not n_after:
        return (
            "Again only its own: no token stands after it, and those before it cannot look ahead."
        )
    if not n_moved:
        return "Again only its own: those after it look back so faintly that no digit moves."
    if n_moved < n_after:
        moved = f"Its own, and {counted(n_moved)} of the {counted(n_after)} after it"
        return f"{moved}: wherever attention brings enough to move a digit."
    if not place:
        return "All of them: it stands first, so every other token can look back at it."
    tokens = exchange.before.tokens
    one, first = named(tokens, exchange.before.last), named(tokens, 0)
    moved = (
        f"{one}, which looks" if n_after == 1 else f"the {counted(n_after)} after it, which look"
    )
    still = first if place == 1 else f"the {counted(place)} before it"
    return f"Its own, and {moved} back; {still} cannot look ahead."


class Isolation(Stage):
    """One word is exchanged: which rows notice, without attention and with it?"""

    class Inputs(HeadsInputs):
        """A short text, the rows that go in, and the word to be exchanged."""

        place: int = Field(1, ge=0, le=4, description="which token is exchanged, from 0")
        word: str | None = Field(
            None,
            pattern=rf"^[a-z]{{1,{MOST_LETTERS}}}$",
            description="the word that comes instead; left out, one that is not in the text",
        )

        @model_validator(mode="after")
        def _exchanges(self) -> Isolation.Inputs:
            self.exchange()
            return self

        def exchange(self) -> WordExchange:
            """The heads over this text and over the other; ValueError where there is no other."""
            return exchanged(self.effects(), self.place, self.word, seed=self.seed or 0)

    title = "Which rows notice a new word?"
    question = "First with every head switched off, then with all of them on."
    caption = "Attention is the only way from token to token."
    opens = ("tiles",)
    derived = {
        "old": Derived("the word that goes", lambda e: named(e.before.tokens, e.place)),
        "asker": Derived("the last token", lambda e: named(e.before.tokens, e.before.last)),
        "after_said": Derived("which rows move with attention", _after),
    }

    inputs: Inputs
    values: WordExchange

    @classmethod
    def compute(cls, inputs: Any) -> WordExchange:
        found: WordExchange = inputs.exchange()
        return found

    def layout(self) -> None:
        found = self.values
        runs = found.before.run, found.after.run, found.alone_before, found.alone_after
        bounds = np.abs([run.resids for run in runs]).max(axis=(0, 2, 3))
        self.most = float(max(found.moves.max(), found.moves_alone.max()))
        self.storeys = Storeys(self, found.place, [b or 1.0 for b in bounds])
        self.storeys.place(self.canvas)
        self.tiles = self.storeys.tiles

    @beat("Every head is off: each row goes up alone, and only MLPs change it.")
    def alone(self) -> Steps:
        storeys, time = self.storeys, 0.8 * self.reading
        self.add(*(row.empty() for rows in storeys.rows for row in rows), storeys)
        yield [
            FadeIn(m, run_time=0.1 * time) for m in (storeys.wires, storeys.switch, storeys.heads)
        ]
        when = np.linspace(0.0, 1.0, self.values.before.d_model)[None]
        for name, rows in zip(storeys.names, storeys.rows, strict=True):
            yield FadeIn(name), *(row.fill(when, run_time=0.3 * time) for row in rows)

    @beat(
        "Its own. In the rows of the others, not a single digit moves.",
        ask="{old} becomes “{word}”. Which rows will move?",
    )
    def exchange_alone(self) -> Steps:
        yield from self._exchange("alone_after.resids", "moves_alone", 0.8 * self.reading)

    @beat("Back to {old}, and every head on: the threads show how much each token looks at it.")
    def switch_on(self) -> Steps:
        storeys, time = self.storeys, 0.4 * self.reading
        cells, storeys.moves = [cell for level in storeys.moves for cell in level], []
        yield (
            turn_over(self.tiles, self.values.place, self["before.tokens"]),
            *storeys.run("alone_before.resids", run_time=0.9),
            *(FadeOut(part, run_time=0.6) for part in (*cells, storeys.marks)),
        )
        self.remove(storeys.wires)
        ribbons = storeys.look("before.patterns")
        self.add(*ribbons, storeys.wires)
        yield (
            Drive(storeys.switch, lambda on: storeys.switch.turn(float(on)), 0, 1, run_time=0.5),
            *(each.draw_in(run_time=time) for each in ribbons),
            *storeys.run("before.run.resids", run_time=time),
        )

    @beat("{after_said}", ask="The same exchange. Which rows move now?")
    def exchange_on(self) -> Steps:
        yield from self._exchange("after.run.resids", "moves", 0.9 * self.reading)

    def _exchange(self, streams: str, moves: str, time: float) -> Steps:
        """Let the tile turn over, and what it moves move, from level to level."""
        storeys, each = self.storeys, 0.25 * time
        storeys.tell(moves, self.most)
        yield (
            turn_over(self.tiles, self.values.place, self["after.tokens"], run_time=each),
            FadeIn(storeys.marks, run_time=each),
        )
        for level, cells in enumerate(storeys.moves):
            self.add(*cells)
            yield (
                *storeys.run(streams, level, run_time=each),
                *(cell.fill(np.zeros((1, 1)), each=1.0, run_time=each) for cell in cells),
                *(
                    ribbons.to(self["after.patterns"][head], run_time=each)
                    for head, ribbons in storeys.ribbons.items()
                    if head[0] == level - 1
                ),
            )

    @beat("Without attention, the next word would depend on {asker} alone.")
    def read_off(self) -> Steps:
        last, storeys = self.values.before.last, self.storeys
        down = [storeys.block(level, last) for level in reversed(range(storeys.n_levels))]
        frame = CellFrame(down[0])
        yield Create(frame, run_time=0.25 * self.reading)
        yield frame.trace(*down[1:], run_time=0.5 * self.reading)
        yield FadeOut(frame, run_time=0.3)

    @beat(CAPTION)
    def end(self) -> Steps:
        """A frame goes from the new word to where the next word is read off, if there is a way."""
        storeys, last, place = self.storeys, self.values.before.last, self.values.place
        end = last if last in self.values.reached else place
        frame = CellFrame(storeys.block(0, place), "attention")
        yield Create(frame, run_time=0.2 * self.reading)
        way = [storeys.block(level, end) for level in range(1, storeys.n_levels)]
        yield frame.trace(*way, run_time=0.7 * self.reading)


def turn_over(strip: Strip, k: int, tokens: Value, *, run_time: float = 0.9) -> Motion:
    """Let a tile turn over, with another word on its back."""

    def prepare() -> Show:
        tile = strip.tiles[k]
        state = tile.state
        strip.moving.add(k)

        def at(share: float) -> None:
            if share >= 0.5 and strip.shown is not tokens:
                strip.set_to(tokens)
            tile.draw(state)
            edge = abs(np.cos(np.pi * share))
            for piece in (tile.box, tile.label):
                piece.stretch(max(edge, 0.02), 1, about_point=np.array([state[0], state[1], 0.0]))

        return at

    return Motion(strip, prepare, lambda: strip.moving.discard(k), run_time=run_time)
