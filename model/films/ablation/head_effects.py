"""Ablation of the heads of a small transformer, compared with how focused their patterns are.

A head is ablated by setting its rows of W_O to 0: it still attends, but writes nothing. Its effect
is the total variation distance between the next word's probabilities with and without it. How busy
(focused) a head looks is the distance between its pattern and a uniform one.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6 and appendix A; Jain
and Wallace, Attention is not Explanation (2019), for total variation as the measure of an effect,
and for patterns that do not show which heads matter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.attention.pattern import causal_mask
from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.model.transformer.block import BlockPass, TransformerBlock
from clockhead.model.transformer.transformer import Transformer, TransformerPass
from clockhead.model.units import Count, Difference, Doc, Share, Shares

ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Largest float below 1."""
SEEN = 1e-3
"""Smallest difference of two probabilities that a viewer can see."""


@dataclass(frozen=True, kw_only=True)
class HeadPair(Values):
    """A busier and a duller head, and the effect of each."""

    busy: Annotated[Ints, Doc("layer and number of the busier head; (2,)")]
    dull: Annotated[Ints, Doc("layer and number of the duller head; (2,)")]
    busy_effect: Annotated[Share, Doc("effect of the busier head")]
    dull_effect: Annotated[Share, Doc("effect of the duller head")]


@dataclass(frozen=True, kw_only=True, eq=False)
class HeadEffects(WorkedBlock):
    """The primer's second example, or a random one, with each head ablated in turn."""

    n_layers: Annotated[Count, Doc("number of layers, L")]

    # One head ablated
    silenced: Annotated[
        tuple[tuple[TransformerPass, ...], ...],
        Doc("forward pass with each head ablated, by layer and head"),
    ]
    first_silenced: Annotated[
        BlockPass, Doc("forward pass of the first layer with its head 0 ablated")
    ]
    silenced_probabilities: Annotated[
        Shares, Doc("probabilities of the next word with each head ablated; (L, h, V)")
    ]
    kept_probabilities: Annotated[
        Shares, Doc("the smaller of each probability with and without each head; (L, h, V)")
    ]
    effects: Annotated[
        Shares,
        Doc(
            "effect of each head: total variation distance of the probabilities with and without "
            "it; rounding is not allowed to make it 1; (L, h)"
        ),
    ]
    silenced_patterns: Annotated[
        Floats,
        Doc("attention weights of all heads with each head ablated; (L, h, L, h, T, T)"),
    ]
    strongest: Annotated[
        Ints,
        Doc("layer and number of the head with the largest effect, the first if several tie; (2,)"),
    ]
    strongest_share: Annotated[
        Share, Doc("probability of the predicted word without the strongest head")
    ]
    n_words_changed: Annotated[
        Count, Doc("number of heads whose ablation changes the predicted word")
    ]
    deletion_error: Annotated[
        Difference,
        Doc("largest difference of a logit between ablating a head and deleting it"),
    ]

    # All heads ablated
    off: Annotated[TransformerPass, Doc("forward pass with all heads ablated")]
    off_effect: Annotated[Share, Doc("effect of ablating all heads")]
    off_patterns: Annotated[
        Floats, Doc("attention weights of all heads while all are ablated; (L, h, T, T)")
    ]
    kept_off: Annotated[
        Shares, Doc("the smaller of each probability with and without all heads; (V,)")
    ]

    # How busy the heads look
    patterns: Annotated[Shares, Doc("attention weights of all heads; (L, h, T, T)")]
    row_looks: Annotated[
        Floats,
        Doc("total variation distance of each row of each pattern from a uniform row; (L, h, T)"),
    ]
    looks: Annotated[
        Shares,
        Doc("how busy each head looks: mean distance of its rows, without the first; (L, h)"),
    ]
    busiest: Annotated[
        Ints, Doc("layer and number of the head that looks busiest, the first if several tie; (2,)")
    ]
    busiest_effect: Annotated[Share, Doc("effect of the head that looks busiest")]
    misleading_pair: Annotated[
        HeadPair | None,
        Doc("two heads of which the busier has the smaller effect, or None if there are none"),
    ]


def check_heads(block: WorkedBlock) -> None:
    """Check that the looks and effects of a block's heads can be compared.

    Raises ValueError for a text of one token, which can only attend to itself, for a layer of one
    head, for layers of different numbers of heads, and for heads that see later tokens.
    """
    if block.n_tokens < 2:
        raise ValueError(f"tokens must be at least 2, got {block.n_tokens}")
    counts = [layer.n_heads for layer in block.transformer.blocks]
    if min(counts) < 2 or len(set(counts)) > 1:
        raise ValueError(f"n_heads must be at least 2, the same in all layers, got {counts}")
    masks = [layer.mask for layer in block.transformer.blocks]
    if set(masks) != {"before softmax"}:
        raise ValueError(f"mask must be 'before softmax' in all layers, got {masks}")


