"""Dials and what lies on them: geometry by hand-computed numbers, and what readings notice."""

import numpy as np
import pytest
from manim import Scene

from clockhead.scenes.parts.dial import REACH, Dials, face_color
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.dial_turns import Turns, Wedges
from clockhead.scenes.rope.dial_numbers import DialNumbers
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.theme import THEMES, contrast, use_theme
from tests.scenes.parts.pictures import assert_inside, at, exchange, on_each_theme, says, wrong

WIDE, TALL = Region(-6.5, -1.5, 6.5, 1.5), Region(-3.6, -3, 3.6, 3)
PAIRS = np.array([[1.0, 0.0], [0.0, 2.0], [-0.5, 0.5], [0.0, 0.0]])


def on_dials(n: int = 4, **options) -> Dials:
    dials = Dials(n, **options)
    dials.place_at([[3.0 * k, 0.0] for k in range(n)], 1.0)
    return dials


def test_a_hand_points_up_by_its_first_and_right_by_its_second_number() -> None:
    hands = Hands(Value("q", PAIRS), on_dials(), "query", unit=2.0)
    assert hands.tip(0) == pytest.approx([0, REACH / 2, 0])
    assert hands.tip(1) == pytest.approx([3 + REACH, 0, 0])
    assert hands.tip(2) == pytest.approx([6 + REACH / 4, -REACH / 4, 0])
    assert hands.tip(3) == pytest.approx([9, 0, 0])
    assert says(hands) == pytest.approx([1, 0, 0, 2, -0.5, 0.5, 0, 0])
    assert not wrong(hands)


def test_angles_turn_clockwise_and_are_read_up_to_full_turns() -> None:
    angles = np.array([np.pi / 2, 20.0, -1.0])
    hands = Hands(Value("a", angles), on_dials(3), angles=True)
    assert hands.tip(0) == pytest.approx([REACH, 0, 0])
    assert says(hands) == pytest.approx([np.pi / 2, 20.0, -1.0])
    hands.show(angles + np.array([0, 0, 0.01]))
    assert wrong(hands) == ["a[2]"]


@pytest.mark.parametrize("role", ["query", "key"])
@pytest.mark.parametrize("angles", [False, True])
def test_readings_notice_length_sign_and_another_dial(role, angles) -> None:
    state = np.array([0.3, 1.2, 4.0]) if angles else PAIRS[:3]
    value = Value("v", state)
    for spoil in (
        lambda hands: hands.blades.scale(1.1),
        lambda hands: hands.blades.flip(),
        lambda hands: hands.show(np.asarray(state[::-1])),
        lambda hands: hands.blades.shift([3, 0, 0]),
        lambda hands: hands.dials.faces.scale(1.1),
        lambda hands: hands.dials.labels[0].shift([3, 0, 0]),
    ):
        hands = Hands(value, on_dials(3), role, unit=2.0, angles=angles)
        assert not wrong(hands)
        spoil(hands)
        assert wrong(hands)


def test_a_round_tip_away_from_its_hand_is_noticed() -> None:
    key = Hands(Value("k", PAIRS), on_dials(), "key", unit=2.0)
    key.tips.shift([0.05, 0, 0])
    assert wrong(key)
    assert not Hands(Value("q", PAIRS), on_dials(), "query").tips.has_points()


def test_exchanged_labels_are_noticed_even_where_all_hands_stand_alike() -> None:
    dials = on_dials(3)
    hands = Hands(Value("a", np.zeros(3)), dials, angles=True)
    exchange(*dials.labels[:2])
    assert wrong(hands) == ["a[0]", "a[1]"]


def test_names_are_values_of_their_own() -> None:
    dials = on_dials(2, labels=Value("names", ("cat", "mat")))
    assert says(dials) == ["cat", "mat"]
    dials.labels[0].shift([3, 0, 0])
    assert wrong(dials) == ["names[0]"]


def test_wide_heads_show_hands_spread_over_all() -> None:
    dials = Dials(16)
    dials.place(WIDE)
    assert list(dials.indices) == [0, 2, 4, 6, 9, 11, 13, 15]
    assert [label.text for label in dials.labels][4] == "hand 9"
    hands = Hands(Value("a", np.arange(16) / 5), dials, angles=True)
    assert says(hands) == pytest.approx(dials.indices / 5)
    assert [r.meant.name for r in hands.readings()][4] == "a[9]"


@on_each_theme
def test_faces_stand_out_from_the_ground(name) -> None:
    use_theme(name)
    look, rim = THEMES[name], str(Dials(1).faces.get_stroke_color())
    assert contrast(face_color(), look.ground) >= 1.2
    assert contrast(rim, look.ground) >= 3
    for role in ("query", "key", "position"):
        assert contrast(getattr(look, role), face_color()) >= 4


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_a_region_holds_all_dials_and_their_text(region, n) -> None:
    dials = Dials(n, lines_under=1, lines_over=1)
    dials.place(region)
    numbers = DialNumbers(Value("d", np.full(n, 0.5)), dials, ".1f")
    above = DialNumbers(Value("d", np.full(n, 0.5)), dials, ".1f", spot="over")
    assert_inside(region, dials, numbers, above)
    apart = np.linalg.norm(np.diff(dials.centers[0], axis=0), axis=1)
    assert (apart > 2 * dials.radius).all()


