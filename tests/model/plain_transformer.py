"""A transformer once more on lists of Python floats, number by number; nothing of `model` is here.

`layers` are dicts of nested lists w_q, w_k, w_v, w_o, w_1, w_2, for rows times weights.
"""

import math


def row_times(row, weights):
    return [
        math.fsum(x * line[j] for x, line in zip(row, weights, strict=True))
        for j in range(len(weights[0]))
    ]


def shares(scores):
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / math.fsum(weights) for weight in weights]


def attention(rows, layer, n_heads, causal):
    """For each head a pattern, and for each token the values it took, head after head."""
    queries, keys, values = (
        [row_times(row, layer[name]) for row in rows] for name in ("w_q", "w_k", "w_v")
    )
    width = len(queries[0]) // n_heads
    patterns, joined = [], [[] for _ in rows]
    for head in range(n_heads):
        columns = range(head * width, (head + 1) * width)
        pattern = []
        for m, query in enumerate(queries):
            seen = range(m + 1) if causal else range(len(rows))
            dots = [math.fsum(query[c] * keys[n][c] for c in columns) for n in seen]
            weights = shares([dot / math.sqrt(width) for dot in dots])
            pattern.append(weights + [0.0] * (len(rows) - len(weights)))
            joined[m] += [math.fsum(weights[n] * values[n][c] for n in seen) for c in columns]
        patterns.append(pattern)
    return patterns, joined


def block(rows, layer, n_heads, causal=True):
    """Everything one layer computes, by name."""
    patterns, joined = attention(rows, layer, n_heads, causal)
    attn = [row_times(row, layer["w_o"]) for row in joined]
    mid = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(rows, attn, strict=True)]
    pre = [row_times(row, layer["w_1"]) for row in mid]
    act = [[x if x > 0 else 0.0 for x in row] for row in pre]
    mlp = [row_times(row, layer["w_2"]) for row in act]
    post = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(mid, mlp, strict=True)]
    return {
        "patterns": patterns,
        "concat": joined,
        "attn_out": attn,
        "resid_mid": mid,
        "pre": pre,
        "act": act,
        "mlp_out": mlp,
        "resid_post": post,
    }


def transformer(rows, layers, unembedding, n_heads, causal=True):
    """What each layer computes, the logits of every token, and what comes after the last one."""
    passes = []
    for layer in layers:
        passes.append(block(rows, layer, n_heads, causal))
        rows = passes[-1]["resid_post"]
    logits = [row_times(row, unembedding) for row in rows]
    return passes, logits, shares(logits[-1])


def without_head(layer, head, n_heads):
    """The layer of one head less: its columns and its rows are cut out."""
    width = len(layer["w_o"]) // n_heads
    gone = range(head * width, (head + 1) * width)

    def kept(items):
        return [item for place, item in enumerate(items) if place not in gone]

    cut = {name: [kept(row) for row in layer[name]] for name in ("w_q", "w_k", "w_v")}
    return {**layer, **cut, "w_o": kept(layer["w_o"])}


def normed(row, eps):
    mean = math.fsum(row) / len(row)
    variance = math.fsum((x - mean) ** 2 for x in row) / len(row)
    return [(x - mean) / math.sqrt(variance + eps) for x in row]
