"""A matrix of shaded cells says what it is made from, and notices when it does not."""

import numpy as np
import pytest
from manim import RIGHT, UP, tempconfig

from clockhead.scenes.parts.cell_outlines import FramedCells
from clockhead.scenes.parts.cells import SHADES
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Reading, Size, Value
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.shape import fill_of, stroke_of
from clockhead.scenes.style.theme import contrast, theme, use_theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE
from tests.scenes.parts.pictures import Screen, assert_inside, at, exchange, on_each_theme, says

WORDS = ("the", "cat", "sat", "on")
LONG = tuple(f"{letter}cathedral" for letter in "abcdefghijkl")
PATTERN = np.array(
    [[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.125, 0.5, 0.375, 0], [0, 0.125, 0.5, 0.375]]
)
SCORES = np.array([[16, 0, 0, 0], [15, 16, 0, 0], [12, 15, 16, 0], [10, 12, 15, 16]], dtype=float)
WINNERS = (None, 0.0, 1.0, 2.0)
PATTERNS = np.stack([np.tri(4) / np.arange(1, 5)[:, None], PATTERN])
SQUARE = Region(-3, -3, 3, 3)
VALUES = {
    "pattern": PATTERN,
    "scores": SCORES,
    "tokens": WORDS,
    "long": LONG,
    "winners": WINNERS,
    "losers": (None, 1.0, 0.0, 0.0),
    "patterns": PATTERNS,
    "column": np.array([-2.0, 0.0, 1.0, 2.0]),
    "turn": np.array([[0.0, -1.0], [1.0, 0.5]]),
}


SCREEN = Screen(VALUES, shares=("pattern", "patterns"))
wrong = SCREEN.misread


def placed(path="pattern", region=SQUARE, **options):
    given = {"rows": SCREEN["tokens"], "columns": SCREEN["tokens"], "mask": "causal"} | options
    matrix = Matrix(SCREEN[path], **given)
    matrix.place(region)
    return matrix


def plain(path, region=SQUARE, **options):
    return placed(path, region, rows=None, columns=None, mask=None, **options)


def color_at(matrix, i, j):
    """The colour of what is drawn over the middle of a cell; measured, not asked for."""
    x, y, _ = matrix.cell(i, j).center
    for path in matrix._cells:
        for piece in path.points.reshape(-1, 16, 3):
            (left, bottom, _), (right, top, _) = piece.min(axis=0), piece.max(axis=0)
            if left < x < right and bottom < y < top:
                return fill_of(path)
    return None


def test_the_shade_runs_from_panel_to_full_colour():
    matrix = plain("pattern", low=0, high=1)
    assert color_at(matrix, 0, 0) == theme().attention
    assert color_at(matrix, 0, 1) == theme().panel
    blend = [(24 + 240) / 2, (30 + 228) / 2, (39 + 66) / 2]  # halfway, (2, 1) is 0.5
    seen = [int(color_at(matrix, 2, 1)[k : k + 2], 16) for k in (1, 3, 5)]
    assert np.allclose(seen, blend, atol=1)


def test_signed_values_have_two_colours_and_an_empty_middle():
    matrix = plain("column", low=-2, high=2, role="token")
    assert color_at(matrix, 0, 0) == theme().negative
    assert color_at(matrix, 1, 0) == theme().panel
    assert color_at(matrix, 3, 0) == theme().token
    assert wrong(matrix) == []


def test_a_column_may_lie():
    matrix = plain("column", lying=True)
    assert (matrix.n_rows, matrix.n_columns) == (1, 4)
    assert matrix.cell(0, 3).left > matrix.cell(0, 0).right
    assert wrong(matrix) == []


def test_every_visible_cell_and_word_is_read():
    matrix = placed(spec=".2f", positions=True)
    kinds = [reading.meant.name for reading in matrix.readings()]
    assert len(kinds) == 10 + 10 + 4 * 4  # shades, numbers, words and positions on both sides
    assert wrong(matrix) == []


