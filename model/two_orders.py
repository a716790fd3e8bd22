"""Two tokens in either order: what layer 0 leaves at the second, in two lanes and added into one.

Source: Chris Wendler's RoPE transformer, section 5, step 3, where the stream "contains both" the
token and the one before it. A sum does not say which came first; lanes of their own do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Floats, sealed
from model.induction_weights import induction_weights, lanes, one_lane_weights
from model.two_layers import TwoLayerPass, TwoLayerWeights

_ORDERS = ((0, 1), (1, 0))


@dataclass(frozen=True)
class TwoOrders:
    """A text of two different tokens with one-hot codes, and the same the other way round.

    The scales are those of `induction_weights`, and so are the errors they raise.
    """

    d_head: int = 32
    alpha: float = 10.0
    beta: float = 10.0

    @cached_property
    def own_lanes(self) -> Floats:
        """The second token's lanes cur and prev, their two entries, for both orders.

        Shape (2, 2, 2): lane, token, order.
        """
        weights = induction_weights(2, d_head=self.d_head, alpha=self.alpha, beta=self.beta)
        names = lanes(2)
        return sealed(
            np.stack([_last(weights)[:, names[name]].T for name in ("cur", "prev")])  # (2, 2, 2)
        )

    @cached_property
    def one_lane(self) -> Floats:
        """The same with both added into one lane; shape (2, 2): token, order."""
        weights = one_lane_weights(2, d_head=self.d_head, alpha=self.alpha, beta=self.beta)
        return sealed(_last(weights)[:, :2].T)

    @property
    def apart(self) -> float:
        """The largest difference between the two orders, in lanes of their own."""
        return float(np.abs(np.diff(self.own_lanes)).max())

    @property
    def apart_in_one(self) -> float:
        """The largest difference between the two orders, in one lane."""
        return float(np.abs(np.diff(self.one_lane)).max())


def _last(weights: TwoLayerWeights) -> Floats:
    """The last vector after layer 0, for both orders; shape (2, d_model)."""
    return np.stack([TwoLayerPass(weights, order).middle[-1] for order in _ORDERS])
