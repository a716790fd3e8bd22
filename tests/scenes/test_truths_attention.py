"""Every sentence of the film `attention` is so, for legal inputs of all kinds.

What is asserted is held against the formulas of `truths_attention`; a fact that is filled in and
then changed has to be noticed.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage
from tests.scenes.old_telling import FilmTruths, legal, those_taken
from tests.scenes.truths_attention import (
    LOGITS,
    PRINTED_ROWS,
    TRUTHS,
    W_K,
    W_Q,
    W_V,
    WORDS,
    keeps_its_row,
    work,
)

FILM = FilmTruths("attention", TRUTHS)

_ZEROS = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
_ONE, _LOUD = ((1.0, 0.0), (0.0, 1.0)), ((9.99, -9.99), (-9.99, 9.99))
_SOME = ((1.0, 2.0), (-3.0, 0.5), (2.0, 2.0))
_PLAIN = {"w_q": _ONE, "w_k": _ONE, "w_v": _ONE}


def _rows(table: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in table)


EXAMPLES: list[dict[str, Any]] = [
    {},
    *({"text": text} for text in ("the cat sat the", "sat the sat", "the the the", "cat sat cat")),
    {"text": "sat sat sat sat the"},
    *({"text": text} for text in ("the the sat", "sat cat the sat cat", "sat sat the", "the sat")),
    {"embedding": _rows(PRINTED_ROWS.values())},
    {"w_q": _rows(W_Q), "seed": 3},
    {"w_q": _rows(W_Q), "w_k": _rows(W_K), "w_v": _rows(W_V)},
    {"w_q": _rows(W_K)},
    *({"seed": seed} for seed in range(8)),
    *({"text": "a b c d e", "seed": seed} for seed in range(8)),
    {"text": "a a a", "seed": 1},
    {"text": "abcdefgh bcdefghi cdefghij", "seed": 2**32 - 1},
    {"text": "a b a b", "seed": 9},
    {"embedding": _ZEROS, **_PLAIN},
    {"embedding": _ZEROS, "seed": 1},
    *({"embedding": (row,) * 3, "seed": 4} for row in ((1.0, 2.0), (-9.99,) * 6)),
    {"embedding": _SOME, "w_q": _LOUD, "w_k": _LOUD, "w_v": _LOUD},
    {"embedding": _SOME, "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    {"embedding": _SOME, "w_q": ((0.0, 0.0), (0.0, 0.0)), "w_k": _ONE, "w_v": _ONE},
    {"embedding": _SOME, "w_q": ((-1.0, 0.0), (0.0, -1.0)), "w_k": _ONE, "w_v": _ONE},
    {"embedding": ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)), **_PLAIN},
    {"embedding": ((1.0, 0.0), (1.0, 0.0), (0.0, 1.0)), **_PLAIN},
    {"embedding": ((0.0, 1.0), (1.0, 0.0), (1.0, 0.0)), **_PLAIN},
    {"embedding": ((1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 2.0)), **_PLAIN, "text": "a b c d"},
    {"embedding": ((1.0, 0.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 3.0)), **_PLAIN, "text": "a b c d"},
    {"embedding": ((1.0, 1.0), (1.0, 1.0), (-1.0, 0.0)), **_PLAIN, "text": "a b c a"},
    {"embedding": ((9.0, 9.0), (1.0, 9.0), (5.0, 9.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((-9.0, 1.0), (-5.0, 2.0), (9.99, 3.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((1.0, 0.01), (0.0, 0.02), (0.01, 9.0)), **_PLAIN, "text": "a b c"},
    {"embedding": ((1e-5, 0.0), (2e-5, 0.0), (1e-5, 1.0)), "text": "a b c",
     "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    {"embedding": ((1e-5, 0.0), (2e-5, 0.0), (1e-5, 0.0)), "text": "a b c",
     "w_q": _ONE, "w_k": _ONE, "w_v": ((0.0, 0.0), (0.0, 0.0))},
    # Keys that fit badly: the one that fits best does so least badly.
    {"embedding": ((3.0, 0.0), (0.5, 0.0), (1.0, 0.0)), "text": "a b c",
     "w_q": _ONE, "w_k": ((-1.0, 0.0), (0.0, -1.0)), "w_v": _ONE},
    {"embedding": ((-1.0, 0.0), (-1.0, 0.0), (0.1, -1.0)), "text": "a b c",
     "w_q": ((1.0, 0.0), (0.0, -1.0)), "w_k": _ONE, "w_v": _ONE},
]  # fmt: skip
"""Texts with repeats, all zeros, equal rows, keys that fit alike, numbers that are large."""


def _heat(**given: Any) -> dict[str, Any]:
    return {"words": tuple("abcdefghijklmnopqrstuvwx"[: len(given["logits"])]), **given}


HEATS: list[dict[str, Any]] = [
    {},
    *({"temperatures": stops} for stops in ((2.0,), (0.5,), (100.0, 0.05), (0.05, 0.5))),
    *({"temperatures": stops} for stops in ((3.0, 5.0, 9.0), (0.5, 0.2, 0.1), (0.5, 3.0, 9.0))),
    *({"temperatures": stops} for stops in ((0.5, 2.0), (2.0, 1.0, 2.0), (5.0, 0.1, 4.0))),
    *({"temperatures": stops} for stops in ((0.5, 1.0), (2.0, 3.0, 0.5), (12.5, 0.05))),
    *({"n_draws": n, "draw_seed": seed} for n, seed in ((5, 0), (40, 1), (5, 2**32 - 1))),
    _heat(logits=(0.0, 0.0)),
    _heat(logits=(0.0,) * 24, n_draws=40),
    _heat(logits=(0.0,) * 24, n_draws=20, draw_seed=1),
    _heat(logits=(1.0, 1.0, 0.0)),
    _heat(logits=(1.0, 1.0, 0.0), temperatures=(0.05,)),
    _heat(logits=(99.0, -99.0)),
    _heat(logits=(99.0, -99.0), temperatures=(100.0, 0.05, 50.0)),
    _heat(logits=(-99.0, -99.0, -99.0)),
    _heat(logits=(3.0,) * 12 + (1.0,) * 12, temperatures=(50.0, 0.1)),
    _heat(logits=(-3.0, -3.1, 0.2, 0.25), temperatures=(0.07,), n_draws=40),
    {"words": tuple(reversed(WORDS)), "logits": tuple(LOGITS)},
    {"words": ("mat", "Mat", ".", "a-b"), "logits": (0.1, 0.2, 0.3, 0.4), "temperatures": (7.5,)},
]


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    given = HEATS if name == "attention.temperature" else EXAMPLES
    short = [one for one in given if "embedding" in one and "text" not in one]
    return those_taken(name, [*given, *({**one, "text": "a b c"} for one in short)])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    kind = find_stage(name).Inputs
    if "logits" in kind.model_fields:
        return logits().map(lambda given: legal(kind, given))
    if "text" in kind.model_fields:
        return heads().map(lambda given: legal(kind, given))
    return st.just(kind())


@st.composite
def heads(draw: Any) -> dict[str, Any]:
    """A text of three to five words, and some of its numbers."""
    pool = draw(st.sampled_from([["the", "cat", "sat"], list("abcde"), ["longword", "a", "b"]]))
    words = draw(st.lists(st.sampled_from(pool), min_size=3, max_size=5))
    width = draw(st.integers(2, 6))
    number = draw(st.sampled_from([_hundredths(999), _hundredths(100), _whole(), _long()]))
    row = st.lists(number, min_size=width, max_size=width).map(tuple)
    rows = st.one_of(row.map(lambda one: (one,) * 6), st.lists(row, min_size=6, max_size=6))
    given: dict[str, Any] = {"text": " ".join(words)}
    own = draw(st.integers(0, 15)) if set(words) <= set(PRINTED_ROWS) else 15
    seed = draw(st.one_of(st.none(), st.integers(0, 2**32 - 1))) if own == 15 else None
    if seed is not None:
        given["seed"] = seed
    if own == 0:
        return given
    if draw(st.booleans()) or seed is None:
        n = len(set(words))
        given["embedding"] = tuple(draw(rows)[:n])
    if seed is None or draw(st.booleans()):
        for weights in ("w_q", "w_k", "w_v"):
            given[weights] = tuple(draw(rows)[:width])
    return given


def _hundredths(most: int) -> st.SearchStrategy[float]:
    return st.integers(-most, most).map(lambda k: k / 100)


def _whole() -> st.SearchStrategy[float]:
    return st.integers(-2, 2).map(float)


def _long() -> st.SearchStrategy[float]:
    return st.floats(-9.99, 9.99).map(lambda x: round(x, 7))


@st.composite
def logits(draw: Any) -> dict[str, Any]:
    """Words, logits that may tie, temperatures and draws."""
    number = draw(st.sampled_from([st.integers(-990, 990), st.integers(-2, 2)]))
    some = draw(st.lists(number, min_size=2, max_size=24))
    heat = st.one_of(st.integers(5, 300).map(lambda k: k / 100), st.integers(1, 100).map(float))
    return _heat(
        logits=tuple(k / 10 for k in some),
        temperatures=tuple(draw(st.lists(heat, min_size=1, max_size=3))),
        n_draws=draw(st.integers(5, 40)),
        draw_seed=draw(st.integers(0, 2**32 - 1)),
    )


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    assert FILM.unmet(name, examples(name), drawn(name)) == []


@pytest.mark.parametrize("name", TRUTHS)
def test_a_fact_that_is_altered_is_noticed(name: str) -> None:
    assert FILM.unnoticed(name, examples(name)) == []


def test_the_last_row_never_depends_on_the_order_of_the_first_two() -> None:
    assert all(keeps_its_row(work(inputs)) for inputs in examples("attention.order"))


SHIPPED = {
    "lookup": {"n_words": 20, "n_known": 3},
    "project": {"entry": -0.55},
    "scores": {"n_dots": 9},
    "scale": {"divisor": 2.23607},
    "softmax": {"most_share": 0.417875},
    "readout": {"tied_share": 0.558128},
    "temperature": {"first.greedy_share": 0.314527},
    "order": {"order_difference": 0.0},
    "printed": {"n_wrong": 45, "n_numbers": 95},
}
"""What the film as it comes is about; its storyboard expects only what holds for every text."""


@pytest.mark.parametrize("name", SHIPPED)
def test_the_film_as_it_comes_shows_these_numbers(name: str) -> None:
    stage = find_stage(f"attention.{name}")
    inputs = stage.Inputs()
    facts = stage.facts_of(inputs, stage.compute(inputs))
    assert {path: facts[path] for path in SHIPPED[name]} == pytest.approx(SHIPPED[name], abs=2e-5)
