"""What the film `attention` draws, held against formulas of its own, where pictures cannot see it.

A picture that was given the wrong value, or words in another order, is right about those: `misread`
finds nothing. Here a stage is played, and what stands where is compared with `truths_attention`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from clockhead.scenes.attention.share_bar import ShareBar
from clockhead.scenes.attention.tally import Tally
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.knob import Knob
from clockhead.scenes.parts.product_sum import PairSum
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from tests.scenes.showing import (
    Meant,
    drawn_rows,
    framed,
    numbers_in,
    says,
    seen,
    slot_words,
)
from tests.scenes.showing import watch as watch_film
from tests.scenes.staging import play
from tests.scenes.truths_attention import (
    FILM,
    Heated,
    TwoTexts,
    Worked,
    shares_of,
    work,
)

HEAD = work(find_stage("attention.scores").Inputs())
TOKENS = HEAD.tokens
TOPIC_TOKENS, NEXT = ["the", "field", "mouse"], ["squeaks", "eats", "clicks", "scrolls"]
_BY_TOKEN = (
    "tokens resid_pre queries keys values z resid_post weighted_values last_weights raised powers "
    "most_looked_at"
)
_BY_TOKENS = "dots scores pattern"
_WIDTHS = "widths_named spread.roots spread.shapes spread.largest_shares"
NAMES: dict[str, list[Sequence[str] | None]] = {
    **{path: [TOKENS, None] for path in _BY_TOKEN.split()},
    **{path: [TOKENS, TOKENS] for path in _BY_TOKENS.split()},
    **{path: [[f"d = {5 * k}" for k in (1, 4, 16, 64)], None] for path in _WIDTHS.split()},
    "spread.divided_largest_shares": [[f"d = {5 * k}" for k in (1, 4, 16, 64)]],
    **{f"first.{path}": [TOPIC_TOKENS] for path in ("scores", "raised", "weights")},
    **{f"{path}.probabilities": [NEXT] for path in ("alone", "first.next", "other.next")},
    "places": [["field", "computer", "mouse"], ["nature", "technology"]],
    **{f"walk.{path}_draws.shares": [NEXT] for path in ("first", "second", "final")},
    "walk.logits": [NEXT],
    "walk.probabilities": [None, NEXT],
    "walk.way_probabilities": [None, None, NEXT],
    "even": [[f"d = {5 * k}" for k in (1, 4, 16, 64)]],
}
"""What the places along each axis of a value are called; of the next words, along the last one."""


def tables_of(head: Worked) -> dict[str, Any]:
    """The numbers of a head, by the paths of the film."""
    return {
        "resid_pre": head.x,
        "queries": head.queries,
        "keys": head.keys,
        "values": head.values,
        "w_q": head.w_q,
        "w_k": head.w_k,
        "w_v": head.w_v,
        "dots": head.dots,
        "scores": head.scores,
        "pattern": head.pattern,
        "last_weights": head.pattern[-1],
        "weighted_values": [
            [p * float(x) for x in row]
            for p, row in zip(head.pattern[-1], head.values, strict=True)
        ],
        "z": head.blend,
        "resid_post": head.post,
    }


TABLES = tables_of(HEAD)
TABLES["places"] = [[1, 0], [0, 1], [0.5, 0.5]]


def names_of(path: str, axis: int, n_axes: int) -> Sequence[str] | None:
    """What the places along an axis are called, if they have names."""
    known = NAMES.get(path)
    return known[axis] if known is not None and axis < len(known) else None


MEANT = Meant(TABLES, names_of)
watch = partial(watch_film, "attention")


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    found = MEANT.never_misplaced(name)
    along = "words at spread.dots"  # these dots lie along the line of their word
    assert [one for one in found if not one.endswith(along)] == []


# What single shots show


def sums(scene: Stage) -> list[list[str]]:
    """The numbers of the sums of pairs that can be seen, in the order in which they are read."""
    return [[one.text for one in numbers_in(line)] for line in seen(scene, PairSum)]


def is_sum(texts: list[str], row: Sequence[Any], column: Sequence[Any]) -> bool:
    """Whether these are the pairs of two vectors and what they add up to; 0 may be left out."""
    pairs = [(float(a), float(b)) for a, b in zip(row, column, strict=True)]
    total = sum(a * b for a, b in pairs)
    every = [x for pair in pairs for x in pair]
    some = [x for pair in pairs if pair[0] * pair[1] != 0 for x in pair]
    return any(
        len(texts) == len(numbers) + 1 and all(map(says, texts, [*numbers, total]))
        for numbers in (every, some)
    )


def test_project_works_the_entry_of_the_last_token_out_of_its_own_products() -> None:
    j = HEAD.entry_column
    column = [row[j] for row in HEAD.w_q]
    (texts,) = watch("project", sums)["entry"][-1]
    assert is_sum(texts, HEAD.x[-1], column)


def test_scores_writes_out_the_product_with_the_key_that_it_names() -> None:
    (texts,) = watch("scores", sums)["dot"][-1]
    assert is_sum(texts, HEAD.queries[-1], HEAD.keys[0])


@pytest.mark.parametrize("text", ["the cat sat", "sat the cat", "cat sat the sat"])
def test_scores_frames_the_keys_that_fit_best(text: str) -> None:
    head = work(find_stage("attention.scores").Inputs(text=text))
    grids = watch("scores", lambda scene: framed(scene, scene.grid), text=text)  # type: ignore[attr-defined]
    assert grids["row"][-1] == {(head.last, n) for n in head.best_keys}


def test_scale_divides_the_dot_product_that_it_frames() -> None:
    def look(scene: Any) -> tuple[list[str], set[tuple[int, int]]]:
        lines = [line for line in seen(scene, Equation) if numbers_in(line)]
        return [one.text for line in lines for one in numbers_in(line)], framed(scene, scene.grid)

    found = watch("scale", look)
    numbers, frames = next(one for one in reversed(found["here"]) if one[1])
    ((i, j),) = frames
    true = [float(HEAD.dots[i][j]), 5.0, HEAD.scores[i][j]]
    assert len(numbers) == 3
    assert all(map(says, numbers, true))


def softmaxed(scene: Any) -> tuple[list[tuple[str, float, str]], list[str]]:
    """From the top down: a word, how far the bar beside it reaches, its number; the formula's."""
    (bars,) = seen(scene, Bars) or [None]
    if bars is None:
        return [], []
    words = slot_words(scene, bars)
    corners = np.concatenate([path.points.reshape(-1, 16, 3) for path in bars.paths])
    axis = bars.chart.y
    slots = np.rint(axis.read(corners[..., 1].mean(axis=1))).astype(int).tolist()
    reach = bars.chart.x.read(corners[..., 0].min(axis=1))  # one of the two is 0
    reach = reach + bars.chart.x.read(corners[..., 0].max(axis=1))
    ends = dict(zip(slots, reach.tolist(), strict=True))
    figures = [figure.number for figure in bars.numbers if is_visible(figure.number)]
    texts = {round(float(axis.read(one.get_center()[1]))): one.text for one in figures}
    rows = [(words[k], ends[k], texts.get(k, "")) for k in sorted(ends)]
    return rows, [n.text for line in seen(scene, Equation) for n in numbers_in(line)]


