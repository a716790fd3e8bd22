"""A small transformer of random weights on a text of random rows, with a cache and without one.

What a cache changes can be tried on any model; this one has 2 layers of 2 heads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, sealed, whole
from clockhead.model.transformer.kv_cache import CachedPass
from clockhead.model.transformer.transformer import TransformerPass, random_transformer
from clockhead.model.units import Coordinate, Difference, Share, Tokens

N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB = 2, 6, 2, 8, 4
"""Sizes of the model."""
LAST_LAYER, LAST_HEAD = N_LAYERS - 1, N_HEADS - 1
FIRST_LAYER = 0


@dataclass(frozen=True, eq=False)
class CacheTrial:
    """The same text through the same model twice: step by step with a cache, and at once."""

    run: CachedPass

    @classmethod
    def drawn(cls, n_tokens: int, prompt: int, seed: int) -> CacheTrial:
        """A trial whose weights, and then the rows of the text, are drawn from `seed`.

        Raises ValueError for no token, a prompt outside 1 .. n_tokens, or a seed below 0.
        """
        model = random_transformer(N_LAYERS, D_MODEL, N_HEADS, D_FF, N_VOCAB, seed)
        rng = np.random.default_rng([seed, 1])
        rows = rng.standard_normal((whole("n_tokens", n_tokens, at_least=1), D_MODEL))
        return cls(CachedPass(model, np.round(rows, 2) + 0.0, prompt))

    @property
    def n_single(self) -> Tokens:
        """How many tokens come after the prompt, one by one."""
        return self.run.counts.n_steps - 1

    @property
    def cached_pattern(self) -> Floats:
        """The pattern of the last head of the first layer, with a cache; shape (T, T)."""
        return np.asarray(self.run.patterns[FIRST_LAYER, LAST_HEAD])

    @property
    def full_pattern(self) -> Floats:
        """The same pattern, all rows at once; shape (T, T)."""
        return np.asarray(self.run.full.block_passes[FIRST_LAYER].patterns[LAST_HEAD])

    @cached_property
    def unmasked_patterns(self) -> Floats:
        """The same pattern without a mask after each token, 0 for later ones; shape (T, T, T)."""
        n = len(self._unmasked)
        patterns = np.zeros((n, n, n))
        for t, found in enumerate(self._unmasked, 1):
            patterns[t - 1, :t, :t] = found.block_passes[FIRST_LAYER].patterns[LAST_HEAD]  # (t, t)
        return sealed(patterns)

    @cached_property
    def unmasked_first_keys(self) -> Floats:
        """The first of `keys` as it would be made without a mask after each token; (T, d_head)."""
        passes = (found.block_passes[LAST_LAYER] for found in self._unmasked)
        return sealed(np.stack([found.head_passes[LAST_HEAD].keys[0] for found in passes]))

    @property
    def _most_changed(self) -> int:
        """Which number of the first key is changed most in the end without a mask."""
        return int(np.abs(self.unmasked_first_keys[-1] - self.keys[0]).argmax())

    @property
    def kept_number(self) -> Coordinate:
        """The number of the first key, as it is kept, that would change most without a mask."""
        return float(self.keys[0, self._most_changed])

    @property
    def unmasked_numbers(self) -> Floats:
        """The same number as it would be made without a mask after each token; shape (T,)."""
        return sealed(self.unmasked_first_keys[:, self._most_changed])

    @property
    def kept_error(self) -> Difference:
        """How wrong the kept number would be in the end without a mask."""
        return abs(float(self.unmasked_numbers[-1]) - self.kept_number)

    @cached_property
    def _unmasked(self) -> tuple[TransformerPass, ...]:
        """The model without a mask on the first token, the first two, and so on to all."""
        model, rows = self.run.transformer, self.run.resid_pre  # (T, d_model)
        blocks = tuple(replace(block, mask="none") for block in model.blocks)
        unmasked = replace(model, blocks=blocks)
        return tuple(unmasked.on(rows[:t]) for t in range(1, len(rows) + 1))

    @property
    def unmasked_change(self) -> Share:
        """How much a share of an earlier token in an earlier row changes, at most, without one."""
        steps = np.abs(np.diff(self.unmasked_patterns, axis=0))  # (T - 1, T, T)
        return float(max((step[:t, :t].max() for t, step in enumerate(steps, 1)), default=0.0))

    @property
    def keys(self) -> Floats:
        """The keys of the last head of the last layer, in the cache in the end; (T, d_head)."""
        return np.asarray(self.run.keys[LAST_LAYER, LAST_HEAD])

    @property
    def values(self) -> Floats:
        """The values of the last head of the last layer, in the same way; shape (T, d_head)."""
        return np.asarray(self.run.values[LAST_LAYER, LAST_HEAD])

    @property
    def cached_logits(self) -> Floats:
        """What the last token's row comes to, its logits, with a cache; shape (V,)."""
        return np.asarray(self.run.logits[-1])

    @property
    def full_logits(self) -> Floats:
        """The same logits, all rows at once; shape (V,)."""
        return self.run.full.last_logits
