"""The riddle again: the notes answer it, for whoever looks for the typed word among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn
from numpy.typing import NDArray

from model.second_look import MAJORITY
from model.second_look import SecondLook as Look
from scenes.parts.dial import Dials
from scenes.parts.dial_hands import Hands
from scenes.parts.glance import Glance
from scenes.parts.strip import Strip
from scenes.previous_token.inputs import HeadInputs
from scenes.previous_token.riddle import LETTERS, OVER
from scenes.spelling import listed
from scenes.stage import CAPTION, Derived, Stage, Steps, beat
from scenes.style.layout import Region

_COUNTS = "no one two three four five six seven eight nine ten eleven"
"""Up to as many as a text can have."""
_FOOT = 0.75
"""What stays free at the foot of the canvas, where a film says whom it is owed to."""
_SEED = 0.03
"""The radius of a dial that has not left its tile yet."""
_LARGEST, _APART, _MOST = 0.5, 2.3, 3
"""The largest radius of a clock's dials, from dial to dial in radii, and how many it may have."""
_GAP = 0.14


def _count(look: Look) -> str:
    return _COUNTS.split()[look.n_found_after].capitalize()


def _followers(look: Look) -> str:
    return listed(f"“{word}”" for word in look.followers) if look.followers else "none"


def _trusted(look: Look) -> bool:
    """Whether every note is more than half the word before, wherever that word stands."""
    return look.copied.worst_share > MAJORITY


def _found(look: Look) -> str:
    if not _trusted(look):
        return "This head still looks at several tokens at once: its notes cannot be trusted."
    if len(look.followers) > 1:
        said = "{followers_listed} do: each of them once came after “{typed}”."
        return said + (" The first tile wears itself." if look.first_is_found else "")
    if look.n_found_after > 1:
        all_of = "both" if look.n_found_after == 2 else "all of them"
        said = f"{{count}} do, and {all_of} are “{{follower}}”."
        return said + (
            " The first tile does too, but it only wears itself." if look.first_is_found else ""
        )
    if look.first_is_found:
        return "“{follower}” does. The first tile does too, but it only wears itself."
    one = (
        "“{follower}” does." if look.tokens.count(look.follower) == 1 else "One “{follower}” does."
    )
    return one + " So what follows “{typed}”? “{follower}”."


