"""The title card: large, legible, wrapped where it is narrow, on a plate."""

import pytest
from manim import VGroup

from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.theme import MIN_CONTRAST, THEMES, contrast, theme, use_theme
from clockhead.scenes.style.type import SMALL
from tests.scenes.parts.pictures import at

WIDE, TALL = Region(-6.5, -2.6, 6.5, 2.6), Region(-3.4, -5, 3.4, 5)
WORDS = (
    "The previous-token head",
    "an attention head that looks one token back, whatever the words are",
    "after a construction by Chris Wendler",
)


def card(region=WIDE, words=WORDS, **options):
    made = TitleCard(*words, **options)
    made.place(region)
    return made


@pytest.mark.parametrize("region", [WIDE, TALL])
def test_it_stays_in_its_region_and_its_plate_lies_under_all_of_it(region):
    made = card(region)
    words = VGroup(*made.lines)
    for mobject in (words, made.plate):
        assert mobject.width <= region.width
        assert mobject.height <= region.height
    assert made.plate.width >= words.width + 0.6
    assert made.plate.height >= words.height + 0.6
    assert made.submobjects[0] is made.plate


def test_the_name_is_60_pixels_on_one_line_and_wraps_on_a_tall_frame():
    wide, tall = card(), card(TALL)
    assert len(wide.lines[0]) == 1
    assert wide.lines[0][0].em / PX == pytest.approx(60)
    assert len(tall.lines[0]) == 2
    assert tall.lines[0][0].em / PX == pytest.approx(60)
    assert [line[0].em / PX for line in wide.lines[1:]] == pytest.approx([30, SMALL])


def test_a_low_region_makes_the_name_smaller_down_to_its_least():
    low = TitleCard(*WORDS)
    least = low.least
    low.place(Region(0, 0, 9, 2.4))
    assert 36 <= low.lines[0][0].em / PX < 60
    small = card(Region(0, 0, least.width, least.height))
    assert small.lines[0][0].em / PX == pytest.approx(36)
    assert VGroup(*small.lines).width <= least.width
    assert VGroup(*small.lines).height <= least.height


def test_lines_follow_each_other_downwards_and_are_centred():
    made = card()
    for above, below in zip(made.lines[:-1], made.lines[1:], strict=True):
        assert above.get_bottom()[1] > below.get_top()[1] + 0.2
        assert above.get_center()[0] == pytest.approx(below.get_center()[0], abs=0.05)


def test_it_can_stand_at_the_left():
    made = card(align="left")
    lefts = [line.get_left()[0] for line in made.lines]
    assert lefts == pytest.approx([WIDE.left + 0.35] * 3, abs=0.08)


def test_a_name_alone_is_a_card():
    made = card(words=("RoPE",))
    assert len(made.lines) == 1
    assert made.least.height < card().least.height


@pytest.mark.parametrize("name", THEMES)
def test_every_line_is_legible_on_the_plate(name):
    use_theme(name)
    made = card()
    ground = made.plate.get_fill_color().to_hex()
    assert ground == theme().ground
    colors = [line[0].get_fill_color().to_hex() for line in made.lines]
    assert colors[0] == theme().position
    assert all(contrast(color, ground) >= MIN_CONTRAST for color in colors)


def test_it_appears_plate_first():
    made = card()
    coming = made.appear()
    at(coming, 0.0)
    assert made.plate.get_fill_opacity() == 0
    at(coming, 0.35)
    assert made.plate.get_fill_opacity() > made.lines[0][0].get_fill_opacity()
    assert made.lines[0][0].get_fill_opacity() > made.lines[2][0].get_fill_opacity() == 0
    coming.finish()
    assert [m.get_fill_opacity() for m in (made.plate, made.lines[2][0])] == [1, 1]
