"""What the film `kv_cache` draws, and what it frames while its sentences speak of frames."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from manim import ManimColor
from numpy.testing import assert_allclose

from clockhead.scenes.kv_cache.again import WITH, WITHOUT, Again
from clockhead.scenes.kv_cache.memory import Memory
from clockhead.scenes.kv_cache.once import Once
from clockhead.scenes.kv_cache.prefill import Prefill
from clockhead.scenes.kv_cache.shared import Shared
from clockhead.scenes.kv_cache.words import NAME
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import theme
from tests.scenes.showing import seen
from tests.scenes.staging import play
from tests.scenes.truths_kv_cache import (
    DEEPSEEK_V3,
    GB,
    LLAMA_405B,
    twice_as_long,
)


@pytest.mark.parametrize("n_prompt", [6, 24])
def test_the_prompt_is_framed_as_long_as_that_is_said(n_prompt: int) -> None:
    assert frames_at_the_end("prefill", "prompt", "at once", n_prompt=n_prompt) == [1, 0]


def test_old_words_are_framed_as_long_as_that_is_said() -> None:
    assert frames_at_the_end("again", "spared", "doubled") == [2, 0]


def frames_at_the_end(name: str, *beats: str, **inputs: Any) -> list[int]:
    """How many frames there are at the ends of beats."""
    stage, found = find_stage(f"kv_cache.{name}"), dict[str, int]()

    def look(scene: Any) -> None:
        if scene.beats:
            frames = [frame for frame in seen(scene, CellFrame) if len(frame.points)]
            found[scene.beats[-1].name] = len(frames)

    play(stage, stage.shot(stage.Inputs(**inputs)), on_play=look)
    return [found[beat] for beat in beats]


def inputs_of(stage: type[Stage], **given: Any) -> Any:
    return stage.Inputs(**given)


def test_models_that_are_published() -> None:
    """Meta counts 405 billion weights, GPT-3's paper 175; DeepSeek keeps 576 numbers a layer."""
    llama = Memory.compute(inputs_of(Memory, **LLAMA_405B))
    assert llama.parameters.total == 405_853_388_800
    assert llama.sizes.bytes_per_token == 126 * 2 * 8 * 128 * 2
    gpt_3 = {"n_layers": 96, "n_heads": 96, "d_ff": 49_152, "n_vocab": 50_257, "context": 2048}
    gpt_3 |= {"n_mlp_matrices": 2}
    assert round(Memory.compute(inputs_of(Memory, **gpt_3)).parameters.total, -9) == 175 * GB
    latent = Shared.compute(inputs_of(Shared, **DEEPSEEK_V3)).caches.latent
    assert latent.bytes_per_token == 61 * 576 * 2


def played(stage: type[Stage], **given: Any) -> Any:
    return play(stage, stage.shot(inputs_of(stage, **given)))


@pytest.mark.parametrize(("n_tokens", "n_prompt"), [(24, 1), (7, 3)])
def test_what_is_called_without_a_cache_computes_all_again(n_tokens: int, n_prompt: int) -> None:
    scene = played(Again, n_tokens=n_tokens, n_prompt=n_prompt)
    ways = (scene.recomputed, scene.name, WITHOUT), (scene.cached, scene.card, WITH)
    assert (WITHOUT, WITH) == ("No cache", "The KV cache")
    for side, label, name in ways:
        assert label.text == name
        assert_allclose(label.middle[0], side.lattice.region.center[0], atol=1e-6)
        rows = [min(n_tokens - row, n_tokens - n_prompt + 1) for row in range(n_tokens)]
        times = np.tril(np.array(rows)[:, None] * np.ones(n_tokens))
        assert_allclose(side.table, times if name == WITHOUT else np.tri(n_tokens))
        assert_allclose(side.opened, np.tri(n_tokens))
    assert_allclose(scene.bars.state, [sum(way) for way in twice_as_long(scene.inputs)])
    assert [label.text for label in scene.chart.x.labels] == [WITHOUT, WITH]
    for k, n in enumerate(range(n_prompt, n_tokens + 1)):
        framed = (0, n), (n - 1 if k else 0, n)
        for side, (first, last) in zip(scene.sides, framed, strict=True):
            block = side.block(first, 0, last - first, last)
            assert_allclose(astuple(side.regions()[k]), astuple(block), atol=1e-6)


