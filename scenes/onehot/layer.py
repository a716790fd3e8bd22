"""What the two layers share: weights as a picture, and one matrix on its way to attention."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    Animation,
    AnimationGroup,
    Arrow,
    FadeIn,
    FadeOut,
    LaggedStart,
    VGroup,
)

from model.arrays import Floats
from model.onehot_induction import OneHotInduction
from scenes.onehot.common import OneHotInputs
from scenes.parts.matrices.logit_map import LogitMap
from scenes.parts.matrices.weight_picture import WeightPicture
from scenes.spelling import spelled
from scenes.stage import Slide
from scenes.style.layout import GAP, Region
from scenes.style.motion import recolor
from scenes.style.text import Formula, Label

ROOMY = 11.0
"""The least width of a canvas, in units, on which the steps stand in a column of their own."""
NARROW = 8.0
"""Under this width, in units, a wide canvas shows the weights first, and then the matrix alone."""


def seen(values: Floats) -> Floats:
    """The same values without those too small to be seen, under 1e-12."""
    return np.where(np.abs(values) < 1e-12, 0.0, values)


class AttentionStage(Slide):
    """A stage about one layer: weights, logits, mask, softmax, and what the layer writes."""

    class Inputs(OneHotInputs):
        pass

    inputs: Inputs
    values: OneHotInduction

    @classmethod
    def compute(cls, inputs: OneHotInputs) -> OneHotInduction:
        """The head over a text in which a token comes before another.

        Raises ValueError for a text of one token.
        """
        head = inputs.head()
        if len(head.tokens) < 2:
            raise ValueError(
                f"text must make 2 tokens or more, so that one stands before another, "
                f"got {inputs.text!r} without BOS"
            )
        return head

    def lay_out(
        self,
        weights: Floats,
        logits: Floats,
        *,
        name: str,
        halves: tuple[str, str],
        active: tuple[int, int],
        keys: Sequence[str],
        key_name: str,
        formula: str,
    ) -> None:
        """Weights, steps and matrix: beside each other, or one under the other."""
        picture, steps, table = self._regions()
        table = table.inset(0.05, 0.0)
        self.weights = WeightPicture(weights, picture, name=name, halves=halves, active=active)
        self.table = LogitMap(
            seen(logits),
            table,
            queries=[spelled(token) for token in self.values.tokens],
            keys=keys,
            key_name=key_name,
            high=self.values.sharpness,
        )
        self.table_region = table
        down = steps.height > steps.width
        self.steps, self.arrows = self._steps(formula, steps, down)

    def _regions(self) -> tuple[Region, Region, Region]:
        canvas = self.canvas
        self.tight = canvas.wide and canvas.width < NARROW
        if self.tight:
            head, below = canvas.cut_top(0.5, 0.15)
            return below, head, below
        if canvas.width >= ROOMY:
            picture, steps, table = canvas.columns(5.4, 2.0, 5.2, gap=0.3)
            return picture, steps, table
        if canvas.wide:
            head, below = canvas.cut_top(0.5, 0.15)
            picture, table = below.columns(4, 5)
            return picture, head, table
        picture, steps, table = canvas.rows(5, 0.6, 5.4, gap=0.3)
        return picture, steps, table

    def _steps(self, formula: str, region: Region, down: bool) -> tuple[VGroup, VGroup]:
        """The three steps in a column or a row, an arrow from each to the next."""
        look = self.theme
        items = VGroup(
            Formula(formula, size=34).fit(2.0 if down else 2.4),
            Label("mask", size=28),
            Label("softmax", size=28),
        )
        n = len(items)
        for k, item in enumerate(items):
            share = 0.5 - 0.24 * (k - (n - 1) / 2)
            place = region.point(0.5, share) if down else region.point(1.0 - share * 1.0, 0.5)
            if isinstance(item, Label):
                item.center_on(place)
            else:
                item.move_to(place)
        if not down:
            items.arrange(RIGHT, buff=1.0).move_to(region.center)
            for item in items[1:]:
                item.center_on(np.array([item.get_center()[0], region.center[1], 0.0]))
        arrows = VGroup()
        for first, then in pairwise(items):
            if down:
                ends = first.get_bottom() + DOWN * 0.1, then.get_top() - DOWN * 0.14
            else:
                across = first.get_right()[0] + 0.15, then.get_left()[0] - 0.15
                start, end = (np.array([x, region.center[1], 0.0]) for x in across)
                ends = start, end
            arrow = Arrow(*ends, buff=0, stroke_width=3, tip_length=0.16, color=look.muted)
            arrows.add(arrow)
        return items, arrows

    def step(self, k: int) -> Animation:
        """Name the k-th step; those before it dim."""
        parts: list[Animation] = [FadeIn(self.steps[k], run_time=0.6)]
        if k:
            parts.append(FadeIn(self.arrows[k - 1], run_time=0.6))
            parts.append(recolor(self.steps[k - 1], self.theme.muted))
        return AnimationGroup(*parts)

    def mask(self, note: int) -> None:
        """The second step: later keys are taken away."""
        self.beat("mask")
        self.play(self.say(note), self.step(1), run_time=0.6)
        self.play(self.table.mask(run_time=1.0))
        self.let_read()

    def softmax(self, note: int, pattern: Floats, *, run_time: float) -> None:
        """The third step: logits turn into attention. The beat is still open afterwards."""
        self.beat("softmax")
        self.play(self.say(note), self.step(2), run_time=0.6)
        self.play(self.table.softmax(seen(pattern), run_time=run_time))

    def open_table(self) -> Animation:
        """The matrix, still empty, beside the weights or in their place."""
        come = FadeIn(self.table)
        if not self.tight:
            return come
        leave = FadeOut(self.weights, self.weights.frame)
        return LaggedStart(leave, come, lag_ratio=0.6)

    def clear_left(self) -> Animation:
        """Weights and steps have done their part."""
        weights = VGroup() if self.tight else VGroup(self.weights, self.weights.frame)
        return FadeOut(weights, self.steps, self.arrows, run_time=0.5)

    def room_beside(self, least: float) -> tuple[Region, bool]:
        """Room for what the layer writes, and whether the pattern stays in sight beside it.

        It does where `least` units of width are left, or where they stand above each other.
        """
        canvas, table = self.canvas, self.table
        width = table.area.right - table.left
        if not canvas.wide:
            height = table.get_top()[1] - table.area.bottom
            return canvas.cut_top(height + 0.2, 0.3)[1], True
        region = Region(
            canvas.left + width + 1.2 * GAP,
            self.table_region.bottom,
            canvas.right,
            self.table_region.top,
        )
        if region.width >= least:
            return region, True
        return canvas, False

    def move_aside(self, stays: bool) -> Animation:
        """The pattern goes to the left or to the top; or away where there is no room for it."""
        if not stays:
            return FadeOut(self.table, run_time=0.6)
        if self.canvas.wide:
            way = np.array([self.canvas.left - self.table.left, 0.0, 0.0])
        else:
            way = np.array([0.0, self.canvas.top - self.table.get_top()[1], 0.0])
        return self.table.slide(way, run_time=1.0)
