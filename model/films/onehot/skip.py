"""Two layers of which the first looks two positions back, beside those that look one back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.induction.onehot_layers import OneHotLayers, onehot_layers
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class SkippingLayers(OneHotLayers):
    """The slides' two layers with another diagonal in one block."""

    one_back: Annotated[OneHotLayers, Doc("the same, looking at the position before")]


def skipping_layers(tokens: tuple[str, ...], vocabulary: Vocabulary, offset: int) -> SkippingLayers:
    """Run a text through layers that look `offset` back, and through those of the slides."""
    skipping = onehot_layers(tokens, vocabulary, offset=offset)
    return SkippingLayers(**vars(skipping), one_back=onehot_layers(tokens, vocabulary))