def test_before_it_is_placed_it_says_nothing_and_may_be_animated():
    matrix = Matrix(SCREEN["pattern"])
    assert list(matrix.readings()) == []
    at(matrix.fill_rows(), 1)
    at(matrix.to(SCREEN["scores"]), 1)
    with pytest.raises(RuntimeError, match="placed"):
        matrix.cell(0, 0)


def test_the_bounds_are_those_of_what_is_visible():
    matrix = placed("scores")
    assert (matrix.scale_now.low, matrix.scale_now.high) == (10, 16)


def first_cell(matrix):
    return next(path for path in matrix._cells if len(path.points))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda m: first_cell(m).set_fill(theme().attention), "says 1"),
        (lambda m: m.show(PATTERN * (1 - 3 / SHADES)), "says"),
        (lambda m: m.rotate(np.pi, axis=np.array([1.0, 0, 0])), ""),
        (lambda m: m.show(PATTERN.T), "says"),
        (lambda m: m._cells.shift(0.3 * m.lattice.cell_width * UP), "beside its cell"),
    ],
    ids=["another shade", "a little off", "upside down", "transposed", "beside their places"],
)
def test_wrong_cells_are_noticed(spoil, problem):
    matrix = plain("pattern", low=0, high=1)
    assert wrong(matrix) == []
    spoil(matrix)
    assert any(problem in line for line in wrong(matrix))


def test_it_may_be_moved_and_scaled_as_a_whole():
    matrix = placed(spec=".2f").shift(UP).scale(0.8)
    assert wrong(matrix) == []
    assert np.isclose(matrix.cell(0, 0).height, 0.8 * placed().cell(0, 0).height)


@pytest.mark.parametrize("side", ["row_labels", "column_labels"])
def test_words_that_have_changed_places_are_noticed(side):
    matrix = placed()
    exchange(*getattr(matrix, side)[:2])
    assert sum("says" in problem for problem in wrong(matrix)) == 2


def test_a_word_one_row_further_is_noticed():
    matrix = placed()
    matrix.row_labels[1].shift(-matrix.lattice.cell_height * UP)
    assert wrong(matrix) == ["Matrix says cat for tokens[2], which is 'sat'"]


def test_a_position_at_the_wrong_row_is_noticed():
    matrix = placed(positions=True)
    matrix.plan.row_names.places[1].shift(-matrix.lattice.cell_height * UP)
    assert len(wrong(matrix)) == 1


def test_a_wrong_number_and_one_in_the_wrong_cell_are_noticed():
    matrix = placed(spec=".2f")
    matrix._numbers.numbers[1].set_value(0.99)
    assert any("says 0.99" in problem for problem in wrong(matrix))
    matrix = placed(spec=".2f")
    matrix._numbers.numbers[1].shift(matrix.lattice.cell_width * np.array([1.0, 0, 0]))
    assert any("says 0.75" in problem for problem in wrong(matrix))


@pytest.mark.parametrize(("side", "written"), [(0.36, None), (0.64, "75%"), (0.9, "75.0%")])
def test_the_best_format_that_fits_is_taken(side, written):
    matrix = plain("pattern", Region(0, 0, 4 * side, 4 * side), spec=(".1%", ".0%"))
    texts = [number.text for number in matrix._numbers.seen()]
    assert (written in texts) if written else texts == []
    for number in matrix._numbers.seen():
        assert number.width < side
        assert number.em / PX > MIN_SIZE - 0.01


def test_zeros_are_plain_where_wanted():
    matrix = plain("turn", low=-1, high=1, spec=".2f", plain_zeros=True)
    assert [number.text for number in matrix._numbers.seen()] == ["0", "−1.00", "1.00", "0.50"]
    assert wrong(matrix) == []


def test_only_some_rows_may_be_numbered():
    matrix = placed(spec=".2f", numbered=[2])
    assert [number.text for number in matrix._numbers.seen()] == ["0.12", "0.50", "0.38"]


