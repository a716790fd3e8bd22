"""Which way hands and rings turn in a play, and how far, read off the picture as it moves.

A hand that has turned by 350 degrees stands where one stands that has turned by -10: at the ends of
a play nothing tells them apart. So the turns are added up while it moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.caesar.rings import STEP, Rings
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.stage import Stage, StageInputs, Value, find_stage
from clockhead.scenes.stage.camera import StillCamera
from clockhead.scenes.stage.carry import BlindRenderer
from clockhead.scenes.stage.shown import Passing, is_visible
from tests.scenes.naming import parts_of, value_of
from tests.scenes.staging import play

Angles = NDArray[np.float64]
_APART = 1 / 90
"""Seconds between moments: the fastest hand turns by less than half a turn meanwhile."""
_SAME = 1e-3


class Fine(BlindRenderer):
    """Shows every play at moments so close together that no half turn is missed."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(StillCamera)
        self._watch = watch

    def go_through(self, scene: Any) -> None:
        moving, static = scene.get_moving_and_static_mobjects(scene.animations)
        scene.moving_mobjects, scene.static_mobjects = moving, static
        driven = (m for a in scene.animations for m in a.mobject.get_family())
        if any(isinstance(m, Hands | Rings) for m in driven):
            for moment in np.arange(0, scene.duration, _APART):
                scene.update_to_time(moment)
                self._watch.see(scene)
        super().go_through(scene)


@dataclass
class Turning:
    """How far each hand of a picture has turned since a play began."""

    part: Any
    start: Value
    last: Angles
    lengths: Angles
    total: Angles
    is_rigid: bool = True
    """Whether every hand has kept its length: it has turned, and was not moved otherwise."""


class Watch:
    """Adds up the turns of all hands from moment to moment."""

    def __init__(self) -> None:
        self.turns: dict[int, Turning] = {}
        self.wrong: dict[str, None] = {}

    def see(self, scene: Stage) -> None:
        for part in parts_of(scene):
            hands = hands_of(part)
            if hands is None:
                continue
            now, lengths = np.arctan2(hands[:, 0], hands[:, 1]), np.linalg.norm(hands, axis=1)
            known = self.turns.get(id(part))
            if known is None or known.last.shape != now.shape:
                self.turns[id(part)] = Turning(part, first_of(part), now, lengths, 0 * now)
                continue
            known.total += np.angle(np.exp(1j * (now - known.last)))
            known.last = now
            known.is_rigid &= bool(np.allclose(lengths, known.lengths, rtol=_SAME))

    def end(self, scene: Stage) -> None:
        """Compare what has turned in a play with the model."""
        self.see(scene)
        beat = scene.beats[-1].name if scene.beats else "opening"
        for turn in self.turns.values():
            self.wrong.update(dict.fromkeys(f"{beat}: {one}" for one in mistaken(scene, turn)))
        self.turns = {}
        self.see(scene)  # where the next play begins


def first_of(part: Any) -> Value:
    """The value from which a picture is on its way, if it is on one."""
    shown = part.shown
    return shown.start if isinstance(shown, Passing) else shown


def hands_of(part: Any) -> Angles | None:
    """From the hub to the end of each hand, or from the middle to the inner ring's a; (N, 2)."""
    if isinstance(part, Hands) and part.dials.placed and is_visible(part.blades):
        corners = part.blades.points.reshape(-1, 4, 4, 3)[:, :, 0]
        return np.asarray((corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3])[:, :2])
    if isinstance(part, Rings) and part.placed and is_visible(part.inner):
        return np.asarray((part.inner.labels[0].middle - part.middle)[None, :2])
    return None


def mistaken(scene: Stage, turn: Turning) -> Iterator[str]:
    """What a picture has turned by, if it is not what the model says."""
    part, end = turn.part, value_of(turn.part)
    if not turn.is_rigid or np.abs(turn.total).max() < _SAME:
        return
    due: list[Angles]
    if isinstance(part, Rings):
        due = [(end.array - turn.start.array).reshape(1) * STEP]
    elif part._angles:
        way = part_of(end, part) - part_of(turn.start, part)
        due = [way] if way.any() else [way + 2 * np.pi, way - 2 * np.pi]  # once round, to be seen
    else:
        due = list(turns_of_model(scene, part, turn.total))
    if not any(np.allclose(turn.total, one, atol=_SAME, rtol=_SAME) for one in due):
        told = ", ".join(f"{angle:.3g}" for angle in turn.total[:6])
        yield f"from {turn.start.name} to {end.name} the hands turn by {told} radians"


def part_of(value: Value, hands: Hands) -> Angles:
    """The angles of the hands that are shown."""
    return np.asarray(value.array[..., hands.dials.indices].ravel())


def turns_of_model(scene: Stage, hands: Hands, total: Angles) -> Iterator[Angles]:
    """Whole numbers of positions, each turning every pair by its frequency; per token's lane."""
    for path, array in scene.arrays(scene.values).items():
        if path == "phases" and array.shape == total.shape:
            yield from (array, -array)
        if path.rpartition(".")[2] != "frequencies" or len(array) != hands.dials.n:
            continue
        steps = np.asarray(array, dtype=float)[hands.dials.indices]
        lanes = total.reshape(-1, len(steps))
        positions = np.rint(lanes[:, :1] / steps[0])
        yield (positions * steps).ravel()


def mistaken_turns(name: str, inputs: StageInputs | None = None) -> list[str]:
    """All turns in a stage that do not go as the model says."""
    stage, watch = find_stage(name), Watch()
    shot = stage.shot(stage.Inputs() if inputs is None else inputs)
    play(stage, shot, on_play=watch.end, renderer=Fine(watch))
    return list(watch.wrong)
