"""A small random transformer on a random text, with a cache and without.

Any model would show the effect of a cache; this one has 2 layers of 2 heads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, check_int
from clockhead.model.transformer.kv_cache import CachedPass, cached_pass
from clockhead.model.transformer.transformer import random_transformer
from clockhead.model.units import Coordinate, Difference, Doc, Share, Tokens

N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB = 2, 6, 2, 8, 4
"""Sizes of the model."""
LAST_LAYER, LAST_HEAD = N_LAYERS - 1, N_HEADS - 1
FIRST_LAYER = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class CacheTrial(Values):
    """A model on the same text twice: step by step with a cache, and all at once."""

    run: Annotated[CachedPass, Doc("both forward passes")]
    n_single: Annotated[Tokens, Doc("number of tokens after the prompt, generated one by one")]
    cached_pattern: Annotated[
        Floats, Doc("attention weights of the last head in the first layer, with a cache; (T, T)")
    ]
    full_pattern: Annotated[Floats, Doc("the same attention weights without a cache; (T, T)")]
    unmasked_patterns: Annotated[
        Floats, Doc("the same without a mask, after each token, 0 for later tokens; (T, T, T)")
    ]
    unmasked_change: Annotated[
        Share,
        Doc("largest change of an attention weight between earlier tokens, without a mask"),
    ]
    keys: Annotated[
        Floats,
        Doc("cached keys of the last head in the last layer, at the end; (T, d_head)"),
    ]
    values: Annotated[
        Floats, Doc("cached values of the last head in the last layer, at the end; (T, d_head)")
    ]
    kept_number: Annotated[
        Coordinate,
        Doc("cached number of the first key that would change most without a mask"),
    ]
    unmasked_numbers: Annotated[
        Floats, Doc("the same number without a mask, recomputed after each token; (T,)")
    ]
    kept_error: Annotated[Difference, Doc("error of the cached number at the end, without a mask")]


def cache_trial(n_tokens: int, n_prompt: int, seed: int) -> CacheTrial:
    """Run a random model on a random text, both drawn with `seed`.

    Raises ValueError for no token, a prompt outside 1 .. n_tokens, or a seed below 0.
    """
    model = random_transformer(N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB, seed)
    rng = np.random.default_rng([seed, 1])
    drawn = rng.standard_normal((check_int("n_tokens", n_tokens, at_least=1), D_MODEL))
    rows = np.round(drawn, 2) + 0.0  # (T, d_model)
    run = cached_pass(model, rows, n_prompt)

    blocks = tuple(replace(block, mask="none") for block in model.blocks)
    unmasked = replace(model, blocks=blocks)
    patterns = np.zeros((n_tokens, n_tokens, n_tokens))
    first_keys = np.zeros((n_tokens, D_MODEL // N_HEADS))
    for t in range(1, n_tokens + 1):
        first, *_, last = unmasked.run(rows[:t]).block_passes
        patterns[t - 1, :t, :t] = first.patterns[LAST_HEAD]  # (t, t)
        first_keys[t - 1] = last.head_passes[LAST_HEAD].keys[0]  # (d_head,)
    steps = np.abs(np.diff(patterns, axis=0))  # (T - 1, T, T)
    keys = run.keys[LAST_LAYER, LAST_HEAD]  # (T, d_head)
    most_changed = int(np.abs(first_keys[-1] - keys[0]).argmax())
    kept, numbers = float(keys[0, most_changed]), first_keys[:, most_changed].copy()
    return CacheTrial(
        run=run,
        n_single=run.counts.n_steps - 1,
        cached_pattern=run.patterns[FIRST_LAYER, LAST_HEAD],
        full_pattern=run.full.block_passes[FIRST_LAYER].patterns[LAST_HEAD],
        unmasked_patterns=patterns,
        unmasked_change=float(
            max((step[:t, :t].max() for t, step in enumerate(steps, 1)), default=0.0)
        ),
        keys=keys,
        values=run.values[LAST_LAYER, LAST_HEAD],
        kept_number=kept,
        unmasked_numbers=numbers,
        kept_error=abs(float(numbers[-1]) - kept),
    )
