"""The pictures of a whole pass: panes that move, streams, shares under a text, and outcomes."""

from itertools import pairwise

import numpy as np
import pytest

from model.induction import Induction
from model.prompts import prompt, prompt_vocabulary
from scenes.induction.common import of_each
from scenes.parts.matrices.block_map import Block
from scenes.parts.matrices.pane import Pane
from scenes.parts.matrices.pass_maps import PassMaps
from scenes.parts.tokens.outcome import cards
from scenes.parts.tokens.stream_flow import Hops, StreamFlow, stagger
from scenes.parts.tokens.text_shares import TextShares, head_height, spread
from scenes.style.layout import Region
from scenes.style.text import Formula, Label, Number
from scenes.style.theme import CHALK

WIDE, SQUARE, TALL = Region(-6, -2, 6, 2), Region(-3.4, -2.4, 3.4, 2.4), Region(-3, -5, 3, 5)
TEXT = ["BOS", "a", "b", "a"]


def pass_maps(region: Region) -> PassMaps:
    stream = np.eye(10)[[0, 1, 2, 1]]  # (4, 3 * 3 + 1)
    stream[-1, 6:9] = 0.0, 0.2, 0.8
    return PassMaps(stream, np.array([np.tri(4)] * 2), ["BOS", "a", "b"], TEXT, region)


def test_a_pane_moves_its_columns_and_names_and_keeps_its_rows():
    blocks = [Block("cur", 2, CHALK.token), Block("prev", 1, CHALK.key)]
    pane = Pane(np.eye(3), WIDE, columns=blocks, row_names=["a", "b", "c"], edged=True)
    before, y = pane.area, pane.middle(1, 0)[1]
    aside = pane.row_names[0].anchor[0] - before.left
    pane.lay(0.0, 2.0)
    after = pane.area
    assert (after.left, after.right) == pytest.approx((0.0, 2.0))
    assert (after.bottom, after.top) == pytest.approx((before.bottom, before.top))
    assert pane.middle(1, 0)[1] == y
    assert pane.row_names[0].anchor[0] - after.left == pytest.approx(aside)
    assert pane.block_names[1].anchor[0] == pytest.approx(pane.block(1).center[0])
    assert pane.block(1).left - pane.block(0).right == pytest.approx(0.14)
    pane.lay(before.left, before.right)
    assert pane.block(0).width == pytest.approx(2 * pane.block(1).width)


@pytest.mark.parametrize("region", [WIDE, SQUARE, TALL])
def test_the_page_of_a_pass_makes_room_and_never_overlaps(region: Region):
    maps, level = pass_maps(region), Formula("h^((0))")
    for k in range(3):
        for drive in maps.make_room(k, level):
            drive.interpolate_mobject(1)
        areas = [maps.stream.area, *(p.area for p in maps.patterns[: k + 1])]
        areas += [maps.logits] if k == 2 else []
        for a, b in pairwise(areas):
            assert b.left > a.right or b.top < a.bottom
        page = region.inset(-1e-9)
        for area in areas:
            assert page.left <= area.left < area.right <= page.right
            assert page.bottom <= area.bottom < area.top <= page.top


def test_what_is_carried_goes_from_its_cell_to_its_cell():
    maps = pass_maps(WIDE)
    cells, go = maps.carry([(1, 2, 1)], "cur", "prev", CHALK.key)
    assert cells[0].get_center() == pytest.approx(maps.stream.middle(1, 1))
    go.interpolate_mobject(1)
    assert cells[0].get_center() == pytest.approx(maps.stream.middle(2, 4))


def test_only_what_the_last_row_holds_goes_to_the_bars():
    maps = pass_maps(WIDE)
    bars = maps.bars([0.0, 0.2, 0.8], 1.0)
    cells, go = maps.read_out(bars)
    go.interpolate_mobject(1)
    assert [cell.get_x() for cell in cells] == pytest.approx([bars.middle(1), bars.middle(2)])


@pytest.mark.parametrize(("region", "down"), [(WIDE, False), (TALL, True)])
def test_streams_run_side_by_side_from_level_to_level(region: Region, down: bool):
    flow = StreamFlow(5, 4, region, down=down)
    along, across = (0, 1) if down else (1, 0)
    assert flow.at(0, 2)[across] == flow.at(3, 2)[across]
    assert flow.at(1.5, 0)[along] == pytest.approx(region.center[along])
    assert abs(flow.at(0, 1)[across] - flow.at(0, 0)[across]) == pytest.approx(flow.step)
    path = flow.path((0, 1), (1, 2), CHALK.key)
    assert path.get_start() == pytest.approx(flow.at(0, 1))
    assert path.get_end() == pytest.approx(flow.at(1, 2))


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize(
    ("answers", "sources", "told", "fetched"),
    [([2], [1], 1, 3), ([], [], 3, 5), ([0, 1], [0, 0], 2, 4)],
    ids=["one", "none", "the first noted itself"],
)
def test_every_answer_is_told_and_tells(region, answers, sources, told, fetched):
    hops = Hops(TEXT, answers, sources, "b", 0.75, region)
    assert [len(step.paths) for step in hops.steps] == [told, fetched, 1]
    (number,) = [m for w in hops.steps[2].words for m in w.get_family() if isinstance(m, Number)]
    assert number.value == 0.75
    page = [hops, *(word for step in hops.steps for word in step.words)]
    assert max(m.get_right()[0] for m in page) <= region.right + 1e-6
    assert min(m.get_bottom()[1] for m in page) >= region.bottom - 1e-6


