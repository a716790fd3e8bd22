"""Rotary position embedding: d_head/2 pairs of coordinates, each rotated at its own frequency.

Coordinates 2i and 2i+1 of a vector are pair i, a point in a plane; at position m it is rotated by
the phase m * theta_i, in radians. Positions may be fractional.
Source: Chris Wendler's RoPE transformer, section 2. The summary box of the second document counts
frequencies from i = 1, which drops theta = 1; section 2 counts from 0, and so does this module.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, check_even, check_float

BASE = 10_000.0
FULL_TURN = 2 * math.pi
FURTHEST = 2.0**53  # beyond it, float64 cannot represent every whole position


def rope_frequencies(d_head: int, base: float = BASE) -> Floats:
    """The frequencies theta_i = base^(-2i/d_head), i = 0 .. d_head/2 - 1, in radians per position.

    Shape (d_head/2,), falling from exactly 1; with base 1 all frequencies are equal.
    Raises ValueError for an odd d_head, d_head < 2, or a base below 1.
    """
    width = check_even("d_head", d_head)
    ratio = check_float("base", base, at_least=1)
    return np.asarray(ratio ** (-np.arange(0, width, 2) / width))  # (d_head/2,)


def equal_frequencies(d_head: int, frequency: float = 1.0) -> Floats:
    """The same `frequency` for every pair, in radians per position; shape (d_head/2,)."""
    checked = check_float("frequency", frequency, above=0, at_most=FULL_TURN)
    return np.full(check_even("d_head", d_head) // 2, checked)  # (d_head/2,)


def check_frequencies(frequencies: ArrayLike) -> Floats:
    """`frequencies` as an array (d_head/2,); ValueError if empty or outside (0, 2 pi]."""
    array = check_array("frequencies", frequencies, n_axes=1)  # (d_head/2,)
    if not (array.size and np.min(array) > 0 and np.max(array) <= FULL_TURN):
        raise ValueError(
            f"frequencies must be at least one, each above 0 and at most 2 pi, got {array.tolist()}"
        )
    return array


def periods(frequencies: ArrayLike) -> Floats:
    """The period of each pair in positions, 2 pi / theta; shape (d_head/2,)."""
    return np.asarray(FULL_TURN / check_frequencies(frequencies))  # (d_head/2,)


def rope_phases(positions: ArrayLike, frequencies: ArrayLike) -> Floats:
    """Phases m theta_i in radians for every position m, not reduced: (...) to (..., d_head/2).

    Raises ValueError for a position that is not finite or whose absolute value exceeds 2^53.
    """
    array = check_array("positions", positions)  # (...)
    if array.size and np.max(np.abs(array)) > FURTHEST:
        raise ValueError(f"positions must lie within 2^53 of 0, got {np.max(np.abs(array)):g}")
    return np.asarray(array[..., None] * check_frequencies(frequencies))


def phase_cosines(offsets: ArrayLike, frequencies: ArrayLike) -> Floats:
    """cos(D theta_i) for every pair at offset D: (...) to (..., d_head/2)."""
    return np.asarray(np.cos(rope_phases(offsets, frequencies)))


def kernel(offsets: ArrayLike, frequencies: ArrayLike) -> Floats:
    """f(D) = sum_i cos(D theta_i), the score of offset D at alpha 1: (...) to (...).

    Its maximum is f(0) = d_head/2, where all phases are 0.
    """
    return np.asarray(phase_cosines(offsets, frequencies).sum(axis=-1))


def kernel_gap(offsets: ArrayLike, frequencies: ArrayLike) -> Floats:
    """f(0) - f(D) >= 0, without the cancellation of the subtraction: (...) to (...).

    Computed as 2 sum_i sin^2(D theta_i / 2), so that the gap of a near-alias does not round to 0.
    """
    halves = np.sin(rope_phases(offsets, frequencies) / 2)  # (..., d_head/2)
    return np.asarray(2 * (halves**2).sum(axis=-1))


def rotate(vectors: ArrayLike, positions: ArrayLike, frequencies: ArrayLike) -> Floats:
    """R_m v for every vector and its position: (..., d_head) and (...) to (..., d_head).

    Leading axes broadcast: one vector at many positions, or one position for many vectors.
    Raises ValueError if the last axis is not d_head, twice the number of frequencies.
    """
    array = check_array("vectors", vectors)  # (..., d_head)
    angles = rope_phases(positions, frequencies)  # (..., d_head/2)
    width = 2 * angles.shape[-1]
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"vectors must have a last axis of {width}, got shape {array.shape}")
    x, y = array[..., 0::2], array[..., 1::2]  # (..., d_head/2) each
    cos, sin = np.cos(angles), np.sin(angles)  # (..., d_head/2) each
    pairs = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)  # (..., d_head/2, 2)
    return np.asarray(pairs.reshape(*pairs.shape[:-2], width))


def rotation_matrix(positions: ArrayLike, frequencies: ArrayLike) -> Floats:
    """R_m, block-diagonal with one 2 x 2 rotation per pair: (...) to (..., d_head, d_head)."""
    angles = rope_phases(positions, frequencies)  # (..., d_head/2)
    width = 2 * angles.shape[-1]
    matrix = np.zeros((*angles.shape[:-1], width, width))  # (..., d_head, d_head)
    x = np.arange(0, width, 2)  # (d_head/2,) first coordinate of each pair
    matrix[..., x, x] = matrix[..., x + 1, x + 1] = np.cos(angles)
    matrix[..., x + 1, x] = np.sin(angles)
    matrix[..., x, x + 1] = -np.sin(angles)
    return matrix


def composed_rotation(m: float, n: float, frequencies: ArrayLike) -> Floats:
    """The matrix product R_m^T R_n; shape (d_head, d_head).

    Equals R_(n - m), which depends only on the signed offset (section 2, composition).
    """
    back = rotation_matrix(check_float("m", m), frequencies).T  # (d_head, d_head)
    return np.asarray(back @ rotation_matrix(check_float("n", n), frequencies))
