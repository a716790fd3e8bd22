"""Pictures spoiled on purpose: each wrong drawing is found on a real stage.

A stage is played, and at the end of a play a part of it is drawn wrongly for a moment. The check
that every stage has to pass must notice.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure, Readout
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.score_arcs import ScoreArcs
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Picture, Stage, find_stage
from clockhead.scenes.stage.shown import is_visible, misread
from tests.scenes.staging import play


def taller(part: Bars) -> None:
    """A bar scaled by 1.1 from its foot."""
    for path in part.paths:
        path.stretch(1.1, 1, about_edge=np.array([0.0, -1.0, 0.0]))


def mirrored(part: Hands) -> None:
    """Hands turned as far, the other way."""
    for piece in part.family_members_with_points():
        piece.stretch(-1, 0, about_point=part.get_center())


def a_row_further(part: Matrix) -> None:
    """A row's word beside the row under it."""
    part.row_labels[1].move_to(part.row_labels[2])


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


def to_a_neighbour(part: ScoreArcs) -> None:
    """Arcs that end one tile further on."""
    part.shift(np.array([0.45 * part.width, 0.0, 0.0]))


def upside_down(part: Matrix) -> None:
    """The first row at the foot."""
    part.rotate(np.pi, axis=np.array([1.0, 0.0, 0.0]))


def shaded_by_another(part: Matrix) -> None:
    """Every cell in the shade of the cell beside it."""
    part.show(np.roll(part.state, 1, axis=1))


def broader(part: Ribbons) -> None:
    """Ribbons one and a half times as wide as their shares."""
    part.stretch(1.5, 0)


SPOILED: dict[str, tuple[str, type[Picture], Callable[[Any], None]]] = {
    "a bar scaled by 1.1": ("rope.aliasing", Bars, taller),
    "hands turned the other way": ("rope.clock_hands", Hands, mirrored),
    "a label moved by one row": ("previous_token.look_back", Matrix, a_row_further),
    "two labels exchanged": ("previous_token.riddle", Strip, exchanged),
    "the wrong fact beside the right words": ("previous_token.sharpness", Readout, another_fact),
    "an arc to a neighbour": ("rope.word_order", ScoreArcs, to_a_neighbour),
    "a heat map upside down": ("previous_token.sub_diagonal", Matrix, upside_down),
    "cells shaded by others' values": ("previous_token.sub_diagonal", Matrix, shaded_by_another),
    "ribbons of another width": ("previous_token.copy_value", Ribbons, broader),
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
    elif isinstance(part, Matrix):
        part.show(np.asarray(shown.content, dtype=float))
