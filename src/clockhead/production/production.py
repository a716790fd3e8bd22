"""From resolved films to films on disk: what is missing is rendered, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from clockhead.clips import scratch
from clockhead.clips.atomic import DiskFull
from clockhead.clips.clip import Clip, ClipJob, Failure
from clockhead.clips.fingerprint import clip_key, likeness
from clockhead.clips.jobs import CrewError, default_workers, open_crew
from clockhead.clips.parts import PartsProgress, render_in_parts
from clockhead.clips.shelf import clips_in, speech_in
from clockhead.clips.store import ClipStore
from clockhead.places import display_path
from clockhead.production.cleaning import let_cleaners_finish
from clockhead.production.folder import SHOTS
from clockhead.production.join import JoinError
from clockhead.production.manifest import (
    describe_recipe,
    frames_told,
    is_current,
    keys_told,
    read_manifest,
    source_of,
    write_out,
)
from clockhead.production.order import Order
from clockhead.production.progress import ShotProgress
from clockhead.production.publish import (
    clip_name,
    film_files,
    film_folder,
    publish,
    publish_clips,
)
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.storyboard.wording import LONGEST_REASON, count, harmless
from clockhead.voice.speakers import VoiceError
from clockhead.voice.speech import ShotSpeech, SpeechStore, speak

_EARLIER = 200_000_000
"""Bytes of earlier clips that are held for shots that have something in common with them."""


@dataclass
class Product:
    """What became of a film."""

    film: Film
    folder: Path
    keys: list[str]
    files: list[Path] = field(default_factory=list)
    """The film, or the clips that were asked for; empty when it failed."""
    speech: list[ShotSpeech] = field(default_factory=list, repr=False)
    """What is heard in each shot; empty when the film is silent."""
    clips: list[Clip] = field(default_factory=list, repr=False)
    """One for each shot, where they were to be at hand; empty when the film failed."""
    rendered: int = 0
    """How many of its shots were rendered now."""
    problems: list[str] = field(default_factory=list)

    def news(self) -> tuple[list[str], str]:
        """What failed, a line each, and how much was rendered."""
        name, shots = self.film.name, count(len(self.film.shots), "shot")
        ending = "" if self.files else "; the film is not made"
        failed = [f"{name}: {harmless(problem, LONGEST_REASON)}" for problem in self.problems]
        return failed, f"{name}: {self.rendered} of {shots} rendered now{ending}"


def produce(films: Sequence[Film], order: Order, progress: ShotProgress) -> list[Product]:
    """Make films. One that fails does not keep the others from being made.

    What was rendered stays in the store whatever happens, and the next run goes on from there.
    Films whose claims do not hold are not to be given to this.
    """
    scratch.sweep()
    with ExitStack() as held:
        folders = {
            film.name: held.enter_context(film_folder(order.media, film, progress.say))
            for film in sorted(films, key=lambda film: film.name)
        }
        let_cleaners_finish(order.media)
        products = [_begun(film, folders[film.name], order, progress) for film in films]
        due = [one for one in products if not one.problems and not _is_done(one, order)]
        for product in due if order.whole else ():
            _tell_whose_place(product, progress)
        stock = _Stock(ClipStore(clips_in(order.media).directory))
        stock.fill(due, order, progress)
        for product in due:
            _finish(product, order, stock)
    return products


@dataclass
class _Stock:
    """The clips that the films of one run are made of, by key."""

    store: ClipStore
    there: set[str] = field(default_factory=set)
    """Those that the store has. They are read film by film: many films may be more than fit."""
    rendered: set[str] = field(default_factory=set)
    problems: dict[str, str] = field(default_factory=dict)
    """Why a clip is missing."""
    calamity: str = ""
    """Why no more clips could be made."""

    def fill(self, due: Sequence[Product], order: Order, progress: ShotProgress) -> None:
        """Find the clips of these films in the store, and render the rest."""
        jobs: dict[str, ClipJob] = {}
        length: dict[str, int] = {}
        room = _EARLIER
        for product in due:
            film, made = product.film, _manifest(product)
            for key, shot in zip(product.keys, film.shots, strict=True):
                if key in self.there or self.store.get(key):
                    self.there.add(key)
                elif key not in jobs:
                    job = ClipJob(shot.stage, shot.shot, film.look)
                    earlier, frames = self._before(made, product.folder, shot, job)
                    if earlier and len(earlier.video) > room:
                        earlier = None
                    room -= len(earlier.video) if earlier else 0
                    jobs[key] = replace(job, earlier=earlier)
                    length[key] = _length(shot)
                    progress.expect(key, f"{film.name}: {shot.id}", frames)
        try:
            looks = [product.film.look for product in due]
            pixels = max((look.width * look.height for look in looks), default=0)
            if jobs:
                self._render(jobs, length, order, progress, pixels)
        except (CrewError, OSError) as error:
            self.calamity = _said(error)

    def _render(
        self,
        jobs: Mapping[str, ClipJob],
        lengths: Mapping[str, int],
        order: Order,
        progress: ShotProgress,
        pixels: int,
    ) -> None:
        def keep(key: str, outcome: Any) -> None:
            progress.done(key, failed=isinstance(outcome, Failure))
            if isinstance(outcome, Failure):
                self.problems[key] = outcome.reason
                return
            self.store.put(key, outcome)
            self.there.add(key)
            self.rendered.add(key)

        workers = order.workers or default_workers(pixels)
        with open_crew(workers, order.scheduler, PartsProgress(progress)) as crew:
            render_in_parts(crew, jobs, lengths, keep)
        self.store.prune()

    def _before(
        self, made: Mapping[str, Any], folder: Path, shot: ResolvedShot, job: ClipJob
    ) -> tuple[Clip | None, int | None]:
        """The clip that the shot was when it was last made, if this one can be like it, and how
        long it was: a good guess at how long it will be. `made` is the film's manifest."""
        alone = folder / clip_name(shot, SHOTS)
        manifests = [made, read_manifest(alone.with_suffix(".json"))]
        keys = [keys_told(manifest).get(shot.id) for manifest in manifests]
        clips = filter(None, (self.store.get(key) for key in keys if key))
        earlier = next((clip for clip in clips if clip.likeness == likeness(job)), None)
        frames = [frames_told(manifest).get(shot.id) for manifest in manifests]
        return earlier, next(filter(None, frames), None)

    def clips_of(self, product: Product) -> list[Clip]:
        """The clips of a film; fewer than it has shots where some are missing."""
        found = (self.store.get(key) for key in product.keys if key in self.there)
        return [clip for clip in found if clip]


