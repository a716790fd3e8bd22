"""Stages with texts of one's own: laid out, true to the model, or refused with a reason.

What a table names as refused must be refused; everything else must keep its claims.
"""

import pytest

from clockhead.scenes.stage import (
    LONGEST,
    Finding,
    Stage,
    StageInputs,
    find_stage,
    stage_names,
)
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.shown import misread
from tests.scenes.naming import misnamed, misunited
from tests.scenes.staging import play

PROMPTS = {
    "an answer that came twice": {"text": "a b a c a b"},
    "several followers": {"text": "the cat and the dog and the"},
    "followed by itself too": {"text": "a a b a"},
    "none": {"text": "a b c d e f g h i j k"},
    "a new last word": {"text": "Attention is all you need"},
    "only itself": {"text": "a a a"},
    "shortest": {"text": "i a i"},
    "longest words": {"text": "abcdefghij bbbbbbbbbb a abcdefghij dddddddddd e f g h abcdefghij"},
    "sharper": {"text": "to be or not to", "alpha": 20.0, "beta": 20.0},
    "blurred notes": {"text": "to be or not to", "alpha": 8.0},
    "dull query": {"text": "to be or not to", "beta": 8.0},
}
SHORT_PROMPTS = {
    "several followers": {"text": "abaca"},
    "none": {"text": "abc"},
    "one letter": {"text": "a"},
    "asks with the space": {"text": "no a no "},
    "longest": {"text": "abcdefabc"},
    "longest, all different": {"text": "abcdefghi"},
    "BOS as typed": {"text": "!noon"},
}
MESSAGES = {
    "not turned": {"rotation": 0},
    "turned back by one": {"rotation": 25},
    "longest words": {
        "text": "every letter moves along by the same number of places so counting the letters "
        "gives the secret away"
    },
    "short": {"text": "meet me at the tree at ten", "rotation": 3},
    "too short": {"text": "a bay", "rotation": 3},
    "a single letter": {"text": "e"},
    "two rotations lead": {"text": "an"},
    "as often as each": {"text": "abcdefghijklmnopqrstuvwxyz"},
    "one letter to read": {"short_text": "f", "short_rotation": 0, "length": 128},
    "eight letters alike": {"short_text": "mmmmmmmm", "length": 4},
    "rare letters": {"short_text": "q j x"},
    "a few letters, read right": {"short_text": "to be"},
    "learned from the shortest": {"learned_length": 4, "length": 4},
    "learned from the longest": {"learned_length": 16, "length": 128},
}
LETTERS_TOO = {
    "several followers": {"text": "the cat and the dog and the"},
    "none": {"text": "a b c d e f g h i j k"},
    "a new last word": {"text": "attention is all you need"},
    "shortest": {"text": "i a i"},
    "longest words": {
        "text": "everywhere the pretenders meet here we see trees sentiments tree everywhere"
    },
    "other signs": {"text": "to be, or not to be"},
    "not turned": {"rotation": 0},
    "turned back by one": {"rotation": 25},
    "blurred notes": {"alpha": 3.0},
    "dull query": {"beta": 3.0},
}
STEPS: dict[str, dict[str, object]] = {
    "a single step": {"levels": (0.0, 1.0), "jumps": (0.0,), "epsilon": 0.7, "narrow": 0.005},
    "a step down": {"levels": (1.0, -2.0), "jumps": (2.0,), "text": "a a", "instead": "b"},
    "four high jumps": {"levels": (2.0, -2.0, 2.0, -2.0, 2.0), "jumps": (-2.0, -1.0, 0.0, 1.0)},
    "all above 0": {"levels": (1.0, 1.5, 2.0), "jumps": (0.5, 0.75), "epsilon": 0.2},
    "jumps close together": {"levels": (0.0, 1.0, 2.0), "jumps": (0.0, 0.1), "epsilon": 0.09},
    "jumps too close": {"levels": (0.0, 1.0, 2.0), "jumps": (0.0, 0.1)},
    "the least steep": {"steepness": 12.0, "steep": 13.0},
    "an arch": {"curve": "arch", "n_doublings": 4},
    "a ramp, in many pieces": {"curve": "ramp-up", "n_doublings": 8},
    "the widest words": {"text": "www mmm wwww", "place": 2, "instead": "mmm"},
}
FULL = "999999999"
PICTURES: dict[str, dict[str, object]] = {
    "a letter of nine rows": {
        "image": "000000000 001111100 001000000 001000000 001111000 001000000 001000000 001000000 "
        "000000000"
    },
    "shades, and weights of any kind": {
        "image": "123456789 987654321 111111111 000000000 999999999 101010101 010101010",
        "first": ((-0.25, 1.5, 9.0), (-1.0, 0.0, 1.0), (0.3, 0.3, -9.0)),
        "second": ((9.0, 9.0, 9.0),) * 3,
        "first_name": "wonderfu",
        "second_name": "WWWWW",
    },
    "a lying stroke": {"image": "00000 00000 11111 00000 00000"},
    "ink all over": {"image": " ".join([FULL] * 9)},
    "another order": {"text": "x y a b c d a"},
    "begins with its last word": {"text": "a b b a b a"},
    "the longest sentence": {
        "text": "illicity wonderfu sleeping sleepier illicitx wonderfy sleepinm sleepiez wonderfu"
    },
}
TASTES: dict[str, dict[str, object]] = {
    "two win": {"ratings": ((1, 2, 0), (2, 1, 0), (2, 1, 5), (-4, -2, 1))},
    "all alike": {"ratings": ((1, 0, 0),) * 4},
    "no one agrees": {"ratings": ((3, 1, 0), (-1, -3, 0), (-2, 0, 0), (-5, -5, -5))},
    "the nearest turns towards": {"ratings": ((1, 0, 0), (-1, 1, 0), (5, 5, 0), (-2, 0, 0))},
    "the longest names": {
        "raters": "aaaaa eeeee nnnnn ooooo",
        "films": "aaaaaaaa eeeeeeee nnnnnnnn",
    },
    "five tokens, far": {"text": "a b c d e", "angles": (-180, 10, 20, 30, 40), "length": 5.0},
    "too short to steal": {"text": "a b c", "angles": (0, 60, 120), "length": 2.0},
}
SLICES: dict[str, dict[str, object]] = {
    "turned by one": {"turned": 1},
    "turned by half": {"turned": 13},
    "turned by all but one": {"turned": 25},
}
LEARNED: dict[str, dict[str, object]] = {
    "a word and its beginning": {"text": "banana ban"},
    "two words and their beginning": {"text": "hello world hello w"},
    "one letter, again and again": {"text": "aaaa"},
    "nothing comes again": {"text": "the dog"},
    "one letter alone": {"text": "a"},
    "an early moment": {"moment": 800},
    "another head of layer 0": {"head": "0.3"},
}
CASES = {
    "trained": LEARNED,
    "errata": SLICES,
    "vectors": TASTES,
    "one_layer": STEPS,
    "convolution": PICTURES,
    "induction": PROMPTS,
    "onehot": SHORT_PROMPTS,
    "caesar": MESSAGES,
    "tour": LETTERS_TOO,
}
DRAWN = {
    *("turned by one", "turned by all but one"),
    *("two words and their beginning", "one letter, again and again"),
    *("a new last word", "one letter", "shortest", "longest words", "longest, all different"),
    *("several followers", "not turned", "two rotations lead"),
    *("one letter to read", "eight letters alike", "rare letters", "too short", "as often as each"),
    *("learned from the shortest", "learned from the longest"),
    *("a single step", "a step down", "four high jumps", "jumps close together"),
    *("a ramp, in many pieces", "the widest words"),
    *("two win", "no one agrees", "the longest names", "five tokens, far"),
    *("a letter of nine rows", "shades, and weights of any kind", "the longest sentence"),
}
"""Cases that are drawn too: the emptiest, the fullest, and those told otherwise."""
WIDEST = {
    "two words and their beginning",
    *("longest words", "longest, all different", "the widest words", "the longest names"),
    *("shades, and weights of any kind", "the longest sentence"),
}
"""Of these, the fullest of each film: drawn in a wide look and in a high one."""
LOOKS = [("chalk", "16:9"), ("paper", "9:16"), ("paper", "4:3"), ("chalk", "1:1")]
"""Wide and high by turns; stages and cases take turns, too."""

