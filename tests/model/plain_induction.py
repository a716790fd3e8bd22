"""The induction heads once more, in loops over plain lists; nothing shared with `model`."""

import itertools
import math

from tests.model.second_opinion import dot, hands, head_pattern, head_scores


def induction_logits(indices, n_vocab, alpha, beta, gamma, look_back=1, d_head=32):
    """Logits of every position of the repaired head with one-hot lanes."""
    n_tokens = len(indices)
    hot = [[float(v == index) for v in range(n_vocab)] for index in indices]
    back = head_pattern(head_scores(n_tokens, hands(d_head), alpha, look_back), causal=True)
    previous = [mixed(row, hot) for row in back]
    scores = [[beta * dot(query, key) for key in previous] for query in hot]
    return [[gamma * x for x in mixed(row, hot)] for row in head_pattern(scores, causal=True)]


def onehot_shares(indices, n_vocab, sharpness, reading):
    """Shares of every token in every row of the slides' layer 2."""
    n_tokens = len(indices)
    hot = [[float(v == index) for v in range(n_vocab)] for index in indices]
    before = [
        [sharpness if n == m - 1 else -sharpness for n in range(n_tokens)] for m in range(n_tokens)
    ]
    previous = [mixed(row, hot) for row in weights(before, reading)]
    match = [[sharpness * dot(query, key) for key in previous] for query in hot]
    return [mixed(row, hot) for row in weights(match, reading)]


def weights(scores, reading):
    if reading == "causal":
        return head_pattern(scores, causal=True)
    rows = []
    for m, row in enumerate(scores):
        total = math.fsum(math.exp(score - max(row)) for score in row)
        rows.append([math.exp(s - max(row)) / total if n <= m else 0.0 for n, s in enumerate(row)])
    return rows


def mixed(shares, rows):
    return [
        math.fsum(share * row[k] for share, row in zip(shares, rows, strict=True))
        for k in range(len(rows[0]))
    ]


def followers(tokens):
    """What came after each earlier occurrence of the last token."""
    return [after for token, after in itertools.pairwise(tokens) if token == tokens[-1]]
