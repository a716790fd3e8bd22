"""Blocks of shaded cells say what they are made from, and notice when they do not."""

import numpy as np
import pytest
from manim import RIGHT, UP

from clockhead.scenes.onehot.focus import focus_on, recast
from clockhead.scenes.parts.block_moves import send_cells, unfold_rows
from clockhead.scenes.parts.block_panels import Block
from clockhead.scenes.parts.blocks import Blocks
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Row, fit
from clockhead.scenes.stage.carry import TakeOver
from clockhead.scenes.style.layout import Region
from tests.scenes.parts.pictures import Screen, at, exchange

WIDE, TALL = Region(-6.5, -2.6, 6.5, 2.6), Region(-3.45, -5.2, 3.45, 5.2)
TOKENS = ("BOS", "a", "b", "a")
WORDS = ("BOS", "a", "b")
CUR = np.eye(3)[[0, 1, 2, 1]]
BEFORE = np.hstack([CUR, np.zeros((4, 3)), np.ones((4, 1))])
AFTER = np.hstack([CUR, CUR[[0, 0, 1, 2]] * 0.5, np.ones((4, 1))])
WEIGHTS = np.zeros((6, 6))
WEIGHTS[3:, 3:] = 2 * np.eye(3, k=-1) - 1
BIG = tuple(f"word{'abcdefghijkl'[k]}" for k in range(11))
VALUES = {
    "before": BEFORE,
    "after": AFTER,
    "many": 50 * AFTER,
    "tokens": TOKENS,
    "words": WORDS,
    "places": (0, 1, 2),
    "weights": WEIGHTS,
    "full": np.ones((6, 6)),
    "big": np.hstack([np.eye(12, 11)] * 3 + [np.ones((12, 1))]),
    "big_tokens": ("BOS", *BIG),
    "big_words": BIG,
}
RIDE = ((1, "cur", 1), (2, "prev", 1))


SCREEN = Screen(VALUES)
wrong = SCREEN.misread


def heads(words="words", w=3):
    return [
        Block("cur", slice(0, w), "token", SCREEN[words], spec=".1f"),
        Block("prev", slice(w, 2 * w), "value", SCREEN["places"]),
        Block("1", slice(2 * w, 2 * w + 1), "residual"),
    ]


def stream(region=WIDE, path="before", bands=1):
    tiles = Strip(SCREEN["tokens"], positions=True)
    tiles.place(region)
    blocks = Blocks(SCREEN[path], heads(), rows=tiles, bands=bands, high=1.0)
    blocks.place(region)
    blocks.label()
    return blocks, tiles


def weights():
    halves = [Block("token", slice(0, 3), spec=".0f"), Block("position", slice(3, 6), "position")]
    blocks = Blocks(SCREEN["weights"], halves, down=halves, role="attention", least_cell=0.1)
    blocks.place(Region(-2, -2, 2, 2))
    return blocks


def run(animation, *moments):
    """Play an animation (or several) to its end, and look at what is wrong at some moments."""
    several = animation if isinstance(animation, list) else [animation]
    parts = {id(one.mobject): one.mobject for one in several}.values()
    found = []
    for one in several:
        one.begin()
    for moment in moments:
        for one in several:
            one.interpolate(moment)
        found += wrong(*parts)
    for one in several:
        one.finish()
    return found + wrong(*parts)


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize("bands", [1, 2])
def test_says_every_cell_word_and_name(region, bands):
    blocks, tiles = stream(region, bands=bands)
    assert wrong(blocks, tiles) == []
    shades = [r for p in blocks.cells for r in p.readings() if r.meant.path == "before"]
    assert len(shades) == 4 * 7 + 4 * 3  # and a number in each cell of cur
    assert {r.meant.name for r in shades} >= {"before[3, 6]", "before[0, 0]"}
    named = [r for r in blocks.readings() if r.meant.name.startswith("before to")]
    assert [r.says for r in named] == [0, 1, 2]


