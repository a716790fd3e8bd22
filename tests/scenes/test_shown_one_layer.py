"""What the film `one_layer` draws, read off the picture and held against formulas of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from clockhead.scenes.one_layer.block import Wires
from clockhead.scenes.one_layer.lines import CornerLine, ErrorArea
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.theme import theme
from tests.scenes import showing
from tests.scenes.showing import seen
from tests.scenes.truths_one_layer import (
    CURVES,
    area,
    level,
    relu_area,
    relus,
    sigmoid_area,
    sigmoids,
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


def test_a_neuron_is_a_line_and_then_relu_of_it() -> None:
    def look(scene: Any) -> tuple[list[Points], float, float]:
        return colored(scene, "value"), float(scene.weight.state), float(scene.bias.state)

    found = watch("bend", look)
    for beat, bent in (("line", False), ("relu", True), ("turn", True)):
        (line,), w, b = found[beat][-1]
        assert follows(line, lambda x, w=w, b=b, k=bent: max(w * x + b, 0.0 if k else -9.0)), beat  # type: ignore[misc]
    assert len({round(float(state[0][0][1, 0]), 3) for state in found["turn"]}) >= 2


def test_the_sum_is_that_of_the_three_lines_that_are_seen() -> None:
    """Where one of them leaves the chart, it is cut off: it goes on as at its last corners."""
    found = watch("bend", lambda scene: (colored(scene, "value"), colored(scene, "attention")))
    for beat, n_bends in (("straight", 0), ("end", 3)):
        lines, (total,) = next(
            (lines, total) for lines, total in reversed(found[beat]) if total and len(lines) == 3
        )
        x = total[:, 0]
        y = sum(_beyond(line, x) for line in lines)
        assert np.allclose(y, total[:, 1], atol=1e-6)
        slopes = np.diff(total[:, 1]) / np.diff(x)
        assert (np.abs(np.diff(slopes)) > 1e-3).sum() == n_bends


def _beyond(line: Points, x: Points) -> Points:
    """A line at points x, with its outer pieces as long as it takes."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (*line[:2], *line[-2:])
    ends = [[x0 - 9, y0 - 9 * (y1 - y0) / (x1 - x0)], [x3 + 9, y3 + 9 * (y3 - y2) / (x3 - x2)]]
    return np.asarray(np.interp(x, *np.vstack([ends[0], line, ends[1]]).T))


def in_chart(scene: Any, y: float) -> bool:
    scaling = scene.chart.y.scaling
    return bool(scaling.low < y < scaling.high)


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


def test_there_is_a_dot_at_every_corner_and_a_ring_around_it() -> None:
    neurons = relus(inputs_of("wave"), 0.1)

    def look(scene: Any) -> list[Points]:
        found = []
        for dots in seen(scene, Dots):
            disks = dots.path.points.reshape(len(dots.standing), -1, 3)
            x, y, _ = ((disks.min(axis=1) + disks.max(axis=1)) / 2).T
            found.append(np.column_stack([scene.chart.x.read(x), scene.chart.y.read(y)]))
        return found

    found = watch("wave", look)["enough"][-1]
    assert len(found) == 2
    for places in found:
        assert np.allclose(places[:, 0], [t for t, _ in neurons], atol=1e-6)
        assert np.allclose(places[:, 1], [0, 1, 1, -0.5, -0.5, 0.5], atol=1e-6)


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


def test_the_red_area_is_between_the_line_and_the_steps() -> None:
    inputs = inputs_of("sigmoid")

    def look(scene: Any) -> Points:
        quads = (
            seen(scene, ErrorArea)[0].path.points.reshape(-1, 16, 3)[:, ::4] if red(scene) else []
        )
        return np.array(
            [[float(scene.chart.x.read(p[0])), float(scene.chart.y.read(p[1]))]
             for quad in quads for p in (quad[0], quad[1], quad[2], quad[3])]
        ).reshape(-1, 4, 2)  # fmt: skip

    for left, right, over_right, over_left in watch("sigmoid", look)["rule"][-1]:
        middle = level(inputs, (left[0] + right[0]) / 2)
        assert np.allclose([left[1], right[1]], middle, atol=1e-6)
        for x, y in (over_left, over_right):
            assert abs(y - sigmoids(inputs, 20.0, float(x))) < 1e-6


def test_sigmoids_are_sigmoids_and_halfway_at_jumps() -> None:
    inputs = inputs_of("sigmoid")
    found = watch("sigmoid", lambda scene: colored(scene, "position"))
    (line,) = found["smooth"][-1]
    assert follows(line, lambda x: 1 / (1 + math.exp(-20 * (x + 0.5))), 1e-6)
    for beat, k in (("half as many", 20.0), ("steepen", 1000.0)):
        (line,) = found[beat][-1]
        assert follows(line, lambda x, k=k: sigmoids(inputs, k, x), 1e-6)  # type: ignore[misc]
    assert area(inputs, lambda x: sigmoids(inputs, 20.0, x), [x for x, _ in line.tolist()]) > 0.24


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


