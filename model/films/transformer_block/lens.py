"""The logit lens on the primer's second example: what its last row would say at every station.

The stations are the start, and then after each attention and each MLP. Sources: Luca Erzegovesi,
Transformers and QKV Attention: A Primer, section 6; nostalgebraist, Interpreting GPT: The Logit
Lens (2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.units import Count, Doc, Place, Share

_LEVEL = 1e-12
"""Shares that differ by less are the same."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LensedBlock(WorkedBlock):
    """A worked block, read out at each of its S = 2 L + 1 stations."""

    stations: Annotated[
        tuple[str, ...], Doc("what has just been added to the stream at each station; S names")
    ]
    n_stations: Annotated[Count, Doc("how many stations there are, S")]
    streams: Annotated[Floats, Doc("the stream at each station; (S, T, d_model)")]
    lens_shares: Annotated[
        Floats, Doc("what the last row would say at each station: a share for each word; (S, V)")
    ]
    leaders: Annotated[
        Ints,
        Doc("which word has the largest share at each station, -1 where several are level; (S,)"),
    ]
    first_lead: Annotated[
        Place, Doc("the first station at which the word that comes out leads alone, -1 if at none")
    ]
    first_led: Annotated[str, Doc("what has just been added there, no text if at none")]
    first_share: Annotated[Share, Doc("what the word that comes out in the end has at the start")]
    lens_top: Annotated[Share, Doc("the largest share of all stations")]


def lensed_block(block: WorkedBlock) -> LensedBlock:
    """The same block, read out at each station."""
    stations, streams = ["start"], [block.resid_pre]
    for layer, found in enumerate(block.run.block_passes):
        stations += [f"attention {layer}", f"MLP {layer}"]
        streams += [found.resid_mid, found.resid_post]
    shares = block.run.lens_probabilities  # (S, V)
    level = shares > shares.max(axis=1, keepdims=True) - _LEVEL
    leaders = np.where(level.sum(axis=1) == 1, shares.argmax(axis=1), -1)  # (S,)
    first = next((s for s, k in enumerate(leaders) if k == block.prediction), -1)
    return LensedBlock(
        **vars(block),
        stations=tuple(stations),
        n_stations=len(stations),
        streams=np.stack(streams),
        lens_shares=shares,
        leaders=leaders,
        first_lead=first,
        first_led=stations[first] if first >= 0 else "",
        first_share=float(shares[0, block.prediction]),
        lens_top=float(shares.max()),
    )
