"""Jobs of the worker that renders: films and clips, made as `clockhead render` makes them.

The worker is kept, with its fork server, so Manim and the stages are imported once. A cancelled job
cleans up like an interrupted command, and the worker goes on. When sources were edited, the worker
has imported the old ones: the job returns None, and the server asks a new worker.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache

from rich.console import Console

from clockhead.clips.fingerprint import sources_fingerprint
from clockhead.clips.render import reason_of
from clockhead.interruption import ExitRequested
from clockhead.libraries import libraries, project_around, use_project
from clockhead.places import SOURCES
from clockhead.production import RenderOptions
from clockhead.production.produce import FilmResult, produce
from clockhead.production.progress import ShotProgress
from clockhead.scenes.stage import stage_names
from clockhead.storyboard.films import Film, read_film
from clockhead.storyboard.problems import LONGEST_REASON, problem_lines, sanitize
from clockhead.studio.messages import RenderJob, RenderResult
from clockhead.workers import RunningJob

Say = Callable[[str], None]


def warm_up(_: RunningJob) -> None:
    """Import all stages, and read all sources."""
    _sources_at_first()
    stage_names()  # which imports them
    sources_fingerprint()


def render(job: RunningJob, wanted: RenderJob) -> RenderResult | None:
    """Render the film or the clips, and report lines; None if a new process has to do it."""
    before = _sources_at_first()
    if (project := project_around(wanted.file.resolve().parent)) is not None:
        use_project(project)
    if _sources() != before:
        return None
    lines: list[str] = []
    try:
        film, failures = _read(wanted, lines.append)
        result = RenderResult()
        if film is not None:
            with job.interruptible():
                result = _render(wanted, film, job.report, lines.append)
    except ExitRequested:
        job.report("cancelled")
        return RenderResult()
    # An edit while clips are rendered makes them fail; that is not their shots' fault.
    if _sources() != before and not (result.film or result.clips):
        return None
    for line in lines:
        job.report(line)
    return replace(result, failures={**failures, **result.failures})


@cache
def _sources_at_first() -> frozenset[tuple[str, int, int]]:
    return _sources()


def _sources() -> frozenset[tuple[str, int, int]]:
    """Path, time of writing and size of every file of Clockhead and of all stages."""
    found = set()
    for top in dict.fromkeys([*SOURCES, *(library.stages for library in libraries())]):
        for place, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                path = os.path.join(place, name)  # noqa: PTH118 (many files, before every render)
                with suppress(OSError):
                    status = os.stat(path)  # noqa: PTH116
                    found.add((path, status.st_mtime_ns, status.st_size))
    return frozenset(found)


def _read(wanted: RenderJob, conclude: Say) -> tuple[Film | None, dict[int, str]]:
    """The film, with the shots to be rendered, and why others cannot be."""
    reading = read_film(wanted.file, wanted.data, wish=wanted.wish)
    film = reading.film
    if wanted.shots is not None:
        return _select_shots(film, wanted.shots)
    problems = [*reading.problems, *(film.failures if film else ())]
    for line in problem_lines(problems):
        conclude(line)
    return (None if problems else film), {}


def _render(wanted: RenderJob, film: Film, say: Say, conclude: Say) -> RenderResult:
    """Render; `say` takes lines of progress at once, and `conclude` those about the result."""
    options = RenderOptions(wanted.media, whole=wanted.shots is None)
    console = Console(file=_LineWriter(say), force_terminal=False, no_color=True)
    with ShotProgress(console) as progress:
        result = _produce(film, options, progress)
        failed, news = result.news()
        for line in (*failed, news):
            conclude(line)
        if wanted.shots is None:
            [*found] = (file.resolve() for file in result.files)
            return RenderResult(found[0] if found else None)
        return _clips(result, options, progress)


def _select_shots(film: Film | None, places: frozenset[int]) -> tuple[Film | None, dict[int, str]]:
    """A film of the shots at these places that can be rendered, and why the others cannot be.

    Each shot begins by itself, as its stills do.
    """
    shots = {shot.number - 1: shot for shot in film.shots} if film else {}
    failures = {
        place: "; ".join(failure.message for failure in shots[place].failures)
        if place in shots
        else "it cannot be read as it stands"
        for place in places
        if place not in shots or shots[place].failures
    }
    valid = [shots[place] for place in sorted(places - failures.keys())]
    alone = tuple(replace(shot, shot=replace(shot.shot, after=None)) for shot in valid)
    return (replace(film, shots=alone) if film and alone else None), failures


def _clips(result: FilmResult, options: RenderOptions, progress: ShotProgress) -> RenderResult:
    """The clips of a render; a clip that fails does not fail the others."""
    shots, found = result.film.shots, RenderResult()
    if result.files:
        places = [shot.number - 1 for shot in shots]
        found.clips.update(zip(places, (file.resolve() for file in result.files), strict=True))
    elif len(shots) == 1:
        reason = " ".join(result.problems).removeprefix(f"{shots[0].id}: ")
        found.failures[shots[0].number - 1] = sanitize(reason, LONGEST_REASON)
    else:  # those that succeeded are in the store by now
        for shot in shots:
            one = _produce(replace(result.film, shots=(shot,)), options, progress)
            single = _clips(one, options, progress)
            found.clips.update(single.clips)
            found.failures.update(single.failures)
    return found


def _produce(film: Film, options: RenderOptions, progress: ShotProgress) -> FilmResult:
    try:
        [result] = produce([film], options, progress)
    except Exception as error:
        reason = str(error) if isinstance(error, OSError) else reason_of(error)
        return FilmResult(film, options.media, [], problems=[reason])
    return result


class _LineWriter(io.StringIO):
    """A file that passes on every line that is written to it."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say
        self._begun = ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._say(line)
        return len(text)