def is_beside_its_word(rows: list[tuple[str, float, str]], head: Worked, table: Any) -> bool:
    """Whether a bar and a number for each token are what a table says."""
    true = [word for word, *_ in rows] == head.tokens
    spread = max(map(abs, table))
    ends = all(abs(end - x) < 1e-3 * spread for (_, end, _), x in zip(rows, table, strict=True))
    return true and ends and all(says(text, x) for (*_, text), x in zip(rows, table, strict=True))


def test_softmax_raises_the_score_of_each_word_and_divides_by_their_sum() -> None:
    found = watch("softmax", softmaxed)
    scores = HEAD.scores[-1]
    raised = [math.exp(x) for x in scores]
    first, *_, then = (one for one in found["raise"] if one[0] and one[0][0][2])
    assert is_beside_its_word(first[0], HEAD, scores)
    assert is_beside_its_word(then[0], HEAD, raised)
    divided, (total,) = watch("softmax", shared)["divide"][-1]
    assert [word for word, *_ in divided] == TOKENS
    for (_, text, length), share in zip(divided, shares_of(scores), strict=True):
        assert says(text, share)
        assert abs(length - share) < 0.02
    assert says(total, sum(raised))


def shared(scene: Any) -> tuple[list[tuple[str, str, float]], list[str]]:
    """Of shares in one bar a word, a percent, and how long it is; and the formula's numbers."""
    (bar,) = seen(scene, ShareBar) or [None]
    if bar is None:
        return [], []
    lengths = [path.width / bar.region.width for path in bar.paths]
    texts = [figure.number.text for figure in bar.figures]
    words = [name.text for name in bar.names] or [text.split()[0] for text in texts]
    told = [
        (word, text.split()[-1], n) for word, text, n in zip(words, texts, lengths, strict=True)
    ]
    return told, [n.text for line in seen(scene, Equation) for n in numbers_in(line)]


