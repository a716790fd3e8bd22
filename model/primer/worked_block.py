"""The primer's second worked example: a text of three words, two layers of two heads and an MLP.

The stream that goes in, `resid_pre`, has a row for each token, which already knows its place. All
that the transformer computes is in `run`, one layer in `first` and the other in `second`; what is
here besides is what the films about it need by name.
Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints
from clockhead.model.primer.tables import PrintedSection
from clockhead.model.primer.weights import RESID_6, SENTENCE, VOCABULARY, primer_transformer
from clockhead.model.tokens import Vocabulary
from clockhead.model.transformer.block import BlockPass
from clockhead.model.transformer.transformer import Transformer, TransformerPass, random_transformer
from clockhead.model.units import (
    Coordinates,
    Count,
    Doc,
    Place,
    Position,
    Share,
    Tokens,
)

_ROUNDING = 1e-12
"""By how much shares may differ that are the same."""
D_FF = 8
"""The width of the primer's MLP."""
_WORD, _PLACE = 0.3, 0.1
"""The spread of what is drawn for a word, and for where it stands."""


@dataclass(frozen=True, eq=False)
class WorkedBlock:
    """A transformer of two layers over `tokens`, from the stream `resid_pre` (T, d_model) on.

    `vocabulary` names the tokens that its logits are for, V of them. Raises ValueError for sizes
    that do not fit, and for a transformer of another number of layers.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    transformer: Transformer
    resid_pre: Annotated[Floats, Doc("X, the row of every token, as it goes in; (T, d_model)")]
    vocabulary: Annotated[tuple[str, ...], Doc("the tokens that may come next; V words")]

    def __post_init__(self) -> None:
        if self.transformer.n_layers != 2:
            raise ValueError(f"transformer must have 2 layers, got {self.transformer.n_layers}")
        shape = finite("resid_pre", self.resid_pre, n_axes=2).shape
        if shape != (len(self.tokens), self.transformer.d_model):
            raise ValueError(
                f"resid_pre must be {len(self.tokens)} x {self.transformer.d_model}, a row for "
                f"each token, got {' x '.join(map(str, shape))}"
            )
        if len(self.vocabulary) != self.transformer.n_vocab:
            raise ValueError(
                f"vocabulary must hold {self.transformer.n_vocab} tokens, one for each logit, "
                f"got {len(self.vocabulary)}"
            )
        sealed(self.resid_pre)

    # Sizes

    @property
    def n_tokens(self) -> Tokens:
        """Length of the text, T."""
        return len(self.tokens)

    @property
    def last(self) -> Position:
        """The position of the last token."""
        return len(self.tokens) - 1

    @property
    def d_model(self) -> Coordinates:
        """Width of the stream."""
        return self.transformer.d_model

    @property
    def n_heads(self) -> Count:
        """How many heads share the attention of a layer."""
        return self.transformer.blocks[0].n_heads

    @property
    def d_head(self) -> Coordinates:
        """Width of the queries, keys and values of one head."""
        return self.transformer.blocks[0].d_head

    @property
    def d_ff(self) -> Coordinates:
        """Width of the MLP between its two matrices."""
        return self.transformer.blocks[0].d_ff

    @property
    def n_vocab(self) -> Tokens:
        """How many tokens have a logit, V."""
        return self.transformer.n_vocab

    @cached_property
    def is_primer(self) -> bool:
        """Whether it is the primer's example, with its sentence, its stream and its weights."""
        mine, primer = self.transformer, primer_transformer()
        names = ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2", "n_heads", "mask")
        same = [np.array_equal(self.resid_pre, RESID_6), self.tokens == SENTENCE]
        same += [
            np.array_equal(getattr(block, name), getattr(other, name))
            for block, other in zip(mine.blocks, primer.blocks, strict=True)
            for name in names
        ]
        return all(same) and np.array_equal(mine.unembedding, primer.unembedding)

    @cached_property
    def printed(self) -> PrintedSection:
        """What the primer prints of its own example, beside the true values."""
        return PrintedSection(6)

    @property
    def misprinted_place(self) -> Place:
        """Which token of the vocabulary has a wrong probability in the primer's table."""
        return int(self.printed.table("probs").wrong[0].argmax())

    @property
    def misprinted(self) -> str:
        """This token."""
        return self.vocabulary[self.misprinted_place]

    @property
    def misprint(self) -> Share:
        """Its probability as the primer prints it."""
        return float(self.printed.table("probs").printed.rows[0, self.misprinted_place])

    @property
    def corrected(self) -> Share:
        """Its true probability in the primer's example."""
        return float(self.printed.table("probs").true[0, self.misprinted_place])

    # What it computes

    @cached_property
    def run(self) -> TransformerPass:
        """The transformer at work: streams, logits, probabilities, the logit lens."""
        return self.transformer.on(self.resid_pre)

    @property
    def first(self) -> BlockPass:
        """What the first layer computes."""
        return self.run.block_passes[0]

    @property
    def second(self) -> BlockPass:
        """What the second layer computes."""
        return self.run.block_passes[1]

    @property
    def unembedding(self) -> Floats:
        """U, by which a row becomes logits; shape (d_model, V)."""
        return self.transformer.unembedding

    # The lanes of the first layer

    @cached_property
    def lane_queries(self) -> Floats:
        """The queries of the first layer, cut into a lane for each head; shape (h, T, d_head)."""
        return self._cut(self.first.queries)

    @cached_property
    def lane_keys(self) -> Floats:
        """Its keys, cut likewise; shape (h, T, d_head)."""
        return self._cut(self.first.keys)

    @cached_property
    def lane_values(self) -> Floats:
        """Its values, cut likewise; shape (h, T, d_head)."""
        return self._cut(self.first.values)

    @cached_property
    def slabs(self) -> Floats:
        """The rows of W_O of the first layer that each head has; shape (h, d_head, d_model)."""
        w_o = self.first.block.w_o  # (h d_head, d_model)
        return sealed(w_o.reshape(self.n_heads, self.d_head, self.d_model))

    # How the heads of the first layer look

    @cached_property
    def pattern_differences(self) -> Floats:
        """How far apart the shares of the heads are for a query and a key; shape (T, T)."""
        return sealed(np.ptp(self.first.patterns, axis=0))

    @property
    def heads_differ(self) -> bool:
        """Whether a share is another in one head than in another, rounding apart."""
        return bool(self.pattern_differences.max() > _ROUNDING)

    @cached_property
    def differ_most_at(self) -> Ints:
        """The query and the key at which the heads differ most; shape (2,)."""
        place = int(self.pattern_differences.argmax())
        return sealed_ints(np.array(divmod(place, self.n_tokens)))

    @property
    def shares_there(self) -> Floats:
        """The share that each head gives there; shape (h,)."""
        m, n = self.differ_most_at
        return np.asarray(self.first.patterns[:, m, n])

    @property
    def most_there(self) -> Share:
        """The largest share that a head gives there."""
        return float(self.shares_there.max())

    @property
    def least_there(self) -> Share:
        """The smallest share that a head gives there."""
        return float(self.shares_there.min())

    # The MLP of the first layer

    @cached_property
    def survivors(self) -> Ints:
        """How many numbers of each token's row are above 0, so that ReLU keeps them; (T,)."""
        return sealed_ints((self.first.pre > 0).sum(axis=1))

    # What comes out

    @property
    def prediction(self) -> Place:
        """Which token of the vocabulary comes out first."""
        return self.run.prediction

    @property
    def predicted(self) -> str:
        """This token."""
        return self.vocabulary[self.prediction]

    @property
    def predicted_share(self) -> Share:
        """Its probability."""
        return float(self.run.probabilities[self.prediction])

    def _cut(self, table: Floats) -> Floats:
        """(T, h d_head) to (h, T, d_head)."""
        cut = table.reshape(self.n_tokens, self.n_heads, self.d_head)
        return sealed(cut.transpose(1, 0, 2).copy())


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
    given = rows if resid_pre is None else finite("resid_pre", resid_pre, n_axes=2)
    return WorkedBlock(tuple(tokens), transformer, given.copy(), VOCABULARY[: primer.n_vocab])


def _drawn_rows(tokens: Sequence[str], width: int, seed: int) -> Floats:
    """A row for each token: that of its word plus that of its place; (T, width)."""
    vocabulary = Vocabulary.of(tokens)
    rng = np.random.default_rng([seed, 1])
    words = rng.normal(scale=_WORD, size=(len(vocabulary), width))  # (W, width)
    places = rng.normal(scale=_PLACE, size=(len(tokens), width))  # (T, width)
    rows = np.round(words, 2)[vocabulary.encode(tokens)] + np.round(places, 2)
    return np.round(rows, 2) + 0.0
