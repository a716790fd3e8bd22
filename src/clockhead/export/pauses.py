"""Clips that hold the picture at the end of every step, for players that stop at chapters.

Packets are copied. A held picture is a row of packets that say "as before" everywhere. Such a
packet depends only on its number since the last key frame, so these are taken from the film of an
empty picture, and decoders repeat the picture that comes before them to the last bit.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import av
import numpy as np

from clockhead.clips.clip import Clip
from clockhead.clips.stream import (
    PictureStream,
    TimedPicture,
    container_options,
    frame_rate,
    open_video,
    read_packets,
)
from clockhead.export.edition import Edition, EditionShot
from clockhead.export.segments import encode_frames
from clockhead.production.timeline import Chapter, Mark, chapters, starts

Row = list[tuple[bytes, bool]]
"""The packets of consecutive frames; True for key frames."""


def hold_steps(edition: Edition, seconds: float) -> list[tuple[Chapter, list[Mark]]]:
    """Each shot with its steps held for so long, and a mark where each of its steps begins.

    A step is a beat, or the question that a beat answers. Marks count from the shot's first frame.
    """
    frames = round(seconds * edition.fps)
    clips, marks = [], []
    for shot in edition.shots:
        assert shot.clip is not None
        clips.append(hold(shot.clip, shot.stops, frames, small=edition.film.look.small))
        marks.append(list(_marks(shot, frames)))
    return list(zip(chapters(edition.film.shots, clips, edition.speech), marks, strict=True))


def join_marks(held: Sequence[tuple[Chapter, Sequence[Mark]]]) -> list[Mark]:
    """The marks of shots that are joined, from the first frame of the film."""
    firsts = starts([chapter for chapter, _ in held])
    return [
        replace(mark, frame=first + mark.frame)
        for first, (_, marks) in zip(firsts, held, strict=False)
        for mark in marks
    ]


def _marks(shot: EditionShot, frames: int) -> Iterator[Mark]:
    firsts = [0, *(stop + 1 for stop in shot.stops[:-1])]
    for number, first in enumerate(firsts):
        title = f"{shot.title} ({number + 1})" if len(firsts) > 1 else shot.title
        yield Mark(first + number * frames, title)


def hold(clip: Clip, stops: Sequence[int], frames: int, *, small: bool = False) -> Clip:
    """The clip with each of its frames `stops`, which ascend, shown for `frames` frames more.

    Nothing is encoded again if a key frame follows each stop, as at the end of a beat; otherwise
    the frames from the stop to the next key frame are. `small` says how the clip was encoded.
    """

    def later(frame: int) -> int:
        return frame + frames * bisect_left(stops, frame)

    return replace(
        clip,
        video=_hold(clip.video, stops, frames, small),
        frames=clip.frames + frames * len(stops),
        beats=tuple(replace(beat, frame=later(beat.frame)) for beat in clip.beats),
        lines=tuple(replace(line, frame=later(line.frame)) for line in clip.lines),
        opened=later(clip.opened),
        poster=later(clip.poster),
    )


def _hold(video: bytes, stops: Sequence[int], frames: int, small: bool) -> bytes:
    source = _packets(video)
    edges = [0, *(stop + 1 for stop in stops)]
    pieces = [_piece(video, source, first, end, small) for first, end in pairwise(edges)]
    rest = _piece(video, source, edges[-1], len(source), small) if edges[-1] < len(source) else []
    # How many packets each piece has from its last key frame on.
    ages = [[is_key for _, is_key in reversed(piece)].index(True) + 1 for piece in pieces]
    with open_video(video) as film:
        picture, fps = film.streams.video[0], frame_rate(film)
        empty = PictureStream(picture.width, picture.height, fps, small=small)
        black = np.zeros((picture.height, picture.width, 3), np.uint8)
        still = av.VideoFrame.from_ndarray(black).reformat(format="yuv420p")
        empty.add(TimedPicture(still, 0, max(ages, default=0) + frames, True))
        same = _packets(empty.finish())
        held = [
            one
            for piece, age in zip(pieces, ages, strict=True)
            for one in [*piece, *same[age : age + frames]]
        ]
        file = io.BytesIO()
        with av.open(file, "w", format="mp4", container_options=container_options(fps)) as made:
            stream = made.add_stream_from_template(picture)
            for number, (content, is_key) in enumerate([*held, *rest]):
                packet = av.Packet(content)
                packet.pts = packet.dts = number
                packet.duration, packet.time_base = 1, Fraction(1, fps)
                packet.is_keyframe, packet.stream = is_key, stream
                made.mux(packet)
    return file.getvalue()


def _packets(video: bytes) -> Row:
    with open_video(video) as film:
        return [(bytes(packet), packet.is_keyframe) for packet in read_packets(film)]


def _piece(video: bytes, source: Row, first: int, end: int, small: bool) -> Row:
    """The packets of some frames, up to frame `end`; the first is a key frame."""
    copied = next((number for number in range(first, end) if source[number][1]), end)
    if copied == first:
        return source[first:end]
    return [*_packets(encode_frames(video, first, copied - 1, small=small)), *source[copied:end]]
