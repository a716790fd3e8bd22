"""The riddle again: the notes answer it, for whoever looks for the typed word among them."""

from __future__ import annotations

import numpy as np
from manim import DOWN
from numpy.typing import NDArray

from clockhead.model.films.previous_token.second_look import SecondLook as Look
from clockhead.model.films.previous_token.second_look import second_look
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.clock_row import Clocks
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import (
    dim_tiles,
    frame_notes,
    paint,
    show_notes,
    undim_tiles,
    wear,
)
from clockhead.scenes.parts.strip_typing import answer, ask_next, type_in
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.previous_token.tiles import NAME, riddle_tiles
from clockhead.scenes.spelling import counted, listed, quoted, said
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, beat

_NAME = 44.0
_FOOT = 0.75
"""What stays free at the foot of the canvas, where a film says whom it is owed to."""


class NoteGlance(Glance):
    """An eye that goes along the notes of a text, under them."""

    _tiles: Strip

    def over(self, k: int) -> NDArray[np.float64]:
        """Where it stands under the note of tile k."""
        note = self._tiles.tiles[k].note
        foot = note.frame.get_bottom() if note else self._tiles.bottom(k)
        return np.array(foot + 0.26 * DOWN)


def _found(look: Look) -> str:
    if not look.can_be_trusted:
        return "This head still looks at several tokens at once: its notes cannot be trusted."
    if look.first_is_found:
        return f"{_wearers(look)} The first tile only wears itself."
    if look.n_found_after > 1:
        return _wearers(look)
    return f"{_wearers(look)} So what follows “{{typed}}”? “{{follower}}”."


def _wearers(look: Look) -> str:
    """Which tiles wear the typed word as a note, but for the first, which may wear itself."""
    if len(look.followers) > 1:
        return "{several} do: each of them once came after “{typed}”."
    if look.n_found_after > 2:
        return "{how_many} do, and all of them are “{follower}”."
    if look.n_found_after == 2:
        return "Two do, and both are “{follower}”."
    if look.first_is_found or look.tokens.count(look.follower) == 1:
        return "“{follower}” does."
    return "One “{follower}” does."


class SecondLook(Stage[Look]):
    """The riddle again: now one tile wears the typed word, and that tile is the answer."""

    class Inputs(HeadInputs):
        """A whole head; it also looks back from the word that is typed again."""

    title = "What follows “{typed}”?"
    question = "Every token now carries a note."
    caption = (
        "That is the previous-token head: one clock for all, and each token asks for the time one "
        "step ago."
    )
    opens = ("tiles",)
    derived = {
        "several": Derived(
            "the words that came after the typed one", lambda v: listed(map(quoted, v.followers))
        ),
        "how_many": Derived(
            "how many tiles wear the typed word, spelled",
            lambda v: counted(v.n_found_after).capitalize(),
        ),
    }

    compute = second_look

    def layout(self) -> None:
        self.n = len(self.values.tokens)
        notes, shares = self["copied.wanted"], self["copied.shares"]
        self.tiles = riddle_tiles(self, notes=notes, shares=shares)
        show_notes(self.tiles, *range(self.n))
        self.eye = NoteGlance(self.tiles, self.n, highest=0.0)
        self.card = TitleCard(said(NAME), role="attention", size=_NAME)
        _, page = self.canvas.cut_bottom(_FOOT, gap=0.0)
        top, page = page.cut_top(self.card.most.height, gap=0.0)
        self.card.place(top)
        self.clocks = Clocks(self.tiles, self["key_phases"], self["query_phases"])
        self.clocks.place(page)

    @beat("Back to our riddle: “{typed}” is typed once more.")
    def again(self) -> Steps:
        yield type_in(self.tiles, self.n, run_time=1.4)
        yield wear(self.tiles, self.n, run_time=0.8), paint(self.tiles, self.n, "query")
        yield ask_next(self.tiles)

    @beat("It looks back along the notes: which tile wears “{typed}”?")
    def sweep(self) -> Steps:
        self.eye.stand(self.eye.over(self.n))
        yield self.eye.open()
        last = int(self.values.found[0]) if self.values.can_be_trusted else 0
        yield self.eye.sweep(range(self.n - 1, last - 1, -1), run_time=3.2)

    @beat(_found)
    def found(self) -> Steps:
        look = self.values
        if not look.can_be_trusted:
            yield self.eye.sweep([self.n], run_time=1.6)
            return
        found = look.found.tolist()
        alike = frame_notes(self.tiles, *found, role="query", run_time=1.0)
        further = [self.eye.sweep(found[1:])] if found[1:] else []
        yield alike, *further
        yield paint(self.tiles, found, "correct", run_time=1.0)
        if len(look.followers) == 1:
            source = int(look.found_after[-1])
            yield answer(self.tiles, self["tokens"][source], self.tiles.middle(source))

    @beat(
        "That takes a second head, the induction head: the next film.",
        ask="How can “{typed}” find the note “{typed}”?",
    )
    def name(self) -> Steps:
        lit = [self.n, *(self.values.found.tolist() if self.values.can_be_trusted else [])]
        others = [k for k in range(self.n + 1) if k not in lit]
        yield dim_tiles(self.tiles, *others), self.eye.sweep([self.n], run_time=1.4)
        yield self.eye.close()
        self.remove(self.eye)

    @beat(CAPTION)
    def close(self) -> Steps:
        rise = self.clocks.rise()
        self.add(self.clocks, self.tiles)  # the clocks come from behind the tiles
        yield rise, self.card.appear()
        yield undim_tiles(self.tiles), self.clocks.ask()
        yield self.clocks.turn_back()
        yield self.clocks.step_left()
