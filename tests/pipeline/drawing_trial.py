"""Run inside a project, in a process of its own: stock Manim beside our writer and renderer.

Prints one JSON object with what `test_render` wants to know.
"""

import hashlib
import json
import os
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import Colorspace, VideoReformatter
from manim import tempconfig
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter

from clockhead.clips.clip import ClipJob
from clockhead.clips.drawing import manim_settings
from clockhead.clips.encoder import ClipEncoder
from clockhead.clips.examine import examine_shot
from clockhead.clips.render import render_clip
from clockhead.clips.stream import PictureStream, TimedPicture, open_video, read_packets
from clockhead.look import FilmLook, Quality
from clockhead.scenes.stage import find_stage

LOOK = FilmLook(Quality(240, 20))
recorded = []


class Recorder(SceneFileWriter):
    """Manim's own writer, with an ear on it."""

    def write_frame(self, pixels, *, repeat=1):
        recorded.extend([pixels.copy()] * repeat)
        super().write_frame(pixels, repeat=repeat)


def job(stage, look=LOOK, **changes):
    found = find_stage(stage)
    inputs = found.Inputs(**changes.pop("inputs", {}))
    return ClipJob(stage, found.shot(inputs, theme=look.theme, **changes), look)


def stock_frames(job, media):
    """Every RGBA frame that stock Manim writes, with caching off."""
    recorded.clear()
    with manim_settings(job.look, media):
        stage = find_stage(job.stage)
        stage(job.shot, renderer=CairoRenderer(file_writer_class=Recorder)).render()
    return list(recorded)


def plain_packets(frames, look, keys):
    """The frames through one x264 with our settings, each converted whole, none twice in a row
    but where a beat begins, at `keys`."""
    stream = PictureStream(look.width, look.height, look.fps)
    shown = [
        number
        for number, pixels in enumerate(frames)
        if number in keys or not np.array_equal(pixels, frames[number - 1])
    ]
    for number, end in pairwise([*shown, len(frames)]):
        frame = VideoReformatter().reformat(
            av.VideoFrame.from_ndarray(frames[number], format="rgba"),
            format="yuv420p",
            dst_colorspace=Colorspace.ITU709,
        )
        stream.add(TimedPicture(frame, number, end, number in keys))
    return packets(stream.finish())


def packets(video):
    with open_video(video) as film:
        return [bytes(packet) for packet in read_packets(film)]


def our_frames(job):
    """Every RGBA frame that goes into our encoder, and the clip."""
    seen = []
    write = ClipEncoder.write

    def listening(self, pixels, repeat=1, changed=None):
        seen.extend([pixels.copy()] * repeat)
        write(self, pixels, repeat, changed)

    ClipEncoder.write = listening
    try:
        clip = render_clip(job)
    finally:
        ClipEncoder.write = write
    return seen, clip


def compare(job, media):
    stock = stock_frames(job, media)
    ours, clip = our_frames(job)
    return {
        "same_count": len(stock) == len(ours) == clip.frames,
        "largest_difference": max(
            int(np.abs(a.astype(int) - b).max()) for a, b in zip(stock, ours, strict=True)
        ),
        "same_packets": plain_packets(stock, job.look, [beat.frame for beat in clip.beats])
        == packets(clip.video),
    }


def made(job, **making):
    return replace(job, look=replace(job.look, **making))


def describe(clip):
    with open_video(clip.video) as film:
        pictures = sum(1 for _ in read_packets(film))
    return {
        "pictures": pictures,
        "frames": clip.frames,
        "beats": [[beat.name, beat.frame] for beat in clip.beats],
        "lines": [[line.text, line.frame] for line in clip.lines],
        "poster": clip.poster,
        "richness": clip.richness,
        "sha256": hashlib.sha256(clip.video).hexdigest(),
    }


def main(media):
    moving = job("tiny.moving")
    reports = []
    with tempconfig({"background_color": "#FF0000", "frame_rate": 7, "from_animation_number": 2}):
        odd = render_clip(moving)
    print(
        json.dumps(
            {
                "comparisons": [
                    compare(moving, media),
                    compare(job("tiny.moving", FilmLook(Quality(180, 15), "paper", "9:16")), media),
                ],
                "clip": describe(render_clip(moving, reports.append)),
                "reports": reports,
                "in_odd_settings": describe(odd),
                "stock": describe(render_clip(made(moving, stock=True))),
                "held": describe(render_clip(job("tiny.moving", hold=1.5))),
                "layout": {
                    "moving": examine_shot(moving)[0],
                    "crowded": examine_shot(job("tiny.crowded"))[0],
                },
                "left": [path.name for path in Path(os.environ["TMPDIR"]).iterdir()],
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
