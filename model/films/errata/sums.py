"""The last row of the primer's first example, which is not the sum of its two printed parts.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import compare_section_5
from clockhead.model.primer.weights import RESID_5, SENTENCE
from clockhead.model.units import Count, Doc, Unit

_SHIFT = 1000
"""Factor that makes all printed numbers whole: they have three decimals."""
Digit: TypeAlias = Annotated[int, Unit("digit, 0 to 9")]


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedSum(Values):
    """Two printed rows, and the printed row that should be their sum."""

    asker: Annotated[str, Doc("word whose row it is")]
    row: Annotated[Floats, Doc("row of this word in the residual stream; (5,)")]
    added: Annotated[Floats, Doc("printed attention output that is added to it; (5,)")]
    printed: Annotated[Floats, Doc("the row printed as their sum; (5,)")]
    total: Annotated[Floats, Doc("the true sum of both rows; (5,)")]
    n_sums: Annotated[Count, Doc("number of sums in the row")]
    n_wrong: Annotated[Count, Doc("number of sums that are printed wrong")]
    n_by_digit: Annotated[Count, Doc("number of sums whose last printed digit is wrong")]
    digit_row: Annotated[Digit, Doc("last digit of the first number of the row")]
    digit_added: Annotated[Digit, Doc("last digit of the first number that is added")]
    digit_total: Annotated[Digit, Doc("last digit of their sum")]
    digit_printed: Annotated[Digit, Doc("last digit of the printed sum")]


def printed_sum() -> PrintedSum:
    """Add the last rows of h0 and of the attention output, and compare with h1, in section 5."""
    tables = compare_section_5()
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
