"""A film as the formats see it: its texts, facts, clips and stills."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from clockhead.clips.clip import Clip, ClipJob, Failure, Report
from clockhead.clips.jobs import Made, run_all
from clockhead.clips.render import Job
from clockhead.clips.stills import Paper, Still, draw_stills
from clockhead.export.alt import shown_unit
from clockhead.plain import plain_text
from clockhead.production.progress import ShotProgress
from clockhead.production.timeline import BeatSpan, beat_spans, chapters, cues, webvtt
from clockhead.scenes.facts import SHARE, format_fact
from clockhead.scenes.language import speaking, translated
from clockhead.scenes.stage import Shot
from clockhead.scenes.style.looks import ThemeName
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.speech import ShotSpeech

_LARGE = 10_000
"""Whole numbers from here on are written with a sign between thousands."""

ShotStills: TypeAlias = Mapping[Paper, Sequence[Still]]
"""The stills of one shot on each kind of paper."""


class ExportError(Exception):
    """A format cannot be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact as tables list it: its path, its exact value, and what it is."""

    name: str
    value: Any
    description: str
    unit: str

    @property
    def short_value(self) -> str:
        """The value, with six digits if it is a fraction."""
        return f"{self.value:.6g}" if isinstance(self.value, float) else str(self.value)


@dataclass(frozen=True)
class EditionShot:
    """A shot of an edition: its texts, always plain, its facts, and its clip if there is one."""

    resolved: ResolvedShot
    clip: Clip | None = field(default=None, repr=False)
    start: int = 0
    """Its first frame in the film."""

    @property
    def id(self) -> str:
        """Its name in the storyboard."""
        return self.resolved.id

    @property
    def stem(self) -> str:
        """The start of the names of its files: `03-sub_diagonal`."""
        return f"{self.resolved.number:02}-{self.id}"

    @property
    def title(self) -> str:
        """Its title."""
        return plain_text(self.resolved.shot.title)

    @property
    def question(self) -> str:
        """Its subtitle."""
        return plain_text(self.resolved.shot.question)

    @property
    def sentences(self) -> list[str]:
        """All its sentences, the caption last."""
        texts = [
            plain_text(text) for text in (*self.resolved.shot.sentences, self.resolved.shot.caption)
        ]
        return list(filter(None, texts))

    def sentences_in(self, first: int, end: int) -> list[str]:
        """The sentences that appear from frame `first` up to frame `end` of the clip."""
        assert self.clip is not None
        spoken = cues(chapters([self.resolved], [self.clip]))
        return [cue.text for cue in spoken if first <= cue.start < end]

    @property
    def facts(self) -> list[FactRow]:
        """Its facts, those with a description first."""
        about = self.resolved.facts.about
        rows = [
            FactRow(name, value, about[name].description, about[name].unit or "")
            for name, value in self.resolved.facts.items()
        ]
        return sorted(rows, key=lambda row: not row.description)

    @property
    def mentioned_facts(self) -> list[FactRow]:
        """The described numbers that its sentences mention, in their order."""
        found = {row.name: row for row in self.facts if row.description}
        rows = [found[path] for path in self.resolved.fact_names if path in found]
        return [row for row in rows if not isinstance(row.value, bool | str)]

    def localize(self, row: FactRow) -> tuple[str, str, str]:
        """Description, value and unit of a fact as the film's language writes them."""
        with speaking(self.resolved.shot.language):
            what = translated(row.description)
            is_large = isinstance(row.value, int) and abs(row.value) >= _LARGE
            spec = ".2%" if row.unit == SHARE else "," if is_large else ""
            value = format_fact(row.value, spec, row.unit or None)
            unit = translated(shown_unit(row.unit, row.value))
        return what[:1].upper() + what[1:], value, unit

    @property
    def mentioned_numbers(self) -> list[str]:
        """The same as lines of notes: `largest score: 16.2`."""
        facts = map(self.localize, self.mentioned_facts)
        return [f"{what}: {value} {unit}".rstrip() for what, value, unit in facts]

    @property
    def beats(self) -> list[BeatSpan]:
        """The beats of its clip; none without one.

        If a beat only asks the question that the next one answers, the question is its end.
        """
        beats = list(beat_spans(self.clip)) if self.clip else []
        ends = [-1, *(beat.last for beat in beats)]
        return [
            replace(beat, question=None) if beat.question == end else beat
            for beat, end in zip(beats, ends, strict=False)
        ]

    @property
    def stops(self) -> list[int]:
        """The last frame of every beat, and of the question that a beat answers."""
        ends = [end for beat in self.beats for end in (beat.question, beat.last)]
        return [end for end in ends if end is not None]

    @property
    def n_frames(self) -> int:
        """The length of its clip in frames."""
        return self.clip.frames if self.clip else 0


