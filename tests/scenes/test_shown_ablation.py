"""What the film `ablation` draws, held against formulas of its own.

A picture that was given the wrong value is right about that one: `misread` finds nothing. Here
every stage is played once; what stands where at the end of each play is kept, and compared with
`truths_ablation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.ablation.heads import HeadCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.ribbon_shape import bands
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label, Tick
from tests.scenes.showing import Meant, same_place, same_table, says, seen
from tests.scenes.staging import play
from tests.scenes.truths_ablation import (
    FILM,
    WORDS,
    Exchange,
    Head,
    Heads,
    by_chance,
    exchange_of,
    heads_of,
    leaders,
    many_agree,
)

SILENCE, ONE_BY_ONE, ISOLATION, LOOKS = FILM.names
FIRST: Head = (0, 0)
"""The head that is switched off first."""


def heads_in(name: str) -> Heads:
    """The heads that a stage is about, unless it is told otherwise."""
    return heads_of(find_stage(name).Inputs())


HEADS, SEEN = heads_in(ONE_BY_ONE), heads_in(LOOKS)
EXCHANGE: Exchange = exchange_of(find_stage(ISOLATION).Inputs())


# What all values are


def tables_of(heads: Heads) -> dict[str, Any]:
    """The numbers of the stages about heads, by their paths."""
    h, found = heads.n_heads, heads.found
    each = {name: rows[1:-1].reshape(2, h, *rows.shape[1:]) for name, rows in found.items()}
    blends, first = heads.with_all_on("blends")[0], heads.layers[0]["w_o"]
    silent = first.copy()
    silent[: heads.d_head] = 0.0
    return {
        "patterns": heads.patterns,
        "silenced_patterns": each["patterns"],
        "off_patterns": heads.patterns_in(-1),
        "first.concat": blends,
        "first.block.w_o": first,
        "first.attn_out": heads.with_all_on("written")[0],
        "first_silenced.block.w_o": silent,
        "first_silenced.attn_out": found["written"][1][0],
    }


def tables_of_exchange(one: Exchange) -> dict[str, Any]:
    """The numbers of the stage about two texts."""
    on, off = one.after(on=True), one.after(on=False)
    return {
        "before.patterns": one.heads.patterns,
        "after.patterns": on["patterns"],
        "alone_before.resids": one.before(on=False),
        "before.run.resids": one.before(on=True),
        "alone_after.resids": off["streams"],
        "after.run.resids": on["streams"],
        "moves_alone": one.moves(on=False),
        "moves": one.moves(on=True),
    }


def tables_of_many(heads: Heads) -> dict[str, Any]:
    """In which of many models the busiest head moves most, forty models to a column."""
    agree = many_agree(tuple(heads.tokens), heads.n_heads).astype(float)
    ordered = np.sort(agree)[::-1]
    return {
        "agrees_in_columns": agree.reshape(-1, 40).T,
        "agrees_first": ordered.reshape(-1, 40).T,
    }


AXES = {
    "tokens": "T",
    "patterns": "--TT",
    "off_patterns": "--TT",
    "silenced_patterns": "----TT",
    "before.patterns": "--TT",
    "after.patterns": "--TT",
    "vocabulary": "V",
    "run.probabilities": "V",
    "off.probabilities": "V",
    "silenced_probabilities": "--V",
    "kept_probabilities": "--V",
    "kept_off": "V",
    **dict.fromkeys(("busy_row", "kept_row", "even_row"), "T"),
}
"""Along which axes of a value there are tokens, T, or the words that may come next, V."""


def names_in(heads: Heads) -> Callable[[str, int, int], Sequence[str] | None]:
    names: dict[str, Sequence[str]] = {"T": heads.tokens, "V": WORDS}
    return lambda path, axis, n_axes: names.get(AXES.get(path, "").ljust(n_axes, "-")[axis])


MEANT = {
    SILENCE: Meant(tables_of(HEADS), names_in(HEADS)),
    ONE_BY_ONE: Meant(tables_of(HEADS), names_in(HEADS)),
    ISOLATION: Meant(tables_of_exchange(EXCHANGE), names_in(EXCHANGE.heads)),
    LOOKS: Meant(tables_of(SEEN) | tables_of_many(SEEN), names_in(SEEN)),
}


# What is seen


@dataclass
class Moment:
    """What stands in a picture at the end of a play."""

    beat: str
    misplaced: list[str]
    paths: set[str]
    """Of the values that are drawn as cells."""
    words: list[str]
    """On the tiles, from left to right."""
    boxes: dict[Head, Region] = field(default_factory=dict)
    """The cards, by what is written on them."""
    off: tuple[Head, ...] = ()
    patterns: dict[Head, Any] = field(default_factory=dict)
    results: dict[Head, str] = field(default_factory=dict)
    framed: set[Head] = field(default_factory=set)
    more: Any = None


def area_of(mobject: Mobject) -> Region:
    """The edges of all points of something."""
    points = np.concatenate([m.points for m in mobject.get_family() if len(m.points)])
    (left, bottom, _), (right, top, _) = points.min(axis=0), points.max(axis=0)
    return Region(float(left), float(bottom), float(right), float(top))


def inside(point: Any, region: Region) -> bool:
    x, y = float(point[0]), float(point[1])
    return region.left < x < region.right and region.bottom < y < region.top


def head_on(scene: Stage, card: HeadCard) -> Head:
    """The head whose card it is, by the words on it."""
    box = area_of(card.box)
    (title,) = [one for one in seen(scene, Label) if inside(one.middle, box) and "head" in one.text]
    layer, head = title.text.removeprefix("layer ").split(", head ")
    return int(layer), int(head)


def look_at(name: str, scene: Any) -> Moment:
    frames = [frame.region for frame in seen(scene, CellFrame) if len(frame.points)]
    matrices = [one for one in seen(scene, Matrix) if one.placed and one.opened.any()]
    moment = Moment(
        scene.beats[-1].name.replace(" ", "_") if scene.beats else "opening",
        list(MEANT[name].misplaced(scene)),
        {matrix.value.path for matrix in matrices},
        words_on_tiles(scene),
        more=MORE.get(name, lambda _: None)(scene),
    )
    off = []
    for card in seen(scene, HeadCard):
        if not (is_visible(card.box) and is_visible(card.title)):
            continue
        head, box = head_on(scene, card), area_of(card.box)
        moment.boxes[head] = box
        if card.switch and card.switch.reads < 0.5:
            off.append(head)
        for matrix in matrices:
            if matrix in card.submobjects and inside(matrix.lattice.region.center, box):
                moment.patterns[head] = matrix.table.copy()
        for label in seen(scene, Label):
            if "%" in label.text and inside(label.middle, box):
                moment.results[head] = label.text
        if any(same_place(frame, box) for frame in frames):
            moment.framed.add(head)
    moment.off = tuple(sorted(off))
    return moment


def words_on_tiles(scene: Stage) -> list[str]:
    tiles = [tile for strip in seen(scene, Strip) for tile in strip.tiles if is_visible(tile.label)]
    return [tile.label.text for tile in sorted(tiles, key=lambda tile: tile.middle[0])]


@cache
def film(name: str) -> list[Moment]:
    """A stage, played once."""
    found: list[Moment] = []
    play(find_stage(name), on_play=lambda scene: found.append(look_at(name, scene)))
    return found


def during(name: str, *beats: str) -> list[Moment]:
    return [moment for moment in film(name) if moment.beat in beats]


def at_end_of(name: str, beat: str) -> Moment:
    return during(name, beat)[-1]


# All of it


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    assert {f"{moment.beat}: {one}" for moment in film(name) for one in moment.misplaced} == set()


@pytest.mark.parametrize("name", FILM.names)
def test_all_that_is_drawn_as_cells_is_compared(name: str) -> None:
    paths = {path for moment in film(name) for path in moment.paths}
    assert paths
    assert paths <= MEANT[name].tables.keys()


@pytest.mark.parametrize("name", [SILENCE, ONE_BY_ONE, LOOKS])
def test_on_every_card_is_the_pattern_of_its_head_with_these_heads_off(name: str) -> None:
    heads = heads_in(name)
    for moment in film(name):
        assert moment.boxes.keys() in ({*heads.heads}, set())
        true = heads.patterns_in(heads.trial(moment.off))
        for head, pattern in moment.patterns.items():
            assert same_table(pattern, true[head]), (moment.beat, moment.off, head)
    assert film(name)[0].patterns.keys() == {*heads.heads}


@pytest.mark.parametrize("name", [SILENCE, ONE_BY_ONE, LOOKS])
def test_cards_stand_in_rows_of_layers(name: str) -> None:
    boxes = film(name)[0].boxes
    for layer, head in boxes:
        assert np.isclose(boxes[layer, head].bottom, boxes[layer, 0].bottom)
        assert np.isclose(boxes[layer, head].left, boxes[0, head].left)
    across = [boxes[0, head].left for head in range(heads_in(name).n_heads)]
    assert across == sorted(across)


# 1. silence


def test_the_answer_is_the_word_that_comes_out() -> None:
    assert film(SILENCE)[0].words == [*HEADS.tokens, "?"]
    assert at_end_of(SILENCE, "read").words == [*HEADS.tokens, *leaders(HEADS.shares)]
    assert leaders(HEADS.shares_off) != leaders(HEADS.shares)


def test_every_head_is_switched_off_in_turn_and_then_the_first_one() -> None:
    offs = [moment.off for moment in during(SILENCE, "name")]
    assert list(dict.fromkeys(offs)) == [(), *((head,) for head in HEADS.heads)]
    assert offs[-1] == ()
    assert at_end_of(SILENCE, "write").off == ()
    assert at_end_of(SILENCE, "silence").off == (FIRST,)


# 2. one_by_one


def see_bars(scene: Any) -> dict[str, Any]:
    """How high the bars are and the numbers over them, by their slots, once they are there."""
    if scene.after not in scene.mobjects:
        return {}
    figures = [figure.number for figure in scene.after.numbers if is_visible(figure.number)]
    bright = str(scene.theme.value).upper()
    return {
        **{name: getattr(scene, name).state.copy() for name in ("before", "kept", "after")},
        "total": scene.total.number.text if scene.total in scene.mobjects else "",
        "order": [scene.mobjects.index(bars) for bars in (scene.before, scene.after, scene.kept)],
        "numbers": {round(float(scene.chart.x.read(one.get_x()))): one.text for one in figures},
        "lit": [k for k, color in enumerate(scene.kept._colors) if color.upper() == bright],
    }


def bars_of(*beats: str) -> Iterator[tuple[Moment, dict[str, Any], Any]]:
    """The bars, and the shares with the heads off that are."""
    for moment in during(ONE_BY_ONE, *beats):
        if moment.more:
            yield moment, moment.more, HEADS.found["shares"][HEADS.trial(moment.off)]


ALL_BEATS = ("start", "first", "others", "most", "all_off", "end")


def test_bars_are_the_shares_with_these_heads_off_before_those_with_all_on() -> None:
    found = list(bars_of(*ALL_BEATS))
    assert {moment.off for moment, *_ in found} >= {(), *((h,) for h in HEADS.heads)}
    for moment, bars, shares in found:
        where = moment.beat, moment.off
        assert np.allclose(bars["after"], shares, atol=1e-9), where
        assert np.allclose(bars["before"], HEADS.shares, atol=1e-9)
        assert np.allclose(bars["kept"], np.minimum(shares, HEADS.shares), atol=1e-9), where
        assert bars["order"] == sorted(bars["order"])


def test_the_word_that_comes_out_with_all_heads_on_is_lit_and_has_its_share() -> None:
    usual = int(HEADS.shares.argmax())
    for moment, bars, shares in bars_of(*ALL_BEATS[1:]):
        assert bars["numbers"].keys() == {usual}, moment.beat
        assert says(bars["numbers"][usual], shares[usual]), (moment.beat, moment.off)
        assert bars["lit"] == [usual]


def test_every_head_is_off_in_turn_and_then_the_strongest_and_then_all() -> None:
    assert at_end_of(ONE_BY_ONE, "first").off == (FIRST,)
    offs = [moment.off for moment in during(ONE_BY_ONE, "others") if moment.off]
    assert list(dict.fromkeys(offs))[-len(HEADS.heads) + 1 :] == [(h,) for h in HEADS.heads[1:]]
    assert at_end_of(ONE_BY_ONE, "most").off == (HEADS.strongest[0],)
    assert at_end_of(ONE_BY_ONE, "all_off").off == tuple(HEADS.heads)


def test_the_strongest_head_is_framed_and_no_other() -> None:
    assert at_end_of(ONE_BY_ONE, "most").framed == set(HEADS.strongest)
    assert len(HEADS.strongest) == 1


def test_what_is_written_on_a_card_is_the_effect_of_its_head() -> None:
    for moment in film(ONE_BY_ONE):
        for head, text in moment.results.items():
            assert says(text, HEADS.effects[head]), (moment.beat, head)
    assert at_end_of(ONE_BY_ONE, "first").results.keys() == {FIRST}
    assert at_end_of(ONE_BY_ONE, "others").results.keys() == {*HEADS.heads}


# 3. isolation


def see_ribbons(scene: Any) -> list[Any]:
    """What the ribbons between the rows show, from the foot up."""
    return [np.array(one.state) for one in seen(scene, Ribbons)]


def threads_leave(scene: Any) -> set[int]:
    """The places of the words that threads leave, by the nearest tile."""
    tiles = np.array([tile.middle[0] for tile in scene.tiles.tiles])
    rows = [row for ribbons in seen(scene, Ribbons) for row in ribbons.rows]
    starts = [start[0] for row in rows for start, *_ in bands(row.points)]
    return {int(np.abs(tiles - x).argmin()) for x in starts}


def test_threads_leave_the_word_that_the_sentence_names_and_no_other() -> None:
    stage, found = find_stage(ISOLATION), list[set[int]]()
    play(stage, on_play=lambda scene: found.append(threads_leave(scene)))
    assert set().union(*found) == {EXCHANGE.place}


def test_ribbons_are_shares_of_the_text_on_the_tiles() -> None:
    on = EXCHANGE.after(on=True)["patterns"]
    for beat, patterns in (("switch_on", EXCHANGE.heads.patterns), ("exchange_on", on)):
        found = at_end_of(ISOLATION, beat).more
        assert len(found) == len(EXCHANGE.heads.heads)
        for ribbons, head in zip(found, EXCHANGE.heads.heads, strict=True):
            assert same_table(ribbons, patterns[head]), (beat, head)
    assert at_end_of(ISOLATION, "exchange_alone").more == []


# 4. looks


def see_looks(scene: Any) -> dict[str, Any]:
    """Bars of a row, dots, patterns and frames and where they are in the chart, many models."""
    patterns = [one for one in squares(scene) if one is not scene.models]
    return {
        "row": see_row(scene),
        "dots": see_dots(scene, scene.dots) if scene.dots in scene.mobjects else [],
        "told": see_told(scene) if scene.numbers in scene.mobjects else {},
        "at": [(at_point(scene, one.lattice.region), one.table.copy()) for one in patterns],
        "framed": [
            at_point(scene, one.region) for one in seen(scene, CellFrame) if len(one.points)
        ],
        "rows": framed_rows(scene),
        "models": see_models(scene) if scene.models in scene.mobjects else {},
    }


def squares(scene: Stage) -> list[Matrix]:
    """The patterns that can be seen."""
    return [one for one in seen(scene, Matrix) if one.placed and one.opened.any()]


def at_point(scene: Any, region: Region) -> tuple[float, float]:
    """Where the middle of a region is in the chart."""
    x, y, *_ = region.center
    return float(scene.chart.x.read(x)), float(scene.chart.y.read(y))


def see_row(scene: Any) -> list[Any]:
    """How high the bars over tokens are, those behind and those in front."""
    there = scene.get_mobject_family_members()
    return [one.state.copy() for one in (scene.moving, scene.kept) if one in there]


def see_dots(scene: Any, dots: Any) -> list[tuple[float, float]]:
    """Where dots are in the chart, each of as many points."""
    each = len(scene.dots.path.points) // len(SEEN.heads)
    points = dots.path.points.reshape(-1, each, 3)
    middles = (points.min(axis=1) + points.max(axis=1)) / 2
    return [(float(scene.chart.x.read(x)), float(scene.chart.y.read(y))) for x, y, _ in middles]


def see_told(scene: Any) -> dict[str, tuple[float, float]]:
    """What is written at dots, and where these dots are."""
    texts = [one.text for one in seen(scene, Label) if one in scene.numbers.get_family()]
    return dict(zip(texts, see_dots(scene, scene.numbers), strict=True))


def framed_rows(scene: Stage) -> list[tuple[Any, int]]:
    """The patterns of which a row is framed, and which one."""
    frames = [one.region for one in seen(scene, CellFrame) if len(one.points)]
    return [
        (matrix.table.copy(), i)
        for matrix in squares(scene)
        for i in range(matrix.n_rows)
        if any(same_place(frame, matrix.row(i)) for frame in frames)
    ]


def see_models(scene: Any) -> dict[str, Any]:
    """Which cells are lit, column by column, where all of them end, and the line for chance."""
    models, axis = scene.models, scene.count.x
    (line,) = seen(scene, Rule) or [None]
    return {
        "lit": (models.table * models.opened).T.ravel(),
        "ends": [
            float(axis.read(x))
            for x in (models.cell(0, 0).left, models.column(models.n_columns - 1).right)
        ],
        "counted": [tick.text for tick in seen(scene, Tick) if tick in axis.ticks.submobjects],
        "chance": line and float(axis.read(line.line.points[:, 0].mean())),
        "texts": [one.text for one in seen(scene, Label) if line and one in line.get_family()],
    }


def test_the_row_that_becomes_even_is_the_last_one_of_the_busiest_head() -> None:
    moments = [moment.more for moment in during(LOOKS, "busy")]
    busiest = SEEN.heads[int(SEEN.looks.argmax())]
    bars = [moment["row"] for moment in moments if len(moment["row"]) == 2]
    row = SEEN.patterns[busiest][-1]
    assert same_table(bars[0][0], row)
    assert same_table(bars[-1][0], np.full(SEEN.n, 1 / SEEN.n))
    assert all(same_table(front, np.minimum(row, 1 / SEEN.n)) for _, front in bars)
    framed = [one for moment in moments for one in moment["rows"]]
    assert framed
    for table, row in framed:
        assert same_table(table, SEEN.patterns[busiest])
        assert row == SEEN.last


def test_bars_beside_a_framed_row_are_those_of_that_row() -> None:
    moments = [moment.more for moment in during(LOOKS, "average")][1:]
    for moment in moments:
        ((table, row),) = moment["rows"]
        (bars,) = moment["row"]
        assert same_table(bars, table[row])
    rows = [row for moment in moments for _, row in moment["rows"]]
    assert list(dict.fromkeys(rows)) == [*range(SEEN.last - 1, 0, -1)]


def test_on_every_card_is_how_busy_its_head_looks() -> None:
    results = [moment.results for moment in during(LOOKS, "average", "rise") if moment.results]
    assert results[0].keys() == {*SEEN.heads}
    for found in results:
        assert all(says(text, SEEN.looks[head]) for head, text in found.items())


def point_of(head: Head) -> tuple[float, float]:
    return float(SEEN.looks[head]), float(SEEN.effects[head])


def test_every_dot_is_at_how_busy_its_head_looks_and_what_it_changes() -> None:
    found = [moment.more["dots"] for moment in during(LOOKS, "rise") if moment.more["dots"]]
    assert found
    for dots in found:
        assert np.allclose(dots, [point_of(head) for head in SEEN.heads], atol=1e-4)


def test_the_pattern_that_becomes_a_dot_is_that_of_its_head() -> None:
    met = set()
    for moment in during(LOOKS, "rise"):
        for point, table in moment.more["at"]:
            near = [head for head in SEEN.heads if np.allclose(point, point_of(head), atol=1e-3)]
            assert not near or any(same_table(table, SEEN.patterns[head]) for head in near)
            met.update(near)
    assert met == {*SEEN.heads}


def test_the_busier_of_the_pair_is_framed_and_then_the_duller_one() -> None:
    assert SEEN.pair is not None
    steps = []
    for moment in during(LOOKS, "rise"):
        points = [point for point in moment.more["framed"] if point[0] >= 0 and point[1] >= 0]
        near = [
            head
            for head in SEEN.heads
            if any(np.allclose(point, point_of(head), atol=1e-4) for point in points)
        ]
        steps += [near] if near not in ([], *steps[-1:]) else []
        assert moment.framed in (set(), set(SEEN.pair))
    assert steps == [[SEEN.pair[0]], sorted(SEEN.pair)]
    assert at_end_of(LOOKS, "rise").framed == set(SEEN.pair)


def test_the_heads_of_the_pair_go_off_in_turn_and_at_their_dots_is_what_that_moves() -> None:
    assert SEEN.pair is not None
    moments = during(LOOKS, "rise")
    assert list(dict.fromkeys(m.off for m in moments if m.off)) == [(h,) for h in SEEN.pair]
    told = moments[-1].more["told"]
    assert len(told) == len(SEEN.pair)
    for text, point in told.items():
        head = next(h for h in SEEN.pair if np.allclose(point, point_of(h), atol=1e-4))
        assert says(text, SEEN.effects[head])


def test_what_moves_with_all_heads_off_is_written_once_they_are() -> None:
    texts = [moment.more["total"] for moment in during(ONE_BY_ONE, *ALL_BEATS) if moment.more]
    assert set(texts) == {"", texts[-1]}
    assert says(texts[-1].removeprefix("all off: "), HEADS.off_effect)


def test_so_many_models_are_lit_as_agree_and_a_line_is_what_chance_would_give() -> None:
    agree = many_agree(tuple(SEEN.tokens), SEEN.n_heads)
    found = [moment.more["models"] for moment in during(LOOKS, "many") if moment.more["models"]]
    assert same_table(found[-1]["lit"], agree)
    last = at_end_of(LOOKS, "against_chance").more["models"]
    counted = sorted(int(text.replace(",", "")) for text in last["counted"])
    assert counted == [agree.sum(), len(agree)]
    assert same_table(last["lit"], np.arange(len(agree)) < agree.sum())
    assert np.allclose(last["ends"], [0, len(agree)], atol=1e-6)
    mean = by_chance(SEEN)
    assert np.isclose(last["chance"], mean, atol=1e-3)
    assert says(last["texts"][0].removeprefix("by chance: "), mean)


MORE: dict[str, Callable[[Any], Any]] = {
    ONE_BY_ONE: see_bars,
    ISOLATION: see_ribbons,
    LOOKS: see_looks,
}
