"""One row of a previous-token head's scores, split by the frequencies of RoPE.

Source: Chris Wendler's RoPE transformer, section 3. In pair i, the angle between the query at m and
the key at n is the phase D theta_i, with D = n - m + offset. The pair adds the cosine of its phase
to the score, and the cosines sum to f(D), the score at alpha 1. At the target D = 0 all are 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Bools, Floats, Ints, Values, check_int
from clockhead.model.previous_token.head import TIE, Line, PreviousTokenHead, line_kind
from clockhead.model.rope.rotation import kernel_gap, phase_cosines, rope_phases
from clockhead.model.tokens import token_name
from clockhead.model.units import Count, Difference, Doc, Position, Score, ScorePerAlpha, Share

STEADY = 0.99
"""A pair whose cosine is never below this hardly distinguishes positions."""

MOST_GROUPS = 16
"""Largest number of groups; the pairs of a wider head are grouped."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreRow(Values):
    """Row `m` of `head`: the query at m against the key at every n, in the text `tokens`.

    In a causal head the query sees the first M = m + 1 keys, otherwise all T.
    """

    head: PreviousTokenHead
    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    m: Annotated[Position, Doc("position of the query")]
    target: Annotated[Position, Doc("position that the query should attend to, m - offset")]
    query_token: Annotated[str, Doc("token at m, the position of the query")]
    query_named: Annotated[
        str, Doc("token of the query in quotes, with its position if the text repeats it")
    ]
    target_named: Annotated[
        str, Doc("token of the target in quotes, with its position if repeated")
    ]

    past_target: Annotated[Ints, Doc("D = n - m + offset for every n, 0 at the target; (T,)")]
    key_phases: Annotated[Floats, Doc("radians that position n turns its key; (T, d_head/2)")]
    query_phases: Annotated[
        Floats, Doc("radians that query m is turned, for every m; (T, d_head/2)")
    ]
    phases: Annotated[Floats, Doc("key phase minus query phase, D theta_i; (T, d_head/2)")]
    cosines: Annotated[
        Floats, Doc("cos(D theta_i), the part of each pair in the score at alpha 1; (T, d_head/2)")
    ]
    sums: Annotated[Floats, Doc("f(D), the score at alpha 1: the sum of all cosines; (T,)")]
    target_sum: Annotated[
        ScorePerAlpha, Doc("score of the token that the query looks for, at alpha 1")
    ]
    mismatch: Annotated[
        Difference, Doc("largest difference between query m over alpha and the target's key")
    ]
    weight: Annotated[Share, Doc("attention weight on the target")]
    line: Annotated[Line, Doc("whether the target gets 90 % or more, more than half, or neither")]

    n_visible: Annotated[Count, Doc("number of keys that the query sees, M")]
    visible: Annotated[Bools, Doc("whether the query sees the key at n; (T,)")]
    visible_positions: Annotated[Ints, Doc("positions of the keys that the query sees; (M,)")]
    visible_past_target: Annotated[Ints, Doc("D of every key that the query sees; (M,)")]
    visible_sums: Annotated[Floats, Doc("score at alpha 1 of every key that the query sees; (M,)")]
    lowest_visible_sum: Annotated[
        ScorePerAlpha, Doc("smallest score at alpha 1 of a key that the query sees")
    ]
    walk: Annotated[Ints, Doc("visible positions without the target, in order; (M - 1,)")]
    runner_up: Annotated[ScorePerAlpha, Doc("largest score of any other visible token, at alpha 1")]
    runner_up_position: Annotated[
        Position, Doc("position of the runner-up, the first if several tie")
    ]
    runner_up_named: Annotated[
        str, Doc("token of the runner-up in quotes, with its position if repeated")
    ]
    gap: Annotated[
        ScorePerAlpha, Doc("lead of the target's score over the runner-up's, at alpha 1")
    ]
    lead: Annotated[
        Score, Doc("lead of the target's score over the runner-up's, alpha times the gap")
    ]
    stands_out: Annotated[bool, Doc("whether the target's score is above every other visible one")]

    n_steady: Annotated[
        Count, Doc("number of steady pairs, whose cosine is above .99 at every visible key")
    ]
    n_groups: Annotated[Count, Doc("number of groups of neighbouring pairs, G, at most 16")]
    group_starts: Annotated[Ints, Doc("first pair of every group; (G,)")]
    slivers: Annotated[Floats, Doc("part of every group in each visible score at alpha 1; (M, G)")]
    steady_groups: Annotated[Bools, Doc("whether all pairs of a group are steady; (G,)")]
    plinths: Annotated[
        Floats, Doc("part of all steady groups in each visible score at alpha 1; (M,)")
    ]
    lowest_plinth: Annotated[
        ScorePerAlpha,
        Doc("smallest part of the steady groups in the score of a visible key, at alpha 1"),
    ]


