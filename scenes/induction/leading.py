"""Which tokens lead an output: one, or several that tie."""

from __future__ import annotations

import numpy as np

from model.induction import Induction

_TIE = 0.02
"""Outputs closer than this tie: softness of the attention, not the text, tells them apart."""
_ALIKE = 5e-5
"""Outputs closer than this read the same."""


def leaders(head: Induction) -> list[int]:
    """The tokens of the largest output, by their place in the vocabulary; none if all are 0."""
    top = head.output.max()
    return [] if top == 0 else np.flatnonzero(head.output > top - _TIE).tolist()


def of_each(head: Induction) -> tuple[str, str]:
    """What stands before and after the largest output, if several lead: ≤ 0.0421 each."""
    lead = leaders(head)
    if len(lead) < 2:
        return "", ""
    return "" if np.ptp(head.output[lead]) < _ALIKE else "≤ ", " each"
