"""Where the matrices of a forward pass stand while one after another is talked about."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.style.layout import PX, Region
from scenes.style.type import LABEL

_APART = 0.38
"""Between two matrices, in units."""
_FOOT = 0.44
"""Room under a matrix for what its columns are called."""
_MOST_CELL, _MOST_ROW = 0.8, 0.8
_LEAST_LANE = 0.56
"""Width of a lane that has room for its name."""
_GAPS = 3 * 0.14
"""Between the lanes, in all."""
_NARROW, _LEAST = 0.12, 0.8
"""Width of a pattern that is not talked about: its share of the page, and the least for a name."""
_STREAM, _REST = 0.52, 3.5
"""The share of the page that the stream takes, and what it leaves if it can, in units."""
_RIM = 0.04
"""Room for the frame around a row."""

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PassPlan:
    """From where to where, in x, everything reaches; `upper` and `lower` are the bands.

    The stream is `alone` at first, then `beside` a pattern; patterns are `wide`, then `narrow`.
    """

    upper: Region
    lower: Region
    alone: Span
    beside: Span
    wide: tuple[Span, Span]
    narrow: tuple[Span, Span]
    logits: Span


def plan_of(region: Region, side: float, n_tokens: int, n_vocab: int) -> PassPlan:
    """One band, or two where the region is tall; both no higher than the rows need."""
    columns = 3 * n_vocab + 1
    most = max(_MOST_CELL, _LEAST_LANE / n_vocab) * columns + _GAPS
    if region.height > 1.25 * region.width:
        upper, lower = region.rows(1, 1, gap=0.4)
        width = min(most, region.width - side)
        left = region.center[0] - (width + side) / 2 + side
        alone = beside = left, left + width
        start = region.left + side
    else:
        upper = lower = region
        free = region.width - side
        least = _LEAST_LANE * columns / n_vocab + _GAPS
        beside_width = min(most, max(min(_STREAM * free, free - _APART - _REST), least))
        rest = min(free - beside_width - _APART, n_tokens * _MOST_CELL + 3 * _LEAST)
        start = region.center[0] - (side + beside_width + _APART + rest) / 2 + side
        beside = start, start + beside_width
        width = min(most, free)
        left = region.center[0] - (width + side) / 2 + side
        alone = left, left + width
        start = beside[1] + _APART
        region = Region(region.left, region.bottom, start + rest, region.top)
    end = region.right - _RIM
    narrow = max(_LEAST, _NARROW * (end - start))
    first = start, start + narrow
    second = first[1] + _APART, first[1] + _APART + narrow
    return PassPlan(
        _high(upper, n_tokens),
        _high(lower, n_tokens),
        alone,
        beside,
        ((start, end), (second[0], end)),
        (first, second),
        (second[1] + _APART, end),
    )


def _high(band: Region, n_tokens: int) -> Region:
    """A band no higher than the rows need, with names over and under them."""
    height = min(band.height, n_tokens * _MOST_ROW + 1.5 * LABEL * PX + _FOOT)
    middle = band.center[1]
    return Region(band.left, middle - height / 2 + _FOOT, band.right, middle + height / 2)


def room_of(band: Region, span: Span, names: float) -> Region:
    """A room that holds a matrix over a span and, before it, the names of its rows."""
    return Region(span[0] - names, band.bottom, span[1], band.top)