def _begun(film: Film, folder: Path, order: Order, progress: ShotProgress) -> Product:
    """A film that has been spoken, if it is to be and can be, and is yet to be drawn."""
    try:
        film, speech = speak(film, SpeechStore(speech_in(order.media).directory), progress.say)
    except VoiceError as error:
        return Product(film, folder, [], problems=[str(error)])
    return Product(film, folder, _keys(film), speech=speech)


def _keys(film: Film) -> list[str]:
    return [clip_key(ClipJob(shot.stage, shot.shot, film.look)) for shot in film.shots]


def _is_done(product: Product, order: Order) -> bool:
    """Whether the film is there already, whole and unchanged."""
    film, folder = product.film, product.folder
    if order.whole and not order.anew:
        recipe = json.loads(write_out(describe_recipe(film, product.keys)))
        if is_current(folder, _manifest(product), recipe, film_files(film)):
            product.files = [folder / f"{film.name}.mp4"]
    return bool(product.files)


def _tell_whose_place(product: Product, progress: ShotProgress) -> None:
    """Say that the film replaces one of another storyboard, which has the same name."""
    before = _manifest(product).get("file")
    if isinstance(before, str) and before != source_of(product.film, product.folder):
        name = product.film.name
        other = harmless(display_path(product.folder / before), LONGEST_REASON)
        progress.say(
            f"{name}: this replaces the film of another storyboard, {other}; "
            "--name gives it a name of its own"
        )


def _length(shot: ResolvedShot) -> int:
    """Of all that is said in a shot, in characters: it lasts about as long as that is read."""
    told = shot.shot
    return len("".join([told.question, *told.notes, told.caption]))


def _manifest(product: Product) -> dict[str, Any]:
    return read_manifest(product.folder / f"{product.film.name}.json")


def _finish(product: Product, order: Order, stock: _Stock) -> None:
    """Put the film together, or say why it cannot be."""
    film, keys = product.film, product.keys
    product.rendered = len(stock.rendered.intersection(keys))
    product.problems = [
        f"{shot.id}: {stock.problems[key]}"
        for key, shot in zip(keys, film.shots, strict=True)
        if key in stock.problems
    ]
    missing = [key for key in keys if key not in stock.there]
    if stock.calamity and len(missing) > len(product.problems):
        product.problems.append(stock.calamity)
    if missing:
        return
    clips = stock.clips_of(product)
    if len(clips) < len(keys):
        product.problems.append("some of its clips have been removed meanwhile; render it again")
        return
    _publish(product, clips, order)
    product.clips = clips if order.anew else []


def _publish(product: Product, clips: Sequence[Clip], order: Order) -> None:
    film, folder = product.film, product.folder
    try:
        if order.whole:
            publish(film, product.keys, clips, folder, product.speech)
            product.files = [folder / f"{film.name}.mp4"]
        else:
            product.files = publish_clips(film, product.keys, clips, folder, product.speech)
    except (JoinError, OSError) as error:
        product.problems.append(_said(error))


def _said(error: Exception) -> str:
    return str(error.strerror if isinstance(error, DiskFull) else error)
