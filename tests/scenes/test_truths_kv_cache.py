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
from numpy.testing import assert_allclose

from clockhead.model.cache_trial import CacheTrial
from clockhead.scenes.kv_cache.again import WITH, WITHOUT, Again
from clockhead.scenes.kv_cache.memory import Memory
from clockhead.scenes.kv_cache.once import NAME, Once
from clockhead.scenes.kv_cache.prefill import Prefill
from clockhead.scenes.kv_cache.shared import Shared
from clockhead.scenes.stage import Stage, find_stage
from clockhead.scenes.style.text import Label
from tests.scenes.legal import drawn_inputs, said
from tests.scenes.staging import play
from tests.scenes.telling import Check, FilmTruths, Inputs, nothing_to_check, those_taken

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


@dataclass(frozen=True)
class Sizes:
    """Sizes as they are asked for."""

    inputs: Inputs

    @property
    def per_layer(self) -> int:
        return int(2 * self.inputs.n_heads * self.inputs.d_head)

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
        """Two embeddings; four matrices of attention, three of the MLP and two norms a layer."""
        i, d = self.inputs, self.inputs.n_heads * self.inputs.d_head
        return int(2 * i.n_vocab * d + i.n_layers * (4 * d * d + 3 * d * i.d_ff + 2 * d) + d)

    @property
    def weights(self) -> int:
        return int(self.n_weights * self.inputs.bytes_per_number)