def score_row(head: PreviousTokenHead, m: int, tokens: tuple[str, ...]) -> ScoreRow:
    """Row `m` of `head` on the text `tokens`.

    Raises ValueError unless m has a target and sees another key as well, and each position of the
    head has a token.
    """
    if len(tokens) != head.n_tokens:
        raise ValueError(
            f"tokens must be {head.n_tokens}, one for each position, got {len(tokens)}"
        )
    first, last = max(head.offset, int(head.causal)), head.n_tokens - 1
    if not first <= check_int("m", m, at_least=0) <= last:
        raise ValueError(
            f"m must be {first} to {last}, where a token stands {head.offset} before it, got {m}"
        )
    target, rates = m - head.offset, head.frequencies
    past_target = head.past_target[m]  # (T,)
    phases = rope_phases(past_target, rates)  # (T, d_head/2)
    cosines = phase_cosines(past_target, rates)  # (T, d_head/2)
    sums = cosines.sum(axis=1)  # (T,)
    rounding = TIE * sums[target]
    weight, lost = float(head.target_weights[target]), float(head.lost[target])

    n_visible = m + 1 if head.causal else head.n_tokens
    positions = np.arange(n_visible)  # (M,)
    walk = positions[positions != target]  # (M - 1,)
    runner_up = int(walk[sums[walk] >= sums[walk].max() - rounding][0])
    gap = float(kernel_gap(past_target[runner_up], rates))  # exact, unlike a difference of sums

    n_groups = min(MOST_GROUPS, head.n_pairs)
    starts = np.arange(n_groups) * head.n_pairs // n_groups  # (G,)
    steady = cosines[:n_visible].min(axis=0) > STEADY  # (d_head/2,)
    steady_groups = np.logical_and.reduceat(steady, starts)  # (G,)
    slivers = np.add.reduceat(cosines[:n_visible], starts, axis=1)  # (M, G)
    plinths = slivers[:, steady_groups].sum(axis=1)  # (M,)
    return ScoreRow(
        head=head,
        tokens=tokens,
        m=m,
        target=target,
        query_token=tokens[m],
        query_named=token_name(tokens, m),
        target_named=token_name(tokens, target),
        past_target=past_target,
        key_phases=rope_phases(head.positions, rates),
        query_phases=rope_phases(head.positions - head.offset, rates),
        phases=phases,
        cosines=cosines,
        sums=sums,
        target_sum=float(sums[target]),
        mismatch=float(np.abs(head.queries[m] / head.alpha - head.keys[target]).max()),
        weight=weight,
        line=line_kind(weight, weight - lost > TIE),
        n_visible=n_visible,
        visible=np.arange(head.n_tokens) < n_visible,
        visible_positions=positions,
        visible_past_target=past_target[:n_visible].copy(),
        visible_sums=sums[:n_visible].copy(),
        lowest_visible_sum=float(sums[:n_visible].min()),
        walk=walk,
        runner_up=float(sums[runner_up]),
        runner_up_position=runner_up,
        runner_up_named=token_name(tokens, runner_up),
        gap=gap,
        lead=head.alpha * gap,
        stands_out=gap > rounding,
        n_steady=int(steady.sum()),
        n_groups=n_groups,
        group_starts=starts,
        slivers=slivers,
        steady_groups=steady_groups,
        plinths=plinths,
        lowest_plinth=float(plinths.min()),
    )
