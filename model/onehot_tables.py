"""The six tables that the slides print for `!abacb`, and the cells that are wrong in them.

Source: lecture slides on a one-hot induction head, equations (4), (5), (6), (9), (10), (11). The
numbers are as printed; all of them are whole. No reading of equation (3) gives all six tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from model.arrays import Bools, Floats, sealed
from model.onehot_induction import SLIDE_TEXT, SLIDE_VOCABULARY, OneHotInduction, Reading

Table = Literal["scores_1", "pattern_1", "resid_mid", "scores_2", "pattern_2", "resid_post"]
ROUNDING = 0.05  # half of the last printed decimal

_PRINTED: dict[Table, str] = {
    "scores_1": """
        -100 -100 -100 -100 -100 -100
         100 -100 -100 -100 -100 -100
        -100  100 -100 -100 -100 -100
        -100 -100  100 -100 -100 -100
        -100 -100 -100  100 -100 -100
        -100 -100 -100 -100  100 -100""",
    "pattern_1": """
        1 0 0 0 0 0
        1 0 0 0 0 0
        0 1 0 0 0 0
        0 0 1 0 0 0
        0 0 0 1 0 0
        0 0 0 0 1 0""",
    "resid_mid": """
        1 0 0 0 0 0  0 0 0 0 0 0
        0 1 0 0 0 0  1 0 0 0 0 0
        0 0 1 0 0 0  0 1 0 0 0 0
        0 1 0 0 0 0  0 0 1 0 0 0
        0 0 0 1 0 0  0 1 0 0 0 0
        0 0 1 0 0 0  0 0 0 1 0 0""",
    "scores_2": """
        0 100   0   0   0   0
        0   0 100   0 100   0
        0   0   0 100   0   0
        0   0 100   0 100   0
        0   0   0   0   0 100
        0   0   0 100   0   0""",
    "pattern_2": """
        1 0 0 0 0 0
        0 0 0 0 0 0
        0 0 0 0 0 0
        0 0 1 0 0 0
        0 0 0 0 0 0
        0 0 0 1 0 0""",
    "resid_post": """
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 0 1 0 0 0  0 0 0 0 0 0
        0 0 0 0 0 0  0 0 0 0 0 0
        0 1 0 0 0 0  0 0 0 0 0 0""",
}


def printed_table(table: Table) -> Floats:
    """A table as the slides have it: (6, 6), or (6, 12) for Y(1) and Y(2).

    Y(1) is `resid_mid`, Y(2) is `resid_post`.

    Raises ValueError for a name that is none of the six.
    """
    if table not in _PRINTED:
        raise ValueError(f"table must be one of {get_args(Table)}, got {table!r}")
    rows = [line.split() for line in _PRINTED[table].strip().splitlines()]
    return np.array(rows, dtype=np.float64)


@dataclass(frozen=True)
class PrintedTable:
    """One printed table beside the value it should have under `reading`.

    Raises ValueError for an unknown table or reading.
    """

    table: Table
    reading: Reading = "causal"

    def __post_init__(self) -> None:
        _ = self.printed, self.model

    @cached_property
    def model(self) -> OneHotInduction:
        """The slides' own example, computed."""
        return OneHotInduction(tuple(SLIDE_TEXT), SLIDE_VOCABULARY, self.reading)

    @cached_property
    def printed(self) -> Floats:
        """The numbers of the slide; shape (6, 6) or (6, 12)."""
        return sealed(printed_table(self.table))

    @cached_property
    def true(self) -> Floats:
        """What the equations give; the same shape."""
        return np.asarray(getattr(self.model, self.table))

    @cached_property
    def wrong(self) -> Bools:
        """The cells that are not the true value to the printed decimal; the same shape."""
        return np.asarray(np.abs(self.printed - self.true) > ROUNDING)

    @property
    def n_wrong(self) -> int:
        """How many cells are wrong."""
        return int(self.wrong.sum())
