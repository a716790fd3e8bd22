"""Renders killed at random and damaged at random, by the hundred: what the tests do a few times.

    python -m benchmarks.kills [ROUNDS [FIRST_SEED]]

Each round begins with what the one before it left; one that fails tells its seed and what was done.
"""

import sys
import tempfile
from pathlib import Path

from tests.pipeline.kills import DAMAGES, Trial


def main(rounds: int = 300, first: int = 1000) -> None:
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial.make(Path(folder) / "project")
        rides = [(trial.ruin, turn) for turn in range(len(DAMAGES))]
        rides += [(trial.play, seed) for seed in range(first, first + rounds)]
        for ride, number in rides:
            try:
                print(ride(number), flush=True)
            except AssertionError as error:
                failed += 1
                print(f"FAILED: {error}", flush=True)
    print(f"{failed} of {len(rides)} failed")
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
