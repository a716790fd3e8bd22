"""The last row of the stream, read out: its direction, its length, and the norm that sets it.

Stretched by a factor, a row multiplies every logit by it, which is a temperature of one over the
factor: the order of the words stays. LayerNorm takes the mean away and sets the length to
sqrt(d_model), so that stretching does nothing; it may change the direction, and so the order.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 to 6; Ba, Kiros and
Hinton, Layer Normalization (2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.attention.next_word import NextWord, next_word, probabilities_at
from clockhead.model.attention.pattern import softmax
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.transformer import layer_norm
from clockhead.model.units import Coordinate, Degrees, Difference, Length, Share

_STOPS = (1.0, 2.0, 0.5, 1.0)
"""How far the row is stretched, one after another."""
_WAY = 40
"""Steps from one of them to the next."""


@dataclass(frozen=True, eq=False)
class LastRow(WorkedBlock):
    """The primer's second example, or one like it, and what its last row says of the next word."""

    @property
    def row(self) -> Floats:
        """The last row of the stream, after the second layer; shape (d_model,)."""
        return np.asarray(self.run.resid_post[-1])

    @cached_property
    def next_word(self) -> NextWord:
        """What comes next by this row."""
        return next_word(self.vocabulary, self.run.last_logits)

    # Its length

    @property
    def length(self) -> Length:
        """The length of the row."""
        return float(np.linalg.norm(self.row))

    @cached_property
    def factors(self) -> Floats:
        """From 1 to 2, from there to 1/2, and back to 1, equal factors apart; shape (3, steps)."""
        ends = np.array(_STOPS)
        return sealed(np.geomspace(ends[:-1], ends[1:], _WAY + 1, axis=1))

    @cached_property
    def stretched(self) -> Floats:
        """The row times each of these factors; shape (3, steps, d_model)."""
        return sealed(self.factors[..., None] * self.row)

    @cached_property
    def lengths(self) -> Floats:
        """How long it is then; shape (3, steps)."""
        return sealed(np.linalg.norm(self.stretched, axis=2))

    @cached_property
    def stretched_probabilities(self) -> Floats:
        """The probability of each word for these rows; shape (3, steps, V)."""
        logits = self.run.last_logits
        flat = probabilities_at(logits, 1 / self.factors.ravel())
        return sealed(flat.reshape(*self.factors.shape, self.n_vocab))

    @property
    def share_doubled(self) -> Share:
        """The probability of the likeliest word with the row twice as long."""
        return float(self.stretched_probabilities[0, -1].max())

    @property
    def share_halved(self) -> Share:
        """The probability of the likeliest word with the row half as long."""
        return float(self.stretched_probabilities[1, -1].max())

    # The norm

    @property
    def mean(self) -> Coordinate:
        """The mean of the numbers of the row."""
        return float(self.row.mean())

    @cached_property
    def centred(self) -> Floats:
        """The row without its mean; shape (d_model,)."""
        return sealed(self.row - self.row.mean())

    @property
    def centred_length(self) -> Length:
        """The length of this."""
        return float(np.linalg.norm(self.centred))

    @property
    def centred_mean(self) -> Coordinate:
        """The mean of this, 0 but for rounding."""
        return float(self.centred.mean())

    @cached_property
    def centred_word(self) -> NextWord:
        """What would come next if the unembedding read the row without its mean."""
        return next_word(self.vocabulary, self.centred @ self.transformer.unembedding)

    @property
    def turn(self) -> Degrees:
        """The angle between the row and the row without its mean; 0 for a row of zeros."""
        along = abs(self.mean) * math.sqrt(self.d_model)  # of the row, along what is taken off
        return math.degrees(math.atan2(along, self.centred_length))

    @cached_property
    def normed(self) -> Floats:
        """LayerNorm of the row, without a learned scale or shift; shape (d_model,)."""
        return sealed(layer_norm(self.row[None])[0])

    @property
    def normed_length(self) -> Length:
        """The length of this, sqrt(d_model) but for what keeps LayerNorm from dividing by 0."""
        return float(np.linalg.norm(self.normed))

    @cached_property
    def normed_word(self) -> NextWord:
        """What would come next if the unembedding read the normed row."""
        return next_word(self.vocabulary, self.normed @ self.transformer.unembedding)

    @cached_property
    def normed_stretched(self) -> Floats:
        """LayerNorm of the row times each of the factors; shape (3, steps, d_model)."""
        flat = self.stretched.reshape(-1, self.d_model)
        return sealed(layer_norm(flat).reshape(self.stretched.shape))

    @cached_property
    def normed_probabilities(self) -> Floats:
        """The probability of each word for these; shape (3, steps, V)."""
        return sealed(softmax(self.normed_stretched @ self.transformer.unembedding))

    @property
    def drift(self) -> Difference:
        """The most that a probability moves while the row is stretched before its norm."""
        return float(np.ptp(self.normed_probabilities.reshape(-1, self.n_vocab), axis=0).max())
