"""All numbers of the primer's second example, of which one is wrong, and the effect of rounding.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6. Its weights are not
printed; our reconstruction (`model.primer.weights`) reproduces all of its numbers but one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import PrintedSection, printed_section
from clockhead.model.units import Count, Difference, Doc, Place, Share

_COLUMNS = 10
"""Numbers in a row of `wall`, so that the last row is all the probabilities."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundedShares(Values):
    """Section 6 of the primer in one table, and its last row, the probabilities."""

    printed: Annotated[PrintedSection, Doc("tables of section 6, compared with the true values")]
    wall: Annotated[Floats, Doc("all printed numbers in order, the probabilities last; (29, 10)")]
    shares: Annotated[Floats, Doc("printed probabilities; (10,)")]
    true: Annotated[Floats, Doc("true probabilities; (10,)")]
    rounded: Annotated[Floats, Doc("true probabilities, rounded to two decimals; (10,)")]
    printed_sum: Annotated[Share, Doc("sum of the printed probabilities")]
    rounded_sum: Annotated[Share, Doc("sum of the rounded probabilities")]
    place: Annotated[Place, Doc("index of the wrong probability")]
    n_shares: Annotated[Count, Doc("number of probabilities")]
    misprint: Annotated[Share, Doc("the wrong probability, as printed")]
    true_share: Annotated[Share, Doc("true value of the wrong probability")]
    corrected: Annotated[Share, Doc("true value of the wrong probability, rounded to two decimals")]
    cut: Annotated[Floats, Doc("true minus rounded value of each probability; (10,)")]
    ends: Annotated[Floats, Doc("cumulative sums of these differences; (10,)")]
    missing: Annotated[Difference, Doc("sum of these differences")]


def rounded_shares() -> RoundedShares:
    """The printed numbers of section 6, and the effect of rounding on the probabilities."""
    section = printed_section(6)
    numbers = np.concatenate([table.printed.rows.ravel() for table in section.tables.values()])
    wall = numbers[np.isfinite(numbers)].reshape(-1, _COLUMNS)  # (29, 10)
    table = section.tables["probs"]
    shares, true = table.printed.rows[0], table.true[0]  # (10,)
    rounded = np.round(true, table.printed.decimals)  # (10,)
    place = int(table.wrong[0].argmax())
    ends = (true - rounded).cumsum()  # (10,)
    return RoundedShares(
        printed=section,
        wall=wall,
        shares=shares,
        true=true,
        rounded=rounded,
        printed_sum=float(shares.sum()),
        rounded_sum=float(rounded.sum()),
        place=place,
        n_shares=len(shares),
        misprint=float(shares[place]),
        true_share=float(true[place]),
        corrected=float(rounded[place]),
        cut=true - rounded,
        ends=ends,
        missing=float(ends[-1]),
    )
