"""Measure where the CPU time of drawing a film goes, by leaving steps out.

    python -m benchmarks.shares                 all films, 720p30
    python -m benchmarks.shares --film rope -q l

Every shot is played four times in one process: only to the end of each play; through every frame
without drawing; with every frame drawn and thrown away; and drawn and encoded, as for a clip. The
difference between two of these is the cost of the step that was added. Imports and process starts
are not included: `benchmarks.render` times whole commands. The table replaces the one for this
quality in `benchmarks/README.md`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from benchmarks.readme import write_table  # noqa: E402
from clockhead.clips.drawing import ClipRenderer, manim_settings  # noqa: E402
from clockhead.clips.encoder import ClipEncoder  # noqa: E402
from clockhead.look import QUALITIES  # noqa: E402
from clockhead.scenes.stage import find_stage  # noqa: E402
from clockhead.scenes.stage.carry import BlindRenderer  # noqa: E402
from clockhead.storyboard.films import Film, load_films  # noqa: E402
from clockhead.storyboard.find import known_films  # noqa: E402
from clockhead.storyboard.resolved import ResolvedShot  # noqa: E402


@dataclass(frozen=True)
class Shares:
    """Seconds of CPU time by step of drawing shots, and the number of frames."""

    frames: int = 0
    staged: float = 0.0
    """Computing the values, layout, and the ends of plays."""
    moved: float = 0.0
    """Moving the parts in all frames between."""
    drawn: float = 0.0
    """Drawing outlines and pixels."""
    encoded: float = 0.0
    """Converting what changed to YUV, and x264."""

    def __add__(self, other: Shares) -> Shares:
        return Shares(
            self.frames + other.frames,
            self.staged + other.staged,
            self.moved + other.moved,
            self.drawn + other.drawn,
            self.encoded + other.encoded,
        )

    @property
    def seconds(self) -> float:
        return self.staged + self.moved + self.drawn + self.encoded


class NoEncoder:
    """An encoder that only counts frames."""

    def __init__(self) -> None:
        self.frames = 0

    def begin_beat(self) -> None:
        """Nothing is encoded."""

    def write(self, _pixels: Any, repeat: int = 1, _changed: Any = None) -> None:
        """Count the frames."""
        self.frames += repeat


class UndrawnRenderer(ClipRenderer):
    """Goes through every frame without drawing."""

    def save_static_frame_data(self, *_: Any) -> None:
        """There is nothing to save."""

    def update_frame(self, *_: Any, **__: Any) -> None:
        """Draw nothing; the parts have moved."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--film", action="append", help="name or file; all that come if left out")
    parser.add_argument("-q", "--quality", choices=QUALITIES, default="m", help="default 720p30")
    arguments = parser.parse_args()
    names = arguments.film or sorted(known_films())
    table = []
    for film in load_films(names):
        film = replace(film, look=replace(film.look, quality=QUALITIES[arguments.quality]))
        table.append((film.name, film_shares(film)))
        print(tabulate(film, table), flush=True)
    if not arguments.film:
        write_table(f"shares {film.look.quality}", tabulate(film, table))


def film_shares(film: Film) -> Shares:
    total = Shares()
    for shot in film.shots:
        shares = shot_shares(film, shot)
        print(f"{shot.id}: {shares}", file=sys.stderr, flush=True)
        total += shares
    return total


def shot_shares(film: Film, shot: ResolvedShot) -> Shares:
    """Play a shot in four ways; the first one twice, to fill the caches for all."""
    none: Any = NoEncoder()

    def encode() -> None:
        encoder = ClipEncoder(film.look.width, film.look.height, film.look.fps)
        play(ClipRenderer(encoder, _silent))
        encoder.finish()

    def play(renderer: Any) -> None:
        find_stage(shot.stage)(shot.shot, renderer=renderer).render()

    with tempfile.TemporaryDirectory() as media, manim_settings(film.look, Path(media)):
        play(BlindRenderer())
        staged = cpu_of(lambda: play(BlindRenderer()))
        moved = cpu_of(lambda: play(UndrawnRenderer(none, _silent)))
        frames, none.frames = none.frames, 0
        drawn = cpu_of(lambda: play(ClipRenderer(none, _silent)))
        encoded = cpu_of(encode)
    return Shares(frames, staged, moved - staged, drawn - moved, encoded - drawn)


def cpu_of(work: Callable[[], None]) -> float:
    """Seconds of CPU time in all threads of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


def tabulate(film: Film, table: Sequence[tuple[str, Shares]]) -> str:
    """A Markdown table, a row for each film and one for their sum."""
    lines = [
        f"{film.look.quality}, one process, all of its threads.",
        "",
        "| film | frames | CPU s | ends of plays | frames between | drawing | encoding |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    total = sum((shares for _, shares in table), Shares())
    for name, shares in [*table, ("all", total)]:
        steps = [shares.staged, shares.moved, shares.drawn, shares.encoded]
        percent = " | ".join(f"{step / shares.seconds:.0%}" for step in steps)
        lines.append(f"| {name} | {shares.frames} | {shares.seconds:.1f} | {percent} |")
    return "\n".join(lines)


def _silent(_frames: int) -> None:
    """Ignore the progress."""


if __name__ == "__main__":
    main()
