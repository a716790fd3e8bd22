"""Charts, scores, arrows and products: each is read back, and what is spoilt is noticed."""

import numpy as np
import pytest
from manim import Mobject

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar import angle
from clockhead.model.films.caesar.theorem import equal_lengths
from clockhead.scenes.caesar.all_letters import AllLetters
from clockhead.scenes.caesar.dot_products import DotProducts
from clockhead.scenes.caesar.factors import Factors, bound
from clockhead.scenes.caesar.fan import Axes, Fan
from clockhead.scenes.caesar.fan_marks import Bows, Gaps, Rim, Shades
from clockhead.scenes.caesar.letters_chart import LettersChart
from clockhead.scenes.caesar.posterior import Posterior
from clockhead.scenes.caesar.scores import Found, Rotations
from clockhead.scenes.caesar.theorem import Theorem
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import Picture, Reading, Size, Value, find_stage
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import exchange
from tests.scenes.staging import is_right, play

CRYPTOGRAM = cryptogram("meet me under the old oak tree", 5)
REGION = Region(-6.0, -2.0, 6.0, 2.0)


def read(*pictures: Mobject) -> list[Reading]:
    """What pictures and the pictures inside them say."""
    family = [m for picture in pictures for m in picture.get_family()]
    return [r for m in family if isinstance(m, Picture) for r in m.readings()]


# Facing charts


@pytest.fixture
def charts() -> LettersChart:
    values = [
        Value(path, getattr(CRYPTOGRAM, path)) for path in ("histogram", "templates", "alphabet")
    ]
    charts = LettersChart(*values)
    charts.place(REGION)
    return charts


@pytest.mark.parametrize("rotation", [0, 1, 5, 25])
def test_english_stands_as_the_template_of_its_rotation(charts, rotation):
    english = charts.english
    english.set_to_rotation(Value("found", rotation))
    readings = list(english.readings())
    assert is_right(readings)
    assert len(readings) == 1 + 26 + 26
    assert {r.meant.index[0] for r in readings if r.meant.path == "templates"} == {0}
    assert readings[0].meant.path == "found"


def test_english_slides_round_the_end_and_says_nothing_on_its_way(charts):
    english = charts.english
    slide = english.slide_to(Value("found", 5))
    slide.begin()
    for share in (0.21, 0.5, 0.9):
        slide.interpolate(share)
        assert not list(english.readings())
        area = charts.lower.area
        assert english.paths[0].points[:, 0].min() >= area.left - charts.lower.x.pitch
        assert english.paths[0].points[:, 0].max() <= area.right + charts.lower.x.pitch
    slide.finish()
    assert is_right(english.readings())
    assert english.place == 5


def test_both_histograms_have_one_scale(charts):
    heights = [
        np.ptp(path.points[:, 1]) / top
        for path, top in (
            (charts.counted.paths[0], CRYPTOGRAM.histogram.max()),
            (charts.english.paths[0], CRYPTOGRAM.templates.max()),
        )
    ]
    assert heights[0] == pytest.approx(heights[1])


@pytest.mark.parametrize("change", ["counted", "longer", "letters", "english", "one", "elsewhere"])
def test_spoilt_charts_are_noticed(charts, change):
    assert is_right(read(charts.parts()))
    if change == "counted":
        charts.counted.paths.stretch(1.1, 1)
    elif change == "longer":
        charts.english.paths[0].stretch(1.1, 1, about_edge=np.array([0.0, 1.0, 0.0]))
    elif change == "letters":
        exchange(charts.letters.labels[3], charts.letters.labels[4])
    elif change == "english":
        exchange(charts.english.labels[3], charts.english.labels[4])
    elif change == "one":
        charts.english.paths[0].flip(np.array([0.0, 1.0, 0.0]))
    else:
        charts.english.set_to_rotation(Value("found", 5))
        charts.english.paths[0].shift([charts.lower.x.pitch, 0.0, 0.0])
    assert not is_right(read(charts.parts()))


# Scores


@pytest.fixture
def scores() -> tuple[Chart, Bars, Found]:
    chart = Rotations(Scale(-0.5, 25.5, (0.0, 5.0), "d"), Scale(0, 0.1, line=False))
    bars = Bars(Value("dot_products", CRYPTOGRAM.dot_products), chart, "value")
    found = Found(Value("found", CRYPTOGRAM.found), bars)
    chart.place(REGION)
    return chart, bars, found


def test_the_winner_is_named_over_its_bar(scores):
    _, bars, found = scores
    assert is_right(read(*scores))
    assert found.heading.number.text == "rotation 5"
    assert found.stroke.get_bottom()[1] > bars.tip(5)[1]


