"""The cosine: a dot product without the lengths, which depends on the angle alone."""

from __future__ import annotations

import numpy as np

from clockhead.model.films.vectors.ratings import LEAST_PART, Ratings
from clockhead.scenes.stage import CAPTION, REST, Derived, Steps, beat
from clockhead.scenes.style.motion import FadeIn, FadeOut, together
from clockhead.scenes.vectors.page import RatingsStage
from clockhead.scenes.vectors.space_marks import Bow, MeasuredPath

_SWING = 4.2
"""Seconds for the full turn of an arrow, with three pauses."""


def _first_rating(ratings: Ratings) -> float:
    return float(ratings.table[ratings.loud, 0])


def _longer_sentence(ratings: Ratings) -> str:
    first, second = ratings.table[ratings.loud].tolist()
    if first == second:
        return (
            "Always {quiet_rating:.3g} or always {loud_rating:.3g}, {loud_name} prefers "
            "neither film: two places, yet one direction."
        )
    if ratings.most_dot > 0:
        return "A stronger feeling makes the dot product larger, not the angle smaller."
    if ratings.most_dot < 0:
        return "A stronger feeling makes the dot product smaller, not the angle larger."
    return "A stronger feeling changes nothing: the dot product stays 0, a right angle."


def _shorter_sentence(ratings: Ratings) -> str:
    way = "falls to" if ratings.most_dot > 0 else "rises to" if ratings.most_dot else "stays"
    return f"At a fifth of the length, the dot product {way} {{quiet_dot:.3g}}. The angle stays."


def _question(ratings: Ratings) -> str:
    if ratings.most_dot > 0:
        return f"Did {ratings.raters[ratings.loud]} win by taste, or by length?"
    return f"Is {ratings.raters[ratings.loud]} first by taste, or by length?"


class Cosine(RatingsStage):
    """The cosine: a dot product without the lengths, which depends on the angle alone."""

    title = "The cosine: which way?"
    question = "{asked}"
    caption = (
        "Nearest: {nearest_names}. Largest dot product: {highest_names}. Closest in direction: "
        "{closest_names}."
    )
    opens = ("space", "arrows", "ratings", "distance", "dot", "cosine", "nearest_frame",
             "highest_frame")  # fmt: skip
    leaves = ("arrows",)
    derived = RatingsStage.derived | {
        "asked": Derived("the question of this shot", _question),
        "loud_rating": Derived("that person's rating of the first film", _first_rating),
        "quiet_rating": Derived("a fifth of it", lambda r: LEAST_PART * _first_rating(r)),
    }

    def layout(self) -> None:
        self.make_page(2)
        k = self.values.loud
        self.bow = Bow(self["loud_angle"], self.arrows, k)
        self.angle = self.angle_figure("loud_angle")
        self.swing = self.angle_figure("turner_angle")
        self.circle = MeasuredPath(self["circle"], self.arrows, "residual")
        self.chord = MeasuredPath(self["unit_chord"], self.arrows, "residual")
        self.rest = self.formula("1 - key({loud_cosine:.2f}) = {cosine_distance:.2f}").hide()
        self.law = self.formula(
            "{unit_gap:.2f}^2 = {cosine_distance:.2f} + {cosine_distance:.2f}", line=1
        ).hide()
        self.quotient = self.formula(
            "{most_dot:.0f} div \\( query({own_length:.3g}) dot key({loud_length:.3g}) \\) = "
            "{loud_cosine:.2f}"
        ).hide()

    @beat(_shorter_sentence)
    def quieter(self) -> Steps:
        time = self.reading
        self.add(self.bow, self.arrows)
        yield (
            self.arrows.light(0, self.values.loud),
            self.bow.draw(run_time=0.2 * time),
            FadeIn(self.angle, run_time=0.2 * time),
            FadeOut(self.nearest_frame, self.highest_frame, run_time=0.3),
        )
        yield 0.6 * self.move("shrunk", spec=".1f")

    @beat(_longer_sentence)
    def louder(self) -> Steps:
        yield 0.7 * self.move("shrunk", spec=".1f", back=True)
        self.settle()

    @beat("Divide by both lengths: the cosine, {loud_cosine:.2f}. It does not see who is generous.")
    def divide(self) -> Steps:
        yield 0.6 * self.quotient.appear()
        yield 0.2 * self.cosine.fill(self.only_row(self.values.loud), labels=False)

    @beat("At equal lengths, say 1, all three agree: distance, dot product and cosine.", rest=REST)
    def one(self) -> Steps:
        n = len(self.values.raters)
        come = np.where(np.arange(n) == self.values.loud, -np.inf, np.linspace(0, 1, n))[:, None]
        yield (
            FadeOut(self.bow, self.angle, self.quotient, run_time=0.4),
            self.arrows.light(run_time=0.4),
            self.cosine.fill(come, run_time=0.8, labels=False),
        )
        self.arrows.curve = self.circle.state
        yield 0.4 * together(self.move("normed", spec=".2f"), self.space.to(self["unit_room"]))
        self.add(self.circle, self.arrows)
        yield 0.2 * self.circle.draw()
        columns = self.distance, self.dot, self.cosine
        marks = self["closest_marks"]
        self.agreed = [one.outline(marks, role="attention", width=5.0) for one in columns]
        yield FadeIn(*self.agreed, run_time=0.5)

    @beat(
        "One minus the cosine is the cosine distance: here, half the squared distance.", rest=REST
    )
    def apart(self) -> Steps:
        yield self.arrows.light(0, self.values.loud)
        if self.values.unit_gap:
            self.add(self.chord, self.arrows)
            yield self.chord.draw(run_time=0.6)
        yield 0.3 * self.rest.appear()
        yield 0.3 * self.law.appear()
        yield 0.2 * self.reading
        yield FadeOut(self.rest, self.law, self.chord, *self.agreed, run_time=0.4)

    @beat("1 is the same direction, 0 a right angle, −1 the opposite.")
    def bounds(self) -> Steps:
        look = self.arrows.light(0, self.values.turner, run_time=0.4)
        yield look, FadeIn(self.swing, run_time=0.4)
        swing = self.move("swung", (self.swing, "angles"), spec=".2f")
        yield together(swing, run_time=_SWING)

    @beat(CAPTION)
    def answer(self) -> Steps:
        yield (
            together(
                self.move("normed", spec=".2f", back=True),
                self.space.to(self["room"]),
                run_time=0.25 * self.reading,
            ),
            FadeOut(self.circle, self.swing, run_time=0.3),
        )
        self.arrows.curve = np.zeros((0, 3))
        self.settle()
        values = self.values
        for frame, who in (
            (self.nearest_frame, values.nearest),
            (self.highest_frame, values.highest),
            (self.closest_frame, values.closest),
        ):
            yield 0.2 * together(self.arrows.light(0, *who), FadeIn(frame))
        yield self.arrows.light(run_time=0.5)
