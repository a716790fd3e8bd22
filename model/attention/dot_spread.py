"""Why dot products are divided by sqrt(d): how far those of random vectors spread.

Entries of mean 0 and variance 1 make dot products of variance d. The softmax of numbers that far
apart puts nearly all on one key; divided by sqrt(d), the spread is 1 at every width.
Source: Vaswani et al., Attention Is All You Need (2017), section 3.2.1; Luca Erzegovesi's primer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, sealed, whole
from clockhead.model.attention.pattern import softmax
from clockhead.model.units import Count, Doc, Factor

_SPAN = 3.5
"""How far histograms reach, in standard deviations."""


@dataclass(frozen=True, eq=False)
class DotSpread:
    """Dot products of random vectors: `n_draws` rows of one query and `n_keys` keys, by width.

    Raises ValueError for no width, a width or a count below 1, or a negative seed.
    """

    widths: Annotated[tuple[int, ...], Doc("the widths of the vectors, d")]
    n_draws: Annotated[Count, Doc("how many queries are drawn for each width")] = 1000
    n_keys: Annotated[Count, Doc("how many keys each of them meets")] = 8
    n_bins: Annotated[Count, Doc("how many bars a histogram has")] = 31
    seed: Annotated[int, Doc("what makes the draws repeatable")] = 7

    def __post_init__(self) -> None:
        if not self.widths:
            raise ValueError("widths must be at least one, got none")
        for name, count in (("n_draws", self.n_draws), ("n_keys", self.n_keys)):
            whole(name, count, at_least=1)
        for width in self.widths:
            whole("width", width, at_least=1)
        whole("n_bins", self.n_bins, at_least=1)
        whole("seed", self.seed, at_least=0)

    @cached_property
    def dots(self) -> Floats:
        """Every dot product; shape (widths, n_draws, n_keys)."""
        drawn = [_drawn(self.seed, width, self.n_draws, self.n_keys) for width in self.widths]
        return sealed(np.stack(drawn))

    @cached_property
    def divided(self) -> Floats:
        """Every dot product divided by sqrt(d); shape (widths, n_draws, n_keys)."""
        return sealed(self.dots / self.roots[:, None, None])

    @cached_property
    def roots(self) -> Floats:
        """sqrt(d), how far dot products spread in theory; shape (widths,)."""
        return sealed(np.sqrt(np.array(self.widths, dtype=float)))

    @cached_property
    def spreads(self) -> Floats:
        """The standard deviation of the drawn dot products; shape (widths,)."""
        return sealed(self.dots.std(axis=(1, 2)))

    @cached_property
    def largest_shares(self) -> Floats:
        """What the softmax gives the best of the keys, on average; shape (widths,)."""
        return sealed(softmax(self.dots).max(axis=2).mean(axis=1))

    @cached_property
    def divided_largest_shares(self) -> Floats:
        """The same after the division; shape (widths,)."""
        return sealed(softmax(self.divided).max(axis=2).mean(axis=1))

    # Histograms

    @property
    def reach(self) -> Factor:
        """How far the axis reaches to either side: 3.5 standard deviations of the widest."""
        return _SPAN * float(self.roots.max())

    @cached_property
    def bins(self) -> Floats:
        """The edges of the bins, in standard deviations sqrt(d); shape (n_bins + 1,)."""
        return sealed(np.linspace(-_SPAN, _SPAN, self.n_bins + 1))

    @cached_property
    def shapes(self) -> Floats:
        """The share of all dot products that falls into each bin; shape (widths, n_bins)."""
        counts = [np.histogram(row, self.bins)[0] for row in self.divided]
        return sealed(np.stack(counts) / self.divided[0].size)


@lru_cache(maxsize=8)
def _drawn(seed: int, width: int, n_draws: int, n_keys: int) -> Floats:
    """Dot products of drawn vectors, which takes long; shape (draws, keys)."""
    generator = np.random.default_rng([seed, width])
    queries = generator.standard_normal((n_draws, width))
    keys = generator.standard_normal((n_draws, n_keys, width))
    return sealed(np.einsum("nd,nkd->nk", queries, keys))
