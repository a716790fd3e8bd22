"""Short texts: their parts, and inputs of one's own."""

import pytest

from model.cryptogram import Cryptogram
from scenes.parts.charts.method_chart import MethodChart
from scenes.parts.charts.misread import Misread
from scenes.parts.readout import Readout, on_one_line
from scenes.stage import find_stage
from scenes.stage.layout_check import LayoutChecker
from scenes.style.layout import Region
from scenes.style.theme import theme
from tests.scenes.staging import play

REGION = Region(-6.0, -2.0, 6.0, 2.4)

OTHER_INPUTS = [
    ("caesar.how_much_text", {"short_text": "mmmmmmmm", "learned_length": 4, "length": 8}),
    ("caesar.how_much_text", {"short_text": "f", "short_rotation": 0, "length": 32}),
    ("caesar.how_much_text", {"short_text": "q j x", "learned_length": 16}),
]


LOOKS = [("chalk", "16:9"), ("paper", "1:1"), ("chalk", "9:16")]


@pytest.mark.parametrize(
    ("place", "name", "given"), [(k, *case) for k, case in enumerate(OTHER_INPUTS)]
)
def test_other_inputs_are_laid_out_and_keep_their_claims(
    place: int, name: str, given: dict[str, object]
):
    stage = find_stage(name)
    inputs = stage.Inputs(**given)
    assert [c for c in stage.checks(stage.compute(inputs)) if not c.holds] == []
    theme, aspect = LOOKS[place % len(LOOKS)]
    checker = LayoutChecker()
    scene = play(stage, stage.shot(inputs, theme=theme), aspect=aspect, on_play=checker)
    assert checker.problems == []
    assert scene.lines[-1].frame / 15 <= 25


def test_a_short_text_that_is_read_right_is_refused():
    stage = find_stage("caesar.how_much_text")
    claims = stage.checks(stage.compute(stage.Inputs(short_text="to be")))
    assert [c.says for c in claims if not c.holds] == ["the short message is misread"]


def test_the_list_of_methods_is_in_the_order_of_their_shares():
    shares = [[0.2, 0.4, 1.0], [0.1, 0.9, 0.9]]
    colors = [(theme().value, theme().value)] * 2
    chart = MethodChart(
        [4, 8, 16], shares, ["low", "high"], colors, REGION, mark=8, x_name="x", y_name="y"
    )
    assert chart.lines[1].get_top()[1] > chart.lines[0].get_top()[1]
    assert [line[1].value for line in chart.lines] == [0.4, 0.9]


def test_readouts_side_by_side_stand_on_one_line():
    corners = [cell.point(0, 1) for cell in REGION.columns(1, 1)]
    pair = [Readout(m, 1.0, "", c, width=5) for m, c in zip(("all", "one"), corners, strict=True)]
    on_one_line(pair)
    for part in ("meaning", "number"):
        levels = [
            getattr(readout, part).submobjects or [getattr(readout, part)] for readout in pair
        ]
        assert levels[0][0].anchor[1] == pytest.approx(levels[1][0].anchor[1])


@pytest.mark.parametrize("text", ["f", "d", "q j x"])
def test_scores_of_rotations_side_by_side_do_not_meet(text: str):
    picture = Misread(Cryptogram(text, 0), REGION)
    apart = picture.found.get_left()[0] > picture.true.get_right()[0]
    apart |= picture.found.get_right()[0] < picture.true.get_left()[0]
    assert apart or picture.true.get_bottom()[1] > picture.found.get_top()[1]
