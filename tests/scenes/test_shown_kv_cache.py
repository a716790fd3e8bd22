"""The film `kv_cache` counts what is published of models."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.kv_cache.memory import Memory
from clockhead.scenes.kv_cache.shared import Shared
from clockhead.scenes.stage import Stage
from tests.scenes.truths_kv_cache import (
    DEEPSEEK_V3,
    GB,
    LLAMA_405B,
)


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
