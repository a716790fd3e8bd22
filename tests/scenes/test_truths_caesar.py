"""Every sentence of the film `caesar` is so, for legal inputs of all kinds; so is every refusal.

What is asserted is held against the definitions of `truths_caesar`.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import strategies as st

from clockhead.scenes.stage import StageInputs, find_stage, stage_names
from tests.scenes.old_telling import all_is_so, legal, matched, reached, those_taken
from tests.scenes.truths_caesar import (
    ALPHABET,
    PLAIN,
    REFUSALS,
    TRUTHS,
    Refusal,
    turned,
)

_MOST = 100
_USUAL = "the of and to in is it was for on as with they be at one have this from by hot"

TEXTS = [
    *("e", "a", "z", "ee", "eee e", "ea", "ae", "te", "tee", "eeet", "zzzeee", "an", "na"),
    *("the", "she sees the sea", "to be or not to be", "no cash is in this bag", "a bay"),
    *("q" * 100, "e" * 100, ALPHABET, ALPHABET + " " + ALPHABET, "a quick onyx goblin jumps"),
    *("aeiouaeiou", "thethethe", "tttt e", "e a e a", "eeeeeeet" * 8, "bcd fgh jkl mnp"),
    *("abcdefghijklmnopqrstuvwxyzabcde", "e" * 30, "e" * 25 + " tea", "tea " + "e" * 25),
    *("thhe", "baaaababb", "g", "bdfhjlnprtvxz", "acjmv"),
    *("eighty letters are enough for how often each letter comes", "ta ta ta", "no on no on"),
    *(PLAIN[:n].rstrip() for n in (1, 3, 7, 8, 9, 20, 44, 100)),
    *(PLAIN[214 : 214 + n].strip() for n in (1, 7, 8, 9, 20, 44, 100)),
]
"""One letter and a hundred, no e, all letters once, rotations that share the largest score."""

SHORT = [
    *("f", "e", "d", "q j x", "mmmmmmmm", "to be", "abcdefgh", "an", "anbo", "the sea", "a b c"),
    *(
        "acjmv",
        "j x",
        "eeee",
        "tea",
        "no on",
        "m w",
        "aim w",
        "hu",
        "b",
        "j",
        "e e e e",
        "z z",
        "eat",
    ),
]

OTHERS: dict[str, list[dict[str, Any]]] = {
    "wheel": [
        {"example": "a", "example_rotation": 0},
        {"example": "zebra", "example_rotation": 1},
        {"example": "abcdefghij", "example_rotation": 25},
        {"text": "e", "rotation": 0},
    ],
    "angle": [
        {"x": "l", "y": "e"},
        {"x": "e", "y": "l"},
        {"x": "l"},
        {"y": "l"},
        {"x": "l", "y": "l"},
        {"text": "e", "x": "q", "y": "z"},
        {"text": "e", "rotation": 0, "x": "e"},
        {"text": "e", "rotation": 0, "x": "e", "y": "e"},
        {"text": "em", "rotation": 0, "x": "e", "y": "m"},
        {"text": "m", "rotation": 0, "x": "e", "y": "m"},
        {"text": "et hthh th h", "rotation": 4, "x": "x", "y": "i"},
    ],
    "how_much_text": [
        *({"short_text": text} for text in SHORT),
        *({"short_text": text, "short_rotation": 0} for text in ("e", "f", "tea")),
        *({"length": length} for length in (4, 128)),
    ],
    "learned": [{"learned_length": n} for n in (4, 16)],
    "arbitrary_embedding": [
        {"n_dimensions": 28},
        {"n_dimensions": 32},
        {"n_dimensions": 64, "seed": 9999},
        {"n_dimensions": 27, "seed": 1, "text": "a bay"},
    ],
    "folded": [{"word": word} for word in ("bab", "ab", "ba", "cc", "ccc", "abca", "cccc")],
    "printed": [{"turned": n} for n in (1, 13, 25)],
    "message": [
        {"phrase": "the shift"},
        {"phrase": "often"},
        {"phrase": "how often each letter"},
        {"phrase": "ofte"},
        {"phrase": "letter each"},
        {"text": "e", "phrase": "e"},
        {"text": "e", "rotation": 0},
        {"text": "ee", "rotation": 0},
        {"text": "e" * 30, "phrase": "e"},
        {"text": "e" * 30 + " tea", "phrase": "e"},
        {"text": "qqq", "phrase": "qqq"},
        {"text": "mjdh" * 7, "phrase": "a"},
    ],
}


def examples(name: str) -> list[StageInputs]:
    """Inputs picked by hand, those that the stage takes."""
    shot = name.partition(".")[2]
    rotations = itertools.cycle((7, 0, 1, 25, 3, 13))
    texts: list[dict[str, Any]] = [{"text": t, "rotation": next(rotations)} for t in TEXTS]
    if shot in ("angle", "theorem"):  # The letters that are shown are looked for, which takes time.
        texts = texts[:: 3 if shot == "theorem" else 4]
    turns: list[dict[str, Any]] = [{"rotation": r} for r in (0, 1, 25)]
    given = [{}, *texts, *turns, *OTHERS.get(shot, [])]
    return those_taken(name, given)


def drawn(name: str) -> st.SearchStrategy[StageInputs | None]:
    """Legal inputs."""
    kind, letter = find_stage(name).Inputs, st.sampled_from(ALPHABET)
    axis = st.just("") | letter
    fields: dict[str, st.SearchStrategy[Any]] = {
        "text": texts(_MOST),
        "rotation": st.integers(0, 25),
        "example": st.text(ALPHABET, min_size=1, max_size=10),
        "example_rotation": st.integers(0, 25),
        "x": axis,
        "y": axis,
        "short_text": texts(8),
        "short_rotation": st.integers(0, 25),
        "length": st.sampled_from([4, 8, 16, 32, 64, 128]),
        "learned_length": st.integers(4, 16),
        "n_dimensions": st.integers(27, 64),
        "seed": st.integers(0, 9999),
        "phrase": st.just("") | texts(24),
        "word": st.text("abc", min_size=2, max_size=4),
        "turned": st.integers(1, 25),
    }
    known = {field: fields[field] for field in kind.model_fields}
    # Most letters are not in the ciphertext, most words not in the text.
    two = st.tuples(st.integers(0, 99), st.integers(1, 99))
    return st.builds(lambda given, k: _fitting(kind, given, k), st.fixed_dictionaries(known), two)


def texts(most: int) -> st.SearchStrategy[str]:
    """Texts of up to so many characters: of few letters, of words, and of halves that are alike."""
    some = st.sampled_from(
        ["e", "ab", "et ", "the ", "etaoin ", "bcdfghjklmnpqrstvwxyz ", ALPHABET]
    )
    letters = some.flatmap(lambda known: st.text(known, min_size=1, max_size=most))
    words = st.lists(st.sampled_from(_USUAL.split()), min_size=1, max_size=25).map(" ".join)
    piece = st.builds(lambda k, n: PLAIN[k : k + n], st.integers(0, 2300), st.integers(1, most))
    # A letter and the one 13 places on come equally often, so that two rotations score the same.
    mirrored = letters.map(lambda text: f"{text[: most // 2]}{turned(text[: most // 2], 13)}")
    repeated = st.builds(lambda text, n: text * n, letters, st.integers(1, 9))
    drawn_ones = st.one_of(letters, words, piece, mirrored, repeated)
    return drawn_ones.map(lambda text: " ".join(text[:most].split())).filter(bool)


def _fitting(
    kind: type[StageInputs], given: dict[str, Any], k: tuple[int, int]
) -> StageInputs | None:
    """The inputs, their axes and phrase from the message three times of four."""
    given = dict(given)
    if "x" in given and k[0] % 4:
        cipher = turned(given["text"], given["rotation"]).replace(" ", "")
        given["x"], given["y"] = cipher[k[0] % len(cipher)], given["y"] or cipher[0]
    if given.get("phrase") and k[0] % 4:
        words = given["text"].split()
        first = k[0] % len(words)
        given["phrase"] = " ".join(words[first : first + 1 + k[1] % 4])
    return legal(kind, given)


@lru_cache(maxsize=4)
def computed(name: str, inputs: StageInputs) -> Any:
    """The values of a stage; ValueError for inputs that make no sense together."""
    return find_stage(name).compute(inputs)


def refusal(name: str, inputs: StageInputs) -> str:
    """Why the stage does not take these inputs, nothing if it does."""
    try:
        computed(name, inputs)
    except ValueError as error:
        return str(error)
    return ""


def told_to_do(name: str, inputs: StageInputs, known: dict[str, Refusal], found: str) -> Any:
    """The pattern of a refusal, which is so, and the inputs that it tells one to take."""
    template, said = matched(known, found)
    where = f"{name} {inputs!r}: {found!r}"
    assert said is not None, f"{where}: it reads otherwise"
    assert known[template].is_so(inputs, said), f"{where}: it is not so"
    ways = known[template].ways(inputs, said)
    changed = [legal(type(inputs), inputs.model_dump() | way) for way in ways]
    assert changed, f"{where}: there is no way out"
    assert None not in changed, f"{where}: {ways} is no input"
    return template, changed


def mended(name: str, inputs: StageInputs, steps: int = 2) -> set[str]:
    """The refusals that were met: who does as they say, one after another, is not refused."""
    met: set[str] = set()
    if found := refusal(name, inputs):
        template, changed = told_to_do(name, inputs, REFUSALS.get(name, {}), found)
        met.add(template)
        for other in changed:
            again = refusal(name, other)
            assert steps or not again, f"{name} {other!r}: refused again: {again}"
            met |= mended(name, other, steps - 1) if again else set()
    return met


def lines(name: str, inputs: StageInputs) -> tuple[Any, list[str]]:
    """The inputs with the two letters that are shown, if any, and all that is said and written."""
    stage = find_stage(name)
    values = computed(name, inputs)
    shot = stage.shot(inputs, values)
    if hasattr(inputs, "x"):
        inputs = inputs.model_copy(update={"x": values.plane.x, "y": values.plane.y})
    return inputs, [shot.title, shot.question, *shot.notes, shot.caption]


def examine(name: str, inputs: StageInputs) -> set[str]:
    """The patterns that were met, of sentences and refusals. All that is told is so."""
    met = mended(name, inputs)
    if met:
        return met
    given, said = lines(name, inputs)
    return all_is_so(TRUTHS[name], given, said)


def test_every_stage_of_the_film_has_its_truths() -> None:
    stages = {name for name in stage_names() if name.startswith("caesar.")}
    assert stages == set(TRUTHS)
    assert not any(find_stage(name).claims for name in stages)


_SLOW = {"caesar.angle": 12, "caesar.theorem": 10, "caesar.learned": 4}


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    met = reached(examine, name, examples(name), drawn(name), _SLOW.get(name, 60))
    known = {*TRUTHS[name], *REFUSALS.get(name, {})}
    assert sorted(known - met) == []
