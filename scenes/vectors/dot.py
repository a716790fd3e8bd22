"""The dot product: products film by film, a projection times a length, and its sign."""

from __future__ import annotations

from clockhead.model.films.vectors.ratings import Ratings
from clockhead.scenes.stage import CAPTION, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, fly, together
from clockhead.scenes.vectors.page import RatingsStage
from clockhead.scenes.vectors.space_marks import Bow, Shadow

_TURN = 6.0
"""Minimum seconds in which an arrow turns and comes back."""


def _projection_sentence(ratings: Ratings) -> str:
    if ratings.most_dot > 0:
        return (
            "{loud_name} casts a shadow on {asker}'s line. Its length, {loud_shadow:.3g}, times "
            "{asker}'s, {own_length:.3g}, is {most_dot:.0f} again."
        )
    if ratings.most_dot < 0:
        return (
            "{loud_name}'s shadow falls backwards on {asker}'s line: {loud_shadow:.3g}, times "
            "{asker}'s length, {own_length:.3g}, is {most_dot:.0f} again."
        )
    return (
        "{loud_name} is at a right angle to {asker} and casts no shadow: 0 times {asker}'s "
        "length, {own_length:.3g}, is 0 again."
    )


def _turn_sentence(ratings: Ratings) -> str:
    what = "forwards: positive" if ratings.starts_wide else "backwards: negative"
    return (
        "At a right angle {turner_name}'s shadow vanishes, and so the dot product; beyond, it "
        f"falls {what}."
    )


class Dot(RatingsStage):
    """The dot product: products film by film, a projection times a length, and its sign."""

    crosses = {"multiply": "numbers go into the product, past the names of their rows"}
    title = "The dot product: how far along?"
    question = "Do {asker} and {loud_name} agree, film by film?"
    caption = "A dot product depends on agreement and on length, and does not tell the two apart."
    opens = ("space", "arrows", "ratings", "distance", "dot", "cosine", "nearest_frame")
    leaves = (*opens, "highest_frame")

    def layout(self) -> None:
        self.make_page(1)
        k, turner, table = self.values.loud, self.values.turner, self["table"]
        factors = {"a": table[0, 0], "b": table[k, 0], "c": table[0, 1], "d": table[k, 1]}
        self.sum = self.formula(
            "query({a:.0f}) dot key({b:.0f}) + query({c:.0f}) dot key({d:.0f}) = {most_dot:.0f}",
            given=factors,
        ).hide()
        self.product = self.formula(
            "query({own_length:.3g}) dot value({loud_shadow:.3g}) = {most_dot:.0f}", line=1
        ).hide()
        self.shadow = Shadow(self["loud_shadow"], self.arrows, k)
        self.fall = Shadow(self["turner_shadow"], self.arrows, turner)
        self.bow = Bow(self["turner_angle"], self.arrows, turner)
        self.angle = self.angle_figure("turner_angle")

    @beat("Multiply the two ratings of each film, and add: the dot product is {most_dot:.0f}.")
    def multiply(self) -> Steps:
        k, sum_ = self.values.loud, self.sum
        cells = [(0, 0), (k, 0), (0, 1), (k, 1)]
        copies = [self.copy_of(self.ratings, i, j) for i, j in cells]
        yield self.arrows.light(0, k, run_time=0.4)
        terms = [*sum_.terms]
        for pair, names in ((copies[:2], terms[:3]), (copies[2:], terms[3:7])):
            ends = [sum_.term(name) for name in names[-3::2]]
            yield 0.2 * together(
                *(
                    fly(copy, end.get_center(), scale=end.em / copy.em)
                    for copy, end in zip(pair, ends, strict=True)
                )
            )
            self.remove(*pair)
            yield 0.1 * sum_.appear(*names)
        yield 0.1 * sum_.appear(*terms[7:])
        yield 0.15 * self.dot.fill(self.only_row(k), labels=False)

    @beat(_projection_sentence)
    def cast(self) -> Steps:
        self.add(self.shadow, self.arrows)
        yield 0.5 * self.shadow.draw()
        yield 0.3 * self.product.appear()

    @beat(_turn_sentence)
    def turn(self) -> Steps:
        turner = self.values.turner
        gone = self.shadow, self.product, self.sum, self.nearest_frame
        yield together(FadeOut(*gone), self.arrows.light(0, turner), run_time=0.4)
        self.add(self.fall, self.bow, self.arrows)
        yield together(
            self.dot.fill_rows(labels=False),
            self.fall.draw(),
            self.bow.draw(),
            FadeIn(self.angle),
            run_time=0.7,
        )
        others = (self.fall, "shadows"), (self.bow, "angles"), (self.angle, "angles")
        turn = self.move("turned", *others, spec=".1f")
        yield together(turn, run_time=max(_TURN, 0.9 * self.reading))
        self.settle()
        yield together(
            FadeOut(self.fall, self.bow, self.angle), FadeIn(self.nearest_frame), run_time=0.4
        )

    @beat(
        "The largest, {most_dot:.0f}, is that of {highest_names}. {asker}'s arrow with itself "
        "gives {own_dot:.0f}."
    )
    def highest(self) -> Steps:
        yield together(
            self.arrows.light(0, *self.values.highest), FadeIn(self.highest_frame), run_time=0.6
        )
        frame = self.dot.frame(self.dot.cell(0, 0), "query")
        yield FadeIn(frame, run_time=0.5)
        yield 0.5 * self.reading
        yield FadeOut(frame, run_time=0.4)

    @beat(CAPTION)
    def both(self) -> Steps:
        for k in range(1, len(self.values.raters)):
            yield 0.25 * self.arrows.light(0, k)
        yield self.arrows.light(run_time=0.6)
