"""`clockhead export --to mp4 --pause`: films that hold every step, decoded and played by others."""

import shutil
import subprocess
from dataclasses import replace

import av
import numpy as np
import pytest
import srt
import webvtt

from clockhead.clips.clip import Clip
from clockhead.clips.encoder import ClipEncoder
from clockhead.clips.stream import decode_pictures, open_video
from clockhead.export.pauses import hold
from clockhead.production.join import join, voice_samples
from clockhead.production.timeline import Chapter, cues
from clockhead.scenes.stage import LEAD, Beat, CaptionLine
from clockhead.voice.speech import ShotSpeech
from tests.pipeline.footage import FPS, HEIGHT, WIDTH, frame, read

pytestmark = pytest.mark.xdist_group("pauses")

FRAMES, HELD = 60, 9
BEATS = (0, 13, 40)
QUESTION = 29
STOPS = [12, QUESTION, 39, 59]
RATE = 15


def made(*, small):
    """Sixty frames in three beats; a question that ends at frame 29 is answered in the second."""
    encoder = ClipEncoder(WIDTH, HEIGHT, FPS, small=small)
    for number in range(FRAMES):
        if number in BEATS:
            encoder.begin_beat()
        encoder.write(frame(1, number))
    lines = (
        CaptionLine("First.", 2),
        CaptionLine("What now?", 14, asks=True),
        CaptionLine("That.", QUESTION + 1),
    )
    beats = tuple(Beat(f"beat {number}", at) for number, at in enumerate(BEATS))
    return Clip(encoder.finish(), FRAMES, beats, lines, 5, 50, 0.5)


@pytest.fixture(scope="module", params=[False, True], ids=["usual", "small"])
def clips(request):
    clip = made(small=request.param)
    return clip, hold(clip, STOPS, HELD, small=request.param)


def planes(video):
    """Every picture as it is decoded, (frames, height * 3 / 2, width)."""
    with open_video(video) as film:
        return np.stack([picture.pixels.to_ndarray() for picture in decode_pictures(film)])


def packets(video):
    with open_video(video) as film:
        return [bytes(packet) for packet in film.demux(video=0) if packet.dts is not None]


ORDER = [one for n in range(FRAMES) for one in [n] * (1 + HELD * (n in STOPS))]
"""Which frame of the clip each frame of the held one shows."""


