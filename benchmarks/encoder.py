"""Compare settings of x264: CPU time, size and quality of the worst frame, over many shots.

    python -m benchmarks.encoder --fps 60

Each shot is drawn once and recorded without loss. Every candidate then encodes these frames on one
core, one candidate after the other. The quality is the SSIM of luma and colour of every frame,
against the recording. The table replaces the one in `benchmarks/README.md`.
"""

from __future__ import annotations

import argparse
import io
import math
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import av
from av.video.frame import PictureType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from benchmarks.readme import write_table  # noqa: E402
from clockhead.clips import stream as streams  # noqa: E402
from clockhead.clips.clip import ClipJob  # noqa: E402
from clockhead.clips.render import render_clip  # noqa: E402
from clockhead.look import Quality  # noqa: E402
from clockhead.storyboard.films import load_films  # noqa: E402

SHOTS = (
    "rope:clock_hands",
    "previous_token:sub_diagonal",
    "caesar:histogram",
    "induction:probabilities",
    "attention:softmax",
    "kv_cache:memory",
    "transformer_block:mix",
    "ablation:one_by_one",
)
BEFORE = "veryfast, crf 19, B-frames (before)"
USUAL, SMALL = "ultrafast, qp 19, cabac, i4x4 (usual)", "medium, crf 20.5 (`--small`)"
CANDIDATES = {
    BEFORE: {"preset": "veryfast", "crf": "19", "bf": "3"},
    "veryfast, crf 19": {"preset": "veryfast", "crf": "19"},
    "superfast, crf 21": {"preset": "superfast", "crf": "21"},
    "superfast, crf 21, subme 0": {
        "preset": "superfast",
        "crf": "21",
        "x264-params": "weightp=0:subme=0",
    },
    "ultrafast, crf 24, cabac": {"preset": "ultrafast", "crf": "24", "coder": "cabac"},
    "ultrafast, crf 26, cabac": {"preset": "ultrafast", "crf": "26", "coder": "cabac"},
    "ultrafast, crf 21.5, cabac, i4x4, aq": {
        "preset": "ultrafast",
        "crf": "21.5",
        "x264-params": "cabac=1:partitions=i4x4:aq-mode=1",
    },
    "ultrafast, qp 20, cabac, i4x4": {**streams.x264_options(), "qp": "20"},
    "ultrafast, qp 19, i4x4": {
        **streams.x264_options(),
        "x264-params": "cabac=0:partitions=i4x4",
    },
    USUAL: streams.x264_options(),
    SMALL: streams.x264_options(small=True),
}
_ALWAYS = {"threads": "1", "thread_type": "frame", "forced-idr": "1", "bf": "0"}
_LOSSLESS = {"preset": "ultrafast", "qp": "0"}