@pytest.mark.parametrize("stage", ["ask", "hand_over", "change"])
def test_shares_of_attention_stand_at_their_words_whichever_topic_it_is(stage: str) -> None:
    def look(scene: Any) -> list[tuple[list[tuple[str, str, float]], list[str]]]:
        return [(shared(scene)[0], list(scene.tiles.shown.content))] if shared(scene)[0] else []

    both = TwoTexts(find_stage(f"attention.{stage}").Inputs())
    for moments in watch(stage, look).values():
        for told, tokens in (one for moment in moments for one in moment):
            assert [word for word, *_ in told] == tokens
            for (_, text, length), share in zip(told, both.first.weights, strict=True):
                assert says(text, share)
                assert abs(length - share) < 0.02


def test_the_arrow_of_the_last_word_goes_where_the_values_take_it() -> None:
    def look(scene: Any) -> tuple[float, ...]:
        return scene.plane.coordinates_of(scene.noun.head.points[0])  # type: ignore[no-any-return]

    both = TwoTexts(find_stage("attention.change").Inputs())
    found = watch("change", look)
    assert np.allclose(watch("hand_over", look)["move"][-1], both.first.after, atol=1e-6)
    assert np.allclose(found["change"][-1], both.other.after, atol=1e-6)
    assert np.allclose(found["without"][-1], (0.5, 0.5), atol=1e-6)


def test_softmax_takes_the_largest_score_off_where_it_says_so() -> None:
    rows = ((3.0, 1.0), (1.0, 3.0), (3.5, 2.0))
    one = ((1.0, 0.0), (0.0, 1.0))
    inputs = {"text": "a b c", "embedding": rows, "w_q": one, "w_k": one, "w_v": one}
    head = work(find_stage("attention.softmax").Inputs(**inputs))
    found, numbers = watch("softmax", softmaxed, **inputs)["raise"][-1]
    most = max(head.scores[-1])
    assert is_beside_its_word(found, head, [math.exp(x - most) for x in head.scores[-1]])
    assert len(numbers) == 1
    assert says(numbers[0], most)


def test_blend_adds_to_the_row_what_was_taken() -> None:
    scene: Any = play(find_stage("attention.blend"))
    last = HEAD.last
    for row, true in ((scene.own, HEAD.x), (scene.alone, HEAD.blend), (scene.new, HEAD.post)):
        assert all(map(says, drawn_rows(row)[0], true[last]))


def test_blend_writes_out_the_sum_of_the_column_that_it_frames() -> None:
    def look(scene: Any) -> tuple[list[list[str]], int]:
        return sums(scene), scene.line.spot[1]

    texts, j = next(one for one in watch("blend", look)["mix"] if one[0])
    column = [row[j] for row in HEAD.values]
    (numbers,) = texts
    assert len(numbers) == 2 * HEAD.n + 1
    assert all(map(says, numbers[:-1:2], HEAD.pattern[-1]))
    assert all(map(says, numbers[1:-1:2], column))
    assert says(numbers[-1], HEAD.blend[-1][j])


