"""Arrows, ways, shadows and angles of the film `vectors`, spoiled, and names that keep apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.stage import find_stage
from clockhead.scenes.vectors.space import Arrows, Space
from clockhead.scenes.vectors.space_marks import Bow, MeasuredPath, Shadow
from tests.scenes.staging import play
from tests.scenes.test_spoiled import noticed

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
