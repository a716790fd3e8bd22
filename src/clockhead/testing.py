"""For tests of stages of one's own: play a stage blindly and hear all that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clockhead.clips.render import layout_problems
from clockhead.libraries import HOME, home_around, use_home
from clockhead.look import ASPECTS, QUALITIES, Aspect, Look
from clockhead.scenes.stage import Stage, StageInputs, find_stage
from clockhead.scenes.stage.flaws import flaws_of
from clockhead.scenes.style.theme import THEMES, ThemeName
from clockhead.trust import admit

__all__ = ["ASPECTS", "THEMES", "problems_of", "stage_near"]


def stage_near(file: str | Path, name: str) -> type[Stage]:
    """The stage called `name` in the folder of one's own that a file, such as a test, is in.

    That folder counts as trusted here: whoever runs its tests runs what is in it.

    Raises:
        UnknownStage: when there is none.
        BrokenStage: when its module cannot be imported, or has no class of that name.
    """
    home = home_around(Path(file).resolve().parent)
    if home is not None:
        admit(home)
    with _at_home(home):
        return find_stage(name)


def problems_of(
    stage: type[Stage],
    inputs: StageInputs | None = None,
    *,
    aspect: Aspect = "16:9",
    theme: ThemeName = "chalk",
) -> list[str]:
    """What is wrong with a stage for these inputs, or for its defaults; nothing if all is well.

    What it says is tried out. Then it is played without drawing a frame, and at the end of every
    animation looked at: text that overlaps, is cut off, tiny or faint, and pictures that do not
    say what they stand for. What the stage claims of these inputs need not hold. An error of the
    stage's own code is raised as it is.
    """
    inputs = stage.Inputs() if inputs is None else inputs
    values = stage.compute(inputs)
    if flaws := flaws_of(stage, inputs, values):
        return [str(flaw) for flaw in flaws]
    shot = stage.shot(inputs, values, theme=theme)
    return list(layout_problems(stage, shot, Look(QUALITIES["l"], theme, aspect)))


@contextmanager
def _at_home(folder: Path | None) -> Iterator[None]:
    """Take one's own stages from a folder, and leave other tests their home."""
    before = os.environ.get(HOME)
    use_home(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[HOME]
        else:
            os.environ[HOME] = before
