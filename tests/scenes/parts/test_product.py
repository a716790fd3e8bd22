"""A product of two matrices: what meets where, what is added up, and what is noticed if wrong."""

import numpy as np
import pytest

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import Rods, slide_matrix, turn_into
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import Value, fit
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import Screen, assert_inside, at, done

X = np.array([[1.0, 0, -0.4], [0.5, -1, 2]])
W = np.array([[0.5, -1, 2, 0], [1, 0.25, -0.5, 3], [-2, 1, 0.5, 1]])
K = np.array([[1.0, 0, 2, -1], [0.5, -0.5, 1, 3], [0, 1, 1, -2]])
VALUES = {
    "x": X,
    "w": W,
    "q": X @ W,
    "k": K,
    "dots": X @ W @ K.T,
    "tokens": ("the", "cat"),
    "keys": ("the", "cat", "sat"),
    "names": ("a", "b", "c", "d"),
}
WIDE, TALL, LOW = Region(-6, -3, 6, 3), Region(-2.4, -5, 2.4, 5), Region(-7, -0.85, 7, 0.85)
ROLES = ("residual", "query", "query")


SCREEN = Screen(VALUES)
wrong = SCREEN.misread


def product(region=WIDE, **options):
    given = {"rows": SCREEN["tokens"], "columns": SCREEN["names"], "signs": ("X", "W", "Q")}
    made = Product(SCREEN["x"], SCREEN["w"], SCREEN["q"], roles=ROLES, **given | options)
    fit(region, *made.ways)
    return made


def around(path):
    return [*path.points.min(axis=0)[:2], *path.points.max(axis=0)[:2]]


def test_rows_and_columns_meet_at_the_corner():
    made = product()
    assert made.plan.shape == "corner"
    for i in range(2):
        assert made.left.row(i).top == pytest.approx(made.out.row(i).top)
        assert made.left.row(i).bottom == pytest.approx(made.out.row(i).bottom)
    for j in range(4):
        assert made.right.column(j).left == pytest.approx(made.out.column(j).left)
        assert made.right.column(j).right == pytest.approx(made.out.column(j).right)
    assert made.left.lattice.region.right < made.out.lattice.region.left
    assert made.right.lattice.region.bottom > made.out.lattice.region.top
    assert wrong(made) == []


def test_the_corner_is_free():
    made = product(inner=SCREEN["keys"])
    corner = made.plan.corner
    assert corner.width > 0.5
    assert corner.height > 0.5
    for part in (*made.matrices, *made.signs):
        for piece in part.family_members_with_points():
            if is_visible(piece):
                left, bottom, right, top = around(piece)
                apart = (left - corner.right, corner.left - right, bottom - corner.top)
                assert max(*apart, corner.bottom - top) > -1e-6


@pytest.mark.parametrize(
    ("region", "shape"), [(WIDE, "corner"), (TALL, "tower"), (LOW, "row")], ids=str
)
def test_it_takes_the_arrangement_for_which_there_is_room(region, shape):
    made = product(region, spec=".2f")
    assert made.plan.shape == shape
    assert all(list(matrix._numbers.seen()) for matrix in made.matrices)
    assert_inside(region, *made.matrices, *made.signs)
    assert wrong(made) == []


def test_words_stand_once_at_what_is_level():
    made = product()
    assert not any(is_visible(label) for label in made.out.row_labels + made.out.column_labels)
    tower = product(TALL, spec=".2f")
    assert all(is_visible(label) for label in tower.out.row_labels)


def test_what_is_no_product_is_refused():
    off = VALUES["q"].copy()
    off[1, 2] += 0.01
    with pytest.raises(ValueError, match="is off"):
        Product(SCREEN["x"], SCREEN["w"], Value("q", off), roles=ROLES)
    with pytest.raises(ValueError, match=r"\(2, 3\) times \(2, 3\)"):
        Product(SCREEN["x"], SCREEN["x"], SCREEN["q"], roles=ROLES)


def test_a_line_may_leave_out_zeros():
    made = product()
    assert made.line(0, 0).pairs == [0, 1, 2]
    assert made.line(0, 0, plain=True).pairs == [0, 2]
    assert made.line(0, 3, plain=True).partial == pytest.approx([-0.4])


def test_multiplying_needs_the_frames_at_its_cell():
    made = product()
    line = made.line(0, 0)
    line.place(LOW)
    done(made.meet(0, 1))
    with pytest.raises(ValueError, match="meet"):
        made.multiply(line)


@pytest.mark.parametrize("share", [0, 0.3, 0.5, 0.8, 1])
def test_a_matrix_slides_with_its_words_and_numbers(share):
    matrix = product().out
    at(slide_matrix(matrix, Region(-6, -4, -1, -1), words=True), share)
    assert wrong(matrix) == []
    if share == 1:
        fresh = Matrix(SCREEN["q"], rows=SCREEN["tokens"], columns=SCREEN["names"])
        fresh.place(Region(-6, -4, -1, -1))
        assert is_visible(matrix.row_labels[0])
        assert matrix.row_labels[0].em == pytest.approx(fresh.row_labels[0].em)
        inside = matrix.lattice.region
        assert -6 <= inside.left < inside.right <= -1
        assert len(list(matrix._numbers.seen())) == 8


