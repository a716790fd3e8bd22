"""Every sentence of the film `one_layer` is so, for legal inputs of all kinds.

What is asserted is held against formulas written once more, on plain floats: nothing is asked of
`model` or a stage.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.legal import drawn_inputs
from tests.scenes.old_telling import (
    Check,
    FilmTruths,
    Inputs,
    legal,
    nothing_to_check,
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


# How things are written


def about(text: str, value: float, within: float = 0.0) -> bool:
    """Whether this is the value, as exactly as it is written, or by a share `within` of it."""
    plain = text.replace(",", "").replace("−", "-")
    found = re.fullmatch(r"-?\d+(?:\.(\d+))?(?:e(-?\d+))?", plain)
    if not found:
        return False
    step = 10.0 ** (int(found[2] or 0) - len(found[1] or ""))
    digits = plain.partition("e")[0].replace("-", "").replace(".", "").lstrip("0")
    if "." not in plain and "e" not in plain and len(digits) > 3:
        return False
    return abs(float(plain) - value) <= step / 2 * (1 + 1e-6) + within * abs(value)


def shape(inputs: Inputs) -> str:
    return "wave" if len(inputs.jumps) > 1 else "step"


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


_FREE = nothing_to_check("it says what neurons are, or asks")

TRUTHS: dict[str, dict[str, Check]] = {
    "one_layer.bend": {
        "A neuron is a line that bends": _FREE,
        "How many neurons draw this {shape}?": lambda i, s: s["shape"] == shape(i),
        "Stephen Wolfram trained networks to draw such steps. Let us set the weights by hand.": (
            nothing_to_check("it is what Wilhelm's chapter says")
        ),
        "A neuron multiplies x by a weight and adds a bias: a straight line.": _FREE,
        "Then ReLU makes 0 of all that is below 0, and the line has a bend.": _FREE,
        "Many such lines, added up, make just another straight line.": _FREE,
        "It bends where wx + b is 0, at x = −b/w; beyond that, its slope is w.": (
            nothing_to_check("it says what ReLU is; the weight of the first neuron is above 0")
        ),
        "A layer adds up many neurons, each times a weight, and keeps their bends.": _FREE,
    },
    "one_layer.step": {
        "Two neurons make one step": lambda i, s: draws_exactly(i, i.epsilon),
        "How can lines that bend make a jump?": _FREE,
        "With a large weight, a neuron is soon at the new level, but it does not stop there.": (
            lambda i, s: holds_level(i)
        ),
        "Can a second neuron hold it?": _FREE,
        "Yes: one that is as steep, times −1, and bends where the level is reached.": (
            lambda i, s: holds_level(i)
        ),
        "The two slopes cancel: a ramp, ε wide. As ε gets small, the weights get large.": (
            lambda i, s: math.isclose(
                abs(relus(i, i.epsilon)[0][1]) * i.epsilon, abs(heights(i)[0])
            )
        ),
        "Two neurons make one step, as steep as their weights are large.": _FREE,
    },
    "one_layer.wave": {
        "Two neurons for every jump": lambda i, s: draws_exactly(i, i.epsilon),
        "How many neurons make the whole {shape}?": lambda i, s: s["shape"] == shape(i),
        "For a single jump, these two: the sum bends once for each.": lambda i, s: (
            len(i.jumps) == 1
        ),
        "Add the next neurons, one by one. Each bends the sum once more.": lambda i, s: (
            len(i.jumps) > 1 and len({t for t, _ in relus(i, i.epsilon)}) == two_each(i)
        ),
        "Would {fewer} do?": lambda i, s: s["fewer"] == spelled(two_each(i) - 1),
        "No: a sum of ReLUs bends only where one of them does, and it needs {n} corners.": (
            lambda i, s: s["n"] == spelled(two_each(i)) and all(w for _, w in relus(i, i.epsilon))
        ),
        "Where it is level it is exact. On the ramps it is not: the error is {a}.": (
            lambda i, s: draws_exactly(i, i.epsilon) and about(s["a"], relu_area(i, i.epsilon))
        ),
        "It is ε/4 times all heights: with ε = {e}, it is {a}.": lambda i, s: (
            about(s["e"], i.narrow)
            and about(s["a"], relu_area(i, i.narrow))
            and math.isclose(
                relu_area(i, i.narrow), i.narrow / 4 * sum(map(abs, heights(i))), abs_tol=1e-9
            )
        ),
        "A ramp gets as narrow as one likes, but no sum of ReLUs jumps: none of them does.": (
            lambda i, s: draws_exactly(i, i.narrow) and relu_area(i, i.narrow) > 0
        ),
    },
    "one_layer.sigmoid": {
        "Neurons that bend smoothly": _FREE,
        "What if a neuron is a sigmoid?": _FREE,
        "A sigmoid goes from 0 to 1 by itself: one neuron makes a whole step.": _FREE,
        "It does alone what took two ReLUs; at the jump it is halfway.": lambda i, s: (
            len(i.jumps) == 1 and is_halfway(i)
        ),
        "{Few} of them do what took {many} ReLUs; at every jump the sum is halfway.": (
            lambda i, s: (
                len(i.jumps) > 1
                and s["Few"] == spelled(len(i.jumps)).capitalize()
                and s["many"] == spelled(two_each(i))
                and is_halfway(i)
            )
        ),
        "The error is {a}. What does it depend on?": lambda i, s: about(
            s["a"], sigmoid_area(i, gentle(i)), 2e-4
        ),
        "On the steepness k, and on all heights: it is 2 ln 2 / k times {h}.": lambda i, s: (
            about(s["h"], sum(map(abs, heights(i)))) and keeps_rule(i)
        ),
        "{n} times as steep, it is {m} times as small: {a}.": lambda i, s: (
            s["n"] == s["m"]
            and i.steep > gentle(i)
            and about(s["n"], i.steep / gentle(i))
            and about(s["a"], sigmoid_area(i, i.steep), 2e-4)
        ),
        "With k = {k}, less steep, it is larger again: {a}.": lambda i, s: (
            about(s["k"], i.steep, 1e-5)
            and sigmoid_area(i, i.steep) > sigmoid_area(i, gentle(i))
            and about(s["a"], sigmoid_area(i, i.steep), 2e-4)
        ),
        "It ends as steep as it began, and so the error stays {a}.": lambda i, s: (
            i.steep == gentle(i) and about(s["a"], sigmoid_area(i, i.steep), 2e-4)
        ),
        "Ten times as steep leaves a tenth of the error: less and less, but never none.": (
            lambda i, s: keeps_rule(i) and sigmoid_area(i, i.steep) > 0
        ),
    },
    "one_layer.any_function": {
        "Any curve, in enough pieces": _FREE,
        "What if the function does not jump?": _FREE,
        "Flat pieces are steps again, a sharp neuron for each jump. The largest error is red.": (
            _FREE
        ),
        "Twice as many pieces soon leave half the error, again and again: it falls like 1/n.": (
            lambda i, s: falls(i, False, 2)
        ),
        "And slanted pieces, which ReLUs draw?": _FREE,
        "They miss only how the curve bends; flat ones miss its slope as well.": lambda i, s: (
            worst(i, 4, True) < 0.5 * worst(i, 4, False)
        ),
        "Twice as many leave a quarter of the error, like 1/n²: their line is twice as steep.": (
            lambda i, s: falls(i, True, 4, first=0) and falls(i, False, 2)
        ),
        "Twice as many soon leave a quarter of the error, like 1/n²: their line is twice as "
        "steep.": lambda i, s: falls(i, True, 4) and falls(i, False, 2),
        "On a bounded stretch, enough neurons bring one layer as close as you like to any unbroken "
        "curve.": _FREE,
    },
    "one_layer.block": {
        "The same layer in a transformer": _FREE,
        "Where are such neurons at work?": _FREE,
        "In the MLP: each token's row goes through such a layer.": _FREE,
        "$W_1$ hands one number, x, to {n} neurons: each says how far x is past its bend.": (
            lambda i, s: s["n"] == spelled(two_each(i))
        ),
        "$W_2$ weighs and adds them: the {shape} at x is added to the row.": (
            lambda i, s: s["shape"] == shape(i)
        ),
        "The other row does the same, by itself.": lambda i, s: len(i.text.split()) == 2,
        "The other rows do the same, each by itself.": lambda i, s: len(i.text.split()) == 3,
        "“{old}” becomes “{new}”. Which other row changes?": lambda i, s: (
            s["old"] == i.text.split()[: i.place + 1][-1] != s["new"] == i.instead
        ),
        "None: only attention reaches other rows.": _FREE,
        "Enough bends come close to any unbroken curve. Which weights will training find?": _FREE,
    },
}

CLAIMS: dict[str, dict[str, Callable[[Inputs], bool]]] = {
    "one_layer.sigmoid": {
        "the error is 2 ln 2 / k times all heights, but for a hundredth": keeps_rule,
        "at every jump the sum is halfway, but for a fiftieth of the largest jump": is_halfway,
    },
}

FILM = FilmTruths("one_layer", TRUTHS, CLAIMS)

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


def drawn_for(name: str) -> st.SearchStrategy[StageInputs | None]:
    anything = drawn_inputs(find_stage(name))
    takes_steps = "levels" in find_stage(name).Inputs.model_fields
    return st.one_of(step_inputs(name), anything) if takes_steps else anything


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    examples, drawn = those_taken(name, EXAMPLES[name]), drawn_for(name)
    assert len(examples) == len(EXAMPLES[name])
    assert FILM.unmet(name, examples, drawn, 25) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_a_fact_that_is_another_is_noticed(name: str) -> None:
    assert FILM.unnoticed(name, those_taken(name, EXAMPLES[name][:2])) == []
