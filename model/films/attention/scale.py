"""Why dot products are divided by sqrt(d): the standard deviation for random vectors.

Entries of mean 0 and variance 1 give dot products of variance d. For large d, their softmax is
nearly one-hot; divided by sqrt(d), their standard deviation is 1 at every width.
Source: Vaswani et al., Attention Is All You Need (2017), section 3.2.1; Luca Erzegovesi's primer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_int
from clockhead.model.attention.pattern import softmax
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Count, Doc, Factor, Score, ScoreScale, Share, Shares

_SPAN = 3.5
"""Half the range of the histograms, in standard deviations."""
_TIMES_AS_WIDE = (1, 4, 16, 64)


@dataclass(frozen=True, kw_only=True, eq=False)
class DotSpread(Values):
    """Dot products of random queries with several keys each, for several widths."""

    widths: Annotated[Ints, Doc("widths of the vectors, d; (widths,)")]
    n_draws: Annotated[Count, Doc("number of random queries for each width")]
    n_keys: Annotated[Count, Doc("number of random keys for each query")]
    dots: Annotated[Floats, Doc("dot products; (widths, n_draws, n_keys)")]
    divided: Annotated[Floats, Doc("dot products divided by sqrt(d); (widths, n_draws, n_keys)")]
    roots: Annotated[Floats, Doc("sqrt(d), the standard deviation in theory; (widths,)")]
    spreads: Annotated[Floats, Doc("standard deviation of the random dot products; (widths,)")]
    largest_shares: Annotated[Shares, Doc("mean of the largest attention weight; (widths,)")]
    divided_largest_shares: Annotated[
        Shares, Doc("mean of the largest attention weight after the division; (widths,)")
    ]
    reach: Annotated[Factor, Doc("end of the axis: 3.5 standard deviations at the largest width")]
    bins: Annotated[Floats, Doc("edges of the bins, in standard deviations; (n_bins + 1,)")]
    shapes: Annotated[Floats, Doc("fraction of dot products in each bin; (widths, n_bins)")]


def dot_spread(
    widths: tuple[int, ...], n_draws: int = 1000, n_keys: int = 8, n_bins: int = 31, seed: int = 7
) -> DotSpread:
    """Draw random queries and keys of each width, and take their dot products."""
    if not widths:
        raise ValueError("widths must be at least one, got none")
    dots = np.stack([_random_dots(seed, width, n_draws, n_keys) for width in widths])
    roots = np.sqrt(np.array(widths, dtype=float))  # (widths,)
    divided = dots / roots[:, None, None]
    bins = np.linspace(-_SPAN, _SPAN, n_bins + 1)
    counts = np.stack([np.histogram(row, bins)[0] for row in divided])  # (widths, n_bins)
    return DotSpread(
        widths=np.array(widths),
        n_draws=n_draws,
        n_keys=n_keys,
        dots=dots,
        divided=divided,
        roots=roots,
        spreads=dots.std(axis=(1, 2)),
        largest_shares=softmax(dots).max(axis=2).mean(axis=1),
        divided_largest_shares=softmax(divided).max(axis=2).mean(axis=1),
        reach=_SPAN * float(roots.max()),
        bins=bins,
        shapes=counts / divided[0].size,
    )


@lru_cache(maxsize=8)
def _random_dots(seed: int, width: int, n_draws: int, n_keys: int) -> Floats:
    """Dot products of random vectors, cached because they take long; (draws, keys)."""
    generator = np.random.default_rng([seed, check_int("width", width, at_least=1)])
    queries = generator.standard_normal((n_draws, width))
    keys = generator.standard_normal((n_draws, n_keys, width))
    return np.asarray(np.einsum("nd,nkd->nk", queries, keys))


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaledHead(WorkedHead):
    """A worked head, and dot products of random vectors that are as wide or wider."""

    spread: Annotated[
        DotSpread, Doc("random vectors of d_head and of 4, 16 and 64 times that width")
    ]
    widths_named: Annotated[tuple[str, ...], Doc("labels of these widths")]
    widest: Annotated[Count, Doc("the largest of these widths")]
    even: Annotated[
        Floats, Doc("standard deviation of divided dot products in theory, 1; (widths,)")
    ]
    largest_share: Annotated[
        Share, Doc("mean of the largest attention weight at the largest width")
    ]
    alpha: Annotated[ScoreScale, Doc("1 / sqrt(d_head), the factor on the dot products")]
    own_dot: Annotated[Score, Doc("dot product of the last token's query and its own key")]
    own_score: Annotated[Score, Doc("this dot product divided by sqrt(d_head)")]


def scaled_head(head: WorkedHead) -> ScaledHead:
    """The same head, with dot products of random vectors."""
    widths = tuple(times * head.d_model for times in _TIMES_AS_WIDE)
    spread = dot_spread(widths)
    return ScaledHead(
        **vars(head),
        spread=spread,
        widths_named=tuple(f"d = {width}" for width in widths),
        widest=max(widths),
        even=np.ones(len(widths)),
        largest_share=float(spread.largest_shares[-1]),
        alpha=1 / head.divisor,
        own_dot=float(head.dots[head.last, head.last]),
        own_score=float(head.scores[head.last, head.last]),
    )
