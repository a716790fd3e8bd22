"""Time how soon the studio shows a change: as a still, as all stills of the shot, and as a clip.

    python -m benchmarks.studio [--film rope] [--rounds 9]

One number of one shot is changed in each of the films below, with the processes warm and the whole
film drawn before, as it is when a page is open. A cold clip is that of `clockhead render --shot`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

from clockhead.commands.completion import shots_of
from clockhead.look import QUALITIES, Wish
from clockhead.storyboard.find import find_film
from clockhead.studio.bench import DRAWS, Bench
from clockhead.studio.news import AllDone, Ask, Drawn, News, Read
from clockhead.studio.rendering import Rendering

TURNED = {
    "rope": ("rope.matrix", "m", 1),
    "previous_token": ("previous_token.sub_diagonal", "alpha", 10),
    "kv_cache": ("kv_cache.again", "n_tokens", 9),
}
"""By film: a stage, one of its inputs, and the first value."""


def measure_stills(film: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds until the first new still and until the last one, for every round."""
    file = find_film(film)
    stages = [shot.stage for shot in shots_of(film)]
    heard: Queue[News] = Queue()
    bench = Bench(DRAWS, heard.put)
    bench.start()
    drawn: set[str] = set()
    firsts, lasts = [], []
    for number in range(rounds + 1):
        data = _storyboard(stages, *TURNED[film], number)
        begun = time.monotonic()
        bench.ask(Ask(number, file, data, Wish(QUALITIES["m"]), drawn=frozenset(drawn)))
        first = None
        while not isinstance(news := heard.get(timeout=120), AllDone):
            if isinstance(news, Read):
                assert news.understood, news.remarks
            if isinstance(news, Drawn):
                first = first or time.monotonic() - begun
                drawn.add(news.key)
        if number and first:
            firsts.append(first)
            lasts.append(time.monotonic() - begun)
    bench.end()
    return firsts, lasts


async def measure_clips(film: str, rounds: int, media: Path) -> tuple[list[float], list[float]]:
    """Seconds until a new -ql clip and until one from the store, for every round."""
    file, wish = find_film(film), Wish(QUALITIES["l"])
    stages = [shot.stage for shot in shots_of(film)]
    place = stages.index(TURNED[film][0])
    rendering = Rendering(media)

    async def seconds(number: int) -> float:
        data = _storyboard(stages, *TURNED[film], number)
        begun = time.monotonic()
        made = await rendering.start(file, data, wish, lambda _: None, frozenset({place}))
        assert made.clips, made.failures
        return time.monotonic() - begun

    await seconds(0)
    new, known = [], []
    for number in range(1, rounds + 1):
        new.append(await seconds(number))
        known.append(await seconds(number))
    await rendering.end()
    return new, known


def measure_commands(film: str, rounds: int, media: Path) -> list[float]:
    """Seconds for the same clips with one command each."""
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


def _format(seconds: Sequence[float]) -> str:
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
        print(f"| {film} | {' | '.join(map(_format, (*stills, *warm, cold)))} |", flush=True)


if __name__ == "__main__":
    main()
