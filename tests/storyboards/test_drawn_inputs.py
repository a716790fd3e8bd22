"""The films that ship take other inputs: at least 95 of 100 legal ones, the rest with a reason."""

from random import Random

import pytest

from tests.shipped import FILMS
from tests.storyboards.drawn_inputs import Outcome, draws, offered_settings, tried

N_ALONE, N_TOGETHER = 48, 12


@pytest.mark.parametrize("name", FILMS)
def test_a_film_takes_other_inputs(name: str):
    random = Random(f"film {name}")
    alone, together = draws(name, N_ALONE, random), draws(name, N_TOGETHER, random, most=3)
    outcomes = [tried(name, settings) for settings in (*alone, *together)]
    refused = [outcome for outcome in outcomes if outcome.refusals]
    assert len(refused) <= 0.05 * len(outcomes), told(refused)
    for outcome in refused:
        offers = offered_settings(outcome.refusals)
        again = tried(name, [*outcome.settings, *offers])
        assert offers, told([outcome])
        assert not again.refusals, told([outcome, again])


def told(outcomes: list[Outcome]) -> str:
    return "\n".join(line for one in outcomes for line in (" ".join(one.settings), *one.refusals))
