"""Every sentence of the film `kv_cache` is so, for legal inputs of all kinds; its labels are too.

What is asserted is held against formulas written once more: `model` gives random weights only.
"""

from __future__ import annotations

import math
import re
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import pytest
from manim import ManimColor
from numpy.testing import assert_allclose

from clockhead.model.films.kv_cache.prefill import CacheTrial
from clockhead.scenes.kv_cache.again import WITH, WITHOUT, Again
from clockhead.scenes.kv_cache.memory import Memory
from clockhead.scenes.kv_cache.once import Once
from clockhead.scenes.kv_cache.prefill import Prefill
from clockhead.scenes.kv_cache.shared import Shared
from clockhead.scenes.kv_cache.words import NAME
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import theme
from tests.scenes.legal import drawn_inputs, said
from tests.scenes.old_telling import Check, FilmTruths, Inputs, nothing_to_check, those_taken
from tests.scenes.staging import play

GB = 10**9
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPELLED = {word: n for n, word in enumerate((*_SMALL, "eleven"))}


# Formulas of the film, written once more


def steps_of(inputs: Inputs) -> tuple[list[int], list[int]]:
    """Dot products in each step, without a cache and with one, counted row by row."""
    p, n = inputs.n_prompt, inputs.n_tokens
    without = [sum(range(1, t + 1)) for t in range(p, n + 1)]
    cached = [sum(range(1, p + 1)), *range(p + 1, n + 1)]
    return without, cached


def twice_as_long(inputs: Inputs) -> tuple[list[int], list[int]]:
    """The same for a text of twice as many tokens, after the same prompt."""
    return steps_of(inputs.model_copy(update={"n_tokens": 2 * inputs.n_tokens}))


@dataclass(frozen=True)
class Sizes:
    """Sizes as they are asked for."""

    inputs: Inputs

    @property
    def n_keys(self) -> int:
        """Different keys, and values, of a token in a layer."""
        return int(getattr(self.inputs, "n_kv_heads", None) or self.inputs.n_heads)

    @property
    def per_layer(self) -> int:
        return int(2 * self.n_keys * self.inputs.d_head)

    @property
    def per_token(self) -> int:
        """Numbers that a token leaves."""
        return int(self.per_layer * self.inputs.n_layers)

    @property
    def cache(self) -> int:
        """Bytes of the whole cache."""
        return self.bytes_of(self.per_layer)

    def bytes_of(self, per_layer: int) -> int:
        i = self.inputs
        return int(per_layer * i.n_layers * i.context * i.bytes_per_number)

    @property
    def n_weights(self) -> int:
        """Two embeddings; in a layer queries, output, keys, values, the MLP and two norms."""
        i, d = self.inputs, self.inputs.n_heads * self.inputs.d_head
        attention = 2 * d * d + 2 * d * self.n_keys * i.d_head
        mlp = i.n_mlp_matrices * d * i.d_ff
        return int(2 * i.n_vocab * d + i.n_layers * (attention + mlp + 2 * d) + d)

    @property
    def weights(self) -> int:
        return int(self.n_weights * self.inputs.bytes_per_number)


