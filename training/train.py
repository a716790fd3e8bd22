"""Trains the small transformer of `model/trained`, and keeps its weights at a dozen moments.

    ./clockhead add train            # or pip install '.[train]'
    .venv/bin/python training/train.py

It takes two minutes on one core. For a seed, the losses are the same in every run on a machine.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

# In one thread, sums have one order: so a seed has one outcome.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np
import optax

from clockhead.model.trained.texts import (
    LONGEST,
    MEASURED_SEED,
    N_MEASURED,
    N_SAID,
    texts_said_twice,
    texts_to_learn,
)
from clockhead.model.trained.transformer import D_HEAD, FREQUENCIES, N_LAYERS, SHAPES, TINY

Weights: TypeAlias = dict[str, jax.Array]
SEED = 1
MOMENTS = (0, 50, 150, 300, 350, 400, 450, 500, 600, 800, 1200, 2000)
"""After how many steps the weights are kept."""
N_TEXTS, RATE, DECAY, LONGEST_STEP = 64, 4e-3, 0.01, 1.0
"""Texts a step, learning rate, weight decay, and the length to which gradients are cut."""
EVERY = 10
"""After how many steps losses are measured, each time."""
OUTCOME = Path(__file__).parents[1] / "model/trained/moments.npz"
_phases = np.arange(LONGEST)[:, None] * FREQUENCIES  # (64, 8)
_cos, _sin = jnp.asarray(np.cos(_phases)), jnp.asarray(np.sin(_phases))


def first_weights(seed: int) -> Weights:
    """Random weights: normal, with a spread of 1/8 in the matrices and 0.3 in the embedding."""
    keys = jax.random.split(jax.random.key(seed), len(SHAPES))
    return {
        name: jax.random.normal(key, shape) * (0.3 if name == "embedding" else 0.125)
        for key, (name, shape) in zip(keys, SHAPES.items(), strict=True)
    }


def logits_and_patterns(weights: Weights, texts: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Texts (B, T) to logits (B, T, 27) and patterns (2, B, 4, T, T)."""
    n = texts.shape[-1]
    is_seen = jnp.tri(n, dtype=bool)
    stream, patterns = weights["embedding"][texts], []
    for layer in range(N_LAYERS):
        x = _normed(stream)
        q, k, v = (
            jnp.einsum("btd,hdk->bhtk", x, weights[name][layer]) for name in ("w_q", "w_k", "w_v")
        )
        scores = jnp.einsum("bhik,bhjk->bhij", _rotated(q), _rotated(k)) * D_HEAD**-0.5
        pattern = jax.nn.softmax(jnp.where(is_seen, scores, -jnp.inf), axis=-1)
        taken = jnp.einsum("bhij,bhjk->bhik", pattern, v)
        stream = stream + jnp.einsum("bhtk,hkd->btd", taken, weights["w_o"][layer])
        patterns.append(pattern)
    return _normed(stream) @ weights["unembedding"], jnp.stack(patterns)


def _normed(x: jax.Array) -> jax.Array:
    return x * jax.lax.rsqrt((x**2).mean(axis=-1, keepdims=True) + TINY)


def _rotated(x: jax.Array) -> jax.Array:
    cos, sin = (each[: x.shape[-2]].astype(x.dtype) for each in (_cos, _sin))
    a, b = x[..., 0::2], x[..., 1::2]
    return jnp.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def _surprises(weights: Weights, texts: jax.Array) -> jax.Array:
    logits, _ = logits_and_patterns(weights, texts)
    return optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], texts[:, 1:])


def train(seed: int, n_steps: int) -> Iterator[tuple[int, Weights, float, tuple[float, float]]]:
    """Each step from 0: its number, the weights before it, its loss, and what was measured last.

    The two losses that are measured are of letters that are new and of those said again, in nats.
    """
    optimizer = optax.chain(
        optax.clip_by_global_norm(LONGEST_STEP), optax.adamw(RATE, weight_decay=DECAY)
    )
    said = jnp.asarray(texts_said_twice(MEASURED_SEED, N_MEASURED, N_SAID))

    @jax.jit
    def measure(weights: Weights) -> tuple[jax.Array, jax.Array]:
        each = _surprises(weights, said)  # (N_MEASURED, 2 N_SAID)
        return each[:, 1:N_SAID].mean(), each[:, N_SAID + 1 :].mean()

    @partial(jax.jit, donate_argnums=1)
    def advance(weights: Weights, state: Any, texts: jax.Array) -> tuple[Weights, Any, jax.Array]:
        loss, slopes = jax.value_and_grad(lambda w: _surprises(w, texts).mean())(weights)
        updates, state = optimizer.update(slopes, state, weights)
        return optax.apply_updates(weights, updates), state, loss

    weights, random = first_weights(seed), np.random.default_rng(seed)
    state = optimizer.init(weights)
    measured = (np.nan, np.nan)
    for step in range(n_steps + 1):
        if step % EVERY == 0:
            new, again = measure(weights)
            measured = float(new), float(again)
        texts = jnp.asarray(texts_to_learn(random, N_TEXTS))
        moved, state, loss = advance(weights, state, texts)
        yield step, weights, float(loss), measured
        weights = moved


def main() -> None:
    """Train, and write what is kept."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--out", type=Path, default=OUTCOME)
    chosen = options.parse_args()
    kept: list[dict[str, Any]] = []
    losses, seen, measured = [], [], []
    for step, weights, loss, found in train(chosen.seed, MOMENTS[-1]):
        losses.append(loss)
        if step % EVERY == 0:
            seen.append(step)
            measured.append(found)
        if step in MOMENTS:
            kept.append({name: np.asarray(each, np.float16) for name, each in weights.items()})
            print(f"{step:5} new {found[0]:.3f}  again {found[1]:.3f}", flush=True)
    new, repeated = np.array(measured, np.float32).T
    arrays = {name: np.stack([moment[name] for moment in kept]) for name in SHAPES}
    np.savez_compressed(
        chosen.out,
        steps=np.array(MOMENTS, np.int32),
        seen=np.array(seen, np.int32),
        new=new,
        repeated=repeated,
        losses=np.array(losses, np.float32),
        **arrays,
    )
    digest = hashlib.sha256(chosen.out.read_bytes()).hexdigest()
    print(f"{chosen.out}: set DIGEST in model/trained/transformer.py to\n{digest}")


if __name__ == "__main__":
    main()
