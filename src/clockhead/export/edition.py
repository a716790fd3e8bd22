"""All that a format is made of: a film's words, numbers, clips and stills, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from clockhead.clips import atomic
from clockhead.clips.clip import Clip, ClipJob, Failure, Report
from clockhead.clips.jobs import default_workers, open_crew, run
from clockhead.clips.render import pack
from clockhead.clips.stills import Paper, Still, StillsJob, draw_stills
from clockhead.export.alt import SAID_ALREADY
from clockhead.plain import plain_text
from clockhead.production.progress import ShotProgress
from clockhead.production.timeline import BeatSpan, Cue, beat_spans, chapters, cues
from clockhead.scenes.facts import SHARE, format_fact
from clockhead.scenes.language import speaking, translated
from clockhead.scenes.stage import Shot
from clockhead.scenes.style.looks import ThemeName
from clockhead.storyboard.films import Film
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.speech import ShotSpeech

Job = TypeVar("Job")
Made = TypeVar("Made")
Sheet: TypeAlias = Mapping[Paper, Sequence[Still]]
"""The stills of one shot, on each kind of paper."""


class ExportError(Exception):
    """A format cannot be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Number:
    """A fact: its path, its value with every digit, and what it is."""

    name: str
    value: Any
    description: str
    unit: str


@dataclass(frozen=True)
class Part:
    """One shot of an edition: what it says in plain text, and its clip where there is one."""

    shot: ResolvedShot
    fps: int
    clip: Clip | None = field(default=None, repr=False)
    start: int = 0
    """The frame of the film with which it begins."""

    @property
    def id(self) -> str:
        """What the storyboard calls it."""
        return self.shot.id

    @property
    def title(self) -> str:
        """Its title, in plain text like everything here."""
        return plain_text(self.shot.shot.title)

    @property
    def question(self) -> str:
        """What stands under the title."""
        return plain_text(self.shot.shot.question)

    @property
    def sentences(self) -> list[str]:
        """All that it says, the caption last."""
        said = [plain_text(text) for text in (*self.shot.shot.notes, self.shot.shot.caption)]
        return list(filter(None, said))

    @property
    def numbers(self) -> list[Number]:
        """Its facts, those with a description first."""
        about = self.shot.facts.about
        rows = [
            Number(name, value, about[name].description, about[name].unit or "")
            for name, value in self.shot.facts.items()
        ]
        return sorted(rows, key=lambda row: not row.description)

    @property
    def told(self) -> list[Number]:
        """The numbers that its sentences use, in their order, where it is known what they are."""
        found = {number.name: number for number in self.numbers if number.description}
        named = [found[path] for path in self.shot.fact_names if path in found]
        return [number for number in named if not isinstance(number.value, bool | str)]

    def in_words(self, number: Number) -> tuple[str, str, str]:
        """What a number is, its value and its unit, as the film's language writes them."""
        share = number.unit == SHARE
        with speaking(self.shot.shot.language):
            what = translated(number.description)
            value = format_fact(number.value, ".2%" if share else "", number.unit or None)
        unit = "" if number.unit in SAID_ALREADY else number.unit
        return what[:1].upper() + what[1:], value, unit

    @property
    def steps(self) -> list[BeatSpan]:
        """The beats of its clip; none without one.

        A question that the beat before asks, and does nothing else, stands at that beat's end.
        """
        steps = list(beat_spans(self.clip)) if self.clip else []
        ends = [-1, *(step.last for step in steps)]
        return [
            replace(step, question=None) if step.question == end else step
            for step, end in zip(steps, ends, strict=False)
        ]

    @property
    def cues(self) -> list[Cue]:
        """What its clip says, and when, in frames of the clip."""
        return cues(chapters([self.shot], [self.clip])) if self.clip else []

    @property
    def frames(self) -> int:
        """How long its clip is."""
        return self.clip.frames if self.clip else 0

    def seconds(self, frame: int) -> float:
        """When a frame of the clip is shown, in seconds of the clip."""
        return float(Fraction(frame, self.fps))


