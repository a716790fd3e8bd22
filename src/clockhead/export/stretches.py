"""What slides are made of: the stretches in which a film is told, each with its end picture."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PIL import Image

from clockhead.clips.clip import Clip
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stills import Still
from clockhead.export.alt import alt_of_still, in_sentences, on_screen
from clockhead.export.cut import cut, heard_in
from clockhead.export.edition import Edition, Number, Part
from clockhead.export.formats import Per
from clockhead.production.join import frames_at, join
from clockhead.production.timeline import BeatSpan, Cue, chapters, cues
from clockhead.voice.speech import ShotSpeech

_FOR_EVER = 1_000_000
"""Frames that no stretch has."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some frames of a shot: a beat, the question of one or its answer, or the whole shot."""

    part: Part
    number: int
    """Which of its shot's it is, from 1."""
    name: str
    first: int
    last: int
    """Frames of the shot's clip, both included."""
    said: Sequence[str]
    """The sentences that begin in it."""
    seen: Sequence[str]
    """Values that its end picture shows, in words."""
    alt: str
    """Its end picture, in words."""
    ends: bool
    """Whether its shot ends with it."""

    @property
    def id(self) -> str:
        """`sub_diagonal-2-row-by-row`; of a whole shot, what the storyboard calls that."""
        return self.part.id if not self.name else f"{self.part.id}-{self.number}-{self.name}"

    @property
    def title(self) -> str:
        """What tells it from the others: the shot's title, and which stretch of it this is."""
        return self.part.title if not self.name else f"{self.part.title} ({self.number})"

    @property
    def stands(self) -> str:
        """The sentence that stands at its end; none where the film's credit takes its place."""
        shot = self.part.shot.shot
        credited = self.ends and shot.is_last and shot.film.credit
        return "" if credited else " ".join(self.said[-1:])

    @property
    def numbers(self) -> list[str]:
        """What a speaker has at hand: what is to be seen; with a shot's end, what sentences use.

        All facts of a shot would be a hundred lines.
        """
        told = self.part.told if self.ends else []
        return [*self.seen, *(_fact(self.part, number) for number in told)]


def stretches(edition: Edition, per: Per) -> list[Stretch]:
    """The stretches of a film, in order.

    Raises:
        ExportError: when a shot cannot be drawn.
    """
    drawn = edition.stills()
    found: list[Stretch] = []
    for part in edition.parts:
        [stills] = drawn[part.id].values()
        found += [_whole(part, stills[-1])] if per == "shot" else _beats(part, stills)
    return found


def _whole(part: Part, still: Still) -> Stretch:
    return Stretch(
        part=part,
        number=1,
        name="",
        first=0,
        last=part.frames - 1,
        said=part.sentences,
        seen=on_screen(still),
        alt=alt_of_still(part.title, still),
        ends=True,
    )


def _beats(part: Part, stills: Sequence[Still]) -> Iterator[Stretch]:
    """One for each beat, and two where a question is asked first."""
    pieces = [(step, last) for step in part.steps for last in _ends(step)]
    firsts = [0, *(last + 1 for _, last in pieces)]
    for number, ((step, _), (first, end)) in enumerate(zip(pieces, pairwise(firsts), strict=True)):
        asks = step.question is not None and end - 1 == step.question
        said = [cue.text for cue in part.cues if first <= cue.start < end]
        still = stills[max(0, bisect_right([still.first for still in stills], end - 1) - 1)]
        yield Stretch(
            part=part,
            number=number + 1,
            name=step.name.replace(" ", "-"),
            first=first,
            last=end - 1,
            said=said,
            # What answers a question must not be told where it is asked.
            seen=[] if asks else on_screen(still),
            alt=in_sentences(part.title, *said) if asks else alt_of_still(part.title, still),
            ends=end == part.frames,
        )


def _ends(step: BeatSpan) -> list[int]:
    return [step.last] if step.question is None else [step.question, step.last]


def _fact(part: Part, number: Number) -> str:
    """A fact on a line."""
    what, value, unit = part.in_words(number)
    return f"{what}: {value} {unit}".rstrip()


def clip_of(stretch: Stretch) -> Clip:
    """The stretch as a clip of its own."""
    assert stretch.part.clip is not None
    return cut(stretch.part.clip, stretch.first, stretch.last)


def movie(edition: Edition, stretch: Stretch) -> bytes:
    """The stretch as a film of its own, with its voice if it has one."""
    part = stretch.part
    told = chapters([part.shot], [clip_of(stretch)], _heard(edition, stretch))
    with scratch_directory() as folder:
        file = folder / "movie.mp4"
        track = edition.film.look.captions == "track"
        language = part.shot.shot.language.track
        title = {"title": stretch.title}
        join(told, edition.fps, file, title, show_subtitles=track, language=language)
        return file.read_bytes()


def _heard(edition: Edition, stretch: Stretch) -> list[ShotSpeech]:
    clip = stretch.part.clip
    assert clip is not None
    spoken = zip(edition.parts, edition.speech, strict=False)
    return [
        heard_in(clip, speech, stretch.first, stretch.last)
        for part, speech in spoken
        if part.id == stretch.part.id
    ]


def words(stretch: Stretch) -> list[Cue]:
    """What is said in it, in its own frames; what is said last stands for as long as it does."""
    said = cues(chapters([stretch.part.shot], [clip_of(stretch)]))
    if not stretch.stands:
        return said
    return [*said[:-1], *(replace(cue, end=cue.end + _FOR_EVER) for cue in said[-1:])]


def pictures(part: Part, frames: Sequence[int]) -> dict[int, bytes]:
    """Frames of a shot's clip, as PNG, by their numbers."""
    assert part.clip is not None
    wanted = sorted(set(frames))
    drawn = frames_at(part.clip.video, wanted)
    return {number: _png(image) for number, image in zip(wanted, drawn, strict=True)}


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "png", optimize=True)
    return file.getvalue()
