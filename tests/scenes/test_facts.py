"""Captions are templates over facts, and say nothing falser than the facts."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from clockhead.model.units import Doc
from clockhead.scenes.facts import TemplateError, fill, format_fact
from clockhead.scenes.mathematics import split_math
from clockhead.scenes.stage import StageInputs
from clockhead.scenes.stage.paths import Facts, arrays, look_up

FACTS = {"mass": 0.9979, "alpha": 10.0, "n": 7, "word": "mat", "tiny": 0.0, "certain": 0.99999}


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (0.9979, ".1%", "99.8%"),
        (0.99999, ".1%", "> 99.9%"),
        (1.0, ".1%", "100.0%"),
        (1.0, ".0%", "100%"),
        (0.9979, ".1%-", "99.7%"),
        (0.5, ".1%-", "50.0%"),
        (0.29, ".2f-", "0.29"),
        (0.9996, ".2f", "> 0.99"),
        (-0.9996, ".2f", "< −0.99"),
        (1.0, ".2f", "1.00"),
        (0.0004, ".2f", "< 0.01"),
        (0.00004, ".1%", "< 0.1%"),
        (0.0, ".1%", "0.0%"),
        (-0.5, ".2f", "−0.50"),
        (-0.0001, ".2f", "0.00"),
        (-3, "d", "−3"),
        (3.0, "d", "3"),
        (10.0, "", "10"),
        (7.7049, "", "7.705"),
        (12345.6, "", "12,346"),
        (1e-5, ".1e", "1.0e−05"),
        (math.inf, ".1f", "∞"),
        (math.nan, ".1f", "undefined"),
        ("mat", "", "mat"),
        (True, "", "yes"),
        (np.float64(0.99), ".1%-", "99.0%"),
        (np.float32(0.5), ".1f", "0.5"),
        (np.int64(3), "d", "3"),
        (1e-43, ".2%+", "0.01%"),
        (0.0021, ".1%+", "0.3%"),
        (0.0, ".1%+", "0.0%"),
    ],
)
def test_format_fact(value, spec: str, text: str):
    assert format_fact(value, spec) == text


@pytest.mark.parametrize(
    ("value", "spec", "unit", "text"),
    [
        (0.9996, ".2f", "share", "> 0.99"),
        (0.99999, ".3g", "share", "> 0.999"),
        (0.99999, "", "share", "> 0.999"),
        (0.00001, ".2g", "share", "1e−05"),
        (0.00001, ".2f", "share", "< 0.01"),
        (1.0, ".3g", "share", "1"),
        (0.9996, ".2f", None, "1.00"),
        (-0.9996, ".2f", "degrees", "−1.00"),
        (0.0004, ".2f", None, "0.00"),
    ],
)
def test_only_shares_are_kept_from_reading_as_certain(value, spec, unit, text):
    assert format_fact(value, spec, unit) == text


def test_fill_puts_facts_into_words():
    assert fill("{word}: {mass:.1%} at {{alpha}} = {alpha}", FACTS) == "mat: 99.8% at {alpha} = 10"


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (0, "0 of 20 draws give it"),
        (1, "1 of 20 draws gives it"),
        (2, "2 of 20 draws give it"),
        (1.0, "1 of 20 draws gives it"),
        (1.5, "1.5 of 20 draws give it"),
    ],
)
def test_a_verb_agrees_with_its_number(count: float, sentence: str):
    assert fill("{n} of 20 draws {n:gives|give} it", {"n": count}) == sentence


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{word:is|are}", "a text has no singular and plural"),
        ("{n:a|b|c}", "is not two forms"),
        ("{mas}", "did you mean {mass}?"),
        ("{xyz}", "there is no fact {xyz} (facts: alpha, certain"),
        ("{word.upper}", "there is no fact {word.upper}"),
        ("{word.__class__}", "private names, indices and sums are refused"),
        ("{_word}", "private names, indices and sums are refused"),
        ("{word[0]}", "private names, indices and sums are refused"),
        ("{0}", "is not the name of a fact"),
        ("{}", "is not the name of a fact"),
        ("{word!r}", "conversions are refused"),
        ("{alpha:>100000000}", "is not one of"),
        ("{alpha:100000000.2f}", "wider than 20 characters"),
        ("{alpha:.900f}", "wider than 20 characters"),
        ("{alpha:{n}}", "is not one of"),
        ("{word:.2f}", "a text cannot be written as '.2f'"),
        ("{mass:d}", "cannot be written as 'd'"),
        ("{alpha:-}", "can be rounded up or down"),
        ("{alpha", "is not a template"),
    ],
)
def test_fill_refuses_what_is_not_a_fact(template: str, message: str):
    with pytest.raises(TemplateError) as refusal:
        fill(template, FACTS)
    assert message in str(refusal.value)


def test_split_math():
    runs = split_math(r"with $alpha = 10$ it costs 3 \$")
    assert [(run.text, run.is_math) for run in runs] == [
        ("with ", False),
        ("alpha = 10", True),
        (" it costs 3 $", False),
    ]
    with pytest.raises(ValueError, match="not closed"):
        split_math("half $x")


@dataclass(frozen=True)
class Doubled:
    """Two numbers, and what comes of doubling them."""

    pair: Annotated[NDArray[np.float64], Doc("two numbers; (2,)")]

    @property
    def total(self) -> float:
        """Their sum."""
        return float(self.pair.sum())

    @property
    def again(self) -> "Doubled":
        """Both numbers doubled."""
        return Doubled(2 * self.pair)


def test_paths_that_go_back_into_their_own_class_are_not_listed_but_lead_somewhere():
    values = Doubled(np.array([1.0, 2.0]))
    assert list(Facts(StageInputs(), values, {})) == ["total"]
    assert list(arrays(values)) == ["pair"]
    assert look_up(values, "again.pair").tolist() == [2, 4]
    assert look_up(values, "again.again.total") == 12
