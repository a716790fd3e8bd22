"""The sheet of heads: every square is read back, wherever it stands, and all of it fits."""

import numpy as np
import pytest
from manim import VGroup

from clockhead.scenes.parts.head_sheet import Arrangement, HeadSheet, name_of
from clockhead.scenes.stage.shown import Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.theme import THEMES, use_theme
from clockhead.scenes.style.type import MIN_SIZE

WIDE, TALL = Region(-6.5, -2.6, 6.5, 2.6), Region(-3.4, -5, 3.4, 5)
KINDS = ("previous-token heads", "induction heads", "other heads: 8 of 105")


def patterns(n_layers: int, n_heads: int, n_tokens: int = 12, *, causal: bool = True) -> Value:
    drawn = np.random.default_rng(n_layers).random((n_layers, n_heads, n_tokens, n_tokens)) ** 4
    drawn = np.tril(drawn) if causal else drawn
    return Value("patterns", drawn / drawn.sum(axis=-1, keepdims=True))


def sheet_of(value: Value, region: Region = WIDE, **options: object) -> HeadSheet:
    made = HeadSheet(value, **options)
    made.place(region)
    return made


def wrong(sheet: HeadSheet, value: Value) -> int:
    """How many pixels do not say what they stand for."""
    found = 0
    for read in sheet.read_together():
        found += int((np.abs(value.array[read.places] - read.says) > read.within).sum())
    return found


def assert_apart(arrangement: Arrangement, region: Region) -> None:
    """Squares are in the region, and none lies over another."""
    spots = arrangement.spots[arrangement.spots[:, 2] > 0]
    half = spots[:, 2:] / 2
    assert (spots[:, :2] - half >= (region.left - 1e-6, region.bottom - 1e-6)).all()
    assert (spots[:, :2] + half <= (region.right + 1e-6, region.top + 1e-6)).all()
    apart = np.abs(spots[:, None, :2] - spots[None, :, :2]).max(axis=-1)
    np.fill_diagonal(apart, np.inf)
    assert (apart >= spots[:, 2] * 1.05).all()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("causal", [True, False])
def test_every_pixel_is_the_weight_of_its_head(theme: str, causal: bool):
    use_theme(theme)
    value = patterns(2, 4, causal=causal)
    sheet = sheet_of(value, causal=causal)
    read = sum(len(one.says) for one in sheet.read_together())
    assert read == 8 * (12 * 13 // 2 if causal else 144)
    assert wrong(sheet, value) == 0


def test_another_pattern_under_a_name_is_noticed():
    value = patterns(2, 4)
    sheet = sheet_of(value)
    sheet.tiles[3].paint(sheet.tiles[4].colors)
    assert wrong(sheet, value) > 20
    other = sheet_of(value)
    other.names[0].text, other.names[1].text = "0.1", "0.0"
    assert wrong(other, value) > 20


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize(("n_layers", "n_heads"), [(1, 1), (2, 4), (12, 12), (48, 3), (1, 64)])
def test_rows_and_shelves_fill_their_region(region: Region, n_layers: int, n_heads: int):
    sheet = sheet_of(patterns(n_layers, n_heads, 3), region)
    rows = sheet.rows(region)
    assert_apart(rows, region)
    extent = rows.spots[:, :2].max(axis=0) - rows.spots[:, :2].min(axis=0) + rows.spots[0, 2]
    assert max(extent / (region.width, region.height)) > 0.6
    heads = sheet.heads[: 3 * 8]
    groups = [group for k in range(3) if (group := heads[k::3])]
    shelves = sheet.shelves(region, KINDS[: len(groups)], groups)
    assert_apart(shelves, region)
    assert int((shelves.spots[:, 2] > 0).sum()) == len(heads)
    sheet.stand(shelves)
    shown = VGroup(*(name for name in sheet.names if name.get_fill_opacity()), sheet.titles())
    assert shown.get_left()[0] > region.left - 0.1
    assert shown.get_right()[0] < region.right + 0.1
    assert shown.get_bottom()[1] > region.bottom - 0.05
    for name in sheet.names:
        assert not name.get_fill_opacity() or name.em >= (MIN_SIZE - 0.1) * PX


def test_names_go_before_squares_move_and_come_after():
    value = patterns(2, 4)
    sheet = sheet_of(value)
    shelves = sheet.shelves(WIDE, KINDS[:2], [[(1, 0), (0, 3)], [(0, 1)]])
    move = sheet.go(shelves, run_time=1)
    move.begin()
    start = sheet.tile((1, 0))
    for share, stands in ((0.1, True), (0.5, False), (0.95, False)):
        move.interpolate(share)
        assert (sheet.tile((1, 0)).center == pytest.approx(start.center)) is stands
        assert bool(sheet.names[4].get_fill_opacity()) is (share != 0.5)
        assert wrong(sheet, value) == 0
    move.finish()
    assert [name.text for name in sheet.names if name.get_fill_opacity()] == ["0.1", "0.3", "1.0"]
    assert wrong(sheet, value) == 0
    alone = sheet.zoomed((1, 0), WIDE)
    sheet.stand(alone)
    assert sheet.lattice((1, 0)).cell_height == pytest.approx(WIDE.height / 12)
    assert sum(len(one.says) for one in sheet.read_together()) == 78
    assert wrong(sheet, value) == 0


def test_it_runs_through_the_moments_of_a_training():
    series = Value("moments", np.stack([patterns(2, 4).array, patterns(2, 4).array[::-1]]))
    sheet = sheet_of(series[0])
    move = sheet.through(series, run_time=1)
    move.begin()
    move.interpolate(0.5)
    content = sheet.shown.content
    for read in sheet.read_together():
        assert np.abs(content[read.places] - read.says).max() <= read.within
    move.finish()
    assert wrong(sheet, series[1]) == 0


def test_heads_are_called_as_in_the_field():
    assert name_of((4, 11)) == "4.11"
    sheet = sheet_of(patterns(12, 12, 3), heads=None)
    assert [name.text for name in sheet.names][:2] == ["0.0", "0.1"]
    value = patterns(12, 12, 3)
    some = Value("some", value.array[[11, 2], [11, 0]])
    for given in (value, some):
        chosen = sheet_of(given, TALL, heads=[(11, 11), (2, 0)])
        assert [name.text for name in chosen.names] == ["11.11", "2.0"]
        assert wrong(chosen, given) == 0


@pytest.mark.parametrize("causal", [True, False])
def test_areas_are_the_cells_but_for_shades_that_nobody_tells_apart(causal: bool):
    sheet = sheet_of(patterns(1, 1, 30, causal=causal), causal=causal)
    raster = sheet.tiles[0]
    drawn = np.zeros_like(raster.colors)
    areas = raster.areas()
    for color, runs in areas:
        for row, column, width in runs.tolist():
            drawn[row, column : column + width] = color
    assert np.abs(drawn.astype(int) - raster.colors).max() <= 4
    assert (drawn[..., 3] == raster.colors[..., 3]).all()
    assert 1 < sum(len(runs) for _, runs in areas) < 30 + 30 * 30
