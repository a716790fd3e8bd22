"""Parts that show patterns: what moves keeps to its series, and what carries a share shows it."""

import numpy as np
import pytest

from scenes.parts.charts.plot import Trace
from scenes.parts.tokens.flow import Chip, Ribbon
from scenes.style.layout import Region
from scenes.style.motion import along
from scenes.style.theme import THEMES, contrast

ROOM = Region(-3, -2, 3, 2)
WORDS = ("the", "cat", "sat", "on")
BAND = np.eye(4, k=-1) + np.diag([1.0, 0, 0, 0])


def test_a_series_is_exact_at_whole_places_and_straight_between_them():
    series = np.array([[0.1, 0.2], [0.3, 0.6]])
    assert (along(series, 1.0) == series[1]).all()
    assert along(series, 0.25) == pytest.approx([0.15, 0.3])


def test_a_trace_reaches_as_far_as_it_has_run():
    trace = Trace([[0, 0, 0], [1, 1, 0], [3, 1, 0]], "#FFFFFF")
    trace.show(1.5)
    assert trace.tip == pytest.approx([2, 1, 0])


def test_a_ribbon_is_as_wide_as_its_share_and_leads_from_end_to_end():
    source, target = np.array([0.0, 2.0, 0.0]), np.array([1.0, -1.0, 0.0])
    ribbon = Ribbon(source, target, np.array([0.0, -1.0, 0.0]), 0.25, width=0.4)
    assert ribbon.get_stroke_width() == pytest.approx(10)
    assert ribbon.at(0.0) == pytest.approx(source)
    assert ribbon.at(1.0) == pytest.approx(target)


@pytest.mark.parametrize("share", np.linspace(0, 1, 21))
def test_the_word_in_a_chip_is_legible_at_every_share(share: float):
    chip = Chip("cat", Region(-1, -0.3, 1, 0.3))
    chip.show(share)
    inks = [piece.get_fill_color().to_hex() for piece in (chip.box, chip.label)]
    assert contrast(*inks) >= 4.5


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_every_mixture_has_a_legible_ink(look):
    for fill in ("#808080", "#777777", look.panel, look.attention, look.wrong):
        assert contrast(look.ink_on(fill), fill) >= 4.5, fill