def head_effects(block: WorkedBlock) -> HeadEffects:
    """Ablate each head of `block` in turn. Raises ValueError like `check_heads`."""
    check_heads(block)
    transformer, x, run = block.transformer, block.resid_pre, block.run
    usual, word = run.probabilities, block.prediction  # (V,)
    layers, heads = range(transformer.n_layers), range(block.n_heads)
    silenced = tuple(
        tuple(transformer.ablate({layer: [head]}).run(x) for head in heads) for layer in layers
    )
    probabilities = np.array([[each.probabilities for each in row] for row in silenced])
    predictions = np.array([[each.prediction for each in row] for row in silenced])  # (L, h)
    effects = np.minimum(total_variation(probabilities, usual), ALMOST_ALL)  # (L, h)
    strongest = _largest_head(effects)
    deletion_errors = [
        np.abs(silenced[layer][head].logits - _logits_without_head(block, layer, head)).max()
        for layer in layers
        for head in heads
    ]
    off = transformer.without_attention.run(x)
    patterns = _patterns(run)
    row_looks = row_busyness(patterns)
    looks = row_looks[..., 1:].mean(axis=-1)  # (L, h)
    busiest = _largest_head(looks)
    return HeadEffects(
        **vars(block),
        n_layers=len(layers),
        silenced=silenced,
        first_silenced=silenced[0][0].block_passes[0],
        silenced_probabilities=probabilities,
        kept_probabilities=np.minimum(probabilities, usual),
        effects=effects,
        silenced_patterns=np.array([[_patterns(each) for each in row] for row in silenced]),
        strongest=strongest,
        strongest_share=min(float(probabilities[(*strongest, word)]), ALMOST_ALL),
        n_words_changed=int((predictions != word).sum()),
        deletion_error=float(max(deletion_errors)),
        off=off,
        off_effect=min(float(total_variation(off.probabilities, usual)), ALMOST_ALL),
        off_patterns=_patterns(off),
        kept_off=np.minimum(off.probabilities, usual),
        patterns=patterns,
        row_looks=row_looks,
        looks=looks,
        busiest=busiest,
        busiest_effect=float(effects[tuple(busiest)]),
        misleading_pair=_misleading_pair(looks, effects),
    )


def _misleading_pair(looks: Floats, effects: Floats) -> HeadPair | None:
    """Two heads of which the busier has the smaller effect, if there are any; (L, h) each.

    Of several such pairs, take the one with the largest product of both differences, so that
    neither looks nor effects are nearly equal. Both differences must be at least `SEEN`.
    """
    n_heads = looks.shape[1]
    looks, effects = looks.ravel(), effects.ravel()  # (L h,) each
    busier, less = np.subtract.outer(looks, looks), -np.subtract.outer(effects, effects)
    misled = (busier >= SEEN) & (less >= SEEN)  # (L h, L h), [busier, duller]
    products = np.where(misled, busier * less, 0.0)
    if not products.any():
        return None
    busy, dull = divmod(int(products.argmax()), len(looks))
    return HeadPair(
        busy=np.array(divmod(busy, n_heads)),
        dull=np.array(divmod(dull, n_heads)),
        busy_effect=float(effects[busy]),
        dull_effect=float(effects[dull]),
    )


def _largest_head(values: Floats) -> Ints:
    """Layer and number of the largest of (L, h) values, the first if several tie; (2,)."""
    return np.array(divmod(int(values.argmax()), values.shape[1]))


def _patterns(run: TransformerPass) -> Floats:
    return np.stack([found.patterns for found in run.block_passes])  # (L, h, T, T)


def _logits_without_head(block: WorkedBlock, layer: int, head: int) -> Floats:
    """Logits of the model after deleting the columns and rows of a head; (T, V)."""
    blocks = list(block.transformer.blocks)
    blocks[layer] = _delete_head(blocks[layer], head)
    return Transformer(tuple(blocks), block.unembedding).run(block.resid_pre).logits


def _delete_head(block: TransformerBlock, head: int) -> TransformerBlock:
    """The block without one of its heads."""
    lane = block.lanes[head]
    columns = {name: np.delete(getattr(block, name), lane, 1) for name in ("w_q", "w_k", "w_v")}
    rest = np.delete(block.w_o, lane, 0)
    return replace(block, **columns, w_o=rest, n_heads=block.n_heads - 1)


def total_variation(p: Floats, q: Floats) -> Floats:
    """Total variation distance of distributions along the last axis: (..., V) twice to (...).

    This is half the sum of absolute differences, the probability that has to be moved.
    """
    return np.asarray(np.abs(p - q).sum(axis=-1) / 2)


def row_busyness(patterns: Floats) -> Floats:
    """Total variation distance of each row of causal patterns (..., T, T) from uniform; (..., T).

    In the uniform row m, each key up to m has the weight 1/(m + 1). The distance is 0 for a uniform
    row and m/(m + 1) for one that attends to a single key.
    """
    seen = causal_mask(patterns.shape[-1])  # (T, T)
    return total_variation(patterns, seen / seen.sum(axis=1, keepdims=True))
