"""Six scores that compare a histogram with the 26 templates; larger is better.

Source: Dan Wilhelm, LLM Foundations, chapter 1: the dot product ranks the rotations like the
squared error, because all templates have the same length (Theorem 1). Log-likelihood is the
same network with logarithms of the frequencies as its unembedding; the square root is between the
two. Humans are said to use "commonest is e".
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array
from clockhead.model.caesar.cipher import ENGLISH, N_ROTATIONS, templates

Method = Literal[
    "dot product", "squared error", "chi-squared", "log-likelihood", "square root", "commonest is e"
]
METHODS: tuple[Method, ...] = get_args(Method)
E = 4  # index of the letter e


def dot_products(histograms: ArrayLike, rows: ArrayLike) -> Floats:
    """Dot products of histograms with every template: (..., K) and (R, K) to (..., R)."""
    heights, classes = _check_shapes(histograms, rows)
    return np.asarray(heights @ classes.T)


def squared_errors(histograms: ArrayLike, rows: ArrayLike) -> Floats:
    """Squared errors of histograms and every template: (..., K) and (R, K) to (..., R)."""
    heights, classes = _check_shapes(histograms, rows)
    return np.asarray(((heights[..., None, :] - classes) ** 2).sum(axis=-1))


def chi_squared(histograms: ArrayLike, rows: ArrayLike) -> Floats:
    """Chi-squared statistics of histograms for every template: (..., K) and (R, K) to (..., R).

    Both sides are normalized to sum 1; a histogram without a letter gives 1 for every template.
    Raises ValueError unless all template entries are above 0.
    """
    heights, classes = _check_shapes(histograms, rows)
    if classes.min() <= 0:
        raise ValueError(f"templates must be above 0 everywhere, got {classes.min():g}")
    total = heights.sum(axis=-1, keepdims=True)  # (..., 1)
    shares = heights / np.where(total == 0, 1, total)  # (..., K)
    expected = classes / classes.sum(axis=1, keepdims=True)  # (R, K)
    differences = shares[..., None, :] - expected  # (..., R, K)
    return np.asarray((differences**2 / expected).sum(axis=-1))


def scores(
    histograms: ArrayLike, method: Method = "dot product", frequencies: ArrayLike = ENGLISH
) -> Floats:
    """Score of each rotation, larger is better: histograms of a to z (..., 26) to (..., 26).

    Errors are negated. Counts and frequencies of the text give the same ranking, except that
    squared errors need frequencies. Raises ValueError for an unknown method, and for frequencies
    of 0 with a method that divides by them or takes their logarithm.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {METHODS}, got {method!r}")
    rows = templates(frequencies)  # (26, 26)
    if method == "dot product":
        return dot_products(histograms, rows)
    if method == "squared error":
        return -squared_errors(histograms, rows)
    if method == "chi-squared":
        return -chi_squared(histograms, rows)
    if method == "commonest is e":
        heights = check_array("histograms", histograms)  # (..., 26)
        return np.asarray(np.roll(heights, -E, axis=-1))  # (..., 26), letter e + r for rotation r
    return dot_products(histograms, templates(unembedding_column(method, frequencies)))


def unembedding_column(method: Method, frequencies: ArrayLike = ENGLISH) -> Floats:
    """The unembedding column of rotation 0 for `method`; shape (26,).

    The frequencies, their logarithms or their square roots; ValueError for other methods.
    """
    base = check_array("frequencies", frequencies, n_axes=1)  # (26,)
    if base.size != N_ROTATIONS or base.min() < 0:
        raise ValueError(f"frequencies must be 26 numbers of at least 0, got {base.tolist()}")
    if method == "dot product":
        return base
    if method == "square root":
        return np.asarray(np.sqrt(base))
    if method != "log-likelihood":
        raise ValueError(f"method must be a product with templates, got {method!r}")
    if not base.all():
        raise ValueError("frequencies must be above 0 for log-likelihood, got 0 among them")
    return np.asarray(np.log(base))


def _check_shapes(histograms: ArrayLike, rows: ArrayLike) -> tuple[Floats, Floats]:
    heights = check_array("histograms", histograms)  # (..., K)
    classes = check_array("templates", rows, n_axes=2)  # (R, K)
    if heights.ndim < 1 or heights.shape[-1] != classes.shape[1]:
        raise ValueError(
            f"histograms must have a last axis of {classes.shape[1]}, got shape {heights.shape}"
        )
    return heights, classes
