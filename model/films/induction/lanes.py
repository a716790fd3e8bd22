"""Two tokens in either order: the stream at the second after layer 0, with two subspaces or one.

Source: Chris Wendler's RoPE transformer, section 5, step 3, where the stream "contains both" the
token and the one before it. A sum does not show which came first; separate subspaces do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.induction.circuit import Induction
from clockhead.model.induction.two_layers import TwoLayerWeights, two_layers
from clockhead.model.induction.weights import (
    induction_stream,
    induction_weights,
    one_subspace_weights,
)
from clockhead.model.units import Difference, Doc

_ORDERS = ((0, 1), (1, 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class TwoOrders(Values):
    """The residual stream at the second of two different tokens after layer 0, in either order."""

    own_subspaces: Annotated[
        Floats, Doc("entries of cur and prev, by subspace, order and token; (2, 2, 2)")
    ]
    one_subspace: Annotated[
        Floats, Doc("entries of the single subspace with both added, by order and token; (2, 2)")
    ]
    apart: Annotated[
        Difference, Doc("largest difference between the two orders, with separate subspaces")
    ]
    apart_in_one: Annotated[
        Difference, Doc("largest difference between the two orders, with one subspace")
    ]


def two_orders(alpha: float, beta: float) -> TwoOrders:
    """Run two one-hot tokens through layer 0; the scales are those of `induction_weights`."""
    names = induction_stream(2).subspaces
    last = _last_resid(induction_weights(2, alpha=alpha, beta=beta))  # (2, d_model)
    apart = np.stack([last[:, names[name]] for name in ("cur", "prev")])  # (2, 2, 2)
    added = _last_resid(one_subspace_weights(2, alpha=alpha, beta=beta))[:, :2]  # (2, 2)
    return TwoOrders(
        own_subspaces=apart,
        one_subspace=added,
        apart=float(np.abs(np.diff(apart, axis=1)).max()),
        apart_in_one=float(np.abs(np.diff(added, axis=0)).max()),
    )


def _last_resid(weights: TwoLayerWeights) -> Floats:
    """The residual stream of the last token after layer 0, for both orders; (2, d_model)."""
    return np.stack([two_layers(weights, order).resid_mid[-1] for order in _ORDERS])


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredTokens:
    """Tokens that layer 0 stores in a text, and in two words in either order."""

    head: Annotated[Induction, Doc("the induction circuit on the text")]
    orders: Annotated[TwoOrders, Doc("layer 0 on two words alone, in either order")]
    pair: Annotated[
        tuple[str, str], Doc("the last word, and the first other word that followed it")
    ]
    texts: Annotated[tuple[str, str], Doc("the two words in either order")]


def stored_tokens(head: Induction) -> StoredTokens:
    """Two words of the text of `head`, and layer 0 with its scales on both orders of them."""
    a, b = head.text.query_token, head.tokens[head.text.other_follower]
    return StoredTokens(
        head=head,
        orders=two_orders(head.alpha, head.beta),
        pair=(a, b),
        texts=(f"{a} {b}", f"{b} {a}"),
    )