def pour_box(scene: Any) -> tuple[Region, Region] | None:
    """Where what has poured lies, and the row of the matrix that it pours into."""
    if not hasattr(scene, "pour") or scene.pour not in scene.mobjects:
        return None
    paths = [path for path in scene.pour.family_members_with_points() if is_visible(path)]
    points = np.concatenate([path.points for path in paths])
    low, high = points.min(axis=0), points.max(axis=0)
    box = Region(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return box, scene.blend.row(HEAD.last)


def test_blend_pours_the_values_into_the_row_of_the_last_token() -> None:
    poured = watch("blend", pour_box)["shrink"][-1]
    assert poured is not None
    box, row = poured
    assert np.allclose([box.bottom, box.top], [row.bottom, row.top], atol=0.03)
    assert np.allclose([box.left, box.right], [row.left, row.right], atol=0.03)


def test_blend_takes_the_last_rows_blend_into_that_row() -> None:
    rows = watch("blend", lambda scene: drawn_rows(scene.blend))["mix"][-1]  # type: ignore[attr-defined]
    assert [bool("".join(row)) for row in rows] == [False, False, True]
    assert all(map(says, rows[2], HEAD.blend[2]))


def heated(scene: Any) -> tuple[float, list[float]] | None:
    """Where the knob points, and how far the bars reach."""
    knobs, bars = (seen(scene, kind) for kind in (Knob, Bars))
    if not (knobs and bars):
        return None
    heat = knobs[0].read(knobs[0].pointer.points[-1])
    ends = sorted(((round(float(at)), end) for at, end in _ends(bars[0])), key=lambda one: one[0])
    return heat, [end for _, end in ends]


def _ends(bars: Bars) -> Iterator[tuple[float, float]]:
    """The slot and the end of every bar as it is drawn."""
    along, across = bars._axes
    i, j = (0, 1) if bars._horizontal else (1, 0)
    for path in bars.paths:
        for corners in path.points.reshape(-1, 16, 3):
            yield float(across.read(corners[:, j].mean())), float(along.read(corners[:, i].max()))


def test_bars_are_what_the_knob_says() -> None:
    found = watch("temperature", heated)
    moments = [one for several in found.values() for one in several if one is not None]
    assert len({round(heat, 3) for heat, _ in moments}) == 3
    logits = Heated(find_stage("attention.temperature").Inputs()).logits
    for heat, ends in moments:
        shares = shares_of([x / heat for x in logits])
        assert len(ends) == len(shares)
        assert np.allclose(ends, shares, atol=4e-3)


def test_as_many_dots_lie_on_each_word_as_it_was_drawn() -> None:
    def look(scene: Stage) -> list[dict[str, int]]:
        found = []
        for tally in seen(scene, Tally):
            across, axis = tally._axes[1], 1 if tally._axes[1] is tally.chart.y else 0
            dots = tally.path.points.reshape(-1, 32, 3)
            middles = (dots.min(axis=1) + dots.max(axis=1)) / 2
            slots = np.rint(across.read(middles[:, axis])).astype(int).tolist()
            found.append({NEXT[k]: slots.count(k) for k in slots})
        return found

    told = Heated(find_stage("attention.temperature").Inputs())
    for beat, heat in zip(("drawn", "drawn again", "back"), told.temperatures, strict=True):
        moments = [one for several in watch("temperature", look)[beat] for one in several if one]
        drawn = told.drawn(heat)
        assert moments[0] == {word: drawn.count(word) for word in set(drawn)}


# The film as it comes

SHIPPED = {
    "guess": {"first.topic_weight": 0.707936},
    "hand_over": {"key_change": 0.0, "first.next.greedy_share": 0.684063},
    "project": {"entry_column": 0},
    "scores": {"n_dots": 9},
    "scale": {"divisor": 2.23607},
    "softmax": {"most_weight": 0.417875},
    "temperature": {"walk.first.greedy_share": 0.684063},
}
"""What the film as it comes is about; its storyboard expects only what holds for every text."""


@pytest.mark.parametrize("name", SHIPPED)
def test_the_film_as_it_comes_shows_these_numbers(name: str) -> None:
    stage = find_stage(f"attention.{name}")
    inputs = stage.Inputs()
    facts = stage.facts_of(inputs, stage.compute(inputs))
    assert {path: facts[path] for path in SHIPPED[name]} == pytest.approx(SHIPPED[name], abs=2e-5)
