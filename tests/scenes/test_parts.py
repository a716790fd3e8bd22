"""Parts: text stands on its baseline, numbers keep their value, pictures fit their region."""

import numpy as np
import pytest
from manim import Line, VGroup

from scenes.parts.charts.bars import Bars
from scenes.parts.charts.plot import Plot
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, recolor
from scenes.style.text import Formula, Label, Number, Paragraph, text_width, wrap
from scenes.style.theme import CHALK, THEMES, contrast, theme
from scenes.style.type import MIN_SIZE, MissingGlyph

CANVAS = Region(-6, -2.5, 6, 2.5)
TALL = Region(-3, -6, 3, 6)


def box(mobject) -> tuple[float, float, float, float]:
    points = mobject.get_all_points()
    (left, bottom), (right, top) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    return left, bottom, right, top


def inside(mobject, region: Region, slack: float = 0.02) -> bool:
    left, bottom, right, top = box(mobject)
    return (
        left >= region.left - slack
        and bottom >= region.bottom - slack
        and right <= region.right + slack
        and top <= region.top + slack
    )


def test_letters_in_a_row_share_a_baseline():
    labels = [Label(letter).center_on(np.array([k, 1.0, 0])) for k, letter in enumerate("ahpgx")]
    assert np.ptp([label.anchor[1] for label in labels]) < 1e-9


def test_a_label_knows_its_size_after_scaling():
    label = Label("the cat", size=30)
    assert label.em == pytest.approx(30 * PX)
    label.scale(0.5).shift([3, 2, 0])
    assert label.em == pytest.approx(15 * PX)


def test_a_glyph_that_the_face_lacks_is_an_error():
    with pytest.raises(MissingGlyph, match="cannot draw"):
        Label("snow \u2603 \U0001f600")


def test_a_space_that_is_meant_to_be_seen_stands_between_its_neighbours():
    label, plain = Label("a␣b"), Label("ab")
    assert text_width("a␣b", 20) == pytest.approx(text_width("ab", 20) + 10 * PX, rel=0.05)
    assert label.width > plain.width
    below = Label("␣").get_bottom()[1]
    assert -0.21 < below / Label("␣").em < 0


@pytest.mark.parametrize(("align", "share"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
def test_a_number_keeps_its_anchor_and_its_value(align: str, share: float):
    place = np.array([1.0, -2.0, 0.0])
    number = Number(9.5, ".1f", align=align).put(place)
    number.set_value(-12345.25)
    assert number.text == "−12345.2"
    assert number.value == -12345.25
    assert number.anchor == pytest.approx(place)


def test_a_number_that_reads_the_same_is_not_drawn_again():
    number = Number(0.1234, ".2f")
    points = number.points
    number.set_value(0.1239)
    assert number.value == 0.1239
    assert number.points is points


def test_wrapped_lines_fit_and_keep_every_word():
    text = "every row but the first puts its attention on the token before it"
    lines = wrap(text, 3.0, 26)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert all(text_width(line, 26) <= 3.0 for line in lines)


def test_a_paragraph_with_mathematics_is_typeset_at_the_same_width():
    paragraph = Paragraph("the score $q_m^top k_n$ is a sum of cosines", width=3.0)
    assert paragraph.width <= 3.0
    assert len(paragraph.family_members_with_points()) >= 1


def test_formula_roles_have_their_colours():
    formula = Formula("query(q_m)^top key(k_n) = 1/2")
    assert len(formula.part("query")) == 1
    assert formula.part("query").get_center()[0] < formula.part("key").get_center()[0]
    assert formula.part("query")[0].get_fill_color().to_hex().upper() == CHALK.query
    assert len(formula.part("wrong")) == 0


def test_bars_stand_in_their_region_and_to_scale():
    bars = Bars([0.5, 1.0, 0.25], CANVAS, high=1.0, spec=".2f", names=["a", "b", "c"])
    assert inside(bars, CANVAS, slack=0.05)
    heights = [bar.height for bar in bars.bars]
    assert heights[1] == pytest.approx(2 * heights[0])
    assert [number.value for number in bars.numbers] == [0.5, 1.0, 0.25]


def test_a_plot_puts_values_where_its_axes_say():
    plot = Plot(CANVAS, x=(1, 100), y=(0, 1), x_ticks=[1, 10, 100], y_ticks=[0, 1], log_x=True)
    left, middle, right = (plot.at(x, 0)[0] for x in (1, 10, 100))
    assert middle - left == pytest.approx(right - middle)
    assert inside(plot, CANVAS, slack=0.15)


def test_a_drive_ends_on_the_very_number():
    number = Number(0.0, ".3f")
    drive = Drive(number, lambda x: number.set_value(float(x)), 0.0, 0.1)
    drive.begin()
    drive.interpolate(0.5)
    assert 0 < number.value < 0.1
    drive.finish()
    assert number.value == 0.1


def test_recolouring_keeps_what_is_not_filled_unfilled():
    hand = VGroup(Line())
    drive = recolor(hand, theme().muted)
    drive.begin()
    drive.finish()
    assert hand[0].get_stroke_color().to_hex().upper() == theme().muted
    assert hand[0].get_fill_opacity() == 0


@pytest.mark.parametrize("name", THEMES)
def test_every_role_can_be_read(name: str):
    look = THEMES[name]
    for role in ("query", "key", "value", "attention", "residual", "token", "position", "wrong"):
        for ground in (look.ground, look.panel):
            assert contrast(look.text_color(role), ground) >= 4.5, role
        assert contrast(look.ink_on(getattr(look, role)), getattr(look, role)) >= 4.5, role
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert pytest.approx(0.2) == MIN_SIZE * PX
