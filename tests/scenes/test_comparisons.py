"""Pictures that set two things beside each other: bars and marks, two rules, two embeddings."""

import numpy as np
import pytest
from manim import Mobject

from model.caesar_geometry import TwoRules
from model.cryptogram import Cryptogram
from scenes.parts.charts.dotted_bars import DottedBars
from scenes.parts.charts.gap_bars import Comparison, GapBars
from scenes.parts.charts.two_rules import SquareLedger, UnequalPlane, Verdicts, adding_up
from scenes.parts.charts.width_chart import WidthChart
from scenes.parts.matrices.embedding_product import EmbeddingProduct, scaled
from scenes.style.layout import Region
from scenes.style.text import Number
from scenes.style.theme import theme

WIDE, TALL = Region(-6.0, -2.0, 6.0, 2.4), Region(-3.4, -5.0, 3.4, 5.0)
NAMES = [chr(ord("a") + k) for k in range(26)]


def numbers_in(picture: Mobject) -> list[Number]:
    return [m for m in picture.get_family() if isinstance(m, Number)]


def test_a_gap_runs_from_the_bar_to_its_mark():
    bars, marks = np.linspace(0.1, 0.5, 26), np.linspace(0.4, 0.0, 26)
    chart = GapBars(bars, marks, WIDE, high=0.6, color=theme().key)
    gaps = chart.gaps.points.reshape(26, 4, 3)
    np.testing.assert_allclose(gaps[:, 0], [chart.bars.tip(k) for k in range(26)])
    heights = (gaps[:, -1, 1] - chart.bars.zero) / chart.bars.unit
    np.testing.assert_allclose(heights, marks, atol=1e-12)


@pytest.mark.parametrize("rotation", [0, 7, 25])
def test_a_comparison_says_the_numbers_of_the_rotation_it_shows(rotation: int):
    message = Cryptogram("counting letters gives it away", 7)
    shown = Comparison(message, WIDE)
    shown.show(rotation)
    np.testing.assert_array_equal(shown.chart.marks, message.templates[rotation])
    assert shown.turned.value == rotation
    assert shown.dot.value == message.dot_products[rotation]
    assert shown.error.value == message.squared_errors[rotation]


def test_a_ledger_has_the_digits_with_which_it_adds_up():
    values = [0.06393819855, 0.06563828010, 0.11807179487, 0.01150468378]
    digits = adding_up(values)
    first, second, third, total = (round(value, digits) for value in values)
    assert first + second - third == pytest.approx(total, abs=1e-9)
    ledger = SquareLedger(values, WIDE, color=theme().ink)
    assert {number.spec for number in numbers_in(ledger)} == {f".{digits}f"}
    assert [number.value for number in numbers_in(ledger)] == values


def test_arrows_of_the_plane_end_at_the_templates_to_one_scale():
    rules = TwoRules()
    plane = UnequalPlane(rules, WIDE)
    lines = [line.get_start_and_end() for line in plane.distances]
    own = lines[0][0]
    steps = np.array([end[:2] - start[:2] for start, end in lines])
    wanted = np.array(rules.templates) - np.array(rules.histogram)
    np.testing.assert_allclose(steps / steps[0, 0] * wanted[0, 0], wanted, atol=1e-9)
    np.testing.assert_allclose(own, lines[1][0])


def test_each_rules_choice_stands_out_and_the_far_one_is_wrong():
    rules = TwoRules()
    chosen = {n.value: n for n in numbers_in(Verdicts(rules, WIDE)) if n.weight == "semibold"}
    assert set(chosen) == {rules.dot_products.max(), rules.squared_errors.min()}
    colors = {value: n.get_fill_color().to_hex().upper() for value, n in chosen.items()}
    assert colors[rules.squared_errors.min()] == theme().text_color("value")
    assert colors[rules.dot_products.max()] == theme().text_color("wrong")


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_factors_and_product_stay_inside_and_have_cells_of_one_size(region: Region):
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(27, 32)), rng.normal(size=(32, 26))
    picture = EmbeddingProduct(first, second, first @ second, region)
    assert picture.width <= region.width + 1e-9
    assert picture.height <= region.height + 1e-9
    np.testing.assert_allclose([m.cell_width for m in picture.maps], picture.maps[0].cell_width)
    assert np.abs(picture.maps[2].values).max() == 1
    for drive in picture.to(second.T[:1].repeat(27, axis=0), second, run_time=1.0):
        drive.interpolate_mobject(1.0)
    np.testing.assert_array_equal(picture.maps[1].values, scaled(second))


def test_dots_rise_to_the_scale_of_the_bars():
    values = np.linspace(-2.0, 1.0, 26)
    picture = DottedBars(values, values, WIDE, names=NAMES, size=20, color=theme().value)
    zero = picture.bars.line.get_center()[1]
    assert {round(float(dot.get_center()[1] - zero), 9) for dot in picture.dots} == {0}
    picture.rise().interpolate_mobject(1.0)
    heights = np.array([dot.get_center()[1] for dot in picture.dots]) - zero
    np.testing.assert_allclose(heights / heights[-1], values, atol=1e-9)
    ends = [bar.get_bottom()[1] for bar in picture.bars.bars[:5]]
    np.testing.assert_allclose(heights[:5] + zero, ends, atol=0.02)


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_the_marks_of_a_width_chart_keep_off_its_curve(region: Region):
    widths = range(1, 33)
    shares = np.minimum(1.0, np.arange(1, 33) / 27)
    chart = WidthChart(widths, shares, region, name="same", fewer=20, enough=27, chosen=(25, 1.0))
    assert [number.value for number in numbers_in(chart.marks)] == [shares[19], 20, 27]
    for words in numbers_in(chart.marks):
        over = [dot for dot in chart.dots if dot.get_right()[0] > words.get_left()[0]]
        assert words.get_top()[1] < min(dot.get_bottom()[1] for dot in over)
