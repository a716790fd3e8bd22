"""A text that runs through a transformer with a cache: old keys and values are kept, not made anew.

A step takes new tokens only, the prompt at once (prefill) and then one by one. Their queries are
used in that step alone; their keys and values join the cache, for all later steps. What comes out
is what the whole text gives at once, because no token depends on a later one; but for rounding,
which grows with the numbers: nothing here keeps the stream small as a norm would.
Source: primer on attention, section 3 and its glossary; Pope et al., Efficiently Scaling
Transformer Inference (2022), for the two phases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints, whole
from clockhead.model.attention.pattern import causal_mask, softmax
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.cache_sizes import CacheSizes, ScoreCounts
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Count, Difference, Doc, Factor, Tokens


@dataclass(frozen=True, eq=False)
class LayerCache:
    """Keys and values that one layer has kept of the tokens so far, (h, t, d_head) each."""

    keys: Floats
    values: Floats

    @classmethod
    def empty(cls, block: TransformerBlock) -> LayerCache:
        """The cache of `block` before the first token."""
        nothing = np.zeros((block.n_heads, 0, block.d_head))
        return cls(nothing, nothing)

    @property
    def n_tokens(self) -> Tokens:
        """How many tokens the cache holds."""
        return int(self.keys.shape[1])

    @property
    def n_numbers(self) -> Count:
        """How many numbers the cache holds, 2 h t d_head."""
        return self.keys.size + self.values.size

    def grown(self, keys: Floats, values: Floats) -> LayerCache:
        """The cache with `keys` and `values` of new tokens, (h, new, d_head) each, at its end."""
        return LayerCache(
            sealed(np.concatenate([self.keys, keys], axis=1)),
            sealed(np.concatenate([self.values, values], axis=1)),
        )


@dataclass(frozen=True, eq=False)
class CachedBlockPass:
    """What `block` computes from the rows of new tokens, `resid_pre` (new, d_model), and `cache`.

    All that it knows of earlier tokens is their keys and values.
    """

    block: TransformerBlock
    resid_pre: Floats
    cache: LayerCache

    @cached_property
    def queries(self) -> Floats:
        """Queries of the new tokens, which nothing keeps; shape (h, new, d_head)."""
        return sealed(self._by_head(self.block.w_q))

    @cached_property
    def cache_after(self) -> LayerCache:
        """The cache with the keys and values of the new tokens."""
        return self.cache.grown(self._by_head(self.block.w_k), self._by_head(self.block.w_v))

    @cached_property
    def scores(self) -> Floats:
        """New queries against all keys, -inf where the key is later; shape (h, new, t)."""
        dots = self.queries @ self.cache_after.keys.swapaxes(1, 2)  # (h, new, t)
        scales = np.array([head.scale for head in self.block.heads])  # (h,)
        seen = causal_mask(self.cache_after.n_tokens)[self.cache.n_tokens :]  # (new, t)
        return sealed(np.where(seen, scales[:, None, None] * dots, -np.inf))

    @cached_property
    def patterns(self) -> Floats:
        """Rows of the pattern for the new tokens; shape (h, new, t)."""
        return sealed(softmax(self.scores))

    @cached_property
    def resid_post(self) -> Floats:
        """The rows of the residual stream after the block; shape (new, d_model)."""
        z = self.patterns @ self.cache_after.values  # (h, new, d_head)
        concat = z.swapaxes(0, 1).reshape(len(self.resid_pre), -1)  # (new, h d_head)
        resid_mid = self.resid_pre + concat @ self.block.w_o  # (new, d_model)
        act = np.maximum(resid_mid @ self.block.w_1, 0.0)  # (new, d_ff)
        return sealed(resid_mid + act @ self.block.w_2)

    def _by_head(self, weights: Floats) -> Floats:
        rows = self.resid_pre @ weights  # (new, h d_head)
        return rows.reshape(len(rows), self.block.n_heads, -1).swapaxes(0, 1)


@dataclass(frozen=True, eq=False)
class CachedPass:
    """The text `resid_pre` (T, d_model) through `transformer`, with keys and values kept.

    The first step takes `prefill` tokens at once, every other step one more. Raises ValueError for
    a prefill outside 1 .. T, a stream that does not fit, blocks whose heads differ in number or
    width, and blocks that do not mask before the softmax: there later tokens change earlier rows.
    """

    transformer: Transformer
    resid_pre: Floats
    prefill: Annotated[Tokens, Doc("tokens that the first step takes at once")] = 1

    def __post_init__(self) -> None:
        _ = self.full
        n_tokens = len(self.resid_pre)
        if whole("prefill", self.prefill, at_least=1) > n_tokens:
            raise ValueError(f"prefill must be at most {n_tokens}, the text, got {self.prefill}")
        sizes = {(block.n_heads, block.d_head) for block in self.transformer.blocks}
        if len(sizes) > 1:
            raise ValueError(
                f"blocks must all have the same n_heads and d_head, got {sorted(sizes)}"
            )
        masks = {block.mask for block in self.transformer.blocks} - {"before softmax"}
        if masks:
            raise ValueError(f"blocks must mask 'before softmax' for a cache, got {sorted(masks)}")

    @cached_property
    def full(self) -> TransformerPass:
        """The same text at once, without a cache."""
        return self.transformer.on(finite("resid_pre", self.resid_pre, n_axes=2))

    @cached_property
    def counts(self) -> ScoreCounts:
        """Scores that these steps take in one head, with a cache and without."""
        return ScoreCounts(len(self.resid_pre), self.prefill)

    @cached_property
    def sizes(self) -> CacheSizes:
        """Sizes of the cache after the last token, its numbers as large as they are here."""
        block = self.transformer.blocks[0]
        return CacheSizes(
            n_layers=self.transformer.n_layers,
            n_heads=block.n_heads,
            n_kv_heads=block.n_heads,
            d_head=block.d_head,
            context=len(self.resid_pre),
            bytes_per_number=self.keys.itemsize,
            name="this model",
        )

    @cached_property
    def steps(self) -> tuple[tuple[CachedBlockPass, ...], ...]:
        """What each block computes in every step, from the rows of its new tokens."""
        caches = [LayerCache.empty(block) for block in self.transformer.blocks]
        steps: list[tuple[CachedBlockPass, ...]] = []
        for rows in np.split(self.resid_pre, self.counts.lengths[:-1]):  # (new, d_model) each
            passes: list[CachedBlockPass] = []
            resid = rows
            for block, cache in zip(self.transformer.blocks, caches, strict=True):
                passes.append(CachedBlockPass(block, resid, cache))
                resid = passes[-1].resid_post
            caches = [found.cache_after for found in passes]
            steps.append(tuple(passes))
        return tuple(steps)

    # The cache

    @cached_property
    def keys(self) -> Floats:
        """Keys in the cache in the end, token by token; shape (L, h, T, d_head)."""
        return sealed(np.stack([found.cache_after.keys for found in self.steps[-1]]))

    @cached_property
    def values(self) -> Floats:
        """Values in the cache in the end, token by token; shape (L, h, T, d_head)."""
        return sealed(np.stack([found.cache_after.values for found in self.steps[-1]]))

    @cached_property
    def cached_numbers(self) -> Ints:
        """Numbers in the cache after every step, 2 L h t d_head; shape (steps,)."""
        held = [[found.cache_after.n_numbers for found in passes] for passes in self.steps]
        return sealed_ints(np.array(held).sum(axis=1))

    @property
    def total_numbers(self) -> Count:
        """Numbers in the cache in the end."""
        return int(self.cached_numbers[-1])

    @cached_property
    def scores_computed(self) -> Ints:
        """Scores that every step computed in each head, masked ones left out; shape (steps,)."""
        first = [np.isfinite(passes[0].scores[0]).sum() for passes in self.steps]
        return sealed_ints(np.array(first))

    # What comes out, token by token

    @cached_property
    def resids(self) -> Floats:
        """The residual stream before the first block and after each; shape (L + 1, T, d_model)."""
        rows = [[found.resid_post for found in passes] for passes in self.steps]
        after = np.concatenate([np.stack(step) for step in rows], axis=1)  # (L, T, d_model)
        return sealed(np.concatenate([self.resid_pre[None], after]))

    @cached_property
    def patterns(self) -> Floats:
        """Rows of every pattern, each from the step of its token; shape (L, h, T, T)."""
        n_layers, n_heads, n_tokens, _ = self.keys.shape
        patterns = np.zeros((n_layers, n_heads, n_tokens, n_tokens))
        for passes in self.steps:
            rows = np.stack([found.patterns for found in passes])  # (L, h, new, t)
            new, length = rows.shape[2:]
            patterns[:, :, length - new : length, :length] = rows
        return sealed(patterns)

    @cached_property
    def logits(self) -> Floats:
        """The last stream times the unembedding, a row for each token; shape (T, V)."""
        unembedding = self.transformer.unembedding  # (d_model, V)
        rows = [passes[-1].resid_post @ unembedding for passes in self.steps]  # (new, V) each
        return sealed(np.concatenate(rows))

    @cached_property
    def largest_difference(self) -> Difference:
        """Largest difference to the full pass among streams, patterns and logits."""
        return float(max(np.abs(cached - full).max() for cached, full in self._compared))

    @cached_property
    def relative_difference(self) -> Factor:
        """Largest difference to the full pass over its largest number; what rounding leaves."""
        return self.largest_difference / float(
            max(np.abs(full).max() for _, full in self._compared)
        )

    @property
    def _compared(self) -> tuple[tuple[Floats, Floats], ...]:
        """What the cache gives and what the full pass gives."""
        patterns = np.stack([found.patterns for found in self.full.block_passes])  # (L, h, T, T)
        return (
            (self.resids, self.full.resids),
            (self.patterns, patterns),
            (self.logits, self.full.logits),
        )
