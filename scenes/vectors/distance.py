"""The distance of two arrows: Pythagoras, Pythagoras in three dimensions, and detours."""

from __future__ import annotations

from clockhead.model.films.vectors.ratings import Ratings
from clockhead.scenes.parts.equation import become
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Claim, Derived, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.vectors.page import RatingsStage
from clockhead.scenes.vectors.space_marks import MeasuredPath


def _caveat(ratings: Ratings) -> str:
    """The limits of the distance: perhaps the nearest person prefers the other film."""
    x, y = ratings.table[0].tolist()
    for k in ratings.nearest:
        other_x, other_y = ratings.table[k].tolist()
        if (x - y) * (other_x - other_y) < 0:
            return said(
                "; yet {one} and {asker} prefer different films",
                one=ratings.raters[k],
                asker=ratings.asker,
            )
    return said(", not yet that the taste is")


class Distance(RatingsStage):
    """The distance of two arrows: Pythagoras, Pythagoras in three dimensions, and detours."""

    title = "Distance: how far apart?"
    question = "How far is {far_name}'s taste from {asker}'s?"
    caption = "Near means that the numbers are alike{doubt}."
    opens = ("space", "arrows", "ratings", "distance", "dot", "cosine")
    leaves = (*opens, "nearest_frame")
    claims = (
        Claim(
            "someone's ratings differ from those of the first",
            lambda r: r.far_distance > 0,
            "all distances are {far_distance:.0f}; change ratings",
        ),
    )
    derived = RatingsStage.derived | {
        "doubt": Derived("what a small distance does not tell", _caveat)
    }

    def layout(self) -> None:
        self.make_page(0)
        far, across, up = self["far_distance"], self["far_across"], self["far_up"]
        left = self.values.turns_left
        height, space = self["far_high"], self["far_in_space"]
        start, rest = self["detour_start"], self["detour_rest"]
        self.legs = MeasuredPath(self["legs"], self.arrows, "residual", (across, up), left=not left)
        numbers = (far,) if self.values.far_across and self.values.far_up else ()
        self.straight = MeasuredPath(
            self["straight"], self.arrows, "attention", numbers, left=not left
        )
        self.rise = MeasuredPath(
            self["rise"], self.arrows, "attention", (far, height, space), left=True, tilt=1.0
        )
        path, bends = self["detour_path"], self.values.detour_turns_left
        self.detour = MeasuredPath(path, self.arrows, "wrong", (start, rest), left=not bends)
        self.slide = MeasuredPath(path, self.arrows, "wrong")
        self.slide.come = 1.0
        self.once = self.formula(
            "{far_across:.0f}^2 + {far_up:.0f}^2 = {far_distance:.3g}^2"
        ).hide()
        self.twice = self.formula(
            "{far_distance:.3g}^2 + {far_high:.0f}^2 = {far_in_space:.3g}^2", line=1
        ).hide()
        self.root = self.formula(
            "sqrt({far_across:.0f}^2+{far_up:.0f}^2+{far_high:.0f}^2+dots.c)", line=1
        )
        self.sum = self.formula(
            "{detour_start:.3g} + {detour_rest:.3g} = {detour:.3g} gt.eq {far_distance:.3g}", line=1
        ).hide()

    @beat(
        "They differ by {far_across:.0f} and by {far_up:.0f}. By Pythagoras, the straight way is "
        "{far_distance:.3g} long."
    )
    def pythagoras(self) -> Steps:
        self.add(self.legs, self.arrows)
        yield (self.arrows.light(0, self.values.far), self.legs.draw(run_time=0.3 * self.reading))
        terms = [*self.once.terms]
        yield 0.2 * self.once.appear(*terms[:3])
        self.add(self.straight, self.arrows)
        yield 0.2 * together(self.straight.draw(), self.once.appear(*terms[3:]))

    @beat(
        "A third film adds a height, and they differ by {far_high:.0f} there. Pythagoras again: "
        "{far_in_space:.3g}."
    )
    def again(self) -> Steps:
        time, third = self.reading, self.board.third
        yield FadeOut(self.distance, run_time=0.4)
        third.empty()
        yield third.fill_rows(run_time=0.2 * time), self.space.tip_over(1.0, run_time=0.4 * time)
        self.add(self.rise, self.arrows)
        yield 0.3 * together(self.rise.draw(), self.twice.appear())

    @beat("Each further film adds one more square, even where nobody can draw it.")
    def squares(self) -> Steps:
        yield 0.5 * become(self.twice, self.root)
        yield FadeOut(self.rise, self.board.third, run_time=0.4)
        yield self.space.tip_over(0.0, run_time=1.2), FadeIn(self.distance, run_time=0.5)

    @beat("With two films again, nearest to {asker}: {nearest_names}, at {least_distance:.3g}.")
    def nearest(self) -> Steps:
        gone = self.once, self.twice, self.legs
        yield FadeOut(*gone, run_time=0.4)
        yield (
            self.distance.fill_rows(run_time=0.4 * self.reading, labels=False),
            self.arrows.light(0, *self.values.nearest),
        )
        yield FadeIn(self.nearest_frame, run_time=0.5)

    @beat(
        "By way of {via_name} it is {detour:.3g}: by the triangle inequality never shorter, as "
        "long only if straight."
    )
    def around(self) -> Steps:
        via, time = self.values.via, self.reading
        self.add(self.detour, self.arrows)
        yield self.arrows.light(via), self.detour.draw(run_time=0.2 * time)
        yield 0.2 * self.sum.appear()
        gone = self.sum, self.detour, self.nearest_frame, *self.straight.numbers
        yield FadeOut(*gone, run_time=0.3)
        self.add(self.slide, self.arrows)
        slide = self.slide.through(self["slid_ways"])
        yield 0.4 * together(self.move("slid", spec=".1f"), slide)
        self.settle()

    @beat(CAPTION)
    def alike(self) -> Steps:
        yield FadeOut(self.straight, self.slide, run_time=0.5)
        yield together(
            self.arrows.light(0, *self.values.nearest), FadeIn(self.nearest_frame), run_time=0.5
        )
        yield 0.4 * self.reading
        yield self.arrows.light(run_time=0.5)
