"""All numbers of the primer's second example, of which one is wrong; and what rounding leaves.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6. Its weights are not
printed; those that we have (`model.primer.weights`) reproduce all of its numbers but one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import PrintedSection, printed_section
from clockhead.model.units import Count, Difference, Doc, Place, Share

_COLUMNS = 10
"""As many numbers in a row of the wall: the last one is all the probabilities."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundedShares(Values):
    """Section 6 of the primer in one table, and its last row, whose sum is right."""

    printed: Annotated[PrintedSection, Doc("its tables, each beside the true values")]
    wall: Annotated[
        Floats, Doc("all numbers that it prints, in order, the probabilities last; (29, 10)")
    ]
    shares: Annotated[Floats, Doc("the probabilities as printed; (10,)")]
    true: Annotated[Floats, Doc("the probabilities as computed; (10,)")]
    rounded: Annotated[Floats, Doc("each of these, rounded to two decimals; (10,)")]
    printed_sum: Annotated[Share, Doc("what the printed probabilities add up to")]
    rounded_sum: Annotated[Share, Doc("what the rounded ones add up to")]
    place: Annotated[Place, Doc("which of them is wrong")]
    n_shares: Annotated[Count, Doc("how many probabilities there are")]
    misprint: Annotated[Share, Doc("the wrong one, as printed")]
    true_share: Annotated[Share, Doc("the same as computed")]
    corrected: Annotated[Share, Doc("the same, rounded to two decimals")]
    cut: Annotated[Floats, Doc("what rounding took from each, below 0 where it added; (10,)")]
    ends: Annotated[Floats, Doc("where each of these ends, laid end to end; (10,)")]
    missing: Annotated[Difference, Doc("what rounding took from all of them together")]


def rounded_shares() -> RoundedShares:
    """The printed numbers of section 6, and what rounding does to the last ten of them."""
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
