"""Every sentence of the film `transformer_block` is so, for legal inputs of all kinds.

What is asserted is held against the formulas of `truths_transformer_block`; a fact that is filled
in and then changed has to be noticed.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.old_telling import FilmTruths, legal, those_taken
from tests.scenes.truths_transformer_block import CLAIMS, PRINTED_ROWS, TRUTHS

Row = tuple[float, ...]

FILM = FilmTruths("transformer_block", TRUTHS, CLAIMS)

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
    *({"seed": seed} for seed in (72, 476)),
    *({"text": "a b a b", "seed": seed, "n_heads": n} for seed in (3, 4) for n in (1, 2, 3)),
    {"text": "attention is all you need", "seed": 0},
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
    return those_taken(name, EXAMPLES)


def blocks(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    return _given().map(lambda given: legal(find_stage(name).Inputs, given))


@st.composite
def _given(draw: Any) -> dict[str, Any]:
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


SHIPPED: dict[str, dict[str, float]] = {
    "patterns": {"most_there": 0.49202, "least_there": 0.45103},
    "mlp": {"kept": 3},
    "stack": {"n_in_layer": 240},
    "readout": {"next_word.greedy_share": 0.41940, "normed_word.greedy_share": 0.30097},
    "lens": {"first_share": 0.07520, "predicted_share": 0.41940},
}
"""What comes out for the inputs of the storyboard, which takes other texts too."""


@pytest.mark.parametrize("name", SHIPPED)
def test_what_the_primer_example_comes_to(name: str) -> None:
    stage = find_stage(f"transformer_block.{name}")
    inputs = stage.Inputs(text="the cat sat")
    facts = stage.facts_of(inputs, stage.compute(inputs))
    found = {fact: float(facts[fact]) for fact in SHIPPED[name]}
    assert found == pytest.approx(SHIPPED[name], abs=5e-5)


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    assert FILM.unmet(name, examples(name), blocks(name)) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_a_fact_that_is_altered_is_noticed(name: str) -> None:
    assert FILM.unnoticed(name, examples(name)) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_few_of_the_inputs_are_refused_by_a_claim(name: str) -> None:
    told = [bool(FILM.lines(name, inputs)) for inputs in examples(name)]
    assert sum(told) > 0.7 * len(told)