@pytest.mark.parametrize("n", [1, 4, 7, 8])
def test_the_least_size_is_enough_and_most_is_not_passed(n) -> None:
    dials = Dials(n)
    least = dials.least
    dials.place(Region(0, 0, least.width, least.height))
    assert dials.radius >= 0.3 - 1e-6
    dials.place(Region(0, 0, dials.most.width, dials.most.height))
    assert dials.radius <= 1.0 + 1e-9


def test_nothing_is_drawn_or_said_before_dials_are_placed() -> None:
    dials = Dials(4)
    hands = Hands(Value("q", PAIRS), dials, "query")
    wedges = Wedges(Value("w", np.ones(4)), dials, hands)
    turns = Turns(Value("t", np.ones(4)), dials)
    numbers = DialNumbers(Value("d", np.ones(4)), dials, ".1f")
    parts = (dials, hands, wedges, turns, numbers)
    for part in parts:
        assert not list(part.readings())
        assert part.width == 0
    at(hands.to(Value("q2", 2 * PAIRS)), 0.5)
    dials.place(WIDE)
    assert not any(wrong(part) for part in parts)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.77, 1.0])
def test_a_turn_keeps_lengths_and_ends_exactly(share) -> None:
    hands = Hands(Value("q", PAIRS), on_dials(), unit=2.0)
    by = np.array([20.0, 2.0, -0.2, 1.0])
    cos, sin = np.cos(by), np.sin(by)
    end = np.column_stack(
        [PAIRS[:, 0] * cos - PAIRS[:, 1] * sin, PAIRS[:, 0] * sin + PAIRS[:, 1] * cos]
    )
    before = hands.blades.points.copy()
    turn = hands.turn_to(Value("q2", end), by, rate_func=lambda t: t)
    assert np.array_equal(hands.blades.points, before)
    at(turn, share)
    lengths = np.linalg.norm(hands.state, axis=1)
    assert lengths == pytest.approx(np.linalg.norm(PAIRS, axis=1), rel=5e-4)
    assert not wrong(hands)
    if share == 1:
        assert np.array_equal(hands.state, end)
    else:
        angle = np.arctan2(hands.state[1, 1], hands.state[1, 0])
        assert angle == pytest.approx(np.angle(np.exp(1j * (np.pi / 2 + 2 * share))), abs=1e-3)


def test_a_wedge_is_signed_and_turns_rigidly_with_its_hands() -> None:
    dials = on_dials()
    hands = Hands(Value("a", np.zeros(4)), dials, "query", angles=True)
    value = Value("w", np.array([0.5, -1.0, 4.4, 0.5 + 4 * np.pi]))
    wedges = Wedges(value, dials, hands)
    assert says(wedges) == pytest.approx(value.array)
    edge = wedges.wedges.points[0] + 0.56 * np.array([np.sin(0.5), np.cos(0.5), 0])
    assert np.linalg.norm(wedges.wedges.points - edge, axis=1).min() < 1e-9
    first = wedges.wedges.get_center()
    hands.set_to(Value("b", np.full(4, 2.0)))
    assert not wrong(wedges)
    assert np.linalg.norm(wedges.wedges.get_center() - first) > 0.05


def test_a_wedge_beside_its_hand_or_of_another_angle_is_noticed() -> None:
    for spoil in (
        lambda w: w.wedges.flip(axis=[1, 0, 0]),
        lambda w: w.wedges.rotate(0.1, about_point=np.zeros(3)),
        lambda w: w.show(np.array([0.5, 1.1])),
        lambda w: w.show(np.array([-0.5, 1.0])),
        lambda w: w.show(np.array([1.0, 0.5])),
    ):
        wedges = Wedges(Value("w", np.array([0.5, 1.0])), on_dials(2))
        assert not wrong(wedges)
        spoil(wedges)
        assert wrong(wedges)


def test_hands_of_length_0_have_no_wedge_at_either_side() -> None:
    dials = on_dials()
    start = Hands(Value("q", PAIRS), dials, "query")
    end = Hands(Value("k", PAIRS[::-1]), dials, "key")
    wedges = Wedges(Value("w", np.ones(4)), dials, start, end=end)
    assert [reading.meant.name for reading in wedges.readings()] == ["w[1]", "w[2]"]


