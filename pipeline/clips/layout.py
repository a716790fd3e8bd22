"""The layout check over whole films, in worker processes and without drawing a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.clips.clip import ClipJob, Failure
from pipeline.clips.jobs import default_workers, open_crew, run
from pipeline.clips.look import Look
from pipeline.clips.render import find_layout_problems, pack
from pipeline.storyboard.films import Film
from pipeline.storyboard.problems import Place, Problem
from pipeline.storyboard.resolved import ResolvedShot


def layout_failures(film: Film, look: Look, workers: int | None = None) -> list[Problem]:
    """What is crowded, cut off, tiny or faint, shot by shot."""
    found = check_layout(film.shots, look, workers)
    numbers = {shot.id: shot.number for shot in film.shots}
    return [
        Problem.at(Place(str(film.file), path=f"shots[{numbers[shot] - 1}] ({shot})"), problem)
        for shot, problem in found
    ]


def check_layout(
    shots: Sequence[ResolvedShot], look: Look, workers: int | None = None
) -> list[tuple[str, str]]:
    """What is crowded, cut off, tiny or faint: (shot id, problem), in the order of the shots."""
    jobs = {
        shot.id: pack(find_layout_problems, ClipJob(shot.stage, shot.shot, look)) for shot in shots
    }
    found: dict[str, tuple[str, ...]] = {}

    def keep(name: str, outcome: Any) -> None:
        found[name] = (outcome.reason,) if isinstance(outcome, Failure) else outcome

    with open_crew(workers or default_workers(), None, lambda *_: None) as crew:
        run(crew, jobs, keep)
    return [(shot.id, problem) for shot in shots for problem in found[shot.id]]
