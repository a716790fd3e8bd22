"""Four people rate two films, and their ratings become arrows. Who has the same taste?"""

from __future__ import annotations

import numpy as np
from manim import Create

from clockhead.model.films.vectors.ratings import Ratings
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, fly
from clockhead.scenes.vectors.page import BOUND, HEAD, RatingsStage

NAME, LONG_NAME = "Vectors", "distance, dot product, cosine"


def _answer_sentence(ratings: Ratings) -> str:
    if ratings.n_winners == 3:
        return "There are three usual ways to measure it, and each gives another answer."
    return "There are three usual ways to measure it, and they need not agree."


class Raters(RatingsStage):
    """Four people rate two films, and their ratings become arrows. Who has the same taste?"""

    title = "Who has the same taste?"
    question = "Can taste be measured?"
    caption = (
        "How far apart are the tips, how much of one lies along the other, which way do they point?"
    )
    opens = ("space", "ratings")
    leaves = ("space", "arrows", "ratings", "distance", "dot", "cosine")
    derived = RatingsStage.derived | {
        "least": Derived("the lowest rating", lambda _: -BOUND, "rating"),
        "most": Derived("the highest rating", lambda _: BOUND, "rating"),
        "others": Derived("the people who might be similar", lambda r: listed(r.raters[1:], "or")),
    }

    def layout(self) -> None:
        self.make_page(0)
        self.ratings.empty()
        self.ratings.words_to(1.0)
        self.card = TitleCard(NAME, LONG_NAME, role="query")
        first, _, last = (column.lattice.region for column in self.board.measures)
        self.card.place(Region(first.left, first.bottom, last.right, first.top + HEAD))

    @beat("Four people rate two films, from {least}, awful, to {most}, great.")
    def rate(self) -> Steps:
        yield 0.8 * self.ratings.fill_rows(labels=False)

    @beat(
        "Right for “{first_film}”, up for “{second_film}”: two numbers are a place, and an arrow "
        "to it."
    )
    def first(self) -> Steps:
        self.arrows.shares[:] = 0.0
        self.arrows.redraw()
        self.walker = self.ratings.frame_row(0, "query")
        time, table = 0.25 * self.reading, self.values.table
        feet = self.space.project(np.array([[table[0, 0], 0.0, 0.0], [0.0, table[0, 1], 0.0]]))
        copies = [self.copy_of(self.ratings, 0, j) for j in (0, 1)]
        yield Create(self.walker, run_time=time)
        yield [fly(copy, foot, run_time=time) for copy, foot in zip(copies, feet, strict=True)]
        yield self.arrows.grow_to(1.0, 0, run_time=time), FadeOut(*copies, run_time=time)

    @beat("A row of numbers that is read like this is called a vector.")
    def rest(self) -> Steps:
        n = len(self.values.raters)
        time = 0.8 * self.reading / (n - 1)
        for k in range(1, n):
            yield self.walker.trace(self.ratings.row(k - 1), self.ratings.row(k), run_time=0.3)
            yield self.arrows.grow_to(1.0, k, run_time=max(0.4, time - 0.3))
        yield FadeOut(self.walker, run_time=0.4)

    @beat(_answer_sentence, ask="{others}: who is most like {asker}?")
    def ways(self) -> Steps:
        yield self.arrows.light(0, 1, run_time=0.5), self.card.appear(run_time=1.2)
        for k in range(2, len(self.values.raters)):
            yield self.arrows.light(0, k, run_time=0.5)
        yield self.arrows.light(run_time=0.5)

    @beat(CAPTION)
    def three(self) -> Steps:
        yield FadeOut(self.card, run_time=0.6)
        time = 0.6 * self.reading / 3
        for column in self.board.measures:
            yield FadeIn(column, run_time=time)
