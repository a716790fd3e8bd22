"""Compare the model's array operations with plain Python loops on the same inputs.

Run from the root of the repository: python -m benchmarks.model
Both sides compute the same numbers, which is checked. The loops are the second implementation of
the tests, written to be plain and not to be fast. Arrays are timed as the best of five runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clockhead.model.caesar.accuracy import rotated_windows, solve
from clockhead.model.caesar.cipher import decode
from clockhead.model.caesar.sample_english import SAMPLE_ENGLISH
from clockhead.model.induction.circuit import induction
from clockhead.model.induction.prompts import LETTER_TOKENS, letter_prompt
from tests.model import plain_caesar, plain_induction

N_TOKENS = 1_024
N_WINDOWS, LENGTH = 10_000, 64
LOOP_TOKENS = 128  # loops take half a second for these, and 64 times that for all


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds for the arrays, seconds for the loops on the same work."""

    work: str
    arrays: float
    loops: float | None = None

    def __str__(self) -> str:
        head = f"{self.work:<44} {1e3 * self.arrays:>10.1f} ms"
        if self.loops is None:
            return f"{head} {'-':>13} {'-':>8}"
        return f"{head} {1e3 * self.loops:>10.1f} ms {self.loops / self.arrays:>7.0f}x"


def best_time(run: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Seconds of the fastest of several runs, and the result of the last one."""
    times, result = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - start)
    return min(times), result


def induction_rows() -> list[Row]:
    """A whole pass, all logits of all positions, with 28 one-hot tokens and alpha = beta = 10."""
    letters = np.random.default_rng(0).choice(list("abcdefghijklmnopqrstuvwxyz "), N_TOKENS - 1)
    tokens = letter_prompt("".join(letters))

    def arrays(count: int) -> Any:
        return induction(tokens[:count], LETTER_TOKENS).forward.logits

    def loops() -> Any:
        indices = LETTER_TOKENS.encode(tokens[:LOOP_TOKENS]).tolist()
        return plain_induction.induction_logits(indices, len(LETTER_TOKENS), 10, 10, 1)

    all_seconds, _ = best_time(lambda: arrays(N_TOKENS), 5)
    seconds, ours = best_time(lambda: arrays(LOOP_TOKENS), 5)
    loop_seconds, theirs = best_time(loops, 1)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    return [
        Row(f"induction pass, {LOOP_TOKENS} tokens", seconds, loop_seconds),
        Row(f"induction pass, {N_TOKENS} tokens", all_seconds),
    ]


def caesar_rows() -> list[Row]:
    """Windows of the sample text, each solved by 26 dot products."""
    windows, rotations = rotated_windows(SAMPLE_ENGLISH, LENGTH, N_WINDOWS, seed=0)

    def loops() -> list[int]:
        return [
            max(range(26), key=lambda r: plain_caesar.dot_product(text, r))
            for text in (decode(window) for window in windows)
        ]

    seconds, found = best_time(lambda: solve(windows), 5)
    loop_seconds, theirs = best_time(loops, 1)
    np.testing.assert_array_equal(found, theirs)
    right = np.mean(found == rotations)
    return [
        Row(f"{N_WINDOWS} Caesar windows of {LENGTH} ({right:.1%} right)", seconds, loop_seconds)
    ]


def main() -> None:
    """Print the table."""
    print(f"{'work':<44} {'arrays':>13} {'loops':>13} {'ratio':>8}")
    for row in induction_rows() + caesar_rows():
        print(row)


if __name__ == "__main__":
    main()
