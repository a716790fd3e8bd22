"""Every sentence of the induction film is so, for legal inputs of all kinds; so is every refusal.

What is asserted is held against the formulas of `truths_induction`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import Finding, StageInputs, find_stage, stage_names
from tests.model.riddles import riddles
from tests.scenes.legal import said
from tests.scenes.old_telling import legal, matched, reached, those_taken, untrue
from tests.scenes.truths_induction import (
    PROMISES,
    TRUTHS,
    Told,
    as_given,
    with_tens,
)

_FEW = ("a", "b", "c")
_MANY = ("the", "cat", "dog", "fish", "on", "wonderful", "abcdefghij", "i")

TEXTS = [
    "a b a",
    "a b a a",
    "a a b a",
    "a b b a",
    "a b a b a",
    "a b a c a",
    "a b a b a c a",
    "b a n a n a b",
    "x a y a z a w a",
    "x a y a z a w a v a",
    "a b a c a d a e a f a",
    "a b a b a b a b a b a",
    "a b c a b d a",
    "a x c a y c a z d a",
    "a a b b c c d d e e a",
    "b b c c d d e e f a f",
    "a b c d e f g h i j a",
    "b c d e f g h i j a j",
    "dog fish tree bird moon rain boat lamp leaf song dog",
    "abcdefghij bcdefghija abcdefghij",
    "the cat sat on the mat and the",
]
"""The shortest and the longest; one, two, three and more that followed, at once and often."""

SCALES: list[dict[str, Any]] = [
    *({"alpha": alpha} for alpha in (0.01, 1.0, 4.0, 4.25, 4.5, 5.0, 100.0, 1e4)),
    *({"beta": beta} for beta in (0.01, 1.0, 4.0, 5.5, 100.0, 1000.0, 1e4)),
    {"alpha": 4.5, "beta": 30.0},
    {"alpha": 6.0, "beta": 100.0},
    {"alpha": 100.0, "beta": 1e4},
    {"alpha": 1e4, "beta": 1e4},
    {"alpha": 12.345678, "beta": 9.8765432},
]

OTHERS: dict[str, list[dict[str, Any]]] = {
    "rank": [
        {"n_large": 400},
        {"n_large": 28, "beta": 300.0},
        {"n_large": 28, "beta": 0.01},
        {"n_large": 28, "beta": 1e4, "text": "a b a"},
        {"n_large": 33, "beta": 2345.678},
        *({"n_large": 28, "text": " ".join("abcdefghij"[:n]) + " a"} for n in range(2, 11)),
    ],
    "nonsense": [
        *({"nonsense": text} for text in ("a b a", "a b a b a", "c a b a")),
        {"nonsense": "a b c d e a", "beta": 5.0},
        {"nonsense": "abcdefghij bcdefghija abcdefghij"},
        {"nonsense": "a b b a", "alpha": 3.0},
    ],
}


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    shot = name.partition(".")[2]
    given = [{}, *({"text": text} for text in TEXTS), *SCALES]
    if shot == "rank":
        given = [{}]
    return those_taken(name, [*given, *OTHERS.get(shot, [])])


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs: any scales, most of them near those where a film begins to be refused."""
    kind = find_stage(name).Inputs
    decades = st.floats(-2, 4).map(lambda power: 10.0**power)
    text = st.sampled_from([_FEW, _MANY]).flatmap(riddles).map(" ".join)
    fields = {
        "text": text,
        "alpha": st.one_of(st.just(10.0), st.floats(4.0, 12.0), decades),
        "beta": st.one_of(st.just(10.0), st.floats(0.5, 3).map(lambda x: 10.0**x), decades),
        "n_large": st.integers(28, 60),
        "nonsense": st.builds(_one_follower, st.permutations(_MANY), st.integers(0, 5)),
    }
    known = {field: fields[field] for field in kind.model_fields}
    return st.fixed_dictionaries(known).map(lambda given: legal(kind, given))


def _one_follower(words: list[str], k: int) -> str:
    """A text whose last word was followed by one other, once or more."""
    shapes = ("010", "01210", "20130", "012330", "01010", "120310")
    return " ".join(words[int(place)] for place in shapes[k])


def unkept(name: str, inputs: StageInputs, finding: Finding) -> tuple[str, str]:
    """The pattern of a refusal, if it is one, and what is wrong with it or with the claim."""
    promise = PROMISES[name].get(finding.says)
    if promise is None:
        return "", f"{finding.says!r}: no such claim is known"
    if finding.holds:
        return "", "" if promise.holds(Told(inputs)) else f"{finding.says!r}: it is not so"
    _, found = matched({promise.refusal: promise}, finding.found)
    if found is None:
        return "", f"{finding.found!r}: it reads otherwise"
    told = as_given(inputs, found) and promise.value(Told(inputs), found)
    works = promise.holds(Told(with_tens(inputs)))
    wrong = "" if told and works else f"{finding.found!r}: it is not so, or 10 does not work"
    return finding.says, wrong


def examine(name: str, inputs: StageInputs) -> set[str]:
    """The patterns that were met, and the claims that failed. All that is told is so."""
    stage = find_stage(name)
    findings = stage.findings(inputs, stage.compute(inputs))
    kept = [unkept(name, inputs, one) for one in findings]
    found = list(untrue(TRUTHS[name], inputs, said(stage, inputs)))
    wrong = [why for _, why in kept if why] + [f"{line!r}: {why}" for _, line, why in found if why]
    assert not wrong, f"{name} {inputs!r}:\n" + "\n".join(wrong)
    assert bool(found) == all(one.holds for one in findings)
    return {template for template, *_ in found} | {claim for claim, _ in kept if claim}


def test_every_stage_of_the_film_has_its_truths() -> None:
    stages = {name for name in stage_names() if name.startswith("induction.")}
    assert stages == set(TRUTHS) == set(PROMISES)


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    n_drawn = 12 if name == "induction.rank" else 60
    met = reached(examine, name, examples(name), drawn(name), n_drawn)
    assert sorted((TRUTHS[name].keys() | PROMISES[name].keys()) - met) == []
