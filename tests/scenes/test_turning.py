"""Hands and rings turn the way and as often as the model says, at every moment of a play."""

from __future__ import annotations

from typing import Any

import pytest

from clockhead.scenes.stage import find_stage
from tests.scenes.turning import mistaken_turns

TURNING = [
    *("caesar.message", "caesar.wheel", "induction.lanes"),
    *("previous_token.key_clocks", "previous_token.look_back"),
    *("previous_token.pre_rotated_query", "previous_token.score_as_clock_sum"),
    *("rope.aliasing", "rope.clock_hands", "rope.frequencies", "rope.matrix"),
    *("rope.relative_offset", "rope.speeds", "rope.two_words", "rope.waves", "rope.who_bites"),
    *("rope.word_before", "rope.word_order", "trained.clocks", "tour.clocks", "tour.stacks"),
]
"""Stages in which hands or rings turn."""
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("caesar.wheel", {"rotation": 25}),
    ("previous_token.key_clocks", {"d_head": 8, "text": "to be or not"}),
    ("previous_token.score_as_clock_sum", {"text": "to be or not to be", "m": 4}),
    ("rope.clock_hands", {"m": 11}),
    ("rope.two_words", {"m": 3, "n": 10}),
]
"""The same with other inputs: more than a turn, few hands, far positions."""


@pytest.mark.parametrize("name", TURNING)
def test_what_turns_goes_as_far_and_the_way_that_the_model_says(name: str):
    assert mistaken_turns(name) == []


@pytest.mark.parametrize(("name", "given"), OTHERS)
def test_it_does_so_for_other_inputs(name: str, given: dict[str, Any]):
    assert mistaken_turns(name, find_stage(name).Inputs(**given)) == []
