"""A repeated word: a reader looks back for what followed it, and the subject of the tour."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from clockhead.model.films.induction.idea import Riddle as RiddleValues
from clockhead.model.films.induction.idea import riddle
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.induction.idea import Idea
from clockhead.scenes.induction.spread import OVER, spread, tile_positions, tile_size
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import dim_tiles, leave, paint, undim_tiles
from clockhead.scenes.parts.strip_typing import answer, ask_next, type_in
from clockhead.scenes.parts.tile import Paint
from clockhead.scenes.stage import CAPTION, Column, Stage, Steps, beat, fit
from clockhead.scenes.tour.inputs import RiddleInputs

NAME, LONG_NAME = "Attention", "a tour, from clocks to letters"


class Riddle(Stage[RiddleValues]):
    """A reader looks back and reads on; a head that looks for its own word only repeats it."""

    Inputs = RiddleInputs
    title = "What follows “{text.query_token}”?"
    question = "BOS marks the start. “{text.query_token}” has come before."
    caption = "How can it look one word further, with nothing but numbers? By attention."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = Idea.claims
    derived = Idea.derived

    compute = riddle

    def layout(self) -> None:
        tokens, size = self["text.tokens"], tile_size(self.canvas)
        self.last = len(tokens) - 1
        self.tiles = Strip(tokens, wonder=True, hidden=2, size=size)
        self.tiles.place(self.canvas.inset(0.0, OVER))
        assert self.tiles.layout is not None
        lines = int(np.ceil(len(tokens) / self.tiles.layout.per_line))
        spread(self.tiles, self.canvas)
        self.eye = Glance(self.tiles, self.last)
        self.arcs = Arcs(self["echo.head.pattern"][self.last], self.tiles, self.last)
        self.raised = Strip(tokens, size=size, lines=lines)
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        fit(self.canvas, Column(self.raised, self.card))

    @beat()
    def typed(self) -> Steps:
        yield type_in(self.tiles, self.last, run_time=1.4)
        yield ask_next(self.tiles)

    @beat(
        "You look back: {followers_listed} came after “{text.query_token}” before.",
        ask="What would you say comes next?",
    )
    def recall(self) -> Steps:
        text, tiles = self.values.text, self.tiles
        after = text.followers.tolist()
        stops = list(dict.fromkeys(n for e in text.earlier.tolist() for n in (e, e + 1)))

        def meet(n: int) -> None:
            tiles.look([n], "correct" if n in after else None)

        self.eye.stand(self.eye.over(self.last))
        yield self.eye.open()
        yield self.eye.sweep(stops, meet=meet, run_time=max(1.8, self.reading))
        if text.n_followed_by == 1:
            found = after[-1]
            yield answer(tiles, self["text.tokens"][found], tiles.middle(found), run_time=1.2)

    @beat(
        "A machine that looks for “{text.query_token}” finds it, and says “{text.query_token}” "
        "again."
    )
    def parrot(self) -> Steps:
        text, tiles = self.values.text, self.tiles
        source = int(text.earlier[-1])
        gone = [leave(tiles, self.last + 1)] if text.n_followed_by == 1 else []
        yield paint(tiles, text.followers.tolist(), None), self.eye.sweep([self.last]), *gone
        yield self.eye.close(), paint(tiles, self.last, "query"), ask_next(tiles)
        self.remove(self.eye)
        self.add(self.arcs, tiles)  # between lines, the arcs pass behind the tiles
        yield self.arcs.draw(run_time=1.8)
        role: Paint = "attention" if text.query_token in text.followed_by else "wrong"
        word = self["echo.prediction"]
        yield answer(tiles, word, tiles.middle(source), role=role, run_time=1.4)

    @beat()
    def joke(self) -> Steps:
        tiles = self.tiles
        yield self.arcs.draw_back(), dim_tiles(tiles, *range(self.last - 1))
        self.remove(self.arcs)
        twice = VGroup(*tiles.tiles[self.last - 1 :])
        yield self.look_at(twice, closest=2.2)
        yield 1.0

    @beat(CAPTION)
    def card_(self) -> Steps:
        yield self.look_back(), undim_tiles(self.tiles), leave(self.tiles, self.last + 1)
        slide = slide_to(self.tiles, *tile_positions(self.raised, self.last + 1), run_time=1.2)
        yield slide, paint(self.tiles, self.last, None)
        yield self.card.appear(run_time=1.6)
