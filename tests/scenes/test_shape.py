"""A piece is coloured without Manim's detours, and looks as Manim's own path would."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from manim import BLUE, RED, UP, Circle, Dot, Mobject, Square, VGroup, VMobject
from manim.utils.iterables import remove_list_redundancies

from clockhead.scenes.style.shape import Shape, Shapes, fill_of, stroke_of

MADE: list[dict[str, Any]] = [
    {},
    {"color": "#ff0000"},
    {"color": [RED, BLUE]},
    {"fill_color": "#123456", "fill_opacity": 0.4},
    {"fill_color": RED, "stroke_opacity": 0.3},
    {"stroke_color": "#abcdef", "stroke_width": 0},
    {"background_stroke_color": RED, "background_stroke_width": 3},
    {"sheen_factor": 0.2},
]
CHANGES: list[Callable[[VMobject], object]] = [
    lambda one: one.set_fill("#00ff00"),
    lambda one: one.set_fill(opacity=0.5),
    lambda one: one.set_stroke("#00ff00", 3, 0.2),
    lambda one: one.set_stroke([RED, BLUE], opacity=[0.1, 0.2]),
    lambda one: one.set_fill(BLUE, 1),
    lambda one: one.set_color_by_gradient("#ff0000", "#0000ff"),
    lambda one: one.set_sheen(0.4),
    lambda one: one.set_stroke(RED, background=True),
]


def looks(one: VMobject) -> dict[str, Any]:
    return {name: value for name, value in vars(one).items() if name != "name"}


@pytest.mark.parametrize("made", MADE)
def test_it_is_what_manims_own_path_is_whatever_is_done_to_it(made: dict[str, Any]) -> None:
    ours, manims = Shape(**made), VMobject(**made)
    np.testing.assert_equal(looks(ours), looks(manims))
    for change in CHANGES:
        change(ours)
        change(manims)
        np.testing.assert_equal(looks(ours), looks(manims))


def test_no_two_pieces_share_a_colour_that_one_of_them_could_change() -> None:
    one, other = Shape(fill_color="#123456", fill_opacity=1), Shape(fill_color="#123456")
    both = Shapes(one, other)
    one.set_fill("#ff0000", 0.5)
    assert other.fill_color.to_hex() == "#123456"
    both.set_fill("#00ff00", 1)
    assert [piece.fill_color.to_hex() for piece in both] == ["#00FF00", "#00FF00"]


@pytest.mark.parametrize("made", MADE)
def test_its_colours_are_read_as_manim_reads_them(made: dict[str, Any]) -> None:
    one = Shape(**made)
    for change in (lambda _: None, *CHANGES):
        change(one)
        fill, stroke = one.get_fill_colors()[0], one.get_stroke_colors()[0]
        assert fill_of(one) == fill.to_hex()[:7].upper()
        assert stroke_of(one) == stroke.to_hex()[:7].upper()


def test_its_family_is_that_of_manims_own_path() -> None:
    leaf, inner = Shape(), Shape()
    inner.set_points(np.zeros((4, 3)))
    group = Shapes(inner, Shapes(leaf))
    assert leaf.get_family() == [leaf]
    assert group.get_family() == VMobject.get_family(group)
    assert group.family_members_with_points() == [inner]
    leaf.add(Shape())
    assert leaf.get_family() == [leaf, *leaf.submobjects]


@pytest.fixture
def tree() -> Shapes:
    """Groups in groups, pieces of Manim's own among them, one twice, and one without points."""
    rng = np.random.default_rng(3)
    leaves = [Shape().set_points(rng.normal(size=(4 * n, 3))) for n in (1, 3, 2)]
    manims = VGroup(Square().shift([7.0, -1.0, 0.0]), Circle(), Shapes(leaves[1]))
    return Shapes(leaves[0], Shapes(leaves[1], Shape(), manims), Dot(), leaves[2], leaves[0])


def test_every_piece_is_in_a_family_once_where_manim_has_it(tree: Shapes) -> None:
    for part in VMobject.get_family(tree):
        manims = remove_list_redundancies(list(Mobject._iter_family(part, set())))
        assert part.get_family() == manims
        assert list(part._iter_family(set())) == list(Mobject._iter_family(part, set()))
    tree[1].submobjects.append(tree)  # its own part
    assert tree.get_family() == remove_list_redundancies(list(Mobject._iter_family(tree, set())))


def test_it_is_as_large_and_stands_where_manim_says(tree: Shapes) -> None:
    for part in [*VMobject.get_family(tree), Shape(), Shapes(Shapes())]:
        np.testing.assert_array_equal(
            part.get_points_defining_boundary().reshape(-1, 3),
            VMobject.get_points_defining_boundary(part).reshape(-1, 3),
        )
        np.testing.assert_array_equal(part.get_all_points(), Mobject.get_all_points(part))
        for way in ([0, 0, 0], UP, [-1, 1, 0], [2.0, 0, -0.5]):
            manims = Mobject.get_critical_point(part, way)
            np.testing.assert_array_equal(part.get_critical_point(way), manims)
        for dim in range(3):
            for reduce in (min, max):
                manims = Mobject.reduce_across_dimension(part, reduce, dim)
                assert part.reduce_across_dimension(reduce, dim) == manims