def test_pieces_and_the_curve_under_them() -> None:
    f = CURVES["fading wave"]

    def look(scene: Any) -> dict[str, Any]:
        roles = ("residual", "position", "value", "wrong")
        return {role: colored(scene, role) for role in roles}

    found = watch("any_function", look)
    for beat, role in (("stairs", "position"), ("slant", "value")):
        (target,), (pieces,) = found[beat][-1]["residual"], found[beat][-1][role]
        assert follows(target, f)
        inner = [x for x in np.linspace(0.01, 0.99, 50).tolist() if min(x % 0.25, -x % 0.25) > 0.02]
        for x in inner:
            n = int(4 * x)
            a, b = f(n / 4), f((n + 1) / 4)
            true = f((n + 0.5) / 4) if role == "position" else a + (b - a) * (4 * x - n)
            assert abs(float(np.interp(x, *pieces.T)) - true) < 1e-6
        (red_line,) = found[beat][-1]["wrong"]
        size = float(np.ptp(red_line[:, 1]))
        assert np.isclose(size, worst(inputs_of("any_function"), 4, role == "value"), rtol=1e-3)


def test_rows_wires_and_dots_belong_to_the_words_under_them() -> None:
    inputs = inputs_of("block")
    neurons = relus(inputs, inputs.epsilon)

    def look(scene: Any) -> list[tuple[str, Any, Any, Any, Any]]:
        tiles = scene.renamed if scene.renamed in scene.mobjects else scene.tiles
        found = []
        for lane, rider in zip(scene.lanes, scene.riders, strict=True):
            x = lane.row.lattice.region.center[0]
            word = min(tiles.tiles, key=lambda tile: abs(tile.middle[0] - x)).label.text
            disk = rider.path.points if rider in scene.mobjects else np.full((1, 3), np.nan)
            at = (disk.min(axis=0) + disk.max(axis=0)) / 2
            point = float(scene.chart.x.read(at[0])), float(scene.chart.y.read(at[1]))
            tables = lane.row.table[0], lane.neurons.table[0], lane.out.table[0]
            found.append((word, *tables, point))
        return found

    found = watch("block", look)
    for beat, words in (("others", ["the", "cat", "sat"]), ("exchange", ["the", "dog", "sat"])):
        lanes = found[beat][-1]
        assert [word for word, *_ in lanes] == words
        assert len({lane[1][1] for lane in lanes}) == 3
        for _, row, acts, out, point in lanes:
            x = float(row[1])
            assert np.allclose(acts, [max(x - t, 0.0) for t, _ in neurons], atol=1e-9)
            made = summed(neurons, inputs.levels[0], x)
            assert np.allclose(out - row, [0, 0, made, 0], atol=1e-9)
            assert np.allclose(point, (x, made), atol=1e-6)
    before, after = found["others"][-1], found["exchange"][-1]
    for m in (0, 2):
        assert np.allclose(before[m][3], after[m][3], atol=1e-9)
    assert not np.allclose(before[1][3], after[1][3])


def test_what_is_read_and_what_is_written_are_framed() -> None:
    found = watch("block", lambda scene: [showing.framed(scene, m) for m in (
        scene.lanes[1].row, scene.lanes[1].out)])  # fmt: skip
    assert found["hero"][-1] == [{(0, 1)}, set()]
    assert found["adds"][-1] == [{(0, 1)}, {(0, 2)}]


def test_only_the_row_that_goes_has_wires() -> None:
    inputs = inputs_of("block")
    weights = [w for _, w in relus(inputs, inputs.epsilon)]

    def look(scene: Any) -> list[tuple[int, Any]]:
        found = []
        for wires in seen(scene, Wires):
            x = wires.get_center()[0]
            middles = [lane.row.lattice.region.center[0] for lane in scene.lanes]
            found.append((int(np.abs(np.array(middles) - x).argmin()), wires.shown.array))
        return found

    found = watch("block", look)
    for beat in ("hero", "adds", "others", "exchange"):
        assert all(len({m for m, _ in wires}) <= 1 for wires in found[beat]), beat
    assert [m for wires in found["others"] for m, _ in wires[:1]]
    assert {m for m, _ in found["end"][-1]} == {0, 1, 2}
    (_, w_1), (_, w_2) = found["adds"][-1]
    assert np.array_equal(np.nonzero(w_1), [[1] * 6, range(6)])
    assert np.allclose(w_2[:, 2], weights)
