"""What the shots about V and O and about chances show, beat by beat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.scenes.caesar.folded import Folded
from clockhead.scenes.caesar.learned import Learned
from clockhead.scenes.caesar.posterior import Posterior
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Stage
from clockhead.scenes.stage.shown import is_visible, misread
from clockhead.scenes.style.layout import Region
from tests.scenes.staging import play
from tests.scenes.truths_caesar import UNITS, Believed

LOGS = {"16:9": Region(-6.5, -3.0, 6.5, 1.5), "9:16": Region(-3.4, -5.0, 3.4, 5.0)}


def beats(kind: type[Stage], look: Callable[[Any], Any], **given: Any) -> dict[str, Any]:
    """What is to be seen at the end of every beat."""
    seen: dict[str, Any] = {}

    def at_end(stage: Stage) -> None:
        assert misread(stage) == []
        if stage.beats:
            seen[stage.beats[-1].name] = look(stage)

    play(kind, kind.shot(kind.Inputs(**given)), on_play=at_end)
    return seen


# V and O

_MEANS = np.array([[0, 1, 0], [1 / 2, 1 / 2, 0], [1 / 3, 2 / 3, 0]])
_X = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0]])
_V = np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]])


def test_what_v_and_o_make_of_the_word() -> None:
    def look(stage: Folded) -> Any:
        signs = [sign.text.replace(" ", "").strip("$") for sign in stage.signs]
        return signs, stage.x.state.copy(), stage.out.state.copy()

    due = {
        "count": (["A", "X", "AX"], _X, _MEANS),
        "values": (["A", "XV", "AXV"], _X @ _V, _MEANS @ _V),
        "output": (["A", "XV", "AXVO"], _X @ _V, _MEANS),
        "fold": (["A", "X", "AXVO"], _X, _MEANS),
        "end": (["A", "X", "AX"], _X, _MEANS),
    }
    seen = beats(Folded, look)
    assert list(seen) == [*due, "added"]
    for name, (signs, x, out) in due.items():
        assert seen[name][0] == signs, name
        np.testing.assert_allclose(seen[name][1], x, err_msg=name)
        np.testing.assert_allclose(seen[name][2], out, atol=1e-9, err_msg=name)


def test_v_and_o_become_one_matrix_that_changes_nothing() -> None:
    def look(stage: Folded) -> Any:
        family = [m for mobject in stage.mobjects for m in mobject.get_family()]
        signed = [m for m in family if isinstance(m, Matrix) and m.ramp.negative]
        own = [m for m in signed if is_visible(m) and m not in stage.product.matrices]
        return [m is stage.v.matrix for m in own], own[0].state.copy() if own else None

    is_v, state = beats(Folded, look)["end"]
    assert is_v == [True]
    np.testing.assert_array_equal(state, np.eye(3))


@pytest.mark.parametrize("word", ["ab", "abca"])
def test_the_word_stands_over_its_rows(word: str) -> None:
    stage = play(Folded, Folded.shot(Folded.Inputs(word=word)))
    assert stage.message.text == word
    assert [label.text for label in stage.product.left.row_labels] == list(word)


# How sure it may be


@pytest.mark.parametrize(("text", "rotation"), [("meet me at ten", 3), ("e", 0), ("q j x", 25)])
def test_bars_are_chances_after_all_characters(text: str, rotation: int) -> None:
    told = Believed(text, rotation)
    powers = np.exp(np.array(told.scores) / 1e5 / told.n)

    def look(stage: Posterior) -> Any:
        return stage.scores.state.copy(), stage.most.state.copy()

    seen = beats(Posterior, look, text=text, rotation=rotation)
    np.testing.assert_allclose(seen["level"][0], powers / powers.sum())
    np.testing.assert_allclose(seen["first"][0], told.chances[1])
    for name in ("ended", "believed"):
        np.testing.assert_allclose(seen[name][0], told.chances[-1], atol=1e-12)
        assert float(seen[name][1]) == pytest.approx(max(told.chances[-1]))


def test_only_who_leads_alone_is_named() -> None:
    named = play(Posterior, Posterior.shot(Posterior.Inputs(text="meet me at ten")))
    assert float(named.found.state) == cryptogram("meet me at ten", 7).rotation
    tied = play(Posterior, Posterior.shot(Posterior.Inputs(text="an")))
    assert not hasattr(tied, "found")


def test_a_chance_is_never_all_there_is() -> None:
    stage = play(Posterior)
    assert stage.most.figure.number.text == stage.found.score.number.text == "> 99.9%"


# Which numbers would be learned


def test_frequencies_become_roots_and_these_logarithms() -> None:
    frequencies = np.array(UNITS) / 1e5
    heights: list[np.ndarray] = []

    def look(stage: Learned) -> None:
        if not stage.beats or stage.beats[-1].name in ("frequencies", "roots", "logarithms"):
            heights.append(stage.numbers.state.copy())

    play(Learned, on_play=look)
    known = [frequencies, np.sqrt(frequencies), np.log(frequencies)]
    due = [(x - x.mean()) / x.std() for x in known]
    steps = [int(np.argmin([np.abs(h - one).max() for one in due])) for h in heights]
    assert list(dict.fromkeys(steps)) == [0, 1, 2]
    for height, step in zip(heights, steps, strict=True):
        np.testing.assert_allclose(height, due[step], atol=1e-9)
