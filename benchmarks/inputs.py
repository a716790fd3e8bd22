"""Count how many random legal inputs the films accept, and list the refusals.

    python -m benchmarks.inputs                    all films, 100 draws of one input, 50 of several
    python -m benchmarks.inputs rope -n 300        more of one film, and every refusal
    python -m benchmarks.inputs --layout           check the layout of the accepted films too

A refusal is sound if the film accepts the values that it suggests. `--layout` checks the layout of
each accepted film in a random theme and aspect.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from clockhead.clips.examine import examine_film  # noqa: E402
from clockhead.look import Wish  # noqa: E402
from clockhead.storyboard.films import load_films  # noqa: E402
from tests.shipped import FILMS  # noqa: E402
from tests.storyboards.drawn_inputs import draws, offered_settings, tried  # noqa: E402

LOOKS = [
    (theme, aspect) for theme in ("chalk", "paper") for aspect in ("16:9", "4:3", "1:1", "9:16")
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("films", nargs="*", default=FILMS, metavar="FILM")
    parser.add_argument(
        "-n", type=int, default=100, help="draws of one input; half as many of some"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layout", action="store_true")
    options = parser.parse_args()
    print("| film | one input | several | refusals whose offer works | crowded |")
    print("|---|---:|---:|---:|---:|")
    for name in options.films:
        report(name, options.n, options.seed, options.layout, len(options.films) < len(FILMS))


def report(name: str, n: int, seed: int, layout: bool, at_length: bool) -> None:
    """Print a row of the table, and the messages under it."""
    random = Random(f"{seed} {name}")
    taken, crowded, sound, refused = {1: 0, 4: 0}, Counter[str](), 0, 0
    said: list[str] = []
    numbers = {1: n, 4: n // 2}
    for most, how_many in numbers.items():
        for settings in draws(name, how_many, random, most=most):
            outcome = tried(name, settings)
            if not outcome.refusals:
                taken[most] += 1
                if layout:
                    crowded.update(check_layout(name, settings, random))
                continue
            refused += 1
            offers = offered_settings(outcome.refusals)
            works = bool(offers) and not tried(name, [*settings, *offers]).refusals
            sound += works
            said.append(f"  {'' if works else 'NO OFFER THAT WORKS '}{' '.join(settings)}")
            said += [f"      {line}" for line in outcome.refusals]
    shares = " | ".join(f"{taken[most]} of {numbers[most]}" for most in numbers)
    print(f"| {name} | {shares} | {sound} of {refused} | {len(crowded) if layout else '-'} |")
    if at_length:
        print("\n".join([*said, *(f"  {text}" for text in crowded)]), flush=True)


def check_layout(name: str, settings: tuple[str, ...], random: Random) -> list[str]:
    """Problems that the layout check finds in a random look."""
    theme, aspect = random.choice(LOOKS)
    [film] = load_films([name], settings=settings, wish=Wish(theme=theme, aspect=aspect))
    return [f"{' '.join(settings)} {theme} {aspect}: {p}" for p in examine_film(film)[0]]


if __name__ == "__main__":
    main()
