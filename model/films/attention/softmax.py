"""The softmax of a worked head's last row, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Count, Doc, Score, Unit

_LARGEST = 7.0
"""Largest absolute score for which e^score is shown as it is: e^7 is about 1000."""

Exponential = Annotated[float, Unit("e to a score")]


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedSoftmax(WorkedHead):
    """A worked head whose last row of scores becomes attention weights step by step.

    If a score of that row is so large that e^score would be too long to write, the largest score is
    first subtracted from all of them. That divides every e^score by the same number and does not
    change the weights.
    """

    is_lowered: Annotated[bool, Doc("whether the largest score is subtracted first")]
    taken_off: Annotated[Score, Doc("number that is subtracted from every score of the last row")]
    powers: Annotated[
        Floats,
        Doc("exponents of the last row: scores, minus the largest if it is subtracted; (T,)"),
    ]
    raised: Annotated[Floats, Doc("exponentials of the last row; (T,)")]
    total: Annotated[Exponential, Doc("sum of the exponentials, by which each is divided")]
    most_looked_at: Annotated[
        Ints, Doc("positions with the largest attention weight in the last row, all that tie; (n,)")
    ]
    least_looked_at: Annotated[
        Ints, Doc("positions with the smallest attention weight in the last row; (n,)")
    ]
    n_most: Annotated[Count, Doc("number of positions with the largest attention weight")]


def worked_softmax(head: WorkedHead) -> WorkedSoftmax:
    """The same head, with the softmax of its last row step by step."""
    scores, dots, off = head.scores[head.last], head.dots[head.last], head.rounding.max()
    is_lowered = bool(np.abs(scores).max() > _LARGEST)
    taken_off = float(scores.max()) if is_lowered else 0.0
    raised = np.exp(scores - taken_off)  # (T,)
    most = np.flatnonzero(dots >= dots.max() - off)
    return WorkedSoftmax(
        **vars(head),
        is_lowered=is_lowered,
        taken_off=taken_off,
        powers=scores - taken_off,
        raised=raised,
        total=float(raised.sum()),
        most_looked_at=most,
        least_looked_at=np.flatnonzero(dots <= dots.min() + off),
        n_most=len(most),
    )