@pytest.mark.parametrize(("n_tokens", "n_prompt"), [(24, 6), (5, 4), (4, 1)])
def test_keys_and_values_lie_level_with_the_rows_of_their_words(
    n_tokens: int, n_prompt: int
) -> None:
    scene = played(Prefill, n_tokens=n_tokens, n_prompt=n_prompt)
    lattice = scene.cached.lattice
    assert [scene.way.text, scene.other.text, scene.no_mask.text] == [
        "step by step",
        "all at once",
        "without a mask",
    ]
    tray, *kept = scene.shelf
    assert scene.card.text == "The KV cache"
    for rows, word in zip(kept[::2], kept[1::2], strict=True):
        assert word.text == ("keys" if rows is scene.stack else "values")
        assert_allclose(rows.lattice.middles[:, 0, 1], lattice.middles[:, 0, 1], atol=1e-6)
        assert tray.get_left()[0] < rows.get_left()[0] < rows.get_right()[0] < tray.get_right()[0]
    assert tray.get_left()[0] < scene.card.middle[0] < tray.get_right()[0]
    assert_allclose(lattice.cell_height, scene.full.lattice.cell_height)
    assert_allclose(lattice.region.width, scene.full.lattice.region.width)
    assert_allclose(
        astuple(scene.unmasked.lattice.region), astuple(scene.full.lattice.region), atol=1e-6
    )


def test_a_query_is_counted_once_and_keys_and_values_are_counted_on() -> None:
    scene = played(Once, text="a b a b c")
    counts = [[number.text for number in column._numbers.seen()] for column in scene.vectors[1:]]
    assert counts == [["5", "4", "3", "2", "1"]] * 2
    assert_allclose(scene.vectors[0].table, np.ones((5, 1)))
    heads = [column.column_labels[0] for column in scene.vectors]
    assert [head.text for head in heads] == ["query", "key", "value"]
    for column, head in zip(scene.vectors, heads, strict=True):
        assert head.get_fill_color() == ManimColor(theme().text_color(head.text))
        assert column.ramp.positive == getattr(theme(), head.text)


@pytest.mark.parametrize(
    "text", ["the cat sat on the mat", "a b a b c", "abcdefghij b c d e f g h"]
)
def test_the_film_ends_with_its_words_and_what_is_kept_of_each(text: str) -> None:
    scene = played(Shared, text=text)
    tiles, (query, *kept) = scene.words.tiles, scene.words.vectors
    assert [label.text for label in labels(tiles) if label.text] == text.split()
    assert tiles in scene.mobjects
    assert query not in scene.mobjects
    for column, name in zip(kept, ("key", "value"), strict=True):
        assert column in scene.mobjects
        assert [label.text for label in column.column_labels] == [name]
        levels = [tiles.middle(k)[1] for k in range(len(text.split()))]
        assert_allclose(column.lattice.middles[:, 0, 1], levels, atol=1e-6)
    assert NAME in {label.text for label in labels(scene.words.card)}


def test_what_is_kept_is_named_and_weighed() -> None:
    scene = played(Shared, n_heads=12, n_groups=4, d_head=64, latent_width=100)
    assert [label.text for label in scene.chart.x.labels] == ["own", "GQA", "MQA", "MLA"]
    assert scene.kept.text == "their keys and values"
    words = [label.text for label in labels(scene.width)]
    assert words == ["one vector of 100", ", a key of 64"]
    scene = played(Shared, n_heads=31, rope_width=0)
    assert [label.text for label in scene.chart.x.labels] == ["own", "MQA", "MLA"]
    assert [label.text for label in labels(scene.width)] == ["one vector of 512 numbers"]
    scene = played(Memory)
    assert [label.text for label in scene.chart.x.labels] == ["cache", "weights", "+ 3 caches"]
    assert scene.limit.figure.number.text == "memory: 80 GB"
    assert_allclose(scene.cache.state, [17.179869], rtol=1e-6)
    assert_allclose(scene.stacks.state.sum(axis=1), [17.179869, 13.476831, 65.016439], rtol=1e-6)


def labels(picture: Any) -> list[Label]:
    return [piece for piece in picture.get_family() if isinstance(piece, Label)]
