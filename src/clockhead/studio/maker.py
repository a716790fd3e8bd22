"""Films and clips of storyboards as they stand, made as `clockhead render` makes them.

Importing this imports all that rendering needs.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from rich.console import Console

from clockhead.clips.fingerprint import project_fingerprint
from clockhead.clips.render import reason_of
from clockhead.production import RenderOptions
from clockhead.production.produce import FilmResult, produce
from clockhead.production.progress import ShotProgress
from clockhead.scenes.stage import stage_names
from clockhead.storyboard.films import Film, read_film
from clockhead.storyboard.formulas import FormulaChecker
from clockhead.storyboard.problems import LONGEST_REASON, problem_lines, sanitize
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.studio.news import Made, Make

Say = Callable[[str], None]


class Maker:
    """Makes one thing after another; `failures` of shots are by their places in the file."""

    def __init__(self) -> None:
        self._formulas = FormulaChecker()
        stage_names()  # which imports them
        project_fingerprint()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._formulas.close()

    def read(self, make: Make, conclude: Say) -> tuple[Film | None, dict[int, str]]:
        """The film, with the shots that are to be rendered, and why others cannot be."""
        reading = read_film(make.file, make.data, wish=make.wish, formulas=self._formulas)
        film = reading.film
        if make.shots is not None:
            return _some_of(film, make.shots)
        problems = [*reading.problems, *(film.failures if film else ())]
        for line in problem_lines(problems):
            conclude(line)
        return (None if problems else film), {}

    def make(self, make: Make, film: Film, say: Say, conclude: Say) -> Made:
        """Render it; `say` takes how it goes on at once, and `conclude` what came of it."""
        options = RenderOptions(make.media, whole=make.shots is None)
        with ShotProgress(_console(say)) as progress:
            result = _produce(film, options, progress)
            _tell(result, conclude)
            if make.shots is None:
                [*found] = (file.resolve() for file in result.files)
                return Made(make.number, found[0] if found else None)
            return _clips(make.number, result, options, progress)


def _some_of(film: Film | None, places: frozenset[int]) -> tuple[Film | None, dict[int, str]]:
    """The film of those shots that can be rendered, and why the others cannot be."""
    shots = {shot.number - 1: shot for shot in film.shots} if film else {}
    failures = {
        place: "; ".join(failure.message for failure in shots[place].failures)
        if place in shots
        else "it cannot be read as it stands"
        for place in places
        if place not in shots or shots[place].failures
    }
    sound = tuple(_alone(shots[place]) for place in sorted(places - failures.keys()))
    return (replace(film, shots=sound) if film and sound else None), failures


def _clips(number: int, result: FilmResult, options: RenderOptions, progress: ShotProgress) -> Made:
    """What there is of the clips. One that fails does not take the others with it."""
    shots, made = result.film.shots, Made(number)
    if result.files:
        places = [shot.number - 1 for shot in shots]
        made.clips.update(zip(places, (file.resolve() for file in result.files), strict=True))
    elif len(shots) == 1:
        reason = " ".join(result.problems).removeprefix(f"{shots[0].id}: ")
        made.failures[shots[0].number - 1] = sanitize(reason, LONGEST_REASON)
    else:  # those that are well are in the store by now
        for shot in shots:
            one = _produce(replace(result.film, shots=(shot,)), options, progress)
            found = _clips(number, one, options, progress)
            made.clips.update(found.clips)
            made.failures.update(found.failures)
    return made


def _produce(film: Film, options: RenderOptions, progress: ShotProgress) -> FilmResult:
    try:
        [result] = produce([film], options, progress)
    except Exception as error:
        said = str(error) if isinstance(error, OSError) else reason_of(error)
        return FilmResult(film, options.media, [], problems=[said])
    return result


def _tell(result: FilmResult, conclude: Say) -> None:
    failed, news = result.news()
    for line in (*failed, news):
        conclude(line)


def _alone(shot: ResolvedShot) -> ResolvedShot:
    """A shot that begins by itself, as its stills do."""
    return replace(shot, shot=replace(shot.shot, after=None))


def _console(say: Say) -> Console:
    return Console(file=_Lines(say), force_terminal=False, no_color=True)


class _Lines(io.StringIO):
    """A file that hands on every line that is written to it."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say
        self._begun = ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._say(line)
        return len(text)