class SecondLook(Stage):
    """The riddle again: now one tile wears the typed word, and that tile is the answer."""

    class Inputs(HeadInputs):
        """A whole head; it also looks back from the word that is typed again."""

    title = "What follows “{typed}”?"
    question = "Every token now carries a note of what it looked at."
    caption = (
        "The same clock for every token, each at its own time: each asks for the time one step ago."
    )
    opens = ("tiles",)
    derived = {
        "count": Derived("how many tiles wear the typed word, besides the first", _count),
        "followers_listed": Derived("the different words on these tiles, listed", _followers),
    }

    values: Look

    @classmethod
    def compute(cls, inputs: Any) -> Look:
        return Look(inputs.tokens, inputs.d_head, inputs.alpha, inputs.base)

    def layout(self) -> None:
        self.n = len(self.values.tokens)
        self.tiles = Strip(
            self["tokens"],
            after=[self["typed"]],
            wonder=True,
            notes=self["copied.wanted"],
            shares=self["copied.shares"],
            size=LETTERS,
        )
        self.tiles.place(self.canvas.inset(0.0, OVER))
        self.tiles.show_notes(*range(self.n))
        self.eye = Glance(self.tiles, self.n)
        _, page = self.canvas.cut_bottom(_FOOT, gap=0.0)
        self._lay_clocks(page)

    def _lay_clocks(self, page: Region) -> None:
        """In every line of tiles, a clock over each token: as many of its hands as there is room.

        The tiles keep their columns, and their lines share the page.
        """
        lines = self.tiles.layout
        assert lines is not None
        states = lines.states(self.n + 2)  # (T + 2, 5)
        line = np.arange(self.n + 2) // lines.per_line
        pitch = page.height / lines.n_lines
        width, height = states[0, 2:4]
        room = pitch - height - lines.measures.below - 3 * _GAP
        radius = min(_LARGEST, 0.47 * width, 0.47 * room)
        count = int(
            np.clip(room // (_APART * radius), 1, min(_MOST, self["key_phases"].array.shape[1]))
        )
        tall = count * _APART * radius + _GAP + height + lines.measures.below
        tops = page.top - line * pitch - (pitch - tall) / 2  # (T + 2,)
        ys = tops - count * _APART * radius - _GAP - height / 2
        self.rows: NDArray[np.float64] = np.column_stack([states[:, 0], ys])
        downwards = (np.arange(count) + 0.5) * _APART * radius
        self.faces: NDArray[np.float64] = np.stack(
            [
                np.column_stack([np.full(count, x), top - downwards])
                for x, top in zip(states[: self.n + 1, 0], tops[: self.n + 1], strict=True)
            ]
        )  # (T + 1, hands, 2)
        self.face = float(radius)
        self.dials = Dials(
            self["key_phases"].array.shape[1], lanes=self.n + 1, labels=None, chosen=range(count)
        )

    @beat("Back to our riddle: “{typed}” is typed once more.")
    def again(self) -> Steps:
        yield self.tiles.type_in(self.n, run_time=1.4)
        yield self.tiles.wear(self.n, run_time=0.8), self.tiles.paint(self.n, "query")
        yield self.tiles.ask_next()

    @beat("It looks back along the notes: which tile wears “{typed}”?")
    def sweep(self) -> Steps:
        self.eye.stand(self.eye.over(self.n))
        yield self.eye.open()
        yield self.eye.sweep(range(self.n - 1, -1, -1), run_time=3.2)

    @beat(_found)
    def found(self) -> Steps:
        look = self.values
        if not _trusted(look):
            yield self.eye.sweep([self.n], run_time=1.6)
            return
        found = look.found.tolist()
        yield self.eye.sweep(found, run_time=min(2.4, 1.0 + 0.3 * len(found)))
        yield self.tiles.paint(found, "correct")
        if len(look.followers) == 1:
            source = look.found_after[-1]
            yield self.tiles.answer(
                self["tokens"][int(source)], self.tiles.middle(source), run_time=1.6
            )

    @beat("This second look takes a second head, the induction head: the next film.")
    def name(self) -> Steps:
        lit = [self.n, *(self.values.found.tolist() if _trusted(self.values) else [])]
        others = [k for k in range(self.n + 1) if k not in lit]
        yield self.tiles.dim_tiles(*others), self.eye.sweep([self.n], run_time=1.4)
        yield self.eye.close()
        self.remove(self.eye)

    @beat(CAPTION)
    def close(self) -> Steps:
        tiles = np.array([self.tiles.middle(k) for k in range(self.n + 1)])[:, None]
        self.dials.place_at(np.repeat(tiles, self.faces.shape[1], axis=1), _SEED)
        keys = Hands(self["key_phases"], self.dials, "key", angles=True)
        asks = [
            Hands(self["key_phases"][m], self.dials, "query", angles=True, lane=m)
            for m in range(1, self.n + 1)
        ]
        self.add(self.dials, keys, self.tiles)  # the clocks come from behind the tiles
        box = self.tiles.tiles[0].box
        yield (
            self.tiles.slide_to(self.rows, (box.width, box.height), run_time=1.4),
            self.dials.go_to(self.faces, self.face, run_time=1.4),
        )
        yield self.tiles.undim_tiles(), *(FadeIn(ask, run_time=0.4) for ask in asks)
        self.add(keys)  # the keys stay on top
        yield [ask.to(self["query_phases"][m], run_time=1.4) for m, ask in enumerate(asks, 1)]
        yield [ask.move_to_lane(m - 1, run_time=1.6) for m, ask in enumerate(asks, 1)]