def test_panels_share_rows_with_their_tiles():
    blocks, tiles = stream()
    for name in ("cur", "prev", "1"):
        for i in range(4):
            assert blocks.block(name).row(i).center[1] == pytest.approx(tiles.middle(i)[1])
    assert tiles.right(0)[0] < blocks.cell(0, "cur", 0).left
    assert blocks.part("cur").right < blocks.part("prev").left


def test_second_band_has_words_at_its_rows():
    blocks, _ = stream(TALL, bands=2)
    below = [blocks.block(name) for name in ("prev", "1")]
    assert below[0].region.top < blocks.block("cur").region.bottom
    assert [label.text for label in below[0].row_labels] == list(TOKENS)
    assert below[1].row_labels == blocks.block("cur").row_labels == []


def test_plain_panels_say_that_all_is_0():
    blocks = weights()
    assert wrong(blocks) == []
    zeros = [r for r in blocks.readings() if r.meant.name.startswith("weights[")]
    assert len(zeros) == 27
    assert {r.says for r in zeros} == {0.0}
    with pytest.raises(KeyError):
        blocks.block("token", "token")


def stand_in_another_row(blocks, part):
    part.shift(blocks.cell(0, "cur", 0).height * UP)


def show_another_value(panel):
    panel.shown = SCREEN["after"]
    panel.show(AFTER)
    panel.shown = SCREEN["before"]


def take_the_shade_of_a_full_cell(panel):
    empty, full = (path for path in panel._cells.submobjects if len(path.points))
    empty.set_fill(full.get_fill_color())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda blocks, tiles: take_the_shade_of_a_full_cell(blocks.block("cur")),
        lambda blocks, tiles: show_another_value(blocks.block("prev")),
        lambda blocks, tiles: exchange(blocks.block("cur"), blocks.block("prev")),
        lambda blocks, tiles: exchange(*blocks.titles[:2]),
        lambda blocks, tiles: setattr(blocks.titles[0], "text", "prev"),
        lambda blocks, tiles: exchange(*blocks.block("cur").column_labels[:2]),
        lambda blocks, tiles: exchange(*blocks.block("prev").column_labels[:2]),
        lambda blocks, tiles: stand_in_another_row(blocks, tiles),
        lambda blocks, tiles: stand_in_another_row(blocks, blocks.block("prev")),
        lambda blocks, tiles: blocks.shift(0.4 * blocks.cell(0, "cur", 0).height * UP),
        lambda blocks, tiles: blocks.block("cur")._cells.flip(RIGHT),
        lambda blocks, tiles: setattr(blocks.block("cur")._numbers.seen()[0], "text", "0.5"),
    ],
    ids=(
        *("shade", "value", "exchanged panels", "exchanged titles", "title", "exchanged words"),
        *("exchanged places", "rows", "one panel", "half a row", "upside down", "number"),
    ),
)
def test_a_wrong_picture_is_noticed(spoil):
    blocks, tiles = stream()
    assert wrong(blocks, tiles) == []
    spoil(blocks, tiles)
    assert wrong(blocks, tiles)


def test_notices_a_plain_panel_that_is_not_0():
    blocks = weights()
    blocks.panels[0][0].label.text = "1"
    assert wrong(blocks)
    blocks = weights()
    blocks.set_to(SCREEN["full"])
    assert len(wrong(blocks)) == 27


def test_one_block_takes_all_the_room():
    blocks = weights()
    whole = blocks.width
    before = blocks.block("position", "position").region
    assert run(focus_on(blocks, "position", "position"), 0.5) == []
    after = blocks.block("position", "position").region
    assert after.width == pytest.approx(2 * before.width + 0.16)
    assert blocks.width <= whole + 0.1


def test_a_block_means_something_else():
    blocks, tiles = stream()
    other = Block("noted", slice(3, 6), "position", SCREEN["words"])
    assert run(recast(blocks, "prev", other), 0.3, 0.7) == []
    assert [label.text for label in blocks.block("noted").column_labels] == list(WORDS)
    fresh = Blocks(SCREEN["before"], [heads()[0], other, heads()[2]], rows=tiles, high=1.0)
    fresh.place(WIDE)
    assert blocks.block("noted").ramp == fresh.block("noted").ramp
    assert blocks.titles[1].text == "noted"


