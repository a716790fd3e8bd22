"""What the film `one_layer` draws, read off the picture and held against formulas of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from clockhead.scenes.one_layer.lines import CornerLine, ErrorArea
from clockhead.scenes.parts.curves import Trace
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.theme import theme
from tests.scenes import showing
from tests.scenes.showing import seen
from tests.scenes.truths_one_layer import (
    CURVES,
    relu_area,
    relus,
    sigmoid_area,
    summed,
    worst,
)

Points = NDArray[np.float64]
OTHER = {"levels": (0.5, -1.0, 1.0, 2.0), "jumps": (-1.0, 0.0, 1.5)}


def watch(name: str, look: Callable[[Any], Any], **inputs: Any) -> dict[str, list[Any]]:
    return showing.watch("one_layer", name, look, **inputs)


def inputs_of(name: str, **given: Any) -> Any:
    return find_stage(f"one_layer.{name}").Inputs(**given)


def drawn(scene: Any, path: Any) -> Points:
    """The corners of a path as it stands on the chart, (K, 2), read off its axes."""
    points = path.points
    corners = np.vstack([points[::4], points[-1:]])
    chart = scene.chart
    return np.column_stack([chart.x.read(corners[:, 0]), chart.y.read(corners[:, 1])])


def colored(scene: Any, role: str) -> list[Points]:
    """The lines of a colour that can be seen, as corners."""
    ink = theme().text_color(role).upper()  # type: ignore[arg-type]
    lines = [
        one for one in (*seen(scene, CornerLine), *seen(scene, Trace)) if one.chart is scene.chart
    ]
    return [
        drawn(scene, one.path)
        for one in lines
        if one.path.get_stroke_color().to_hex().upper() == ink and len(one.path.points)
    ]


def follows(line: Points, made: Callable[[float], float], within: float = 1e-6) -> bool:
    """Whether every corner lies on a function; no corner may stand at a jump of it."""
    return all(abs(y - made(x)) <= within for x, y in line.tolist())


@pytest.mark.parametrize("name", ["bend", "step", "wave", "sigmoid"])
@pytest.mark.parametrize("given", [{}, OTHER])
def test_what_is_to_be_drawn_stands_there_all_the_time(name: str, given: dict[str, Any]) -> None:
    inputs = inputs_of(name, **given)
    found = watch(name, lambda scene: colored(scene, "residual"), **given)
    x = [t for t in inputs.jumps for _ in (0, 1)]
    y = [h for h in inputs.levels for _ in (0, 1)][1:-1]
    for beat in list(found)[1:] if name == "bend" else found:
        (line,) = found[beat][-1]
        assert np.allclose(line[1:-1], np.column_stack([x, y])[:], atol=1e-6), beat


@pytest.mark.parametrize("given", [{}, OTHER])
def test_two_neurons_and_then_the_others(given: dict[str, Any]) -> None:
    inputs = inputs_of("wave", **given)
    neurons = relus(inputs, inputs.epsilon)

    def held(k: int, line: Points) -> bool:
        return follows(line, lambda x: summed(neurons[:k], inputs.levels[0], x), 1e-4)

    step = watch("step", lambda scene: colored(scene, "value"), **given)
    for beat, k in (("climb", 1), ("hold", 2)):
        line = step[beat][-1][0]
        off = abs(float(line[-1, 1]) - inputs.levels[1])
        assert (off < 1e-6) == (k == 2), beat
    held_by = step["hold"][-1]
    assert len(held_by) == 2
    assert np.allclose(held_by[1], step["climb"][-1][0], atol=1e-6)
    (line,) = step["end"][-1]
    assert held(2, line)
    wave = watch("wave", lambda scene: (colored(scene, "value"), scene.count.state), **given)
    states = wave["add up"][-len(neurons) + 2 :]
    for k, ((line,), count) in enumerate(states, start=3):
        assert count == k
        assert held(k, line), k
    (line,), _ = wave["gaps"][-1]
    corners = np.column_stack(
        [[t for t, _ in neurons], [h for h in inputs.levels for _ in (0, 1)][1:-1]]
    )
    assert np.allclose(line[1:-1], corners, atol=1e-6)


def red(scene: Any) -> float | None:
    """How large the red area is, in units of the chart."""
    gaps = seen(scene, ErrorArea)
    if not gaps:
        return None
    quads = gaps[0].path.points.reshape(-1, 16, 3)[:, ::4]
    x, y = scene.chart.x.read(quads[..., 0]), scene.chart.y.read(quads[..., 1])
    return float(
        np.abs((x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)).sum() / 2
    )


@pytest.mark.parametrize("given", [{}, OTHER])
def test_the_red_area_is_the_error_and_so_is_the_number(given: dict[str, Any]) -> None:
    def look(scene: Any) -> tuple[float | None, list[str], float | None]:
        knobs = [float(knob.state) for knob in seen(scene, Knob)]
        texts = [one.figure.number.text for one in seen(scene, Readout)]
        return red(scene), texts, knobs[0] if knobs else None

    inputs = inputs_of("wave", **given)
    found = watch("wave", look, **given)
    for beat, width in (("gaps", 0.1), ("narrow", 0.01)):
        size, texts, knob = found[beat][-1]
        assert knob == width
        assert np.isclose(size, relu_area(inputs, width), rtol=1e-4)
        assert any(showing.says(text, relu_area(inputs, width)) for text in texts)
    inputs = inputs_of("sigmoid", **given)
    found = watch("sigmoid", look, **given)
    for beat, k in (("rule", 20.0), ("steepen", inputs.steep)):
        size, texts, knob = found[beat][-1]
        assert knob == k
        assert np.isclose(size, sigmoid_area(inputs, k), rtol=0.01)
        assert any(showing.says(text, sigmoid_area(inputs, k)) for text in texts)


@pytest.mark.parametrize("curve", CURVES)
def test_errors_fall_in_the_plot_as_they_do(curve: str) -> None:
    inputs = inputs_of("any_function", curve=curve)

    def look(scene: Any) -> dict[str, list[tuple[float, float]]]:
        found = {}
        for role, dots in (("flat", scene.flat_dots), ("slanted", scene.slanted_dots)):
            disks = dots.path.points.reshape(len(dots.standing), -1, 3) if dots.standing else []
            middles = [(disk.min(axis=0) + disk.max(axis=0)) / 2 for disk in disks]
            x, y = scene.plot.x, scene.plot.y
            found[role] = [(float(x.read(m[0])), float(y.read(m[1]))) for m in middles]
        return found

    found = watch("any_function", look, curve=curve)["quarter"][-1]
    for role, slanted in (("flat", False), ("slanted", True)):
        assert [round(n) for n, _ in found[role]] == [4, 8, 16, 32, 64, 128, 256]
        for n, error in found[role]:
            assert np.isclose(error, worst(inputs, round(n), slanted), rtol=1e-4)
