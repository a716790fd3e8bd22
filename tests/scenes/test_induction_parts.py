"""Parts of the induction film: steps, an eye, copies along ribbons, vectors and charts."""

import numpy as np
import pytest

from model.match_quality import RankCurve
from scenes.induction.idea import Idea
from scenes.induction.match import Match
from scenes.parts.charts.match_price import Prices, RankChart
from scenes.parts.charts.matches_chart import MatchesChart
from scenes.parts.matrices.vector_pairs import VectorPair
from scenes.parts.step_list import StepList
from scenes.parts.tokens.carry import Carry
from scenes.parts.tokens.eye import look_back
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.prompt_strip import PromptStrip
from scenes.style.layout import Region
from scenes.style.theme import theme

WIDE, TALL = Region(-6.5, -2.5, 6.5, 2.5), Region(-3.4, -5, 3.4, 5)
BANDS = [Band("token", 0.2, length=0.4), Band("carry", 1.0), Band("prev", 0.2, length=0.4)]
STEPS = (("First", "every position notes the token before it."), ("Then", "look for it. " * 9))


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_steps_stand_at_the_foot_of_their_region_and_leave_the_rest(region: Region):
    steps = StepList(STEPS, region)
    assert steps.get_left()[0] >= region.left - 0.01
    assert steps.get_right()[0] <= region.right + 0.01
    assert steps.get_bottom()[1] >= region.bottom - 0.05
    assert steps.get_top()[1] < steps.above.bottom
    assert steps.steps[0].get_bottom()[1] > steps.steps[1].get_top()[1]
    assert steps.above.top == region.top


@pytest.mark.parametrize("end", [0, 2])
def test_the_eye_meets_every_token_on_its_way_once_from_the_last(end: int):
    strip = PromptStrip("abcde", WIDE, BANDS)
    eye, met = strip.boxes[-1].ring(theme().attention), []
    look = look_back(eye, strip.boxes, met.append, end=end)
    for share in np.linspace(0, 1, 40):
        look.interpolate_mobject(float(share))
    assert met == list(range(4, end - 1, -1))
    np.testing.assert_allclose(eye.get_center(), strip.boxes[end].middle, atol=1e-9)


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_copies_come_from_the_token_before_into_their_lane(region: Region):
    tokens, sources = list("abcd"), [0, 0, 1, 2]
    pattern = np.array([[1, 0, 0, 0], [0.99, 0.01, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 1, 0]])
    strip = PromptStrip(tokens, region, BANDS)
    carry = Carry(strip, "prev", pattern, sources, np.ones(4))
    assert [len(carry.ribbons_to(m)) for m in range(4)] == [1, 1, 2, 1]
    assert len(carry.ribbons) == 5
    for m in range(4):
        journey = carry.travel(m)
        journey.interpolate_mobject(0.0)
        np.testing.assert_allclose(carry.copies[m].middle, strip.boxes[sources[m]].middle)
        journey.interpolate_mobject(1.0)
        np.testing.assert_allclose(carry.copies[m].middle, strip.box(m, "prev").center)
        assert carry.copies[m].label.text == tokens[sources[m]]
    assert carry.number(1)[1].value == 0.99


def test_a_frame_across_bands_holds_the_boxes_of_one_slot():
    strip = PromptStrip("abc", WIDE, BANDS)
    area, token, prev = (
        strip.across(1, "token", "prev"),
        strip.box(1, "token"),
        strip.box(1, "prev"),
    )
    assert area.top > token.top
    assert area.bottom < prev.bottom
    assert strip.box(0, "token").right < area.left < token.left


@pytest.mark.parametrize("name", ["token", "a long name"])
def test_names_of_bands_do_not_meet_where_the_text_runs_down(name: str):
    bands = [
        Band("token", 0.0, name, length=0.3),
        Band("note", 0.0, "before", length=0.3),
        Band("bars", 1.0),
    ]
    names = PromptStrip("abc", TALL, bands).names
    assert names["token"].get_right()[0] + 0.1 < names["note"].get_left()[0]


def test_the_difference_stands_under_its_lane():
    own = np.array([[[0.0, 1.0], [1.0, 0.0]], [[0.9, 0.1], [0.1, 0.9]]])
    names = [["cur a", "cur b"], ["prev a", "prev b"]]
    pair = VectorPair("lanes", ["ab", "ba"], list(own), names, WIDE)
    first, last = (pair.measure("apart", 0.9, ".3f", "value", lane=k) for k in (0, -1))
    assert pair.grids[0].get_bottom()[1] > first.get_top()[1]
    assert pair.grids[1].get_bottom()[1] > last.get_top()[1]
    assert last.get_bottom()[1] > WIDE.bottom
    assert pair.pour(pair.grids[1], own.sum(axis=0)).animations


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize("counts", [(51, 0, 49), (10_057, 0, 9_943), (0, 20_000, 0)])
def test_bars_of_the_histogram_are_to_scale_and_their_numbers_apart(
    region: Region, counts: tuple[int, int, int]
):
    chart = MatchesChart(np.array([*counts, *([0] * 24)]), region)
    chart.grow().interpolate_mobject(1.0)
    found = [count for count in counts if count]
    assert [number.value for number in chart.numbers] == found
    heights = [bar.height for bar in chart.bars]
    np.testing.assert_allclose(np.array(heights) / heights[0], np.array(found) / found[0])
    if len(found) == 2:
        a, b = chart.numbers
        assert a.get_right()[0] < b.get_left()[0] or a.get_bottom()[1] > b.get_top()[1]


def test_the_chart_of_ranks_reads_what_its_curves_have_reached():
    curve = RankCurve(np.array([1, 2, 4]), np.array([0.2, 0.7, 1.0]), np.array([0.1, 0.3, 0.6]))
    chart = RankChart(curve, "texts", WIDE)
    chart.show(1.0)
    assert (chart.rank.value, chart.accuracy.value, chart.mass.value) == (2.0, 0.7, 0.3)
    np.testing.assert_allclose(chart.tips[1].get_center(), chart.plot.at(2.0, 0.3))


def test_prices_stand_in_columns():
    rows = [(27, 27, 7.9), (2, 27, 196.0), (2, 100, 2680.0)]
    prices = Prices(Region(0, -2, 6, 2), rows, 0.99, beta=10, own=0.2)
    assert prices.heading[2].text == "β for 99%"
    betas = [row[2] for row in prices.rows]
    assert np.ptp([beta.get_right()[0] for beta in betas]) < 0.01
    assert [beta.text for beta in betas] == ["7.9", "196", "2,680"]


@pytest.mark.parametrize("text", ["ab ab", "a b a b a", " x x ", "      ", "a b", "abca"])
@pytest.mark.parametrize("bos", [True, False])
def test_the_space_has_its_article_where_it_needs_one(text: str, bos: bool):
    for stage in (Idea, Match):
        shot = stage.shot(stage.Inputs(text=text, bos=bos))
        for sentence in (*shot.notes, shot.caption):
            assert not sentence[0].islower()
            for doubled in ("the the", "every the", "Every the", "each earlier the", "earlier the"):
                assert doubled not in sentence


def test_many_followers_are_counted_and_not_named():
    shot = Idea.shot(Idea.Inputs(text="xaxbxcxdxexfx"))
    assert shot.notes[2] == "Yes, 6 times: 6 different tokens came after it. Each could come next."