def test_is_carried_over_without_a_jump():
    old, new = stream(path="after")[0], stream()[0]
    run(new.to(SCREEN["after"]))
    places = [p.points.copy() for p in new.family_members_with_points()]
    carry = TakeOver([old], [new], [(old, new)], run_time=1)
    assert carry._going == []
    assert carry._coming == []
    at(carry, 0.5)
    drawn = [p.points for p in new.family_members_with_points()]
    assert all(np.allclose(a, b) for a, b in zip(places, drawn, strict=True))


def test_does_nothing_before_it_is_placed():
    tiles = Strip(SCREEN["tokens"])
    blocks = Blocks(SCREEN["before"], heads(), rows=tiles, high=1.0)
    run(blocks.to(SCREEN["after"]))
    run(send_cells(blocks, [RIDE], to=SCREEN["before"]))
    run(unfold_rows(blocks, "cur"))
    run(blocks.draw_in())
    assert list(blocks.readings()) == []
    assert wrong(blocks) == []


@pytest.mark.parametrize(("region", "bands"), [(WIDE, 1), (TALL, 2)])
def test_twelve_rows_and_34_columns_can_be_read(region, bands):
    spans = [slice(0, 11), slice(11, 22), slice(22, 33), slice(33, 34)]
    names = zip(("cur", "prev", "out", "1"), spans, strict=True)
    across = [Block(name, span, "token", words=None) for name, span in names]
    tiles = Strip(SCREEN["big_tokens"], positions=True)
    tiles.place(region)
    blocks = Blocks(SCREEN["big"], across, rows=tiles, high=1.0)
    box = blocks.banded(bands)
    fit(region, Row(box))
    blocks.label()
    cell = blocks.cell(0, "cur", 0)
    assert cell.width >= 0.21
    assert cell.height >= 0.25
    assert blocks.width <= region.width
    assert blocks.height <= region.height
    assert tiles.tiles[0].corners[0][0] > region.left
    assert wrong(blocks, tiles) == []
    assert box.least.width <= region.width
    assert box.least.height <= region.height


@pytest.mark.parametrize("bands", [1, 2, 3])
def test_fills_its_least_and_no_more_than_its_most(bands):
    blocks = stream(bands=bands)[0]
    for size in (blocks.least, blocks.most):
        room = Region(0, 0, size.width + 1e-9, size.height + 1e-9)
        blocks.place(room)
        cell = blocks.cell(0, "cur", 0)
        assert 0.2 < cell.width <= 0.6 + 1e-9
        assert blocks.width <= size.width + 1e-6
        assert blocks.height <= size.height + 1e-6


def test_names_over_high_bands_are_read_over_their_own_block():
    """The foot of a band may be nearer to a name than the middle of its own block."""
    tokens, words = SCREEN["big_tokens"], SCREEN["big_words"]
    spans = [slice(k, k + 11) for k in (0, 11, 22)]
    names = [Block(f"block {k}", span, words=words) for k, span in zip("abc", spans, strict=True)]
    blocks = Blocks(SCREEN["big"], [*names, Block("1", slice(33, 34))], rows=tokens)
    blocks.banded(2).place(TALL)
    assert wrong(blocks) == []


def test_zeros_may_be_muted():
    blocks = Blocks(SCREEN["before"], [Block("cur", slice(0, 3), spec=".1f", plain_zeros=True)])
    blocks.place(WIDE)
    texts = {number.text for panel in blocks.cells for number in panel._numbers.seen()}
    assert texts == {"0", "1.0"}
    assert wrong(blocks) == []


@pytest.mark.parametrize("tallest", [1.25, 2.0])
def test_cells_are_no_higher_than_asked(tallest):
    blocks = Blocks(SCREEN["weights"], [Block("all", slice(0, 6))], tallest=tallest, least_cell=0.4)
    blocks.place(Region(-2.0, -5.0, 2.0, 5.0))
    lattice = blocks.cells[0].lattice
    assert np.isclose(lattice.cell_height / lattice.cell_width, tallest)
