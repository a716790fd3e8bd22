"""The steps of a clip: what contact sheets show side by side, and slides one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from clockhead.clips.clip import Clip
from clockhead.scenes.stage import Beat


@dataclass(frozen=True, slots=True)
class Step:
    """A beat, its first and last frame, and the last frame of the question it answers, if any.

    A beat with a question begins with its answer.
    """

    name: str
    first: int
    last: int
    question: int | None = None


def steps_of(clip: Clip) -> Iterator[Step]:
    """Each step of a clip; the caption is a step of its own."""
    caption = [Beat("caption", line.frame) for line in clip.lines[-1:]]
    beats = sorted([*clip.beats, *caption], key=lambda beat: beat.frame)
    if not beats or beats[0].frame > 0:
        beats.insert(0, Beat("opening", 0))
    answers = [b.frame for a, b in pairwise(clip.lines) if a.asks]
    ends = [*(beat.frame for beat in beats[1:]), clip.frames]
    for beat, end in zip(beats, ends, strict=True):
        answer = next((frame for frame in answers if beat.frame <= frame < end), None)
        if answer is not None:
            yield Step(beat.name, answer, end - 1, answer - 1)
        elif end > beat.frame:
            yield Step(beat.name, beat.frame, end - 1)
