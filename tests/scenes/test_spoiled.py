"""Pictures spoiled on purpose: each wrong drawing is found on a real stage.

A stage is played, and at the end of a play a part of it is drawn wrongly for a moment. The check
that every stage has to pass must notice. Parts are spoiled in all other ways in their own tests.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Stage, find_stage
from clockhead.scenes.stage.shown import is_visible, misread
from clockhead.scenes.vectors.space import Arrows, Space
from clockhead.scenes.vectors.space_marks import Bow, MeasuredPath, Shadow
from tests.scenes.parts.pictures import exchange
from tests.scenes.staging import play


def taller(part: Bars) -> None:
    """A bar scaled by 1.1 from its foot."""
    for path in part.paths:
        path.stretch(1.1, 1, about_edge=np.array([0.0, -1.0, 0.0]))


def exchanged(part: Strip) -> None:
    """Two different words in each other's place."""
    words = [tile.label for tile in part.tiles]
    exchange(words[0], next(word for word in words if word.text != words[0].text))


def other_names(part: Arrows) -> None:
    """The names of two arrows in each other's place."""
    exchange(part.arrows[0].label, part.arrows[3].label)


def another_fact(part: Readout) -> None:
    """The right words over the number of something else."""
    part.figure.number.set_value(part.figure.number.value / 2)


def longer(part: Arrows) -> None:
    """One arrow scaled by 1.1."""
    arrow = part.arrows[1]
    arrow.head.shift(0.1 * (arrow.head.points[0] - arrow.shaft.points[0]))


def shifted(part: MeasuredPath | Shadow) -> None:
    """A way somewhat to the right."""
    part.path.shift(np.array([0.1, 0.0, 0.0]))


def half_as_long(part: Shadow) -> None:
    part.bar.scale(0.5, about_point=part.bar.points[0].copy())


def twice_as_wide(part: Bow) -> None:
    part.path.points[-1] = part.path.points[len(part.path.points) // 2]


SPOILED: dict[str, tuple[str, type[Picture], Callable[[Any], None]]] = {
    "a bar scaled by 1.1": ("rope.aliasing", Bars, taller),
    "two labels exchanged": ("previous_token.riddle", Strip, exchanged),
    "the wrong fact beside the right words": ("previous_token.sharpness", Readout, another_fact),
    "two names exchanged": ("vectors.raters", Arrows, other_names),
    "two tokens exchanged": ("vectors.keys", Arrows, other_names),
    "an arrow scaled by 1.1": ("vectors.dot", Arrows, longer),
    "an arrow scaled by 1.1, seen from the side": ("vectors.distance", Arrows, longer),
    "a way shifted": ("vectors.distance", MeasuredPath, shifted),
    "a drop beside the line": ("vectors.dot", Shadow, shifted),
    "half a shadow": ("vectors.dot", Shadow, half_as_long),
    "another angle": ("vectors.cosine", Bow, twice_as_wide),
    "the circle scaled by 1.1": ("vectors.cosine", MeasuredPath, lambda part: part.path.scale(1.1)),
    "the grid squeezed": ("vectors.dot", Space, lambda part: part.grid.stretch(0.9, 0)),
    "the films exchanged": ("vectors.dot", Space, lambda part: exchange(*part.labels[:2])),
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_picture_is_noticed(what: str):
    assert any(noticed(*SPOILED[what]))


def noticed(name: str, kind: type[Picture], spoil: Callable[[Any], None]) -> list[bool]:
    """Whether the check notices a part that is spoiled, at the end of each play of a stage."""
    tried: list[bool] = []

    def look(scene: Stage) -> None:
        for part in _shown(scene, kind):
            assert misread(scene) == []
            pieces = [p for m in scene.mobjects for p in m.family_members_with_points()]
            kept = [(piece, piece.points.copy()) for piece in pieces]
            state = part.shown
            spoil(part)
            tried.append(bool(misread(scene)))
            for piece, points in kept:
                piece.points = points
            _restore(part, state)

    play(find_stage(name), on_play=look)
    return tried


def _shown(scene: Stage, kind: type[Picture]) -> list[Any]:
    """Parts of a kind that say something now."""
    seen = [m for mobject in scene.mobjects for m in mobject.get_family()]
    return [m for m in seen if isinstance(m, kind) and is_visible(m) and _says(m)][:1]


def _says(part: Picture) -> bool:
    inside: list[Mobject] = [part, *(m for m in part.get_family() if isinstance(m, Figure))]
    return any(True for piece in inside if isinstance(piece, Picture) for _ in piece.readings())


def _restore(part: Picture, shown: Any) -> None:
    """What a spoiled part says, drawn anew as it was."""
    if isinstance(part, Readout):
        part.figure.number.set_value(float(np.asarray(shown.content)))
