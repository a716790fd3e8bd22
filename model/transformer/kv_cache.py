"""A forward pass of a transformer with a key-value cache.

Each step computes new tokens only, first the whole prompt (prefill) and then one token at a time
(decode). Their queries are used in that step only; their keys and values are added to the cache for
all later steps. The results equal those of a pass on the whole text, because no token depends on a
later one. They differ only by rounding, which grows with the stream, because there is no norm.
Source: primer on attention, section 3 and its glossary; Pope et al., Efficiently Scaling
Transformer Inference (2022), for the two phases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Values, check_array
from clockhead.model.attention.pattern import causal_mask, softmax
from clockhead.model.transformer.block import TransformerBlock
from clockhead.model.transformer.cache_sizes import ScoreCounts, score_counts
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Difference, Doc, Factor, Tokens


@dataclass(frozen=True, eq=False)
class LayerCache(Values):
    """Cached keys and values of one layer, for t tokens so far."""

    keys: Annotated[Floats, Doc("keys of each head; (h, t, d_head)")]
    values: Annotated[Floats, Doc("values of each head; (h, t, d_head)")]


@dataclass(frozen=True, kw_only=True, eq=False)
class CachedBlockPass(Values):
    """One forward pass of a block on new tokens, with cached keys and values of earlier ones."""

    resid_pre: Annotated[
        Floats, Doc("rows of the residual stream of the new tokens; (new, d_model)")
    ]
    cache: Annotated[LayerCache, Doc("keys and values of earlier tokens")]
    queries: Annotated[
        Floats, Doc("queries of the new tokens, which are not cached; (h, new, d_head)")
    ]
    cache_after: Annotated[LayerCache, Doc("the cache with the new tokens appended")]
    scores: Annotated[
        Floats, Doc("attention scores of the new queries, -inf where the key is later; (h, new, t)")
    ]
    patterns: Annotated[Floats, Doc("attention weights of the new tokens; (h, new, t)")]
    resid_post: Annotated[
        Floats, Doc("rows of the residual stream after the block; (new, d_model)")
    ]


def cached_block_pass(
    block: TransformerBlock, resid_pre: Floats, cache: LayerCache
) -> CachedBlockPass:
    """Run `block` on the rows (new, d_model) of new tokens, which follow those in `cache`."""

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
    """The forward pass of a transformer on a text of T tokens, step by step with a cache."""

    transformer: Transformer
    resid_pre: Floats
    prefill: Annotated[Tokens, Doc("tokens of the prompt, which the first step computes at once")]
    full: Annotated[TransformerPass, Doc("forward pass on the whole text, without a cache")]
    counts: Annotated[
        ScoreCounts,
        Doc("numbers of scores that these steps compute in one head, with a cache and without"),
    ]
    steps: Annotated[
        tuple[tuple[CachedBlockPass, ...], ...],
        Doc("pass of each block on the new tokens, in every step"),
    ]
    keys: Annotated[Floats, Doc("keys in the cache at the end; (L, h, T, d_head)")]
    values: Annotated[Floats, Doc("values in the cache at the end; (L, h, T, d_head)")]
    resids: Annotated[
        Floats,
        Doc("the residual stream before the first block and after each; (L + 1, T, d_model)"),
    ]
    patterns: Annotated[
        Floats, Doc("attention weights, each row from the step of its token; (L, h, T, T)")
    ]
    logits: Annotated[Floats, Doc("logits of the next token at each position; (T, V)")]
    largest_difference: Annotated[
        Difference, Doc("largest difference from the full pass, in streams, patterns and logits")
    ]
    relative_difference: Annotated[
        Factor,
        Doc("largest difference from the full pass, over its largest number; rounding only"),
    ]


def cached_pass(transformer: Transformer, resid_pre: ArrayLike, n_prompt: int = 1) -> CachedPass:
    """Run `transformer` on the stream `resid_pre` (T, d_model), step by step with a cache.

    The first step computes `n_prompt` tokens at once, every other step one more. Raises ValueError
    for a prompt outside 1 .. T, a stream that does not fit, blocks whose heads differ in number or
    width, and blocks that do not mask before the softmax, where later tokens change earlier rows.
    """
    x = check_array("resid_pre", resid_pre, n_axes=2).copy()  # (T, d_model)
    full, blocks = transformer.run(x), transformer.blocks
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
