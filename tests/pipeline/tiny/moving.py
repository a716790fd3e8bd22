"""A square moves."""

from manim import RIGHT, UP, FadeIn, Square
from pydantic import Field

from scenes.facts import Fact
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.theme import theme


class Moving(Slide):
    """A square moves to the right, a few times."""

    class Inputs(StageInputs):
        moves: int = Field(2, ge=0, le=9, description="how often it moves")
        most: int = Field(9, ge=0, le=9, description="how often it may move")

    title = "A square, moved"
    question = "How often does it move?"
    notes = ("Here comes $n$.",)
    caption = "It moved {moves} times."

    @classmethod
    def compute(cls, inputs: Inputs) -> tuple[int, int]:
        return inputs.moves, inputs.most

    @classmethod
    def facts(cls, values: tuple[int, int]) -> dict[str, Fact]:
        return {"moves": values[0], "share": values[0] / 3}

    @classmethod
    def checks(cls, values: tuple[int, int]) -> list[Finding]:
        return [Finding("it moves no more than it may", values[0] <= values[1], str(values[0]))]

    @classmethod
    def arrays(cls, values: tuple[int, int]) -> dict:
        return {}

    def construct(self) -> None:
        self.beat("appear")
        box = Square(2, color=theme().query, fill_opacity=1, stroke_width=0)
        box.move_to(self.canvas.center)
        self.play(FadeIn(box), run_time=0.3)
        self.beat("move")
        for _ in range(self.values[0]):
            self.play(box.animate.shift(0.2 * RIGHT), run_time=0.21)
        self.play(self.say(0))
        self.wait(0.35)
        self.play(box.animate.shift(0.1 * UP), box.animate.set_opacity(0.5), run_time=0.2)
