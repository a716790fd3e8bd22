"""The small trained transformer, with all intermediate values of its forward pass.

Two layers of four heads, attention only: no MLP, no bias. Before each layer and at the end the
stream is divided by its root mean square (RMSNorm without weights). Queries and keys are rotated by
position (RoPE) in each head. Vectors are rows and weights multiply from the right, as in the
library that trained it: the query of x is x @ W_Q.
Names follow Elhage et al., A Mathematical Framework for Transformer Circuits (2021); the logit lens
is by nostalgebraist (2020).
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, TypeAlias

import numpy as np

from clockhead.model.arrays import Floats, Ints, Values, check_array, check_int
from clockhead.model.attention.head import AttentionHead
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.heads.patterns import AttentionPatterns, attention_patterns
from clockhead.model.rope.rotation import rope_frequencies, rotate
from clockhead.model.tokens import LETTERS_AND_SPACE, letters
from clockhead.model.trained.texts import LONGEST, N_GUESSED, START, TOKENS, with_start
from clockhead.model.units import Doc

N_LAYERS, N_HEADS, D_MODEL, D_HEAD = 2, 4, 64, 16
FREQUENCIES = rope_frequencies(D_HEAD)
"""RoPE frequencies of the 8 pairs of a head, in radians per position; (8,)."""
TINY = 1e-6
"""Epsilon of the RMSNorm, added to the mean square."""
Head: TypeAlias = tuple[int, int]
"""Layer and number of a head, both from 0."""
DIGEST = "3fcbf0936a4f27c218d2e7d831bee1ed10c5b4e561a31bec1889cd7ce0f50e57"
"""SHA-256 of `moments.npz`; it is in the source so that clips are rendered anew if it changes."""
SHAPES = {
    "embedding": (len(TOKENS), D_MODEL),
    "w_q": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_k": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_v": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_o": (N_LAYERS, N_HEADS, D_HEAD, D_MODEL),
    "unembedding": (D_MODEL, N_GUESSED),
}
"""Shapes of all weights: 36,288 numbers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedWeights(Values):
    """All weights after some step of training; ValueError unless they have `SHAPES`."""

    embedding: Annotated[Floats, Doc("embedding of every token; (28, 64)")]
    w_q: Annotated[Floats, Doc("from the stream to queries; (2, 4, 64, 16)")]
    w_k: Annotated[Floats, Doc("from the stream to keys; (2, 4, 64, 16)")]
    w_v: Annotated[Floats, Doc("from the stream to values; (2, 4, 64, 16)")]
    w_o: Annotated[Floats, Doc("from head outputs to the stream; (2, 4, 16, 64)")]
    unembedding: Annotated[Floats, Doc("from the stream to logits; (64, 27)")]

    def __post_init__(self) -> None:
        for name, shape in SHAPES.items():
            found = check_array(name, getattr(self, name)).shape
            if found != shape:
                raise ValueError(f"{name} must have shape {shape}, got {found}")
        super().__post_init__()

    def head(self, layer: int, head: int) -> AttentionHead:
        """One head as an `AttentionHead`, which reads the normed stream.

        Raises ValueError for a head that does not exist.
        """
        at = check_head((layer, head))
        return AttentionHead(
            self.w_q[at].T,
            self.w_k[at].T,
            self.w_v[at].T,
            self.w_o[at].T,
            scale=D_HEAD**-0.5,
            frequencies=FREQUENCIES.copy(),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedPass(Values):
    """One forward pass on texts of T tokens (..., T)."""

    streams: Annotated[
        Floats, Doc("residual stream before layer 0, after it, and after layer 1; (3, ..., T, 64)")
    ]
    queries: Annotated[Floats, Doc("queries, rotated by position; (2, ..., 4, T, 16)")]
    keys: Annotated[Floats, Doc("keys, rotated by position; (2, ..., 4, T, 16)")]
    scores: Annotated[Floats, Doc("attention scores, before the mask; (2, ..., 4, T, T)")]
    patterns: Annotated[Floats, Doc("attention weights; (2, ..., 4, T, T)")]
    added: Annotated[Floats, Doc("vectors that each head adds to the stream; (2, ..., 4, T, 64)")]
    lens: Annotated[Floats, Doc("logit lens: logits of each of the three streams; (3, ..., T, 27)")]

    @property
    def logits(self) -> Floats:
        """Logits of the next letter; shape (..., T, 27)."""
        return np.asarray(self.lens[-1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments(Values):
    """The saved checkpoints of the training, and its losses."""

    steps: Annotated[Ints, Doc("training step of each checkpoint; (M,)")]
    weights: Annotated[tuple[TrainedWeights, ...], Doc("weights of each checkpoint; M of them")]
    seen: Annotated[Ints, Doc("training steps at which losses were measured; (S,)")]
    new: Annotated[Floats, Doc("loss on new letters, in nats; (S,)")]
    repeated: Annotated[Floats, Doc("loss on repeated letters, in nats; (S,)")]
    losses: Annotated[Floats, Doc("training loss of each step, in nats; (steps,)")]

    def at(self, step: int) -> TrainedWeights:
        """The weights after `step` steps; ValueError unless it is a checkpoint."""
        if step not in self.steps:
            kept = ", ".join(map(str, self.steps))
            raise ValueError(f"moment must be one of {kept}, got {step}")
        return self.weights[int(np.searchsorted(self.steps, step))]


@lru_cache(maxsize=1)
def moments() -> Moments:
    """The checkpoints that come with Clockhead, made by `training/train.py`.

    Raises ValueError if the file does not have the SHA-256 `DIGEST`.
    """
    data = (files(__package__) / "moments.npz").read_bytes()
    if (found := hashlib.sha256(data).hexdigest()) != DIGEST:
        raise ValueError(f"moments.npz must have the SHA-256 {DIGEST}, got {found}")
    with np.load(io.BytesIO(data)) as kept:
        weights = {name: kept[name].astype(np.float64) for name in SHAPES}
        return Moments(
            steps=kept["steps"].astype(np.int64),
            weights=tuple(
                TrainedWeights(**{name: every[moment] for name, every in weights.items()})
                for moment in range(len(kept["steps"]))
            ),
            seen=kept["seen"].astype(np.int64),
            new=kept["new"].astype(np.float64),
            repeated=kept["repeated"].astype(np.float64),
            losses=kept["losses"].astype(np.float64),
        )


def run(weights: TrainedWeights, texts: Ints, without: Collection[Head] = ()) -> TrainedPass:
    """Run the transformer on `texts` (..., T), indices of `TOKENS`.

    The heads in `without` are ablated: they add nothing to the stream, but their patterns are still
    computed. Raises ValueError for a text without a token or longer than in training, for an index
    outside the vocabulary, and for a head that does not exist.
    """
    tokens = np.asarray(texts)  # (..., T)
    if not (
        np.issubdtype(tokens.dtype, np.integer)
        and tokens.ndim
        and 1 <= tokens.shape[-1] <= LONGEST
        and tokens.min() >= 0
        and tokens.max() < len(TOKENS)
    ):
        raise ValueError(
            f"texts must hold 1 to {LONGEST} whole numbers from 0 to {len(TOKENS) - 1}, "
            f"got shape {tokens.shape}"
        )
    silent = np.zeros((N_LAYERS, N_HEADS), dtype=np.bool_)
    for head in without:
        silent[check_head(head)] = True
    positions = np.arange(tokens.shape[-1])  # (T,)
    stream = weights.embedding[tokens]  # (..., T, 64)
    streams, queries, keys, scores, patterns, added = [stream], [], [], [], [], []
    for layer in range(N_LAYERS):
        x = rms_norm(stream)[..., None, :, :]  # (..., 1, T, 64)
        queries.append(rotate(x @ weights.w_q[layer], positions, FREQUENCIES))  # (..., 4, T, 16)
        keys.append(rotate(x @ weights.w_k[layer], positions, FREQUENCIES))
        scores.append(queries[-1] @ keys[-1].swapaxes(-1, -2) * D_HEAD**-0.5)  # (..., 4, T, T)
        patterns.append(pattern_from_scores(scores[-1]))
        taken = patterns[-1] @ (x @ weights.w_v[layer])  # (..., 4, T, 16)
        gives = np.where(silent[layer, :, None, None], 0.0, taken @ weights.w_o[layer])
        added.append(gives)  # (..., 4, T, 64)
        stream = stream + gives.sum(axis=-3)
        streams.append(stream)
    lens = [rms_norm(each) @ weights.unembedding for each in streams]
    return TrainedPass(
        streams=np.array(streams),
        queries=np.array(queries),
        keys=np.array(keys),
        scores=np.array(scores),
        patterns=np.array(patterns),
        added=np.array(added),
        lens=np.array(lens),
    )


def encode_text(text: str) -> Ints:
    """The tokens of a text of letters and spaces, after `START`; (T + 1,).

    Raises ValueError for another character, no character, or more than `LONGEST` - 1.
    """
    found = with_start(TOKENS.encode(letters(text)))
    if len(found) > LONGEST:
        raise ValueError(f"text must have at most {LONGEST - 1} characters, got {len(text)}")
    return found


def trained_patterns(text: str, moment: int) -> AttentionPatterns:
    """Attention patterns of all heads in a text, after `moment` steps of training.

    Raises ValueError for a text that `encode_text` refuses, and for a step without a checkpoint.
    """
    found = run(moments().at(moment), encode_text(text))
    return attention_patterns(
        (START, *letters(text)),
        found.patterns,
        scores=found.scores,
        logits=found.logits,
        vocabulary=LETTERS_AND_SPACE.tokens,
    )


def rms_norm(stream: Floats) -> Floats:
    """RMSNorm: vectors (..., 64) divided by their root mean square."""
    return np.asarray(stream / np.sqrt((stream**2).mean(axis=-1, keepdims=True) + TINY))


def letter_losses(logits: Floats, texts: Ints) -> Floats:
    """Loss of each predicted letter in nats: minus the logarithm of its probability.

    `logits` (..., T, 27) and `texts` (..., T) give (..., T - 1), because the first token is not
    predicted.
    """
    guesses = logits[..., :-1, :]  # (..., T - 1, 27)
    highest = guesses.max(axis=-1, keepdims=True)
    sums = np.log(np.exp(guesses - highest).sum(axis=-1)) + highest[..., 0]  # (..., T - 1)
    given = np.take_along_axis(guesses, texts[..., 1:, None], axis=-1)[..., 0]
    return np.asarray(sums - given)


def check_head(head: Head) -> Head:
    """`head` as (layer, number); ValueError for one that does not exist."""
    layer, number = check_int("layer", head[0], at_least=0), check_int("head", head[1], at_least=0)
    if layer >= N_LAYERS or number >= N_HEADS:
        raise ValueError(
            f"a head must be 0 to {N_HEADS - 1} of layer 0 to {N_LAYERS - 1}, got {layer}.{number}"
        )
    return layer, number