@on_each_theme
@pytest.mark.parametrize("region", [Region(-6.5, -2.6, 6.5, 2.6), Region(-3.4, -5, 3.4, 5)])
def test_all_is_legible(name, region):
    use_theme(name)
    ramps = plain("column", region, low=-2, high=2, role="token", spec="+.1f")
    checker = LayoutChecker()
    options = {"positions": True, "spec": (".1%", ".0%"), "low": 0, "high": 1}
    with tempconfig({"frame_width": 14.2, "frame_height": 14.2}):
        for part in (ramps, placed("pattern", region, **options)):
            checker(SCREEN.show(part))
    assert checker.problems == []


@on_each_theme
def test_rules_and_hatching_are_seen(name):
    use_theme(name)
    matrix = placed()
    hatching = matrix.submobjects[1]
    for piece in (matrix._rules, *hatching):
        color = stroke_of(piece)
        assert contrast(color, theme().ground) >= 1.5
    boxes = hatching[0].points[:, :2]
    assert all(color_at(matrix, i, j) is None for i in range(4) for j in range(i + 1, 4))
    assert boxes[:, 0].min() > matrix.cell(0, 1).left


@pytest.mark.parametrize("region", [Region(-6.5, -2.6, 6.5, 2.6), Region(-3.6, -5.2, 3.6, 5.2)])
def test_twelve_long_words_fit(region):
    values = {"rows": SCREEN["long"], "columns": SCREEN["long"], "positions": True}
    matrix = Matrix(Value("eye", np.eye(12)), mask="causal", **values)
    assert matrix.least.width <= region.width
    matrix.place(region)
    box = matrix.get_all_points()
    assert box[:, 0].min() >= region.left - 0.02
    assert box[:, 0].max() <= region.right + 0.02
    assert box[:, 1].max() <= max(region.top, region.bottom + matrix.least.height) + 0.02
    assert all(label.em / PX >= MIN_SIZE - 0.01 for label in matrix.column_labels)
    checker = LayoutChecker()
    with tempconfig({"frame_width": 16, "frame_height": 16}):
        checker(SCREEN.show(matrix))
    assert checker.problems == []


@pytest.mark.parametrize("angle", [45, 90])
def test_turned_words_are_read_and_measured(angle):
    matrix = Matrix(Value("eye", np.eye(12)), columns=SCREEN["long"], turns=(0, angle))
    matrix.place(Region(-3, -3, 3, 4))
    first, second = matrix.column_labels[:2]
    assert MIN_SIZE - 0.01 <= first.em / PX <= LABEL + 0.01
    assert np.isclose(np.degrees(first.angle), angle)
    VALUES["eye"] = np.eye(12)
    assert wrong(matrix) == []
    way = second.foot - first.foot
    first.shift(way)
    second.shift(-way)
    assert len(wrong(matrix)) == 2


def test_at_its_least_size_cells_have_theirs():
    matrix = Matrix(SCREEN["pattern"], rows=SCREEN["tokens"], columns=SCREEN["tokens"])
    least = matrix.least
    matrix.place(Region(0, 0, least.width, least.height))
    assert min(matrix.cell(0, 0).width, matrix.cell(0, 0).height) > 0.35
    assert_inside(Region(0, 0, least.width, least.height), matrix, slack=0.02)


def test_the_least_cell_may_be_lower_than_it_is_wide():
    matrix = Matrix(SCREEN["pattern"], least_cell=Size(0.5, 0.36), aspect=(0.72, 1.3))
    least = matrix.least
    matrix.place(Region(0, 0, least.width, least.height))
    assert (matrix.cell(0, 0).width, matrix.cell(0, 0).height) == pytest.approx((0.5, 0.36))


def test_cells_are_never_larger_than_most_nor_of_any_shape():
    matrix = plain("turn", Region(-6, -6, 6, 6))
    assert np.isclose(matrix.cell(0, 0).width, 1.2)
    tall = plain("pattern", Region(-1, -6, 1, 6)).cell(0, 0)
    assert np.isclose(tall.height / tall.width, 1.3)
    wide = plain("pattern", Region(-6, -1, 6, 1)).cell(0, 0)
    assert np.isclose(wide.height / wide.width, 0.65)