def test_a_slide_ends_where_the_matrix_would_be_placed():
    goal = Region(-3, -4, 3, 0)
    options = {"rows": SCREEN["tokens"], "mask": np.eye(2, 4, dtype=bool), "brackets": True}
    moved, fresh = (Matrix(SCREEN["q"], spec=".1f", **options) for _ in range(2))
    moved.place(Region(0, 0, 2, 1.5))
    fresh.place(goal)
    done(slide_matrix(moved, goal))
    pairs = list(
        zip(moved.family_members_with_points(), fresh.family_members_with_points(), strict=True)
    )
    assert len(pairs) > 10
    for a, b in pairs:
        assert np.allclose(a.points, b.points, atol=1e-6)


def test_words_that_must_turn_on_the_way_are_right():
    names = Value("long", tuple(f"{c}atheral" for c in "cdef"))
    matrix = Matrix(SCREEN["q"], columns=names, spec=".1f")
    matrix.place(WIDE)
    VALUES["long"] = names.content
    motion = slide_matrix(matrix, Region(0, 0, 1.7, 2))
    motion.begin()
    for share in (0, 0.2, 0.5, 0.9, 1):
        motion.interpolate(share)
        assert wrong(matrix) == []
    assert all(is_visible(label) for label in matrix.column_labels)


def second(region=WIDE, **options):
    first = product()
    given = {"rows": SCREEN["tokens"], "columns": SCREEN["keys"], "lying": True}
    roles = ("query", "key", "attention")
    made = Product(first.out, SCREEN["k"], SCREEN["dots"], roles=roles, **given | options)
    fit(region, *made.ways)
    return first, made


def test_a_factor_may_lie_on_its_side():
    _, made = second()
    assert made.right.table.shape == (4, 3)
    assert made.right.meant(3, 1).index == (1, 3)
    assert [label.text for label in made.right.column_labels] == ["the", "cat", "sat"]
    assert wrong(made.right) == []


@pytest.mark.parametrize("share", [0, 0.2, 0.45, 0.7, 0.95, 1])
def test_rows_stand_up_as_columns(share):
    _, made = second()
    keys = Matrix(SCREEN["k"], rows=SCREEN["keys"], spec=".4g", role="key", low=-3, high=3)
    keys.place(Region(-6, 0, -2, 3))
    for animation in turn_into(keys, made.right):
        at(animation, share)
    there, gone = made.right.opened.sum(), keys.opened.sum()
    assert there + gone <= 12
    assert (there, gone) == {0: (0, 12), 1: (12, 0)}.get(share, (there, gone))
    if share == 0.45:
        rods = made.right.submobjects[-1]
        assert len(list(rods.readings())) in (8, 16)  # one row or two, shades and numbers
    assert wrong(keys, made) == []


def test_a_row_leaves_its_place_and_reaches_its_column():
    _, made = second()
    keys = Matrix(SCREEN["k"])
    keys.place(Region(-6, 0, -2, 3))
    rods = Rods(keys, made.right)
    row, column = keys.lattice.middles[1], made.right.lattice.middles[:, 1]
    for come, home in ((1e-6, row), (1 - 1e-6, column)):
        rods.lie(np.array([0, come, 0]))
        assert np.allclose(rods._middles[1], home, atol=1e-3)
        drawn = rods._cells.seen()[0][:, :2]
        assert np.allclose(np.sort(drawn, axis=0), np.sort(home, axis=0), atol=1e-3)
        assert wrong(rods) == []


def test_only_its_own_transpose_is_stood_up_into():
    first, made = second()
    with pytest.raises(ValueError, match="on its side"):
        turn_into(first.left, made.right)


def test_another_row_than_that_of_the_cell_is_noticed():
    made = product()
    done(made.meet(0, 0))
    way = made.left.row(1).center - made.left.row(0).center
    made.frames.row.shift(way)
    assert any("Meeting says" in problem for problem in wrong(made))
    made.frames.row.shift(-way)
    made.frames.column.shift(made.right.column(2).center - made.right.column(0).center)
    assert any("Meeting says" in problem for problem in wrong(made))
    made.frames.column.shift([0.3 * made.right.lattice.cell_width, 0, 0])
    assert any("between two rows" in problem for problem in wrong(made))


def test_factors_in_another_order_are_noticed():
    made = product()
    line = made.line(1, 2)
    line.place(LOW)
    done(made.meet(1, 2))
    done(made.multiply(line))
    one, other = line.term("b0"), line.term("b2")
    ends = one.anchor, other.anchor
    one.stand(ends[1], one.em)
    other.stand(ends[0], other.em)
    assert any("PairSum says" in problem for problem in wrong(made))


def test_a_row_on_its_way_with_another_shade_is_noticed():
    _, made = second()
    keys = Matrix(SCREEN["k"], rows=SCREEN["keys"], spec=".4g", role="key", low=-3, high=3)
    keys.place(Region(-6, 0, -2, 3))
    for animation in turn_into(keys, made.right):
        at(animation, 0.3)
    path = next(p for p in made.right.submobjects[-1]._cells if len(p.points))
    path.set_fill("#00FF00")
    assert any("Rods says" in problem for problem in wrong(made))
