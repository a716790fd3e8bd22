"""What the film `transformer_block` draws, held against formulas of its own.

A picture that was given the wrong value is right about that one: `misread` finds nothing. Here a
stage is played, and what stands where is compared with `truths_transformer_block`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from manim import Mobject

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame, Outline
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.ribbon_shape import bands
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.transformer_block.mlp import Veil
from clockhead.scenes.transformer_block.readout import RowLength
from tests.scenes.showing import Meant, framed, same_place, same_table, says, seen, shows
from tests.scenes.showing import watch as watch_film
from tests.scenes.staging import play
from tests.scenes.truths_transformer_block import (
    FILM,
    IN_ALL,
    IN_LAYERS,
    IN_TABLE,
    STATIONS,
    WIDTH,
    WORDS,
    Rows,
    Worked,
    in_layer,
    plain,
    work,
)

BLOCK = work(find_stage("transformer_block.lanes").Inputs())
AXES = {
    **dict.fromkeys(("resid_pre", "tokens"), "T"),
    **{f"lane_{name}": "hT" for name in ("queries", "keys", "values")},
    "lens_shares": "SV",
    "unembedding": "-V",
    "streams": "ST",
    "vocabulary": "V",
    **dict.fromkeys(("budget", "budget_names"), "B"),
    **{f"run.{name}": "V" for name in ("last_logits", "probabilities")},
    **{f"{row}_word.probabilities": "V" for row in ("centred", "normed")},
    "stretched_probabilities": "--V",
    "normed_probabilities": "--V",
}
"""Along which axes of a value there are tokens, T, the words of the logits, V, and stations, S."""
_LAYER = {"scores": "hTT", "patterns": "hTT", "z": "hT", "head_outs": "hT"}
for _layer in ("first", "second"):
    AXES |= {f"{_layer}.{name}": axes for name, axes in _LAYER.items()}
NAMES = {
    "T": BLOCK.tokens,
    "V": WORDS,
    "S": STATIONS,
    "B": ["12 layers", "token table", "all else"],
    "h": [f"head {k}" for k in range(BLOCK.n_heads)],
}


def tables_of(block: Worked) -> dict[str, Any]:
    """The numbers of the film, by their paths."""
    heads, tables = range(block.n_heads), {}
    for k, (name, rows) in enumerate((("first", block.x), ("second", block.first["resid_post"]))):
        layer, found = block.layers[k], (block.first, block.second)[k]
        tables |= {f"{name}.{part}": table for part, table in found.items()}
        tables |= {f"{name}.block.{part}": table for part, table in layer.items()}
        for part in ("queries", "keys", "values"):
            weights = layer[f"w_{part[0]}"]
            tables[f"{name}.{part}"] = [plain.row_times(row, weights) for row in rows]
        tables[f"{name}.scores"] = [
            _scores(*(_cut(tables[f"{name}.{p}"], block, h) for p in ("queries", "keys")))
            for h in heads
        ]
        tables[f"{name}.z"] = [_cut(found["concat"], block, h) for h in heads]
    for part in ("queries", "keys", "values"):
        tables[f"lane_{part}"] = [block.lane(part, head) for head in heads]
    return tables | {
        "resid_pre": block.x,
        "first.head_outs": [block.head_out(head) for head in heads],
        "streams": block.streams,
        "lens_shares": block.lens,
        "unembedding": block.u,
        "row": block.row,
        "normed": block.normed(),
        "run.last_logits": block.logits,
        "run.probabilities": block.probabilities,
        "centred_word.probabilities": block.centred_shares(),
        "normed_word.probabilities": block.normed_shares(),
    }


def _cut(rows: Rows, block: Worked, head: int) -> Rows:
    """The columns of a head."""
    return [[row[c] for c in block.columns(head)] for row in rows]


def _scores(queries: Rows, keys: Rows) -> Rows:
    root = math.sqrt(len(keys[0]))
    dots = [plain.row_times(query, list(zip(*keys, strict=True))) for query in queries]
    return [[dot / root for dot in row] for row in dots]


TABLES = tables_of(BLOCK)


def in_scene(scene: Stage, kind: type[Any]) -> list[Any]:
    """Matrices and bars that can be seen, and have something in them."""
    return [one for one in seen(scene, kind) if kind is not Matrix or one.opened.any()]


def texts(scene: Stage, kind: type[Mobject] = Label) -> list[str]:
    """What labels or formulas say, from the top down and from left to right."""
    found = sorted(seen(scene, kind), key=lambda one: (-round(one.get_y(), 1), one.get_x()))
    return [one.text for one in found]  # type: ignore[attr-defined]


# All of it


def axes_of(path: str, n_axes: int) -> str:
    """What the axes of a value are of: rows of tokens if nothing else is known."""
    known = AXES.get(path)
    if known is None:
        known = "T" if path.startswith(("first.", "second.")) and ".block." not in path else ""
    return known.ljust(n_axes, "-")


def names_of(path: str, axis: int, n_axes: int) -> Sequence[str] | None:
    """What the places along an axis are called, if they have names."""
    return NAMES.get(axes_of(path, n_axes)[axis])


MEANT = Meant(TABLES, names_of)
watch = partial(watch_film, "transformer_block")


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    assert MEANT.never_misplaced(name) == []


def test_nearly_all_that_is_drawn_as_cells_is_compared() -> None:
    seen_at: set[str] = set()

    def look(scene: Stage) -> None:
        seen_at.update(matrix.value.path for matrix in seen(scene, Matrix))

    for name in FILM.names:
        play(find_stage(name), on_play=look)
    assert seen_at - TABLES.keys() == set()


# The tape from shot to shot

ENDS: dict[str, Rows] = {
    "lanes": BLOCK.x,
    "patterns": BLOCK.x,
    "mix": BLOCK.first["resid_mid"],
    "mlp": BLOCK.first["resid_post"],
    "stack": BLOCK.second["resid_post"],
    "readout": BLOCK.second["resid_post"],
    "lens": BLOCK.second["resid_post"],
    "flow": BLOCK.x,
}
STARTS = ENDS | {
    "mix": BLOCK.x,
    "mlp": BLOCK.first["resid_mid"],
    "stack": BLOCK.first["resid_post"],
    "lens": BLOCK.x,
}
"""What the tape shows when a shot begins."""


@pytest.mark.parametrize("name", ENDS)
def test_the_tape_shows_its_station_at_the_start_and_at_the_end(name: str) -> None:
    def tape(scene: Stage) -> tuple[Rows, list[str]]:
        rows = scene.after if name == "stack" and scene.after in scene.mobjects else scene.x
        return rows.table.copy(), [label.text for label in rows.row_labels]

    found = watch(name, tape)
    moments = [moment for several in found.values() for moment in several]
    for (table, words), true in ((moments[0], STARTS[name]), (moments[-1], ENDS[name])):
        assert np.allclose(table, true, atol=1e-9)
        assert words == BLOCK.tokens


# 1. lanes


def shapes(scene: Stage) -> list[str]:
    return [text for text in texts(scene) if re.fullmatch(r"[\d ×()]+", text) and "×" in text]


def test_a_layer_takes_and_gives_one_shape() -> None:
    found = watch("lanes", shapes, text="a b c d", seed=3)
    assert found["give"][-1] == ["4 × 6", "4 × 6"]


@pytest.mark.parametrize("n_heads", [1, 2, 3])
def test_every_head_has_its_columns_in_its_lane_beside_their_sign(n_heads: int) -> None:
    block = work(find_stage("transformer_block.lanes").Inputs(n_heads=n_heads))

    def look(scene: Any) -> tuple[list[Any], list[str], list[str]]:
        cells = [m for m in in_scene(scene, Matrix) if m is not scene.x]
        middles = {id(m): m.lattice.region.center for m in cells}
        cells.sort(key=lambda m: (-round(middles[id(m)][1], 1), middles[id(m)][0]))
        heads = [text for text in texts(scene) if text.startswith("head ")]
        return [m.table.copy() for m in cells], heads, texts(scene, Formula)

    tables, heads, signs = watch("lanes", look, n_heads=n_heads)["part"][-1]
    lanes = [(name, head) for name in ("queries", "keys", "values") for head in range(n_heads)]
    assert len(tables) == len(lanes)
    for table, (name, head) in zip(tables, lanes, strict=True):
        assert same_table(table, block.lane(name, head)), (name, head)
    assert heads == [f"head {k}" for k in range(n_heads)]
    assert [re.sub(r"[^QKV]", "", sign) for sign in signs] == ["Q", "K", "V"]


@pytest.mark.parametrize("n_heads", [2, 3])
def test_the_columns_are_cut_between_the_heads(n_heads: int) -> None:
    def look(scene: Any) -> list[list[float]]:
        rows = zip(*scene.lanes.matrices[0:1], strict=True)
        return [[m.lattice.region.left, m.lattice.region.right] for (m,) in rows if m.placed]

    edges = watch("lanes", look, n_heads=n_heads)["cut"][-1]
    widths = [right - left for left, right in edges]
    gaps = [after[0] - before[1] for before, after in pairwise(edges)]
    assert len(edges) == n_heads
    assert np.allclose(widths, widths[0])
    assert min(gaps) > 0.05


# 2. patterns


@pytest.mark.parametrize("n_heads", [2, 3])
def test_the_shares_that_are_told_are_those_in_the_frames(n_heads: int) -> None:
    block = work(find_stage("transformer_block.patterns").Inputs(n_heads=n_heads))
    found = watch("patterns", _framed_shares, n_heads=n_heads)["compare"]
    ((who, whom),) = {told for told, _ in found if told}
    one_each = [cells for _, cells in found if len(cells) == n_heads]
    ((m, n),) = {(m, n) for cells in one_each for m, n, _ in cells.values()}
    assert (m, n) in block.most_different
    assert [who, whom] == [block.named(m), "itself" if m == n else block.named(n)]
    for head, (*_, share) in one_each[-1].items():
        assert math.isclose(share, block.first["patterns"][head][m][n])


def _framed_shares(scene: Any) -> tuple[tuple[str, ...], dict[int, tuple[int, int, float]]]:
    """Who is told to look at whom, and the single cells in frames, by heads."""
    told = re.match(r"(.+) looks at (.+): ", scene.lines[-1].text)
    found = {}
    for head, square in enumerate(scene.squares):
        cells = framed(scene, square) if square.value.path == "first.patterns" else set()
        if len(cells) == 1:
            ((i, j),) = cells
            found[head] = (i, j, float(square.table[i, j]))
    return told.groups() if told else (), found


# 3. mix


@pytest.mark.parametrize("n_heads", [1, 2, 3])
def test_a_frame_goes_from_the_columns_of_each_head_to_its_rows(n_heads: int) -> None:
    width = WIDTH // n_heads

    def look(scene: Any) -> list[tuple[str, int]]:
        frames = [frame.region for frame in seen(scene, CellFrame)]
        places = {
            (name, k): board.block(*((0, k, BLOCK.n, width) if name else (k, 0, width, WIDTH)))
            for name, board in (("columns", scene.joined), ("", scene.weights))
            for k in range(0, WIDTH, width)
        }
        return [at for at, place in places.items() if any(same_place(place, f) for f in frames)]

    found = [one for (one,) in filter(None, watch("mix", look, n_heads=n_heads)["come"])]
    assert found == [at for k in range(0, WIDTH, width) for at in (("columns", k), ("", k))]


@pytest.mark.parametrize("n_heads", [2, 3])
def test_the_joined_columns_lie_under_the_names_of_their_heads(n_heads: int) -> None:
    def look(scene: Any) -> list[int]:
        labels = [one for one in seen(scene, Label) if re.fullmatch(r"head \d", one.text)]
        labels.sort(key=lambda one: int(one.text[-1]))
        lattice = scene.joined.lattice
        over = [one for one in labels if one.middle[1] > lattice.region.top]
        return [int(lattice.at(one.middle)[1]) * n_heads // WIDTH for one in over]

    assert watch("mix", look, n_heads=n_heads)["join"][-1] == list(range(n_heads))


def veiled(scene: Stage, matrix: Matrix) -> set[tuple[int, int]]:
    """The cells of a matrix that are dimmed."""
    boxes = []
    for veil in seen(scene, Veil):
        if veil.get_fill_opacity() > 0.5 and len(veil.points):
            corners = veil.points.reshape(-1, 16, 3)[..., :2]
            boxes += list(zip(corners.min(axis=1), corners.max(axis=1), strict=True))
    lattice = matrix.lattice
    cells = [(i, j) for i in range(lattice.n_rows) for j in range(lattice.n_columns)]
    middles = {cell: lattice.block(*cell).center[:2] for cell in cells}
    return {
        cell
        for cell, at in middles.items()
        if any(((low < at) & (at < high)).all() for low, high in boxes)
    }


# 4. mlp


def test_the_last_row_alone_is_lit_until_the_others_go_through() -> None:
    found = watch("mlp", lambda scene: {i for i, _ in veiled(scene, scene.x)})
    others = set(range(BLOCK.last))
    assert found["widen"][-1] == found["cut"][-1] == found["narrow"][-1] == others
    assert found["others"][-1] == found["end"][-1] == set()


@pytest.mark.parametrize("inputs", [{}, {"text": "a b a", "seed": 5, "d_ff": 6}])
def test_the_numbers_that_survive_are_framed_and_counted(inputs: dict[str, Any]) -> None:
    block = work(find_stage("transformer_block.mlp").Inputs(**inputs))
    pre = block.first["pre"][-1]
    kept = {(block.last, j) for j, x in enumerate(pre) if x > 0}
    found = watch("mlp", lambda scene: (framed(scene, scene.inner), scene.lines[-1].text), **inputs)
    cells = [cells for cells, _ in found["cut"] if cells]
    assert cells
    assert all(one == kept for one in cells)
    assert block.survivors(block.last) == [len(kept)]


def test_a_row_runs_through_the_mlp_as_it_is_and_then_the_others_do() -> None:
    def look(scene: Any) -> list[Any]:
        boards = scene.x, scene.inner, scene.out
        return [(one.table.copy(), one.opened.min(axis=1).tolist()) for one in boards]

    found, hero, every = watch("mlp", look), [0.0] * BLOCK.last + [1.0], [1.0] * BLOCK.n
    for beat, board, name, there in (
        ("widen", 0, "resid_mid", every),
        ("widen", 1, "pre", hero),
        ("cut", 1, "act", hero),
        ("narrow", 2, "mlp_out", hero),
        ("others", 1, "act", every),
        ("others", 2, "mlp_out", every),
        ("add", 0, "resid_post", every),
    ):
        table, opened = found[beat][-1][board]
        assert np.allclose(table, BLOCK.first[name], atol=1e-9), (beat, name)
        assert opened == there, (beat, name)


def test_the_row_that_comes_to_u_is_the_last() -> None:
    readout = watch("readout", lambda scene: scene.standing.state.copy())["read"][-1]
    assert same_table(readout, BLOCK.row)


# 5. stack


def figures(scene: Stage) -> list[str]:
    found = sorted(seen(scene, Figure), key=lambda one: one.number.get_x())
    return [one.number.text for one in found]


def test_what_layers_cost_is_written_under_attention_and_under_the_mlp() -> None:
    found = watch("stack", figures)
    attention, mlp = 4 * WIDTH**2, in_layer(BLOCK) - 4 * WIDTH**2
    assert found["weigh"][-1] == [str(attention), str(mlp)]
    assert found["rule"][-1] == ["4 d²", "8 d²"]


def test_the_bars_of_the_budget_are_beside_their_words() -> None:
    def look(scene: Any) -> list[tuple[str, str]]:
        y, names = scene.chart.y, NAMES["B"]
        numbers = [f.number for f in seen(scene, Figure) if f.number.get_fill_opacity() > 0.5]
        words = [one for one in seen(scene, Label) if one.text in names]
        slots = {round(float(y.read(one.middle[1]))): one.text for one in words}
        return [(slots[round(float(y.read(n.get_y())))], n.text) for n in numbers if slots]

    found, layers = watch("stack", look), ("12 layers", f"{IN_LAYERS / 1e6:.1f}")
    assert found["layers"][-1] == [layers]
    table, rest = (f"{n / 1e6:.1f}" for n in (IN_TABLE, IN_ALL - IN_LAYERS - IN_TABLE))
    assert found["tokens"][-1] == [layers, ("token table", table)]
    assert sorted(found["all in all"][-1]) == [layers, ("all else", rest), ("token table", table)]


def test_the_shapes_of_the_second_layer() -> None:
    found = watch("stack", shapes, text="a b c d", seed=3, n_heads=3, d_ff=5)
    assert "3 × 4 × 4" in {text for several in found["attend"] for text in several}
    assert "4 × 5" in {text for several in found["widen"] for text in several}
    every = {text for beats in found.values() for several in beats for text in several}
    assert every == {"4 × 6", "4 × 5", "3 × 4 × 4", "6 × 6", "6 × 5", "5 × 6"}


def test_every_matrix_of_a_layer_has_its_sign_and_its_shape() -> None:
    def look(scene: Any) -> list[tuple[str, ...]]:
        shapes = [one for one in seen(scene, Label) if re.fullmatch(r"[\dd]+ × [\dd]+", one.text)]
        found = []
        for rect in scene.areas.rects if len(scene.areas.rects[-1].points) else ():
            low, high = rect.points.min(axis=0)[:2], rect.points.max(axis=0)[:2]
            inside = [
                one.text
                for one in (*seen(scene, Formula), *shapes)
                if ((low < one.get_center()[:2]) & (one.get_center()[:2] < high)).all()
            ]
            found.append(tuple(inside))
        return found

    found = watch("stack", look)
    signs = ["$W_Q$", "$W_K$", "$W_V$", "$W_O$", "$W_1$", "$W_2$"]
    for beat, square, wide, high in (
        ("weigh", "6 × 6", "6 × 8", "8 × 6"),
        ("rule", "d × d", "d × 4d", "4d × d"),
    ):
        shapes = [square] * 4 + [wide, high]
        assert found[beat][-1] == list(zip(signs, shapes, strict=True)), beat


# 6. readout


def test_the_bars_are_logits_then_shares_and_then_those_of_the_normed_row() -> None:
    found = watch("readout", lambda scene: scene.bars.state.copy())
    assert np.allclose(found["read"][-1], BLOCK.logits)
    assert np.allclose(found["soften"][-1], BLOCK.probabilities)
    assert any(np.allclose(one, BLOCK.stretched(2.0)) for one in found["stretch"])
    assert np.allclose(found["stretch"][-1], BLOCK.stretched(0.5))
    assert np.allclose(found["centre"][-1], BLOCK.centred_shares())
    for beat in ("norm", "end"):
        assert np.allclose(found[beat][-1], BLOCK.normed_shares(), atol=1e-3)
    ranks = [np.argsort(shares).tolist() for shares in found["norm"]]
    assert all(rank == ranks[0] for rank in ranks)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_the_bar_of_the_leader_alone_is_not_faint(seed: int | None) -> None:
    block = work(find_stage("transformer_block.readout").Inputs(seed=seed))

    def look(scene: Any) -> list[int]:
        bright = str(scene.theme.token).upper()
        return [k for k, color in enumerate(scene.bars._colors) if color.upper() == bright]

    found = watch("readout", look, seed=seed)
    assert [WORDS[k] for k in found["soften"][-1]] == block.leaders
    shares = block.normed_shares()
    assert found["end"][-1] == [shares.index(max(shares))]


def test_a_length_is_that_of_the_row_under_it() -> None:
    def look(scene: Any) -> list[tuple[str, float]]:
        there = {id(one) for one in seen(scene, RowLength)}
        profiles = [one for one in (scene.profile, scene.normed) if id(one.length) in there]
        return [(one.length.number.text, math.hypot(*one.bars.state)) for one in profiles]

    found = watch("readout", look)
    for several in found.values():
        for profiles in several:
            for text, length in profiles:
                assert says(text.split()[1], length), text
    (row, _), (normed, length) = found["norm"][-1]
    assert row.startswith("row: ")
    assert says(row.split()[1], math.hypot(*BLOCK.row))
    assert normed.startswith("LayerNorm: ")
    assert math.isclose(length, math.sqrt(WIDTH), abs_tol=1e-3)


def test_the_norm_takes_off_the_mean_and_then_sets_the_length() -> None:
    def look(scene: Any) -> tuple[Any, float | None]:
        rules = [float(rule.state) for rule in seen(scene, Rule)]
        return scene.normed.bars.state.copy(), rules[0] if rules else None

    found, mean = watch("readout", look), sum(BLOCK.row) / WIDTH
    assert any(
        rule is not None and np.isclose(rule, mean) and np.allclose(row, BLOCK.row)
        for row, rule in found["centre"]
    )
    assert np.allclose(found["centre"][-1][0], np.array(BLOCK.row) - mean)
    assert np.isclose(found["centre"][-1][1], 0.0)
    assert np.allclose(found["norm"][-1][0], BLOCK.normed())


def bar_numbers(scene: Stage) -> dict[int, str]:
    """The numbers at bars, by the slot over which they stand."""
    (bars,) = [bars for bars in seen(scene, Bars) if len(bars.state) == len(WORDS)]
    found = {}
    for number in (figure.number for figure in bars.numbers):
        if number.get_fill_opacity() > 0.5:
            found[round(float(bars.chart.x.read(number.get_x())))] = number.text
    return found


def test_the_numbers_over_bars_are_those_of_their_words() -> None:
    found = watch("readout", lambda scene: bar_numbers(scene) if seen(scene, Bars) else {})
    for beat, true in (("read", BLOCK.logits), ("soften", BLOCK.probabilities)):
        numbers = found[beat][-1]
        assert numbers
        assert all(says(text, true[slot]) for slot, text in numbers.items()), numbers
    assert WORDS.index(BLOCK.leaders[0]) in found["soften"][-1]


# 7. lens


def test_tape_bars_and_frame_are_at_one_station_at_every_step() -> None:
    def look(scene: Any) -> tuple[int, Any, Any] | None:
        rows = [i for i in range(len(STATIONS)) if _frames_row(scene, scene.grid, i)]
        return (rows[0], scene.x.table.copy(), scene.bars.state.copy()) if rows else None

    found = watch("lens", look)
    steps = [step for beat in ("read", "walk", "end") for step in found[beat] if step]
    assert {k for k, *_ in steps} == set(range(len(STATIONS)))
    for k, tape, bars in steps:
        assert np.allclose(tape, BLOCK.streams[k], atol=1e-9)
        assert np.allclose(bars, BLOCK.lens[k], atol=1e-9)


def _frames_row(scene: Stage, matrix: Matrix, i: int) -> bool:
    row = matrix.row(i)
    return any(same_place(frame.region, row) for frame in seen(scene, CellFrame))


def test_the_leaders_are_outlined_and_only_they() -> None:
    def look(scene: Any) -> set[tuple[int, int]]:
        found = set()
        for outline in seen(scene, Outline):
            corners = outline.path.points.reshape(-1, 16, 3)
            middles = (corners.min(axis=1) + corners.max(axis=1)) / 2
            found |= {scene.grid.lattice.nearest(middle) for middle in middles}
        return found

    assert watch("lens", look)["lead"][-1] == {
        (k, WORDS.index(word)) for k, word in enumerate(BLOCK.lens_leaders) if word
    }


def test_every_bar_stands_over_the_column_of_its_word() -> None:
    def look(scene: Any) -> tuple[list[float], list[float]]:
        slots = range(len(WORDS))
        columns = [float(scene.grid.column(k).center[0]) for k in slots]
        return [float(scene.chart.x.at(k)) for k in slots], columns

    bars, columns = watch("lens", look)["walk"][-1]
    assert np.allclose(bars, columns, atol=1e-3)


# 8. flow


def test_the_flow_shows_both_layers_in_their_order_and_what_comes_out() -> None:
    def look(scene: Any) -> tuple[list[Any], list[Any]]:
        tall = [m for m in in_scene(scene, Matrix) if np.shape(m.table) == (BLOCK.n, WIDTH)]
        tall.sort(key=lambda m: m.lattice.region.left if scene.layers else 0.0)
        return tall, seen(scene, Bars)

    tapes, bars = watch("flow", look)["end"][-1]
    assert len(tapes) >= len(STATIONS)
    for rows in BLOCK.streams:
        assert any(shows(tape, rows) for tape in tapes)
    assert np.allclose(bars[0].state, BLOCK.probabilities)


def test_the_number_at_the_way_out_is_that_of_the_word_that_comes_out() -> None:
    def look(scene: Any) -> list[tuple[int, str]]:
        numbers = [figure.number for figure in scene.bars.numbers]
        y = scene.bars.chart.y
        return [(round(float(y.read(one.get_y()))), one.text) for one in numbers]

    ((slot, text),) = watch("flow", look)["end"][-1]
    assert [WORDS[slot]] == BLOCK.leaders
    assert says(text, max(BLOCK.probabilities))


def test_ribbons_are_as_broad_as_the_shares_of_their_heads() -> None:
    def look(scene: Any) -> list[list[tuple[Any, float]]]:
        return [
            [(ribbons.shown.array, breadth / ribbons.ends.unit) for path in ribbons.rows
             for *_, breadth in bands(path.points)]
            for ribbons in seen(scene, Ribbons)
        ]  # fmt: skip

    found = watch("flow", look)["end"][-1]
    shares = [p for one in (BLOCK.first, BLOCK.second) for p in one["patterns"]]
    assert len(found) == len(shares)
    for ribbons, pattern in zip(found, shares, strict=True):
        true = sorted(x for m, row in enumerate(pattern) for x in row[: m + 1])
        assert np.allclose(ribbons[0][0], pattern)
        assert np.allclose(sorted(width for _, width in ribbons), true, atol=2e-2)


def test_the_shapes_in_the_flow() -> None:
    given = {"text": "a b c d", "seed": 3, "n_heads": 3, "d_ff": 5}
    found = watch("flow", shapes, **given)["end"][-1]
    assert set(found) == {"4 × 6", "3 × 4 × 4", "4 × 5"}
    assert found.count("3 × 4 × 4") == found.count("4 × 5") == 2


@pytest.mark.parametrize("aspect", ["16:9", "4:3", "1:1", "9:16"])
def test_the_names_of_three_heads_stand_apart_over_their_columns(aspect: str) -> None:
    mix, checker = find_stage("transformer_block.mix"), LayoutChecker()
    inputs = mix.Inputs(text="one two three one two", seed=0, n_heads=3)
    play(mix, mix.shot(inputs), aspect=aspect, on_play=checker)
    assert checker.problems == []


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
def test_the_sign_of_w_o_stands_clear_of_its_cells(aspect: str) -> None:
    scene: Any = play(find_stage("transformer_block.mix"), aspect=aspect)
    assert scene.sign.get_right()[0] < scene.weights.lattice.region.left - 0.1


@pytest.mark.parametrize(
    ("name", "beat"), [("lens", "lead"), ("readout", "soften"), ("readout", "norm")]
)
@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
def test_shares_in_sentences_stand_so_in_the_picture(name: str, beat: str, aspect: str) -> None:
    last: dict[str, tuple[str, set[str]]] = {}

    def look(scene: Any) -> None:
        if scene.beats and scene.lines:
            texts = {one.text for one in seen(scene, Label)}
            last[scene.beats[-1].name] = scene.lines[-1].text, texts

    play(find_stage(f"transformer_block.{name}"), aspect=aspect, on_play=look)
    sentence, texts = last[beat]
    shares = re.findall(r"[\d.]+%", sentence)
    assert shares
    assert set(shares) <= texts
