"""The six tables that the slides print for `!abacb`, and the cells that are wrong in them.

The tables are numbered as on the slides, which count layers from 1.
Source: lecture slides on a one-hot induction head, equations (4), (5), (6), (9), (10), (11). The
numbers are as printed; all of them are whole. No reading of equation (3) gives all six tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, get_args

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, sealed
from clockhead.model.induction.onehot_layers import SLIDE_LETTERS, SLIDE_TEXT, OneHotLayers, Reading
from clockhead.model.induction.prompts import letter_prompt
from clockhead.model.units import Count, Doc, Factor, Score, Unit

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

    table: Annotated[Table, Doc("which table of the slides")]
    reading: Annotated[Reading, Doc("which reading of equation (3)")] = "causal"

    def __post_init__(self) -> None:
        _ = self.printed, self.layers

    @cached_property
    def layers(self) -> OneHotLayers:
        """The slides' own example, computed."""
        return OneHotLayers(letter_prompt(SLIDE_TEXT), SLIDE_LETTERS, self.reading)

    @cached_property
    def printed(self) -> Floats:
        """The numbers of the slide; shape (6, 6) or (6, 12)."""
        return sealed(printed_table(self.table))

    @cached_property
    def true(self) -> Floats:
        """What the equations give; the same shape."""
        return np.asarray(getattr(self.layers, _COMPUTED[self.table]))

    @cached_property
    def wrong(self) -> Bools:
        """The cells that are not the true value to the printed decimal; the same shape."""
        return np.asarray(np.abs(self.printed - self.true) > ROUNDING)

    @property
    def number(self) -> Annotated[int, Unit("equation of the slides")]:
        """The number that the table has on the slides."""
        return _EQUATIONS[self.table]

    @property
    def n_wrong(self) -> Count:
        """How many cells are wrong."""
        return int(self.wrong.sum())


@dataclass(frozen=True)
class PrintedAttention:
    """Attention of the second layer as the slides print it, beside the two readings of (3).

    All tables (6, 6), rows are queries.
    """

    @cached_property
    def causal(self) -> PrintedTable:
        """The print beside the softmax over the keys up to the query: mask first."""
        return PrintedTable("pattern_2", "causal")

    @cached_property
    def literal(self) -> PrintedTable:
        """The print beside equation (3) to the letter: softmax over all keys, then the mask."""
        return PrintedTable("pattern_2", "literal")

    @property
    def tokens(self) -> tuple[str, ...]:
        """The text of the slides, BOS first; 6 of them."""
        return self.literal.layers.tokens

    @property
    def printed(self) -> Floats:
        """The numbers of the slide; shape (6, 6)."""
        return self.literal.printed

    @property
    def unmasked(self) -> Floats:
        """The softmax over all keys before any mask: all rows sum to 1; shape (6, 6)."""
        return self.literal.layers.unmasked_1

    @property
    def row_sums(self) -> Floats:
        """What is left of each row under the literal reading; shape (6,)."""
        return self.literal.layers.row_sums

    @property
    def causal_row_sums(self) -> Floats:
        """The sum of each row where the mask comes first, 1 for all; shape (6,)."""
        return self.causal.layers.row_sums

    @property
    def lost(self) -> Bools:
        """The cells of later keys that the literal reading loses over 1 % to; shape (6, 6)."""
        return self.literal.layers.lost

    @property
    def leaks(self) -> Ints:
        """The rows that lose over 1 % of attention to later keys; shape (0 to 6,)."""
        return self.literal.layers.leaks

    @property
    def n_leaks(self) -> Count:
        """How many rows lose attention to later keys under the literal reading."""
        return len(self.leaks)

    @property
    def n_tokens(self) -> Count:
        """How many rows the table has."""
        return len(self.tokens)

    @property
    def n_cells(self) -> Count:
        """How many cells the table has."""
        return self.printed.size

    @property
    def n_wrong_causal(self) -> Count:
        """How many printed cells differ where the mask comes first."""
        return self.causal.n_wrong

    @property
    def n_wrong_literal(self) -> Count:
        """How many printed cells differ from equation (3) to the letter."""
        return self.literal.n_wrong

    @cached_property
    def answers(self) -> tuple[str, str, str]:
        """What the last row says as printed, masked first, and masked last."""
        printed = int(printed_table("resid_post")[-1].argmax())
        return (
            SLIDE_LETTERS.tokens[printed],
            self.causal.layers.prediction,
            self.literal.layers.prediction,
        )

    @property
    def answers_agree(self) -> bool:
        """Whether all three say the same."""
        return len(set(self.answers)) == 1

    @property
    def prediction(self) -> str:
        """What the last row says where the mask comes first."""
        return self.answers[1]


