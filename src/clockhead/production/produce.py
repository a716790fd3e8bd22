"""From resolved films to films on disk: render the missing clips, join and publish."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from clockhead.atomic import DiskFull
from clockhead.clips import scratch
from clockhead.clips.clip import Clip, ClipJob, CrewError, Failure
from clockhead.clips.fingerprint import clip_key
from clockhead.clips.jobs import default_workers, open_crew, run
from clockhead.clips.render import pack, render_clip
from clockhead.clips.sealed import clips_in, speech_in
from clockhead.clips.store import ClipStore
from clockhead.places import display_path
from clockhead.production import RenderOptions
from clockhead.production.folders import SHOTS, lock_film_folder, wait_for_cleaning
from clockhead.production.join import JoinError
from clockhead.production.manifest import (
    describe_recipe,
    frames_by_shot,
    is_current,
    manifest_text,
    read_manifest,
    storyboard_path,
)
from clockhead.production.progress import ShotProgress
from clockhead.production.publish import clip_name, film_files, publish, publish_clips
from clockhead.storyboard.films import Film
from clockhead.storyboard.formulas import formula_checker
from clockhead.storyboard.problems import LONGEST_REASON, count, sanitize
from clockhead.voice.speakers import VoiceError
from clockhead.voice.speech import ShotSpeech, speak


@dataclass
class FilmResult:
    """What a run made of a film."""

    film: Film
    folder: Path
    keys: list[str]
    files: list[Path] = field(default_factory=list)
    """The film, or the clips that were asked for; empty if it failed."""
    speech: list[ShotSpeech] = field(default_factory=list, repr=False)
    """The sound of each shot; empty if the film has no voice."""
    clips: list[Clip] = field(default_factory=list, repr=False)
    """A clip for each shot, if they were asked for; empty if the film failed."""
    rendered: int = 0
    """Number of shots that this run rendered."""
    problems: list[str] = field(default_factory=list)

    def news(self) -> tuple[list[str], str]:
        """A line for each problem, and a line that says how much was rendered."""
        name, shots = self.film.name, count(len(self.film.shots), "shot")
        ending = "" if self.files else "; the film is not made"
        failed = [f"{name}: {sanitize(problem, LONGEST_REASON)}" for problem in self.problems]
        return failed, f"{name}: {self.rendered} of {shots} rendered now{ending}"


def produce(
    films: Sequence[Film], options: RenderOptions, progress: ShotProgress
) -> list[FilmResult]:
    """Make films whose claims hold. A film that fails does not stop the others.

    Every rendered clip stays in the store, whatever happens: the next run goes on from there.
    """
    scratch.sweep()
    formula_checker().close()  # it would only take memory meanwhile
    with ExitStack() as locks:
        folders = {
            film.name: locks.enter_context(lock_film_folder(options.media, film, progress.say))
            for film in sorted(films, key=lambda film: film.name)
        }
        wait_for_cleaning(options.media)
        results = [_prepare(film, folders[film.name], options, progress) for film in films]
        due = [result for result in results if not result.problems and not result.files]
        for result in due if options.whole else ():
            _warn_of_replacement(result, progress)
        stock = _ClipStock(ClipStore(clips_in(options.media).directory))
        stock.fill(due, options, progress)
        for result in due:
            _finish(result, options, stock)
    return results


@dataclass
class _ClipStock:
    """The clips of the films of one run, by key."""

    store: ClipStore
    available: set[str] = field(default_factory=set)
    """Keys in the store. Clips are read film by film: many films need not fit into memory."""
    rendered: set[str] = field(default_factory=set)
    problems: dict[str, str] = field(default_factory=dict)
    """Why a clip is missing."""
    abort_reason: str = ""
    """Why no more clips could be rendered."""

    def fill(
        self, results: Sequence[FilmResult], options: RenderOptions, progress: ShotProgress
    ) -> None:
        """Find the clips of these films in the store, and render the others."""
        jobs: dict[str, ClipJob] = {}
        lengths: dict[str, int] = {}
        for result in results:
            film, manifest = result.film, _read_manifest(result)
            for key, shot in zip(result.keys, film.shots, strict=True):
                if key in self.available or self.store.get(key):
                    self.available.add(key)
                elif key not in jobs:
                    jobs[key] = ClipJob(shot.stage, shot.shot, film.look)
                    # A shot takes about as long as it takes to read its sentences.
                    texts = [shot.shot.question, *shot.shot.sentences, shot.shot.caption]
                    lengths[key] = sum(map(len, texts))
                    # The length of the shot's last clip is a good guess for the new one.
                    alone = (result.folder / clip_name(shot, SHOTS)).with_suffix(".json")
                    earlier = (
                        frames_by_shot(m).get(shot.id) for m in (manifest, read_manifest(alone))
                    )
                    total = next(filter(None, earlier), None)
                    progress.expect(key, f"{film.name}: {shot.id}", total)
        if not jobs:
            return
        looks = [result.film.look for result in results]
        workers = options.workers or default_workers(max(k.width * k.height for k in looks))
        try:
            longest_first = sorted(jobs, key=lambda key: -lengths[key])
            packed = {key: pack(render_clip, jobs[key]) for key in longest_first}
            with open_crew(workers, options.scheduler, progress) as crew:
                run(crew, packed, partial(self._keep, progress))
            self.store.prune()
        except (CrewError, OSError) as error:
            self.abort_reason = _reason(error)

    def _keep(self, progress: ShotProgress, key: str, outcome: Clip | Failure) -> None:
        """Store a clip, or why there is none."""
        progress.done(key, failed=isinstance(outcome, Failure))
        if isinstance(outcome, Failure):
            self.problems[key] = outcome.reason
            return
        self.store.put(key, outcome)
        self.available.add(key)
        self.rendered.add(key)


def _prepare(
    film: Film, folder: Path, options: RenderOptions, progress: ShotProgress
) -> FilmResult:
    """Speak a film if it has a voice, and see whether it is there already, whole and unchanged."""
    try:
        film, speech = speak(film, speech_in(options.media), progress.say)
    except VoiceError as error:
        return FilmResult(film, folder, [], problems=[str(error)])
    keys = [clip_key(ClipJob(shot.stage, shot.shot, film.look)) for shot in film.shots]
    result = FilmResult(film, folder, keys, speech=speech)
    if options.whole and not options.need_clips:
        recipe = json.loads(manifest_text(describe_recipe(film, keys)))
        if is_current(folder, _read_manifest(result), recipe, film_files(film)):
            result.files = [folder / f"{film.name}.mp4"]
    return result


def _warn_of_replacement(result: FilmResult, progress: ShotProgress) -> None:
    """Say that the film replaces that of another storyboard, which has the same name."""
    before = _read_manifest(result).get("file")
    if isinstance(before, str) and before != storyboard_path(result.film, result.folder):
        other = sanitize(display_path(result.folder / before), LONGEST_REASON)
        progress.say(
            f"{result.film.name}: this replaces the film of another storyboard, {other}; "
            "--name gives it a name of its own"
        )


def _read_manifest(result: FilmResult) -> dict[str, Any]:
    return read_manifest(result.folder / f"{result.film.name}.json")


def _finish(result: FilmResult, options: RenderOptions, stock: _ClipStock) -> None:
    """Publish a film or its clips, or say why not."""
    film, folder, keys = result.film, result.folder, result.keys
    result.rendered = len(stock.rendered.intersection(keys))
    result.problems = [
        f"{shot.id}: {stock.problems[key]}"
        for key, shot in zip(keys, film.shots, strict=True)
        if key in stock.problems
    ]
    missing = [key for key in keys if key not in stock.available]
    if stock.abort_reason and len(missing) > len(result.problems):
        result.problems.append(stock.abort_reason)
    if missing:
        return
    clips = [clip for key in keys if (clip := stock.store.get(key))]
    if len(clips) < len(keys):
        result.problems.append("some of its clips were removed meanwhile; render it again")
        return
    try:
        if options.whole:
            publish(film, keys, clips, folder, result.speech)
            result.files = [folder / f"{film.name}.mp4"]
        else:
            result.files = publish_clips(film, keys, clips, folder, result.speech)
    except (JoinError, OSError) as error:
        result.problems.append(_reason(error))
    result.clips = clips if options.need_clips else []


def _reason(error: Exception) -> str:
    return str(error.strerror if isinstance(error, DiskFull) else error)
