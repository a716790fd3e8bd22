"""Plays a stage to its end without drawing its frames, and compares what it shows to its values."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from clockhead.clips.drawing import manim_options
from clockhead.scenes.stage import Reading, Shot, Stage, StageInputs
from clockhead.scenes.stage.camera import StillCamera
from clockhead.scenes.stage.carry import BlindRenderer
from clockhead.scenes.style.text import Label

FRAMES = {"16:9": (160, 90), "4:3": (120, 90), "1:1": (90, 90), "9:16": (90, 160)}
"""Pixels. What is measured is measured in units, so few of them will do."""

MOMENT = 0.5
"""Seconds between the moments of a play that are looked at."""


def play(
    stage: type[Stage],
    shot: Shot | None = None,
    *,
    aspect: str = "16:9",
    on_play: Callable[[Stage], None] | None = None,
    on_beat: Callable[[Stage], None] | None = None,
    on_moment: Callable[[Stage], None] | None = None,
    renderer: BlindRenderer | None = None,
) -> Stage:
    """Run every play of `stage` to its end; `on_play` sees each of those moments.

    `on_beat` sees the end of each beat.

    `on_moment` sees the beginning of each play and moments within it, half a second apart.
    """
    width, height = FRAMES[aspect]
    options = {
        "dry_run": True,
        "pixel_width": width,
        "pixel_height": height,
        "frame_width": 8 * width / min(width, height),
        "frame_height": 8 * height / min(width, height),
        "frame_rate": 15,
    }
    with manim_options(**options):
        if renderer is None:
            renderer = BlindRenderer() if on_moment is None else MomentRenderer(on_moment)
        scene = stage(shot, on_play=on_play, on_beat=on_beat, renderer=renderer)
        scene.render()
    return scene


class MomentRenderer(BlindRenderer):
    """Shows moments of every play to whoever wants to see them, and draws none."""

    def __init__(self, on_moment: Callable[[Stage], None]) -> None:
        super().__init__(StillCamera)
        self._on_moment = on_moment

    def go_through(self, scene: Stage) -> None:
        moving, static = scene.get_moving_and_static_mobjects(scene.animations)
        scene.moving_mobjects, scene.static_mobjects = moving, static
        for moment in np.arange(0, scene.duration, MOMENT):
            scene.update_to_time(moment)
            self._on_moment(scene)
        super().go_through(scene)


def shown_labels(scene: Stage) -> list[Label]:
    """Every label and number that can be seen now."""
    family = [m for mobject in scene.mobjects for m in mobject.get_family()]
    return [m for m in family if isinstance(m, Label) and m.get_fill_opacity() > 0.05]


def known_numbers(stage: type[Stage], inputs: StageInputs, values: Any) -> np.ndarray:
    """Every number of the facts, the arrays and the inputs."""
    facts = [fact for fact in stage.facts_of(inputs, values).values() if not isinstance(fact, str)]
    arrays = [np.ravel(array) for array in stage.arrays(values).values()]
    given = [np.ravel(value) for value in inputs.model_dump().values()]
    numeric = [array for array in given if np.issubdtype(array.dtype, np.number)]
    return np.concatenate([np.array(facts, dtype=float), *arrays, *numeric]).astype(float)


def is_right(readings: Iterable[Reading]) -> bool:
    """Whether all that is read is what is meant."""
    return all(
        r.says == r.meant.content
        if isinstance(r.says, str)
        else abs(r.says - float(r.meant.content)) <= max(r.within, 1e-9)
        for r in readings
    )