def test_arcs_count_full_turns() -> None:
    dials = on_dials()
    value = Value("t", np.array([0.4, -9.0, 14.0, 0.0]))
    turns = Turns(value, dials)
    assert says(turns) == pytest.approx(value.array)
    turns.arcs[1].flip()
    assert wrong(turns) == ["t[1]"]
    turns.show(value.array + np.array([0, 0, 0.3, 0]))
    assert wrong(turns) == ["t[2]"]
    at(turns.to(Value("t2", np.array([1, 2, 300.0, 3]))), 0.4)
    assert not wrong(turns)


def test_an_arc_that_nobody_could_count_says_nothing() -> None:
    assert not list(Turns(Value("t", np.array([40.0])), on_dials(1)).readings())


def test_dials_slide_out_of_one_as_far_as_their_own_places() -> None:
    dials = on_dials()
    dials.fan(0, 0.0)
    assert dials.centers[0] == pytest.approx(np.zeros((4, 3)))
    assert [label.get_fill_opacity() for label in dials.labels] == [1, 0, 0, 0]
    dials.fan(0, 0.5)
    assert dials.centers[0, :, 0] == pytest.approx([0, 3, 4.5, 4.5])
    dials.fan(0, 1.0)
    assert dials.centers[0, :, 0] == pytest.approx([0, 3, 6, 9])
    assert all(label.get_fill_opacity() == 1 for label in dials.labels)


def test_a_set_travels_between_lanes_and_a_field_moves_as_one() -> None:
    dials = Dials(3, lanes=5, labels=None)
    dials.place_at([[(3 * lane, -3 * k) for k in range(3)] for lane in range(5)], 1.0)
    angles = np.arange(5)[:, None] * np.array([1.0, 0.1, 0.01])
    keys = Hands(Value("k", angles), dials, "key", angles=True)
    query = Hands(Value("q", angles[2]), dials, "query", angles=True, lane=3)
    assert says(keys) == pytest.approx(np.repeat(angles[None], 2, 0).ravel())
    at(query.move_to_lane(2), 0.5)
    assert not wrong(query)
    assert query.tip(0)[:2] != pytest.approx(keys.tip(6)[:2], abs=0.01)
    at(query.move_to_lane(2), 1.0)
    assert query.tip(0) == pytest.approx(keys.tip(6))
    at(keys.move_to_lane(-1), 1.0)
    assert not wrong(keys)
    assert keys.bases().centers[3] == pytest.approx(dials.centers[0, 0])
    keys.blades.shift(dials.centers[1, 0] - dials.centers[0, 0])
    assert wrong(keys)


def test_numbers_at_another_dial_are_noticed() -> None:
    dials = on_dials()
    for spot in ("under", "over"):
        numbers = DialNumbers(Value("d", np.arange(4.0)), dials, ".1f", spot=spot)
        assert not wrong(numbers)
        numbers.figures[0].shift([3, 0, 0])
        numbers.figures[1].shift([-3, 0, 0])
        assert wrong(numbers) == ["d[0]", "d[1]"]
    at(numbers.to(Value("e", np.arange(4.0) * 2)), 1.0)
    assert [figure.number.text for figure in numbers.figures] == ["0.0", "2.0", "4.0", "6.0"]


def test_as_many_centers_as_dials() -> None:
    with pytest.raises(ValueError, match="1 x 4 points, got 3"):
        Dials(4).place_at(np.zeros((3, 2)), 1.0)


def test_a_wedge_under_its_hands_is_drawn_in_every_frame_while_they_move() -> None:
    dials = on_dials()
    hands = Hands(Value("a", np.zeros(4)), dials, "query", angles=True)
    wedges = Wedges(Value("w", np.ones(4)), dials, hands)
    scene = Scene()
    scene.add(dials, wedges, hands)
    for turn in (hands.to(Value("b", np.ones(4))), dials.spread_from(0)):
        turn.begin()
        assert wedges in scene.get_moving_mobjects(turn)
        turn.finish()
        assert not wedges.updaters


@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (2, 2)])
def test_a_stage_may_choose_the_rows(rows, columns) -> None:
    dials = Dials(4)
    chosen = dials.in_rows(rows)
    chosen.place(Region(0, 0, chosen.least.width, chosen.least.height))
    assert len(np.unique(dials.centers[0, :, 0].round(6))) == columns
    assert dials.radius >= 0.3 - 1e-9
    assert chosen.most.width == pytest.approx(3 * columns)
    assert dials.least == dials.in_rows(2).least  # asking changes nothing


def test_a_turn_of_very_many_rounds_keeps_the_length() -> None:
    hands = Hands(Value("q", PAIRS), on_dials(), unit=2.0)
    at(hands.turn_to(Value("q2", PAIRS), 2e5 * np.pi, rate_func=lambda t: t), 0.123)
    np.testing.assert_allclose(np.hypot(*hands.state.T), np.hypot(*PAIRS.T))
    assert wrong(hands) == []


def test_hands_can_be_chosen() -> None:
    assert Dials(64, chosen=[0, 8, 63]).indices.tolist() == [0, 8, 63]
