"""The logit lens on the primer's second example: predictions of its last row at every station.

The stations are the start, and after each attention and each MLP. Sources: Luca Erzegovesi,
Transformers and QKV Attention: A Primer, section 6; nostalgebraist, Interpreting GPT: The Logit
Lens (2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.units import Count, Doc, Place, Share, Shares

_LEVEL = 1e-12
"""Probabilities that differ by less are equal."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LensedBlock(WorkedBlock):
    """A worked block with the logit lens at each of its S = 2 L + 1 stations."""

    stations: Annotated[
        tuple[str, ...], Doc("name of each station, by what was just added to the stream; S names")
    ]
    n_stations: Annotated[Count, Doc("number of stations, S")]
    streams: Annotated[Floats, Doc("residual stream at each station; (S, T, d_model)")]
    lens_shares: Annotated[
        Shares, Doc("probabilities of the next word by the logit lens at each station; (S, V)")
    ]
    leaders: Annotated[
        Ints,
        Doc("likeliest word at each station, -1 if several tie; (S,)"),
    ]
    first_lead: Annotated[
        Place, Doc("first station at which the predicted word leads alone, -1 if there is none")
    ]
    first_led: Annotated[str, Doc("name of that station, empty if there is none")]
    first_share: Annotated[Share, Doc("probability of the predicted word at the start")]
    lens_top: Annotated[Share, Doc("largest probability at any station")]


def lensed_block(block: WorkedBlock) -> LensedBlock:
    """The same block, with the logit lens at each station."""
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
