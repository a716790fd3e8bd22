"""Films in other people's programs: each shows all of them, and the last picture to its end.

ffmpeg and GStreamer are programs of the system; MoviePy and OpenCV are imported by the Python that
`CLOCKHEAD_PLAYERS` names, or by this one. What is not installed is not tried.
"""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import Clip
from clockhead.clips.encoder import ClipEncoder
from clockhead.export.pauses import hold
from clockhead.export.segments import cut
from clockhead.export.video import MP4, WEBM, encode
from clockhead.production.join import join
from clockhead.production.timeline import Chapter
from clockhead.scenes.stage import Beat, CaptionLine
from clockhead.voice.speech import ShotSpeech
from tests.pipeline.footage import FPS, HEIGHT, WIDTH, frame, read

pytestmark = pytest.mark.xdist_group("players")

MOVES, STAYS, HELD = 20, 70, 25
LENGTH = MOVES + STAYS
PYTHON = os.environ.get("CLOCKHEAD_PLAYERS", sys.executable)
KINDS = ("clip", "film", "spoken", "piece", "held", "small", "webm")


def holding(shot):
    """A clip of two beats: its numbers count up, and the last one stays."""
    encoder = ClipEncoder(WIDTH, HEIGHT, FPS)
    for number in range(MOVES):
        if number == MOVES // 2:
            encoder.begin_beat()
        encoder.write(frame(shot, number), 1 + STAYS * (number == MOVES - 1))
    beats = Beat("first", 0), Beat("second", MOVES // 2)
    lines = CaptionLine("One.", 0), CaptionLine("Two.", 5)
    return Clip(encoder.finish(), LENGTH, beats, lines, 0, LENGTH - 1, 0.5)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of every kind: where each is, and what its frames show, by shot and number."""
    folder = tmp_path_factory.mktemp("players")
    counted = [*range(MOVES), *[MOVES - 1] * STAYS]
    first, second = ([(shot, number) for number in counted] for shot in (1, 2))
    silence = ShotSpeech(8000, "", dict.fromkeys(("", "One.", "Two."), np.zeros(80, np.int16)))

    def joined(name, *clips, speech=None):
        path = folder / f"{name}.mp4"
        join([Chapter(f"Shot {n}", clip, speech) for n, clip in enumerate(clips)], FPS, path, {})
        return path

    one, two = holding(1), holding(2)
    found = {
        "clip": (joined("clip", one), first),
        "film": (joined("film", one, two), first + second),
        "spoken": (joined("spoken", one, speech=silence), first),
        "held": (
            joined("held", hold(one, [MOVES // 2 - 1, LENGTH - 1], HELD)),
            [*first[: MOVES // 2], *[first[MOVES // 2 - 1]] * HELD, *first[MOVES // 2 :]]
            + [first[-1]] * HELD,
        ),
        "piece": (joined("piece", cut(one, 15, LENGTH - 1)), first[15:]),
    }
    for name, codec, size in (("small", MP4, 0.05), ("webm", WEBM, None)):
        target = folder / f"{name}.{codec.container}"
        encode(found["film"][0], target, codec, size)
        found[name] = target, first + second
    return found


def tool(name):
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    return name


def frames_of(folder, made):
    """The frames of raw RGB that a program writes, as shots and numbers."""
    target = folder / "raw"
    subprocess.run([str(part) for part in (*made, target)], check=True, capture_output=True)
    shape = (-1, HEIGHT, WIDTH, 3)
    return [read(Image.fromarray(one)) for one in np.fromfile(target, np.uint8).reshape(shape)]


RAW = ("-pix_fmt", "rgb24", "-f", "rawvideo")


@pytest.mark.parametrize("kind", KINDS)
class TestFfmpeg:
    def test_filters_see_every_frame(self, files, kind, tmp_path):
        path, shown = files[kind]
        scaled = tmp_path / "scaled.mp4"
        command = [tool("ffmpeg"), "-v", "error", "-i", path, "-map", "0:v", "-vf", "scale=160:-2"]
        subprocess.run([*command, scaled], check=True)
        made = ["ffmpeg", "-v", "error", "-i", scaled, "-fps_mode", "cfr", *RAW]
        assert frames_of(tmp_path, made) == shown

    def test_two_in_a_row_are_twice_as_long(self, files, kind, tmp_path):
        path, shown = files[kind]
        made = [tool("ffmpeg"), "-v", "error", "-i", path, "-i", path, "-filter_complex"]
        made += ["[0:v][1:v]concat=n=2:v=1[v]", "-map", "[v]", *RAW]
        assert frames_of(tmp_path, made) == shown * 2

    def test_its_end_can_be_sought(self, files, kind, tmp_path):
        path, shown = files[kind]
        made = [tool("ffmpeg"), "-v", "error", "-sseof", "-0.5", "-i", path, *RAW]
        found = frames_of(tmp_path, made)
        assert len(found) >= FPS // 2 - 1
        assert found == shown[-len(found) :]


PICTURES = "decodebin ! videoconvert ! video/x-raw,format=RGB ! filesink location={target}"
DEMUXED = f"filesrc location={{path}} ! qtdemux name=film film.video_0 ! queue ! {PICTURES}"
"""Only the pictures of an MP4: decodebin, given all of it, may wait for ever at the end for the
captions and the sound, which are connected to nothing."""
PIPELINES = {
    "spoken": f"{DEMUXED} film.audio_0 ! queue ! fakesink async=false",
    "webm": f"filesrc location={{path}} ! {PICTURES}",
}


@pytest.mark.parametrize("kind", KINDS)
def test_gstreamer_plays_every_frame(files, kind, tmp_path):
    path, shown = files[kind]
    target = tmp_path / "raw"
    pipeline = PIPELINES.get(kind, DEMUXED).format(path=path, target=target)
    command = [tool("gst-launch-1.0"), "-q", *pipeline.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "missing" in done.stderr:
        pytest.skip(f"GStreamer lacks a decoder: {done.stderr.strip()[:200]}")
    found = np.fromfile(target, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)
    assert [read(Image.fromarray(one)) for one in found] == shown


MOVIEPY = """
import sys
import numpy as np
from moviepy import VideoFileClip
film = VideoFileClip(sys.argv[1])
times = [(n + .5) / film.fps for n in range(round(film.duration * film.fps))]
frames = np.array([film.get_frame(time) for time in times])
frames.tofile(sys.argv[2])
"""
OPENCV = """
import sys
import cv2
import numpy as np
film, frames = cv2.VideoCapture(sys.argv[1]), []
assert film.get(cv2.CAP_PROP_FPS) == 30, film.get(cv2.CAP_PROP_FPS)
while True:
    there, frame = film.read()
    if not there:
        break
    frames.append(frame[..., ::-1])
film.set(cv2.CAP_PROP_POS_MSEC, 1000 * (len(frames) - 5) / 30)
there, frame = film.read()
assert there and (frame[..., ::-1] == frames[-1]).all()
np.array(frames).tofile(sys.argv[2])
"""


@pytest.mark.parametrize(
    ("module", "script", "kind"),
    [
        *(("moviepy", MOVIEPY, kind) for kind in ("clip", "spoken", "piece")),  # the others have
        *(("cv2", OPENCV, kind) for kind in KINDS),  # chapters, which MoviePy cannot read
    ],
)
def test_python_reads_every_frame(files, module, script, kind, tmp_path):
    if subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode:
        pytest.skip(f"{module} is not installed; CLOCKHEAD_PLAYERS names a Python that has it")
    path, shown = files[kind]
    assert frames_of(tmp_path, [PYTHON, "-c", script, path]) == shown
