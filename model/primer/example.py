"""One head over any text, with the primer's weights, random ones or given ones.

Source: Luca Erzegovesi, Transformers and QKV Attention: A Primer, section 5, which prints only
three of the 20 rows of its embedding (in `model.primer.weights`, with the matrices).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clockhead.model.arrays import Floats, check_array, read_only
from clockhead.model.attention.worked_head import WorkedHead, compute_head
from clockhead.model.primer.weights import RESID_5, SENTENCE, W_K_5, W_Q_5, W_V_5
from clockhead.model.tokens import Vocabulary

PRIMER_ROWS = dict(zip(SENTENCE, RESID_5, strict=True))
"""Embedding of the three words that the primer prints."""
_SPREAD = 0.5
"""Standard deviation of random weights."""


def worked_head(
    tokens: Sequence[str],
    embedding: ArrayLike | None = None,
    w_q: ArrayLike | None = None,
    w_k: ArrayLike | None = None,
    w_v: ArrayLike | None = None,
    seed: int | None = None,
) -> WorkedHead:
    """The head over `tokens`; weights that are not given are the primer's, or random with `seed`.

    `embedding` has a row for each different word (W, d), the matrices are (d, d). Random weights
    are normal with standard deviation .5 and two decimals, and do not depend on which weights are
    given. Raises ValueError for a word that has no row in the primer, and for sizes that do not
    fit.
    """
    vocabulary = Vocabulary.of(tokens).tokens
    weights: list[ArrayLike]
    rows = None if embedding is None else check_array("embedding", embedding, n_axes=2)
    if seed is None:
        rows = _printed_rows(vocabulary) if rows is None else rows
        weights = [W_Q_5, W_K_5, W_V_5]
    else:
        width = len(W_Q_5) if rows is None else rows.shape[1]
        generator = np.random.default_rng(seed)
        drawn = _draw(generator, len(vocabulary), width)
        weights = [_draw(generator, width, width) for _ in range(3)]
        rows = drawn if rows is None else rows
    own = (w_q, w_k, w_v)
    chosen = [
        check_array(name, drawn if given is None else given, n_axes=2).copy()
        for name, given, drawn in zip(("w_q", "w_k", "w_v"), own, weights, strict=True)
    ]
    return compute_head(tuple(tokens), rows.copy(), *chosen)


def _printed_rows(vocabulary: Sequence[str]) -> Floats:
    unknown = [word for word in vocabulary if word not in PRIMER_ROWS]
    if unknown:
        raise ValueError(
            f"“{unknown[0]}” has no row in the primer, which prints those of "
            f"{', '.join(PRIMER_ROWS)}; give the rows as embedding, or a seed that draws them"
        )
    return np.array([PRIMER_ROWS[word] for word in vocabulary])  # (W, d_model)


def _draw(generator: np.random.Generator, n_rows: int, n_columns: int) -> Floats:
    numbers = np.round(_SPREAD * generator.standard_normal((n_rows, n_columns)), 2)
    return read_only(numbers + 0.0)