@pytest.mark.parametrize("width", [5.0, 13.0])
def test_rotations_have_their_numbers_as_far_as_there_is_room(scores, width):
    chart, _, _ = scores
    chart.place(Region(0.0, 0.0, width, 3.0))
    assert len(chart.x.standing) == (6 if width < 6 else 26)


@pytest.mark.parametrize("change", ["bars", "stroke", "number", "heading"])
def test_spoilt_scores_are_noticed(scores, change):
    chart, bars, found = scores
    if change == "bars":
        bars.paths.stretch(1.1, 1)
    elif change == "stroke":
        found.stroke.shift([chart.x.pitch, 0.0, 0.0])
    elif change == "number":
        found.score.number.set_value(0.1)
    else:
        found.heading.number.set_value(6)
    assert not is_right(read(*scores))


def test_words_over_bars_know_whether_they_lie_over_others(scores):
    chart, bars, found = scores
    near, far = (Found(Value("other", r), bars, words="") for r in (6, 22))
    chart.place(REGION)
    assert far.is_clear_of(found)
    assert not found.is_clear_of(found)
    assert near.score.number.text == f"{CRYPTOGRAM.dot_products[6]:.4f}"


# Arrows


@pytest.fixture
def shadows() -> angle.Shadows:
    return angle.shadows(CRYPTOGRAM)


def fan_of(tips: Value, *, whole: bool = True) -> Fan:
    """A fan that has been placed."""
    fan = Fan(tips, whole=whole)
    fan.place(REGION)
    return fan


def test_arrows_begin_at_one_place_however_long_they_are(shadows):
    fan = fan_of(Value("tips", shadows.tips[0]))
    start = fan.shafts.points[0].copy()
    fan.set_to(Value("tips", shadows.tips[-1]))
    assert is_right(fan.readings())
    assert np.allclose(fan.shafts.points[0], start)
    assert fan.own.head.points[0, 0] == pytest.approx(start[0])
    inner = REGION.inset(0.4)
    assert fan.heads.points[:, 0].min() >= inner.left
    assert fan.heads.points[:, 1].max() <= inner.top


@pytest.mark.parametrize("change", ["mirrored", "arrow", "own", "names", "bright"])
def test_a_spoilt_fan_is_noticed(shadows, change):
    fan = fan_of(Value("tips", shadows.tips[-1]))
    for name in ("longest", "rival"):
        fan.pick(Value(name, getattr(shadows, name)))
    assert shadows.rules_differ
    fan.shares = dict.fromkeys(fan.shares, 1.0)
    fan.redraw()
    assert is_right(read(fan))
    if change == "mirrored":
        fan.flip(np.array([0.0, 1.0, 0.0]))
    elif change == "arrow":
        fan.heads.rotate(0.1, about_point=fan.origin)
    elif change == "own":
        fan.own.scale(1.1, about_point=fan.origin)
    elif change == "names":
        one, other = (fan.names[k] for k in (shadows.longest, shadows.rival))
        exchange(one, other)
    else:
        fan.picked[0].rotate(0.3, about_point=fan.origin)
    assert not is_right(read(fan))


def test_a_long_arrow_has_no_head_and_keeps_its_direction():
    tips = angle.shadows(cryptogram("zzz", 7), "g", "k").tips[0]
    whole, cut = (fan_of(Value("tips", tips), whole=whole) for whole in (True, False))
    assert (whole.own.head.get_fill_opacity(), cut.own.head.get_fill_opacity()) == (1, 0)
    assert cut.unit > 2 * whole.unit
    assert is_right(cut.readings())
    cut.own.rotate(0.1, about_point=cut.origin)
    assert not is_right(cut.readings())


@pytest.mark.parametrize("change", ["names", "turned"])
def test_the_axes_lie_as_their_letters_do_and_bear_their_names(shadows, change):
    fan = fan_of(Value("tips", shadows.tips[0]))
    x, y = Value("x", shadows.x), Value("y", shadows.y)
    axes = Axes((x, y), Value("slope", shadows.slope), fan)
    assert is_right(axes.readings())
    if change == "names":
        exchange(*axes.labels)
    else:
        axes.lines.rotate(0.1, about_point=fan.origin)
    assert not is_right(axes.readings())


MARKS = {
    "shadows": (Shades, lambda mark: mark.lengths),
    "feet": (Shades, lambda mark: mark.path),
    "angles": (Bows, lambda mark: mark.path),
    "errors": (Gaps, lambda mark: mark.path),
}


