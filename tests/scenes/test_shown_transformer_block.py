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

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.style.text import Formula, Label
from tests.scenes.showing import Meant, framed, same_place, same_table, seen
from tests.scenes.showing import watch as watch_film
from tests.scenes.staging import play
from tests.scenes.truths_transformer_block import (
    FILM,
    STATIONS,
    WIDTH,
    WORDS,
    Rows,
    Worked,
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


MEANT = Meant(TABLES, names_of, is_whole=True)
watch = partial(watch_film, "transformer_block")


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    assert MEANT.never_misplaced(name) == []


# The tape from shot to shot


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


# 4. mlp


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


# 5. stack


def test_the_shapes_of_the_second_layer() -> None:
    found = watch("stack", shapes, text="a b c d", seed=3, n_heads=3, d_ff=5)
    assert "3 × 4 × 4" in {text for several in found["attend"] for text in several}
    assert "4 × 5" in {text for several in found["widen"] for text in several}
    every = {text for beats in found.values() for several in beats for text in several}
    assert every == {"4 × 6", "4 × 5", "3 × 4 × 4", "6 × 6", "6 × 5", "5 × 6"}


# 6. readout


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


# 8. flow


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