def changed_rows(inputs: Inputs, *, masked: bool, n: int | None = None) -> set[int]:
    """Rows of the last pattern that are another once token n, or the last one, has come."""
    trial = CacheTrial.drawn(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    end = inputs.n_tokens if n is None else n
    before, after = (_pattern_of(trial, t, masked) for t in (end - 1, end))
    return set(
        np.flatnonzero(
            (np.abs(before - after[:-1, :-1]) > (1e-9 if masked else 0.0099)).any(axis=1)
        ).tolist()
    )


def _pattern_of(trial: CacheTrial, end: int, masked: bool) -> Any:
    """The last head's pattern over the first rows of the text."""
    x, pattern = trial.run.resid_pre[:end], np.zeros(0)
    for block in trial.run.transformer.blocks:
        blends = []
        for lane in np.split(np.arange(len(block.w_o)), block.n_heads):
            scores = x @ block.w_q[:, lane] @ (x @ block.w_k[:, lane]).T / math.sqrt(len(lane))
            if masked:
                scores = np.where(np.tri(len(x), dtype=bool), scores, -np.inf)
            pattern = np.exp(scores - scores.max(axis=1, keepdims=True))
            pattern /= pattern.sum(axis=1, keepdims=True)
            blends.append(pattern @ x @ block.w_v[:, lane])
        x = x + np.hstack(blends) @ block.w_o
        x = x + np.maximum(x @ block.w_1, 0) @ block.w_2
    return pattern


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


def is_share(text: str, part: int, whole: int) -> bool:
    """Whether words say how much of a whole is left."""
    words = {"as much": 1, "half": 2, "a third": 3, "a quarter": 4}
    if text in words:
        return part * words[text] == whole
    if found := re.fullmatch(r"1/(\d+)", text):
        return int(found[1]) > 4 and part * int(found[1]) == whole
    found = re.fullmatch(r"(\d+(\.\d+)?)%", text)
    exact = 100 * part / whole
    return (
        bool(found)
        and whole % part != 0
        and abs(float(text[:-1]) - exact) <= max(0.1, 0.006 * exact)
    )


def is_room(inputs: Inputs, many: str) -> bool:
    """How many caches there is room for beside the weights."""
    sizes = Sizes(inputs)
    n = int(_SPELLED[many]) if many in _SPELLED else int(number(many))
    left = inputs.memory_gb * GB - sizes.weights
    return n > 0 and n * sizes.cache <= left < (n + 1) * sizes.cache


def is_model(inputs: Inputs, what: str) -> bool:
    sizes = Sizes(inputs)
    if what == "LLaMA 7B":
        own = inputs.n_layers, inputs.n_heads, inputs.d_head, inputs.d_ff, inputs.n_vocab
        return own == (32, 32, 128, 11_008, 32_000) and sizes.n_weights == 6_738_415_616
    found = re.fullmatch(r"a model of ([\d.,]+) (million|billion) weights", what)
    units = {"million": 10**6, "billion": 10**9}
    if not found:
        return False
    unit = units[found[2]]
    shown = number(found[1])
    return unit == (10**9 if sizes.n_weights >= 10**9 else 10**6) and bool(
        math.isclose(shown, sizes.n_weights / unit, rel_tol=0.051)
    )


_FREE = nothing_to_check("it is so for every text and every model with a mask")

TRUTHS: dict[str, dict[str, Check]] = {
    "kv_cache.once": {
        "Asked once, needed again": _FREE,
        "A text is written word by word; a word is a token. What will the next one need?": _FREE,
        "Every new word looks back at all the words before it.": lambda i, s: (
            len(i.text.split()) > 1
        ),
        "Its query $q$ asks all keys $k$ so far by dot products: the larger, the more of that "
        "value $v$ it takes.": _FREE,
        "Which of its three vectors will a word need again?": _FREE,
        "A query asks once. A key and a value are used again by every later word.": _FREE,
        "So the queries can go. Keys and values are kept, on a shelf: the KV cache.": _FREE,
    },
    "kv_cache.again": {
        "Again and again, or once": _FREE,
        "Rows are queries, columns keys: which dot products does a head take in a step?": _FREE,
        "Without a cache, each step computes all rows so far; with one, only new rows.": _FREE,
        "{n} words: how many dot products does each way take?": lambda i, s: (
            s["n"] == str(i.n_tokens)
        ),
        "{all} = {total} against {new} = {kept}: {ratio} times as many.": lambda i, s: (
            is_sum(s["all"], steps_of(i)[0])
            and number(s["total"]) == sum(steps_of(i)[0])
            and is_sum(s["new"], steps_of(i)[1])
            and number(s["kept"]) == sum(steps_of(i)[1]) == i.n_tokens * (i.n_tokens + 1) // 2
            and is_about(s["ratio"], sum(steps_of(i)[0]) / sum(steps_of(i)[1]))
        ),
        "The stronger its shade, the more often a cell is computed; with a cache, once.": _FREE,
        "The work grows like the cube of the length; with a cache, like its square.": _FREE,
        "Not counted: making $q$, $k$, $v$, adding up values, the MLP after. Old words are spared "
        "these too.": _FREE,
    },
    "kv_cache.prefill": {
        "Does the cache change the result?": _FREE,
        "The last head of a small random model (2 layers of 2 heads). Purple: below 0.": _FREE,
        "A prompt of one token fills the first row of the cache. That step is the prefill.": (
            lambda i, s: i.n_prompt == 1
        ),
        "The prompt is known: its {p} rows fill the cache in one step, the prefill.": (
            lambda i, s: s["p"] == str(i.n_prompt) != "1"
        ),
        "The next token is known only after the prompt: one more step for one more row.": (
            lambda i, s: i.n_tokens - i.n_prompt == 1
        ),
        "The next {n} come one after another: a step and a row for each.": (
            lambda i, s: int(s["n"]) == i.n_tokens - i.n_prompt > 1
        ),
        "Now the same without a cache. Does anything come out differently?": (
            lambda i, s: i.n_tokens == i.n_prompt
        ),
        "Now all {n} as one prompt: does anything come out differently?": (
            lambda i, s: s["n"] == str(i.n_tokens) and i.n_prompt < i.n_tokens
        ),
        "No: the scores for the next token are the same but for rounding.": _FREE,
        "No: the scores for the next token are the same.": _FREE,
        "The mask (hatched) hides later tokens from a row, so an old row never changes.": (
            lambda i, s: changed_rows(i, masked=True) == set()
        ),
        "Without the mask, new tokens would change old rows.": lambda i, s: (
            max(len(changed_rows(i, masked=False, n=n)) for n in range(2, i.n_tokens + 1)) > 0
        ),
        "An old row makes the next layer's key and value. It never changes, so what is kept stays "
        "right.": _FREE,
    },
    "kv_cache.memory": {
        "What does the cache cost?": _FREE,
        "In {model}: $2 L T h d_k$ numbers of $b$ bytes each.": lambda i, s: is_model(
            i, s["model"]
        ),
        "In one head, a token's key is $d_k$ = {d} numbers, and so is its value.": lambda i, s: (
            s["d"] == str(i.d_head)
        ),
        "What does one token leave in the whole model?": _FREE,
        "{h} heads in each of {l} layers keep a key and a value of it.": lambda i, s: (
            (s["h"], s["l"]) == (str(i.n_heads), str(i.n_layers))
        ),
        "At {b} a number, that is {mb} MB for one token.": lambda i, s: (
            s["b"] == f"{i.bytes_per_number} byte{'s' * (i.bytes_per_number > 1)}"
            and is_about(s["mb"], Sizes(i).per_token * i.bytes_per_number / 1e6)
        ),
        "A text of {t} tokens leaves as many times as much: a cache of {gb}.": lambda i, s: (
            s["t"] == f"{i.context:,}" and is_gb(s["gb"], Sizes(i).cache)
        ),
        "The weights of the model itself take less: {gb}.": lambda i, s: (
            is_gb(s["gb"], Sizes(i).weights) and Sizes(i).weights < Sizes(i).cache
        ),
        "The weights of the model itself take more: {gb}.": lambda i, s: (
            is_gb(s["gb"], Sizes(i).weights) and Sizes(i).weights > Sizes(i).cache
        ),
        "A memory of {m} GB that holds the weights has room for {n} such cache{e}.": lambda i, s: (
            math.isclose(number(s["m"]), i.memory_gb, rel_tol=1e-5)
            and is_room(i, s["n"])
            and s["e"] == "s"
        ),
        "A memory of {m} GB that holds the weights has room for one such cache.": lambda i, s: (
            math.isclose(number(s["m"]), i.memory_gb, rel_tol=1e-5) and is_room(i, "one")
        ),
        "A memory of {m} GB that holds the weights has no room for such a cache.": lambda i, s: (
            Sizes(i).weights <= i.memory_gb * GB < Sizes(i).weights + Sizes(i).cache
        ),
        "A memory of {m} GB does not even hold the weights.": lambda i, s: (
            Sizes(i).weights > i.memory_gb * GB
        ),
    },
    "kv_cache.shared": {
        "What has to be kept?": _FREE,
        "The cache of {t} tokens. Could heads share what it holds?": lambda i, s: (
            number(s["t"]) == i.context
        ),
        "So far, each of the {h} heads keeps a key and a value of its own.": lambda i, s: (
            s["h"] == str(i.n_heads)
        ),
        "If every {n} heads share theirs, {share} will do, {gb}: grouped-query attention, GQA.": (
            lambda i, s: (
                int(s["n"]) * i.n_groups == i.n_heads
                and is_share(s["share"], i.n_groups, i.n_heads)
                and is_gb(s["gb"], Sizes(i).bytes_of(2 * i.n_groups * i.d_head))
            )
        ),
        "If all share one, {share} will do, {gb}: multi-query attention, MQA.": (
            lambda i, s: (
                is_share(s["share"], 1, i.n_heads)
                and is_gb(s["gb"], Sizes(i).bytes_of(2 * i.d_head))
            )
        ),
        "What is lost: heads still ask questions of their own, but of the same keys, and take from "
        "the same values.": lambda i, s: 1 < i.n_groups < i.n_heads,
        "Or keep one vector of {n} numbers, from which each head makes its own (MLA): "
        "{share}, {gb}.": lambda i, s: (
            number(s["n"]) == i.latent_width
            and is_share(s["share"], i.latent_width, Sizes(i).per_layer)
            and is_gb(s["gb"], Sizes(i).bytes_of(i.latent_width))
        ),
        "Queries ask once; keys and values, or what makes them, are kept.": _FREE,
    },
}

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
        {"n_layers": 100, "n_heads": 100, "d_head": 256, "bytes_per_number": 8},
    ],
    "kv_cache.shared": [
        {},
        {"n_groups": 16},
        {"n_heads": 12, "n_groups": 4},
        {"n_heads": 4, "n_groups": 2, "latent_width": 100},
        {"latent_width": 8192},
        {"latent_width": 8191},
        {"latent_width": 16, "n_heads": 100, "n_groups": 50, "d_head": 256},
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
        },
    },
)
_RARE = ["No: the scores for the next token are the same."]
"""What is said only where nothing at all is rounded."""


