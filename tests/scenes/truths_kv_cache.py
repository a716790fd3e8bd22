"""The truths of the film `kv_cache`; `model` gives random weights only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from clockhead.model.films.kv_cache.prefill import CacheTrial, cache_trial
from clockhead.scenes.stage import find_stage
from tests.scenes.legal import drawn_inputs
from tests.scenes.telling import (
    FilmTruths,
    Inputs,
    Truths,
    Variant,
    plural,
    spelled,
    those_taken,
)

GB = 10**9


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
    trial = cache_trial(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    end = inputs.n_tokens if n is None else n
    before, after = (_pattern_of(trial, t, masked) for t in (end - 1, end))
    return set(
        np.flatnonzero(
            (np.abs(before - after[:-1, :-1]) > (1e-9 if masked else 0.0099)).any(axis=1)
        ).tolist()
    )


def rows_make_what_is_kept(inputs: Inputs) -> bool:
    """Whether the pattern is the first layer's, and what is kept is made of its rows anew."""
    trial = cache_trial(inputs.n_tokens, inputs.n_prompt, inputs.seed)
    second = trial.run.transformer.blocks[1]
    lane = np.split(np.arange(len(second.w_o)), second.n_heads)[-1]
    x = trial.run.full.block_passes[0].resid_post
    kept = trial.keys - x @ second.w_k[:, lane], trial.values - x @ second.w_v[:, lane]
    pattern = _pattern_of(trial, inputs.n_tokens, masked=True)
    return all(np.abs(d).max() < 1e-8 for d in (*kept, trial.cached_pattern - pattern))


def first_key_goes_wrong(inputs: Inputs) -> bool:
    """Whether a number of the second layer's first key is another if the first has no mask."""
    trial = cache_trial(inputs.n_tokens, inputs.n_prompt, inputs.seed)
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


# What the film says


def in_gb(n_bytes: float) -> Any:
    """Whether a text is so many bytes in GB, to two digits at least."""

    def check(text: str) -> bool:
        number, _, unit = text.partition(" ")
        number, value = number.replace(",", ""), n_bytes / GB
        if "e" in number:
            return unit == "GB" and math.isclose(float(number), value, rel_tol=0.06)
        step = 10.0 ** -len(number.partition(".")[2])
        rounds = abs(float(number) - value) <= step / 2 * (1 + 1e-9)
        return unit == "GB" and rounds and float(number) > 0

    return check


def as_sum(terms: list[int]) -> str:
    """The terms, or the first three and the last of more than four."""
    seen = [f"{term:,}" for term in terms]
    return " + ".join(seen if len(seen) <= 4 else [*seen[:3], "…", seen[-1]])


def is_llama(sizes: Sizes) -> bool:
    i = sizes.inputs
    own = i.n_layers, i.n_heads, i.d_head, i.d_ff, i.n_vocab
    return own == (32, 32, 128, 11_008, 32_000) and sizes.n_weights == 6_738_415_616


