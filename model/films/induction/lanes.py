"""Two tokens in either order: what layer 0 leaves at the second, in two subspaces or in one.

Source: Chris Wendler's RoPE transformer, section 5, step 3, where the stream "contains both" the
token and the one before it. A sum does not say which came first; subspaces of their own do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed
from clockhead.model.induction.two_layers import TwoLayerPass, TwoLayerWeights
from clockhead.model.induction.weights import (
    induction_stream,
    induction_weights,
    one_subspace_weights,
)
from clockhead.model.units import Coordinates, Difference, Doc, ScoreScale

_ORDERS = ((0, 1), (1, 0))


@dataclass(frozen=True)
class TwoOrders:
    """A text of two different tokens with one-hot codes, and the same the other way round.

    The scales are those of `induction_weights`, and so are the errors they raise.
    """

    d_head: Annotated[Coordinates, Doc("width of queries and keys in layer 0")] = 32
    alpha: Annotated[ScoreScale, Doc("scale of the scores of layer 0")] = 10.0
    beta: Annotated[ScoreScale, Doc("scale of the scores of layer 1")] = 10.0

    @cached_property
    def own_subspaces(self) -> Floats:
        """The second token's subspaces cur and prev, their two entries, for both orders.

        Shape (2, 2, 2): subspace, token, order.
        """
        weights = induction_weights(2, d_head=self.d_head, alpha=self.alpha, beta=self.beta)
        names = induction_stream(2).subspaces
        return sealed(
            np.stack([_last(weights)[:, names[name]].T for name in ("cur", "prev")])  # (2, 2, 2)
        )

    @cached_property
    def one_subspace(self) -> Floats:
        """The same with both added into one subspace; shape (2, 2): token, order."""
        weights = one_subspace_weights(2, d_head=self.d_head, alpha=self.alpha, beta=self.beta)
        return sealed(_last(weights)[:, :2].T)

    @property
    def apart(self) -> Difference:
        """The largest difference between the two orders, in subspaces of their own."""
        return float(np.abs(np.diff(self.own_subspaces)).max())

    @property
    def apart_in_one(self) -> Difference:
        """The largest difference between the two orders, in one subspace."""
        return float(np.abs(np.diff(self.one_subspace)).max())


def _last(weights: TwoLayerWeights) -> Floats:
    """The last vector after layer 0, for both orders; shape (2, d_model)."""
    return np.stack([TwoLayerPass(weights, order).resid_mid[-1] for order in _ORDERS])