def test_every_stage_of_the_film_has_its_truths() -> None:
    assert FILM.knows_every_stage()


@pytest.mark.parametrize("name", TRUTHS)
def test_all_that_is_said_is_so_and_every_truth_is_about_something_that_is_said(name: str) -> None:
    examples, drawn = those_taken(name, EXAMPLES[name]), drawn_inputs(find_stage(name))
    assert len(examples) == len(EXAMPLES[name])
    assert [one for one in FILM.unmet(name, examples, drawn, 40) if one not in _RARE] == []


def test_the_sizes_that_the_film_is_known_by() -> None:
    without, cached = steps_of(inputs_of(Again))
    assert (sum(without), sum(cached)) == (2_600, 300)
    assert " 0.524 MB " in " ".join(said(Memory, inputs_of(Memory)))
    assert Sizes(inputs_of(Memory)).cache == 17_179_869_184
    assert [bytes_ / GB for bytes_ in (17_179_869_184, Sizes(inputs_of(Memory)).weights)] == [
        17.179869184,
        13.476831232,
    ]


# What stands in the pictures


def played(stage: type[Stage], **given: Any) -> Any:
    return play(stage, stage.shot(inputs_of(stage, **given)))


@pytest.mark.parametrize(("n_tokens", "n_prompt"), [(24, 1), (7, 3)])
def test_what_is_called_without_a_cache_computes_all_again(n_tokens: int, n_prompt: int) -> None:
    scene = played(Again, n_tokens=n_tokens, n_prompt=n_prompt)
    without, cached = steps_of(scene.inputs)
    ways = (
        (scene.recomputed, scene.names[0], WITHOUT, without),
        (scene.cached, scene.names[1], WITH, cached),
    )
    assert (WITHOUT, WITH) == ("No cache", "The KV cache")
    framed = (0, n_tokens), (n_tokens - 1, n_tokens)
    for side, (first, last) in zip(scene.sides, framed, strict=True):
        block = side.matrix.block(first, 0, last - first, last)
        assert_allclose(astuple(side.frame.region), astuple(block), atol=1e-6)
    for side, tip, name, counts in ways:
        assert labels(side.count)[0].text == name == tip.label.text
        assert side.count.figure.number.text == f"{sum(counts):,}"
        assert side.step.number.text == f"+{counts[-1]:,}"
        end = scene.chart.at(n_tokens, sum(counts))
        assert_allclose(tip.label.middle[1], end[1], atol=1e-6)
        rows = [min(n_tokens - row, n_tokens - n_prompt + 1) for row in range(n_tokens)]
        times = np.tril(np.array(rows)[:, None] * np.ones(n_tokens))
        ones = np.tri(n_tokens)
        assert_allclose(side.matrix.table, times if name == WITHOUT else ones)