@dataclass(frozen=True)
class Edition:
    """A film, rendered or not, for export."""

    film: Film
    clips: tuple[Clip, ...] = field(default=(), repr=False)
    """A clip for each shot; none if no chosen format plays the film."""
    speech: tuple[ShotSpeech, ...] = field(default=(), repr=False)
    files: tuple[Path, ...] = ()
    """The film; if only some shots are exported, their clips. Captions are beside each."""
    say: Callable[[str], None] = field(default=lambda _: None, repr=False, compare=False)
    """Prints a line for the user."""

    @property
    def name(self) -> str:
        """The film's name, with which the names of most files begin."""
        return self.film.name

    @property
    def title(self) -> str:
        """The film's title in plain text."""
        return plain_text(self.film.title)

    @property
    def credit(self) -> str:
        """The film's credit in plain text."""
        return plain_text(self.film.credit)

    @property
    def fps(self) -> int:
        """Frames per second."""
        return self.film.look.fps

    @cached_property
    def shots(self) -> tuple[EditionShot, ...]:
        """Its shots."""
        clips = self.clips or [None] * len(self.film.shots)
        starts = accumulate((clip.frames if clip else 0 for clip in clips), initial=0)
        return tuple(
            EditionShot(shot, clip, start)
            for shot, clip, start in zip(self.film.shots, clips, starts, strict=False)
        )

    @property
    def n_frames(self) -> int:
        """The length of its clips in frames."""
        return sum(shot.n_frames for shot in self.shots)

    @property
    def captions(self) -> bytes:
        """Its sentences as WebVTT."""
        return webvtt(cues(chapters(self.film.shots, self.clips)), self.fps).encode()

    def stills(
        self,
        papers: Sequence[Paper] = (Paper(),),
        *,
        wordless: bool = False,
        theme: ThemeName | None = None,
    ) -> Mapping[str, ShotStills]:
        """Draw the end of every beat on each kind of paper; by the shot's id.

        `wordless` leaves out burnt-in sentences but not their room, for formats that print the
        sentence beside the still. The theme is the film's if none is given.

        Raises:
            ExportError: if a shot cannot be drawn.
        """
        look = self.film.look
        jobs = {}
        for resolved in self.film.shots:
            shot = _set_theme(resolved.shot, theme or look.theme)
            if wordless and shot.captions == "burnt":
                shot = replace(shot, captions="track")
            jobs[resolved.id] = ClipJob(resolved.stage, shot, look)
        return self.run_jobs(partial(draw_stills, papers=papers), jobs, "drawing stills", "beats")

    def run_jobs(
        self,
        task: Callable[[Job, Report], Made],
        jobs: Mapping[str, Job],
        work: str,
        unit: str,
    ) -> dict[str, Made]:
        """Run a job for every shot in workers; return the results by the shot's id.

        `work` names it in the progress bars, `unit` is what its reports count.

        Raises:
            ExportError: if one of them fails.
        """
        found = run_in_workers(task, jobs, lambda name: f"{self.name}: {name}", work, unit)
        made: dict[str, Made] = {}
        for name, outcome in found.items():
            if isinstance(outcome, Failure):
                raise ExportError(f"{self.name}: {name}: {outcome.reason}")
            made[name] = outcome
        return made


def run_in_workers(
    task: Callable[[Job, Report], Made],
    jobs: Mapping[str, Job],
    label: Callable[[str], str],
    work: str,
    unit: str,
) -> dict[str, Made | Failure]:
    """Run a job for each name in workers; return the results in the order of the jobs.

    `label` is what the progress bars call a job, `work` what is done, `unit` what reports count.
    """
    if not jobs:
        return {}
    with ShotProgress() as progress:
        for name in jobs:
            progress.expect(name, label(name), None, work, unit)

        def done(name: str, outcome: object) -> None:
            progress.done(name, failed=isinstance(outcome, Failure))

        return run_all(task, jobs, progress, done)


def still_index(stills: Sequence[Still], frame: int) -> int:
    """Index of the still that stands at a frame: the last that begins by then."""
    return max(0, bisect_right([still.first for still in stills], frame) - 1)


def slug(beat: str) -> str:
    """A beat's name for names of files and addresses."""
    return beat.replace(" ", "-")


def _set_theme(shot: Shot, theme: ThemeName) -> Shot:
    """A shot in a theme, and the shots before it whose pictures it begins with."""
    if shot.theme == theme:
        return shot
    after = shot.after and replace(shot.after, shot=_set_theme(shot.after.shot, theme))
    return replace(shot, theme=theme, after=after)
