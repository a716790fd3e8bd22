"""Charts that face each other, products written out, and the race of their sums."""

import numpy as np
import pytest

from model.caesar import ENGLISH
from model.cryptogram import Cryptogram
from scenes.parts.charts.facing_bars import FacingBars
from scenes.parts.charts.letter_bars import LetterBars
from scenes.parts.charts.product_sum import ProductSum
from scenes.parts.charts.score_race import ScoreRace
from scenes.style.layout import Region
from scenes.style.motion import in_turn

SOLVED = Cryptogram("meet me at the old oak tree at noon", 3)
REGIONS = [Region(-6.0, -2.5, 6.0, 2.5), Region(-3.0, -1.5, 3.0, 1.5), Region(-3.0, -3.0, 3.0, 3.0)]


def heights(bars: LetterBars) -> np.ndarray:
    return np.array([np.ptp(bar.points[:, 1]) for bar in bars.bars])


@pytest.mark.parametrize("region", REGIONS)
def test_both_charts_are_to_one_scale(region: Region):
    charts = FacingBars(SOLVED.histogram, ENGLISH, region)
    assert charts.enlarged is None
    assert charts.upper.unit == pytest.approx(-charts.lower.unit)
    assert heights(charts.upper).sum() / heights(charts.lower).sum() == pytest.approx(
        SOLVED.histogram.sum() / ENGLISH.sum()
    )


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize(
    ("counted", "said"),
    [(np.eye(26)[4], ["ciphertext", "English enlarged"]), (np.full(26, 0.02), None)],
)
def test_a_chart_that_is_enlarged_says_so(
    region: Region, counted: np.ndarray, said: list[str] | None
):
    charts = FacingBars(counted, ENGLISH, region)
    words = [" ".join(label.text for label in h).replace(",", "") for h in charts.headings]
    assert words == (said or ["ciphertext enlarged", "English"])
    assert heights(charts.upper).max() == pytest.approx(heights(charts.lower).max())


@pytest.mark.parametrize("by", [0, 3, 25])
def test_the_outline_laid_over_is_the_template_to_the_scale_of_the_counts(by: int):
    charts = FacingBars(SOLVED.histogram, ENGLISH, REGIONS[0])
    charts.lay_over().interpolate_mobject(1.0)
    charts.turn(by)
    tips = {
        round((charts.outline.tip(k)[0] - charts.upper.middle(0)) / charts.upper.step): k
        for k in range(26)
    }
    tall = np.array([charts.outline.tip(tips[column])[1] for column in range(26)])
    assert (tall - charts.upper.zero) / charts.upper.unit == pytest.approx(SOLVED.templates[by])
    assert charts.counter.value == by


def test_products_and_the_rest_are_what_is_added():
    products = SOLVED.products[0]
    rows = [("a", 0.1, 0.2, products[0]), ("e", 0.2, 0.3, products[4])]
    rest, total = float(np.delete(products, [0, 4]).sum()), float(products.sum())
    table = ProductSum(rows, rest, total, REGIONS[1], names=("others", "sum"), roles=("key", "key"))
    assert sum(n.value for n in table.products) == pytest.approx(table.total.value)
    for line, number in zip(table.lines, table.products, strict=True):
        assert line.submobjects[-1] is number
        assert set(line.submobjects[:-1]) <= set(table.around.submobjects)
    assert len({round(number.get_right()[0], 1) for number in table.products}) == 1
    assert len(table.lines) == len(rows) + 1


def test_the_first_bar_is_stacked_from_its_terms():
    scores, terms = SOLVED.dot_products, [0.25, 0.75]
    race = ScoreRace(scores, REGIONS[1], heading="score", spec=".4f")
    numbers = [
        race.bars.number(k, share * float(scores[0]), ".4f") for k, share in enumerate(terms)
    ]
    race.show(-1.0)
    assert heights(race.bars).max() == 0
    stack = race.stack(numbers, run_time=1.0)
    stack.interpolate_mobject(0.55)
    assert race.bars.values[0] == pytest.approx(terms[0] * scores[0])
    stack.interpolate_mobject(1.0)
    assert race.bars.values[0] == scores[0]
    assert not race.bars.values[1:].any()
    assert [number.get_fill_opacity() for number in numbers] == [0, 0]


def test_the_race_lights_the_leader_and_ends_with_every_score():
    scores = SOLVED.dot_products
    race = ScoreRace(scores, REGIONS[1], heading="score", spec=".4f")
    for at in (0, 2, 10, 25):
        assert race.show(at) == at
        fills = [bar.get_fill_color() for bar in race.bars.bars]
        leader = int(scores[: at + 1].argmax())
        assert [k for k, fill in enumerate(fills) if fills.count(fill) == 1] == [leader]
    assert race.bars.values == pytest.approx(scores)
    assert race.best[1].value == SOLVED.found
    assert race.runner_up[-1].value == SOLVED.ranking[1]


@pytest.mark.parametrize("n", [1, 2, 30])
def test_those_that_go_in_turn_all_arrive_and_never_turn_back(n: int):
    shares = np.array([in_turn(t, n, 0.2) for t in np.linspace(0, 1, 101)])
    assert not shares[0].any()
    assert (shares[-1] == 1).all()
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (np.diff(shares, axis=1) <= 0).all()