@pytest.mark.parametrize(("n_tokens", "n_prompt"), [(24, 6), (5, 4), (4, 1)])
def test_lines_stand_beside_the_rows_of_the_prompt_and_of_what_is_written(
    n_tokens: int, n_prompt: int
) -> None:
    scene = played(Prefill, n_tokens=n_tokens, n_prompt=n_prompt)
    lattice = scene.cached.lattice
    ways = (0, n_prompt, "prompt"), (n_prompt, n_tokens, "written")
    for span, (first, last, word) in zip(scene.spans, ways, strict=True):
        assert span.word.text == word
        y = span.line.points[:, 1]
        top = lattice.region.top - np.array([last, first]) * lattice.cell_height
        assert_allclose([y.min(), y.max()], top, atol=1e-6)
    assert [scene.way.text, scene.other.text, scene.no_mask.text] == [
        "with cache, step by step",
        "all as one prompt",
        "without a mask",
    ]
    tray, *kept = scene.shelf
    assert scene.card.text == "The KV cache"
    for rows, _ in kept:
        assert tray.get_left()[0] < rows.get_left()[0] < rows.get_right()[0] < tray.get_right()[0]
    assert tray.get_left()[0] < scene.card.middle[0] < tray.get_right()[0]
    assert_allclose(lattice.cell_height, scene.full.lattice.cell_height)
    assert_allclose(lattice.region.width, scene.full.lattice.region.width)
    assert_allclose(
        astuple(scene.unmasked.lattice.region), astuple(scene.full.lattice.region), atol=1e-6
    )


def test_a_query_is_counted_once_and_keys_and_values_are_counted_on() -> None:
    scene = played(Once, text="a b a b c")
    counts = [[number.text for number in chips._numbers] for chips in scene.chips]
    assert counts == [["×1"] * 5, *[["×5", "×4", "×3", "×2", "×1"]] * 2]


@pytest.mark.parametrize(
    "text", ["the cat sat on the mat", "a b a b c", "abcdefghij b c d e f g h"]
)
def test_the_film_ends_with_its_words_and_what_is_kept_of_each(text: str) -> None:
    scene = played(Shared, text=text)
    n = len(text.split())
    assert [label.text for label in labels(scene.tiles) if label.text] == text.split()
    _, keys, values = scene.shelf
    for chips, sign in ((keys, "k"), (values, "v")):
        assert [letter.text for letter in chips._letters] == [sign] * n
        assert not any(number.get_fill_opacity() for number in chips._numbers)
    assert NAME in {label.text for label in labels(scene.card)}


def test_what_is_kept_is_counted_per_token_and_layer() -> None:
    scene = played(Shared, n_heads=12, n_groups=4, d_head=64, latent_width=100)
    texts = [figure.number.text for figure in scene.kept]
    counts = ["1,536", "512", "128", "100"]
    assert texts == [f"{count} numbers per token and layer" for count in counts]
    assert [label.text for label in scene.row_names] == ["own", "GQA", "MQA", "MLA"]


def labels(picture: Any) -> list[Label]:
    return [piece for piece in picture.get_family() if isinstance(piece, Label)]