@pytest.mark.parametrize("name", MARKS)
@pytest.mark.parametrize("is_spoilt", [False, True])
def test_what_is_measured_in_a_fan_is_noticed_when_it_is_spoilt(shadows, name, is_spoilt):
    compared = equal_lengths(CRYPTOGRAM)
    fan = fan_of(Value("tips", compared.tips))
    values = {
        "angles": shadows.angles[-1],
        "errors": CRYPTOGRAM.squared_errors,
    }
    kind, piece = MARKS[name]
    mark = kind(Value(name, values.get(name, shadows.shadows[-1])), fan, [0, 5, 9])
    mark.light(0, 5, 9).interpolate(1.0)
    assert is_right(mark.readings())
    assert len(list(mark.readings())) >= 3
    if is_spoilt:
        drawn = piece(mark)
        if name == "angles":
            drawn.points[-1] += [0.2, 0.1, 0.0]
        else:
            drawn.scale(1.1)
        assert not is_right(mark.readings())


@pytest.mark.parametrize("is_spoilt", [False, True])
def test_the_rim_has_the_length_of_all_arrows(shadows, is_spoilt):
    fan = fan_of(Value("tips", shadows.tips[-1]))
    rim = Rim(Value("length", shadows.lengths[-1, 0]), fan)
    rim.light(0).interpolate(1.0)
    if is_spoilt:
        rim.path.scale(1.1)
    assert is_right(rim.readings()) is not is_spoilt


# Products of matrices


def factors(width: int) -> Factors:
    rng = np.random.default_rng(0)
    e, u = rng.normal(size=(27, width)), rng.normal(size=(width, 26))
    return Factors(Value("e", e), Value("u", u), Value("p", e @ u))


@pytest.mark.parametrize("width", [27, 64])
def test_factors_have_cells_of_one_size_and_stay_in_their_region(width: int) -> None:
    picture = factors(width)
    least: Size = picture.least
    region = Region(-1.0, -1.0, 0.5 + least.width, least.height)
    picture.place(region)
    sizes = [(m.lattice.cell_width, m.lattice.cell_height) for m in picture.matrices]
    np.testing.assert_allclose(sizes, [sizes[0]] * 3)
    points = picture.get_all_points()
    assert points[:, 0].min() > region.left - 0.05
    assert points[:, 0].max() < region.right + 0.05
    assert points[:, 1].min() > region.bottom - 0.05
    assert points[:, 1].max() < region.top + 0.05


def test_shades_are_full_at_the_largest_value_of_either_sign() -> None:
    assert bound(Value("v", np.array([[0.5, -2.0]]))) == 2.0
    picture = factors(27)
    picture.place(REGION)
    for matrix in picture.matrices:
        values = matrix.state
        for reading in matrix.readings():
            assert float(reading.says) == pytest.approx(
                float(reading.meant.content), abs=np.abs(values).max() / 60
            )


def test_a_product_of_other_factors_is_found() -> None:
    picture = factors(32)
    picture.place(REGION)

    def wrong() -> int:
        readings = list(picture.readings())
        return sum(abs(float(r.says) - float(r.meant.content)) > r.within for r in readings)

    assert len(list(picture.readings())) == 27 + 26 - 1
    assert wrong() == 0
    picture.unembed.set_to(Value("u", picture.unembed.state[::-1]))
    assert wrong() == 52


# Stages


@pytest.mark.parametrize("aspect", ["16:9", "9:16", "1:1"])
def test_arrows_stand_where_the_next_shot_has_them(aspect):
    first, second = (play(stage, aspect=aspect) for stage in (AllLetters, Theorem))
    assert first.plane.room == second.alone


def test_products_pile_up_to_the_first_dot_product():
    shown = []

    def look(scene):
        if np.array_equal(scene.products.stance, scene.piled):
            tip = scene.rotations.at(0, scene.values.dot_products[0])
            shown.append(scene.products.tips()[-1, 1] - tip[1])

    play(DotProducts, on_play=look)
    assert shown
    assert max(map(abs, shown)) < 1e-6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"x": "l", "y": "l"}, "x and y must be different letters, got 'l' twice"),
        (
            {"text": "e", "x": "q", "y": "z"},
            "x or y must be a letter of the ciphertext 'l', got 'q' and 'z'",
        ),
    ],
)
def test_two_letters_that_show_nothing_are_refused(given: dict[str, str], message: str) -> None:
    stage = find_stage("caesar.angle")
    with pytest.raises(ValueError, match=message):
        stage.compute(stage.Inputs(**given))


def test_only_who_leads_alone_is_named() -> None:
    named = play(Posterior, Posterior.shot(Posterior.Inputs(text="meet me at ten")))
    assert float(named.found.state) == cryptogram("meet me at ten", 7).rotation
    tied = play(Posterior, Posterior.shot(Posterior.Inputs(text="an")))
    assert not hasattr(tied, "found")


def test_a_chance_is_never_all_there_is() -> None:
    stage = play(Posterior)
    assert stage.most.figure.number.text == stage.found.score.number.text == "> 99.9%"
