"""How soon the studio shows a change: the first still, all stills of the shot, and a clip.

    python -m benchmarks.studio [--film rope] [--rounds 9]

One input of one shot changes in each round, while the workers are warm and the whole film is drawn,
as a page would have it. For comparison: the same clip by `clockhead render --shot`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from clockhead.commands.completion import shots_of
from clockhead.look import QUALITIES, Wish
from clockhead.storyboard.find import find_film
from clockhead.studio.messages import DrawJob, DrawnStill, DrawReport, StoryboardReport
from clockhead.studio.rendering import Renderer
from clockhead.workers import Worker

TURNED = {
    "rope": ("rope.matrix", "m", 1),
    "previous_token": ("previous_token.sub_diagonal", "alpha", 10),
    "kv_cache": ("kv_cache.again", "n_tokens", 9),
}
"""For each film a stage, an input of it, and its first value."""


def measure_stills(film: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds to the first new still, and to the last, of every round."""
    file = find_film(film)
    stages = [shot.stage for shot in shots_of(film)]
    drawn: set[str] = set()
    arrivals: list[float] = []

    def receive(report: DrawReport) -> None:
        if isinstance(report, StoryboardReport):
            assert report.understood, report.remarks
        if isinstance(report, DrawnStill):
            arrivals.append(time.monotonic())
            drawn.add(report.key)

    firsts, lasts = [], []
    with closing(Worker("spawn")) as worker:
        for number in range(rounds + 1):
            data = _storyboard(stages, *TURNED[film], number)
            job = DrawJob(number, file, data, Wish(QUALITIES["m"]), drawn=frozenset(drawn))
            arrivals.clear()
            begun = time.monotonic()
            worker.submit("clockhead.studio.draw_job:draw", job, report=receive).result(120)
            if number and arrivals:
                firsts.append(arrivals[0] - begun)
                lasts.append(time.monotonic() - begun)
    return firsts, lasts


async def measure_clips(film: str, rounds: int, media: Path) -> tuple[list[float], list[float]]:
    """Seconds to a -ql clip of the changed shot, and to one that the store has, of every round."""
    file, wish = find_film(film), Wish(QUALITIES["l"])
    stages = [shot.stage for shot in shots_of(film)]
    place = stages.index(TURNED[film][0])
    renderer = Renderer(media)

    async def seconds(number: int) -> float:
        data = _storyboard(stages, *TURNED[film], number)
        begun = time.monotonic()
        made = await renderer.start(file, data, wish, lambda _: None, frozenset({place}))
        assert made.clips, made.failures
        return time.monotonic() - begun

    await seconds(0)
    new, known = [], []
    for number in range(1, rounds + 1):
        new.append(await seconds(number))
        known.append(await seconds(number))
    await renderer.end()
    return new, known


def measure_commands(film: str, rounds: int, media: Path) -> list[float]:
    """Seconds to the same clips by a command for each."""
    stages = [shot.stage for shot in shots_of(film)]
    shot = TURNED[film][0].rpartition(".")[2]
    file = media / f"{film}.yaml"
    measured = []
    for number in range(1, rounds + 1):
        file.write_bytes(_storyboard(stages, *TURNED[film], number))
        command = ["clockhead", "render", str(file), "--shot", shot, "-ql", "-o", str(media)]
        begun = time.monotonic()
        subprocess.run([sys.executable, "-P", "-m", *command], check=True, capture_output=True)
        measured.append(time.monotonic() - begun)
    return measured


def _storyboard(stages: Sequence[str], turned: str, name: str, start: int, number: int) -> bytes:
    inputs = f", inputs: {{{name}: {start + number}}}"
    shots = (f"  - {{stage: {one}{inputs if one == turned else ''}}}" for one in stages)
    return ("\n".join(["version: 1", "title: Turned", "shots:", *shots]) + "\n").encode()


def _told(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.2f} ({max(seconds):.2f})"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--film", action="append", choices=list(TURNED))
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    heads = ("first still", "all stills", "clip, warm", "clip, known", "clip by a command")
    print(f"| film: median (worst), s | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}")
    for film in options.film or TURNED:
        with TemporaryDirectory() as one, TemporaryDirectory() as other:
            stills = measure_stills(film, options.rounds)
            warm = asyncio.run(measure_clips(film, options.rounds, Path(one)))
            cold = measure_commands(film, options.rounds, Path(other))
        print(f"| {film} | {' | '.join(map(_told, (*stills, *warm, cold)))} |", flush=True)


if __name__ == "__main__":
    main()
