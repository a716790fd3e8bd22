"""Approximations of a smooth curve by one layer: n flat pieces, or n slanted ones.

Source: Dan Wilhelm's LLM Foundations, chapter 2, "how a one-layer network can approximate any
function arbitrarily well"; the curves are ours. A flat piece begins with a jump, made by a steep
sigmoid, and a slanted piece with a bend, made by a ReLU; the first flat piece is the bias. The
largest error of flat pieces is at most L / (2 n), where L is the steepest slope; that of slanted
ones at most M / (8 n^2), where M is the largest second derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.units import Count, Doc, Factor

CurveName = Literal["fading wave", "bell", "arch", "ramp-up"]
Curve: TypeAlias = Callable[[Floats], Floats]
CURVES: Final[dict[CurveName, Curve]] = {
    "fading wave": lambda x: np.asarray(np.sin(2 * np.pi * x) * np.exp(-x)),
    "bell": lambda x: np.asarray(np.exp(-0.5 * ((x - 0.5) / 0.15) ** 2)),
    "arch": lambda x: np.asarray(4 * x * (1 - x)),
    "ramp-up": lambda x: np.asarray(0.5 + 0.5 * np.tanh(6 * (x - 0.5))),
}
"""Curves on 0 to 1, by name."""
FEWEST = 4
"""Smallest number of pieces."""
MOST_DRAWN = 64
"""Largest number of pieces that are drawn."""
_WITHIN = 64
"""Number of intervals of a piece at whose ends its error is measured."""


@dataclass(frozen=True, kw_only=True)
class CurvePieces(Values):
    """A curve in 4 pieces, 8, and so on: M numbers of pieces, E of which are drawn."""

    name: Annotated[CurveName, Doc("name of the curve")]
    n_doublings: Annotated[Count, Doc("number of times that the number of pieces is doubled")]
    counts: Annotated[Ints, Doc("numbers of pieces; (M,)")]
    fewest: Annotated[Count, Doc("smallest number of pieces")]
    most: Annotated[Count, Doc("largest number of pieces")]
    flat_errors: Annotated[Floats, Doc("largest error of flat pieces; (M,)")]
    slanted_errors: Annotated[Floats, Doc("largest error of slanted pieces; (M,)")]
    flat_ratio: Annotated[
        Factor, Doc("error with half the largest number of flat pieces over that with all")
    ]
    slanted_ratio: Annotated[
        Factor, Doc("error with half the largest number of slanted pieces over that with all")
    ]
    lead: Annotated[
        Factor, Doc("error of flat pieces over that of slanted ones, for the largest number")
    ]
    lead_line: Annotated[
        Floats, Doc("points (largest number of pieces, error) of both kinds; (2, 2)")
    ]
    drawn_counts: Annotated[Ints, Doc("numbers of pieces that are drawn; (E,)")]
    x: Annotated[Floats, Doc("x of points of the curve, including all edges of drawn pieces; (S,)")]
    curve: Annotated[Floats, Doc("y of the curve at these points; (S,)")]
    stairs: Annotated[
        Floats,
        Doc("flat pieces as points, two for each of the largest number of pieces; (E, 2 N, 2)"),
    ]
    bends: Annotated[
        Floats,
        Doc("slanted pieces as points at the same x, for a morph from `stairs`; (E, 2 N, 2)"),
    ]
    flat_worst: Annotated[
        Floats, Doc("largest error of flat pieces as a line from piece to curve; (E, 2, 2)")
    ]
    slanted_worst: Annotated[
        Floats, Doc("largest error of slanted pieces as a line from piece to curve; (E, 2, 2)")
    ]


def curve_pieces(curve: CurveName, n_doublings: int) -> CurvePieces:
    """Approximate a curve by 4 pieces, and double their number `n_doublings` (>= 1) times."""
    f = CURVES[curve]
    counts = FEWEST * 2 ** np.arange(n_doublings + 1)  # (M,)
    most = int(counts[-1])
    flat_errors = np.array([np.abs(_flat_errors(f, n)).max() for n in counts.tolist()])
    slanted_errors = np.array([np.abs(_slanted_errors(f, n)).max() for n in counts.tolist()])
    flat, slanted = float(flat_errors[-1]), float(slanted_errors[-1])

    most_drawn = min(most, MOST_DRAWN)
    drawn = counts[counts <= most_drawn]  # (E,)
    x = np.linspace(0.0, 1.0, 4 * most_drawn + 1)
    ends = np.repeat(np.linspace(0.0, 1.0, most_drawn + 1), 2)[1:-1]  # (2 N,)
    stairs, bends = [], []
    for n in drawn.tolist():
        edges = np.linspace(0.0, 1.0, n + 1)
        stairs.append(np.column_stack([ends, np.repeat(_levels(f, n), 2 * (most_drawn // n))]))
        bends.append(np.column_stack([ends, np.interp(ends, edges, f(edges))]))
    return CurvePieces(
        name=curve,
        n_doublings=n_doublings,
        counts=counts,
        fewest=int(counts[0]),
        most=most,
        flat_errors=flat_errors,
        slanted_errors=slanted_errors,
        flat_ratio=float(flat_errors[-2] / flat),
        slanted_ratio=float(slanted_errors[-2] / slanted),
        lead=flat / slanted,
        lead_line=np.array([[most, flat], [most, slanted]]),
        drawn_counts=drawn,
        x=x,
        curve=f(x),
        stairs=np.stack(stairs),
        bends=np.stack(bends),
        flat_worst=np.stack([_largest_error(f, _flat_errors(f, n)) for n in drawn.tolist()]),
        slanted_worst=np.stack([_largest_error(f, _slanted_errors(f, n)) for n in drawn.tolist()]),
    )


def _points(n: int) -> Floats:
    """x of points in each of n pieces, ends included; shape (n, P)."""
    return (np.arange(n)[:, None] + np.linspace(0.0, 1.0, _WITHIN + 1)) / n


def _levels(f: Curve, n: int) -> Floats:
    """Values of the curve in the middle of each of n pieces; shape (n,)."""
    return f((np.arange(n) + 0.5) / n)


def _flat_errors(f: Curve, n: int) -> Floats:
    """Errors of n flat pieces, curve minus piece; shape (n, P)."""
    return np.asarray(f(_points(n)) - _levels(f, n)[:, None])


def _slanted_errors(f: Curve, n: int) -> Floats:
    """Errors of n slanted pieces, curve minus piece; shape (n, P)."""
    x, edges = _points(n), np.linspace(0.0, 1.0, n + 1)
    return np.asarray(f(x) - np.interp(x, edges, f(edges)))


def _largest_error(f: Curve, off: Floats) -> Floats:
    """Points of piece and curve at the largest of the errors `off` (n, P); shape (2, 2)."""
    at = np.unravel_index(np.abs(off).argmax(), off.shape)
    x = _points(len(off))[at]
    y = float(f(x))
    return np.array([[x, y - off[at]], [x, y]])
