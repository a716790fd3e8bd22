"""What the film `vectors` draws, held against formulas of its own, and its pictures spoiled.

A picture that was given the wrong value is right about it: `misread` finds nothing. Here it is read
off which numbers stand in which column under which word, and who is framed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.parts.cell_outlines import Outline
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.vectors.page import HeadedColumn, RatingsStage
from clockhead.scenes.vectors.space import Arrows, Space
from clockhead.scenes.vectors.space_marks import Bow, MeasuredPath, Shadow
from tests.scenes.showing import seen, watch
from tests.scenes.staging import play
from tests.scenes.test_spoiled import noticed
from tests.scenes.truths_vectors import People, dot, squared

RATINGS = ((3, -1, 2), (-4, 2, 0), (2, 2, 5), (5, -4, 1))
GIVEN: dict[str, Any] = {"ratings": RATINGS, "raters": "Zoe Yan Xu Wim"}
STAGES = ("raters", "distance", "dot", "cosine")


def people() -> People:
    return People(find_stage("vectors.distance").Inputs(**GIVEN))


def expected() -> dict[str, list[float]]:
    """What the columns say, by their words."""
    first, *_ = two = people().two
    lengths = [math.sqrt(dot(row, row)) for row in two]
    dots = [float(dot(first, row)) for row in two]
    return {
        "western": [float(row[2]) for row in RATINGS],
        "distance": [math.sqrt(squared(first, row)) for row in two],
        "dot product": dots,
        "cosine": [d / length / lengths[0] for d, length in zip(dots, lengths, strict=True)],
    }


def columns(scene: Stage) -> dict[str, list[float]]:
    """What each column that is seen says, by the word over it."""
    found = {}
    for column in seen(scene, HeadedColumn):
        area = column.lattice.region
        if not is_visible(column.head) or not column.opened.all():
            continue
        assert abs(column.head.middle[0] - area.center[0]) < 0.02
        assert 0 < column.head.middle[1] - area.top < 0.5
        found[column.head.text] = column.table[:, 0].tolist()
    return found


@pytest.mark.parametrize("name", STAGES)
def test_each_column_says_what_stands_over_it(name: str) -> None:
    last = list(watch("vectors", name, columns, **GIVEN).values())[-1][-1]
    assert all(last[word] == pytest.approx(expected()[word]) for word in last)
    assert len(last) == {"raters": 0, "distance": 1, "dot": 2, "cosine": 3}[name]


def test_the_third_film_stands_beside_the_others_for_a_moment() -> None:
    during = watch("vectors", "distance", columns, **GIVEN)["again"][-1]
    assert during["western"] == expected()["western"]


def framed(scene: Stage) -> dict[str, list[int]]:
    """The rows with a frame, by the word over their column."""
    found: dict[str, list[int]] = {}
    for outline in seen(scene, Outline):
        corners = outline.path.points.reshape(-1, 16, 3)
        middles = (corners.min(axis=1) + corners.max(axis=1)) / 2
        for column in seen(scene, HeadedColumn):
            area = column.lattice.region
            rows = [column.lattice.nearest(m)[0] for m in middles if area.left < m[0] < area.right]
            found.setdefault(column.head.text, []).extend(rows)
    return {word: sorted(rows) for word, rows in found.items() if rows}


def test_the_best_of_every_column_is_framed() -> None:
    last = list(watch("vectors", "cosine", framed, **GIVEN).values())[-1][-1]
    found = people()
    assert last == {
        "distance": found.nearest,
        "dot product": found.highest,
        "cosine": found.closest,
    }


def tips(scene: Stage) -> dict[str, tuple[float, float]]:
    """Where each name's arrow ends, by the grid as drawn."""
    return {
        arrow.label.text: arrows.space.measured(arrow.head.points[0])
        for arrows in seen(scene, Arrows)
        for arrow in arrows.arrows
    }


@pytest.mark.parametrize("name", STAGES[:3])
def test_every_arrow_ends_at_its_ratings_and_has_its_name(name: str) -> None:
    last = list(watch("vectors", name, tips, **GIVEN).values())[-1][-1]
    for rater, row in zip(people().names, people().two, strict=True):
        assert last[rater] == pytest.approx(row)


def test_all_arrows_become_equally_long_and_keep_their_way() -> None:
    last = watch("vectors", "cosine", tips, **GIVEN)["one"][-1]
    for rater, (x, y) in zip(people().names, people().two, strict=True):
        assert last[rater] == pytest.approx((x / math.hypot(x, y), y / math.hypot(x, y)))


def marks(scene: Stage) -> dict[str, list[float]]:
    """Numbers of the marks that are seen."""
    return {
        f"{type(mark).__name__} {mark.shown.name}": np.ravel(mark.state).tolist()
        for kind in (MeasuredPath, Shadow, Bow)
        for mark in seen(scene, kind)
        if is_visible(mark.path)
    }


