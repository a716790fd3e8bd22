"""Arrows of the film `induction`: both hops can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clockhead.scenes.stage import find_stage
from tests.scenes.staging import play


def covered_arrows(scene: Any) -> list[str]:
    """The names of arrows of which more than an end is behind tiles and notes."""
    tiles = scene.tiles.tiles
    over = [tile.box for tile in tiles] + [tile.note.frame for tile in tiles if tile.note]
    corners = [(box.points.min(axis=0)[:2], box.points.max(axis=0)[:2]) for box in over]
    found = []
    for hop in (*scene.first, *scene.second):
        points = hop.line.points[:, :2]
        behind = [((low < points) & (points < high)).all(axis=1) for low, high in corners]
        if len(points) and np.any(behind, axis=0).mean() > 0.05:
            found.append(hop.label.text)
    return found


@pytest.mark.parametrize("aspect", ["16:9", "1:1", "9:16"])
@pytest.mark.parametrize("name", ["match", "nonsense"])
def test_both_hops_can_be_seen(name: str, aspect: str) -> None:
    found: list[str] = []
    scene = play(
        find_stage(f"induction.{name}"),
        aspect=aspect,
        on_play=lambda scene: found.extend(covered_arrows(scene)),
    )
    assert found == []
    assert all(len(hop.line.points) for hop in (*scene.first, *scene.second))
