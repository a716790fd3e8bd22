"""Examine the pictures of shots and films in worker processes, without drawing a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clockhead.clips.clip import ClipJob, Failure, Report
from clockhead.clips.jobs import run_all
from clockhead.clips.scratch import scratch_directory

if TYPE_CHECKING:
    from clockhead.look import FilmLook
    from clockhead.scenes.stage import Shot, Stage
    from clockhead.scenes.stage.flaws import Flaw
    from clockhead.storyboard.films import Film
    from clockhead.storyboard.problems import Problem


@dataclass
class Examination:
    """What is wrong with the pictures of a film, and what to be warned of."""

    failures: list[Problem] = field(default_factory=list)
    """Layout problems and pictures that do not show their value."""
    small: list[Problem] = field(default_factory=list)
    """Things that beats speak of and that are small."""
    untranslated: list[Problem] = field(default_factory=list)
    """Words that are shown in English although the film is in another language."""


def examine_film(film: Film) -> Examination:
    """Examine all shots of a film, each in a worker process."""
    from clockhead.storyboard.problems import Problem

    jobs = {shot.id: ClipJob(shot.stage, shot.shot, film.look) for shot in film.shots}
    outcomes = run_all(examine_shot, jobs)
    found = Examination()
    for shot in film.shots:
        place = shot.place(film.file)
        outcome = outcomes[shot.id]
        if isinstance(outcome, Failure):
            found.failures.append(Problem.at(place, outcome.reason))
            continue
        problems, small, words = outcome
        found.failures += [Problem.at(place, text) for text in problems]
        found.small += [Problem.at(place, text) for text in small]
        found.untranslated += map(Problem.of, words)
    return found


def examine_shot(
    job: ClipJob, _: Report = lambda _: None
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Flaw, ...]]:
    """Examine one shot here: the problems of its pictures, what is small, untranslated words."""
    from clockhead.scenes.language import listening
    from clockhead.scenes.stage import find_stage
    from clockhead.scenes.stage.translations import missing_words

    with listening() as heard:
        problems, small = layout_problems(find_stage(job.stage), job.shot, job.look)
    after = job.shot.after  # its last picture is drawn too
    stages = map(find_stage, [job.stage, *([after.stage] if after else [])])
    return problems, small, tuple(missing_words(heard, job.shot.language, *stages))


def layout_problems(
    stage: type[Stage], shot: Shot, look: FilmLook
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is wrong with the pictures of a shot, and what they speak of that is small.

    Wrong is what is crowded, cut off, tiny or faint, at the end of every play and at moments within
    it, and a picture that does not show its value.
    """
    from clockhead.clips.drawing import manim_settings
    from clockhead.scenes.stage.carry import BlindRenderer
    from clockhead.scenes.stage.layout_check import DoubleExposures, FocusChecker, LayoutChecker
    from clockhead.scenes.stage.shown import misread

    with scratch_directory() as media, manim_settings(look, media, dry_run=True):
        checker, within, misreadings = LayoutChecker(), DoubleExposures(), dict[str, None]()
        focus = FocusChecker()

        def examine(playing: Stage) -> None:
            checker(playing)
            misreadings.update(dict.fromkeys(misread(playing)))

        renderer = BlindRenderer(on_moment=within)
        stage(shot, on_play=examine, on_beat=focus, renderer=renderer).render()
        return (*checker.problems, *within.problems, *misreadings), tuple(focus.problems)
