"""The primer's second worked example: a text of three words, two layers of two heads and an MLP.

The stream that goes in, `resid_pre`, has a row for each token, which already knows its place. All
that the transformer computes is in `run`, one layer in `first` and the other in `second`; what is
here besides is what the films about it need by name.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values, finite
from clockhead.model.primer.weights import RESID_6, VOCABULARY, primer_transformer
from clockhead.model.tokens import Vocabulary
from clockhead.model.transformer.block import BlockPass
from clockhead.model.transformer.transformer import Transformer, TransformerPass, random_transformer
from clockhead.model.units import Coordinates, Count, Doc, Place, Position, Share, Tokens

D_FF = 8
"""The width of the primer's MLP."""
_WORD, _PLACE = 0.3, 0.1
"""The spread of what is drawn for a word, and for where it stands."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WorkedBlock(Values):
    """A transformer of two layers over a text, from the stream that goes in to what comes out."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    n_tokens: Annotated[Tokens, Doc("length of the text, T")]
    last: Annotated[Position, Doc("the position of the last token")]
    transformer: Annotated[Transformer, Doc("two layers of attention and an MLP")]
    resid_pre: Annotated[Floats, Doc("X, the row of every token, as it goes in; (T, d_model)")]
    vocabulary: Annotated[tuple[str, ...], Doc("the tokens that may come next; V words")]
    d_model: Annotated[Coordinates, Doc("width of the stream")]
    n_heads: Annotated[Count, Doc("how many heads share the attention of a layer")]
    d_head: Annotated[Coordinates, Doc("the width of one head's queries, keys and values")]
    d_ff: Annotated[Coordinates, Doc("width of the MLP between its two matrices")]
    n_vocab: Annotated[Tokens, Doc("how many tokens have a logit, V")]
    unembedding: Annotated[Floats, Doc("U, by which a row becomes logits; (d_model, V)")]

    run: Annotated[
        TransformerPass,
        Doc("the transformer at work: streams, logits, probabilities, the logit lens"),
    ]
    first: Annotated[BlockPass, Doc("what the first layer computes")]
    second: Annotated[BlockPass, Doc("what the second layer computes")]
    lane_queries: Annotated[
        Floats, Doc("the queries of the first layer, cut into a lane for each head; (h, T, d_head)")
    ]
    lane_keys: Annotated[Floats, Doc("its keys, cut likewise; (h, T, d_head)")]
    lane_values: Annotated[Floats, Doc("its values, cut likewise; (h, T, d_head)")]
    slabs: Annotated[
        Floats, Doc("the rows of W_O of the first layer that each head has; (h, d_head, d_model)")
    ]
    survivors: Annotated[
        Ints, Doc("how many numbers of each token's row ReLU keeps in the first layer; (T,)")
    ]
    prediction: Annotated[Place, Doc("which token of the vocabulary comes out first")]
    predicted: Annotated[str, Doc("this token")]
    predicted_share: Annotated[Share, Doc("the probability of the word that comes out")]


def compute_block(
    tokens: Sequence[str],
    transformer: Transformer,
    resid_pre: ArrayLike,
    vocabulary: tuple[str, ...],
) -> WorkedBlock:
    """The transformer on the stream `resid_pre` (T, d_model); its logits are for `vocabulary`.

    Raises ValueError for sizes that do not fit, and for another number of layers than two.
    """
    x = finite("resid_pre", resid_pre, n_axes=2).copy()  # (T, d_model)
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
    run = transformer.on(x)
    first, second = run.block_passes

    def lanes(table: Floats) -> Floats:
        """(T, h d_head) to (h, T, d_head)."""
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
    """The example over `tokens`: the primer's, or drawn with `seed`; `n_heads` cut its columns.

    A seed draws the weights as the primer's were drawn, and for every word and every place a row,
    whose sum goes in; the stream that is given as `resid_pre` (T, 6) goes in instead. Raises
    ValueError for sizes that do not fit, and where the primer has no row or no such MLP.
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
        rows = _drawn_rows(tokens, width, seed)
    given = rows if resid_pre is None else resid_pre
    return compute_block(tokens, transformer, given, VOCABULARY[: primer.n_vocab])


def _drawn_rows(tokens: Sequence[str], width: int, seed: int) -> Floats:
    """A row for each token: that of its word plus that of its place; (T, width)."""
    vocabulary = Vocabulary.of(tokens)
    rng = np.random.default_rng([seed, 1])
    words = rng.normal(scale=_WORD, size=(len(vocabulary), width))  # (W, width)
    places = rng.normal(scale=_PLACE, size=(len(tokens), width))  # (T, width)
    rows = np.round(words, 2)[vocabulary.encode(tokens)] + np.round(places, 2)
    return np.round(rows, 2) + 0.0
