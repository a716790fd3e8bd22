"""The six tables that the slides print for `!abacb`, and the cells that are wrong in them.

The tables are numbered as on the slides, which count layers from 1.
Source: lecture slides on a one-hot induction head, equations (4), (5), (6), (9), (10), (11). The
numbers are as printed; all of them are whole. No reading of equation (3) gives all six tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from clockhead.model.arrays import Bools, Floats, Values
from clockhead.model.induction.onehot_layers import (
    SLIDE_LETTERS,
    SLIDE_TEXT,
    OneHotLayers,
    Reading,
    onehot_layers,
)
from clockhead.model.induction.prompts import letter_prompt
from clockhead.model.units import Count, Doc, Unit

Table = Literal["scores_1", "pattern_1", "resid_mid", "scores_2", "pattern_2", "resid_post"]
ROUNDING = 0.05  # half of the last printed decimal

_COMPUTED: dict[Table, str] = {
    "scores_1": "scores_0",
    "pattern_1": "pattern_0",
    "resid_mid": "resid_mid",
    "scores_2": "scores_1",
    "pattern_2": "pattern_1",
    "resid_post": "resid_post",
}
"""The tables by the names of `OneHotLayers`, which counts layers from 0."""
_EQUATIONS: dict[Table, int] = {
    "scores_1": 4,
    "pattern_1": 5,
    "resid_mid": 6,
    "scores_2": 9,
    "pattern_2": 10,
    "resid_post": 11,
}
"""The number of the equation under which the slides print each."""
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


def printed_numbers(table: Table) -> Floats:
    """A table as the slides have it: (6, 6), or (6, 12) for Y(1) and Y(2).

    Y(1) is `resid_mid`, Y(2) is `resid_post`.
    """
    rows = [line.split() for line in _PRINTED[table].strip().splitlines()]
    return np.array(rows, dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedTable(Values):
    """One printed table beside the value it should have under a reading of equation (3)."""

    layers: Annotated[OneHotLayers, Doc("the slides' own example, computed")]
    printed: Annotated[Floats, Doc("the numbers of the slide; (6, 6) or (6, 12)")]
    true: Annotated[Floats, Doc("what the equations give; the same shape")]
    wrong: Annotated[Bools, Doc("the cells that are not true to the printed decimal")]
    number: Annotated[
        int, Unit("equation of the slides"), Doc("the number that the table has on the slides")
    ]
    n_wrong: Annotated[Count, Doc("how many cells are wrong")]


def printed_table(table: Table, reading: Reading = "causal") -> PrintedTable:
    """Compare a table with the slides' own example."""
    layers = onehot_layers(letter_prompt(SLIDE_TEXT), SLIDE_LETTERS, reading)
    printed = printed_numbers(table)
    true: Floats = getattr(layers, _COMPUTED[table])
    wrong = np.abs(printed - true) > ROUNDING
    return PrintedTable(
        layers=layers,
        printed=printed,
        true=true,
        wrong=wrong,
        number=_EQUATIONS[table],
        n_wrong=int(wrong.sum()),
    )