def held(sizes: Sizes) -> Variant:
    """How many caches there is room for beside the weights, if these have room."""
    memory = f"{sizes.inputs.memory_gb:,.6g}"
    left = sizes.inputs.memory_gb * GB - sizes.weights
    if left < 0:
        return Variant(0, memory)
    n = int(left // sizes.cache)
    return Variant(1, memory, f"{n:,}" if n > 11 else spelled(n), f"such cache{'s' * (n > 1)}")


def is_prime(sizes: Sizes) -> bool:
    """Whether the heads make no equal groups."""
    n = sizes.inputs.n_heads
    return all(n % k for k in range(2, n))


def any_row_changes(inputs: Inputs) -> bool:
    return any(changed_rows(inputs, masked=False, n=n) for n in range(2, inputs.n_tokens + 1))


def growth(inputs: Inputs, way: int) -> float:
    return sum(twice_as_long(inputs)[way]) / sum(steps_of(inputs)[way])


FACTS = {
    "n_tokens": lambda i: i.n_tokens,
    "all_rows": lambda i: as_sum(steps_of(i)[0]),
    "recomputed": lambda i: sum(steps_of(i)[0]),
    "new_rows": lambda i: as_sum(steps_of(i)[1]),
    "cached": lambda i: sum(steps_of(i)[1]),
    "ratio": lambda i: sum(steps_of(i)[0]) / sum(steps_of(i)[1]),
    "recomputed_growth": lambda i: growth(i, 0),
    "cached_growth": lambda i: growth(i, 1),
    "long_recomputed_growth": lambda i: 2**3,
    "long_cached_growth": lambda i: 2**2,
    "model": lambda s: "LLaMA 7B" if is_llama(s) else "this model",
    "sizes.d_head": lambda s: s.inputs.d_head,
    "sizes.n_heads": lambda s: s.inputs.n_heads,
    "sizes.n_layers": lambda s: s.inputs.n_layers,
    "sizes.n_kv_heads": lambda s: s.n_keys,
    "each": lambda s: plural(s.inputs.bytes_per_number, "byte"),
    "sizes.mb_per_token": lambda s: s.per_token * s.inputs.bytes_per_number / 1e6,
    "sizes.context": lambda s: s.inputs.context,
    "trained": lambda s: 2048,
    "cache": lambda s: in_gb(s.cache),
    "mlp": lambda s: (
        ("an MLP of two", "a gated MLP of three")[s.inputs.n_mlp_matrices - 2] + " matrices"
    ),
    "parameters.total": lambda s: s.n_weights,
    "weights": lambda s: in_gb(s.weights),
    "held": held,
    "caches.own.n_heads": lambda s: s.inputs.n_heads,
    "caches.grouped.heads_per_key": lambda s: s.inputs.n_heads // s.inputs.n_groups,
    "caches.grouped.factor_saved": lambda s: s.inputs.n_heads // s.inputs.n_groups,
    "grouped": lambda s: in_gb(s.bytes_of(2 * s.inputs.n_groups * s.inputs.d_head)),
    "caches.shared.factor_saved": lambda s: s.inputs.n_heads,
    "shared": lambda s: in_gb(s.bytes_of(2 * s.inputs.d_head)),
    "latent": lambda s: in_gb(s.bytes_of(s.inputs.latent_width + s.inputs.rope_width)),
}
STAGES = {
    "once": Truths(),
    "again": Truths(
        claims={"sums": lambda i: sum(steps_of(i)[1]) == i.n_tokens * (i.n_tokens + 1) // 2},
        needs={0: lambda i: i.n_tokens > i.n_prompt},
    ),
    "prefill": Truths(
        claims={
            "rows": lambda i: i.n_tokens > i.n_prompt,
            "compare": lambda i: (
                cache_trial(i.n_tokens, i.n_prompt, i.seed).run.relative_difference < 1e-9
            ),
            "lifted": lambda i: (
                rows_make_what_is_kept(i) and any_row_changes(i) and first_key_goes_wrong(i)
            ),
            "caption": lambda i: changed_rows(i, masked=True) == set(),
        },
        needs={1: any_row_changes, 2: first_key_goes_wrong},
    ),
    "memory": Truths(
        world=Sizes,
        choices={
            "all_heads": lambda s: 0 if s.n_keys == s.inputs.n_heads else 1 if s.n_keys == 1 else 2,
            "text": lambda s: not (is_llama(s) and s.inputs.context > 2048),
        },
    ),
    "shared": Truths(
        world=Sizes,
        choices={"groups": is_prime, "vector": lambda s: s.inputs.rope_width == 0},
        claims={
            "groups": lambda s: is_prime(s) or s.inputs.n_heads % s.inputs.n_groups == 0,
            "lost": lambda s: s.inputs.n_heads > 1,
        },
    ),
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

FILM = FilmTruths(
    "kv_cache",
    lambda inputs: inputs,
    FACTS,
    STAGES,
    lambda name: those_taken(name, EXAMPLES[name]),
    lambda name: drawn_inputs(find_stage(name)),
    lambda _: 40,
)
