"""What the film `transformer_block` draws, held against formulas of its own.

A picture that was given the wrong value is right about that one: `misread` finds nothing. Here a
stage is played, and what stands where is compared with `truths_transformer_block`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import pytest

from clockhead.scenes.stage import find_stage
from clockhead.scenes.stage.layout_check import LayoutChecker
from clockhead.scenes.style.text import Label
from tests.scenes.showing import Meant, seen
from tests.scenes.staging import play
from tests.scenes.truths_transformer_block import (
    FILM,
    STATIONS,
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


@pytest.mark.parametrize("name", FILM.names)
def test_every_word_stands_at_what_is_its_own_and_every_number_is_true(name: str) -> None:
    assert MEANT.never_misplaced(name) == []


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
