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
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, finite
from clockhead.model.attention.pattern import causal_mask, softmax
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.cache_sizes import ScoreCounts, score_counts
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Difference, Doc, Factor, Tokens


@dataclass(frozen=True, eq=False)
class LayerCache(Values):
    """Keys and values that one layer has kept of the tokens so far."""

    keys: Annotated[Floats, Doc("the keys, token by token; (h, t, d_head)")]
    values: Annotated[Floats, Doc("the values, token by token; (h, t, d_head)")]


@dataclass(frozen=True, kw_only=True, eq=False)
class CachedBlockPass(Values):
    """What a block computes from the rows of new tokens and the keys and values of earlier ones."""

    resid_pre: Annotated[Floats, Doc("the rows of the new tokens; (new, d_model)")]
    cache: Annotated[LayerCache, Doc("what is known of earlier tokens")]
    queries: Annotated[
        Floats, Doc("queries of the new tokens, which nothing keeps; (h, new, d_head)")
    ]
    cache_after: Annotated[LayerCache, Doc("the cache with the new tokens at its end")]
    scores: Annotated[
        Floats, Doc("new queries against all keys, -inf where the key is later; (h, new, t)")
    ]
    patterns: Annotated[Floats, Doc("rows of the pattern for the new tokens; (h, new, t)")]
    resid_post: Annotated[
        Floats, Doc("the rows of the residual stream after the block; (new, d_model)")
    ]


def cached_block_pass(
    block: TransformerBlock, resid_pre: Floats, cache: LayerCache
) -> CachedBlockPass:
    """`block` on the rows (new, d_model) of new tokens, after those of which `cache` knows."""

    def by_head(weights: Floats) -> Floats:
        rows = resid_pre @ weights  # (new, h d_head)
        return rows.reshape(len(rows), block.n_heads, -1).swapaxes(0, 1)

    queries = by_head(block.w_q)
    keys = np.concatenate([cache.keys, by_head(block.w_k)], axis=1)  # (h, t, d_head)
    values = np.concatenate([cache.values, by_head(block.w_v)], axis=1)
    dots = queries @ keys.swapaxes(1, 2)  # (h, new, t)
    scales = np.array([head.scale for head in block.heads])  # (h,)
    seen = causal_mask(keys.shape[1])[cache.keys.shape[1] :]  # (new, t)
    scores = np.where(seen, scales[:, None, None] * dots, -np.inf)
    patterns = softmax(scores)
    z = patterns @ values  # (h, new, d_head)
    concat = z.swapaxes(0, 1).reshape(len(resid_pre), -1)  # (new, h d_head)
    resid_mid = resid_pre + concat @ block.w_o  # (new, d_model)
    act = np.maximum(resid_mid @ block.w_1, 0.0)  # (new, d_ff)
    return CachedBlockPass(
        resid_pre=resid_pre,
        cache=cache,
        queries=queries,
        cache_after=LayerCache(keys, values),
        scores=scores,
        patterns=patterns,
        resid_post=resid_mid + act @ block.w_2,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class CachedPass(Values):
    """A text of T tokens through a transformer, with keys and values kept."""

    transformer: Transformer
    resid_pre: Floats
    prefill: Annotated[Tokens, Doc("tokens that the first step takes at once")]
    full: Annotated[TransformerPass, Doc("the same text at once, without a cache")]
    counts: Annotated[
        ScoreCounts, Doc("scores that these steps take in one head, with a cache and without")
    ]
    steps: Annotated[
        tuple[tuple[CachedBlockPass, ...], ...],
        Doc("what each block computes in every step, from the rows of its new tokens"),
    ]
    keys: Annotated[Floats, Doc("keys in the cache in the end, token by token; (L, h, T, d_head)")]
    values: Annotated[
        Floats, Doc("values in the cache in the end, token by token; (L, h, T, d_head)")
    ]
    resids: Annotated[
        Floats,
        Doc("the residual stream before the first block and after each; (L + 1, T, d_model)"),
    ]
    patterns: Annotated[
        Floats, Doc("rows of every pattern, each from the step of its token; (L, h, T, T)")
    ]
    logits: Annotated[
        Floats, Doc("the last stream times the unembedding, a row for each token; (T, V)")
    ]
    largest_difference: Annotated[
        Difference, Doc("largest difference to the full pass among streams, patterns and logits")
    ]
    relative_difference: Annotated[
        Factor,
        Doc("largest difference to the full pass over its largest number; what rounding leaves"),
    ]


def cached_pass(transformer: Transformer, resid_pre: ArrayLike, n_prompt: int = 1) -> CachedPass:
    """The text `resid_pre` (T, d_model) through `transformer`, step by step.

    The first step takes `n_prompt` tokens at once, every other step one more. Raises ValueError for
    a prompt outside 1 .. T, a stream that does not fit, blocks whose heads differ in number or
    width, and blocks that do not mask before the softmax: there later tokens change earlier rows.
    """
    x = finite("resid_pre", resid_pre, n_axes=2).copy()  # (T, d_model)
    full, blocks = transformer.on(x), transformer.blocks
    counts = score_counts(len(x), n_prompt)
    sizes = {(block.n_heads, block.d_head) for block in blocks}
    if len(sizes) > 1:
        raise ValueError(f"blocks must all have the same n_heads and d_head, got {sorted(sizes)}")
    masks = {block.mask for block in blocks} - {"before softmax"}
    if masks:
        raise ValueError(f"blocks must mask 'before softmax' for a cache, got {sorted(masks)}")

    (n_heads, d_head) = sizes.pop()
    nothing = np.zeros((n_heads, 0, d_head))
    caches = [LayerCache(nothing, nothing) for _ in blocks]
    steps: list[tuple[CachedBlockPass, ...]] = []
    patterns = np.zeros((len(blocks), n_heads, len(x), len(x)))
    for rows in np.split(x, counts.lengths[:-1]):  # (new, d_model) each
        passes: list[CachedBlockPass] = []
        resid = rows
        for block, cache in zip(blocks, caches, strict=True):
            passes.append(cached_block_pass(block, resid, cache))
            resid = passes[-1].resid_post
        caches = [found.cache_after for found in passes]
        steps.append(tuple(passes))
        new, length = passes[0].scores.shape[1:]
        for layer, found in enumerate(passes):
            patterns[layer, :, length - new : length, :length] = found.patterns
    after = [np.stack([found.resid_post for found in passes]) for passes in steps]
    resids = np.concatenate([x[None], np.concatenate(after, axis=1)])  # (L + 1, T, d_model)
    logits = np.concatenate([passes[-1].resid_post @ transformer.unembedding for passes in steps])
    compared = (
        (resids, full.resids),
        (patterns, np.stack([found.patterns for found in full.block_passes])),
        (logits, full.logits),
    )
    largest_difference = float(max(np.abs(ours - theirs).max() for ours, theirs in compared))
    largest = float(max(np.abs(theirs).max() for _, theirs in compared))
    return CachedPass(
        transformer=transformer,
        resid_pre=x,
        prefill=n_prompt,
        full=full,
        counts=counts,
        steps=tuple(steps),
        keys=np.stack([cache.keys for cache in caches]),
        values=np.stack([cache.values for cache in caches]),
        resids=resids,
        patterns=patterns,
        logits=logits,
        largest_difference=largest_difference,
        relative_difference=largest_difference / largest,
    )
