"""A dot goes on from where the shot before left it."""

from dataclasses import dataclass

from manim import Dot
from pydantic import Field

from clockhead.scenes.stage import Stage, StageInputs, Steps, beat
from clockhead.scenes.style.theme import theme


@dataclass(frozen=True)
class Place:
    """Where the dot stands in the end, as a share of the canvas from the left, in percent."""

    x: int


class Told(Stage):
    """A dot that moves to a place."""

    class Inputs(StageInputs):
        x: int = Field(20, ge=0, le=100, description="where it ends")

    title = "To {x}"
    question = "Where does it go?"
    caption = "It is at {x}."
    opens = ("dot",)
    leaves = ("dot",)

    @classmethod
    def compute(cls, inputs: Inputs) -> Place:
        return Place(inputs.x)

    def layout(self) -> None:
        start = self.canvas.point(0.5, 0.5)
        self.dot = Dot(start, radius=0.8, color=theme().query, fill_opacity=1)

    @beat("It moves.")
    def move(self) -> Steps:
        yield self.dot.animate.move_to(self.canvas.point(self.values.x / 100, 0.5))
