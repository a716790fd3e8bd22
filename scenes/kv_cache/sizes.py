"""Inputs of the stages about memory: the sizes of a model and of its key-value cache."""

from __future__ import annotations

from math import floor, log10

from pydantic import Field

from clockhead.model.transformer.cache_sizes import CacheSizes, cache_sizes
from clockhead.scenes.stage import StageInputs

_LARGE = 1000
"""Size in gigabytes from which no decimals are written."""


class SizesInputs(StageInputs):
    """Sizes of a model and of its key-value cache."""

    n_layers: int = Field(32, ge=4, le=128, description="number of layers of the model, L")
    n_heads: int = Field(32, ge=4, le=128, description="number of heads in a layer, h")
    d_head: int = Field(128, ge=32, le=256, description="width of a key or a value, d_k")
    context: int = Field(
        32_768, ge=1024, le=1_000_000, description="number of tokens in the cache, T"
    )
    bytes_per_number: int = Field(2, ge=1, le=8, description="bytes per number, b; 2 for fp16")

    @property
    def sizes(self) -> CacheSizes:
        """Sizes of the cache if every head has its own keys and values."""
        return cache_sizes(
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            n_kv_heads=self.n_heads,
            d_head=self.d_head,
            context=self.context,
            bytes_per_number=self.bytes_per_number,
        )


def gb_spec(gb: float) -> str:
    """Format of a size in gigabytes, with at least two decimals and two significant digits."""
    return ",.0f" if gb >= _LARGE else f",.{max(2, 1 - floor(log10(gb)))}f"


def format_gb(gb: float) -> str:
    """A size in gigabytes, as sentences write it."""
    return f"{gb:{gb_spec(gb)}} GB"
