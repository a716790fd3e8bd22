"""Paths of words between two pictures on which no word passes over another.

All words move straight and together if possible. If they would overlap, as when a row becomes a
column, they move first horizontally and then vertically, or the other way round, or one after
another. Words without such a path, such as one that begins a new line, fade out at their old place
and in at the new one, and the others move in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from manim import smooth
from numpy.typing import NDArray

Boxes: TypeAlias = NDArray[np.float64]
"""Left, bottom, right and top of each box, (n, 4)."""
Span: TypeAlias = tuple[float, float]
"""Start and end of something, as fractions of the time."""

_NOTICED = 0.2
"""Opacity below which a word does not count as visible."""
_DEEP = 0.04
"""Overlaps of less than this, in units, are ignored."""
_TIMES = np.arange(1, 30) / 30
_GLIMPSE = 1
"""Number of these times at which words may overlap."""


@dataclass(frozen=True, slots=True)
class Way:
    """When a word moves horizontally, and when vertically."""

    sideways: Span = (0.0, 1.0)
    upright: Span = (0.0, 1.0)

    def at(self, time: float) -> NDArray[np.float64]:
        """The completed fractions of horizontal and vertical motion, and their mean; shape (3,)."""
        x, y = (progress(time, span) for span in (self.sideways, self.upright))
        return np.array([x, y, (x + y) / 2])


@dataclass(frozen=True, slots=True)
class Plan:
    """The path of every word (None for those that fade out and in), and when the others fade."""

    ways: tuple[Way | None, ...] = ()
    leaves: Span = (0.0, 1.0)
    comes: Span = (0.0, 1.0)
    gone: float = 0.45
    """Fraction of the span `leaves` after which old words are gone; new ones mirror it."""

    @property
    def is_plain(self) -> bool:
        """Whether all words move straight and together."""
        return all(way == Way() for way in self.ways)

    def old(self, time: float) -> float:
        """The opacity of the old words."""
        return max(0.0, 1 - progress(time, self.leaves) / self.gone)

    def new(self, time: float) -> float:
        """The opacity of the new words."""
        return max(0.0, 1 - (1 - progress(time, self.comes)) / self.gone)


def progress(time: float, span: Span) -> float:
    """The completed fraction of a smooth motion that takes a span of the time."""
    first, last = span
    return float(smooth(min(1.0, max(0.0, (time - first) / (last - first)))))


def plan_ways(starts: Boxes, ends: Boxes, going: Boxes, coming: Boxes) -> Plan:
    """Plan the paths of words, with their backgrounds, between their old and new boxes.

    `going` and `coming` are the boxes of all other words, which fade out or in. The best plan is
    the simplest of those with the fewest words that must fade out and in.
    """
    best, least = Plan(), len(starts)
    if not least:
        return best
    least += 1
    for plan in _plans(starts, ends):
        without = _find_blocked(plan, starts, ends, going, coming)
        if without.sum() < least:
            pairs = zip(plan.ways, without, strict=True)
            ways = tuple(None if gone else way for way, gone in pairs)
            best, least = Plan(ways, plan.leaves, plan.comes, plan.gone), int(without.sum())
        if least == 0:
            break
    return best


def _plans(starts: Boxes, ends: Boxes) -> Iterator[Plan]:
    """All plans, the simplest first."""
    n = len(starts)
    yield Plan((Way(),) * n)
    fades: dict[str, Any] = {"leaves": (0.0, 0.35), "comes": (0.65, 1.0), "gone": 1.0}
    for first, then in (((0.1, 0.65), (0.35, 0.9)), ((0.1, 0.5), (0.5, 0.9))):
        yield Plan((Way(first, then),) * n, **fades)
        yield Plan((Way(then, first),) * n, **fades)
    middles = _middles(ends).round(2)
    in_order = np.lexsort([middles[:, 0], -middles[:, 1]])
    for order in (in_order[::-1], in_order):
        turns = np.empty(n)
        turns[order] = np.linspace(0.1, 0.9, n)
        for each in (0.5, 0.3):
            spans = [(turn, turn + each) for turn in (turns * (1 - each)).tolist()]
            yield Plan(tuple(Way(span, span) for span in spans), **fades)
    yield Plan((Way((0.28, 0.72), (0.28, 0.72)),) * n, **fades)
    yield Plan((Way((0.25, 0.5), (0.5, 0.75)),) * n, **fades)
    yield Plan((Way((0.5, 0.75), (0.25, 0.5)),) * n, **fades)


def _find_blocked(
    plan: Plan, starts: Boxes, ends: Boxes, going: Boxes, coming: Boxes
) -> NDArray[np.bool_]:
    """Which words, (n,), must fade out and in so that the others can move as planned."""
    shares = np.array([[way.at(time) for way in plan.ways if way] for time in _TIMES])  # (T, n, 3)
    aside = (shares - shares[..., 2:])[..., :2] * _middles(ends - starts)
    moving = starts + (ends - starts) * shares[..., 2:] + np.tile(aside, 2)  # (T, n, 4)
    old = np.array([plan.old(time) > _NOTICED for time in _TIMES])
    new = np.array([plan.new(time) > _NOTICED for time in _TIMES])
    stands = np.abs(ends - starts).max(axis=1) < _DEEP
    fixed = _exceeds_glimpse(_overlap(moving[:, :, None], going) & old[:, None, None])
    fixed &= ~_overlap(starts[:, None], going)
    n_met = fixed.sum(axis=1)
    fixed = _exceeds_glimpse(_overlap(moving[:, :, None], coming) & new[:, None, None])
    fixed &= ~_overlap(ends[:, None], coming)
    n_met += fixed.sum(axis=1)
    at_rest = _overlap(starts[:, None], starts) | _overlap(ends[:, None], ends)
    meets = _exceeds_glimpse(_overlap(moving[:, :, None], moving[:, None])) & ~at_rest  # (n, n)
    passes = _overlap(moving[:, :, None], starts) & old[:, None, None]
    passes |= _overlap(moving[:, :, None], ends) & new[:, None, None]
    meets_faded = (
        _exceeds_glimpse(passes) & ~at_rest
    )  # [i, k]: i passes over k, which fades out and in
    areas = np.prod(starts[:, 2:] - starts[:, :2], axis=1)
    without = np.zeros(len(starts), dtype=bool)
    while True:
        found = n_met + meets[:, ~without].sum(axis=1) + meets_faded[:, without].sum(axis=1)
        found[without | stands] = 0
        if not found.any():
            return without
        without[np.lexsort([areas, -found])[0]] = True


def _middles(boxes: Boxes) -> NDArray[np.float64]:
    return (boxes[:, :2] + boxes[:, 2:]) / 2


def _exceeds_glimpse(meets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether words overlap for longer than a glimpse; the first axis is time."""
    return np.asarray(meets.sum(axis=0) > _GLIMPSE)


def _overlap(first: Boxes, second: Boxes) -> NDArray[np.bool_]:
    """Whether boxes overlap others, for all shapes that broadcast."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    return np.asarray((high - low > _DEEP).all(axis=-1))
