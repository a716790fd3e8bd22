"""The layout check over whole films, in worker processes and without drawing a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clockhead.clips.clip import ClipJob, Examined, Failure
from clockhead.clips.jobs import default_workers, open_crew, run
from clockhead.clips.render import examine_shot, pack
from clockhead.look import Look
from clockhead.storyboard.films import Film
from clockhead.storyboard.problems import Place, Problem
from clockhead.storyboard.resolved import ResolvedShot


@dataclass(frozen=True, slots=True)
class Seen:
    """What is wrong with the pictures of a film."""

    failures: tuple[Problem, ...]
    """What is crowded, cut off, tiny or faint."""
    warnings: tuple[Problem, ...]
    """Words of the pictures that are in English and not in the language of the film."""


def look_over(film: Film, workers: int | None = None) -> Seen:
    """Examine a film, shot by shot."""
    found = _examine(film.shots, film.look, workers)
    places = {
        s.id: Place(str(film.file), path=f"shots[{s.number - 1}] ({s.id})") for s in film.shots
    }
    return Seen(
        tuple(Problem.at(places[id], text) for id, seen in found.items() for text in seen.problems),
        tuple(Problem.of(flaw) for seen in found.values() for flaw in seen.untranslated),
    )


def _examine(
    shots: Sequence[ResolvedShot], look: Look, workers: int | None = None
) -> dict[str, Examined]:
    """What is found in every shot, by its id, in the order of the shots."""
    jobs = {shot.id: pack(examine_shot, ClipJob(shot.stage, shot.shot, look)) for shot in shots}
    found: dict[str, Examined] = {}

    def keep(name: str, outcome: Any) -> None:
        failed = isinstance(outcome, Failure)
        found[name] = Examined((outcome.reason,), ()) if failed else outcome

    with open_crew(workers or default_workers(), None, lambda *_: None) as crew:
        run(crew, jobs, keep)
    return {shot.id: found[shot.id] for shot in shots}
