"""The riddle again: the token whose note is the typed word is the answer."""

from __future__ import annotations

import numpy as np
from manim import DOWN
from numpy.typing import NDArray

from clockhead.model.films.previous_token.second_look import SecondLook as Look
from clockhead.model.films.previous_token.second_look import second_look
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import dim_tiles, frame_notes, paint, show_notes, wear
from clockhead.scenes.parts.strip_typing import answer, ask_next, type_in
from clockhead.scenes.previous_token.inputs import HeadInputs
from clockhead.scenes.previous_token.tiles import riddle_tiles
from clockhead.scenes.spelling import counted, listed, quoted, said
from clockhead.scenes.stage import CAPTION, Derived, Handle, Stage, Steps, beat
from clockhead.scenes.stage.rhythm import REST


class NoteGlance(Glance):
    """An eye that moves along the notes of a text, below them."""

    _tiles: Strip

    def over(self, k: int) -> NDArray[np.float64]:
        """Position of the eye under the note of tile k; (3,)."""
        note = self._tiles.tiles[k].note
        foot = note.frame.get_bottom() if note else self._tiles.bottom(k)
        return np.array(foot + 0.26 * DOWN)


def _search_result(look: Look) -> str:
    if not look.can_be_trusted:
        return "Our head still looks at several tokens at once: its notes cannot be trusted."
    if look.first_is_found:
        return f"{_note_owners(look)} The first token only notes itself."
    return _note_owners(look)


def _note_owners(look: Look) -> str:
    """A sentence about the tokens whose note is the typed word, apart from the first token."""
    if len(look.followers) > 1:
        return "Those under {several}: each of them once came after “{typed}”."
    if look.n_found_after > 2:
        return "{how_many} do, and all of them belong to “{follower}”."
    if look.n_found_after == 2:
        return "Two do, and both belong to “{follower}”."
    if look.first_is_found or look.tokens.count(look.follower) == 1:
        return "The note under “{follower}”: it came right after “{typed}”."
    return "The note under one “{follower}”: it came right after “{typed}”."


def _ending(look: Look) -> str:
    words = {"typed": look.typed, "follower": look.follower}
    if not look.can_be_trusted:
        return said("With a larger α, each note would be the word before: then it can be found.")
    if len(look.followers) > 1:
        return said("So one of them comes next: the riddle is solved, as far as the text goes.")
    return said("So after “{typed}” comes “{follower}”: the riddle is solved.", **words)


class SecondLook(Stage[Look]):
    """The riddle again: the token whose note is the typed word is the answer."""

    Inputs = HeadInputs
    title = "What follows “{typed}”?"
    caption = "{ending}"
    opens = ("tiles",)
    derived = {
        "ending": Derived("the answer to the riddle, in a sentence", _ending),
        "several": Derived(
            "the words that came after the typed one", lambda v: listed(map(quoted, v.followers))
        ),
        "how_many": Derived(
            "number of tokens whose note is the typed word, spelled out, capitalized",
            lambda v: counted(v.n_found_after).capitalize(),
        ),
    }

    handles = (
        Handle(
            "text",
            (
                "to be or not to be",
                "one two three",
                "the cat sat on the mat and the dog ran",
                "ha ha ha",
            ),
        ),
    )

    compute = second_look

    def layout(self) -> None:
        self.n = len(self.values.tokens)
        notes, shares = self["copied.wanted"], self["copied.shares"]
        self.tiles = riddle_tiles(self, notes=notes, shares=shares)
        show_notes(self.tiles, *range(self.n))
        self.eye = NoteGlance(self.tiles, self.n, width=0.75, highest=0.0)

    @beat("Back to our riddle: “{typed}” is typed once more.", focus="tiles")
    def again(self) -> Steps:
        yield type_in(self.tiles, self.n, run_time=1.4)
        yield wear(self.tiles, self.n, run_time=0.8), paint(self.tiles, self.n, "query")
        yield ask_next(self.tiles)

    @beat(
        "A second head, the induction head, looks along the notes: which of them says “{typed}”?",
        focus="tiles",
    )
    def sweep(self) -> Steps:
        self.eye.stand(self.eye.over(self.n))
        yield self.eye.open()
        last = int(self.values.found[0]) if self.values.can_be_trusted else 0
        yield self.eye.sweep(range(self.n - 1, last - 1, -1), run_time=3.6)

    @beat(_search_result, rest=REST, focus="tiles")
    def found(self) -> Steps:
        look = self.values
        if not look.can_be_trusted:
            yield self.eye.sweep([self.n], run_time=1.6)
            return
        found = look.found.tolist()
        further = [self.eye.sweep(found[1:])] if found[1:] else []
        yield frame_notes(self.tiles, *found, role="query", run_time=1.0), *further
        yield self.eye.close()
        self.remove(self.eye)
        if len(found) == 1:
            near = self.tiles.tiles[max(found[0] - 1, 0) : found[0] + 2]
            yield self.look_at(*near, closest=2.4, run_time=1.6)

    @beat(CAPTION, rest=REST, focus="tiles")
    def solved(self) -> Steps:
        look = self.values
        lit = [] if not look.can_be_trusted else look.found.tolist()
        if not lit:
            yield self.eye.close()
            self.remove(self.eye)
            return
        yield self.look_back()
        yield paint(self.tiles, lit, "correct", run_time=0.8)
        if len(look.followers) == 1:
            source = int(look.found_after[-1])
            yield answer(self.tiles, self["tokens"][source], self.tiles.middle(source))
        pairs = {*lit, *(k - 1 for k in lit if k), self.n, self.n + 1}
        others = [k for k in range(self.n + 1) if k not in pairs]
        yield dim_tiles(self.tiles, *others, run_time=1.0)
