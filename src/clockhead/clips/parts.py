"""A shot in parts: beats of it that several workers draw at once, put together afterwards.

A part plays the beats before its own blindly, and ends with its own. As every beat is encoded by
itself, parts make up what one worker would have made, to the byte, if each begins in the state in
which the one before it ended; where one does not, the shot is drawn whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heapreplace
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any

from clockhead.clips.clip import Clip, ClipJob, Failure, Take
from clockhead.clips.fingerprint import with_origin
from clockhead.clips.jobs import Crew, Progress, run
from clockhead.clips.render import pack, render_clip
from clockhead.clips.stream import PictureStream, opened, packets_of
from clockhead.clips.takes import poster_of, starts_of
from clockhead.scenes.stage import find_stage

_WASTE = 1.1
"""Workers are busy enough when the last is done no later than this share of the best there is."""
_PARTS = 4
"""A shot is cut into so many at most: each plays blindly what the ones before it draw."""


def render_in_parts(
    crew: Crew,
    jobs: Mapping[str, ClipJob],
    lengths: Mapping[str, int],
    done: Callable[[str, Any], None],
) -> None:
    """Render the longest jobs first, and some in parts where workers would be idle in the end.

    `done` is called in this thread with the clip, or `Failure`, of each.

    Raises:
        CrewError: when no worker is left to do them.
    """
    work = _Work(jobs, _cut(jobs, lengths, crew.size), done)
    length = {
        name: lengths[key] / len(parts) for key, parts in work.parts.items() for name in parts
    }
    pieces = {name: part for parts in work.parts.values() for name, part in parts.items()}
    longest_first = sorted(pieces, key=lambda name: -length[name])
    run(crew, {name: _packed(pieces[name]) for name in longest_first}, work.take)
    run(crew, {key: _packed(jobs[key]) for key in work.apart}, done)


def _packed(job: ClipJob) -> bytes:
    return pack(render_clip, with_origin(job))


@dataclass
class _Work:
    """What has been done of some jobs; `apart` are those whose parts do not fit together."""

    jobs: Mapping[str, ClipJob]
    parts: Mapping[str, Mapping[str, ClipJob]]
    """The parts of each job, called JOB/NUMBER."""
    done: Callable[[str, Any], None]
    clips: dict[str, Clip] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    apart: list[str] = field(default_factory=list)

    def take(self, name: str, outcome: Any) -> None:
        """Keep a part, and hand in its job when that was the last."""
        key, _, _ = name.partition("/")
        if key in self.failed:
            return
        if isinstance(outcome, Failure):
            self.failed.add(key)
            self.done(key, outcome)
            return
        self.clips[name] = outcome
        if self.parts[key].keys() <= self.clips.keys():
            clip = joined([self.clips.pop(part) for part in self.parts[key]], self.jobs[key])
            if clip is None:
                self.apart.append(key)
            else:
                self.done(key, clip)


def _cut(
    jobs: Mapping[str, ClipJob], lengths: Mapping[str, int], workers: int
) -> dict[str, dict[str, ClipJob]]:
    """Jobs in parts; those of which much is there already, and Manim's own, are left whole."""
    n = dict(zip(jobs, shares([lengths[key] for key in jobs], workers), strict=True))
    return {
        key: {
            f"{key}/{number}": part
            for number, part in enumerate(
                [job] if n[key] == 1 or job.earlier or job.look.making.stock else split(job, n[key])
            )
        }
        for key, job in jobs.items()
    }


def split(job: ClipJob, n: int) -> list[ClipJob]:
    """A job in up to `n` parts, each with about as much to say."""
    said = find_stage(job.stage).length_of_beats(job.shot)
    told = list(accumulate(said))
    goals = [told[-1] * part / n for part in range(1, n)] if told else []
    cuts = {min(range(len(told)), key=lambda beat: abs(told[beat] - goal)) + 1 for goal in goals}
    edges = [0, *sorted(cuts - {len(told)}), None]
    return [replace(job, beats=(first or 0, end)) for first, end in pairwise(edges)]


def shares(lengths: Sequence[int], workers: int) -> list[int]:
    """Into how many parts each of some shots is cut, so that workers are busy to the end.

    Those that are given out first are the longest.
    """
    parts = [1] * len(lengths)
    best, least = parts, _time(lengths, parts, workers)
    while least * workers > _WASTE * sum(lengths):
        longest = max(range(len(parts)), key=lambda shot: lengths[shot] / parts[shot])
        if parts[longest] == _PARTS:
            break
        parts = [n + (shot == longest) for shot, n in enumerate(parts)]
        if (time := _time(lengths, parts, workers)) < least:
            best, least = parts, time
    return best


def _time(lengths: Sequence[int], parts: Sequence[int], workers: int) -> float:
    """When the last of some workers is done."""
    ends = [0.0] * workers
    heapify(ends)
    pieces = (length / n for length, n in zip(lengths, parts, strict=True) for _ in range(n))
    for piece in sorted(pieces, reverse=True):
        heapreplace(ends, ends[0] + piece)
    return max(ends)


def joined(parts: Sequence[Clip], job: ClipJob) -> Clip | None:
    """The clip that parts of a job make up; None if one does not go on where the last ended."""
    if len(parts) == 1:
        return parts[0]
    takes: list[Take] = []
    for part in parts:
        first = len(takes)
        if first and (
            [take.frames for take in takes] != [take.frames for take in part.takes[:first]]
            or takes[-1].after != part.takes[first].before
        ):
            return None
        takes.extend(part.takes[first:])
    poster, richness = poster_of(takes)
    return replace(
        parts[-1],
        video=_video(parts, job),
        frames=sum(take.frames for take in takes),
        takes=tuple(takes),
        poster=poster,
        richness=richness,
    )


def _video(parts: Sequence[Clip], job: ClipJob) -> bytes:
    look, start, first = job.look, 0, 0
    stream = PictureStream(look.width, look.height, look.fps, small=look.making.small)
    try:
        for part in parts:
            with opened(part.video) as film:
                packets = list(packets_of(film))
            for begin, end in pairwise(starts_of(part.takes[first:])):
                stream.copy([p for p in packets if begin <= (p.pts or 0) < end], start + begin)
            start, first = start + part.frames, len(part.takes)
        return stream.finish()
    except BaseException:
        stream.abort()
        raise


class PartsProgress:
    """Takes news of parts, called JOB/NUMBER, and gives those of jobs."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._frames: dict[str, dict[str, int]] = {}
        self._lock = Lock()

    def __call__(self, name: str, frames: int) -> None:
        job, _, part = name.partition("/")
        if not part:  # it is drawn whole after all
            self._progress(job, frames)
            return
        with self._lock:
            parts = self._frames.setdefault(job, {})
            begins = frames == 0 and (not parts or part in parts)
            parts[part] = frames
            done = sum(parts.values())
        if begins:
            self._progress(job, 0)
        if done:
            self._progress(job, done)
