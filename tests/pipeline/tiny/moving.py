"""A square moves."""

from dataclasses import dataclass
from typing import Annotated

from manim import RIGHT, UP, FadeIn, Square
from pydantic import Field

from clockhead.model.units import Count, Doc, Share
from clockhead.scenes.stage import Claim, Stage, StageInputs, Steps, beat
from clockhead.scenes.style.theme import theme


@dataclass(frozen=True)
class Moves:
    """How often a square moves, and may."""

    moves: Annotated[Count, Doc("how often it moves")]
    most: Annotated[Count, Doc("how often it may move")]

    @property
    def share(self) -> Share:
        """The share of three moves."""
        return self.moves / 3


class Moving(Stage):
    """A square moves to the right, a few times."""

    class Inputs(StageInputs):
        moves: int = Field(2, ge=0, le=9, description="how often it moves")
        most: int = Field(9, ge=0, le=9, description="how often it may move")

    title = "A square, moved"
    question = "How often does it move?"
    caption = "It moved {moves} times."
    claims = (Claim("it moves no more than it may", lambda v: v.moves <= v.most, "{moves} times"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> Moves:
        return Moves(inputs.moves, inputs.most)

    def layout(self) -> None:
        self.box = Square(2, color=theme().query, fill_opacity=1, stroke_width=0)
        self.box.move_to(self.canvas.center)

    @beat("Here comes $n$.")
    def appear(self) -> Steps:
        yield FadeIn(self.box, run_time=0.3)
        yield 0.35

    @beat()
    def move(self) -> Steps:
        for _ in range(self.values.moves):
            yield self.box.animate(run_time=0.21).shift(0.2 * RIGHT)
        yield self.box.animate(run_time=0.2).shift(0.1 * UP).set_opacity(0.5)