def test_regions_of_cells_rows_and_columns():
    matrix = plain("pattern")
    assert np.allclose(
        matrix.cell(1, 2).center, [matrix.column(2).center[0], matrix.row(1).center[1], 0]
    )
    matrix.place_cells(area := Region(0, 0, 4, 2))
    assert matrix.row(0) == Region(0, 1.5, 4, 2)
    assert matrix.column(1) == Region(1, 0, 2, 2)
    assert matrix.block(0, 0, 4, 4) == area


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.97, 1])
@pytest.mark.parametrize("in_motion", [False, True])
def test_scores_become_shares_truly(share, in_motion):
    matrix = placed("scores", spec=".1f", numbers_in_motion=in_motion)
    before = [color_at(matrix, i, 0) for i in range(4)]
    motion = matrix.to(SCREEN["pattern"], low=0, high=1, spec=(".0%",), run_time=2)
    assert [color_at(matrix, i, 0) for i in range(4)] == before
    at(motion, share)
    assert wrong(matrix) == []
    assert any(map(is_visible, matrix._numbers)) == (in_motion or share not in (0.3, 0.5))
    if share == 1:
        assert matrix.state.tolist() == PATTERN.tolist()
        assert "75%" in [number.text for number in matrix._numbers.seen()]


def test_it_runs_through_a_series():
    matrix = placed(low=0, high=1)
    motion = matrix.through(SCREEN["patterns"])
    for share in (0, 0.4, 1):
        at(motion, share)
        assert wrong(matrix) == []
    assert matrix.state.tolist() == PATTERN.tolist()


def test_outlines_say_which_cell_they_are_around():
    matrix = placed()
    outline = matrix.outline(SCREEN["winners"])
    assert says(outline) == pytest.approx([0, 1, 2])
    assert wrong(outline) == []
    outline.path.shift(matrix.lattice.cell_width * np.array([1.0, 0, 0]))
    assert len(wrong(outline)) == 3
    outline.path.shift(0.5 * matrix.lattice.cell_height * UP)
    assert any("between" in problem for problem in wrong(outline))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda frames, lattice: frames.shift(lattice.cell_width * RIGHT), "no frame"),
        (lambda frames, lattice: frames.shift(0.3 * lattice.cell_width * RIGHT), "beside"),
        (lambda frames, lattice: frames.paths[0].set_points(frames.paths[0].points[16:]), "no fr"),
        (lambda frames, lattice: frames.show(np.ones((4, 4))), "a frame"),
    ],
    ids=["in another column", "beside their cells", "one is missing", "of another value"],
)
def test_frames_of_wrong_cells_are_noticed(spoil, problem):
    lattice = placed().lattice
    frames = FramedCells(SCREEN["pattern"], lattice, role="wrong")
    assert len(frames.paths[0].points) == 16 * np.count_nonzero(PATTERN)
    assert wrong(frames) == []
    spoil(frames, lattice)
    assert any(problem in line for line in wrong(frames))


def test_a_row_whose_column_is_before_the_first_has_no_outline():
    outline = placed().outline(Value("columns", np.array([-1.0, 0.0, 1.0, np.nan])))
    assert says(outline) == pytest.approx([0, 1])


def test_two_colours_need_bounds_around_zero():
    matrix = plain("column", low=-2, high=2)
    with pytest.raises(ValueError, match="low == -high"):
        matrix.rescale(0, 2)


def test_the_colour_of_a_cell_can_be_asked_for():
    grid = Matrix(Value("scores", SCORES), low=0.0, high=16.0)
    assert grid.shade_of(0, 0) == grid.ramp.colors[SHADES]
    assert grid.shade_of(0, 1) == grid.ramp.colors[0]


def test_what_a_matrix_of_ones_own_reads_besides_is_judged_too():
    class Doubtful(Matrix):
        def read_together(self):
            yield from super().read_together()
            yield Reading(self.meant(0, 0), "something else")

    matrix = Doubtful(SCREEN["scores"])
    matrix.place(SQUARE)
    assert [read.says for read in matrix.readings()][-1] == "something else"
    [problem] = wrong(matrix)
    assert "something else" in problem
    with pytest.raises(TypeError, match="Unheard: extend read_together"):
        type("Unheard", (Matrix,), {"readings": Matrix.readings})
