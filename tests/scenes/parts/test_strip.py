"""Tiles: where they stand, what they say, and that a wrong picture is noticed."""

import numpy as np
import pytest
from manim import RIGHT, UP

from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import (
    dim_tiles,
    paint,
    undim_tiles,
    wear,
)
from clockhead.scenes.parts.tile import look_of
from clockhead.scenes.rope.swap import swap
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.theme import THEMES, contrast, use_theme
from clockhead.scenes.style.type import MIN_SIZE
from tests.scenes.parts.pictures import Screen, assert_inside

TEXT = ("the", "cat", "sat", "on", "the", "mat", "and", "ran")
LONG = tuple(f"{letter * 10}" for letter in "abcdefghijklmn")
WIDE, TALL = Region(-6.5, -2.6, 6.5, 2.6), Region(-3.6, -5, 3.6, 5)
SHARES = np.linspace(1.0, 0.3, len(TEXT))


def strip_of(words=TEXT, region=WIDE, **options) -> Strip:
    strip = Strip(Value("tokens", words), **options)
    strip.place(region)
    return strip


SWAPPED = ("ran", *TEXT[1:-1], "the")
VALUES = {
    "tokens": TEXT,
    "swapped": SWAPPED,
    "notes": ("the", *TEXT[:-1]),
    "shares": SHARES,
    "typed": "cat",
    "places": np.arange(8) + 95,
    "answer": "sat",
}
NOTES, TYPED = Value("notes", VALUES["notes"]), Value("typed", "cat")
faults = Screen(VALUES).misread


def play(animation, *, until: float = 1.0) -> None:
    animation.begin()
    for share in np.linspace(0, until, 5):
        animation.interpolate(share)
    if until == 1.0:
        animation.finish()


def says(strip: Strip) -> list[str]:
    return [str(r.says) for r in strip.readings()]


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize("words", [("to", "be"), TEXT, LONG[:12], LONG])
def test_tiles_stay_in_their_region_apart_and_legible(region: Region, words):
    strip = strip_of(words, region, positions=True, size=26)
    assert strip.least.width <= 7.2
    assert_inside(region, strip)
    assert min(tile.label.em for tile in strip.tiles) >= MIN_SIZE * PX - 1e-6
    boxes = [tile.box for tile in strip.tiles]
    for k, a in enumerate(boxes):
        assert strip.tiles[k].label.width <= a.width
        for b in boxes[:k]:
            gap = np.abs(a.get_center() - b.get_center())
            assert gap[0] >= a.width - 1e-6 or gap[1] >= a.height - 1e-6


def test_a_text_takes_the_fewest_lines_and_is_read_line_by_line():
    one, more = strip_of(), strip_of(TEXT, Region(-1.5, -3, 1.5, 3), lines=4)
    assert np.ptp([one.middle(k)[1] for k in range(8)]) == pytest.approx(0)
    xs, ys = np.array([more.middle(k)[:2] for k in range(8)]).T
    assert xs[::2] == pytest.approx([xs[0]] * 4)
    assert (np.diff(ys.reshape(4, 2)[:, 0]) < 0).all()
    baselines = [tile.label.anchor[1] for tile in one.tiles]
    assert np.ptp(baselines) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("words", [TEXT, LONG])
def test_the_least_size_is_enough(words):
    strip = Strip(Value("tokens", words), positions=True)
    size = strip.least
    strip.place(Region(0, 0, size.width, size.height))
    assert strip.width <= size.width + 1e-6
    assert strip.height <= size.height + 1e-6
    assert strip.most.width >= size.width


def test_every_word_and_number_is_read_where_it_stands():
    strip = strip_of(positions=True)
    assert says(strip) == [*TEXT, *TEXT]
    assert faults(strip) == []
    assert faults(strip_of(TEXT, Region(-1.5, -3, 1.5, 3), lines=4, positions=True)) == []
    assert list(Strip(Value("tokens", TEXT)).readings()) == []