def changed_rows(inputs: Inputs, *, masked: bool, n: int | None = None) -> set[int]:
    """Rows of the first pattern that are another once token n, or the last one, has come."""
    trial = CacheTrial.drawn(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    end = inputs.n_tokens if n is None else n
    before, after = (_pattern_of(trial, t, masked) for t in (end - 1, end))
    return set(
        np.flatnonzero(
            (np.abs(before - after[:-1, :-1]) > (1e-9 if masked else 0.0099)).any(axis=1)
        ).tolist()
    )


def rows_make_what_is_kept(inputs: Inputs) -> bool:
    """Whether the pattern is the first layer's, and what is kept is made of its rows anew."""
    trial = CacheTrial.drawn(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    second = trial.run.transformer.blocks[1]
    lane = np.split(np.arange(len(second.w_o)), second.n_heads)[-1]
    x = trial.run.full.block_passes[0].resid_post
    kept = trial.keys - x @ second.w_k[:, lane], trial.values - x @ second.w_v[:, lane]
    pattern = _pattern_of(trial, inputs.n_tokens, masked=True)
    return all(np.abs(d).max() < 1e-8 for d in (*kept, trial.cached_pattern - pattern))


def first_key_goes_wrong(inputs: Inputs) -> bool:
    """Whether a number of the second layer's first key is another if the first has no mask."""
    trial = CacheTrial.drawn(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    first, second = trial.run.transformer.blocks
    x, width = trial.run.resid_pre, len(first.w_o) // first.n_heads
    mid = x[0]
    for k in range(first.n_heads):
        lane = slice(k * width, (k + 1) * width)
        scores = x[0] @ first.w_q[:, lane] @ (x @ first.w_k[:, lane]).T / math.sqrt(width)
        shares = np.exp(scores - scores.max())
        mid = mid + shares / shares.sum() @ x @ first.w_v[:, lane] @ first.w_o[lane]
    row = mid + np.maximum(mid @ first.w_1, 0) @ first.w_2
    return bool(np.abs(row @ second.w_k[:, -width:] - trial.keys[0]).max() >= 0.01)


def _pattern_of(trial: CacheTrial, end: int, masked: bool) -> Any:
    """The last head's pattern in the first layer, over the first rows of the text."""
    x, block = trial.run.resid_pre[:end], trial.run.transformer.blocks[0]
    lane = np.split(np.arange(len(block.w_o)), block.n_heads)[-1]
    scores = x @ block.w_q[:, lane] @ (x @ block.w_k[:, lane]).T / math.sqrt(len(lane))
    if masked:
        scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
    pattern = np.exp(scores - scores.max(axis=1, keepdims=True))
    return pattern / pattern.sum(axis=1, keepdims=True)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def is_about(text: str, value: float) -> bool:
    """Whether a number with its decimals, two digits of it at least, is a value rounded."""
    if "e" in text:
        return bool(math.isclose(float(text), value, rel_tol=0.06))
    if not re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?|\d+(\.\d+)?", text):
        return False
    step = 10.0 ** -len(text.partition(".")[2])
    return abs(number(text) - value) <= step / 2 * (1 + 1e-9) and number(text) > 0


def is_gb(text: str, n_bytes: float) -> bool:
    found = re.fullmatch(r"(.+) GB", text)
    return found is not None and is_about(found[1], n_bytes / GB)


def is_sum(text: str, terms: list[int]) -> bool:
    """Whether these are the terms, or the first three and the last of more than four."""
    seen = [part.replace(",", "") for part in text.split(" + ")]
    want = [str(term) for term in terms]
    return seen == (want if len(want) <= 4 else [*want[:3], "…", want[-1]])


def is_room(inputs: Inputs, many: str) -> bool:
    """How many caches there is room for beside the weights."""
    sizes = Sizes(inputs)
    n = int(_SPELLED[many]) if many in _SPELLED else int(number(many))
    left = inputs.memory_gb * GB - sizes.weights
    return n > 0 and n * sizes.cache <= left < (n + 1) * sizes.cache


def is_memory(inputs: Inputs, text: str) -> bool:
    return math.isclose(number(text), inputs.memory_gb, rel_tol=1e-5)


def is_model(inputs: Inputs, what: str) -> bool:
    own = inputs.n_layers, inputs.n_heads, inputs.d_head, inputs.d_ff, inputs.n_vocab
    known = own == (32, 32, 128, 11_008, 32_000) and Sizes(inputs).n_weights == 6_738_415_616
    return what == ("LLaMA 7B" if known else "this model")


_FREE = nothing_to_check("it is so for every text and every model with a mask")

TRUTHS: dict[str, dict[str, Check]] = {
    "kv_cache.once": {
        "Asked once, needed again": _FREE,
        "What does a new word need of those before it?": _FREE,
        "Its query $q$ asks the keys $k$ of all words so far, by dot products.": _FREE,
        "The dot products say how much it takes of each word's value $v$.": _FREE,
        "The numbers count uses. Which of the three does a word need again?": _FREE,
        "A query asks once. A key and a value are used again by every later word.": _FREE,
        "So the queries can go. Keys and values are kept, on a shelf: the KV cache.": _FREE,
    },
    "kv_cache.again": {
        "Again and again, or once": _FREE,
        "A cell: a row's query times a column's key. Its shade: how often.": _FREE,
        "Without a cache, every step computes all rows again; with one, only new rows.": _FREE,
        "How many dot products is that, for {n} words?": lambda i, s: s["n"] == str(i.n_tokens),
        "The cache spares old words (framed) all other work too, not counted here.": _FREE,
        "{all} = {total} against {new} = {kept}: {ratio} times as many.": lambda i, s: (
            is_sum(s["all"], steps_of(i)[0])
            and number(s["total"]) == sum(steps_of(i)[0])
            and is_sum(s["new"], steps_of(i)[1])
            and number(s["kept"]) == sum(steps_of(i)[1]) == i.n_tokens * (i.n_tokens + 1) // 2
            and is_about(s["ratio"], sum(steps_of(i)[0]) / sum(steps_of(i)[1]))
        ),
        "Twice as many words take {more} times as many; with a cache, {longer} times.": (
            lambda i, s: (
                is_about(s["more"], sum(twice_as_long(i)[0]) / sum(steps_of(i)[0]))
                and is_about(s["longer"], sum(twice_as_long(i)[1]) / sum(steps_of(i)[1]))
            )
        ),
        "In the long run 8 and 4 times: like the length's cube; with a cache, its square.": _FREE,
    },
    "kv_cache.prefill": {
        "Does the cache change the result?": _FREE,
        "Layer 1's pattern, and what layer 2 keeps, in a small random model.": _FREE,
        "As the prompt (framed) is known, no row waits: one step fills the cache with it, "
        "the prefill.": _FREE,
        "Every later token takes a step and adds a row: where it looks.": (
            lambda i, s: i.n_tokens > i.n_prompt
        ),
        "Now all at once, without a cache. Is anything different?": _FREE,
        "No: but for rounding, every number is the same.": lambda i, s: (
            CacheTrial.drawn(i.n_tokens, i.n_prompt, i.seed).run.relative_difference < 1e-9
        ),
        "Layer 2 makes its keys of these rows. Without a mask, new tokens would change both.": (
            lambda i, s: (
                rows_make_what_is_kept(i)
                and any(changed_rows(i, masked=False, n=n) for n in range(2, i.n_tokens + 1))
                and first_key_goes_wrong(i)
            )
        ),
        "The mask keeps old rows as they are, so the keys and values kept of them stay right.": (
            lambda i, s: changed_rows(i, masked=True) == set() and rows_make_what_is_kept(i)
        ),
    },
    "kv_cache.memory": {
        "What does the cache cost?": _FREE,
        "How much does {model} keep of a text?": lambda i, s: is_model(i, s["model"]),
        "In one head, a token's key is {d} numbers, and so is its value.": lambda i, s: (
            s["d"] == str(i.d_head)
        ),
        "{h} heads in each of {l} layers keep a key and a value of it.": lambda i, s: (
            (s["h"], s["l"]) == (str(i.n_heads), str(i.n_layers)) and Sizes(i).n_keys == i.n_heads
        ),
        "{h} heads in each of {l} layers share {k} keys and values of it.": lambda i, s: (
            (s["h"], s["l"], s["k"]) == (str(i.n_heads), str(i.n_layers), str(i.n_kv_heads))
            and 1 < i.n_kv_heads < i.n_heads
        ),
        "{h} heads in each of {l} layers share one key and one value of it.": lambda i, s: (
            (s["h"], s["l"]) == (str(i.n_heads), str(i.n_layers)) and i.n_kv_heads == 1
        ),
        "At {b} a number, that is {mb} MB for one token.": lambda i, s: (
            s["b"] == f"{i.bytes_per_number} byte{'s' * (i.bytes_per_number > 1)}"
            and is_about(s["mb"], Sizes(i).per_token * i.bytes_per_number / 1e6)
        ),
        "A text of {t} tokens makes a cache of {gb}.": lambda i, s: (
            s["t"] == f"{i.context:,}" and is_gb(s["gb"], Sizes(i).cache)
        ),
        "LLaMA 7B was trained for {n} tokens. A text of {t} would make a cache of {gb}.": (
            lambda i, s: (
                is_model(i, "LLaMA 7B")
                and number(s["n"]) == 2048 < i.context == number(s["t"])
                and is_gb(s["gb"], Sizes(i).cache)
            )
        ),
        "With {mlp} matrices in each layer, the model's {n} weights take {gb}.": lambda i, s: (
            s["mlp"] == ("an MLP of two", "a gated MLP of three")[i.n_mlp_matrices - 2]
            and number(s["n"]) == Sizes(i).n_weights
            and is_gb(s["gb"], Sizes(i).weights)
        ),
        "Beside them, a memory of {m} GB has room for {n} such caches.": lambda i, s: (
            is_memory(i, s["m"]) and s["n"] != "one" and is_room(i, s["n"])
        ),
        "Beside them, a memory of {m} GB has room for one such cache.": lambda i, s: (
            is_memory(i, s["m"]) and is_room(i, "one")
        ),
        "Beside them, a memory of {m} GB has room for no such cache.": lambda i, s: (
            is_memory(i, s["m"])
            and Sizes(i).weights <= i.memory_gb * GB < Sizes(i).weights + Sizes(i).cache
        ),
        "A memory of {m} GB does not even hold the weights.": lambda i, s: (
            is_memory(i, s["m"]) and i.memory_gb * GB < Sizes(i).weights
        ),
    },
    "kv_cache.shared": {
        "What has to be kept?": _FREE,
        "Could heads share keys and values?": _FREE,
        "In plain attention, each of the {h} heads keeps its own key and value.": (
            lambda i, s: s["h"] == str(i.n_heads)
        ),
        "If every {n} heads share theirs, {gb} will do, {f} times less: grouped-query attention, "
        "GQA.": (
            lambda i, s: (
                int(s["n"]) * i.n_groups == i.n_heads
                and s["f"] == s["n"] != "1"
                and is_gb(s["gb"], Sizes(i).bytes_of(2 * i.n_groups * i.d_head))
            )
        ),
        "Groups of heads could share theirs (GQA), but {h} is prime: no equal groups.": (
            lambda i, s: (
                s["h"] == str(i.n_heads) and all(i.n_heads % k for k in range(2, i.n_heads))
            )
        ),
        "If all heads share, {gb} will do, {f} times less: multi-query attention, MQA.": (
            lambda i, s: (
                s["f"] == str(i.n_heads) and is_gb(s["gb"], Sizes(i).bytes_of(2 * i.d_head))
            )
        ),
        "The price: heads that share look for a word by the same key.": (
            lambda i, s: i.n_heads > 1
        ),
        "Or keep one vector, from which each head makes its own key and value: MLA, {gb}.": (
            lambda i, s: i.rope_width == 0 and is_gb(s["gb"], Sizes(i).bytes_of(i.latent_width))
        ),
        "Or keep one vector, from which each head makes its key and value, and one key with the "
        "position, by RoPE: MLA, {gb}.": (
            lambda i, s: is_gb(s["gb"], Sizes(i).bytes_of(i.latent_width + i.rope_width))
        ),
        "Queries ask once; keys and values, or what makes them, are kept.": _FREE,
    },
}

LLAMA_405B: dict[str, Any] = {
    "n_layers": 126,
    "n_heads": 128,
    "n_kv_heads": 8,
    "d_ff": 53_248,
    "n_vocab": 128_256,
    "context": 131_072,
}
DEEPSEEK_V3: dict[str, Any] = {"n_layers": 61, "n_heads": 128, "context": 131_072}
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "kv_cache.once": [{}, {"text": "a a a a"}, {"text": "abcdefghij b c d e f g h"}],
    "kv_cache.again": [
        {},
        *({"n_tokens": n, "n_prompt": p} for n, p in ((4, 1), (4, 3), (32, 31), (9, 5))),
    ],
    "kv_cache.prefill": [
        {},
        *({"n_tokens": n, "n_prompt": p} for n, p in ((4, 1), (4, 4), (5, 4), (32, 31), (32, 1))),
    ],
    "kv_cache.memory": [
        {},
        {"memory_gb": 31.0},
        {"memory_gb": 20.0},
        {"memory_gb": 10.0},
        {"memory_gb": 10_000.0},
        {"context": 1024},
        {"n_layers": 4, "n_heads": 4, "d_head": 32, "bytes_per_number": 1},
        {"n_layers": 128, "n_heads": 128, "d_head": 256, "bytes_per_number": 8},
        {"n_kv_heads": 1},
        {"n_mlp_matrices": 2},
        LLAMA_405B,
    ],
    "kv_cache.shared": [
        {},
        {"n_groups": 16},
        {"n_heads": 12, "n_groups": 4},
        {"n_heads": 4, "n_groups": 2, "latent_width": 100},
        {"latent_width": 4096, "n_heads": 16, "rope_width": 0},
        {"latent_width": 4032, "n_heads": 16},
        {"latent_width": 16, "n_heads": 128, "n_groups": 16, "d_head": 256},
        {"n_heads": 31},
        DEEPSEEK_V3,
    ],
}


def inputs_of(stage: type[Stage], **given: Any) -> Any:
    return stage.Inputs(**given)


FILM = FilmTruths(
    "kv_cache",
    TRUTHS,
    {
        "kv_cache.again": {
            "there are words to write after the prompt": lambda inputs: (
                inputs.n_tokens > inputs.n_prompt
            ),
        },
        "kv_cache.prefill": {
            "without a mask, tokens change rows before them": lambda inputs: any(
                changed_rows(inputs, masked=False, n=n) for n in range(2, inputs.n_tokens + 1)
            ),
            "without a mask, the first key that is kept goes wrong": first_key_goes_wrong,
        },
    },
)


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    examples, drawn = those_taken(name, EXAMPLES[name]), drawn_inputs(find_stage(name))
    assert len(examples) == len(EXAMPLES[name])
    assert FILM.unmet(name, examples, drawn, 40) == []


def test_the_sizes_that_the_film_is_known_by() -> None:
    without, cached = steps_of(inputs_of(Again))
    assert (sum(without), sum(cached)) == (2_600, 300)
    assert " 0.524 MB " in " ".join(said(Memory, inputs_of(Memory)))
    assert Sizes(inputs_of(Memory)).cache == 17_179_869_184
    assert [bytes_ / GB for bytes_ in (17_179_869_184, Sizes(inputs_of(Memory)).weights)] == [
        17.179869184,
        13.476831232,
    ]


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


# What stands in the pictures


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
