"""The same turn as one block-diagonal matrix, which keeps the vector's length."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.rope import rotate, rotation_matrix
from model.rotated_vector import RotatedVector
from scenes.facts import Fact
from scenes.parts.clocks.hand_row import HandDial
from scenes.parts.matrices.turn_matrix import TurnEquation
from scenes.parts.placing import hang, under
from scenes.parts.readout import Readout
from scenes.rope.common import ROOMY, ROUNDING, LetterAtPosition
from scenes.stage import EvenInt, Finding, Slide
from scenes.style.motion import Drive
from scenes.style.text import Formula, Number, Paragraph

_ROOM_FOR_FORMULA = 11.0
"""Units of width from which words and readings stand beside the equation."""


class Matrix(Slide):
    """The same turn as one block-diagonal matrix, which keeps the vector's length."""

    class Inputs(LetterAtPosition):
        d_head: EvenInt = Field(
            8, ge=4, le=8, description="width of the head; d_head/2 blocks of the matrix"
        )

    title = "The same turn, as one matrix"
    question = "Each hand turns by itself. What matrix turns all {n_hands} at once?"
    caption = (
        "A block for every hand and zeros elsewhere: hands never mix, "
        "and the vector keeps its length, {norm:.4f}."
    )
    notes = (
        "At position 0 nothing turns: the matrix gives the vector back.",
        "As the position runs, each 2 by 2 block turns its own pair.",
        "Two numbers in, two out. The {n_zeros} numbers off the blocks stay 0.",
        "Turning changes the numbers but not the length of the vector.",
    )

    inputs: Inputs
    values: RotatedVector

    @classmethod
    def compute(cls, inputs: Inputs) -> RotatedVector:
        return inputs.turned(inputs.d_head)

    @classmethod
    def facts(cls, values: RotatedVector) -> dict[str, Fact]:
        return {
            "letter": values.token,
            "d_head": len(values.vector),
            "n_hands": len(values.frequencies),
            "n_zeros": int(values.off_blocks.size),
            "m": values.m,
            "norm": values.norm,
            "turned_norm": values.rotated_norm,
            "norm_change": abs(values.rotated_norm - values.norm),
        }

    @classmethod
    def checks(cls, values: RotatedVector) -> list[Finding]:
        apart = float(np.max(np.abs(values.product - values.rotated)))
        change = abs(values.rotated_norm - values.norm)
        return [
            Finding(
                "the matrix turns every hand by its own angle",
                apart < ROUNDING,
                f"a difference of {apart:.3g}",
            ),
            Finding("the length stays", change < ROUNDING, f"it changes by {change:.3g}"),
            Finding(
                "off its blocks the matrix is 0",
                not values.off_blocks.any(),
                f"up to {np.abs(values.off_blocks).max(initial=0.0):.3g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: RotatedVector) -> dict[str, NDArray[Any]]:
        return {
            "vector": np.array(values.vector),
            "start_matrix": rotation_matrix(0, values.frequencies),
            "matrix": values.matrix,
            "product": values.product,
            "pairs_along": values.pairs_along,
            "thetas": np.array(values.frequencies),
            "positions": np.arange(values.m + 1),
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self._lay_out()
        self._start()
        self._turn()
        self._blocks()
        self._length()

    def _lay_out(self) -> None:
        """Equation and dials; `aside` is for words and readings, beside or below."""
        area, n_hands = self.canvas, len(self.values.frequencies)
        wide, tall = self.canvas.width > ROOMY, self.canvas.height > 7
        column = self.canvas.width > _ROOM_FOR_FORMULA
        if column:
            main, self.aside = area.columns(10.3, 2.9, gap=0.3)
        else:
            self.aside, main = area.cut_bottom(0.35, 0.2)
        if wide:
            main, dials = main.columns(8.4, 1.4, gap=0.0 if column else 0.1)
        else:
            dials, main = main.cut_bottom(1.7, 0.2) if tall else (self.aside, main)
        self.equation = TurnEquation(
            rotation_matrix(0, self.values.frequencies),
            self.values.vector,
            main,
            token=self.values.token,
            most_cell=(0.82, 0.85 if tall else 0.62),
        )
        radius = min(0.72, self.equation.cell_height * 0.94) if wide else 0.75
        unit = float(self.values.lengths.max())
        self.dials = [HandDial(radius, pair, unit) for pair in self.values.pairs]
        for i, dial in enumerate(self.dials):
            dial.ghost.set_stroke(opacity=1)
            x = dials.center[0] if wide else dials.point((i + 0.5) / n_hands, 0)[0]
            y = self.equation.row(i) if wide else dials.center[1]
            dial.place(np.array([x, y, 0.0]))
        self.shown = VGroup(*self.dials) if wide or tall else VGroup()
        self.formula = self._block_formula() if column else VGroup()

    def _block_formula(self) -> VGroup:
        """What stands in the block of a hand, at the top of the aside."""
        words = Paragraph(
            "the block of a hand at position m", width=self.aside.width, color=self.theme.muted
        )
        hang(words, self.aside.point(0, 1) - np.array([0.0, 0.08, 0.0]))
        block = Formula('mat(delim: "[", cos phi, -sin phi; sin phi, cos phi)', size=34)
        hang(block.fit(self.aside.width), under(words, 0.25))
        angle = Formula("phi = m theta", size=34)
        hang(angle, under(block, 0.25))
        return VGroup(words, block, angle)

    def _start(self) -> None:
        """At position 0 the matrix gives the vector back."""
        self.beat("start")
        self.play(FadeIn(self.equation), FadeIn(self.shown), self.say(0), run_time=0.8)
        self.wait(2.2)

    def _turn(self) -> None:
        """The position turns every hand; the numbers of the matrix run with it."""
        self.beat("turn")
        steps = 60 * 4
        ways = np.linspace(0, self.values.m, steps + 1)  # (steps + 1,)
        matrices = rotation_matrix(ways, self.values.frequencies)  # (steps + 1, d_head, d_head)
        vectors = rotate(self.values.vector, ways, self.values.frequencies)  # (steps + 1, d_head)
        matrices[-1], vectors[-1] = self.values.matrix, self.values.product

        def show(step: NDArray[np.float64]) -> None:
            k = int(step)
            self.equation.show(int(ways[k] + 1e-9), matrices[k], vectors[k])
            for dial, pair in zip(self.dials, vectors[k].reshape(-1, 2), strict=True):
                dial.show_pair(pair)

        self.play(self.say(1), FadeIn(self.formula))
        self.play(Drive(VGroup(self.equation, self.shown), show, 0, steps, run_time=4.2))
        self.wait(0.8)

    def _blocks(self) -> None:
        """Two numbers in, two numbers out: a block sees no hand but its own."""
        self.beat("blocks")
        frames = self.equation.frames(0)
        self.play(Create(frames), self.say(2), run_time=0.8)
        for i in range(1, len(self.dials)):
            self.wait(0.3)
            self.play(self.equation.step_down(frames, i, run_time=0.5))
        self.wait(0.8)
        self.play(FadeOut(frames), run_time=0.4)

    def _length(self) -> None:
        """The length before and after, digit by digit the same."""
        self.beat("length")
        before, after = self._readings()
        self.play(FadeIn(before), self.say(3), run_time=0.6)
        self.wait(0.8)
        self.play(FadeIn(after), run_time=0.6)
        self.wait(1.2)

    def _readings(self) -> list[VGroup | Number]:
        """The two lengths: one under the other in a column, on one line in a band."""
        found = {
            f"length of “{self.values.token}”": self.values.norm,
            "length after": self.values.rotated_norm,
        }
        if self.aside.height < 1:
            halves = self.aside.columns(1, 1)
            return [
                Number(value, ".6f", weight="semibold", prefix=f"{meaning}: ").center_on(
                    half.center
                )
                for half, (meaning, value) in zip(halves, found.items(), strict=True)
            ]
        return [
            Readout(meaning, value, ".6f", self.aside.point(0, y), width=self.aside.width)
            for y, (meaning, value) in zip((0.42, 0.18), found.items(), strict=True)
        ]
