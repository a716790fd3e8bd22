"""A small transformer of random weights on a text of random rows, with a cache and without one.

What a cache changes can be tried on any model; this one has 2 layers of 2 heads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, whole
from clockhead.model.transformer.kv_cache import CachedPass, cached_pass
from clockhead.model.transformer.transformer import random_transformer
from clockhead.model.units import Coordinate, Difference, Doc, Share, Tokens

N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB = 2, 6, 2, 8, 4
"""Sizes of the model."""
LAST_LAYER, LAST_HEAD = N_LAYERS - 1, N_HEADS - 1
FIRST_LAYER = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class CacheTrial(Values):
    """The same text through the same model twice: step by step with a cache, and at once."""

    run: Annotated[CachedPass, Doc("the model step by step with a cache, and at once")]
    n_single: Annotated[Tokens, Doc("how many tokens come after the prompt, one by one")]
    cached_pattern: Annotated[
        Floats, Doc("the pattern of the last head of the first layer, with a cache; (T, T)")
    ]
    full_pattern: Annotated[Floats, Doc("the same pattern, all rows at once; (T, T)")]
    unmasked_patterns: Annotated[
        Floats, Doc("the same pattern without a mask after each token, 0 for later ones; (T, T, T)")
    ]
    unmasked_change: Annotated[
        Share,
        Doc("how much a share of an earlier token in an earlier row changes, at most, without one"),
    ]
    keys: Annotated[
        Floats,
        Doc("the keys of the last head of the last layer, in the cache in the end; (T, d_head)"),
    ]
    values: Annotated[
        Floats, Doc("the values of the last head of the last layer, likewise; (T, d_head)")
    ]
    kept_number: Annotated[
        Coordinate,
        Doc("the number of the first key, as it is kept, that would change most without a mask"),
    ]
    unmasked_numbers: Annotated[
        Floats, Doc("the same number as it would be made without a mask after each token; (T,)")
    ]
    kept_error: Annotated[
        Difference, Doc("how wrong the kept number would be in the end without a mask")
    ]


def cache_trial(n_tokens: int, n_prompt: int, seed: int) -> CacheTrial:
    """A trial whose weights, and then the rows of the text, are drawn from `seed`.

    Raises ValueError for no token, a prompt outside 1 .. n_tokens, or a seed below 0.
    """
    model = random_transformer(N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB, seed)
    rng = np.random.default_rng([seed, 1])
    drawn = rng.standard_normal((whole("n_tokens", n_tokens, at_least=1), D_MODEL))
    rows = np.round(drawn, 2) + 0.0  # (T, d_model)
    run = cached_pass(model, rows, n_prompt)

    blocks = tuple(replace(block, mask="none") for block in model.blocks)
    unmasked = replace(model, blocks=blocks)
    patterns = np.zeros((n_tokens, n_tokens, n_tokens))
    first_keys = np.zeros((n_tokens, D_MODEL // N_HEADS))
    for t in range(1, n_tokens + 1):
        first, *_, last = unmasked.on(rows[:t]).block_passes
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