@pytest.mark.parametrize("region", [WIDE, TALL])
@pytest.mark.parametrize("says", ["BOS a b", "24 tokens"])
def test_several_that_lead_stay_on_the_page(region: Region, says: str):
    hops = Hops(TEXT, [], [], says, 0.3, region, around=("≤ ", " each"))
    words = hops.steps[2].words
    (number,) = [m for w in words for m in w.get_family() if isinstance(m, Number)]
    assert number.text == "≤ 0.3000 each"
    assert max(m.get_right()[0] for m in words) <= region.right + 1e-6
    assert min(m.get_bottom()[1] for m in words) >= region.bottom - 1e-6


def test_names_step_aside_only_where_rows_are_low():
    names = [Label("a"), Label("b")]
    before = [name.get_x() for name in names]
    stagger(names, 0.3)
    assert [name.get_x() for name in names] == before
    stagger(names, 0.1)
    assert names[0].get_x() == before[0]
    assert names[1].get_x() == pytest.approx(before[1] - 0.2)


def test_how_much_those_that_lead_have_is_said_truly():
    one, two, new = (
        Induction(prompt(text), prompt_vocabulary(prompt(text)))
        for text in ("abcab", "!abaca", "abc")
    )
    assert of_each(one) == ("", "")
    assert of_each(two) == ("", " each")
    assert of_each(new) == ("≤ ", " each")


def shares(expected: list[float], output: list[float]) -> TextShares:
    head = head_height(TEXT, 6.0)
    room = Region(-3, -2, 3, 2)
    names = ["BOS", "a", "b"]
    return TextShares(TEXT, names, expected, output, room, high=1.0, heading="x", head=head)


def test_two_that_read_the_same_share_a_number():
    (number,) = shares([0, 0.5, 0.5], [0, 0.49999, 0.49999]).numbers
    assert number.value == 0.49999
    assert number.text.endswith(" each")


def test_an_output_that_the_text_does_not_have_is_wrong_and_outlines_are_what_the_text_has():
    part = shares([0, 0, 1.0], [0, 0.6, 0.4])
    assert part.wrong.tolist() == [False, True, False]
    assert [number.value for number in part.numbers] == [0.6, 0.4]
    assert len(part.outlines) == 1
    assert part.outlines[0].height == pytest.approx(part.bars.area.height)


def test_a_number_of_a_bar_that_falls_short_stands_beside_it():
    part = shares([0, 1.0, 0], [0.6, 0.4, 0])
    number, bar = part.numbers[1], part.bars
    assert number.get_left()[0] > bar.middle(1) + 0.36 * bar.step
    assert number.get_top()[1] < bar.area.bottom + 0.5 * bar.area.height


@pytest.mark.parametrize("region", [WIDE, SQUARE, TALL])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_texts_get_rooms_of_their_own(region: Region, n: int):
    main, others = spread(region, n)
    assert len(others) == n
    assert all(main.width > 1.2 * other.width for other in others) or n == 1
    for a, b in pairwise([main, *others]):
        assert b.left > a.right or b.top < a.bottom


@pytest.mark.parametrize("width", [12.0, 6.4])
def test_what_came_out_is_large_and_stays_on_its_card(width: float):
    region = Region(0, 0, width, 4)
    trials, left = cards(["both", "off", "two", "four"], region)
    assert left.top == region.top
    assert left.bottom > trials[0].region.top
    for words in ("a", "BOS", "a b c", ""):
        number = Number(0.5, ".4f", prefix="logit ", size=20)
        trial = cards(["both", "off", "two", "four"], region)[0][0]
        trial.tell(words, number, CHALK.value)
        box = trial.region
        assert trial.get_left()[0] >= box.left - 1e-6
        assert trial.get_right()[0] <= box.right + 1e-6
        labels = [m for m in trial.get_family() if isinstance(m, Label) and m.text == words]
        assert all(m.em > 1.3 * number.em for m in labels if len(words) < 3)
