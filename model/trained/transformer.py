"""The small transformer, with everything that it computes on the way from a text to its guesses.

Two layers of four heads, attention alone: no MLP, no bias. Before each layer and at the end the
stream is divided by the square root of its mean square (RMSNorm without weights). Queries and keys
are rotated by position (RoPE) in each head. Vectors are rows, and weights multiply from the right,
as in the library that trained it: the query of x is x @ W_Q.
Its names are those of Elhage et al., A Mathematical Framework for Transformer Circuits (2021); the
logit lens is nostalgebraist's (2020).
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

from clockhead.model.arrays import Floats, Ints, Values, finite, whole
from clockhead.model.attention.head import AttentionHead
from clockhead.model.attention.pattern import pattern_from_scores
from clockhead.model.heads.patterns import AttentionPatterns, attention_patterns
from clockhead.model.rope.rotation import rope_frequencies, rotate
from clockhead.model.tokens import LETTERS_AND_SPACE, letters
from clockhead.model.trained.texts import LONGEST, N_GUESSED, START, TOKENS, with_start
from clockhead.model.units import Doc

N_LAYERS, N_HEADS, D_MODEL, D_HEAD = 2, 4, 64, 16
FREQUENCIES = rope_frequencies(D_HEAD)
"""Radians per position that each of the 8 pairs of a head turns; (8,)."""
TINY = 1e-6
"""What is added to the mean square before its root is taken."""
Head: TypeAlias = tuple[int, int]
"""A layer and a head of it, both from 0."""
DIGEST = "3fcbf0936a4f27c218d2e7d831bee1ed10c5b4e561a31bec1889cd7ce0f50e57"
"""SHA-256 of `moments.npz`, in the source so that clips know when the weights change."""
SHAPES = {
    "embedding": (len(TOKENS), D_MODEL),
    "w_q": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_k": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_v": (N_LAYERS, N_HEADS, D_MODEL, D_HEAD),
    "w_o": (N_LAYERS, N_HEADS, D_HEAD, D_MODEL),
    "unembedding": (D_MODEL, N_GUESSED),
}
"""The weights and their shapes: 36,288 numbers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedWeights(Values):
    """All weights at one moment of the training; ValueError unless they have `SHAPES`."""

    embedding: Annotated[Floats, Doc("a vector for every token; (28, 64)")]
    w_q: Annotated[Floats, Doc("from the stream to queries; (2, 4, 64, 16)")]
    w_k: Annotated[Floats, Doc("from the stream to keys; (2, 4, 64, 16)")]
    w_v: Annotated[Floats, Doc("from the stream to values; (2, 4, 64, 16)")]
    w_o: Annotated[Floats, Doc("from what a head has taken to the stream; (2, 4, 16, 64)")]
    unembedding: Annotated[Floats, Doc("from the stream to a logit a letter; (64, 27)")]

    def __post_init__(self) -> None:
        for name, shape in SHAPES.items():
            found = finite(name, getattr(self, name)).shape
            if found != shape:
                raise ValueError(f"{name} must have shape {shape}, got {found}")
        super().__post_init__()

    def head(self, layer: int, head: int) -> AttentionHead:
        """One head by itself; ValueError if there is none such.

        It reads the stream as `normed` gives it.
        """
        at = checked_head((layer, head))
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
    """Texts of T tokens (..., T) on their way through the transformer."""

    streams: Annotated[Floats, Doc("the stream before layer 0, after it, after 1; (3, ..., T, 64)")]
    queries: Annotated[Floats, Doc("rotated by position; (2, ..., 4, T, 16)")]
    keys: Annotated[Floats, Doc("rotated by position; (2, ..., 4, T, 16)")]
    scores: Annotated[Floats, Doc("queries times keys, over 4, the future too; (2, ..., 4, T, T)")]
    patterns: Annotated[Floats, Doc("what each token takes of those up to it; (2, ..., 4, T, T)")]
    added: Annotated[Floats, Doc("what each head adds to the stream; (2, ..., 4, T, 64)")]
    lens: Annotated[Floats, Doc("logits, were the stream read out at once; (3, ..., T, 27)")]

    @property
    def logits(self) -> Floats:
        """How much each letter is guessed to come next; shape (..., T, 27)."""
        return np.asarray(self.lens[-1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments(Values):
    """The weights that were kept, and the losses on the way."""

    steps: Annotated[Ints, Doc("after how many steps of training they were kept; (M,)")]
    weights: Annotated[tuple[TrainedWeights, ...], Doc("all weights at these moments; M")]
    seen: Annotated[Ints, Doc("the steps at which losses were measured; (S,)")]
    new: Annotated[Floats, Doc("the loss on letters that are new, in nats; (S,)")]
    repeated: Annotated[Floats, Doc("the loss on letters of a piece that comes again; (S,)")]
    losses: Annotated[Floats, Doc("the loss in training after each step, in nats; (steps,)")]

    def at(self, step: int) -> TrainedWeights:
        """The weights after so many steps; ValueError unless they were kept."""
        if step not in self.steps:
            kept = ", ".join(map(str, self.steps))
            raise ValueError(f"moment must be one of {kept}, got {step}")
        return self.weights[int(np.searchsorted(self.steps, step))]


@lru_cache(maxsize=1)
def moments() -> Moments:
    """The training that comes with Clockhead, made by `training/train.py`.

    Raises ValueError if the file is another than the one that `DIGEST` is of.
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
    """Everything that is computed from `texts` (..., T), indices of `TOKENS`.

    The heads in `without` add nothing to the stream; their patterns are what they would have been.
    Raises ValueError for a text without a token or longer than in training, for an index that is
    none, and a head that there is not.
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
        silent[checked_head(head)] = True
    positions = np.arange(tokens.shape[-1])  # (T,)
    stream = weights.embedding[tokens]  # (..., T, 64)
    streams, queries, keys, scores, patterns, added = [stream], [], [], [], [], []
    for layer in range(N_LAYERS):
        x = normed(stream)[..., None, :, :]  # (..., 1, T, 64)
        queries.append(rotate(x @ weights.w_q[layer], positions, FREQUENCIES))  # (..., 4, T, 16)
        keys.append(rotate(x @ weights.w_k[layer], positions, FREQUENCIES))
        scores.append(queries[-1] @ keys[-1].swapaxes(-1, -2) * D_HEAD**-0.5)  # (..., 4, T, T)
        patterns.append(pattern_from_scores(scores[-1]))
        taken = patterns[-1] @ (x @ weights.w_v[layer])  # (..., 4, T, 16)
        gives = np.where(silent[layer, :, None, None], 0.0, taken @ weights.w_o[layer])
        added.append(gives)  # (..., 4, T, 64)
        stream = stream + gives.sum(axis=-3)
        streams.append(stream)
    lens = [normed(each) @ weights.unembedding for each in streams]
    return TrainedPass(
        streams=np.array(streams),
        queries=np.array(queries),
        keys=np.array(keys),
        scores=np.array(scores),
        patterns=np.array(patterns),
        added=np.array(added),
        lens=np.array(lens),
    )


def tokens_of(text: str) -> Ints:
    """The tokens of a text of letters and spaces, `START` first; (T + 1,).

    Raises ValueError for another character, no character, or more than `LONGEST` - 1.
    """
    found = with_start(TOKENS.encode(letters(text)))
    if len(found) > LONGEST:
        raise ValueError(f"text must have at most {LONGEST - 1} characters, got {len(text)}")
    return found


def trained_patterns(text: str, moment: int) -> AttentionPatterns:
    """What all heads look at in a text of letters and spaces, after so many steps of training.

    Raises ValueError for a text that `tokens_of` refuses, and a moment that was not kept.
    """
    found = run(moments().at(moment), tokens_of(text))
    return attention_patterns(
        (START, *letters(text)),
        found.patterns,
        scores=found.scores,
        logits=found.logits,
        vocabulary=LETTERS_AND_SPACE.tokens,
    )


def normed(stream: Floats) -> Floats:
    """Vectors (..., 64) divided by the root of their mean square."""
    return np.asarray(stream / np.sqrt((stream**2).mean(axis=-1, keepdims=True) + TINY))


def surprises(logits: Floats, texts: Ints) -> Floats:
    """How little each next letter was expected, in nats: minus the logarithm of its probability.

    `logits` (..., T, 27) and `texts` (..., T) give (..., T - 1): the first letter that is guessed
    is the second of a text.
    """
    guesses = logits[..., :-1, :]  # (..., T - 1, 27)
    highest = guesses.max(axis=-1, keepdims=True)
    sums = np.log(np.exp(guesses - highest).sum(axis=-1)) + highest[..., 0]  # (..., T - 1)
    given = np.take_along_axis(guesses, texts[..., 1:, None], axis=-1)[..., 0]
    return np.asarray(sums - given)


def checked_head(head: Head) -> Head:
    """A layer and a head; ValueError if the transformer has none such."""
    layer, number = whole("layer", head[0], at_least=0), whole("head", head[1], at_least=0)
    if layer >= N_LAYERS or number >= N_HEADS:
        raise ValueError(
            f"a head must be 0 to {N_HEADS - 1} of layer 0 to {N_LAYERS - 1}, got {layer}.{number}"
        )
    return layer, number
