"""Segments of shots, each a slide: a beat, a question or a whole shot, cut out of the clip."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import av
import numpy as np
from av.container import InputContainer

from clockhead.clips.clip import Clip
from clockhead.clips.scratch import scratch_directory
from clockhead.clips.stills import Paper, Still
from clockhead.clips.stream import (
    PictureStream,
    TimedPicture,
    container_options,
    decode_pictures,
    frame_rate,
    open_video,
    read_packets,
)
from clockhead.export.alt import alt_of_still, describe_values, join_sentences
from clockhead.export.edition import Edition, EditionShot, slug, still_index
from clockhead.export.formats import Per
from clockhead.export.quiz import PageQuiz, answer_lines, quiz_at
from clockhead.production.join import frames_at, join
from clockhead.production.timeline import Cue, chapters, cues
from clockhead.scenes.stage import Beat
from clockhead.voice.speech import ShotSpeech

_LONG = 1_000_000
"""More frames than any segment has."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Some frames of a shot, for a slide."""

    shot: EditionShot
    number: int
    """Its place in the shot, from 1."""
    name: str
    """That of its beat; empty for a whole shot."""
    first: int
    last: int
    """Frames of the shot's clip, both included."""
    sentences: Sequence[str]
    """Those that appear in it."""
    values: Sequence[str]
    """Descriptions of the values in its end picture."""
    alt: str
    """Alternative text of its end picture."""
    ends_shot: bool
    notes: Sequence[str] = ()
    """The storyboard's for the speaker, line by line."""
    quiz: PageQuiz | None = None
    """The quiz at the question at its end."""

    @property
    def id(self) -> str:
        """`sub_diagonal-2-row-by-row`; for a whole shot, the shot's id."""
        return self.shot.id if not self.name else f"{self.shot.id}-{self.number}-{self.name}"

    @property
    def title(self) -> str:
        """The shot's title, with the segment's number."""
        return self.shot.title if not self.name else f"{self.shot.title} ({self.number})"

    @property
    def last_sentence(self) -> str:
        """The sentence at its end; none where the film's credit replaces it."""
        shot = self.shot.resolved.shot
        is_credited = self.ends_shot and shot.is_last and shot.film.credit
        return "" if is_credited else " ".join(self.sentences[-1:])

    @property
    def numbers(self) -> list[str]:
        """For the speaker's notes: values on screen and, at a shot's end, mentioned facts.

        All facts of a shot would be a hundred lines.
        """
        return [*self.values, *(self.shot.mentioned_numbers if self.ends_shot else [])]

    @property
    def clip(self) -> Clip:
        """Its frames as a clip."""
        assert self.shot.clip is not None
        return cut(self.shot.clip, self.first, self.last)


def divide(edition: Edition, per: Per) -> list[list[Segment]]:
    """The segments of each shot of a film, in order.

    Raises:
        ExportError: if a shot cannot be drawn.
    """
    drawn = edition.stills()
    found = []
    for shot in edition.shots:
        stills = drawn[shot.id][Paper()]
        if per == "beat":
            found.append(list(_beats(shot, stills)))
            continue
        whole = Segment(
            shot=shot,
            number=1,
            name="",
            first=0,
            last=shot.n_frames - 1,
            sentences=shot.sentences,
            values=describe_values(stills[-1]),
            alt=alt_of_still(shot.title, stills[-1]),
            ends_shot=True,
            notes="\n".join(shot.resolved.notes.values()).split("\n")
            if shot.resolved.notes
            else (),
        )
        found.append([whole])
    return found


def _beats(shot: EditionShot, stills: Sequence[Still]) -> Iterator[Segment]:
    """A segment for each beat, and one before it for its question, if it has one."""
    pieces = [
        (beat, last)
        for beat in shot.beats
        for last in ([beat.last] if beat.question is None else [beat.question, beat.last])
    ]
    edges = pairwise([0, *(last + 1 for _, last in pieces)])
    notes = notes_by_beat(shot, [beat.name for beat, _ in pieces])
    for number, ((beat, last), (first, end)) in enumerate(zip(pieces, edges, strict=True), 1):
        is_question = last == beat.question
        asks = is_question or beat.question is None  # as a beat does whose answer is the caption
        quiz = quiz_at(shot, beat, first) if asks else None
        sentences = shot.sentences_in(first, end)
        still = stills[still_index(stills, last)]
        yield Segment(
            shot=shot,
            number=number,
            name=slug(beat.name),
            first=first,
            last=last,
            sentences=sentences,
            # The slide of a question must not give the answer away.
            values=[] if is_question else describe_values(still),
            alt=join_sentences(shot.title, *sentences)
            if is_question
            else alt_of_still(shot.title, still),
            ends_shot=end == shot.n_frames,
            # Those of a question and its answer are at the question.
            notes=[*notes.pop(beat.name, ()), *answer_lines(quiz)],
            quiz=quiz,
        )


