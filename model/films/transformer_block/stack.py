"""Stacked layers and their numbers of parameters, drawn as an area for every matrix.

The output of a layer has the width of its input, so layers can be stacked. If the MLP is four times
as wide as the stream, the matrices of a layer have the area of twelve squares of side d_model: the
rule 12 L d_model^2 (`model.transformer.parameter_count`).
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
"""Usual width of the MLP over that of the stream."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StackedLayers(WorkedBlock):
    """A worked block, and the numbers of parameters of its layers and of GPT-2."""

    count: Annotated[ParameterCount, Doc("sizes of this model and its numbers of parameters")]
    n_in_layer: Annotated[Count, Doc("parameters of the matrices in a layer of this model")]
    areas: Annotated[
        Floats,
        Doc(
            "areas of W_Q, W_K, W_V, W_O, W_1 and W_2 of a layer, in squares of side d_model; (6,)"
        ),
    ]
    usual_areas: Annotated[
        Floats, Doc("these areas with an MLP four times as wide as the stream; (6,)")
    ]
    usual_width: Annotated[Count, Doc("usual width of an MLP over that of the stream")]
    squares_of_attention: Annotated[Count, Doc("squares of W_Q, W_K, W_V and W_O together")]
    squares_of_mlp: Annotated[Count, Doc("squares of W_1 and W_2 together, in the usual MLP")]
    n_squares: Annotated[Count, Doc("squares of a layer with the usual MLP")]
    gpt_2: Annotated[
        ParameterCount, Doc("sizes of the smallest GPT-2 and its numbers of parameters")
    ]
    in_layers: Annotated[Millions, Doc("parameters of the matrices in GPT-2's layers, in millions")]
    token_table: Annotated[
        Millions,
        Doc("parameters of GPT-2's token embedding, which is also its unembedding, in millions"),
    ]
    in_all: Annotated[Millions, Doc("parameters of GPT-2, in millions")]
    budget_names: Annotated[tuple[str, ...], Doc("names of three groups of GPT-2's parameters")]
    budget: Annotated[
        Floats,
        Unit("millions"),
        Doc("parameters of GPT-2's layers, its token embedding, and all else, in millions; (3,)"),
    ]


def stacked_layers(block: WorkedBlock) -> StackedLayers:
    """The same block, with its parameters counted."""
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
