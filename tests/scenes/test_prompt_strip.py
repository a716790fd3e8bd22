"""A text in rows or down the frame, and the arcs and bars over it."""

from itertools import pairwise

import numpy as np
import pytest

from scenes.parts.tokens.arcs import Arc
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.prompt_strip import PromptStrip, rows_of
from scenes.parts.tokens.strip_bars import StripBars
from scenes.style.layout import Region

TEXT = ["BOS", *"the␣cat␣sat␣on␣the␣c"]
BANDS = [Band("arcs", 1.0, length=0.3), Band("token", 0.2, "token", length=0.45), Band("bars", 1.0)]
WIDE, SQUARE, TALL = (
    Region(-6.5, -2.5, 6.5, 2.5),
    Region(-3.4, -2.3, 3.4, 2.3),
    Region(-3.4, -5, 3.4, 5),
)
REGIONS = [WIDE, SQUARE, TALL]


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("n_tokens", [1, 2, 8, 24])
def test_a_strip_stays_in_its_region_and_its_boxes_apart(region: Region, n_tokens: int):
    strip = PromptStrip((TEXT * 2)[:n_tokens], region, BANDS)
    assert strip.width <= region.width + 1e-9
    assert strip.height <= region.height + 1e-9
    boxes = [strip.box(k, band) for k in range(n_tokens) for band in ("token", "bars")]
    for k, a in enumerate(boxes):
        for b in boxes[:k]:
            apart = a.left >= b.right or b.left >= a.right or a.bottom >= b.top or b.bottom >= a.top
            assert apart


def test_text_wraps_where_the_region_is_narrow_and_runs_down_where_it_is_tall():
    rows = [PromptStrip(TEXT, region, BANDS).rows for region in REGIONS]
    assert rows == [1, 2, 1]
    assert [rows_of(len(TEXT), region, "token") for region in REGIONS] == rows
    assert [PromptStrip(TEXT, region, BANDS).down for region in REGIONS] == [False, False, True]


@pytest.mark.parametrize("region", REGIONS)
def test_slots_follow_each_other_along_the_text(region: Region):
    strip = PromptStrip(TEXT, region, BANDS)
    for a, b in pairwise(range(len(TEXT))):
        if strip.row(a) == strip.row(b):
            step = strip.at(b, 0.0) - strip.at(a, 0.0)
            assert step == pytest.approx(strip.slot * strip.onward)


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize(("source", "target"), [(20, 6), (20, 19), (20, 20), (5, 6), (10, 11)])
def test_an_arc_ends_at_its_target_and_stays_in_the_region(
    region: Region, source: int, target: int
):
    strip = PromptStrip(TEXT, region, BANDS)
    arc = Arc(strip, source, target, below="bars")
    near = [strip.edge(target, "token"), strip.edge(target, "bars", inner=True)]
    assert min(np.linalg.norm(arc.at(1.0) - point) for point in near) < 0.5 * strip.slot
    assert arc.get_top()[1] <= region.top + 0.02
    assert arc.get_left()[0] >= region.left - 0.02


@pytest.mark.parametrize("region", REGIONS)
def test_bars_are_as_long_as_their_values_and_numbers_do_not_touch(region: Region):
    strip = PromptStrip(TEXT, region, BANDS)
    values = np.linspace(0.0, 1.0, len(TEXT))
    bars = StripBars(strip, "bars", values, numbers=range(len(TEXT)))
    lengths = [np.linalg.norm(bars.tip(k, v) - bars.foot(k)) for k, v in enumerate(values)]
    assert np.allclose(lengths, values * lengths[-1])
    assert 1 <= len(bars.numbers) <= len(TEXT)
    assert {number.value for number in bars.numbers} <= set(values)
    if strip.rows == 1:
        assert max(number.value for number in bars.numbers) == 1.0
