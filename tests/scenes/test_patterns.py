"""What moves keeps to its series, and inks are legible on every fill."""

import numpy as np
import pytest

from scenes.parts.charts.plot import Trace
from scenes.style.motion import along
from scenes.style.theme import THEMES, contrast


def test_a_series_is_exact_at_whole_places_and_straight_between_them():
    series = np.array([[0.1, 0.2], [0.3, 0.6]])
    assert (along(series, 1.0) == series[1]).all()
    assert along(series, 0.25) == pytest.approx([0.15, 0.3])


def test_a_trace_reaches_as_far_as_it_has_run():
    trace = Trace([[0, 0, 0], [1, 1, 0], [3, 1, 0]], "#FFFFFF")
    trace.show(1.5)
    assert trace.tip == pytest.approx([2, 1, 0])


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_every_mixture_has_a_legible_ink(look):
    for fill in ("#808080", "#777777", look.panel, look.attention, look.wrong):
        assert contrast(look.ink_on(fill), fill) >= 4.5, fill
