"""Two layers over each other, and what layers have to learn: an area for every matrix.

A layer gives rows of the width that it takes, so that any number of them stand over each other.
With an MLP four times as wide as the stream its matrices have the area of twelve squares, d_model
on a side: the rule 12 L d_model^2 (`model.transformer.parameter_count`).
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.parameter_count import GPT_2, ParameterCount
from clockhead.model.units import Count, Unit

Millions = Annotated[float, Unit("millions")]
_USUAL = 4
"""How much wider the MLP usually is than the stream."""


@dataclass(frozen=True, eq=False)
class StackedLayers(WorkedBlock):
    """The primer's second example, or one like it, and what its layers and those of GPT-2 learn."""

    @cached_property
    def count(self) -> ParameterCount:
        """The sizes of this model, and what they come to."""
        n_layers = self.transformer.n_layers
        return ParameterCount(n_layers, self.d_model, self.d_ff, self.n_vocab)

    @property
    def n_in_layer(self) -> Count:
        """How many numbers the matrices of a layer of this model hold."""
        return self.count.in_attention + self.count.in_mlp

    @cached_property
    def areas(self) -> Floats:
        """W_Q, W_K, W_V, W_O, W_1 and W_2 of a layer, in squares d_model on a side; shape (6,)."""
        return _areas(self.d_ff / self.d_model)

    @cached_property
    def usual_areas(self) -> Floats:
        """The same with an MLP four times as wide as the stream; shape (6,)."""
        return _areas(_USUAL)

    @property
    def usual_width(self) -> Count:
        """How many times as wide as the stream an MLP usually is."""
        return _USUAL

    @property
    def squares_of_attention(self) -> Count:
        """How many squares W_Q, W_K, W_V and W_O have together."""
        return round(float(self.usual_areas[:4].sum()))

    @property
    def squares_of_mlp(self) -> Count:
        """How many squares W_1 and W_2 have together."""
        return round(float(self.usual_areas[4:].sum()))

    @property
    def n_squares(self) -> Count:
        """How many squares a layer has."""
        return round(float(self.usual_areas.sum()))

    @property
    def gpt_2(self) -> ParameterCount:
        """The sizes of the smallest GPT-2, and what they come to."""
        return GPT_2

    @property
    def in_layers(self) -> Millions:
        """How many million numbers the matrices of its layers hold."""
        return GPT_2.in_layers / 1e6

    @property
    def in_others(self) -> Millions:
        """How many million its embeddings, biases and norms hold."""
        return (GPT_2.total - GPT_2.in_layers) / 1e6

    @property
    def in_all(self) -> Millions:
        """How many million it learns in all."""
        return GPT_2.total / 1e6

    @property
    def budget_names(self) -> tuple[str, ...]:
        """What it learns numbers for; two names."""
        return f"{GPT_2.n_layers} layers", "all else"

    @cached_property
    def budget(self) -> Floats:
        """Million numbers in its layers, and in all that is in no layer; shape (2,)."""
        return sealed(np.array([self.in_layers, self.in_others]))


def _areas(wide: float) -> Floats:
    """The areas of the six matrices for an MLP so many times as wide as the stream; shape (6,)."""
    return sealed(np.array([1.0, 1.0, 1.0, 1.0, wide, wide]))
