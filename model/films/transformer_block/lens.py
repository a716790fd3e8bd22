"""The logit lens on the primer's second example: what its last row would say at every station.

The stations are the start, and then after each attention and each MLP. Sources: Luca Erzegovesi,
Transformers and QKV Attention: A Primer, section 6; nostalgebraist, Interpreting GPT: The Logit
Lens (2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.units import Count, Place, Share

_LEVEL = 1e-12
"""Shares that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class LensedBlock(WorkedBlock):
    """The example, read out at each of its S = 2 L + 1 stations."""

    @classmethod
    def of(cls, block: WorkedBlock) -> LensedBlock:
        """The same example."""
        return cls(block.tokens, block.transformer, block.resid_pre, block.vocabulary)

    @cached_property
    def stations(self) -> tuple[str, ...]:
        """What has just been added to the stream at each station; S names."""
        layers = range(self.transformer.n_layers)
        parts = (f"{part} {layer}" for layer in layers for part in ("attention", "MLP"))
        return ("start", *parts)

    @property
    def n_stations(self) -> Count:
        """How many stations there are, S."""
        return len(self.stations)

    @cached_property
    def streams(self) -> Floats:
        """The stream at each station; shape (S, T, d_model)."""
        rows = [self.resid_pre]
        for found in self.run.block_passes:
            rows += [found.resid_mid, found.resid_post]
        return sealed(np.stack(rows))

    @cached_property
    def lens_shares(self) -> Floats:
        """What the last row would say at each station: a share for each word; shape (S, V)."""
        return self.run.lens_probabilities

    @cached_property
    def leaders(self) -> Ints:
        """Which word has the largest share at each station, -1 where several are level; (S,)."""
        shares = self.lens_shares
        level = shares > shares.max(axis=1, keepdims=True) - _LEVEL
        return sealed_ints(np.where(level.sum(axis=1) == 1, shares.argmax(axis=1), -1))

    @property
    def first_lead(self) -> Place:
        """The first station at which the word that comes out leads alone, -1 if at none."""
        return next((s for s, k in enumerate(self.leaders) if k == self.prediction), -1)

    @property
    def first_led(self) -> str:
        """What has just been added to the stream there, no text if at none."""
        return self.stations[self.first_lead] if self.first_lead >= 0 else ""

    @property
    def first_share(self) -> Share:
        """What the word that comes out in the end has at the start."""
        return float(self.lens_shares[0, self.prediction])

    @cached_property
    def lens_top(self) -> Share:
        """The largest share of all stations."""
        return float(self.lens_shares.max())
