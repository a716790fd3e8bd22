"""One-hot layers of which the first attends further back, and those of the slides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from clockhead.model.induction.onehot_layers import OneHotLayers, onehot_layers
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Doc


@dataclass(frozen=True, kw_only=True, eq=False)
class SkippingLayers(OneHotLayers):
    """The slides' two layers with another offset in layer 0."""

    one_back: Annotated[
        OneHotLayers, Doc("the slides' layers, which attend to the position before")
    ]


def skipping_layers(tokens: tuple[str, ...], vocabulary: Vocabulary, offset: int) -> SkippingLayers:
    """Run the layers with this `offset` and those of the slides on a text."""
    skipping = onehot_layers(tokens, vocabulary, offset=offset)
    return SkippingLayers(**vars(skipping), one_back=onehot_layers(tokens, vocabulary))
