import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import make_interp_spline
from scipy.optimize import minimize_scalar

from clockhead.model.films.one_layer.any_function import (
    CURVES,
    MOST_DRAWN,
    curve_pieces,
)

WAVE = curve_pieces("fading wave", 6)
STEEPEST = {"fading wave": 2 * math.pi, "bell": 4.04354, "arch": 4.0, "ramp-up": 3.0}
"""The largest slopes: at 0, at 0.35 (exp(-1/2) / 0.15), at 0, and in the middle."""


def test_a_fading_wave():
    flat = [0.62402, 0.35950, 0.18909, 0.09650, 0.04869, 0.02445, 0.01225]
    slanted = [0.23513, 0.06451, 0.01622, 0.00409, 0.00102, 0.000256, 0.000064]
    assert_array_equal(WAVE.counts, [4, 8, 16, 32, 64, 128, 256])
    assert_allclose(WAVE.flat_errors, flat, atol=6e-6)
    assert_allclose(WAVE.slanted_errors, slanted, atol=6e-5, rtol=5e-3)
    assert (WAVE.fewest, WAVE.most) == (4, 256)
    assert_allclose(WAVE.lead, 0.01225 / 0.000064, rtol=0.01)


def test_an_arch_by_hand():
    """4 x (1 - x) is off by 4 h^2 / 4 = 1/n^2 in the middle of a slanted piece, and flat pieces
    are worst at 0, where the first is 4 m (1 - m) with m = 1 / 2 n."""
    arch = curve_pieces("arch", 3)
    n = arch.counts.astype(float)
    assert_allclose(arch.slanted_errors, 1 / n**2)
    assert_allclose(arch.flat_errors, 2 / n * (1 - 1 / (2 * n)))
    assert_allclose(arch.slanted_ratio, 4)


@pytest.mark.parametrize("name", CURVES)
def test_errors_keep_their_bounds_and_halve_and_quarter(name: str):
    pieces = curve_pieces(name, 6)
    assert np.all(pieces.flat_errors <= STEEPEST[name] / (2 * pieces.counts) + 1e-9)
    assert 1.95 < pieces.flat_ratio < 2.05
    assert 3.9 < pieces.slanted_ratio < 4.1
    assert np.all(pieces.slanted_errors < 0.6 * pieces.flat_errors)
    assert np.all(pieces.flat_errors[1:] < 0.6 * pieces.flat_errors[:-1])
    assert np.all(pieces.slanted_errors[2:] < 0.4 * pieces.slanted_errors[1:-1])


@pytest.mark.parametrize("name", CURVES)
def test_slanted_errors_are_scipy_s(name: str):
    """SciPy's spline of degree 1 and its search for the worst place in every piece."""
    pieces = curve_pieces(name, 3)
    for n, error in zip(pieces.counts, pieces.slanted_errors, strict=True):
        edges = np.linspace(0, 1, int(n) + 1)
        line = make_interp_spline(edges, CURVES[name](edges), k=1)

        def off(x: float, line: object = line) -> float:
            return -abs(float(CURVES[name](np.array(x)) - line(x)))  # type: ignore[operator]

        found = (minimize_scalar(off, bounds=pair, method="bounded") for pair in pairwise(edges))
        worst = max(-one.fun for one in found)
        assert_allclose(error, worst, rtol=2e-3)


@pytest.mark.parametrize("name", CURVES)
def test_what_is_drawn(name: str):
    pieces = curve_pieces(name, 6)
    assert pieces.stairs.shape == pieces.bends.shape == (5, 2 * MOST_DRAWN, 2)
    assert_array_equal(pieces.drawn_counts, [4, 8, 16, 32, 64])
    for k, n in enumerate(pieces.drawn_counts):
        assert len(np.unique(pieces.stairs[k, :, 1].round(12))) <= n
        middles = (np.arange(n) + 0.5) / n
        stairs = pieces.stairs[k]
        inside = [np.interp(m, *stairs.T) for m in middles]
        assert_allclose(inside, CURVES[name](middles), atol=1e-12)
        edges = np.arange(n + 1) / n
        assert_allclose(np.interp(edges, *pieces.bends[k].T), CURVES[name](edges), atol=1e-12)
    for worst, errors in (
        (pieces.flat_worst, pieces.flat_errors),
        (pieces.slanted_worst, pieces.slanted_errors),
    ):
        assert_allclose(np.abs(np.diff(worst[..., 1], axis=1))[:, 0], errors[:5])
        assert_array_equal(worst[:, 0, 0], worst[:, 1, 0])
        assert_allclose(worst[:, 1, 1], CURVES[name](worst[:, 1, 0]))
    assert_allclose(pieces.curve, CURVES[name](pieces.x))
