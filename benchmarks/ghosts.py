"""Measure ghosts: pixels of plain ground that are decoded in another colour after a fade.

    python -m benchmarks.ghosts                  all films, 480p15
    python -m benchmarks.ghosts --film caesar --lines 720 --fps 30

Each shot is drawn once and recorded without loss, then encoded with the settings of clips, with
those of `--small`, and with those used before. A pixel counts if it has shown nothing but ground
for half a second, with nothing drawn within 16 pixels, and its brightness or one of its colour
planes is wrong by one level or more. The number for a film is that of its worst frame. The table
replaces the one in `benchmarks/README.md`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from benchmarks.encoder import record_shot  # noqa: E402
from benchmarks.readme import write_table  # noqa: E402
from clockhead.clips import stream as streams  # noqa: E402
from clockhead.look import Quality  # noqa: E402
from clockhead.storyboard.films import load_films  # noqa: E402
from clockhead.storyboard.find import known_films  # noqa: E402

_BLOCK = 16
"""Side of a macroblock, in pixels; prediction reaches as far."""
_USUAL = streams.x264_options()
CANDIDATES = {
    "before": {**_USUAL, "x264-params": "cabac=1:partitions=i4x4"},
    "clips": _USUAL,
    "`--small`": streams.x264_options(small=True),
}
Planes = list[NDArray[np.uint8]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=480)
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument("--film", action="append", help="all that come if left out")
    arguments = parser.parse_args()
    quality = Quality(arguments.lines, arguments.fps)
    rows = []
    for film in load_films(arguments.film or sorted(known_films())):
        worst = {name: np.zeros(2) for name in CANDIDATES}
        for shot in film.shots:
            source = record_shot(f"{film.name}:{shot.id}", quality)
            videos = [encode(source, options) for options in CANDIDATES.values()]
            for name, found in zip(
                CANDIDATES, measure_ghosts(source, videos, quality.fps), strict=True
            ):
                worst[name] = np.maximum(worst[name], found)
                print(shot.id, name, found, file=sys.stderr, flush=True)
        rows.append((film.name, worst))
    table = tabulate(rows, quality)
    print(table)
    if not arguments.film:
        write_table("ghosts", table)


def encode(source: bytes, options: dict[str, str]) -> bytes:
    """Encode the frames of a recording with other x264 options."""
    usual, streams.x264_options = streams.x264_options, lambda **_: options
    try:
        with streams.open_video(source) as film:
            video = film.streams.video[0]
            made = streams.PictureStream(video.width, video.height, streams.frame_rate(film))
            for picture in streams.decode_pictures(film):
                made.add(picture)
            return made.finish()
    finally:
        streams.x264_options = usual


def measure_ghosts(source: bytes, videos: Sequence[bytes], fps: int) -> NDArray[np.float64]:
    """Fractions of the worst frame wrong in brightness, and in any plane; shape (videos, 2)."""
    worst, age = np.zeros((len(videos), 2)), 0
    with ExitStack() as held:
        films = [held.enter_context(streams.open_video(video)) for video in (source, *videos)]
        for true, *made in zip(*map(_frames, films), strict=True):
            drawn_here = np.any([plane != plane[1, 1] for plane in true], axis=0)
            age = np.where(_dilate_blocks(drawn_here), 0, age + 1)
            kept = age > fps / 2
            for number, planes in enumerate(made):
                off = [a != b for a, b in zip(true, planes, strict=True)]
                both = (kept & np.any(off, axis=0)).mean()
                worst[number] = np.maximum(worst[number], [(kept & off[0]).mean(), both])
    return worst


def _frames(film: streams.InputContainer) -> Iterator[Planes]:
    """Yield the three planes of every frame, the colour planes enlarged to the size of luma."""
    for picture in streams.decode_pictures(film):
        flat = picture.pixels.to_ndarray(format="yuv420p").ravel()
        height, width = picture.pixels.height, picture.pixels.width
        size = height * width
        luma = flat[:size].reshape(height, width)
        colours = flat[size:].reshape(2, height // 2, width // 2)
        yield [luma, *(plane.repeat(2, 0).repeat(2, 1) for plane in colours)]


def _dilate_blocks(drawn_here: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of all macroblocks with something drawn in them, and of their neighbours."""
    height, width = drawn_here.shape
    padded = np.pad(drawn_here, ((0, -height % _BLOCK), (0, -width % _BLOCK)))
    rows, columns = (side // _BLOCK for side in padded.shape)
    blocks = np.pad(padded.reshape(rows, _BLOCK, columns, _BLOCK).any(axis=(1, 3)), 1)
    near = np.any(
        [blocks[y : y + rows, x : x + columns] for y in range(3) for x in range(3)], axis=0
    )
    wide: NDArray[np.bool_] = near.repeat(_BLOCK, 0).repeat(_BLOCK, 1)[:height, :width]
    return wide


def tabulate(rows: list[tuple[str, dict[str, NDArray[np.float64]]]], quality: Quality) -> str:
    """A Markdown table, a row a film."""
    lines = [
        f"{quality}; per cent of the worst frame: brightness, in brackets brightness or colour.",
        "",
        "| film | " + " | ".join(CANDIDATES) + " |",
        "|---|" + "---:|" * len(CANDIDATES),
    ]
    for film, worst in rows:
        told = [f"{100 * luma:.2f} ({100 * both:.2f})" for luma, both in worst.values()]
        lines.append(f"| {film} | " + " | ".join(told) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