@dataclass(frozen=True)
class Trial:
    """Result of one candidate for one shot."""

    cpu: float
    size: int
    worst: float
    """The lowest SSIM of any frame, in decibels: 20 is .99, 30 is .999."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=1080)
    parser.add_argument("--fps", type=int, default=60)
    parser.add_argument("--shot", action="append", help="FILM:SHOT; default one of each film")
    parser.add_argument("--only", action="append", help="candidates whose name has this")
    arguments = parser.parse_args()
    quality = Quality(arguments.lines, arguments.fps)
    names = [
        name
        for name in CANDIDATES
        if not arguments.only or name == BEFORE or any(part in name for part in arguments.only)
    ]
    trials: dict[str, list[Trial]] = {name: [] for name in names}
    shots = arguments.shot or SHOTS
    for shot in shots:
        source = record_shot(shot, quality)
        for name in names:
            trials[name].append(try_candidate(source, name, quality.fps))
            print(shot, name, trials[name][-1], file=sys.stderr, flush=True)
    table = tabulate(trials, list(shots), quality)
    print(table)
    if not arguments.shot and not arguments.only:
        write_table("encoder", table)


def record_shot(name: str, quality: Quality) -> bytes:
    """Draw a shot into a lossless video."""
    film_name, _, shot_name = name.partition(":")
    [film] = load_films([film_name])
    [shot] = [shot for shot in film.shots if shot.id == shot_name]
    usual, streams.x264_options = streams.x264_options, lambda **_: {**_LOSSLESS, **_ALWAYS}
    try:
        look = replace(film.look, quality=quality)
        return render_clip(ClipJob(shot.stage, shot.shot, look)).video
    finally:
        streams.x264_options = usual


def try_candidate(source: bytes, name: str, fps: int) -> Trial:
    """Encode the frames of a recording with a candidate's settings; only encoding is timed."""
    file, cpu = io.BytesIO(), 0.0
    options = {**_ALWAYS, **CANDIDATES[name]}
    clock = streams.container_options(fps)
    with (
        streams.open_video(source) as film,
        av.open(file, "w", format="mp4", container_options=clock) as target,
    ):
        size = film.streams.video[0].width, film.streams.video[0].height
        stream = target.add_stream("libx264", rate=fps, options=options)
        (stream.width, stream.height), stream.pix_fmt = size, "yuv420p"
        for picture in streams.decode_pictures(film):
            frame = picture.pixels
            frame.pts, frame.time_base = picture.start, Fraction(1, fps)
            frame.pict_type = PictureType.I if picture.key else PictureType.NONE
            began = time.thread_time()
            packets = stream.encode(frame)
            cpu += time.thread_time() - began
            target.mux(packets)
        began = time.thread_time()
        packets = stream.encode(None)
        cpu += time.thread_time() - began
        target.mux(packets)
    video = file.getvalue()
    return Trial(cpu, len(video), worst_frame(source, video))


def worst_frame(source: bytes, video: bytes) -> float:
    """The lowest SSIM of any frame, in decibels, computed by libavfilter."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        told = Path(folder) / "ssim.txt"
        _compare(source, video, told)
        values = [float(line.split("All:")[1].split()[0]) for line in told.read_text().splitlines()]
    return -10 * math.log10(max(1e-10, 1 - min(values)))


def _compare(source: bytes, video: bytes, told: Path) -> None:
    with streams.open_video(video) as made, streams.open_video(source) as true:
        graph = av.filter.Graph()
        inputs = [graph.add_buffer(template=film.streams.video[0]) for film in (made, true)]
        ssim, sink = graph.add("ssim", f"stats_file={told}"), graph.add("buffersink")
        for place, entrance in enumerate(inputs):
            entrance.link_to(ssim, 0, place)
        ssim.link_to(sink)
        graph.configure()
        originals = streams.decode_pictures(true)
        original: streams.TimedPicture | None = None
        for frame in made.decode(video=0):
            if original is None or (frame.pts or 0) >= original.end:
                original = next(originals)
                shown = original.pixels
            shown.pts = frame.pts
            inputs[0].push(frame)
            inputs[1].push(shown)
            sink.pull()


def tabulate(trials: dict[str, list[Trial]], shots: list[str], quality: Quality) -> str:
    """A Markdown table: CPU time and size summed over the shots, quality of the worst frame."""
    before = trials[BEFORE]
    lines = [
        f"{len(shots)} shots ({', '.join(shots)}), {quality}; before: "
        f"{sum(t.cpu for t in before):.1f} s, {sum(t.size for t in before) / 1e6:.2f} MB.",
        "",
        "| x264 | CPU | size | worst frame, dB | worst against before, least and most |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, found in trials.items():
        gains = [t.worst - b.worst for t, b in zip(found, before, strict=True)]
        lines.append(
            f"| {name} | {sum(t.cpu for t in found) / sum(t.cpu for t in before):.2f} "
            f"| {sum(t.size for t in found) / sum(t.size for t in before):.2f} "
            f"| {min(t.worst for t in found):.1f} | {min(gains):+.1f} to {max(gains):+.1f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
