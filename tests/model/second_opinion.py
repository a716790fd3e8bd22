"""The same constructions once more, written so that they share nothing with `model`.

RoPE here multiplies complex numbers, heads are loops over positions, and softmax is the textbook
formula on Python floats. Slow and plain on purpose.
"""

import cmath
import math


def hands(d_head, base=10_000.0, first=0):
    return [1 / base ** (2 * i / d_head) for i in range(first, first + d_head // 2)]


def rotate(vector, position, theta):
    pairs = [complex(x, y) for x, y in zip(vector[0::2], vector[1::2], strict=True)]
    turned = [z * cmath.exp(1j * position * t) for z, t in zip(pairs, theta, strict=True)]
    return [part for z in turned for part in (z.real, z.imag)]


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def head_scores(n_tokens, theta, alpha, look_back, extra=None):
    """Scores of the head; `extra[n]` is added to the key of position n."""
    c = [1.0, 0.0] * len(theta)
    scores = []
    for m in range(n_tokens):
        query = [alpha * x for x in rotate(c, m - look_back, theta)]
        row = []
        for n in range(n_tokens):
            key = c if extra is None else [x + y for x, y in zip(c, extra[n], strict=True)]
            row.append(dot(query, rotate(key, n, theta)))
        scores.append(row)
    return scores


def head_pattern(scores, causal):
    pattern = []
    for m, row in enumerate(scores):
        seen = row[: m + 1] if causal else row
        weights = [math.exp(score - max(seen)) for score in seen]
        shares = [weight / math.fsum(weights) for weight in weights]
        pattern.append(shares + [0.0] * (len(row) - len(shares)))
    return pattern


def demo_embedding(n_vocab, d_model):
    return [
        [0.5 * math.sin(i * math.pi / 13 + 0.1 * j) for j in range(d_model)] for i in range(n_vocab)
    ]


def beta_for(gap, n_rivals=2, mass=0.99):
    """The scale at which a token leads n rivals, all `gap` away, so that it has `mass`."""
    return math.log(n_rivals * mass / (1 - mass)) / gap


def times(rows, matrix):
    """A product of two matrices, given as lists of rows."""
    return [[dot(row, column) for column in zip(*matrix, strict=True)] for row in rows]


def head_on_rows(x, w_q, w_k, w_v):
    """Queries, keys, values, dots, scores, pattern, blend and new rows of a head as on paper."""
    queries, keys, values = (times(x, weights) for weights in (w_q, w_k, w_v))
    dots = [[dot(query, key) for key in keys] for query in queries]
    scores = [[number / len(x[0]) ** 0.5 for number in row] for row in dots]
    pattern = head_pattern(scores, causal=True)
    blend = times(pattern, values)
    post = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, blend, strict=True)]
    return queries, keys, values, dots, scores, pattern, blend, post