@dataclass(frozen=True)
class Edition:
    """A film as formats see it."""

    film: Film
    clips: tuple[Clip, ...] = field(default=(), repr=False)
    """One for each shot, or none where no format asked for them."""
    speech: tuple[ShotSpeech, ...] = field(default=(), repr=False)
    files: tuple[Path, ...] = ()
    """The film; of some of its shots, their clips. Captions lie beside each."""
    say: Callable[[str], None] = field(default=lambda _: None, repr=False, compare=False)
    """Tells the user a line, such as that a picture had to be made smaller."""

    @property
    def name(self) -> str:
        """The film's name, of which names of files are made."""
        return self.film.name

    @property
    def title(self) -> str:
        """The film's title, in plain text."""
        return plain_text(self.film.title)

    @property
    def credit(self) -> str:
        """Whose construction it shows, in plain text."""
        return plain_text(self.film.credit)

    @property
    def fps(self) -> int:
        """Frames per second."""
        return self.film.look.fps

    def stem(self, source: Path) -> str:
        """What a file made of one of `files` is called."""
        return self.name if source.stem == self.name else f"{self.name}-{source.stem}"

    def captions(self, source: Path, target: Path) -> Iterator[Path]:
        """Lay the captions of one of `files` beside what is made of it."""
        for suffix in (".vtt", ".srt"):
            file = target / f"{self.stem(source)}{suffix}"
            atomic.write(file, source.with_suffix(suffix).read_bytes())
            yield file

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Its shots."""
        clips = self.clips or [None] * len(self.film.shots)
        starts = accumulate((clip.frames if clip else 0 for clip in clips), initial=0)
        return tuple(
            Part(shot, self.fps, clip, start)
            for shot, clip, start in zip(self.film.shots, clips, starts, strict=False)
        )

    def stills(
        self,
        papers: Sequence[Paper] = (Paper(),),
        *,
        wordless: bool = False,
        theme: ThemeName | None = None,
    ) -> Mapping[str, Sheet]:
        """The end of every beat of every shot, drawn anew on each kind of paper, by the shot's id.

        `wordless` ones leave out the sentence that is burnt into the film, and keep its room: for
        where it stands beside them. They have the film's theme unless another is named.

        Raises:
            ExportError: when a shot cannot be drawn.
        """
        look = self.film.look
        shots = {
            shot.id: _wordless(shot.shot) if wordless else shot.shot for shot in self.film.shots
        }
        jobs = {
            shot.id: StillsJob(
                ClipJob(shot.stage, _themed(shots[shot.id], theme or look.theme), look),
                tuple(papers),
            )
            for shot in self.film.shots
        }
        return self.each(draw_stills, jobs, "drawing stills", "beats")

    def each(
        self,
        task: Callable[[Job, Report], Made],
        jobs: Mapping[str, Job],
        work: str,
        unit: str,
    ) -> dict[str, Made]:
        """Do a job for every shot, in workers: what is made, by the shot's id.

        How it goes on is told as it is of rendering: `work` says what is done, and `unit` what its
        reports count.

        Raises:
            ExportError: when one of them fails.
        """
        found: dict[str, Any] = {}

        def keep(name: str, outcome: Any) -> None:
            progress.done(name, failed=isinstance(outcome, Failure))
            found[name] = outcome

        with ShotProgress() as progress:
            for name in jobs:
                progress.expect(name, f"{self.name}: {name}", None, work, unit)
            with open_crew(default_workers(), None, progress) as crew:
                run(crew, {name: pack(task, job) for name, job in jobs.items()}, keep)
        for name, outcome in found.items():
            if isinstance(outcome, Failure):
                raise ExportError(f"{self.name}: {name}: {outcome.reason}")
        return {name: found[name] for name in jobs}


def _wordless(shot: Shot) -> Shot:
    """A shot whose sentences are not in its picture, which is where it was."""
    return replace(shot, captions="track") if shot.captions == "burnt" else shot


def _themed(shot: Shot, theme: ThemeName) -> Shot:
    """A shot in a theme, together with those whose pictures it begins with."""
    if shot.theme == theme:
        return shot
    after = shot.after and replace(shot.after, shot=_themed(shot.after.shot, theme))
    return replace(shot, theme=theme, after=after)
