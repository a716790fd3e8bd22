"""Strokes, texts and plays of the film `convolution`."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from clockhead.scenes.stage import find_stage
from tests.scenes.staging import play
from tests.scenes.truths_convolution import (
    FILM,
    scores,
)


def test_every_crooked_stroke_brings_the_scores_closer() -> None:
    kind = find_stage("convolution.classify").Inputs
    strokes = [
        columns
        for columns in product(range(5), repeat=5)
        if {1} <= {abs(a - b) for a, b in pairwise(columns)} <= {0, 1}
    ]
    assert len(strokes) > 200
    for columns in strokes:
        rows = " ".join("0" * k + "1" + "0" * (4 - k) for k in columns)
        one, other = scores(kind(image=rows))
        assert one - other < 24


@given(st.lists(st.sampled_from("abcdef"), min_size=5, max_size=12))
def test_no_text_is_taken_whose_answer_one_window_holds(letters: list[str]) -> None:
    """Else nothing would fade in `find`, where the windows of the other layers go."""
    stage = find_stage("convolution.content")
    try:
        inputs = stage.Inputs(text=" ".join(letters))
    except ValidationError:
        return
    assert stage.compute(inputs).text.layers > 1


@pytest.mark.parametrize("name", FILM.names)
def test_what_changes_is_drawn_anew(name: str) -> None:
    """What a play does not list as moving is drawn once, so it must not change meanwhile."""
    before: dict[str, Any] = {}
    wrong = list[str]()

    def look(scene: Any) -> None:
        moving = {id(m) for one in scene.moving_mobjects for m in one.get_family()}
        family = {id(m): m for one in scene.mobjects for m in one.get_family()}
        now = {k: m.points.copy() for k, m in family.items() if k not in moving}
        if scene.animations[0] is before.get("play"):
            stale = [k for k in now if not np.array_equal(now[k], before["points"].get(k, now[k]))]
            wrong.extend(f"{scene.beats[-1].name}: {family[k]}" for k in stale)
        before.update(play=scene.animations[0], points=now)

    stage = find_stage(name)
    play(stage, stage.shot(stage.Inputs()), on_moment=look)
    assert wrong == []