def test_marks_are_those_of_the_sentences() -> None:
    found, ratings = people(), np.array(RATINGS, dtype=float)
    loud, first = found.two[found.loud], found.two[0]
    length = math.sqrt(dot(first, first))
    shadow = watch("vectors", "dot", marks, **GIVEN)["cast"][-1]
    assert shadow["Shadow loud_shadow"] == pytest.approx([dot(loud, first) / length])
    ways = watch("vectors", "distance", marks, **GIVEN)
    far = ratings[found.far]
    corner = [far[0], ratings[0][1], ratings[0][2]]
    end = [far[0], far[1], ratings[0][2]]
    assert ways["again"][-1]["MeasuredPath legs"] == [*ratings[0], *corner, *end]
    assert ways["again"][-1]["MeasuredPath straight"] == [*ratings[0], *end]
    assert ways["again"][-1]["MeasuredPath rise"] == [*ratings[0], *end, *far, *ratings[0]]
    bow = watch("vectors", "cosine", marks, **GIVEN)["quieter"][-1]
    cosine = dot(loud, first) / length / math.sqrt(dot(loud, loud))
    assert bow["Bow loud_angle"] == pytest.approx([math.degrees(math.acos(cosine))])


# Spoiled on purpose


def _exchanged(part: Arrows) -> None:
    """Two names in each other's place."""
    one, other = part.arrows[0].label, part.arrows[3].label
    here, there = one.middle.copy(), other.middle.copy()
    one.center_on(there)
    other.center_on(here)


def _longer(part: Arrows) -> None:
    """One arrow scaled by 1.1."""
    arrow = part.arrows[1]
    arrow.head.shift(0.1 * (arrow.head.points[0] - arrow.shaft.points[0]))


def _shifted(part: Mobject) -> None:
    """A way somewhat to the right."""
    part.path.shift(np.array([0.1, 0.0, 0.0]))  # type: ignore[attr-defined]


def _wider(part: Mobject) -> None:
    """A mark scaled by 1.1 from its middle."""
    part.path.scale(1.1)  # type: ignore[attr-defined]


def _closer(part: Space) -> None:
    """Lines of the grid at wrong numbers."""
    part.grid.stretch(0.9, 0)


def _other_film(part: Space) -> None:
    """The films in each other's place."""
    first, second = part.labels[:2]
    here, there = first.middle.copy(), second.middle.copy()
    first.center_on(there)
    second.center_on(here)


def _half_shadow(part: Shadow) -> None:
    """A shadow that is half as long."""
    start = part.bar.points[0].copy()
    part.bar.scale(0.5, about_point=start)


def _turned(part: Bow) -> None:
    """An angle twice as wide."""
    part.path.points[-1] = part.path.points[len(part.path.points) // 2]


SPOILED: dict[str, tuple[str, type[Any], Callable[[Any], None]]] = {
    "two names exchanged": ("raters", Arrows, _exchanged),
    "an arrow scaled by 1.1": ("dot", Arrows, _longer),
    "an arrow scaled by 1.1, seen from the side": ("distance", Arrows, _longer),
    "a way shifted": ("distance", MeasuredPath, _shifted),
    "the grid squeezed": ("dot", Space, _closer),
    "the films exchanged": ("dot", Space, _other_film),
    "half a shadow": ("dot", Shadow, _half_shadow),
    "a drop beside the line": ("dot", Shadow, _shifted),
    "another angle": ("cosine", Bow, _turned),
    "the circle scaled by 1.1": ("cosine", MeasuredPath, _wider),
    "two tokens exchanged": ("keys", Arrows, _exchanged),
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_picture_is_found(case: str) -> None:
    name, kind, spoil = SPOILED[case]
    assert any(noticed(f"vectors.{name}", kind, spoil))


def test_the_board_is_that_of_every_stage() -> None:
    assert all(issubclass(find_stage(f"vectors.{name}"), RatingsStage) for name in STAGES)


def names_on_the_circle(scene: Any) -> list[str]:
    """The names of arrows through which the circle passes, while it is there."""
    if scene.circle not in scene.mobjects or scene.circle.come < 1:
        return []
    points = scene.circle.path.points[:, :2]
    found = []
    for arrow in scene.arrows.arrows:
        low, high = (label_edge(arrow.label, way) for way in (-1, 1))
        if ((low < points) & (points < high)).all(axis=1).any():
            found.append(arrow.label.text)
    return found


def label_edge(label: Any, way: int) -> Any:
    points = label.points[:, :2]
    return points.min(axis=0) if way < 0 else points.max(axis=0)


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
def test_names_keep_off_the_unit_circle(aspect: str) -> None:
    found: list[str] = []
    look = lambda scene: found.extend(names_on_the_circle(scene))  # noqa: E731
    play(find_stage("vectors.cosine"), aspect=aspect, on_play=look)
    assert found == []


def test_the_column_of_distances_is_back_when_there_are_two_films_again() -> None:
    found = watch("vectors", "distance", lambda scene: scene.distance in scene.mobjects)
    assert found["squares"][-1]
    assert all(found["nearest"])
