"""Stages with texts of one's own: laid out, true to the model, or refused with a reason.

What a table names as refused must be refused; everything else must keep its claims.
"""

from typing import get_args

import numpy as np
import pytest

from model.continuation import HeadCase
from scenes.stage import Finding, Stage, StageInputs, find_stage, stage_names
from scenes.stage.layout_check import LayoutChecker
from scenes.style.text import Number, Tick
from tests.scenes.staging import known_numbers, play, shown_labels

ALONE = "none, one letter without BOS"
PROMPTS = {
    "an answer that came twice": {"text": "abacab"},
    "several followers": {"text": "abaca"},
    "three different followers": {"text": "axaya zaba"},
    "none": {"text": "abc"},
    "none, one letter": {"text": "a"},
    ALONE: {"text": "a", "bos": False},
    "without BOS": {"text": "abcab", "bos": False},
    "first is last without BOS": {"text": "abca", "bos": False},
    "the same letter": {"text": "aaaa"},
    "asks with the space": {"text": "to be or not to "},
    "longest": {"text": "the cat sat on the mat t"[:23]},
    "longest, all different": {"text": "abcdefghijklmnopqrstuvw"},
    "BOS as typed": {"text": "!abcab"},
}
SHORT_PROMPTS = {
    "several followers": {"text": "abaca"},
    "none": {"text": "abc"},
    "one letter": {"text": "a"},
    "one letter without BOS": {"text": "a", "bos": False},
    "first is last without BOS": {"text": "abca", "bos": False},
    "without BOS": {"text": "abcab", "bos": False},
    "asks with the space": {"text": "no a no "},
    "longest": {"text": "abcdefabc"},
    "longest, all different": {"text": "abcdefghi"},
}
MESSAGES = {
    "not turned": {"rotation": 0},
    "turned back by one": {"rotation": 25},
    "longest": {
        "text": "every letter moves along by the same number of places so counting the letters "
        "gives the secret away"
    },
    "short": {"text": "meet me at the tree at ten", "rotation": 3},
    "too short": {"text": "a bay", "rotation": 3},
}
CASES = {"induction": PROMPTS, "onehot": SHORT_PROMPTS, "caesar": MESSAGES}
DRAWN = {
    *("none, one letter", "one letter", "longest", "longest, all different"),
    *("several followers", "asks with the space", "not turned", "short"),
}
"""Cases that are drawn too: the emptiest, the fullest, and those with signs of their own."""
LOOKS = [("chalk", "16:9"), ("paper", "9:16"), ("paper", "1:1")]

_ALONE = "2 tokens or more"
REFUSED: dict[tuple[str, str], str] = {
    **{(f"caesar.{stage}", "too short"): "too few" for stage in ("histogram", "dot_products")},
    ("caesar.transformer", "too short"): "too few",
    **{
        (f"induction.{stage}", ALONE): _ALONE
        for stage in ("idea", "lanes", "match", "forward_pass", "prediction", "ablate")
    },
    **{(f"onehot.{stage}", "one letter without BOS"): _ALONE for stage in ("previous", "match")},
}
"""Which inputs a stage refuses, and words of the reason."""


def performances() -> list[tuple[str, str]]:
    return [
        (name, case)
        for name in stage_names()
        for case, given in CASES.get(name.partition(".")[0], {}).items()
        if set(given) <= set(find_stage(name).Inputs.model_fields)
    ]


def test_the_prompts_are_of_every_kind_that_a_text_can_be():
    stage = find_stage("induction.forward_pass")
    heads = [stage.Inputs(**given) for name, given in PROMPTS.items() if name != ALONE]
    kinds = {inputs.induction().case for inputs in heads}
    assert kinds == set(get_args(HeadCase))


def broken(stage: type[Stage], inputs: StageInputs, values: object) -> list[Finding]:
    return [finding for finding in stage.findings(inputs, values) if not finding.holds]


@pytest.mark.parametrize(("name", "case"), performances())
def test_a_stage_tells_the_truth_about_other_inputs_or_refuses_them(name: str, case: str):
    stage = find_stage(name)
    inputs = stage.Inputs(**CASES[name.partition(".")[0]][case])
    try:
        values = stage.compute(inputs)
        refusals = [f"{claim.says}: {claim.found}" for claim in broken(stage, inputs, values)]
    except ValueError as error:
        refusals = [str(error)]
    if (name, case) in REFUSED:
        assert any(REFUSED[name, case] in refusal for refusal in refusals), refusals
        return
    assert refusals == []
    if case not in DRAWN:
        return
    look = LOOKS[sum(map(ord, name + case)) % len(LOOKS)]
    assert problems_of(stage, inputs, values, *look) == []


def problems_of(stage: type[Stage], inputs: object, values: object, theme: str, aspect: str):
    """What the layout check finds, and numbers on screen that the model does not know."""
    checker, known = LayoutChecker(), known_numbers(stage, inputs, values)
    strangers: set[str] = set()

    def look(scene: Stage) -> None:
        checker(scene)
        for number in shown_labels(scene):
            if not isinstance(number, Number) or isinstance(number, Tick):
                continue
            nearest = known[np.abs(known - number.value).argmin()]
            if not np.isclose(nearest, number.value, rtol=1e-9, atol=1e-12):
                strangers.add(f"{number.text} ({number.value!r}) is not the model's")

    play(stage, stage.shot(inputs, values, theme=theme), aspect=aspect, on_play=look)
    return [*checker.problems, *sorted(strangers)]
