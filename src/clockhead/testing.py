"""For tests of your own stages: play a stage without drawing it, and list its problems."""

from __future__ import annotations

from pathlib import Path

from clockhead.clips.examine import layout_problems
from clockhead.libraries import project_around, restore_project, use_project
from clockhead.look import ASPECTS, QUALITIES, Aspect, FilmLook
from clockhead.scenes.stage import Stage, StageInputs, find_stage
from clockhead.scenes.stage.flaws import flaws_of
from clockhead.scenes.style.theme import THEMES, ThemeName
from clockhead.trust import trust_in_process

__all__ = ["ASPECTS", "THEMES", "problems_of", "stage_near"]


def stage_near(file: str | Path, name: str) -> type[Stage]:
    """The stage `name` of the project in which a file, such as a test, is.

    The project counts as trusted here, since running its tests runs its code anyway.

    Raises:
        UnknownStage: if there is none.
        BrokenStage: if its module cannot be imported, or has no class of that name.
    """
    project = project_around(Path(file).resolve().parent)
    if project is not None:
        trust_in_process(project)
    with restore_project():
        use_project(project)
        return find_stage(name)


def problems_of(
    stage: type[Stage],
    inputs: StageInputs | None = None,
    *,
    aspect: Aspect = "16:9",
    theme: ThemeName = "chalk",
) -> list[str]:
    """The problems of a stage for these inputs, or for its defaults; empty if there are none.

    First all of its sentences are filled in. Then it is played without drawing, and the picture is
    checked at the end of every animation: for text that overlaps, is cut off, too small or too
    faint, for pictures that do not show their value, and at the end of beats for what they speak of
    and is small. Claims may fail for these inputs. Errors
    of the stage's own code are raised as they are.
    """
    inputs = stage.Inputs() if inputs is None else inputs
    values = stage.compute(inputs)
    if flaws := flaws_of(stage, inputs, values):
        return [str(flaw) for flaw in flaws]
    shot = stage.shot(inputs, values, theme=theme)
    problems, small = layout_problems(stage, shot, FilmLook(QUALITIES["l"], theme, aspect))
    return [*problems, *small]