INDUCTION = [name for name in stage_names() if name.startswith("induction.")]
TRAINED = [name for name in stage_names() if name.startswith("trained.")]
TOUR = [name for name in stage_names() if name.startswith("tour.")]
REFUSED: dict[tuple[str, str], str] = {
    ("vectors.distance", "all alike"): "change ratings",
    **{(name, "nothing comes again"): "stood there before" for name in TRAINED},
    **{(name, "one letter alone"): "at least 3 characters" for name in TRAINED},
    ("convolution.content", "begins with its last word"): "and not first",
    **{
        (
            f"one_layer.{stage}",
            "jumps too close",
        ): "the least distance of two jumps"
        for stage in ("step", "wave", "block")
    },
    **{(name, "none"): "has not appeared before" for name in TOUR},
    **{(name, "other signs"): "letters a to z" for name in TOUR},
    **{
        (f"tour.{stage}", "blurred notes"): "alpha"
        for stage in ("notes", "answer", "code", "attention")
    },
    **{
        (f"tour.{stage}", "dull query"): "beta"
        for stage in ("riddle", "answer", "code", "attention")
    },
    **{(name, "none"): "has not appeared before" for name in INDUCTION},
    **{(name, "only itself"): "as in “a b a”" for name in INDUCTION},
}
"""Which inputs a stage refuses, and words of the reason."""