def notes_by_beat(shot: EditionShot, beats: Sequence[str]) -> dict[str, list[str]]:
    """The lines of notes by the names of a shot's beats; those of the whole shot are at the first.

    A beat that says nothing but the caption is the last one in the clip, called "caption".
    """
    found: dict[str, list[str]] = {}
    for key, text in shot.resolved.notes.items():
        name = key.replace("_", " ") if key else beats[0]
        found.setdefault(name if name in beats else beats[-1], []).extend(text.split("\n"))
    return found


def movie(edition: Edition, segment: Segment) -> bytes:
    """The segment as a film of its own, with its voice if it has one."""
    shot = segment.shot
    assert shot.clip is not None
    speech = [
        cut_speech(shot.clip, sounds, segment.first, segment.last)
        for other, sounds in zip(edition.shots, edition.speech, strict=False)
        if other.id == shot.id
    ]
    with scratch_directory() as folder:
        file = folder / "movie.mp4"
        join(
            chapters([shot.resolved], [segment.clip], speech),
            edition.fps,
            file,
            {"title": segment.title},
            show_subtitles=edition.film.look.captions == "track",
            language=shot.resolved.shot.language.track,
        )
        return file.read_bytes()


def segment_cues(segment: Segment) -> list[Cue]:
    """The captions of a segment, in its own frames; the last sentence stays for good."""
    found = cues(chapters([segment.shot.resolved], [segment.clip]))
    if not segment.last_sentence:
        return found
    return [*found[:-1], *(replace(cue, end=cue.end + _LONG) for cue in found[-1:])]


def pictures(shot: EditionShot, frames: Sequence[int]) -> dict[int, bytes]:
    """Frames of a shot's clip as PNG, by their numbers."""
    assert shot.clip is not None
    wanted = sorted(set(frames))
    found = {}
    for number, image in zip(wanted, frames_at(shot.clip.video, wanted), strict=True):
        file = io.BytesIO()
        image.save(file, "png", optimize=True)
        found[number] = file.getvalue()
    return found


def cut(clip: Clip, first: int, last: int) -> Clip:
    """The frames from `first` to `last` of a clip, both included, as a clip.

    Nothing is encoded again if a key frame is at `first` and after `last`, as between beats.
    """
    frames = last - first + 1
    assert 0 <= first <= last < clip.frames
    if frames == clip.frames:
        return clip
    with open_video(clip.video) as film:
        packets = list(read_packets(film))
        keys = {packet.pts for packet in packets if packet.is_keyframe} | {clip.frames}
        can_copy = {first, last + 1} <= keys
        video = _copy(film, packets, first, last) if can_copy else None
    # The first line may have appeared before these frames.
    before = [line for line in clip.lines if line.frame <= first]
    after = [line for line in clip.lines if first < line.frame <= last]
    lines = [replace(ln, frame=max(0, ln.frame - first)) for ln in [*before[-1:], *after]]
    return replace(
        clip,
        video=video or encode_frames(clip.video, first, last),
        frames=frames,
        beats=tuple(Beat(b.name, b.frame - first) for b in clip.beats if first <= b.frame <= last),
        lines=tuple(lines),
        opened=max(0, min(clip.opened - first, frames - 1)),
        poster=frames - 1,
    )


def cut_speech(clip: Clip, speech: ShotSpeech, first: int, last: int) -> ShotSpeech:
    """The speech of a clip, with only those sentences that begin from `first` to `last`."""
    begins = {line.text: line.frame for line in clip.lines} | {speech.question: clip.opened}
    silence = np.zeros(0, np.int16)
    sounds = {
        text: sound if first <= begins.get(text, -1) <= last else silence
        for text, sound in speech.sounds.items()
    }
    return replace(speech, sounds=sounds)


def _copy(film: InputContainer, packets: list[av.Packet[Any]], first: int, last: int) -> bytes:
    """An MP4 of the packets of some frames."""
    file = io.BytesIO()
    options = container_options(frame_rate(film))
    with av.open(file, "w", format="mp4", container_options=options) as made:
        stream = made.add_stream_from_template(film.streams.video[0])
        for packet in packets:
            if first <= (packet.pts or 0) <= last:
                packet.pts = packet.dts = (packet.pts or 0) - first
                packet.stream = stream
                made.mux(packet)
    return file.getvalue()


def encode_frames(video: bytes, first: int, last: int, *, small: bool = False) -> bytes:
    """The frames from `first` to `last` of a clip, both included, encoded again as clips are."""
    with open_video(video) as film:
        source = film.streams.video[0]
        made = PictureStream(source.width, source.height, frame_rate(film), small=small)
        for picture in decode_pictures(film, first):
            start, end = max(picture.start, first), min(picture.end, last + 1)
            if start >= end:
                break
            made.add(TimedPicture(picture.pixels, start - first, end - first, start == first))
    return made.finish()
