"""Ribbons as broad as their shares, from who gives to who gets, and what parcels say."""

import numpy as np
import pytest

from clockhead.scenes.parts.flow import HAIRLINE, Ribbons
from clockhead.scenes.previous_token.parcel import Parcel
from clockhead.scenes.stage import Value
from clockhead.scenes.style.theme import MIN_CONTRAST, contrast, use_theme
from tests.scenes.parts.pictures import done, on_each_theme, says, wrong

PATTERN = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.004, 0.9, 0.096]])


def down(y):
    return lambda k: np.array([2.0 * k, y, 0.0])


def right(x):
    return lambda k: np.array([x, -1.2 * k, 0.0])


LAYOUTS = {"16:9": (down(1.0), down(-1.0)), "9:16": (right(-2.0), right(2.0))}


def ribbons(pattern=PATTERN, aspect="16:9", **options):
    picture = Ribbons(Value("pattern", pattern), *LAYOUTS[aspect], **{"width": 0.8} | options)
    picture.place()
    return picture


def said(picture):
    return {r.meant.index: r.says for r in picture.readings()}


@pytest.mark.parametrize("aspect", LAYOUTS)
def test_each_ribbon_says_its_share(aspect):
    picture = ribbons(aspect=aspect)
    read = said(picture)
    assert set(read) == {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}
    assert read[1, 0] == pytest.approx(0.75)
    assert read[2, 1] == pytest.approx(0.9)
    assert read[2, 0] == HAIRLINE / 2
    assert not wrong(picture)


def test_ribbons_lie_side_by_side_where_they_arrive():
    points = ribbons().rows[1].points
    at_end = points[np.isclose(points[:, 1], -1.0)]
    assert at_end[:, 0].min() == pytest.approx(2.0 - 0.4)
    assert at_end[:, 0].max() == pytest.approx(2.0 + 0.4)
    heads = points.reshape(-1, 18, 4, 3)[:, 8, [0, 3], 0]  # each band's end, side to side
    assert np.allclose(np.sort(heads[0]), [1.6, 2.2])
    assert np.allclose(np.sort(heads[1]), [2.2, 2.4])


def test_a_ribbon_is_as_broad_all_along():
    band = ribbons().rows[1].points.reshape(-1, 18, 4, 3)[0]
    left, rights = band[:8, 0], band[9:17, 3][::-1]
    assert np.allclose(np.linalg.norm(left - rights, axis=1), 0.6, atol=1e-3)


def test_the_default_width_follows_the_distance_of_the_receivers():
    assert ribbons(width=None).ends.unit == pytest.approx(0.5)
    assert ribbons(width=None, aspect="9:16").ends.unit == pytest.approx(0.48)
    close = Ribbons(Value("p", PATTERN), down(1), lambda k: np.array([0.5 * k, -1.0, 0.0]))
    assert close.ends.unit == pytest.approx(0.2)


def test_what_is_masked_has_no_ribbon():
    assert len(ribbons().rows[0].points) == 18 * 4
    assert len(ribbons().hairs[2].points) == 4


@pytest.mark.parametrize("aspect", LAYOUTS)
def test_a_ribbon_to_or_from_a_neighbour_is_noticed(aspect):
    sources, receivers = LAYOUTS[aspect]
    for step in (sources(1) - sources(0), receivers(2) - receivers(1)):
        picture = ribbons(aspect=aspect)
        picture.rows[1].shift(step)
        assert wrong(picture)


def test_a_ribbon_of_another_width_is_noticed():
    picture = ribbons()
    picture.rows[2].stretch(1.1, 0)
    assert wrong(picture)


def test_ribbons_of_another_pattern_are_noticed():
    picture = ribbons()
    picture.show(PATTERN[[0, 2, 1]])
    assert wrong(picture)


def test_nothing_is_drawn_before_it_is_placed():
    picture = Ribbons(Value("pattern", PATTERN), *LAYOUTS["16:9"])
    done(picture.draw_in())
    assert not picture.get_all_points().size
    assert said(picture) == {}


def test_a_parcel_is_as_full_as_its_share():
    parcel = Parcel(Value("tokens", ("the",))[0], Value("shares", np.array([0.25]))[0])
    assert says(parcel) == ["the", pytest.approx(0.25)]
    parcel.note.fill_to(0.5)
    assert says(parcel) == ["the", pytest.approx(0.5)]


@on_each_theme
def test_a_parcel_says_its_word_and_can_be_read(name):
    use_theme(name)
    tokens = Value("tokens", ("the", "cat", "sat"))
    parcel = Parcel(tokens[2])
    (reading,) = parcel.readings()
    assert (reading.meant.name, reading.says) == ("tokens[2]", "sat")
    note = parcel.note
    fill = note.level.get_fill_color().to_hex()
    assert contrast(note.label.get_fill_color().to_hex(), fill) >= MIN_CONTRAST
    note.label.text = "mat"
    assert next(iter(parcel.readings())).says != reading.meant.content
