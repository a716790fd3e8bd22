"""Two layers over each other, and what layers have to learn: an area for every matrix.

A layer gives rows of the width that it takes, so that any number of them stand over each other.
With an MLP four times as wide as the stream its matrices have the area of twelve squares, d_model
on a side: the rule 12 L d_model^2 (`model.transformer.parameter_count`).
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, sections 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.parameter_count import GPT_2, ParameterCount, parameter_count
from clockhead.model.units import Count, Doc, Unit

Millions = Annotated[float, Unit("millions")]
_USUAL = 4
"""How much wider the MLP usually is than the stream."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StackedLayers(WorkedBlock):
    """A worked block, and how many numbers its layers and those of GPT-2 learn."""

    count: Annotated[ParameterCount, Doc("the sizes of this model, and what they come to")]
    n_in_layer: Annotated[Count, Doc("how many numbers the matrices of a layer of this model hold")]
    areas: Annotated[
        Floats,
        Doc("W_Q, W_K, W_V, W_O, W_1 and W_2 of a layer, in squares d_model on a side; (6,)"),
    ]
    usual_areas: Annotated[
        Floats, Doc("the same with an MLP four times as wide as the stream; (6,)")
    ]
    usual_width: Annotated[Count, Doc("how many times as wide as the stream an MLP usually is")]
    squares_of_attention: Annotated[
        Count, Doc("how many squares W_Q, W_K, W_V and W_O have together")
    ]
    squares_of_mlp: Annotated[Count, Doc("how many squares W_1 and W_2 have together")]
    n_squares: Annotated[Count, Doc("how many squares a layer has")]
    gpt_2: Annotated[ParameterCount, Doc("the sizes of the smallest GPT-2, and what they come to")]
    in_layers: Annotated[Millions, Doc("how many million numbers the matrices of its layers hold")]
    token_table: Annotated[Millions, Doc("how many million its table of tokens holds, used twice")]
    in_all: Annotated[Millions, Doc("how many million it learns in all")]
    budget_names: Annotated[tuple[str, ...], Doc("what it learns numbers for; three names")]
    budget: Annotated[
        Floats, Doc("million numbers in its layers, its table of tokens, and all else; (3,)")
    ]


def stacked_layers(block: WorkedBlock) -> StackedLayers:
    """The same block, its numbers counted."""
    n_layers = block.transformer.n_layers
    count = parameter_count(n_layers, block.d_model, block.d_ff, block.n_vocab)
    areas, usual = (
        np.array([1.0, 1.0, 1.0, 1.0, width, width])
        for width in (block.d_ff / block.d_model, _USUAL)
    )
    in_layers, in_all = GPT_2.in_layers / 1e6, GPT_2.total / 1e6
    token_table = GPT_2.n_vocab * GPT_2.d_model / 1e6
    return StackedLayers(
        **vars(block),
        count=count,
        n_in_layer=count.in_attention + count.in_mlp,
        areas=areas,
        usual_areas=usual,
        usual_width=_USUAL,
        squares_of_attention=round(float(usual[:4].sum())),
        squares_of_mlp=round(float(usual[4:].sum())),
        n_squares=round(float(usual.sum())),
        gpt_2=GPT_2,
        in_layers=in_layers,
        token_table=token_table,
        in_all=in_all,
        budget_names=(f"{GPT_2.n_layers} layers", "token table", "all else"),
        budget=np.array([in_layers, token_table, in_all - in_layers - token_table]),
    )