def test_wrong_pictures_are_noticed():
    strip = strip_of(positions=True)
    strip.tiles[2].label.shift(strip.middle(3) - strip.middle(2))
    assert faults(strip)
    strip = strip_of()
    way = strip.middle(5) - strip.middle(1)
    strip.tiles[1].label.shift(way)
    strip.tiles[5].label.shift(-way)
    assert len(faults(strip)) == 2
    strip = strip_of()
    strip.tiles[1].shift(way)
    strip.tiles[5].shift(-way)
    assert len(faults(strip)) == 2
    strip = strip_of(positions=True)
    strip.tiles[0].number.shift(strip.middle(4) - strip.middle(0))
    strip.tiles[4].number.shift(strip.middle(0) - strip.middle(4))
    assert len(faults(strip)) == 2  # though both words are "the"


def test_labels_of_rows_and_columns_stand_on_their_points():
    rows = Strip(Value("tokens", TEXT), boxes=False, align="right")
    rows.place_at([(1.0, 2 - 0.5 * k) for k in range(8)])
    assert [tile.label.get_right()[0] for tile in rows.tiles] == pytest.approx([1.0] * 8)
    assert faults(rows) == []
    rows.tiles[3].label.shift(-0.5 * UP)
    assert faults(rows)
    columns = Strip(Value("tokens", TEXT), boxes=False).place_at([(k, 2) for k in range(8)])
    columns.tiles[0].label.shift(RIGHT)
    columns.tiles[1].label.shift(-RIGHT)
    assert len(faults(columns)) == 2


def test_lanes_may_run_down_in_two_blocks():
    points = [(3.0 * (k // 4), -0.6 * (k % 4)) for k in range(8)]
    strip = Strip(Value("tokens", TEXT), positions=True, beside=True).place_at(points)
    assert faults(strip) == []
    assert strip.middle(5) == pytest.approx([3.0, -0.6, 0.0])
    assert max(t.box.height for t in strip.tiles) < 0.6


def test_notes_hang_at_their_tiles_and_are_as_full_as_their_shares():
    strip = strip_of(notes=NOTES, shares=Value("shares", SHARES))
    move = wear(strip)
    assert list(strip.readers[0].readings()) == []
    play(move)
    assert [r.says for r in strip.readers[0].readings()] == list(NOTES.content)
    assert [r.says for r in strip.fills.readings()] == pytest.approx(SHARES.tolist())
    assert faults(strip) == []
    strip.tiles[2].note.level.scale(1.1)
    assert len(faults(strip)) == 1
    strip.tiles[3].note.shift(strip.middle(4) - strip.middle(3))
    assert len(faults(strip)) >= 2


def test_roles_and_dimming_can_be_seen_and_read():
    for name in THEMES:
        page = use_theme(name)
        assert contrast(look_of(None).edge, page.ground) >= 1.5
        for role in (None, "query", "key", "value", "correct", "attention", "wrong", "position"):
            look = look_of(role)
            assert contrast(look.ink, look.fill) >= 4.5
            assert contrast(look_of(role, dimmed=True).ink, page.panel) >= 3
            assert contrast(look_of(role, dimmed=True).edge, page.ground) >= 1.5
    use_theme("chalk")
    strip = strip_of()
    move = paint(strip, [1], "query")
    assert strip.tiles[1].role is None
    play(move)
    assert strip.tiles[1].sign.get_fill_opacity() == 1
    play(dim_tiles(strip, 0))
    assert strip.tiles[0].look != strip.tiles[2].look
    play(undim_tiles(strip))
    assert strip.tiles[0].look == strip.tiles[2].look


def test_blank_tiles_have_no_word():
    strip = strip_of(("", "cat", ""))
    assert says(strip) == ["", "cat", ""]


def test_a_strip_that_is_not_placed_moves_harmlessly():
    strip = Strip(Value("tokens", TEXT), after=[TYPED])
    for animation in (swap(strip, 0, 1), paint(strip, 0, "key"), slide_to(strip, [(0, 0)] * 8)):
        play(animation)
    play(dim_tiles(strip))
    assert list(strip.readings()) == []
