"""The last row of the stream and its logits, when it is stretched and normed.

Stretching a row by a factor multiplies every logit by it, like a temperature of one over the
factor; the order of the words does not change. LayerNorm subtracts the mean and sets the length to
sqrt(d_model), so that stretching has no effect; it may change the direction, and so the order.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 to 6; Ba, Kiros and
Hinton, Layer Normalization (2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.attention.next_word import NextWord, next_word, probabilities_at
from clockhead.model.attention.pattern import softmax
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.transformer import layer_norm
from clockhead.model.units import Coordinate, Degrees, Difference, Doc, Length, Share, Shares

_STOPS = (1.0, 2.0, 0.5, 1.0)
"""Factors by which the row is stretched, one after another."""
_WAY = 40
"""Number of steps from one factor to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LastRow(WorkedBlock):
    """A worked block, and the predictions of its last row, stretched and normed."""

    row: Annotated[
        Floats, Doc("last row of the residual stream, after the second layer; (d_model,)")
    ]
    next_word: Annotated[NextWord, Doc("distribution of the next word for this row")]

    length: Annotated[Length, Doc("length of the row")]
    factors: Annotated[
        Floats, Doc("factors from 1 to 2, to 1/2, and back to 1, in equal ratios; (3, steps)")
    ]
    stretched: Annotated[Floats, Doc("the row times each of these factors; (3, steps, d_model)")]
    lengths: Annotated[Floats, Doc("lengths of these stretched rows; (3, steps)")]
    stretched_probabilities: Annotated[
        Shares, Doc("probability of each word for these rows; (3, steps, V)")
    ]
    share_doubled: Annotated[
        Share, Doc("probability of the likeliest word with the row twice as long")
    ]
    share_halved: Annotated[
        Share, Doc("probability of the likeliest word with the row half as long")
    ]

    mean: Annotated[Coordinate, Doc("mean of the row's coordinates")]
    centred: Annotated[Floats, Doc("the row without its mean; (d_model,)")]
    centred_length: Annotated[Length, Doc("length of the row without its mean")]
    centred_mean: Annotated[Coordinate, Doc("mean of the row without its mean, 0 up to rounding")]
    centred_word: Annotated[
        NextWord, Doc("distribution of the next word for the row without its mean")
    ]
    turn: Annotated[Degrees, Doc("angle between the row and the row without its mean")]
    normed: Annotated[
        Floats, Doc("LayerNorm of the row, without a learned scale or shift; (d_model,)")
    ]
    normed_length: Annotated[
        Length,
        Doc("length of the normed row, sqrt(d_model) up to the epsilon of LayerNorm"),
    ]
    normed_word: Annotated[NextWord, Doc("distribution of the next word for the normed row")]
    normed_probabilities: Annotated[
        Shares,
        Doc("probability of each word for the stretched rows after LayerNorm; (3, steps, V)"),
    ]
    drift: Annotated[
        Difference, Doc("largest change of a probability when the row is stretched and then normed")
    ]


def last_row(block: WorkedBlock) -> LastRow:
    """The same block, with predictions of its last row, stretched and normed."""
    row, unembedding = block.run.resid_post[-1], block.unembedding  # (d_model,), (d_model, V)
    words, logits = block.vocabulary, block.run.last_logits  # (V,)

    ends = np.array(_STOPS)
    factors = np.geomspace(ends[:-1], ends[1:], _WAY + 1, axis=1)  # (3, steps)
    stretched = factors[..., None] * row  # (3, steps, d_model)
    flat = probabilities_at(logits, 1 / factors.ravel())
    probabilities = flat.reshape(*factors.shape, len(words))  # (3, steps, V)

    mean = float(row.mean())
    centred = row - row.mean()  # (d_model,)
    centred_length = float(np.linalg.norm(centred))
    along = abs(mean) * math.sqrt(block.d_model)  # part of the row that is removed
    normed = layer_norm(row[None])[0]  # (d_model,)
    flat_normed = layer_norm(stretched.reshape(-1, block.d_model))
    normed_probabilities = softmax(flat_normed @ unembedding).reshape(probabilities.shape)
    return LastRow(
        **vars(block),
        row=row,
        next_word=next_word(words, logits),
        length=float(np.linalg.norm(row)),
        factors=factors,
        stretched=stretched,
        lengths=np.linalg.norm(stretched, axis=2),
        stretched_probabilities=probabilities,
        share_doubled=float(probabilities[0, -1].max()),
        share_halved=float(probabilities[1, -1].max()),
        mean=mean,
        centred=centred,
        centred_length=centred_length,
        centred_mean=float(centred.mean()),
        centred_word=next_word(words, centred @ unembedding),
        turn=math.degrees(math.atan2(along, centred_length)),
        normed=normed,
        normed_length=float(np.linalg.norm(normed)),
        normed_word=next_word(words, normed @ unembedding),
        normed_probabilities=normed_probabilities,
        drift=float(np.ptp(normed_probabilities.reshape(-1, len(words)), axis=0).max()),
    )
