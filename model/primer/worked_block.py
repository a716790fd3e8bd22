"""The primer's second worked example: three words, two layers of two heads and an MLP.

The input is the stream `resid_pre`, which already includes positions. `run` is the forward pass,
`first` and `second` are those of its layers; the other values are for the films about it.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, check_array
from clockhead.model.primer.weights import RESID_6, VOCABULARY, primer_transformer
from clockhead.model.tokens import Vocabulary
from clockhead.model.transformer.block import BlockPass
from clockhead.model.transformer.transformer import Transformer, TransformerPass, random_transformer
from clockhead.model.units import Coordinates, Count, Doc, Place, Position, Share, Tokens

D_FF = 8
"""Width of the primer's MLP."""
_WORD, _PLACE = 0.3, 0.1
"""Standard deviations of random word embeddings and of random position embeddings."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedBlock(Values):
    """A transformer of two layers and its forward pass on a text."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, T")]
    last: Annotated[Position, Doc("the position of the last token")]
    transformer: Annotated[Transformer, Doc("two layers of attention and an MLP")]
    resid_pre: Annotated[Floats, Doc("X, the residual stream before the first layer; (T, d_model)")]
    vocabulary: Annotated[tuple[str, ...], Doc("words that the logits are for; V of them")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream")]
    n_heads: Annotated[Count, Doc("number of heads in a layer")]
    d_head: Annotated[Coordinates, Doc("width of one head's queries, keys and values")]
    d_ff: Annotated[Coordinates, Doc("width of the MLP between its two matrices")]
    n_vocab: Annotated[Tokens, Doc("size of the vocabulary, V")]
    unembedding: Annotated[Floats, Doc("U, from the stream to logits; (d_model, V)")]

    run: Annotated[
        TransformerPass,
        Doc("forward pass: residual streams, logits, probabilities, the logit lens"),
    ]
    first: Annotated[BlockPass, Doc("forward pass of the first layer")]
    second: Annotated[BlockPass, Doc("forward pass of the second layer")]
    lane_queries: Annotated[Floats, Doc("queries of each head in the first layer; (h, T, d_head)")]
    lane_keys: Annotated[Floats, Doc("keys of each head in the first layer; (h, T, d_head)")]
    lane_values: Annotated[Floats, Doc("values of each head in the first layer; (h, T, d_head)")]
    slabs: Annotated[
        Floats, Doc("rows of W_O of each head in the first layer; (h, d_head, d_model)")
    ]
    survivors: Annotated[
        Ints, Doc("number of positive pre-activations of each token in the first MLP; (T,)")
    ]
    prediction: Annotated[
        Place, Doc("index of the word with the largest logit at the last position")
    ]
    predicted: Annotated[str, Doc("word with the largest logit at the last position")]
    predicted_share: Annotated[Share, Doc("probability of the predicted word")]


def compute_block(
    tokens: Sequence[str],
    transformer: Transformer,
    resid_pre: ArrayLike,
    vocabulary: tuple[str, ...],
) -> WorkedBlock:
    """Run the transformer on the stream `resid_pre` (T, d_model); its logits are for `vocabulary`.

    Raises ValueError for sizes that do not fit, and for other than two layers.
    """
    x = check_array("resid_pre", resid_pre, n_axes=2).copy()  # (T, d_model)
    n_tokens, d_model, block = len(tokens), transformer.d_model, transformer.blocks[0]
    if transformer.n_layers != 2:
        raise ValueError(f"transformer must have 2 layers, got {transformer.n_layers}")
    if x.shape != (n_tokens, d_model):
        raise ValueError(
            f"resid_pre must be {n_tokens} x {d_model}, a row for each token, "
            f"got {' x '.join(map(str, x.shape))}"
        )
    if len(vocabulary) != transformer.n_vocab:
        raise ValueError(
            f"vocabulary must hold {transformer.n_vocab} tokens, one for each logit, "
            f"got {len(vocabulary)}"
        )
    n_heads, d_head = block.n_heads, block.d_head
    run = transformer.run(x)
    first, second = run.block_passes

    def lanes(table: Floats) -> Floats:
        """Split the columns by head: (T, h d_head) to (h, T, d_head)."""
        return table.reshape(n_tokens, n_heads, d_head).transpose(1, 0, 2).copy()

    return WorkedBlock(
        tokens=tuple(tokens),
        n_tokens=n_tokens,
        last=n_tokens - 1,
        transformer=transformer,
        resid_pre=x,
        vocabulary=vocabulary,
        d_model=d_model,
        n_heads=n_heads,
        d_head=d_head,
        d_ff=block.d_ff,
        n_vocab=transformer.n_vocab,
        unembedding=transformer.unembedding,
        run=run,
        first=first,
        second=second,
        lane_queries=lanes(first.queries),
        lane_keys=lanes(first.keys),
        lane_values=lanes(first.values),
        slabs=block.w_o.reshape(n_heads, d_head, d_model),
        survivors=(first.pre > 0).sum(axis=1),
        prediction=run.prediction,
        predicted=vocabulary[run.prediction],
        predicted_share=float(run.probabilities[run.prediction]),
    )


def worked_block(
    tokens: Sequence[str],
    resid_pre: ArrayLike | None = None,
    seed: int | None = None,
    n_heads: int = 2,
    d_ff: int = D_FF,
) -> WorkedBlock:
    """The example on `tokens`, with the primer's weights, or random ones with `seed`.

    With a seed, weights are drawn like the primer's, and the input is the sum of a random embedding
    for every word and every position, unless `resid_pre` (T, 6) is given. `n_heads` divide the
    columns of the matrices. Raises ValueError for sizes that do not fit, and for a text or a `d_ff`
    that the primer does not have.
    """
    primer = primer_transformer()
    width = primer.d_model
    if seed is None:
        if d_ff != D_FF:
            raise ValueError(f"d_ff is {D_FF} in the primer, got {d_ff}; a seed draws other sizes")
        if resid_pre is None and len(tokens) != len(RESID_6):
            raise ValueError(
                f"the primer has rows for {len(RESID_6)} words, the text has {len(tokens)}; "
                f"give the rows as resid_pre, or a seed that draws them"
            )
        blocks = (replace(block, n_heads=n_heads) for block in primer.blocks)
        transformer, rows = replace(primer, blocks=tuple(blocks)), RESID_6
    else:
        transformer = random_transformer(2, width, n_heads, d_ff, primer.n_vocab, seed)
        rows = _draw_rows(tokens, width, seed)
    given = rows if resid_pre is None else resid_pre
    return compute_block(tokens, transformer, given, VOCABULARY[: primer.n_vocab])


def _draw_rows(tokens: Sequence[str], width: int, seed: int) -> Floats:
    """Random word embeddings plus random position embeddings of the tokens; (T, width)."""
    vocabulary = Vocabulary.of(tokens)
    rng = np.random.default_rng([seed, 1])
    words = rng.normal(scale=_WORD, size=(len(vocabulary), width))  # (W, width)
    places = rng.normal(scale=_PLACE, size=(len(tokens), width))  # (T, width)
    rows = np.round(words, 2)[vocabulary.encode(tokens)] + np.round(places, 2)
    return np.round(rows, 2) + 0.0