class TestHolding:
    def test_it_shows_every_frame_and_holds_the_ends_of_steps(self, clips):
        _, held = clips
        with open_video(held.video) as film:
            shown = [read(p.pixels.to_image())[1] for p in decode_pictures(film)]
        assert shown == ORDER
        assert held.frames == len(ORDER)

    def test_a_held_picture_is_the_one_before_it_to_the_last_bit(self, clips):
        clip, held = clips
        before, after = planes(clip.video), planes(held.video)
        exact = [n for n, shown in enumerate(ORDER) if not QUESTION < shown < BEATS[2]]
        assert (after[exact] == before[[ORDER[n] for n in exact]]).all()
        for stop in STOPS:
            last = [n for n, shown in enumerate(ORDER) if shown == stop]
            assert (after[last] == after[last[0]]).all()

    def test_only_the_answer_to_a_question_is_encoded_again(self, clips):
        clip, held = clips
        before = packets(clip.video)
        copied = [*before[: QUESTION + 1], *before[BEATS[2] :]]
        left = iter(packets(held.video))
        assert all(packet in left for packet in copied), "in this order"

    def test_what_happens_when_moves_with_its_frame(self, clips):
        _, held = clips
        for moved, stood in [
            *zip((beat.frame for beat in held.beats), BEATS, strict=True),
            *zip((line.frame for line in held.lines), (2, 14, QUESTION + 1), strict=True),
            (held.opened, 5),
            (held.poster, 50),
        ]:
            assert moved == ORDER.index(stood)

    def test_a_sentence_stays_while_its_picture_is_held(self, clips):
        spoken = cues([Chapter("One", clips[1])])
        assert [(cue.text, cue.end - cue.start) for cue in spoken] == [
            ("First.", 12 + HELD),
            ("What now?", 16 + HELD),
            ("That.", 30 + 2 * HELD),
        ]

    def test_the_voice_begins_each_sentence_with_it(self, clips):
        _, held = clips
        texts = ("Title?", "First.", "What now?", "That.")
        hum = {text: np.full(6, level, np.int16) for level, text in enumerate(texts, 1)}
        rate = 10 * FPS
        heard = voice_samples(held, ShotSpeech(rate, "Title?", hum), FPS, 10 * held.frames)
        begins = {text: int(np.argmax(heard == level)) for level, text in enumerate(texts, 1)}
        assert begins == {
            "Title?": round((held.opened / FPS + LEAD) * rate),
            **{line.text: round((line.frame / FPS + LEAD) * rate) for line in held.lines},
        }

    def test_a_step_at_the_end_needs_no_key_frame_after_it(self, clips):
        clip, _ = clips
        whole = replace(clip, beats=(), lines=())
        assert hold(whole, [], HELD).frames == FRAMES

    @pytest.mark.skipif(not shutil.which("ffmpeg"), reason="films are played with ffmpeg")
    def test_ffmpeg_finds_no_error_and_every_frame(self, clips, tmp_path):
        join([Chapter("One", clips[1]), Chapter("Two", clips[1])], FPS, tmp_path / "a.mp4", {})
        command = ["ffmpeg", "-v", "warning", "-i", "a.mp4", "-map", "0:v", "-f", "framecrc", "-"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        rows = [line for line in done.stdout.splitlines() if not line.startswith("#")]
        assert len(rows) == 2 * len(ORDER)


@pytest.fixture(scope="module")
def exported(asking):
    """The paused film, and its clips."""
    for choice in ((), ("--shot", "asks")):
        done = asking.run(
            *("export", "film", "-ql", "--to", "mp4", "--pause", "2", "-o", "out", *choice)
        )
        assert done.returncode == 0, done.stderr
    return asking.root / "out"


class TestTheFilm:
    def test_each_step_is_a_chapter_that_ends_with_its_held_picture(self, asking, exported):
        with av.open(str(exported / "film-paused.mp4")) as film:
            listed = film.chapters()
            pictures = [picture.pixels.to_ndarray() for picture in decode_pictures(film)]
        assert [chapter["metadata"]["title"] for chapter in listed] == [
            *(f"Is 1 < 2 & 3? ({number})" for number in (1, 2, 3, 4)),
            *(f"To 20 ({number})" for number in (1, 2)),
        ]
        ends = [round(chapter["end"] * chapter["time_base"] * RATE) for chapter in listed]
        assert ends[-1] == len(pictures) == asking.manifest("film")["frames"] + 6 * 2 * RATE
        for end in ends:
            held = pictures[end - 2 * RATE - 1 : end]
            assert all((picture == held[0]).all() for picture in held)
        starts = [round(chapter["start"] * chapter["time_base"] * RATE) for chapter in listed]
        assert starts == [0, *ends[:-1]]

    def test_captions_follow_it(self, exported):
        told = [
            (cue.text.replace("\n", " "), cue.start_in_seconds, cue.end_in_seconds)
            for cue in webvtt.read(exported / "film-paused.vtt")
        ]
        plain = srt.parse((exported / "film-paused.srt").read_text())
        assert len(list(plain)) == len(told)
        with av.open(str(exported / "film-paused.mp4")) as film:
            listed = film.chapters()
            length = film.duration / av.time_base
            assert len(film.streams.subtitles) == 1
        question = float(listed[1]["end"] * listed[1]["time_base"])
        [asked] = [cue for cue in told if cue[0] == "How often will it move?"]
        assert asked[2] == pytest.approx(question, abs=1)
        assert told[-1][2] == pytest.approx(length, abs=1)

    def test_a_shot_alone_has_the_chapters_of_its_steps(self, exported):
        with av.open(str(exported / "film-01-asks-paused.mp4")) as film:
            assert len(film.chapters()) == 4
        assert (exported / "film-01-asks-paused.vtt").is_file()

    def test_the_unpaused_film_is_written_under_another_name(self, asking, exported):
        done = asking.run("export", "film", "-ql", "--to", "mp4", "-o", "out")
        assert done.returncode == 0, done.stderr
        assert {"film.mp4", "film-paused.mp4"} <= {file.name for file in exported.iterdir()}

    def test_it_fits_into_a_limit_with_its_chapters(self, asking):
        done = asking.run(
            *("export", "film", "-ql", "--to", "mp4", "--pause", "2", "--max-mb", "0.09"),
            *("-o", "limited"),
        )
        assert done.returncode == 0, done.stderr
        file = asking.root / "limited/film-paused.mp4"
        assert file.stat().st_size <= 90_000
        with av.open(str(file)) as film:
            assert len(film.chapters()) == 6

    @pytest.mark.parametrize("seconds", ["0", "-1", "61", "nan", "inf"])
    def test_an_impossible_pause_is_refused(self, asking, seconds):
        done = asking.run("export", "film", "--to", "mp4", "--pause", seconds, "-o", "no")
        assert done.returncode == 2
        assert "--pause" in done.stderr
        assert not (asking.root / "no").exists()
