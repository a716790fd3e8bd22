"""The softmax of a worked head's last row, step by step, and which tokens get most of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Count, Doc, Score, Unit

_LARGEST = 7.0
"""Scores up to this size are raised to e as they are: e^7 is about 1000."""

Exponential = Annotated[float, Unit("e to a score")]


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedSoftmax(WorkedHead):
    """A worked head whose last row of scores becomes attention weights step by step.

    Where a score of that row is so large that e to its power could not be written, the largest of
    the row is taken off all of them first: that divides every e^score by one number, and leaves
    the weights as they are.
    """

    is_lowered: Annotated[bool, Doc("whether the largest score is taken off first")]
    taken_off: Annotated[Score, Doc("what is taken off every score of the last row")]
    powers: Annotated[Floats, Doc("what e is raised to for each token, by the last one; (T,)")]
    raised: Annotated[Floats, Doc("e to these powers; (T,)")]
    total: Annotated[Exponential, Doc("their sum, by which each is divided")]
    most_looked_at: Annotated[Ints, Doc("the tokens with the largest weight, if several tie; (n,)")]
    least_looked_at: Annotated[Ints, Doc("the tokens with the smallest weight; (n,)")]
    n_most: Annotated[Count, Doc("how many tokens tie for the largest weight")]


def worked_softmax(head: WorkedHead) -> WorkedSoftmax:
    """The same head, with its last softmax worked."""
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
