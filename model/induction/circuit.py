"""The repaired induction circuit on a text A B ... A, and the answer B that it should give.

Source: Chris Wendler's RoPE transformer, sections 4 and 5, with the repairs of
`model.induction.weights`. The query is the last token, the key of a position is the token before
it, and the token at the position is copied. If the last token occurred several times before, the
output is the distribution of its followers; if never, the distribution of all tokens so far.
Position 0 has no token before it and stores itself, which matters only without BOS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, Ints, Values
from clockhead.model.induction.continuation import Case, Continuation, continuation
from clockhead.model.induction.two_layers import TwoLayerPass, TwoLayerWeights, two_layers
from clockhead.model.induction.weights import induction_stream, induction_weights
from clockhead.model.rope.rotation import rope_frequencies, rope_phases
from clockhead.model.tokens import Vocabulary, token_name
from clockhead.model.units import (
    Coordinates,
    Count,
    Difference,
    Doc,
    Positions,
    Score,
    ScoreScale,
    Share,
    Shares,
    Tokens,
)

TIE = 0.02
"""Outputs closer than this tie: the soft attention makes such differences, not the text."""
_ALMOST_ALL = float(np.nextafter(1.0, 0.0))
"""Upper limit of attention on matches if there are other positions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Induction(Values):
    """One pass of the repaired induction circuit; its last row predicts the next token."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    vocabulary: Annotated[Vocabulary, Doc("all tokens of the model; V of them")]
    alpha: Annotated[ScoreScale, Doc("scale of the scores of layer 0")]
    beta: Annotated[ScoreScale, Doc("scale of the scores of layer 1")]
    offset: Annotated[Positions, Doc("how many positions back layer 0 attends")]
    text: Annotated[
        Continuation, Doc("earlier positions of the last token, and what followed it there")
    ]
    case: Annotated[Case, Doc("whether the text gives one next token, several, or none")]
    n_tokens: Annotated[Tokens, Doc("length of the text, BOS counted")]
    n_vocab: Annotated[Tokens, Doc("size of the vocabulary")]
    weights: Annotated[TwoLayerWeights, Doc("every matrix of the two layers")]
    d_model: Annotated[Coordinates, Doc("width of the residual stream, 3w + 1")]
    subspaces: Annotated[
        dict[str, slice], Doc("slices of a residual vector for cur, prev, out and one")
    ]
    forward: Annotated[
        TwoLayerPass, Doc("keys, queries, scores, patterns and streams of both layers")
    ]

    # Layer 0
    key_phases: Annotated[
        Floats,
        Doc("radians that position n turns each pair of its key, not reduced; (T, d_head/2)"),
    ]
    query_phases: Annotated[
        Floats,
        Doc("radians that each pair of query m is turned, `offset` positions less; (T, d_head/2)"),
    ]
    sources: Annotated[
        Ints, Doc("position that each should store: `offset` before it, or else the first; (T,)")
    ]
    stored: Annotated[Ints, Doc("token at each position's source; (T,)")]
    stored_tokens: Annotated[tuple[str, ...], Doc("these tokens by name; T of them")]
    stored_weights: Annotated[
        Floats, Doc("attention weight of each position in layer 0 on its stored token; (T,)")
    ]
    least_stored: Annotated[Share, Doc("smallest attention weight of layer 0 on a stored token")]

    # Layer 1
    scores: Annotated[Floats, Doc("attention scores of the last row in layer 1; (T,)")]
    row: Annotated[Shares, Doc("attention weights of the last row in layer 1; (T,)")]
    matches: Annotated[Ints, Doc("positions that store the query token; (0 to T,)")]
    n_matches: Annotated[Count, Doc("number of positions that store the query token")]
    match_weight: Annotated[Share, Doc("attention weight of all matching positions together")]
    match_score: Annotated[Score, Doc("smallest score of a matching position, 0 if there is none")]
    other_score: Annotated[Score, Doc("largest score of a position that does not match")]
    resid_asked: Annotated[
        Floats,
        Doc("resid_mid with the output of layer 1 added at the last position only; (T, d_model)"),
    ]
    output: Annotated[
        Floats, Doc("logits of the last position over gamma, probabilities for one-hot codes; (V,)")
    ]
    matched_shares: Annotated[
        Floats,
        Doc("distribution of the tokens at matches, or of all tokens if there is none; (V,)"),
    ]
    match_error: Annotated[
        Difference, Doc("largest difference between the output and that distribution")
    ]
    error: Annotated[
        Difference, Doc("largest difference between the output and the followers in the text")
    ]
    prediction: Annotated[
        str, Doc("token of the largest logit at the last position, the first if several tie")
    ]
    is_right: Annotated[bool, Doc("whether the prediction is a most frequent follower in the text")]
    leaders: Annotated[
        Ints, Doc("tokens with the largest output, all that tie; none if it is 0; (0 to V,)")
    ]
    says: Annotated[
        tuple[str, ...],
        Doc("names of the tokens with the largest output: one, several that tie, or none"),
    ]

    @property
    def answer_named(self) -> str:
        """The token at the first match in quotes, with its position if the text repeats it.

        Raises ValueError if nothing matches.
        """
        if not self.matches.size:
            raise ValueError(f"tokens must hold a match of the last one, got {self.tokens}")
        return token_name(self.tokens, int(self.matches[0]))


def induction(
    tokens: tuple[str, ...],
    vocabulary: Vocabulary,
    *,
    d_head: int = 32,
    alpha: float = 10.0,
    beta: float = 10.0,
    gamma: float = 1.0,
    offset: int = 1,
    layer_0: bool = True,
    layer_1: bool = True,
    codes: ArrayLike | None = None,
) -> Induction:
    """Run the repaired induction circuit on `tokens`, all from `vocabulary`.

    `codes` (V, w) are the vectors in the subspaces, one-hot if None; see `induction_weights` for
    the scales. `layer_0` and `layer_1` switch a layer off. With one-hot codes a match scores at
    least beta times the smallest stored weight, and other positions at most beta times the rest.
    The first `offset` positions store position 0. Outputs closer than `TIE` tie. Raises ValueError
    for a token outside the vocabulary, and for scales out of bounds.
    """
    if codes is not None and len(np.asarray(codes)) != len(vocabulary):
        raise ValueError(
            f"codes must have a row for each of the {len(vocabulary)} tokens, "
            f"got shape {np.shape(codes)}"
        )
    n, n_vocab = len(tokens), len(vocabulary)
    text = continuation(tokens, vocabulary, offset)
    weights = induction_weights(
        n_vocab if codes is None else codes,
        d_head=d_head,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        offset=offset,
    )
    forward = two_layers(weights, text.indices, layer_0=layer_0, layer_1=layer_1)
    positions, frequencies = np.arange(n), rope_frequencies(d_head)

    # Layer 0 stores at each position the token `offset` before it
    sources = np.maximum(positions - offset, 0)  # (T,)
    stored = text.indices[sources]  # (T,)
    stored_weights = (forward.head_0.pattern * (text.indices == stored[:, None])).sum(axis=1)

    # Layer 1 finds the positions that store the last token
    scores, row = forward.head_1.scores[-1], forward.head_1.pattern[-1]  # (T,)
    matches = np.flatnonzero(stored == text.indices[-1])
    others = np.delete(scores, matches)
    weight = float(row[matches].sum())
    counted = text.indices[matches if matches.size else positions]
    matched_shares = np.bincount(counted, minlength=n_vocab) / len(counted)  # (V,)
    output = forward.logits[-1] / gamma  # (V,)
    top = output.max()
    leaders = np.flatnonzero((output > top - TIE) & (top != 0))
    prediction = vocabulary.tokens[int(forward.predictions[-1])]
    asks = positions[:, None] == n - 1  # (T, 1)
    return Induction(
        tokens=tokens,
        vocabulary=vocabulary,
        alpha=alpha,
        beta=beta,
        offset=offset,
        text=text,
        case=text.case,
        n_tokens=n,
        n_vocab=n_vocab,
        weights=weights,
        d_model=weights.d_model,
        subspaces=induction_stream((weights.d_model - 1) // 3).subspaces,
        forward=forward,
        key_phases=rope_phases(positions, frequencies),
        query_phases=rope_phases(positions - offset, frequencies),
        sources=sources,
        stored=stored,
        stored_tokens=tuple(vocabulary.tokens[index] for index in stored),
        stored_weights=stored_weights,
        least_stored=float(stored_weights.min()),
        scores=scores,
        row=row,
        matches=matches,
        n_matches=len(matches),
        # Rounding may make it 1 although other positions have weights above 0
        match_weight=weight if len(matches) == n else min(weight, _ALMOST_ALL),
        match_score=float(scores[matches].min()) if matches.size else 0.0,
        other_score=float(others.max()) if others.size else 0.0,
        resid_asked=np.where(asks, forward.resid_post, forward.resid_mid),
        output=output,
        matched_shares=matched_shares,
        match_error=float(np.abs(output - matched_shares).max()),
        error=float(np.abs(output - text.expected).max()),
        prediction=prediction,
        is_right=prediction in text.best,
        leaders=leaders,
        says=tuple(vocabulary.tokens[index] for index in leaders),
    )
