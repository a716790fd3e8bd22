"""Printed scores and weights of the last word: softmax turns a difference into a factor.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from clockhead.model.arrays import Floats, Values
from clockhead.model.primer.tables import compare_section_5
from clockhead.model.primer.weights import SENTENCE
from clockhead.model.units import Difference, Doc, Factor, Share


@dataclass(frozen=True, kw_only=True, eq=False)
class PrintedRatio(Values):
    """The last rows of the printed scores and weights, and the true values."""

    tokens: Annotated[tuple[str, ...], Doc("text of the example, three words")]
    asker: Annotated[str, Doc("the last word, whose rows these are")]
    rival: Annotated[str, Doc("the word before it")]
    first: Annotated[str, Doc("the first word")]
    scores: Annotated[Floats, Doc("printed attention scores of the last word; (3,)")]
    weights: Annotated[Floats, Doc("printed attention weights of the last word; (3,)")]
    step: Annotated[
        Difference, Doc("printed score of the last word with itself minus that with the rival")
    ]
    factor: Annotated[
        Factor, Doc("e to this difference, the ratio of the two weights after softmax")
    ]
    printed_factor: Annotated[Factor, Doc("ratio of the two printed weights")]
    due: Annotated[Share, Doc("the rival's printed weight times the correct ratio")]
    true_scores: Annotated[Floats, Doc("true attention scores, from rows and matrices; (3,)")]
    true_weights: Annotated[Floats, Doc("true attention weights; (3,)")]
    true_rival: Annotated[Share, Doc("true attention weight of the rival")]
    true_first: Annotated[Share, Doc("true attention weight of the first word")]


def printed_ratio() -> PrintedRatio:
    """Compare the last rows of `scaled` and `weights` in section 5."""
    tables = compare_section_5()
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
