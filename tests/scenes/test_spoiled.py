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
from tests.scenes.staging import play


def taller(part: Bars) -> None:
    """A bar scaled by 1.1 from its foot."""
    for path in part.paths:
        path.stretch(1.1, 1, about_edge=np.array([0.0, -1.0, 0.0]))


def exchanged(part: Strip) -> None:
    """Two different words in each other's place."""
    words = [tile.label for tile in part.tiles]
    first = words[0]
    other = next(word for word in words if word.text != first.text)
    here, there = first.get_center(), other.get_center()
    first.move_to(there)
    other.move_to(here)


def another_fact(part: Readout) -> None:
    """The right words over the number of something else."""
    part.figure.number.set_value(part.figure.number.value / 2)


SPOILED: dict[str, tuple[str, type[Picture], Callable[[Any], None]]] = {
    "a bar scaled by 1.1": ("rope.aliasing", Bars, taller),
    "two labels exchanged": ("previous_token.riddle", Strip, exchanged),
    "the wrong fact beside the right words": ("previous_token.sharpness", Readout, another_fact),
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
