"""The ways of words from one picture into the next, on which none passes over another.

All go straight and together where they can. Where they would meet, as where a row becomes a column,
they go first sideways and then up or down, or the other way round, or in turn. Words for which
there is no such way, as the one that begins a new line, leave where they stood and come where they
will stand, and the others go in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from manim import smooth
from numpy.typing import NDArray

Boxes: TypeAlias = NDArray[np.float64]
"""Left, bottom, right and top of each, (n, 4)."""
Span: TypeAlias = tuple[float, float]
"""From when to when something happens, in shares of the time."""

_NOTICED = 0.2
"""What is fainter is not noticed."""
_DEEP = 0.04
"""Units: what lies less deep over something else only touches it."""
_TIMES = np.arange(1, 30) / 30
_GLIMPSE = 1
"""At so many of these times words may lie over each other."""


@dataclass(frozen=True, slots=True)
class Way:
    """When a word goes sideways, and when up or down."""

    sideways: Span = (0.0, 1.0)
    upright: Span = (0.0, 1.0)

    def at(self, time: float) -> NDArray[np.float64]:
        """How much of the way to the side, up, and into depth is behind it then; shape (3,)."""
        x, y = (progress(time, span) for span in (self.sideways, self.upright))
        return np.array([x, y, (x + y) / 2])


@dataclass(frozen=True, slots=True)
class Plan:
    """The way of every word, None for those that leave and come, and when the others fade."""

    ways: tuple[Way | None, ...] = ()
    leaves: Span = (0.0, 1.0)
    comes: Span = (0.0, 1.0)
    gone: float = 0.45
    """When what leaves is gone, as a share of that span; as long before its end, the new comes."""

    @property
    def is_plain(self) -> bool:
        """Whether all go straight and together."""
        return all(way == Way() for way in self.ways)

    def old(self, time: float) -> float:
        """How much is still seen of what leaves."""
        return max(0.0, 1 - progress(time, self.leaves) / self.gone)

    def new(self, time: float) -> float:
        """How much is already seen of what comes."""
        return max(0.0, 1 - (1 - progress(time, self.comes)) / self.gone)


def progress(time: float, span: Span) -> float:
    """How much of a smooth motion is over that takes a span of the time."""
    first, last = span
    return float(smooth(min(1.0, max(0.0, (time - first) / (last - first)))))


def plan_ways(starts: Boxes, ends: Boxes, going: Boxes, coming: Boxes) -> Plan:
    """Ways for words, with what they stand on, between their boxes before and after.

    `going` and `coming` are the boxes of all other words, which fade out or in. Of all ways those
    count on which the fewest words have to leave and come; of these, the plainest.
    """
    best, least = Plan(), len(starts)
    if not least:
        return best
    least += 1
    for plan in _plans(starts, ends):
        without = _without_way(plan, starts, ends, going, coming)
        if without.sum() < least:
            pairs = zip(plan.ways, without, strict=True)
            ways = tuple(None if gone else way for way, gone in pairs)
            best, least = Plan(ways, plan.leaves, plan.comes, plan.gone), int(without.sum())
        if least == 0:
            break
    return best


def _plans(starts: Boxes, ends: Boxes) -> Iterator[Plan]:
    """The plainest first."""
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


def _without_way(
    plan: Plan, starts: Boxes, ends: Boxes, going: Boxes, coming: Boxes
) -> NDArray[np.bool_]:
    """Which words, (n,), have to leave and come so that the others can go as planned."""
    shares = np.array([[way.at(time) for way in plan.ways if way] for time in _TIMES])  # (T, n, 3)
    aside = (shares - shares[..., 2:])[..., :2] * _middles(ends - starts)
    moving = starts + (ends - starts) * shares[..., 2:] + np.tile(aside, 2)  # (T, n, 4)
    old = np.array([plan.old(time) > _NOTICED for time in _TIMES])
    new = np.array([plan.new(time) > _NOTICED for time in _TIMES])
    stands = np.abs(ends - starts).max(axis=1) < _DEEP
    fixed = _lasts(_over(moving[:, :, None], going) & old[:, None, None])
    fixed &= ~_over(starts[:, None], going)
    n_met = fixed.sum(axis=1)
    fixed = _lasts(_over(moving[:, :, None], coming) & new[:, None, None])
    fixed &= ~_over(ends[:, None], coming)
    n_met += fixed.sum(axis=1)
    at_rest = _over(starts[:, None], starts) | _over(ends[:, None], ends)
    meets = _lasts(_over(moving[:, :, None], moving[:, None])) & ~at_rest  # (n, n)
    passes = _over(moving[:, :, None], starts) & old[:, None, None]
    passes |= _over(moving[:, :, None], ends) & new[:, None, None]
    meets_faded = _lasts(passes) & ~at_rest  # [i, k]: i goes over k, which leaves and comes
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


def _lasts(meets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether words meet for longer than a glimpse; the first axis is time."""
    return np.asarray(meets.sum(axis=0) > _GLIMPSE)


def _over(first: Boxes, second: Boxes) -> NDArray[np.bool_]:
    """Whether boxes lie over others, in all shapes that broadcast."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    return np.asarray((high - low > _DEEP).all(axis=-1))
