"""Two texts end in the same word but go on differently: so the last word must look back."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import LaggedStart

from clockhead.scenes.attention.arrows import PlaneArrow
from clockhead.scenes.attention.topic import WORDS, TopicStage, turn_over
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.glance import Glance
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import come_back, leave, paint
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import CAPTION, REST, Column, Size, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width

NAME, LONG_NAME = "Attention", "How a word listens to the words before it"
_BIG, _NAMES = 76.0, 28.0
"""Sizes of the letters on large tiles, and of the words at the table, in pixels at 720p."""
_ROW, _EYE = 0.85, 0.9
"""Height of the table's rows, and room for the eye between two lines of tiles, in units."""


class Guess(TopicStage):
    """The same last word but two different next words: it has to look back."""

    title = "What comes next?"
    caption = "What we want: next to “{word}”, “{noun}” should move towards nature."
    opens = ("tiles",)
    leaves = ("tiles", "plane", "noun")

    def layout(self) -> None:
        self.make_page(*WORDS, self["features"][:2])
        states = np.array([tile.state for tile in self.tiles.tiles])
        self.home, self.box = states[:, :2], (states[0, 2], states[0, 3])
        gutter = 0.35 if self.canvas.wide else _EYE
        look: dict[str, Any] = {"wonder": True, "hidden": 0, "size": _BIG, "gutter": gutter}
        big, raised = (Strip(self["widest"], **look) for _ in "ab")
        big.place(self.canvas)
        self.card = TitleCard(NAME, self.say_of(LONG_NAME), role="attention")
        fit(self.canvas, Column(raised, self.card))
        self.raised = np.array([tile.middle for tile in raised.tiles])
        self.raised_box = raised.tiles[0].box.width, raised.tiles[0].box.height
        size = big.tiles[0].box
        self.tiles.measures = big.measures
        self.tiles.place_at(
            np.array([tile.middle for tile in big.tiles]), (size.width, size.height)
        )
        self.tiles.set_to(self["first.tokens"])
        self.table = Matrix(
            self["places"], rows=self["nouns"], columns=self["features"][:2], role="residual",
            low=0.0, high=1.0, spec=(".1f",), turns=(0.0,), aspect=None, most_number=34.0,
            least_cell=Size(1.0, 0.45), most_cell=1.8,
        )  # fmt: skip
        self._place_table()
        names, arrows = self["nouns"], self["noun_arrows"]
        self.topic = PlaneArrow(arrows[0], self.plane, "token", names[0], turned=80)
        self.other = PlaneArrow(arrows[1], self.plane, "token", names[1], turned=-80)
        self.noun = PlaneArrow(arrows[2], self.plane, "query", names[2], turned=60)

    def _place_table(self) -> None:
        """Place the table beside the plane, with larger words if there is room."""
        side = self.side
        left = side.left + max(text_width(word, _NAMES) for word in self.values.nouns) + 0.3
        cells = Region(left, side.bottom + 0.1, side.right, side.top - 0.6)
        if cells.width / 2 < text_width("technology", _NAMES):
            self.table.place(side)
            return
        over = max(0.0, (cells.height - 3 * _ROW) / 2)
        self.table.place_cells(cells.inset(0.0, over), size=_NAMES)

    @beat(
        "Perhaps “{guess}”.",
        ask="Read these three words. Which word could come next?",
        focus="tiles",
    )
    def guess_(self) -> Steps:
        yield answer(self.tiles, self["first.next.greedy_word"], run_time=0.8)

    @beat("Now we exchange one word for another.", focus="tiles")
    def exchange(self) -> Steps:
        yield ask_next(self.tiles, run_time=0.6)
        yield turn_over(self.tiles, 1, self["other.tokens"])

    @beat("Now it is rather “{other_guess}”.", ask="Which word could come next now?", focus="tiles")
    def guess_again(self) -> Steps:
        yield answer(self.tiles, self["other.next.greedy_word"], run_time=0.8)

    @beat(
        "But the last word is “{noun}” both times. Whoever reads only that word has to guess the "
        "same for both texts.",
        rest=REST,
        focus="tiles",
    )
    def cover(self) -> Steps:
        yield ask_next(self.tiles, run_time=0.6)
        yield leave(self.tiles, 0, 1), paint(self.tiles, 2, "query")

    @beat(
        "So “{noun}” has to look back, and take something from the words before it.", focus="tiles"
    )
    def look_back_(self) -> Steps:
        yield come_back(self.tiles, 0, 1)
        eye = Glance(self.tiles, 2)
        yield eye.open(run_time=0.4)
        yield eye.sweep([1, 0, 1], run_time=0.5 * self.reading)
        yield eye.close(run_time=0.3)
        self.remove(eye)

    @beat("In a transformer, that is the work of attention.", rest=REST, focus="tiles")
    def name(self) -> Steps:
        yield slide_to(self.tiles, self.raised, self.raised_box, run_time=1.2)
        yield self.card.appear(run_time=1.4)

    @beat("Every word is a vector: in this space, each direction has a meaning.")
    def space(self) -> Steps:
        yield FadeOut(self.card, run_time=0.6)
        yield slide_to(self.tiles, self.home, self.box, run_time=1.2)
        yield turn_over(self.tiles, 1, self["first.tokens"], run_time=0.8)
        yield FadeIn(self.plane)

    @beat(
        "“{word}” points towards nature, “{other_word}” towards technology, and “{noun}” lies "
        "exactly in between.",
        rest=REST,
    )
    def arrows(self) -> Steps:
        time = self.reading / 4
        self.add(self.table.empty())
        grown = [arrow.grow(run_time=time) for arrow in (self.topic, self.other, self.noun)]
        yield LaggedStart(*grown, lag_ratio=1), self.table.fill_rows(run_time=3 * time)

    @beat(CAPTION)
    def wish(self) -> Steps:
        yield self.noun.to(self["wished"], run_time=1.2)
        yield 0.5
        yield self.noun.to(self["asker"], run_time=0.7)
