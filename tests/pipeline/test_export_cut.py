"""Segments of clips: their frames, copied if possible, with their captions and sound."""

import io
from dataclasses import replace

import av
import numpy as np
import pytest

from clockhead.clips.clip import Clip
from clockhead.clips.encoder import ClipEncoder
from clockhead.export.edition import EditionShot
from clockhead.export.segments import cut, cut_speech
from clockhead.production.join import frames_at, join
from clockhead.production.timeline import Chapter
from clockhead.scenes.stage import Beat, CaptionLine
from clockhead.voice.speech import ShotSpeech
from tests.pipeline.footage import FPS, HEIGHT, WIDTH, frame, read

BEATS = (0, 13, 40)
FRAMES = 60
SAID = ("First.", "What now?", "That.")


@pytest.fixture(scope="module")
def clip():
    """Sixty frames in three beats; a question at frame 14 is answered at 30."""
    encoder = ClipEncoder(WIDTH, HEIGHT, FPS)
    for number in range(FRAMES):
        if number in BEATS:
            encoder.begin_beat()
        encoder.write(frame(1, number))
    first, asked, answer = SAID
    lines = (CaptionLine(first, 2), CaptionLine(asked, 14, asks=True), CaptionLine(answer, 30))
    beats = tuple(Beat(f"beat {number}", at) for number, at in enumerate(BEATS))
    return Clip(encoder.finish(), FRAMES, beats, lines, 5, 50, 0.5)


def test_a_question_that_is_a_beat_of_its_own_has_one_segment(clip):
    """Nor is there an empty segment if a beat begins with the answer."""
    asked = replace(
        clip,
        lines=(
            CaptionLine("First.", 0),
            CaptionLine("Now?", 13, asks=True),
            CaptionLine("So.", 40),
        ),
    )
    steps = EditionShot(None, asked).beats
    assert [(step.first, step.last, step.question) for step in steps] == [
        (0, 12, None),
        (13, 39, None),
        (40, 59, None),
    ]


def packets(video):
    with av.open(io.BytesIO(video)) as film:
        return [bytes(packet) for packet in film.demux(video=0) if packet.dts is not None]


def colors(video):
    with av.open(io.BytesIO(video)) as film:
        context = film.streams.video[0].codec_context
        return context.colorspace, context.color_range, context.color_primaries, context.color_trc


@pytest.mark.parametrize(
    ("first", "last", "copied"),
    [
        (0, 12, True),
        (13, 39, True),
        (40, 59, True),
        (13, 29, False),
        (30, 39, False),
        (7, 7, False),
    ],
)
def test_a_segment_has_its_frames_and_copies_whole_beats(clip, first, last, copied):
    piece = cut(clip, first, last)
    seen = [read(image)[1] for image in frames_at(piece.video, range(piece.frames))]
    assert seen == list(range(first, last + 1))
    assert len(packets(piece.video)) == piece.frames == last - first + 1
    assert set(packets(piece.video)).issubset(packets(clip.video)) is copied
    assert colors(piece.video) == colors(clip.video)


def test_a_segment_of_all_frames_is_the_clip(clip):
    assert cut(clip, 0, FRAMES - 1) is clip


def test_a_sentence_that_is_already_shown_starts_at_its_first_frame(clip):
    piece = cut(clip, 13, 39)
    assert [(line.text, line.frame) for line in piece.lines] == [
        ("First.", 0),
        ("What now?", 1),
        ("That.", 17),
    ]
    assert [(beat.name, beat.frame) for beat in piece.beats] == [("beat 1", 0)]


def test_a_segment_has_the_sound_of_sentences_that_begin_in_it(clip):
    sounds = {text: np.ones(9, np.int16) for text in ("Title?", *SAID)}
    speech = ShotSpeech(8000, "Title?", sounds)

    def heard(first, last):
        return {
            text
            for text, sound in cut_speech(clip, speech, first, last).sounds.items()
            if sound.size
        }

    assert heard(0, 12) == {"Title?", "First."}
    assert heard(13, 29) == {"What now?"}
    assert heard(30, 39) == {"That."}
    assert heard(40, 59) == set()


@pytest.mark.parametrize(("first", "last", "loud"), [(13, 29, True), (40, 59, False)])
def test_a_segment_is_as_long_as_its_sound(clip, tmp_path, first, last, loud):
    hum = (20_000 * np.sin(np.arange(1600))).astype(np.int16)
    speech = ShotSpeech(8000, "Title?", dict.fromkeys(("Title?", *SAID), hum))
    piece = Chapter("A stretch", cut(clip, first, last), cut_speech(clip, speech, first, last))
    join([piece], FPS, tmp_path / "piece.mp4", {})
    with av.open(str(tmp_path / "piece.mp4")) as film:
        sound = np.concatenate([f.to_ndarray() for f in film.decode(audio=0)], axis=1)
    assert sound.shape[1] / 8000 == pytest.approx((last - first + 1) / FPS, abs=0.15)
    assert bool(np.abs(sound).max() > 0.3) is loud
