"""A query and a key dragged along together keep their score; the key alone changes it."""

from __future__ import annotations

from math import floor
from typing import Any

import numpy as np
from manim import RIGHT, Animation, Circle, Create, linear, smooth
from manim.utils.rate_functions import ease_in_out_sine, squish_rate_func
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.relative_offset import WALK_STEPS, DraggedWords, dragged_words
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.rope.inputs import WordInputs
from clockhead.scenes.rope.word_line import BY_OFFSET, FORMULA, TWO_WORDS, TwoWordStage
from clockhead.scenes.spelling import plural, said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    FadeIn,
    FadeOut,
    Picture,
    Steps,
    Value,
    beat,
    together,
)
from clockhead.scenes.style.motion import Drive

_DISTANCE = 95
"""How far both words move, unless it is said."""
_WALK = 5.0
"""The longest walk of the key alone, in seconds."""
_STRIDE = squish_rate_func(smooth, 0.2, 0.8)
"""A step to the next position: it sets out from rest and comes to rest."""


def _back(values: DraggedWords) -> str:
    if values.comes_back_round:
        return "It can: the fast hand has come round, and the score is about as before."
    if values.is_back:
        return "It can: here the score is about what it was before."
    return "Not here, but it can: hands that go round do come round again."


class RelativeOffset(TwoWordStage):
    """A query and a key dragged along together keep their score; the key alone changes it."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=0, le=9999, description="position of the query")
        n: int = Field(3, ge=0, le=9999, description="position of the key")
        far_m: int | None = Field(
            None,
            ge=0,
            le=9999,
            description="position of the query, moved; left out, it moves as far as the key, "
            f"or by {_DISTANCE}",
        )
        far_n: int | None = Field(
            None,
            ge=0,
            le=9999,
            description="position of the key, moved; left out, it moves as far as the query",
        )
        stray: int = Field(3, ge=1, le=11, description="how far the key moves alone at first")
        stray_far: int = Field(6, ge=2, le=12, description="how far it has moved alone in the end")

    title = "Only the offset counts"
    question = "What if both words move by {distance}?"
    caption = "At offset {near.offset}, this query and this key have the same score everywhere."
    opens = TWO_WORDS
    leaves = ("dials", "key_hands", "line")
    claims = (
        Claim(
            "the key's first steps change the score visibly",
            lambda v: not v.stray_looks_alike,
            "it stays {stray_score:.2f}; change stray or seed",
        ),
    )
    derived = {
        "distance": Derived("how far both move", lambda v: plural(v.distance, "position")),
    }

    values: DraggedWords

    @classmethod
    def compute(cls, inputs: Inputs) -> DraggedWords:
        words, far_m, far_n = inputs.words, inputs.far_m, inputs.far_n
        if far_m is None:
            far_m = inputs.m + (_DISTANCE if far_n is None else far_n - inputs.n)
        if far_n is None:
            far_n = inputs.n + far_m - inputs.m
        if min(far_m, far_n) < 0:
            moved, least = (
                ("far_m", inputs.m - inputs.n) if far_n < 0 else ("far_n", inputs.n - inputs.m)
            )
            raise ValueError(f"{moved} must be at least {least}, so that both stand in the text")
        shift = far_m - inputs.m
        if far_n - inputs.n != shift:
            raise ValueError(
                f"far_n must be {inputs.n + shift}, moved as far from n as far_m is from m, "
                f"got {far_n}"
            )
        return dragged_words(words, inputs.m, inputs.n, shift, inputs.stray, inputs.stray_far)

    def layout(self) -> None:
        """The places of the film; the equation ends at a mark before the score."""
        v = self.values
        length = abs(v.far.offset) + v.stray_far + 3.0
        far = max(-0.5, min(v.far.m, v.far.n, v.stray_far_n) - 1.5)
        near = max(-0.5, far - v.shift)
        self.near, self.far = (start + np.array([0, length]) for start in (near, far))
        paths = "near", "query_pairs", "key_pairs_by_offset"
        self.lay_words(*paths, self.near, nearest=v.nearest, n_decimals=v.n_decimals)
        self.offset = self.bracket.stand().figure
        look: dict[str, Any] = {"align": "left", "color": self.theme.muted}
        self.before = Figure(self["far.score"], ".2f", prefix=f"{said('before')} ", **look)
        self.formula = Equation(BY_OFFSET, size=FORMULA)
        self.lay_score(self.formula, room=0.5 + self.before.number.width)
        self.before.put(self.score.number.anchor + (self.score.number.width + 0.5) * RIGHT)

    @beat(
        "First, both hands turn forward by {inputs.m} again.",
        when=lambda v: v.near.m > 0,
    )
    def turn_on(self) -> Steps:
        """Both hands turn on as one, to where their own positions put them."""
        by = self["near.query_phases"].array
        query = self.query.turn_to(self["near.rotated_query_pairs"], by)
        key = self.key_hands.turn_to(self["near.rotated_key_pairs"], by)
        yield together(query, key, run_time=max(3.0, self.reading - 0.4))

    @beat("The angle between the hands stays, and so does the score.")
    def drag(self) -> Steps:
        """One unbroken drag: the line runs past below, and every wedge is rigid."""
        yield self._drag(max(5.0, self.reading))

    @beat("Now move the key alone: the angles and the score change.")
    def key_only(self) -> Steps:
        """The key's first steps alone."""
        yield FadeIn(self.before, run_time=0.6)
        yield self._walk(0, self.values.stray, self.reading - 1)

    @beat(ask="If it walks on, can the score come back?")
    def walk_on(self) -> Steps:
        """The rest of its steps; what came of it is said where it arrives."""
        first, last = self.values.stray, self.values.stray_far
        yield self._walk(first, last, min(0.9 * (last - first), _WALK))

    @beat(_back)
    def back(self) -> Steps:
        """A ring round the hand that did it, if it was the fast one."""
        if not self.values.comes_back_round:
            yield self.formula.pulse("offset")
            return
        dials = self.grid.dials
        ring = Circle(1.06 * dials.radius, color=self.theme.attention, stroke_width=4)
        yield Create(ring.move_to(dials.centers[0, 0]), run_time=0.8)
        yield 1.5
        yield FadeOut(ring, run_time=0.6)

    @beat(CAPTION)
    def anywhere(self) -> Steps:
        """The key comes back, and both go where they came from; the score is left."""
        yield FadeOut(self.before, run_time=0.4)
        yield self._walk(self.values.stray_far, 0, 1.3, strides=1)
        yield self._drag(2.4, back=True)
        yield FadeOut(self.wedges, self.terms, run_time=0.6), self.bracket.vanish(run_time=0.6)

    def _drag(self, run_time: float, *, back: bool = False) -> list[Animation]:
        """Both words, and all hands, to the far places; the line runs past under the tiles."""
        place, window, way = ("near", self.near, -1) if back else ("far", self.far, 1)
        m, n, query, key = (
            self[f"{place}.{name}"]
            for name in ("m", "n", "rotated_query_pairs", "rotated_key_pairs")
        )
        turn = way * self["shift_phases"].array
        run: dict[str, Any] = {"run_time": run_time, "rate_func": ease_in_out_sine}
        return [
            self.line.zoom(window, **run),
            self.mark.to(m, **run),
            self.bracket.to(n, **run),
            self.grid.slide(self.hero, m.content, window, **run),
            self.grid.slide(self.partner, n.content, window, **run),
            self.query.turn_to(query, turn, **run),
            self.key_hands.turn_to(key, turn, **run),
            self.terms.through(self["drag_terms"][::way], **run),
            self.score.through(self["drag_scores"][::way], **run),
        ]

    def _walk(self, start: int, end: int, run_time: float, strides: int = 0) -> list[Animation]:
        """The key alone from a position of its way to another; numbers are seen where it rests."""
        n, time = strides or abs(end - start), {"run_time": run_time}
        gait: Any = {"rate_func": lambda s: (floor(s * n) + _STRIDE(s * n % 1)) / n} | time
        stops: Any = {"rate_func": lambda s: floor(s * n + 0.5) / n} | time
        low, high = WALK_STEPS * min(start, end), WALK_STEPS * max(start, end)

        def steps(name: str, each: int = 1) -> Value:
            return self[f"walk_{name}"][low : high + 1 : each][:: 1 if start < end else -1]

        def numbers(part: Picture, name: str) -> list[Animation]:
            def see(gone: NDArray[np.float64]) -> None:
                part.set_fill(opacity=float(np.clip((abs(gone % 1 - 0.5) - 0.25) / 0.15, 0, 1)))

            seen = Drive(part, see, 0.0, n, run_time=run_time, rate_func=linear)
            return [part.through(steps(name, WALK_STEPS), **stops), seen]

        goal = self["walk_positions"][WALK_STEPS * end]
        return [
            self.bracket.to(goal, **gait),
            self.grid.slide(self.partner, goal.content, self.line.window, **gait),
            self.key_hands.through(steps("key_pairs"), **gait),
            self.wedges.through(steps("pair_angles"), **gait),
            *numbers(self.offset, "offsets"),
            *numbers(self.terms, "terms"),
            *numbers(self.score, "scores"),
        ]
