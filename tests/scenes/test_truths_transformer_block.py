"""Every sentence of the film `transformer_block` is so, for legal inputs of all kinds.

What is asserted is held against the formulas of `truths_transformer_block`; a fact that is filled
in and then changed has to be noticed.
"""

from __future__ import annotations

import re
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from pydantic import ValidationError

from scenes.stage import StageInputs, find_stage, stage_names
from tests.scenes.truths_induction import matched, untrue
from tests.scenes.truths_transformer_block import CLAIMS, PRINTED_ROWS, TRUTHS, work

Row = tuple[float, ...]

_OWN: tuple[Row, ...] = tuple(map(tuple, PRINTED_ROWS))
_ZEROS: tuple[Row, ...] = ((0.0,) * 6,) * 3
_LOUD: tuple[Row, ...] = ((9.99, -9.99) * 3, (-9.99,) * 6, (9.99,) * 6)
_QUIET: tuple[Row, ...] = ((0.01, 0.0, 0.0, 0.0, 0.0, 0.0),) * 2 + ((0.0, 0.01) * 3,)

EXAMPLES: list[dict[str, Any]] = [
    {},
    *({"n_heads": n} for n in (1, 3)),
    {"text": "dog sat dog"},
    {"text": "sat sat sat", "n_heads": 3},
    {"resid_pre": _OWN},
    {"resid_pre": _OWN, "seed": 7},
    {"resid_pre": _OWN, "seed": 8},
    {"resid_pre": _OWN[::-1]},
    {"text": "the cat sat the", "resid_pre": (*_OWN, _OWN[0])},
    *({"seed": seed, "n_heads": 1 + seed % 3, "d_ff": 4 + seed % 5} for seed in range(30)),
    *({"text": "a b a b", "seed": seed, "n_heads": n} for seed in (3, 4) for n in (1, 2, 3)),
    {"text": "abcdefgh bcdefghi cdefghij defghijk", "seed": 2**32 - 1},
    *({"resid_pre": rows, "n_heads": n} for rows in (_ZEROS, _LOUD, _QUIET) for n in (1, 2, 3)),
    *({"resid_pre": (row,) * 3} for row in (_OWN[0], _LOUD[0], (1.0,) * 6)),
    {"resid_pre": (*_OWN[:2], (0.0,) * 6)},
    {"resid_pre": ((0.0,) * 6, *_OWN[1:]), "seed": 5, "d_ff": 4},
    *({"resid_pre": _LOUD, "seed": seed, "d_ff": 4} for seed in range(4)),
    *({"resid_pre": _QUIET, "seed": seed, "d_ff": 4} for seed in range(12)),
]
"""Repeats, equal rows, nothing but 0, numbers that are large and small, one to three heads."""


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    kind = find_stage(name).Inputs
    return [inputs for one in EXAMPLES if (inputs := _legal(kind, one))]


@st.composite
def blocks(draw: Any) -> dict[str, Any]:
    """A text of three or four words, and perhaps rows, a seed and sizes."""
    pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcd"), ["longword", "a", "b"]]))
    words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=4))
    given: dict[str, Any] = {"text": " ".join(words), "n_heads": draw(st.integers(1, 3))}
    seed = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1)))
    if seed is not None:
        given |= {"seed": seed, "d_ff": draw(st.integers(4, 8))}
    if draw(st.booleans()) or (seed is None and len(words) == 4):
        given["resid_pre"] = tuple(draw(_rows(len(words))))
    return given


def _rows(n: int) -> st.SearchStrategy[list[Row]]:
    """Rows that may be equal, of numbers of several kinds."""
    kinds = [
        st.integers(-999, 999).map(lambda k: k / 100),
        st.integers(-100, 100).map(lambda k: k / 100),
        st.integers(-2, 2).map(float),
        st.floats(-9.99, 9.99).map(lambda x: round(x, 7)),
    ]
    row = st.sampled_from(kinds).flatmap(
        lambda kind: st.lists(kind, min_size=6, max_size=6).map(tuple)
    )
    return st.one_of(row.map(lambda one: [one] * n), st.lists(row, min_size=n, max_size=n))


def _legal(kind: type[StageInputs], given: dict[str, Any]) -> StageInputs | None:
    try:
        return kind(**given)
    except ValidationError:
        return None


def lines(name: str, inputs: StageInputs) -> list[str]:
    """All that is said and written, nothing if a claim does not hold: those are so as well."""
    stage = find_stage(name)
    values = stage.compute(inputs)
    block, holds = work(inputs), [one.holds for one in stage.findings(inputs, values)]
    assert holds == [claim(block) for claim in CLAIMS.get(name, [])], inputs
    if not all(holds):
        return []
    shot = stage.shot(inputs, values)
    return [shot.title, shot.question, *shot.notes, shot.caption]


def examine(name: str, inputs: StageInputs) -> set[str]:
    """The patterns that were met. All that is told is so."""
    found = list(untrue(TRUTHS[name], inputs, lines(name, inputs)))
    wrong = [f"{sentence!r}: {why}" for _, sentence, why in found if why]
    assert not wrong, f"{name} {inputs!r}:\n" + "\n".join(wrong)
    return {template for template, *_ in found}


def altered(fact: str) -> list[str]:
    """Other facts in its place: a digit more or less, or another word."""
    if digits := list(re.finditer(r"\d", fact)):
        at = digits[-1].start()
        return [fact[:at] + str((int(fact[at]) + step) % 10) + fact[at + 1 :] for step in (1, 9)]
    return [f"{fact[:-1]}x{fact[-1]}"]


def unnoticed(name: str, inputs: StageInputs) -> list[str]:
    """The facts that could be others in the sentences for these inputs."""
    passed = []
    for sentence in lines(name, inputs):
        template, said = matched(TRUTHS[name], sentence)
        for field, fact in (said or {}).items():
            for other in altered(fact):
                changed = (said or {}) | {field: other}
                if TRUTHS[name][template](inputs, changed):
                    passed.append(f"{sentence!r}: {field} = {other!r}")
    return passed


def test_every_stage_of_the_film_has_its_truths() -> None:
    stages = {name for name in stage_names() if name.startswith("transformer_block.")}
    assert stages == set(TRUTHS)


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    met: set[str] = set()

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @hypothesis.given(blocks())
    def hold(given: dict[str, Any]) -> None:
        inputs = _legal(find_stage(name).Inputs, given)
        assert inputs is not None
        met.update(examine(name, inputs))

    for inputs in examples(name):
        met.update(examine(name, inputs))
    hold()
    assert sorted(TRUTHS[name].keys() - met) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_a_fact_that_is_altered_is_noticed(name: str) -> None:
    assert [one for inputs in examples(name) for one in unnoticed(name, inputs)] == []


@pytest.mark.parametrize("name", TRUTHS)
def test_few_of_the_inputs_are_refused_by_a_claim(name: str) -> None:
    told = [bool(lines(name, inputs)) for inputs in examples(name)]
    assert sum(told) > 0.7 * len(told)
