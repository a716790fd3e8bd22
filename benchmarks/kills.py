"""Kill and damage renders at random, hundreds of times; the tests do it a few times.

    python -m benchmarks.kills [ROUNDS [FIRST_SEED]]

Each round starts with the files that the previous one left. A round that fails prints its seed and
what was done.
"""

import sys
import tempfile
from pathlib import Path

from tests.pipeline.kills import DAMAGES, Trial


def main(rounds: int = 300, first: int = 1000) -> None:
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial.make(Path(folder) / "project")
        attempts = [(trial.ruin, turn) for turn in range(len(DAMAGES))]
        attempts += [(trial.play, seed) for seed in range(first, first + rounds)]
        for attempt, number in attempts:
            try:
                print(attempt(number), flush=True)
            except AssertionError as error:
                failed += 1
                print(f"FAILED: {error}", flush=True)
    print(f"{failed} of {len(attempts)} failed")
    sys.exit(min(failed, 1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
