"""Names of the film `vectors` that keep apart."""

from __future__ import annotations

from typing import Any

import pytest

from clockhead.scenes.stage import find_stage
from tests.scenes.staging import play


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
