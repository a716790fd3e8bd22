"""Scores and weights of the last word as printed: softmax makes a difference into a factor.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import compared_5
from clockhead.model.primer.weights import SENTENCE
from clockhead.model.units import Difference, Doc, Factor, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedRatio(Values):
    """The last rows of the printed scores and weights, and what is true."""

    tokens: Annotated[tuple[str, ...], Doc("the text of the example, three words")]
    asker: Annotated[str, Doc("the word whose rows these are, the last")]
    rival: Annotated[str, Doc("the word before it")]
    first: Annotated[str, Doc("the first word")]
    scores: Annotated[Floats, Doc("its printed scores; (3,)")]
    weights: Annotated[Floats, Doc("its printed attention weights; (3,)")]
    step: Annotated[Difference, Doc("by how much it scores more with itself than with its rival")]
    factor: Annotated[Factor, Doc("e to this difference, the factor that softmax makes of it")]
    printed_factor: Annotated[Factor, Doc("the factor between both printed weights")]
    due: Annotated[Share, Doc("the rival's printed weight times the due factor")]
    true_scores: Annotated[Floats, Doc("the scores that follow from rows and matrices; (3,)")]
    true_weights: Annotated[Floats, Doc("the weights that do; (3,)")]
    true_rival: Annotated[Share, Doc("the true weight of the rival")]
    true_first: Annotated[Share, Doc("the true weight of the first word")]


def printed_ratio() -> PrintedRatio:
    """The last row of `scaled` and of `weights` in section 5."""
    tables = compared_5()
    scores, weights = (tables[name].printed.rows[-1] for name in ("scaled", "weights"))  # (3,)
    true_scores, true_weights = (tables[name].true[-1] for name in ("scaled", "weights"))  # (3,)
    step = float(scores[2] - scores[1])
    return PrintedRatio(
        tokens=SENTENCE,
        asker=SENTENCE[2],
        rival=SENTENCE[1],
        first=SENTENCE[0],
        scores=scores,
        weights=weights,
        step=step,
        factor=math.exp(step),
        printed_factor=float(weights[2] / weights[1]),
        due=float(weights[1]) * math.exp(step),
        true_scores=true_scores,
        true_weights=true_weights,
        true_rival=float(true_weights[1]),
        true_first=float(true_weights[0]),
    )
