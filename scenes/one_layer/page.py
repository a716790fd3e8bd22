"""What the stages about one step function share: its inputs, and one chart in one place."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from clockhead.model.networks.relu_wave import ReluWave, relu_wave
from clockhead.model.networks.step_function import WAVE, StepFunction, step_function
from clockhead.scenes.one_layer.lines import CornerLine
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    Column,
    Derived,
    Room,
    Row,
    Size,
    Stage,
    StageInputs,
    Value,
    fit,
    wide_or_tall,
)
from clockhead.scenes.stage.layout import Box
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import Role

NAME = "One layer of neurons"
_ROOM = 0.12
"""What stays free over and under a curve, as a share of its height."""
_LARGE = 100.0
_CHART, _ASIDE, _MOST_ASIDE = (3.0, 1.7), Size(2.5, 1.9), 3.3
BROAD, PALE = 9.0, 0.5
"""How broad what is to be drawn is, and how much of it is seen."""
_MOST = 4
"""Jumps at most."""
_FIFTH = -1.0
"""A level that comes after those of the usual wave."""
EPSILONS, STEEPNESSES = (1e-3, 10.0), (1.0, 1e3)
"""The ends of the dials for them, in all stages."""

Level = Annotated[float, Field(ge=-2, le=2)]
Jumps = Annotated[
    tuple[Level, ...],
    Field(min_length=1, max_length=_MOST),
    AfterValidator(lambda jumps: tuple(sorted(jumps))),
]
Ramp = Annotated[float, Field(ge=0.005, le=0.7)]
"""How wide a ramp is."""


class StepInputs(StageInputs):
    """A step function."""

    levels: Annotated[tuple[Level, ...], Field(min_length=2, max_length=_MOST + 1)] = Field(
        WAVE.levels,
        description="levels of the step function, from left to right; left out, as many as the "
        "jumps need",
    )
    jumps: Jumps = Field(
        WAVE.jumps,
        description="where it jumps from each level to the next; left out, as many as the levels "
        "need",
    )

    @model_validator(mode="before")
    @classmethod
    def _fit(cls, given: Any) -> Any:
        """Levels without jumps get as many as they need, and so do jumps without levels."""
        if not isinstance(given, dict):
            return given
        # What was JSON is lists now, which a strict model does not take for tuples.
        given = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
        match given:
            case {"levels": [_, *more], **rest} if "jumps" not in rest and 1 <= len(more) <= _MOST:
                given["jumps"] = _jumps_for(len(more))
            case {"jumps": [_, *_] as jumps, **rest} if "levels" not in rest:
                given["levels"] = (*WAVE.levels, _FIFTH)[: min(len(jumps), _MOST) + 1]
        return given

    @property
    def steps(self) -> StepFunction:
        """The step function; a ValueError says why there is none."""
        return step_function(self.levels, self.jumps)

    def relus(self, name: str) -> ReluWave:
        """ReLUs for it, whose ramps are as wide as the input of this name says."""
        width, gap = float(getattr(self, name)), self.steps.least_gap
        if width >= gap:
            raise ValueError(
                f"{name} must be less than two jumps are apart, {gap:g}, got {width:g}"
            )
        return relu_wave(self.steps, width)


def _jumps_for(count: int) -> tuple[float, ...]:
    """So many jumps, evenly spaced between the outer ones of the usual wave, or those of it."""
    first, last = WAVE.jumps[0], WAVE.jumps[-1]
    if count in (1, WAVE.n_jumps):
        return WAVE.jumps if count > 1 else ((first + last) / 2,)
    return tuple(np.linspace(first, last, count).tolist())


def shape(steps: StepFunction) -> str:
    """What a step function is called."""
    return said("wave" if steps.n_jumps > 1 else "step")


SHAPE = Derived("what is drawn", lambda values: shape(values.steps))


def heights_of(low: float, high: float) -> Scale:
    """A scale on which a curve has some room over and under it."""
    room = _ROOM * (high - low)
    return Scale(low - room, high + room, round_ticks(low, high, most=5), "g")


def chart_of(steps: StepFunction, least: tuple[float, float] = _CHART) -> Chart:
    """The chart over which a step function, and lines beside it, are drawn."""
    left, right = steps.span
    low, high = min(0.0, *steps.levels), max(0.0, *steps.levels)
    across = Scale(left, right, round_ticks(left, right, most=5), "g", name="x")
    return Chart(across, heights_of(low, high), least=least)


def target_of(value: Value, chart: Chart, **options: float) -> CornerLine:
    """What is to be drawn: a broad pale line, over which neurons draw theirs."""
    return CornerLine(value, chart, "residual", stroke=BROAD, opacity=PALE, **options)


def error_of(value: Value) -> Readout:
    """What is wrong: the area between what is drawn and what is to be."""
    return Readout(value, ".3g", words=said("error: the red area"), color="wrong")


def knob_of(series: Value, sign: str, role: Role, ends: tuple[float, float]) -> Knob:
    """A knob at the first of a series, with the same dial in every stage."""
    spec = ",.4g" if ends[1] > _LARGE else ".3g"
    return Knob(series[0], *ends, spec=spec, prefix=f"{sign} = ", role=role)


def product_of(stage: Stage, sign: str, factor: str, size: float) -> Equation:
    """The error as a factor times all heights, one by one if there is room for that."""
    sizes = stage["steps.sizes"]
    first = [("error", f'"{sign}" ='), ("rule", factor)]
    terms = [*first, ("open", "\\(")]
    for k in range(len(sizes)):
        terms += [(f"plus{k}", "+")] * (k > 0) + [(f"height{k}", f"{{h{k}:.3g}}")]
    values = {f"h{k}": sizes[k] for k in range(len(sizes))}
    whole = Equation([*terms, ("close", "\\)")], values=values, size=size)
    if whole.least.width <= _ASIDE.width:
        return whole
    values = {"total": stage["steps.total_height"]}
    return Equation([*first, ("total", "{total:.4g}")], values=values, size=size)


class WavePage:
    """A chart, and beside or under it room for what is told; both are where they always are."""

    def __init__(self, stage: Stage, steps: StepFunction) -> None:
        self.chart, aside = chart_of(steps), Room(_ASIDE)
        aside.most = Size(_MOST_ASIDE, np.inf) if stage.canvas.wide else Size(np.inf, np.inf)
        row = Row(self.chart, aside)
        column = Column(self.chart, aside, weights=(3, 1))
        fit(stage.canvas, wide_or_tall(row, column))
        self.aside: Region = aside.region

    def finish(self, *boxes: Box, over: Box | None = None) -> None:
        """Draw all marks, and place what is told in its room, below or beside each other."""
        for mark in self.chart.marks:
            mark.redraw()
        first = [] if over is None else [over]
        row, column = Row(*first, *boxes), Column(*first, *boxes, gap=0.25)
        below = Column(*first, Row(*boxes), gap=0.2)
        is_high = self.aside.height > self.aside.width
        fit(self.aside, *((column, row) if is_high else (below, row)))
