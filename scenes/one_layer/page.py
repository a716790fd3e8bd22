"""Inputs and page layout that the stages about one step function share."""

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
"""Free space over and under a curve, relative to its height."""
_LARGE = 100.0
"""Upper end of a knob from which it writes four digits instead of three."""
_CHART = (3.0, 1.7)
"""Smallest chart, in units."""
_ASIDE, _MOST_ASIDE = Size(2.5, 1.9), 3.3
"""Least space beside or under the chart, and greatest width beside it, in units."""
BROAD, PALE = 9.0, 0.5
"""Stroke width, in pixels, and opacity of the target line."""
_MOST = 4
"""Largest number of jumps."""
_FIFTH = -1.0
"""Fifth level, if more are needed than the default wave has."""
EPSILONS, STEEPNESSES = (1e-3, 10.0), (1.0, 1e3)
"""Ranges of the knobs for epsilon and for the steepness, the same in all stages."""

Level = Annotated[float, Field(ge=-2, le=2)]
Jumps = Annotated[
    tuple[Level, ...],
    Field(min_length=1, max_length=_MOST),
    AfterValidator(lambda jumps: tuple(sorted(jumps))),
]
Ramp = Annotated[float, Field(ge=0.005, le=0.7)]
"""Width of a ramp."""


class StepInputs(StageInputs):
    """A step function: its levels and its jumps."""

    levels: Annotated[tuple[Level, ...], Field(min_length=2, max_length=_MOST + 1)] = Field(
        WAVE.levels,
        description="levels of the step function, from left to right; if left out, they are chosen "
        "to fit the jumps",
    )
    jumps: Jumps = Field(
        WAVE.jumps,
        description="positions of the jumps from each level to the next; if left out, they are "
        "chosen to fit the levels",
    )

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        """Add jumps to levels without them, and levels to jumps without them."""
        if not isinstance(given, dict):
            return given
        # JSON gives lists, which a strict model does not accept as tuples.
        given = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
        match given:
            case {"levels": [_, *more], **rest} if "jumps" not in rest and 1 <= len(more) <= _MOST:
                given["jumps"] = _jumps_for(len(more))
            case {"jumps": [_, *_] as jumps, **rest} if "levels" not in rest:
                given["levels"] = (*WAVE.levels, _FIFTH)[: min(len(jumps), _MOST) + 1]
        return given

    @property
    def steps(self) -> StepFunction:
        """The step function; raises ValueError if levels and jumps do not fit."""
        return step_function(self.levels, self.jumps)

    def relus(self, name: str) -> ReluWave:
        """ReLUs for the step function; the input with this name is the width of their ramps."""
        width, gap = float(getattr(self, name)), self.steps.least_gap
        if width >= gap:
            raise ValueError(
                f"{name} must be below {gap:g}, the least distance of two jumps, got {width:g}"
            )
        return relu_wave(self.steps, width)


def _jumps_for(count: int) -> tuple[float, ...]:
    """Positions of `count` jumps, evenly between the outer ones of the default wave."""
    first, last = WAVE.jumps[0], WAVE.jumps[-1]
    if count in (1, WAVE.n_jumps):
        return WAVE.jumps if count > 1 else ((first + last) / 2,)
    return tuple(np.linspace(first, last, count).tolist())


def shape(steps: StepFunction) -> str:
    """The name of a step function in sentences: wave or step."""
    return said("wave" if steps.n_jumps > 1 else "step")


SHAPE = Derived("name of the target: wave or step", lambda values: shape(values.steps))


def height_scale(low: float, high: float) -> Scale:
    """A scale with some space over and under a curve."""
    room = _ROOM * (high - low)
    return Scale(low - room, high + room, round_ticks(low, high, most=5), "g")


def step_chart(steps: StepFunction, least: tuple[float, float] = _CHART) -> Chart:
    """The chart for a step function and the lines of neurons."""
    left, right = steps.span
    low, high = min(0.0, *steps.levels), max(0.0, *steps.levels)
    across = Scale(left, right, round_ticks(left, right, most=5), "g", name="x")
    return Chart(across, height_scale(low, high), least=least)


def target_line(value: Value, chart: Chart, **options: float) -> CornerLine:
    """The target: a broad pale line under those of the neurons."""
    return CornerLine(value, chart, "residual", stroke=BROAD, opacity=PALE, **options)


def error_readout(value: Value) -> Readout:
    """A readout of the error: the area between the neurons' line and the target."""
    return Readout(value, ".3g", words=said("error: the red area"), color="wrong")


def first_knob(series: Value, sign: str, role: Role, ends: tuple[float, float]) -> Knob:
    """A knob set to the first value of a series."""
    spec = ",.4g" if ends[1] > _LARGE else ".3g"
    return Knob(series[0], *ends, spec=spec, prefix=f"{sign} = ", role=role)


def error_product(stage: Stage, sign: str, factor: str, size: float) -> Equation:
    """The error as a factor times the sum of all heights, written out if there is room."""
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
    """A chart with space beside or under it, in the same places in every stage."""

    def __init__(self, stage: Stage, steps: StepFunction) -> None:
        self.chart, aside = step_chart(steps), Room(_ASIDE)
        aside.most = Size(_MOST_ASIDE, np.inf) if stage.canvas.wide else Size(np.inf, np.inf)
        row = Row(self.chart, aside)
        column = Column(self.chart, aside, weights=(3, 1))
        fit(stage.canvas, wide_or_tall(row, column))
        self.aside: Region = aside.region

    def finish(self, *boxes: Box, over: Box | None = None) -> None:
        """Draw the chart's marks, and arrange boxes in the space beside it, `over` on top."""
        for mark in self.chart.marks:
            mark.redraw()
        first = [] if over is None else [over]
        row, column = Row(*first, *boxes), Column(*first, *boxes, gap=0.25)
        below = Column(*first, Row(*boxes), gap=0.2)
        is_high = self.aside.height > self.aside.width
        fit(self.aside, *((column, row) if is_high else (below, row)))
