"""What the film `convolution` draws, held against the formulas of its truths."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pydantic import ValidationError

from clockhead.scenes.convolution.stencil import Stencil
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import find_stage
from tests.scenes.showing import numbers_in, seen, watch
from tests.scenes.staging import play
from tests.scenes.truths_convolution import (
    FILM,
    leader,
    names,
    overlap,
    picture,
    pooled,
    scores,
    sums,
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


def played(name: str, **given: Any) -> Any:
    stage = find_stage(f"convolution.{name}")
    return play(stage, stage.shot(stage.Inputs(**given)))


LARGE = {"image": "0123456 1100000 0010200 0000000 9999999 0101010"}


@pytest.mark.parametrize("given", [{}, LARGE])
def test_the_copy_is_compared_where_it_lies(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.pixels").Inputs(**given)
    stages = watch(
        "convolution", "pixels", lambda s: (s.image.table.copy(), s.score.state), **given
    )
    [*_, (moved, score)] = stages["move"]
    assert_array_equal(moved, picture(inputs, 1))
    assert float(score) == overlap(inputs, 1)
    assert_array_equal(stages["name"][-1][0], picture(inputs))


@pytest.mark.parametrize("given", [{}, LARGE])
def test_cards_lie_on_the_window_whose_sum_they_add_up(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.walk").Inputs(**given)
    table = sums(picture(inputs), inputs.first)

    def look(scene: Any) -> Iterator[Any]:
        for cards in seen(scene, Stencil):
            if len(cards.window.points):
                low = cards.window.points.min(axis=0)
                row, column = scene.image.lattice.at(low[:2])
                yield round(row - 2.5), round(column + 0.5), scene.map.opened.copy()

    for frames in watch("convolution", "walk", lambda s: list(look(s)), **given).values():
        for [(i, j, opened)] in filter(None, frames):
            assert 0 <= i < len(table)
            assert 0 <= j < len(table[0])
            assert set(np.argwhere(opened)[:, 0].tolist()) <= set(range(i + 1))
    scene = played("walk", **given)
    assert_allclose(scene.map.table, table, atol=1e-12)
    assert scene.map.opened.all()


@pytest.mark.parametrize("given", [{}, LARGE])
def test_maps_are_rectified_and_pooled(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.pool").Inputs(**given)
    scene = played("pool", **given)
    lanes = (scene.lane, inputs.first), (scene.other, inputs.second)
    for (lane, weights), name in zip(lanes, names(inputs), strict=True):
        assert [head.text for head in lane.heads] == [name, "feature map", "pooled"]
        for head, matrix in zip(lane.heads, lane.matrices, strict=True):
            assert_allclose(head.middle[0], matrix.lattice.region.center[0], atol=1e-6)
        assert_allclose(lane.map.table, np.maximum(sums(picture(inputs), weights), 0), atol=1e-12)
        assert_allclose(lane.pool.table.ravel(), pooled(picture(inputs), weights), atol=1e-12)
        assert lane.pool.opened.all()


@pytest.mark.parametrize("given", [{}, LARGE])
def test_stacks_are_what_the_filters_found(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.classify").Inputs(**given)
    stages = watch("convolution", "classify", lambda s: seen(s, Stacks), **given)
    [stacks] = stages["add up"][-1]
    assert_allclose(stacks.state.sum(axis=1), scores(inputs))
    scene = played("classify", **given)
    lead = scores(inputs)[0] - scores(inputs)[1]
    share = 1 / (1 + math.exp(-min(lead, 700)))
    assert_allclose([one.state for one in scene.shares], [share, 1 - share], atol=1e-12)
    for k, (power, found) in enumerate(zip(scene.powers, scores(inputs), strict=True)):
        [number] = numbers_in(power)
        assert math.isclose(float(number.text), found, rel_tol=6e-4)
        for part in (power, scene.shares[k]):
            assert_allclose(part.get_x(), scene.chart.x.at(k), atol=0.02)
    assert [label.text for label in scene.chart.x.labels] == list(names(inputs))
    assert [head.text for head in scene.heads] == list(names(inputs))


@pytest.mark.parametrize("given", [{}, LARGE])
def test_bars_say_what_is_left_at_each_place(given: dict[str, Any]) -> None:
    inputs = find_stage("convolution.shifted").Inputs(**given)
    scene, k = played("shifted", **given), leader(inputs)
    reach = len(picture(inputs)[0]) // 2
    due = [scores(inputs, step)[k] for step in range(-reach, reach + 1)]
    assert_allclose(scene.bars.state, due, atol=1e-9)
    labels = [int(label.text.replace("−", "-")) for label in scene.chart.x.labels[: len(due)]]
    assert labels == list(range(-reach, reach + 1))
    assert_array_equal(scene.image.table, picture(inputs))
    assert scene.say_of("{net.answer}") == names(inputs)[k]


@pytest.mark.parametrize("given", [{}, LARGE])
def test_sums_are_made_of_the_pixels_and_weights_that_fly(given: dict[str, Any]) -> None:
    scene = played("walk", **given)
    for stop, line in enumerate(scene.sums):
        assert line.spot == (stop, 0)
        left, right = line.factors
        for k in range(9):
            pixel = scene.image.cell(k // 3, stop + k % 3)
            assert left.cell(stop, k) == right.cell(k, 0) == pixel


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
