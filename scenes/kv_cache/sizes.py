"""What the stages about memory take: the sizes of a model and of the cache that it keeps."""

from __future__ import annotations

from math import floor, log10

from pydantic import Field

from clockhead.model.transformer.cache_sizes import CacheSizes, cache_sizes
from clockhead.scenes.stage import StageInputs

_LARGE = 1000


class SizesInputs(StageInputs):
    """The sizes of a model and of its cache."""

    n_layers: int = Field(32, ge=4, le=128, description="layers of the model, L")
    n_heads: int = Field(32, ge=4, le=128, description="heads in a layer, h")
    d_head: int = Field(128, ge=32, le=256, description="width of a key and of a value, d_k")
    context: int = Field(32_768, ge=1024, le=1_000_000, description="tokens in the cache, T")
    bytes_per_number: int = Field(2, ge=1, le=8, description="bytes for one number, b; 2 at fp16")

    @property
    def sizes(self) -> CacheSizes:
        """The sizes of the cache, if no heads share."""
        return cache_sizes(
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            n_kv_heads=self.n_heads,
            d_head=self.d_head,
            context=self.context,
            bytes_per_number=self.bytes_per_number,
        )


def digits(gb: float) -> str:
    """The format of a size in gigabytes, with two decimals or two digits."""
    return ",.0f" if gb >= _LARGE else f",.{max(2, 1 - floor(log10(gb)))}f"


def in_gb(gb: float) -> str:
    """A size in gigabytes in a sentence."""
    return f"{gb:{digits(gb)}} GB"
