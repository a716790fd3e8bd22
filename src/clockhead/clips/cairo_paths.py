"""Many curves into a cairo context at once.

pycairo takes one curve a call, which is most of the time that outlines of words cost. Cairo itself
takes a whole path, and pycairo's public header says where it keeps the context; where either cannot
be had, or another path comes of it, curves are given one by one.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache, lru_cache
from typing import Any

import cairo
import numpy as np
from numpy.typing import NDArray

_FEW = 12
"""Curves that are sooner given one by one."""
_MOVE, _CURVE, _CLOSE = np.array([(0, 2, 0, 0), (2, 4, 0, 0), (3, 1, 0, 0)], np.int32).view(
    np.float64
)
"""Heads of steps: what each is and how many entries it takes; cairo.h: cairo_path_data_t."""


class _Path(ctypes.Structure):
    """cairo.h: cairo_path_t."""

    _fields_ = (
        ("status", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("num_data", ctypes.c_int),
    )


def add_curves(
    context: cairo.Context[Any],
    curves: NDArray[np.float64],
    lasts: NDArray[np.intp],
    closed: NDArray[np.bool_],
) -> None:
    """Add cubic curves, (N, 4, 2), to a context's path.

    They are the pieces of it up to the curves before `lasts`, (S,), each `closed` or not, (S,).
    """
    append = _append() if len(curves) > _FEW else None
    if append is None:
        _one_by_one(context, curves, lasts, closed)
        return
    data = _data_of(curves, lasts, closed)
    append(_address(context), ctypes.byref(_Path(0, data.ctypes.data, len(data))))


def _data_of(
    curves: NDArray[np.float64], lasts: NDArray[np.intp], closed: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """A path as cairo has it: for each step a head, which says what it is, and its points."""
    heads, firsts, moves, points = _plan(lasts.tobytes(), closed.tobytes())
    data = heads.copy()
    data[moves] = curves[firsts, 0]
    data[points] = curves[:, 1:].reshape(-1, 2)
    return data


@lru_cache(maxsize=512)
def _plan(
    lasts: bytes, closed: bytes
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """For pieces that end so: the heads of all steps, the first curve of each piece, and where
    the points go with which pieces begin, and those of curves. Words come again and again.
    """
    ends, closes = np.frombuffer(lasts, np.intp), np.frombuffer(closed, np.bool_)
    firsts, n = np.concatenate([[0], ends[:-1]]), ends[-1]
    before = 2 * np.arange(len(ends)) + np.cumsum(closes) - closes
    moves = before + 4 * firsts
    steps = np.repeat(before + 2, ends - firsts) + 4 * np.arange(n)
    heads = np.zeros((2 * len(ends) + 4 * n + closes.sum(), 2))
    heads[moves], heads[steps] = _MOVE, _CURVE
    heads[(before + 2 + 4 * ends)[closes]] = _CLOSE
    return heads, firsts, moves + 1, (steps[:, None] + np.arange(1, 4)).ravel()


def _one_by_one(
    context: cairo.Context[Any],
    curves: NDArray[np.float64],
    lasts: NDArray[np.intp],
    closed: NDArray[np.bool_],
) -> None:
    starts, steps = curves[:, 0].tolist(), curves[:, 1:].reshape(-1, 6).tolist()
    curve_to, first = context.curve_to, 0
    for last, closes in zip(lasts.tolist(), closed.tolist(), strict=True):
        context.move_to(*starts[first])
        for step in steps[first:last]:
            curve_to(*step)
        if closes:
            context.close_path()
        first = last


def _address(context: cairo.Context[Any]) -> ctypes.c_void_p:
    """Cairo's own context; pycairo.h: PycairoContext_GET."""
    return ctypes.c_void_p.from_address(id(context) + object.__basicsize__)


@cache
def _append() -> Any:
    """Cairo's function that takes a whole path, if it can be had and does what it should."""
    if sys.implementation.name != "cpython":
        return None  # objects are laid out otherwise
    try:
        append = ctypes.PyDLL(cairo._cairo.__file__).cairo_append_path  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return None
    append.argtypes, append.restype = (ctypes.c_void_p, ctypes.c_void_p), None
    return append if _is_sound(append) else None


def _is_sound(append: Any) -> bool:
    """Whether two pieces, one of them closed, become what they should."""
    curves, lasts = np.arange(24.0).reshape(3, 4, 2), np.array([2, 3])
    closed = np.array([True, False])
    ours, theirs = (cairo.Context(cairo.ImageSurface(cairo.FORMAT_A8, 1, 1)) for _ in range(2))
    data = _data_of(curves, lasts, closed)
    append(_address(ours), ctypes.byref(_Path(0, data.ctypes.data, len(data))))
    _one_by_one(theirs, curves, lasts, closed)
    return list(ours.copy_path()) == list(theirs.copy_path())
