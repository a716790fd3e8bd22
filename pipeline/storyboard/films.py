"""Whole films, ready to be rendered: found, read, resolved, and fit to be made side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.storyboard.find import find_film
from pipeline.storyboard.formulas import FormulaChecker
from pipeline.storyboard.inputs import Setting, read_settings
from pipeline.storyboard.models import read_draft
from pipeline.storyboard.problems import Place, Problem, StoryboardError
from pipeline.storyboard.resolved import Context, Known, ResolvedShot, in_order
from pipeline.storyboard.source import read_source
from pipeline.storyboard.wording import unknown
from scenes.style.theme import ThemeName


@dataclass(frozen=True, slots=True)
class Film:
    """A film that can be rendered, if what it says holds."""

    name: str
    title: str
    credit: str
    file: Path
    shots: tuple[ResolvedShot, ...]

    @property
    def failures(self) -> tuple[Problem, ...]:
        """What the film says and what does not hold."""
        return tuple(failure for shot in self.shots for failure in shot.failures)


def load_films(
    wanted: Sequence[str],
    *,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    theme: ThemeName = "chalk",
) -> list[Film]:
    """Films by name or path, with `--set` and `--shot` applied. What they say need not hold.

    Raises:
        StoryboardError: with everything that is wrong with any of them.
    """
    films: list[Film] = []
    known = Known()
    overrides, problems = read_settings(settings)
    with FormulaChecker() as formulas:
        context = Context(overrides, theme, formulas, known)
        for one in dict.fromkeys(wanted):
            try:
                films.append(_load(one, context))
            except StoryboardError as error:
                problems.extend(error.problems)
    problems.extend(_namesakes(films))
    problems.extend(_unmet(known, overrides, only))
    if problems:
        raise StoryboardError(problems)
    chosen = [
        replace(film, shots=tuple(in_order([s for s in film.shots if s.id in only or not only])))
        for film in films
    ]
    return [film for film in chosen if film.shots]


def _load(wanted: str, context: Context) -> Film:
    try:
        file = find_film(wanted)
        tree = read_source(file)
    except StoryboardError:
        context.known.complete = False
        raise
    draft, problems = read_draft(tree)
    if problems and not draft.shots:
        context.known.complete = False
        raise StoryboardError(problems)
    from pipeline.storyboard.shots import resolve_shots  # which imports Manim

    shots, more = resolve_shots(tree, draft, context)
    if problems or more:
        raise StoryboardError([*problems, *more])
    return Film(file.stem, draft.title, draft.credit, file, tuple(shots))


def _namesakes(films: Sequence[Film]) -> Iterator[Problem]:
    """Films that would be written to the same place."""
    first: dict[str, Film] = {}
    for film in films:
        other = first.setdefault(film.name, film)
        if other is not film:
            message = f"{other.file} makes a film called {film.name} too; render one at a time"
            yield Problem.at(Place(str(film.file)), message)


def _unmet(known: Known, settings: Sequence[Setting], only: Sequence[str]) -> Iterator[Problem]:
    """Settings and `--shot` for which there is no shot."""
    if not known.complete:
        return
    for setting in settings:
        if setting.shot is not None and setting.shot not in known.shots:
            message = unknown("shot", setting.shot, list(known.shots))
            yield Problem.at(setting.given.place(), message)
        elif setting.shot is None and setting.name not in known.inputs:
            message = unknown("input", setting.name, list(known.inputs))
            yield Problem.at(setting.given.place(), message)
    for shot in only:
        if shot not in known.shots:
            message = unknown("shot", shot, list(known.shots))
            yield Problem.at(Place(f"--shot {shot}"), message)
