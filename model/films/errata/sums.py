"""The last row of the primer's first example as a sum on paper, from the numbers that it prints.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import compared_5
from clockhead.model.primer.weights import RESID_5, SENTENCE
from clockhead.model.units import Count, Doc, Unit

_SHIFT = 1000
"""All three rows have three decimals."""
Digit: TypeAlias = Annotated[int, Unit("digit, 0 to 9")]


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSum(Values):
    """Two printed rows, and the printed one that should be their sum."""

    asker: Annotated[str, Doc("the word whose row it is")]
    row: Annotated[Floats, Doc("its row in the residual stream; (5,)")]
    added: Annotated[Floats, Doc("what attention adds to it, as printed; (5,)")]
    printed: Annotated[Floats, Doc("the row that is printed as the sum; (5,)")]
    total: Annotated[Floats, Doc("the sum of the two printed rows; (5,)")]
    n_sums: Annotated[Count, Doc("how many sums the row has")]
    n_wrong: Annotated[Count, Doc("how many of them are not printed as they are")]
    n_by_digit: Annotated[Count, Doc("of how many of these the last digit is wrong")]
    digit_row: Annotated[Digit, Doc("the last digit of the first number of its row")]
    digit_added: Annotated[Digit, Doc("the last digit of what is added to it")]
    digit_total: Annotated[Digit, Doc("the last digit of their sum")]
    digit_printed: Annotated[Digit, Doc("the last digit of what is printed")]


def printed_sum() -> PrintedSum:
    """The last row of h0, of the attention output and of h1, in section 5."""
    tables = compared_5()
    row, added = RESID_5[-1], tables["attention_output"].printed.rows[-1]  # (5,)
    printed, total = tables["h_last"].printed.rows[0], row + added  # (5,)
    rows = np.rint(_SHIFT * np.stack([row, added, total, printed])).astype(int)  # (4, 5)
    digits = np.abs(rows) % 10  # (4, 5)
    first = digits[:, 0].tolist()
    return PrintedSum(
        asker=SENTENCE[-1],
        row=row,
        added=added,
        printed=printed,
        total=total,
        n_sums=len(row),
        n_wrong=int((rows[2] != rows[3]).sum()),
        n_by_digit=int((digits[2] != digits[3]).sum()),
        digit_row=first[0],
        digit_added=first[1],
        digit_total=first[2],
        digit_printed=first[3],
    )
