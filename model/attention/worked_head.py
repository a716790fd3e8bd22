"""One attention head small enough to be worked by hand, from embedding rows to a next word.

Everything is an instance of the head of `model.attention.head`: W_Q, W_K and W_V are square, dot
products are divided by sqrt(d_head), later tokens are masked, W_O is the identity, nothing knows
positions. Matrices are given as on paper: the query of a row x is x W_Q. Source: Luca Erzegovesi,
Transformers and QKV Attention: A Primer, section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Ints, finite, sealed, sealed_ints
from clockhead.model.attention.head import AttentionHead, HeadPass
from clockhead.model.attention.next_word import NextWord
from clockhead.model.tokens import Vocabulary
from clockhead.model.units import Coordinates, Doc, Factor, Place, Position, Share, Tokens

_ROUNDING = 4e-15
"""The error of a dot product, as a share of what its terms add up to without their signs."""
_LOGIT_ROUNDING = 1e-12
"""By how much logits may differ that are the same, as a share of their largest product."""


@dataclass(frozen=True, eq=False)
class WorkedHead:
    """A head over `tokens`, whose different words have the rows of `embedding`, (W, d_model).

    `w_q`, `w_k` and `w_v` are (d_model, d_model). Raises ValueError for shapes that do not fit.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    embedding: Annotated[Floats, Doc("a row for each different word of the text, in order")]
    w_q: Annotated[Floats, Doc("W_Q, by which a row becomes its query")]
    w_k: Annotated[Floats, Doc("W_K, by which a row becomes its key")]
    w_v: Annotated[Floats, Doc("W_V, by which a row becomes its value")]

    def __post_init__(self) -> None:
        n_words, width = len(self.vocabulary), finite("embedding", self.embedding, 2).shape[1]
        shapes = {"embedding": (n_words, width)} | dict.fromkeys(
            ("w_q", "w_k", "w_v"), (width,) * 2
        )
        for name, shape in shapes.items():
            if finite(name, getattr(self, name), n_axes=2).shape != shape:
                raise ValueError(f"{name} must be {shape[0]} x {shape[1]}, got {_size(self, name)}")
            sealed(getattr(self, name))

    # The text

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The different words of the text, in order of first appearance."""
        return Vocabulary.of(self.tokens)

    @cached_property
    def places(self) -> Ints:
        """Which of the different words each token is; shape (T,)."""
        return sealed_ints(self.vocabulary.encode(self.tokens))

    @property
    def n_tokens(self) -> Tokens:
        """Length of the text."""
        return len(self.tokens)

    @property
    def d_model(self) -> Coordinates:
        """Width of a row, of a query, of a key and of a value."""
        return int(self.embedding.shape[1])

    @property
    def last(self) -> Position:
        """The position of the last token, which asks."""
        return len(self.tokens) - 1

    # From rows to queries, keys and values

    @cached_property
    def resid_pre(self) -> Floats:
        """X, the row of every token; shape (T, d_model)."""
        return sealed(self.embedding[self.places])

    @cached_property
    def head_pass(self) -> HeadPass:
        """The head at work."""
        scale = 1 / math.sqrt(self.d_model)
        w_q, w_k, w_v = (weights.T.copy() for weights in (self.w_q, self.w_k, self.w_v))
        return AttentionHead(w_q, w_k, w_v, scale=scale).on(self.resid_pre)

    @property
    def queries(self) -> Floats:
        """X W_Q, what each token asks with; shape (T, d_model)."""
        return self.head_pass.queries

    @property
    def keys(self) -> Floats:
        """X W_K, what each token is found by; shape (T, d_model)."""
        return self.head_pass.keys

    @property
    def values(self) -> Floats:
        """X W_V, what each token hands over; shape (T, d_model)."""
        return self.head_pass.values

    @cached_property
    def entry_column(self) -> Place:
        """The column of W_Q of whose products with the last row most are not 0, the first such."""
        products = self.resid_pre[self.last][:, None] * self.w_q  # (d_model, d_model)
        return int(np.argmax((products != 0).sum(axis=0)))

    @cached_property
    def entry_terms(self) -> Floats:
        """The products that add up to this entry of the last token's query; shape (d_model,)."""
        return sealed(self.resid_pre[self.last] * self.w_q[:, self.entry_column])

    @property
    def entry(self) -> Factor:
        """This entry of the last token's query."""
        return float(self.queries[self.last, self.entry_column])

    # Scores

    @property
    def dots(self) -> Floats:
        """Dot product of query m and key n; shape (T, T)."""
        return self.head_pass.dots

    @cached_property
    def rounding(self) -> Floats:
        """By how much rounding may move the last token's dot products; shape (T,)."""
        x, w_q, w_k = (np.abs(matrix) for matrix in (self.resid_pre, self.w_q, self.w_k))
        return sealed(_ROUNDING * (x[self.last] @ w_q) @ (x @ w_k).T)

    @cached_property
    def best_keys(self) -> Ints:
        """The tokens whose keys fit the last one's query best, rounding apart; shape (best,)."""
        dots = self.dots[self.last]
        return sealed_ints(np.flatnonzero(dots >= dots.max() - self.rounding.max()))

    @property
    def divisor(self) -> Factor:
        """sqrt(d_head), by which dot products are divided."""
        return math.sqrt(self.d_model)

    @property
    def scores(self) -> Floats:
        """Dot products divided by sqrt(d_head); shape (T, T)."""
        return self.head_pass.scores

    # Softmax

    @property
    def pattern(self) -> Floats:
        """Each exponential divided by the sum of its row; shape (T, T)."""
        return self.head_pass.pattern

    @property
    def shares(self) -> Floats:
        """How the last token's attention is shared out; shape (T,)."""
        return np.asarray(self.pattern[self.last])

    @property
    def most_share(self) -> Share:
        """The largest share of the last token's attention."""
        return float(self.shares.max())

    # What is handed over

    @cached_property
    def weighted_values(self) -> Floats:
        """Every value times its share of the last token's attention; shape (T, d_model)."""
        return sealed(self.shares[:, None] * self.values)

    @property
    def z(self) -> Floats:
        """What each token takes, the sum of values times shares; shape (T, d_model)."""
        return self.head_pass.z

    @property
    def resid_post(self) -> Floats:
        """The rows with what was taken added to them; shape (T, d_model)."""
        return self.head_pass.resid_post

    # The next word, with the embedding as unembedding

    @cached_property
    def tied_logits(self) -> Floats:
        """The last row times the row of every different word; shape (W,)."""
        return sealed(self.resid_post[self.last] @ self.embedding.T)

    @cached_property
    def tied_probabilities(self) -> Floats:
        """The softmax of these logits; shape (W,)."""
        return NextWord(self.vocabulary.tokens, self.tied_logits).probabilities

    @cached_property
    def tied_place(self) -> Place:
        """Which of the different words comes out first."""
        return int(np.argmax(self.tied_logits))

    @property
    def tied_word(self) -> str:
        """The word that comes out first."""
        return self.vocabulary.tokens[self.tied_place]

    @property
    def tied_share(self) -> Share:
        """Its probability."""
        return float(self.tied_probabilities[self.tied_place])

    @cached_property
    def tied_terms(self) -> Floats:
        """The products that add up to the logit of each different word; shape (W, d_model)."""
        return sealed(self.resid_post[self.last] * self.embedding)

    @cached_property
    def tied_kept(self) -> Floats:
        """What the last token's own row alone gives to these logits; shape (W,)."""
        return sealed(self.resid_pre[self.last] @ self.embedding.T)

    @cached_property
    def tied_taken(self) -> Floats:
        """What z gives to these logits; shape (W,)."""
        return sealed(self.z[self.last] @ self.embedding.T)

    @cached_property
    def tied_first(self) -> Ints:
        """The words that share the largest logit, rounding apart; shape (first,)."""
        return self._first(self.tied_logits)

    @cached_property
    def kept_first(self) -> Ints:
        """The words to which the last token's own row gives most; shape (first,)."""
        return self._first(self.tied_kept)

    def _first(self, logits: Floats) -> Ints:
        slack = _LOGIT_ROUNDING * np.abs(self.tied_terms).max()
        return sealed_ints(np.flatnonzero(logits.max() - logits <= slack))

    # Another order

    @cached_property
    def reordered(self) -> WorkedHead:
        """The same head over the text with its first two tokens exchanged.

        Raises ValueError for fewer than three tokens: the last one has to stay.
        """
        if self.n_tokens < 3:
            raise ValueError(f"tokens must be at least 3 for another order, got {self.n_tokens}")
        first, second, *rest = self.tokens
        tokens = (second, first, *rest)
        rows = self.vocabulary.encode(Vocabulary.of(tokens).tokens)
        return WorkedHead(tokens, self.embedding[rows], self.w_q, self.w_k, self.w_v)

    @cached_property
    def changes(self) -> Floats:
        """The most by which a number of each token's row changes with that order; shape (T,)."""
        exchanged = [1, 0, *range(2, self.n_tokens)]
        changed = self.reordered.resid_post[exchanged] - self.resid_post  # (T, d_model)
        return sealed(np.abs(changed).max(axis=1))

    @property
    def order_difference(self) -> Factor:
        """The most by which a number of the last row changes with the order of the first two."""
        return float(self.changes[self.last])


def _size(head: WorkedHead, name: str) -> str:
    return " x ".join(map(str, np.shape(getattr(head, name))))
