"""The words of a stage: what is on screen, weights, arrangements, what it leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

import pytest
from manim import Create, Square, VGroup

from clockhead.scenes.stage import (
    Column,
    FadeIn,
    FadeOut,
    Layers,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    beat,
    beside,
    fit,
    stack,
    together,
    wide_or_tall,
)
from clockhead.scenes.stage.beats import plays_of
from clockhead.scenes.stage.layout import Alternatives
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import slide
from tests.scenes.staging import play


@dataclass(frozen=True)
class Sum:
    """Two numbers."""

    total: int


def add(first: int, second: int) -> Sum:
    """The sum of two numbers."""
    return Sum(first + second)


class Squares(Stage[Sum]):
    """Squares come and go."""

    class Inputs(StageInputs):
        first: int = 2
        second: int = 3

    title = "Squares"
    question = "How many?"
    caption = "{total} in all."
    opens = ("a",)
    leaves = ("a", "c as d")
    compute = add

    def layout(self) -> None:
        self.a, self.b, self.c = (Square(0.5) for _ in range(3))
        self.pair = VGroup(self.b, self.c)

    @beat("One goes, two come.")
    def change(self) -> Steps:
        yield self.screen(self.pair, run_time=0.5)

    @beat("One of the two goes.")
    def less(self) -> Steps:
        yield self.screen(self.c, run_time=0.5)


def _on_canvas(scene: Stage) -> list[int]:
    return [k for k, m in enumerate((scene.a, scene.b, scene.c)) if _is_seen(scene, m)]


def _is_seen(scene: Stage, square: Square) -> bool:
    return square in scene.get_mobject_family_members() and square.get_stroke_opacity() > 0


def test_a_screen_is_a_set_that_the_stage_fades_to():
    seen: list[list[int]] = []
    play(Squares, on_play=lambda scene: seen.append(_on_canvas(scene)))
    assert [here for here, _ in groupby(seen)] == [[1, 2], [2]]


def test_a_screen_fades_as_a_stage_would_by_hand():
    scene = play(Squares)
    gone, come = scene.screen(scene.a, run_time=0.3).animations
    assert isinstance(gone, FadeOut)
    assert isinstance(come, FadeIn)
    assert (gone.run_time, come.run_time) == (0.3, 0.3)
    assert (gone.mobject, come.mobject) == (scene.c, scene.a)
    assert scene.screen(scene.c).animations == ()


def test_a_function_of_the_model_gets_the_inputs_that_it_names():
    assert Squares.compute(Squares.Inputs(first=4)).total == 7
    assert Squares.shot(Squares.Inputs()).caption == "5 in all."


def test_what_a_stage_leaves_may_have_another_name_there():
    assert Squares.left_attributes() == {"a": "a", "d": "c"}


@pytest.mark.parametrize("what", ["opens", "leaves"])
def test_names_are_checked_when_the_class_is_made(what: str):
    with pytest.raises(AttributeError, match=r"Wrong .* 'aa', which it never makes"):
        type("Wrong", (Squares,), {what: ("aa",)})


def _move(seconds: float):
    return slide(Square(), (1, 0, 0), run_time=seconds)


def test_weights_share_the_time_of_the_sentence():
    steps = plays_of((3 * _move(1), 1 * together(_move(1), Create(Square()))), 8.0)
    assert [[a.run_time for a in step] for step in steps] == [[6.0], [2.0, 2.0]]


def test_weights_that_sum_to_less_than_one_leave_time():
    (step,) = plays_of(0.5 * _move(1), 8.0)
    assert [a.run_time for a in step] == [4.0]


def test_without_weights_animations_keep_their_seconds():
    assert plays_of(0.4, 8.0) == [0.4]
    (step,) = plays_of((_move(1), together(_move(2), [_move(3)])), 8.0)
    assert [a.run_time for a in step] == [1, 2, 3]
    assert [a.run_time for a in together(_move(1), _move(2), run_time=0.7).animations] == [0.7, 0.7]


def test_weights_are_for_all_or_for_none():
    with pytest.raises(TypeError, match="some animations have weights"):
        plays_of((3 * _move(1), _move(1)), 8.0)
    with pytest.raises(TypeError, match="weight 3 within a group"):
        together(3 * _move(1), _move(1))


@dataclass
class Box:
    """A box of one size that remembers its place."""

    least: Size
    most: Size = field(default_factory=lambda: Size(9, 9))
    region: Region | None = None

    def place(self, region: Region) -> None:
        self.region = region


_SMALL = Size(1, 1)


def _are_beside(make, width: float, height: float, least: Size = _SMALL) -> bool:
    a, b = Box(least), Box(least)
    arranged: Alternatives = make(a, b)
    fit(Region(0, 0, width, height), arranged)
    return a.region.top == b.region.top


def test_boxes_stand_beside_each_other_where_it_is_wide():
    assert _are_beside(beside, 8, 4)
    assert not _are_beside(beside, 4, 8)
    assert not _are_beside(stack, 8, 4)


def test_the_other_way_is_taken_where_only_that_fits():
    assert not _are_beside(beside, 8, 6, Size(6, 1))
    assert _are_beside(beside, 5, 5, Size(1, 4))
    assert _are_beside(stack, 8, 4, Size(1, 3))


def test_of_two_arrangements_one_is_for_wide_regions():
    def make(a: Box, b: Box) -> Alternatives:
        return wide_or_tall(Row(a, b, weights=(1, 2)), Column(b, a))

    assert _are_beside(make, 8, 4)
    assert not _are_beside(make, 4, 8)
    assert not _are_beside(make, 8, 6, Size(6, 1))


def test_arrangements_stand_within_others():
    a, b, c = Box(Size(1, 1)), Box(Size(1, 1)), Box(Size(1, 1))
    assert fit(Region(0, 0, 8, 4), beside(a, stack(b, c))) == 0
    assert a.region.height == 4
    assert b.region.left == c.region.left
    assert fit(Region(0, 0, 8, 4), Column(a, Row(b, beside(c, a)))) == 0


def test_the_first_arrangement_that_fits_is_taken():
    a, b = Box(Size(4, 1)), Box(Size(4, 1))
    assert fit(Region(0, 0, 10, 2), Row(a, b), Column(a, b)) == 0
    assert (a.region.left, b.region.right) == pytest.approx((0, 10))
    assert fit(Region(0, 0, 5, 10), Row(a, b), Column(a, b)) == 1
    assert (a.region.top, b.region.bottom) == (10, 0)


def test_what_is_left_is_shared_up_to_the_most():
    a, b = Box(Size(1, 1), Size(2, 9)), Box(Size(1, 1))
    Row(a, b, gap=0).place(Region(0, 0, 10, 1))
    assert (a.region.width, b.region.width) == pytest.approx((2, 8))


def test_where_nothing_fits_the_least_crowded_is_taken():
    a, b = Box(Size(6, 1)), Box(Size(6, 1))
    assert fit(Region(0, 0, 8, 4), Row(a, b, gap=0), Column(a, b, gap=0)) == 1


def test_layers_are_as_wide_as_the_widest_and_as_high_as_the_first():
    a, b = Box(Size(4, 1), Size(5, 9)), Box(Size(2, 3), Size(8, 3))
    layers = Layers(a, b)
    assert (layers.least, layers.most) == (Size(4, 1), Size(8, 9))
    layers.place(Region(0, 0, 5, 4))
    assert a.region == b.region == Region(0, 0, 5, 4)