@dataclass(frozen=True)
class PrintedSlides:
    """All six printed tables, each beside what the equations give where the mask comes first."""

    @cached_property
    def scores_1(self) -> PrintedTable:
        """Table (4): what the first layer scores; (6, 6)."""
        return PrintedTable("scores_1")

    @cached_property
    def pattern_1(self) -> PrintedTable:
        """Table (5): attention of the first layer; (6, 6)."""
        return PrintedTable("pattern_1")

    @cached_property
    def resid_mid(self) -> PrintedTable:
        """Table (6): the rows after the first layer; (6, 12)."""
        return PrintedTable("resid_mid")

    @cached_property
    def scores_2(self) -> PrintedTable:
        """Table (9): what the second layer scores; (6, 6)."""
        return PrintedTable("scores_2")

    @cached_property
    def pattern_2(self) -> PrintedTable:
        """Table (10): attention of the second layer; (6, 6)."""
        return PrintedTable("pattern_2")

    @cached_property
    def resid_post(self) -> PrintedTable:
        """Table (11): the rows after the second layer; (6, 12)."""
        return PrintedTable("resid_post")

    @property
    def tables(self) -> tuple[PrintedTable, ...]:
        """All six, in the order of the slides."""
        first = (self.scores_1, self.pattern_1, self.resid_mid)
        return (*first, self.scores_2, self.pattern_2, self.resid_post)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The text of the slides, BOS first; 6 of them."""
        return self.resid_mid.layers.tokens

    @property
    def column_names(self) -> tuple[str, ...]:
        """The tokens that both halves of a row may name; 12 of them."""
        return 2 * SLIDE_LETTERS.tokens

    @property
    def n_numbers(self) -> Count:
        """How many numbers the six tables have."""
        return sum(table.printed.size for table in self.tables)

    @property
    def n_wrong(self) -> Count:
        """How many of them are not what the equations give, to the printed decimal."""
        return sum(table.n_wrong for table in self.tables)

    @property
    def n_right(self) -> Count:
        """How many of them are what the equations give."""
        return self.n_numbers - self.n_wrong

    @cached_property
    def forgotten(self) -> tuple[int, int]:
        """Row and column of the 1 that table (6) lacks: BOS as its own previous token."""
        [[row, column]] = np.argwhere(self.resid_mid.wrong).tolist()
        return row, column

    @cached_property
    def unmatched(self) -> tuple[int, int]:
        """Row and column of the score that table (9) lacks: BOS with itself."""
        [[row, column]] = np.argwhere(self.scores_2.wrong).tolist()
        return row, column

    @property
    def forgetful(self) -> str:
        """The token whose row lacks a 1 in table (6)."""
        return self.tokens[self.forgotten[0]]

    @property
    def full_score(self) -> Score:
        """The score that table (9) lacks."""
        return float(self.scores_2.true[self.unmatched])

    @property
    def printed_answer(self) -> Factor:
        """The largest number of the last row of table (11), as printed."""
        return float(self.resid_post.printed[-1].max())

    @property
    def true_answer(self) -> Factor:
        """The largest number of that row as the equations give it."""
        return float(self.resid_post.true[-1].max())

    @property
    def prediction(self) -> str:
        """What the last row says, by the print and by the equations."""
        return self.resid_post.layers.prediction
