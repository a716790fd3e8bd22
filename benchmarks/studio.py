"""How soon the studio shows a change: from an edit to the first new still, and to all of them.

    python -m benchmarks.studio

One number of one shot is turned in each of the films that follow, with the worker warm and the
whole film drawn before, as a page would have it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from queue import Queue

from clockhead.pipeline.commands.glance import shots_of
from clockhead.pipeline.look import QUALITIES, Wish
from clockhead.pipeline.storyboard.find import find_film
from clockhead.pipeline.studio.bench import Bench
from clockhead.pipeline.studio.news import AllDone, Ask, Drawn, News, Read

TURNED = {
    "rope": ("rope.matrix", "m", 1),
    "previous_token": ("previous_token.sub_diagonal", "alpha", 10),
    "kv_cache": ("kv_cache.again", "n_tokens", 9),
}
"""Of each film a stage, an input of it, and the first value."""
ROUNDS = 9


def measure(film: str) -> tuple[list[float], list[float]]:
    """Seconds to the first new still, and to the last, of every round."""
    file = find_film(film)
    stages = [shot.stage for shot in shots_of(film)]
    heard: Queue[News] = Queue()
    bench = Bench(heard.put)
    bench.start()
    drawn: set[str] = set()
    firsts, lasts = [], []
    for number in range(ROUNDS + 1):
        text = _storyboard(stages, *TURNED[film], number)
        begun = time.monotonic()
        bench.ask(Ask(number, file, text.encode(), Wish(QUALITIES["m"]), drawn=frozenset(drawn)))
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


def _storyboard(stages: Sequence[str], turned: str, name: str, start: int, number: int) -> str:
    inputs = f", inputs: {{{name}: {start + number}}}"
    shots = (f"  - {{stage: {one}{inputs if one == turned else ''}}}" for one in stages)
    return "\n".join(["version: 1", "title: Turned", "shots:", *shots]) + "\n"


def main() -> None:
    """Print a table."""
    print("| film | first still, median (worst) s | all of the shot s |\n|---|---:|---:|")
    for film in TURNED:
        firsts, lasts = measure(film)
        first, worst, last = statistics.median(firsts), max(firsts), statistics.median(lasts)
        print(f"| {film} | {first:.2f} ({worst:.2f}) | {last:.2f} |")


if __name__ == "__main__":
    main()
