"""When a film shows and says what: chapters, captions and beats, as files and as frames.

All times are whole frames, so nothing drifts however long the film is.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import srt
from webvtt import Caption, WebVTT
from webvtt.models import Timestamp

from clockhead.clips.clip import Clip
from clockhead.plain import plain_text
from clockhead.scenes.stage import Beat
from clockhead.storyboard.resolved import ResolvedShot
from clockhead.voice.speech import ShotSpeech

if TYPE_CHECKING:
    from clockhead.storyboard.films import Film

_LINE_LENGTH = 42
"""Characters in a line of subtitles."""
_TAG = re.compile(r"<(?=\S|\s+[^\s\d])[^<>]*>")
_COMMAND = re.compile(r"\{(?=\\|\w:)")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A clip, its title in plain text, and its sound if the film has a voice."""

    title: str
    clip: Clip
    speech: ShotSpeech | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """The frame at which a part of a film begins, and the title that players list it under."""

    frame: int
    title: str


@dataclass(frozen=True, slots=True)
class Cue:
    """Words to show from frame `start` up to frame `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class BeatSpan:
    """First and last frame of a beat, and the last frame of the question that it answers, if any.

    A beat with a question starts with the answer.
    """

    name: str
    first: int
    last: int
    question: int | None = None


def chapters(
    shots: Sequence[ResolvedShot], clips: Sequence[Clip], speech: Sequence[ShotSpeech] = ()
) -> list[Chapter]:
    """The chapters of a film: a shot each."""
    sounds: Sequence[ShotSpeech | None] = speech or [None] * len(shots)
    return [
        Chapter(plain_text(shot.shot.title), clip, sound)
        for shot, clip, sound in zip(shots, clips, sounds, strict=True)
    ]


def starts(chapters: Sequence[Chapter]) -> list[int]:
    """The first frame of each chapter, then the number of frames of the film."""
    return list(accumulate((chapter.clip.frames for chapter in chapters), initial=0))


def cues(chapters: Sequence[Chapter]) -> list[Cue]:
    """The sentences of a film, each until the next one or the end of its chapter."""
    found = []
    for start, chapter in zip(starts(chapters), chapters, strict=False):
        lines = chapter.clip.lines
        ends = [*(line.frame for line in lines[1:]), chapter.clip.frames]
        for line, end in zip(lines, ends, strict=False):
            if (text := plain_text(line.text)) and line.frame < end:
                found.append(Cue(start + line.frame, start + end, text))
    return found


def beat_spans(clip: Clip) -> Iterator[BeatSpan]:
    """The beats of a clip in order; its caption is one too."""
    caption = [Beat("caption", line.frame) for line in clip.lines[-1:]]
    beats = sorted([*clip.beats, *caption], key=lambda beat: beat.frame)
    if not beats or beats[0].frame > 0:
        beats.insert(0, Beat("opening", 0))
    answers = [after.frame for line, after in pairwise(clip.lines) if line.asks]
    ends = [*(beat.frame for beat in beats[1:]), clip.frames]
    for beat, end in zip(beats, ends, strict=True):
        answer = next((frame for frame in answers if beat.frame <= frame < end), None)
        if answer is not None:
            yield BeatSpan(beat.name, answer, end - 1, answer - 1)
        elif end > beat.frame:
            yield BeatSpan(beat.name, beat.frame, end - 1)


def wrap(text: str) -> str:
    """Break a plain sentence into lines of subtitles."""
    return "\n".join(textwrap.wrap(text, _LINE_LENGTH, break_on_hyphens=False))


def webvtt(cues: Iterable[Cue], fps: int) -> str:
    """The cues as WebVTT."""
    captions = [
        Caption(
            str(Timestamp.from_seconds(cue.start / fps)),
            str(Timestamp.from_seconds(cue.end / fps)),
            wrap(html.escape(cue.text, quote=False)),
        )
        for cue in cues
    ]
    return WebVTT(captions=captions).content


def subrip(cues: Iterable[Cue], fps: int) -> str:
    """The cues as SubRip (.srt)."""

    def time(frame: int) -> timedelta:
        return timedelta(milliseconds=round(Fraction(1000 * frame, fps)))

    text: str = srt.compose(
        srt.Subtitle(None, time(cue.start), time(cue.end), wrap(_escape_tags(cue.text)))
        for cue in cues
    )
    return text


def transcript(film: Film, parts: Sequence[Chapter]) -> str:
    """The words of a film as text: title and credit, then those of each shot with its time."""
    blocks = [[plain_text(film.title), plain_text(film.credit)]]
    for start, shot, part in zip(starts(parts), film.shots, parts, strict=False):
        minutes, seconds = divmod(start // film.look.fps, 60)
        heading = [f"[{minutes}:{seconds:02}] {part.title}", plain_text(shot.shot.question)]
        blocks.append([*heading, *(plain_text(line.text) for line in part.clip.lines)])
    return "\n\n".join("\n".join(filter(None, block)) for block in blocks) + "\n"


def _escape_tags(text: str) -> str:
    """Replace what players take for markup in SubRip, which has no escapes, by similar characters.

    Players take `<`, a character that is neither a blank nor a digit, and a later `>` for a tag,
    and a brace before a backslash or a letter and a colon for a command.
    """
    safe = _TAG.sub(lambda tag: f"\u2039{tag[0][1:-1]}\u203a", text.replace("-->", "→"))
    return _COMMAND.sub("{\N{WORD JOINER}", safe)
