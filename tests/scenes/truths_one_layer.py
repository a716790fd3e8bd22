"""The truths of the film `one_layer`, on plain floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.legal import drawn_inputs
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    legal,
    spelled,
    those_taken,
)

# The formulas of the film, written once more


def heights(inputs: Inputs) -> list[float]:
    return [after - before for before, after in pairwise(inputs.levels)]


def level(inputs: Inputs, x: float) -> float:
    """The step function."""
    return float(inputs.levels[sum(x >= t for t in inputs.jumps)])


def relus(inputs: Inputs, width: float) -> list[tuple[float, float]]:
    """Where neurons bend, and what each is multiplied by."""
    two = [(t, h / width) for t, h in zip(inputs.jumps, heights(inputs), strict=True)]
    return [pair for t, w in two for pair in ((t - width / 2, w), (t + width / 2, -w))]


def summed(neurons: Sequence[tuple[float, float]], bias: float, x: float) -> float:
    return bias + sum(w * max(x - t, 0.0) for t, w in neurons)


def seen(inputs: Inputs) -> tuple[float, float]:
    first, last = inputs.jumps[0], inputs.jumps[-1]
    free = (last - first) / 2 or 1.0
    return first - free, last + free


def area(inputs: Inputs, made: Callable[[float], float], corners: Sequence[float]) -> float:
    """Between a sum that is straight between corners and the step function, by trapezoids."""
    left, right = seen(inputs)
    x = sorted({left, right, *inputs.jumps, *corners})
    total = 0.0
    for a, b in pairwise(x):
        at = level(inputs, (a + b) / 2)
        total += (abs(made(a) - at) + abs(made(b) - at)) / 2 * (b - a)
    return total


def relu_area(inputs: Inputs, width: float) -> float:
    neurons = relus(inputs, width)
    bends = [t for t, _ in neurons]
    return area(inputs, lambda x: summed(neurons, inputs.levels[0], x), bends)


def sigmoids(inputs: Inputs, k: float, x: float) -> float:
    def sigma(z: float) -> float:
        return 1 / (1 + math.exp(-z)) if z > -700 else 0.0

    pairs = zip(inputs.jumps, heights(inputs), strict=True)
    return float(inputs.levels[0] + sum(h * sigma(k * (x - t)) for t, h in pairs))


def sigmoid_area(inputs: Inputs, k: float) -> float:
    left, right = seen(inputs)
    near = [s * u / k for u in np.linspace(0.02, 16, 500).tolist() for s in (-1, 1)]
    corners = [t + u for t in inputs.jumps for u in near if left < t + u < right]
    return area(inputs, lambda x: sigmoids(inputs, k, x), corners)


def rule(inputs: Inputs, k: float) -> float:
    return 2 * math.log(2) / k * sum(abs(h) for h in heights(inputs))


def keeps_rule(inputs: Inputs) -> bool:
    """Whether measured areas are those of the rule; not near the edge of what is claimed."""
    ends = (gentle(inputs), inputs.steep)
    return all(abs(sigmoid_area(inputs, k) / rule(inputs, k) - 1) <= 0.01 for k in ends)


def gentle(inputs: Inputs) -> float:
    """How steep sigmoids are at first: as it is said, or from 20 on what the claims take."""
    k = inputs.steepness or 20.0
    while not inputs.steepness and k < 1000:
        same = inputs.model_copy(update={"steepness": k})
        if keeps_rule(same) and is_halfway(same):
            break
        k = min(1.5 * k, 1000.0)
    return float(k)


def is_halfway(inputs: Inputs) -> bool:
    largest = max(abs(h) for h in heights(inputs))
    means = [(a + b) / 2 for a, b in pairwise(inputs.levels)]
    off = [
        abs(sigmoids(inputs, gentle(inputs), t) - mean)
        for t, mean in zip(inputs.jumps, means, strict=True)
    ]
    return max(off) <= 0.02 * largest


CURVES: dict[str, Callable[[float], float]] = {
    "fading wave": lambda x: math.sin(2 * math.pi * x) * math.exp(-x),
    "bell": lambda x: math.exp(-((x - 0.5) ** 2) / (2 * 0.15**2)),
    "arch": lambda x: 1 - (2 * x - 1) ** 2,
    "ramp-up": lambda x: 1 / (1 + math.exp(-12 * (x - 0.5))),
}


def worst(inputs: Inputs, n: int, slanted: bool) -> float:
    """The largest error of n pieces."""
    f, found = CURVES[inputs.curve], 0.0
    for i in range(n):
        a, b, mid = f(i / n), f((i + 1) / n), f((i + 0.5) / n)
        for j in range(65):
            s = j / 64
            piece = a + s * (b - a) if slanted else mid
            found = max(found, abs(f((i + s) / n) - piece))
    return found


def falls(inputs: Inputs, slanted: bool, by: float, first: int = 2) -> bool:
    """Whether twice as many pieces divide the error so, from 4 of them doubled `first` times on."""
    errors = [worst(inputs, 4 * 2**k, slanted) for k in range(first, inputs.n_doublings + 1)]
    ratios = [one / other for one, other in pairwise(errors)]
    return all(abs(r / by - 1) < 0.25 for r in ratios) and abs(ratios[-1] / by - 1) < 0.04


def two_each(inputs: Inputs) -> int:
    return 2 * len(inputs.jumps)


def draws_exactly(inputs: Inputs, width: float) -> bool:
    """Whether 2 n neurons are on the level wherever there is no ramp."""
    neurons, (left, right) = relus(inputs, width), seen(inputs)
    away = [
        x
        for x in np.linspace(left, right, 97).tolist()
        if min(abs(x - t) for t in inputs.jumps) > width / 2 + 1e-9
    ]
    scale = max(abs(w) for _, w in neurons)
    return all(
        abs(summed(neurons, inputs.levels[0], x) - level(inputs, x)) < 1e-11 * (1 + scale)
        for x in away
    )


def holds_level(inputs: Inputs) -> bool:
    """Whether the second neuron stops the first at the second level, which alone goes on."""
    one, two = relus(inputs, inputs.epsilon)[:2]
    first, second = inputs.levels[:2]
    stops = all(
        math.isclose(summed([one, two], first, two[0] + u), second, abs_tol=1e-9) for u in (0, 1)
    )
    goes_on = abs(summed([one], first, two[0] + 1) - first) > abs(second - first)
    return stops and goes_on and math.isclose(one[1], -two[1])


def ramps_keep_height(inputs: Inputs) -> bool:
    """Whether the weight of the first neuron, times the width of its ramp, is the jump."""
    return math.isclose(
        abs(relus(inputs, inputs.epsilon)[0][1]) * inputs.epsilon, abs(heights(inputs)[0])
    )


def area_is_of_all_heights(inputs: Inputs) -> bool:
    due = inputs.narrow / 4 * sum(map(abs, heights(inputs)))
    return math.isclose(relu_area(inputs, inputs.narrow), due, abs_tol=1e-9)


def falls_evenly(inputs: Inputs) -> bool:
    """Whether the error of slanted pieces falls by about as many halvings from the first on."""
    errors = [worst(inputs, 4 * 2**k, True) for k in range(inputs.n_doublings + 1)]
    halvings = [math.log2(one / other) for one, other in pairwise(errors)]
    return max(halvings) - min(halvings) < 0.2


def nearly(value: float) -> Callable[[float], bool]:
    """Whether a measured area is this, but for what a sum over corners leaves out."""
    return lambda found: math.isclose(found, value, rel_tol=3e-4, abs_tol=1e-9)


FACTS = {
    "shape": lambda i: "wave" if len(i.jumps) > 1 else "step",
    "many": lambda i: spelled(two_each(i)),
    "fewer": lambda i: spelled(two_each(i) - 1),
    "wide.error": lambda i: relu_area(i, i.epsilon),
    "narrow.epsilon": lambda i: i.narrow,
    "narrow.error": lambda i: relu_area(i, i.narrow),
    "Few": lambda i: spelled(len(i.jumps)).capitalize(),
    "gentle.error": lambda i: nearly(sigmoid_area(i, gentle(i))),
    "steps.total_height": lambda i: sum(map(abs, heights(i))),
    "ratio": lambda i: i.steep / gentle(i),
    "steep.steepness": lambda i: i.steep,
    "steep.error": lambda i: nearly(sigmoid_area(i, i.steep)),
    "old": lambda i: i.text.split()[: i.place + 1][-1],
    "word": lambda i: i.instead,
}
STAGES = {
    "bend": Truths(),
    "step": Truths(
        claims={
            "title": lambda i: draws_exactly(i, i.epsilon),
            "climb": holds_level,
            "hold": holds_level,
            "narrow": ramps_keep_height,
        },
    ),
    "wave": Truths(
        choices={"add_up": lambda i: len(i.jumps) > 1},
        claims={
            "title": lambda i: draws_exactly(i, i.epsilon),
            "add_up": lambda i: len({t for t, _ in relus(i, i.epsilon)}) == two_each(i),
            "enough": lambda i: all(w for _, w in relus(i, i.epsilon)),
            "gaps": lambda i: draws_exactly(i, i.epsilon),
            "narrow": area_is_of_all_heights,
            "caption": lambda i: draws_exactly(i, i.narrow) and relu_area(i, i.narrow) > 0,
        },
    ),
    "sigmoid": Truths(
        choices={
            "half_as_many": lambda i: len(i.jumps) > 1,
            "steepen": lambda i: 0 if i.steep > gentle(i) else 1 if i.steep < gentle(i) else 2,
        },
        claims={
            "half_as_many": is_halfway,
            "rule": keeps_rule,
            "caption": lambda i: keeps_rule(i) and sigmoid_area(i, i.steep) > 0,
        },
        needs={0: keeps_rule, 1: is_halfway},
    ),
    "any_function": Truths(
        choices={"quarter": falls_evenly},
        claims={
            "halve": lambda i: falls(i, False, 2),
            "slant": lambda i: worst(i, 4, True) < 0.5 * worst(i, 4, False),
            "quarter": lambda i: falls(i, True, 4),
        },
    ),
    "block": Truths(
        choices={"others": lambda i: len(i.text.split()) > 2},
        claims={"exchange": lambda i: i.text.split()[: i.place + 1][-1] != i.instead},
    ),
}

_STEPS: list[dict[str, Any]] = [
    {},
    {"levels": (0.0, 1.0), "jumps": (0.0,)},
    {"levels": (1.0, -1.0), "jumps": (2.0,)},
    {"levels": (2.0, -2.0, 2.0, -2.0, 2.0), "jumps": (-2.0, -1.0, 0.0, 1.0)},
    {"levels": (1.0, 1.5, 2.0), "jumps": (0.5, 0.75)},
    {"levels": (-1.0, -1.1, -2.0), "jumps": (-2.0, 2.0)},
]
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "one_layer.bend": _STEPS,
    "one_layer.step": [
        *_STEPS,
        {"epsilon": 0.7},
        {"epsilon": 0.005},
        _STEPS[1] | {"epsilon": 0.65},
    ],
    "one_layer.wave": [*_STEPS, {"epsilon": 0.2, "narrow": 0.6}, {"narrow": 0.005}],
    "one_layer.sigmoid": [
        *_STEPS,
        {"steepness": 8.0, "steep": 12.5},
        {"steepness": 1000.0},
        {"steepness": 30.0, "steep": 12.5},
        {"steepness": 8.0, "levels": (0.0, 1.0, 2.0), "jumps": (0.0, 0.2)},
        {"levels": (0.0, 1.0, 2.0), "jumps": (0.0, 0.2)},
        {"steepness": 700.0, "steep": 1000.0, "narrow": 0.2},
    ],
    "one_layer.any_function": [
        {"curve": name, "n_doublings": n} for name in CURVES for n in (4, 8)
    ],
    "one_layer.block": [
        *_STEPS,
        {"text": "a b", "place": 0, "instead": "b"},
        {"text": "a b", "place": 2, "instead": "a"},
        {"text": "the the the", "place": 2, "instead": "cat"},
        {"text": "to be or", "place": 0, "instead": "not", "epsilon": 0.7},
    ],
}


@st.composite
def step_inputs(draw: st.DrawFn, name: str) -> StageInputs | None:
    """A step function on a grid of quarters, and widths and steepnesses that suit it."""
    jumps = sorted(draw(st.sets(st.integers(-8, 8), min_size=1, max_size=4)))
    level, moves = draw(st.integers(-8, 8)), st.integers(1, 16)
    levels = [level]
    for _ in jumps:
        levels.append((levels[-1] + 8 + draw(moves)) % 17 - 8)
    gap = min([4, *(b - a for a, b in pairwise(jumps))]) / 4
    epsilon = draw(st.sampled_from([0.05, 0.3, 0.8])) * gap
    k = draw(st.sampled_from([8.0, 12.5, 60.0]))
    given = {
        "levels": tuple(level / 4 for level in levels),
        "jumps": tuple(jump / 4 for jump in jumps),
        "epsilon": epsilon,
        "narrow": max(0.005, draw(st.sampled_from([0.2, 0.9, 1.2])) * epsilon),
        "steepness": k,
        "steep": draw(st.sampled_from([0.8, 1.0, 1.5, 10.0])) * k,
    }
    kind = find_stage(name).Inputs
    return legal(kind, {key: one for key, one in given.items() if key in kind.model_fields})


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    anything = drawn_inputs(find_stage(name))
    takes_steps = "levels" in find_stage(name).Inputs.model_fields
    return st.one_of(step_inputs(name), anything) if takes_steps else anything


FILM = FilmTruths(
    "one_layer",
    lambda inputs: inputs,
    FACTS,
    STAGES,
    lambda name: those_taken(name, EXAMPLES[name]),
    drawn,
    lambda _: 25,
)
