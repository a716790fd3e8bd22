"""Induction on a text: A B ... A, so B. The repaired head at work, and what it should say.

Source: Chris Wendler's RoPE transformer, sections 4 and 5, with the repairs of
`model.induction.weights`. The query is the last token, the key of a position is the token before
it, and the token at the position is copied out. Several earlier occurrences give the distribution
of what followed them, none gives that of the tokens so far. Position 0 has nothing before it and
stores itself, which matters only without BOS.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.induction.continuation import Case, Continuation
from clockhead.model.induction.two_layers import TwoLayerPass, TwoLayerWeights
from clockhead.model.induction.weights import induction_stream, induction_weights
from clockhead.model.rope.rotation import rope_frequencies, rope_phases
from clockhead.model.tokens import Vocabulary, named
from clockhead.model.units import (
    Coordinates,
    Count,
    Difference,
    Doc,
    Positions,
    Score,
    ScoreScale,
    Share,
    Tokens,
)

TIE = 0.02
"""Outputs closer than this tie: softness of the attention, not the text, tells them apart."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))


@dataclass(frozen=True, eq=False)
class Induction:
    """The repaired head on `tokens`, all from `vocabulary`; the last token asks what comes next.

    `codes` (V, w) are the vectors in the subspaces, one-hot if None; see `induction_weights` for
    the scales. `layer_0` and `layer_1` switch a layer off.
    Raises ValueError for a token outside the vocabulary, and for scales out of bounds.
    """

    tokens: tuple[str, ...]
    vocabulary: Vocabulary
    d_head: Annotated[Coordinates, Doc("width of queries and keys in layer 0")] = 32
    alpha: Annotated[ScoreScale, Doc("scale of the scores of layer 0")] = 10.0
    beta: Annotated[ScoreScale, Doc("scale of the scores of layer 1")] = 10.0
    gamma: Annotated[float, Doc("scale of the logits")] = 1.0
    look_back: Annotated[Positions, Doc("how many positions back layer 0 looks")] = 1
    layer_0: Annotated[bool, Doc("whether layer 0 adds to the stream")] = True
    layer_1: Annotated[bool, Doc("whether layer 1 adds to the stream")] = True
    codes: ArrayLike | None = None

    def __post_init__(self) -> None:
        if self.codes is not None and len(np.asarray(self.codes)) != len(self.vocabulary):
            raise ValueError(
                f"codes must have a row for each of the {len(self.vocabulary)} tokens, "
                f"got shape {np.shape(self.codes)}"
            )
        _ = self.forward

    @cached_property
    def text(self) -> Continuation:
        """Where the last token stood before, what followed it, and what the head should say."""
        return Continuation(self.tokens, self.vocabulary, self.look_back)

    @property
    def case(self) -> Case:
        """What the text says about the next token: see `Continuation.case`."""
        return self.text.case

    @cached_property
    def weights(self) -> TwoLayerWeights:
        """Every matrix; the residual stream has 3w + 1 coordinates."""
        return induction_weights(
            len(self.vocabulary) if self.codes is None else self.codes,
            d_head=self.d_head,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            offset=self.look_back,
        )

    @cached_property
    def forward(self) -> TwoLayerPass:
        """Keys, queries, scores, patterns and streams of both layers."""
        return TwoLayerPass(self.weights, self.text.indices, self.layer_0, self.layer_1)

    @property
    def subspaces(self) -> dict[str, slice]:
        """Where cur, prev, out and one lie in a residual vector."""
        return induction_stream((self.weights.d_model - 1) // 3).subspaces

    @property
    def n_tokens(self) -> Tokens:
        """Length of the text, BOS counted."""
        return len(self.tokens)

    @property
    def n_vocab(self) -> Tokens:
        """How many tokens the vocabulary has."""
        return len(self.vocabulary)

    @property
    def d_model(self) -> Coordinates:
        """Width of the residual stream."""
        return self.weights.d_model

    # Layer 0

    @cached_property
    def key_phases(self) -> Floats:
        """How far position n turns each pair of its key, not reduced; shape (T, d_head/2)."""
        return sealed(rope_phases(self.forward.positions, rope_frequencies(self.d_head)))

    @cached_property
    def query_phases(self) -> Floats:
        """How far each pair of query m is turned, look_back steps less; shape (T, d_head/2)."""
        looked = self.forward.positions - self.look_back  # (T,)
        return sealed(rope_phases(looked, rope_frequencies(self.d_head)))

    # Layer 1

    @property
    def scores(self) -> Floats:
        """What the last position scores with each in layer 1; shape (T,)."""
        return np.asarray(self.forward.head_1.scores[-1])

    @property
    def row(self) -> Floats:
        """The attention of the last position in layer 1, which sums to 1; shape (T,)."""
        return np.asarray(self.forward.head_1.pattern[-1])

    @cached_property
    def resid_asked(self) -> Floats:
        """The residual stream with layer 1 added at the last position alone; (T, d_model)."""
        asks = self.forward.positions[:, None] == len(self.tokens) - 1  # (T, 1)
        return sealed(np.where(asks, self.forward.resid_post, self.forward.resid_mid))

    @cached_property
    def output(self) -> Floats:
        """Logits of the last position over gamma; shape (V,). Shares of attention if one-hot."""
        return sealed(self.forward.logits[-1] / self.gamma)

    @cached_property
    def matches(self) -> Ints:
        """The positions that store the query token; shape (0 to T,).

        Those `look_back` after an earlier query, and the first ones, which find nothing that far
        back and note position 0, if the query stands there.
        """
        return sealed_ints(np.flatnonzero(self.noted == self.text.indices[-1]))

    @property
    def n_matches(self) -> Count:
        """How many positions store the query token."""
        return len(self.matches)

    @property
    def answer_named(self) -> str:
        """The token at the first match in quotes, with its position where it stands again.

        Raises ValueError if nothing matches.
        """
        if not self.matches.size:
            raise ValueError(f"tokens must hold a match of the last one, got {self.tokens}")
        return named(self.tokens, int(self.matches[0]))

    @property
    def match_score(self) -> Score:
        """The least score of a position that matches, 0 if none does.

        With one-hot codes it is at least beta times `worst_note`.
        """
        return float(self.scores[self.matches].min()) if self.matches.size else 0.0

    @property
    def other_score(self) -> Score:
        """The largest score of a position that does not match, 0 if all do.

        With one-hot codes it is at most beta times 1 - `worst_note`.
        """
        others = np.delete(self.scores, self.matches)  # (0 to T,)
        return float(others.max()) if others.size else 0.0

    @cached_property
    def sources(self) -> Ints:
        """The position each position is to note, `look_back` before it or else the first; (T,)."""
        return sealed_ints(np.maximum(self.forward.positions - self.look_back, 0))

    @cached_property
    def noted(self) -> Ints:
        """The token that stands at each position's source; shape (T,)."""
        return sealed_ints(self.text.indices[self.sources])

    @cached_property
    def noted_shares(self) -> Floats:
        """How much of what layer 0 gives each position is that token; shape (T,)."""
        alike = self.text.indices == self.noted[:, None]  # (T, T)
        return sealed((self.forward.head_0.pattern * alike).sum(axis=1))

    @property
    def noted_tokens(self) -> tuple[str, ...]:
        """The token that each position is to note: the one `look_back` before; T of them."""
        return tuple(self.vocabulary.tokens[index] for index in self.noted.tolist())

    @property
    def worst_note(self) -> Share:
        """The least share of what layer 0 gives a position that is the token it is to note."""
        return float(self.noted_shares.min())

    @cached_property
    def matched_shares(self) -> Floats:
        """What a head of infinite alpha and beta gives: the shares of the tokens at `matches`.

        Those of all tokens so far if there is none; shape (V,), sums to 1.
        """
        places = self.matches if self.matches.size else self.forward.positions
        counts = np.bincount(self.text.indices[places], minlength=len(self.vocabulary))  # (V,)
        return sealed(counts / len(places))

    @property
    def match_error(self) -> Difference:
        """The largest difference between the output and the shares of what matches."""
        return float(np.abs(self.output - self.matched_shares).max())

    @property
    def match_mass(self) -> Share:
        """Attention of the last position on the positions that match, 0 if there are none.

        It is never all where others are visible, though what they get may be lost in rounding.
        """
        mass = float(self.row[self.matches].sum())
        return mass if self.n_matches == self.n_tokens else min(mass, _ALMOST_ALL)

    @property
    def prediction(self) -> str:
        """The token of the largest logit at the last position, the first of equals."""
        return self.vocabulary.tokens[int(self.forward.predictions[-1])]

    @property
    def leaders(self) -> Ints:
        """The tokens whose output is the largest, or ties with it; none if all logits are 0.

        Outputs tie that are closer than `TIE`.
        """
        top = self.output.max()
        return sealed_ints(np.flatnonzero((self.output > top - TIE) & (top != 0)))

    @property
    def says(self) -> tuple[str, ...]:
        """The tokens that lead: one, several that tie, or none."""
        return tuple(self.vocabulary.tokens[index] for index in self.leaders.tolist())

    @property
    def error(self) -> Difference:
        """The largest difference between the output and what the text says."""
        return float(np.abs(self.output - self.text.expected).max())

    @property
    def follower_mass(self) -> Share:
        """Attention of the last position on the followers, 0 if there are none."""
        return float(self.forward.head_1.pattern[-1, self.text.followers].sum())

    @property
    def is_right(self) -> bool:
        """Whether the prediction is one of the tokens that the text expects most."""
        return self.prediction in self.text.best
