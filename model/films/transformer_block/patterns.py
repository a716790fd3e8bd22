"""Patterns of the heads in the first layer of a worked block, and their largest difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.units import Doc, Share

_ROUNDING = 1e-12
"""Largest difference of attention weights that count as equal."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PatternedBlock(WorkedBlock):
    """A worked block whose heads are compared in the first layer."""

    heads_differ: Annotated[
        bool, Doc("whether an attention weight differs between heads by more than rounding")
    ]
    differ_most_at: Annotated[Ints, Doc("row and column in which the heads differ most; (2,)")]
    shares_there: Annotated[Floats, Doc("attention weight of each head in this cell; (h,)")]
    most_there: Annotated[Share, Doc("largest attention weight in this cell")]
    least_there: Annotated[Share, Doc("smallest attention weight in this cell")]


def patterned_block(block: WorkedBlock) -> PatternedBlock:
    """The same block, with its heads compared."""
    patterns = block.first.patterns  # (h, T, T)
    differences = np.ptp(patterns, axis=0)  # (T, T)
    m, n = divmod(int(differences.argmax()), block.n_tokens)
    there = patterns[:, m, n].copy()  # (h,)
    return PatternedBlock(
        **vars(block),
        heads_differ=bool(differences.max() > _ROUNDING),
        differ_most_at=np.array([m, n]),
        shares_there=there,
        most_there=float(there.max()),
        least_there=float(there.min()),
    )
