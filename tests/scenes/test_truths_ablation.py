"""Every sentence of the film `ablation` is so, for legal inputs of all kinds.

What is asserted is held against the formulas of `truths_ablation`; a fact that is filled in and
then changed has to be noticed.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.old_telling import FilmTruths, legal, those_taken
from tests.scenes.truths_ablation import CLAIMS, PICKED_TEXT, PRINTED_ROWS, TRUTHS

Row = tuple[float, ...]

FILM = FilmTruths("ablation", TRUTHS, CLAIMS)
ISOLATION, LOOKS = "ablation.isolation", "ablation.looks"

_OWN: tuple[Row, ...] = tuple(map(tuple, PRINTED_ROWS))
_NONE: Row = (0.0,) * 6
_LOUD: tuple[Row, ...] = ((9.99, -9.99) * 3, (-9.99,) * 6, (9.99,) * 6)
_FAINT: tuple[Row, ...] = (
    _NONE,
    (0.0, 9.0, -9.0, -9.0, -9.0, 9.0),
    (-9.0, -9.0, 0.0, -9.0, 9.0, 0.0),
)

_ANY: list[dict[str, Any]] = [
    {},
    {"n_heads": 3},
    {"text": "dog sat dog"},
    *({"seed": seed, "n_heads": 2 + seed % 2} for seed in range(4)),
    {"text": "a b a b a", "seed": 2**32 - 1, "n_heads": 3},
    {"text": "the dog sat the", "resid_pre": (*_OWN, _OWN[0])},
    *({"resid_pre": _LOUD, "seed": seed} for seed in (0, 1, 3, 6, 13)),
    *({"resid_pre": _LOUD[::-1], "seed": seed} for seed in (0, 3)),
    {"resid_pre": (*_OWN[:2], _NONE)},
    {"resid_pre": (_NONE,) * 3},
]
_EXCHANGED: list[dict[str, Any]] = [
    *({"place": place} for place in range(4)),
    {"text": "dog sat dog", "place": 2, "word": "dog"},
    {"text": "dog sat dog", "place": 2, "word": "the"},
    *(
        {"text": "a b a b a", "seed": 5, "n_heads": 2 + place % 2, "place": place, "word": "zebra"}
        for place in range(5)
    ),
    {"resid_pre": _LOUD, "seed": 25},
    {"resid_pre": _LOUD, "seed": 3, "place": 0},
]
_LOOKED_AT: list[dict[str, Any]] = [
    {},
    {"resid_pre": _FAINT, "text": "a a b", "seed": None},
    *({"n_heads": n, "seed": seed} for n in (2, 3) for seed in (0, 1)),
    *({"text": text, "n_heads": 2, "seed": s} for text in ("a a b", "a a a") for s in range(3)),
    {"text": "a a b", "n_heads": 2, "seed": 33},
]
EXAMPLES = {
    "ablation.silence": _ANY,
    "ablation.one_by_one": _ANY,
    ISOLATION: _EXCHANGED,
    LOOKS: _LOOKED_AT,
}
"""Repeats, nothing but 0, numbers that are so large that nearly all attention is at one place."""


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    return those_taken(name, EXAMPLES[name])


def texts_with_heads(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    return _given(name).map(lambda given: legal(find_stage(name).Inputs, given))


@st.composite
def _given(draw: Any, name: str) -> dict[str, Any]:
    """A text, and perhaps rows and a seed; of few texts where many models are tried over each."""
    if name == LOOKS:
        words = draw(st.sampled_from([PICKED_TEXT, "a a b", "a a a"])).split()
    else:
        pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcd"), ["longword", "a", "b"]]))
        words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=5))
    given: dict[str, Any] = {"text": " ".join(words), "n_heads": draw(st.integers(2, 3))}
    given["seed"] = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1)))
    if draw(st.booleans()) or (given["seed"] is None and len(words) != 3):
        given["resid_pre"] = tuple(draw(_rows(len(words))))
    if name == ISOLATION:
        given["place"] = draw(st.integers(0, len(words) - 1))
        given["word"] = draw(st.sampled_from([None, "zebra", "the"]))
    return given


def _rows(n: int) -> st.SearchStrategy[list[Row]]:
    """Rows that may be equal, of numbers of several kinds."""
    kinds = [
        st.integers(-999, 999).map(lambda k: k / 100),
        st.integers(-100, 100).map(lambda k: k / 100),
        st.integers(-2, 2).map(float),
        st.sampled_from([-9.99, 9.99]),
    ]
    row = st.sampled_from(kinds).flatmap(
        lambda kind: st.lists(kind, min_size=6, max_size=6).map(tuple)
    )
    return st.one_of(row.map(lambda one: [one] * n), st.lists(row, min_size=n, max_size=n))


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    n_drawn = 25 if name == LOOKS else 60
    assert FILM.unmet(name, examples(name), texts_with_heads(name), n_drawn) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_a_fact_that_is_altered_is_noticed(name: str) -> None:
    assert FILM.unnoticed(name, examples(name)) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_few_of_the_inputs_are_refused_by_a_claim(name: str) -> None:
    told = [bool(FILM.lines(name, inputs)) for inputs in examples(name)]
    assert sum(told) > 0.7 * len(told)
