"""Head scores once more, from TransformerLens's definition, in loops that share nothing with ours.

Its detection pattern of an induction head is that of duplicates, moved one column to the right.
"""

import math


def detection(kind, tokens):
    count = len(tokens)
    found = [[0.0] * count for _ in range(count)]
    for m in range(count):
        for n in range(m + 1):
            is_duplicate = n < m and tokens[n] == tokens[m]
            if (kind == "previous" and m - n == 1) or (kind == "duplicate" and is_duplicate):
                found[m][n] = 1.0
            if kind == "induction" and is_duplicate:
                found[m][n + 1] = 1.0
    return found


def score(pattern, tokens, kind, exclude_bos=False, exclude_current_token=False):
    wanted, hits, total = detection(kind, tokens), [], []
    for m, row in enumerate(pattern):
        for n, weight in enumerate(row):
            if (exclude_bos and n == 0) or (exclude_current_token and n == m):
                continue
            total.append(weight)
            hits.append(weight * wanted[m][n])
    whole = math.fsum(total)
    return math.fsum(hits) / whole if whole else 0.0


def mean_on_target(pattern, tokens, kind):
    wanted = detection(kind, tokens)
    rows = [m for m in range(1, len(tokens)) if any(wanted[m])]
    found = [math.fsum(w * a for w, a in zip(wanted[m], pattern[m], strict=True)) for m in rows]
    return math.fsum(found) / len(rows) if rows else 0.0