def performances() -> list[tuple[str, str]]:
    return [
        (name, case)
        for name in stage_names()
        for case, given in CASES.get(name.partition(".")[0], {}).items()
        if set(given) <= set(find_stage(name).Inputs.model_fields)
    ]


def broken(stage: type[Stage], inputs: StageInputs, values: object) -> list[Finding]:
    return [finding for finding in stage.findings(inputs, values) if not finding.holds]


@pytest.mark.parametrize(("name", "case"), performances())
def test_a_stage_tells_the_truth_about_other_inputs_or_refuses_them(name: str, case: str):
    stage = find_stage(name)
    try:
        inputs = stage.Inputs(**CASES[name.partition(".")[0]][case])
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
    first, n_looks = sum(map(ord, name + case)), 1 + (case in WIDEST)
    for turn in range(first, first + n_looks):
        assert problems_of(stage, inputs, values, *LOOKS[turn % len(LOOKS)]) == []


def problems_of(stage: type[Stage], inputs: object, values: object, theme: str, aspect: str):
    """What the layout check finds, what does not say what it stands for, and wrong words at it."""
    checker, wrong = LayoutChecker(), dict[str, None]()

    def look(scene: Stage) -> None:
        checker(scene)
        wrong.update(dict.fromkeys((*misread(scene), *misnamed(scene), *misunited(scene))))

    shot = stage.shot(inputs, values, theme=theme)
    seconds = play(stage, shot, aspect=aspect, on_play=look).renderer.time
    long = [] if seconds <= LONGEST else [f"it takes {seconds:.1f} seconds"]
    return [*checker.problems, *wrong, *long]


@pytest.mark.parametrize(
    ("name", "given", "aspect"),
    [
        ("onehot.match", {"text": "on"}, "4:3"),
        ("onehot.answer", {"text": "on"}, "4:3"),
        ("previous_token.constant_key", {"text": "I think there"}, "1:1"),
        ("previous_token.riddle", {"text": "rotate saw big sat house sat"}, "9:16"),
        ("previous_token.riddle", {"text": "0000000 0000000 1000000 0100000"}, "9:16"),
    ],
)
def test_narrow_pictures_and_wide_words_have_room(name: str, given: dict[str, str], aspect: str):
    stage = find_stage(name)
    inputs = stage.Inputs(**given)
    assert problems_of(stage, inputs, stage.compute(inputs), "chalk", aspect) == []
