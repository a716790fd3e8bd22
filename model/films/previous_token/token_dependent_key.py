"""A previous-token head whose keys also depend on the token, so that some rows miss their target.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
The key becomes R_n (c + strength e_n), where e_n is the vector of the token at n. Its score is that
of the constant key plus a content term that depends on the token as well as on the offset, and is
proportional to the strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values
from clockhead.model.attention.constant_key import constant_key
from clockhead.model.attention.embedding import demo_embedding
from clockhead.model.attention.pattern import causal_mask, pattern_from_scores
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.score_row import MOST_GROUPS
from clockhead.model.rope.rotation import rotate
from clockhead.model.tokens import LETTERS, spread_over_vocabulary, token_name
from clockhead.model.units import Count, Doc, Length, Position, Rows, Score, Strength, Unit

_ROUNDING = 1e-12
"""A gain below this fraction of the largest content score is a rounding error."""
_AROUND = (0.96, 1.003)
"""Strengths just before and after the first loss at which the film stops, as fractions of it."""
_STEPS = 24
"""Number of steps from one halt to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenLeak(Values):
    """A head whose keys take in the token's vector more and more, from 0 to `strength`.

    The strengths halt just before and just after the first row loses its target. If no row does at
    any strength, positions of that row are -1, and names are None.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    head: Annotated[PreviousTokenHead, Doc("the head with the constant key")]
    strength: Annotated[Strength, Doc("factor on the token's vector in its key, at the end")]

    first_loss_at: Annotated[
        Strength, Doc("strength at which the first row loses its target, inf if none does")
    ]
    first_loss_row: Annotated[Position, Doc("first row that loses its target")]
    first_loss_target: Annotated[Position, Doc("target of this row")]
    first_loss_rival: Annotated[Position, Doc("position that it attends to instead")]
    is_torn: Annotated[bool, Doc("whether a row loses its target at the final strength or before")]
    goes_on: Annotated[
        bool, Doc("whether the strength grows further after the first row has lost its target")
    ]
    rival_is_itself: Annotated[bool, Doc("whether this row attends to its own position instead")]
    asker: Annotated[
        str | None, Doc("token of the first row that loses its target, as a sentence names it")
    ]
    target: Annotated[str | None, Doc("token of its target, as a sentence names it")]
    rival: Annotated[str | None, Doc("token that it attends to instead, as a sentence names it")]
    lead: Annotated[
        Score, Doc("lead of the target over the rival in this row, with the constant key")
    ]
    gain: Annotated[
        Score, Doc("gain of the wrong word on the right one by the words' vectors, in score")
    ]
    gains: Annotated[
        Floats,
        Doc("part of each group of hands, or of each hand if there are few, in that gain; (G,)"),
    ]
    n_hands: Annotated[Count, Doc("number of hands of a key")]
    n_groups: Annotated[Count, Doc("number of groups of neighbouring hands, at most 16")]

    halts: Annotated[
        tuple[Strength, ...],
        Doc("strengths of the halts: 0, before and after the first loss, and the final one"),
    ]
    strengths: Annotated[
        Floats,
        Unit("factor on the token's vector"),
        Doc("strengths on the way, evenly spaced from halt to halt; (S,)"),
    ]
    patterns: Annotated[Floats, Doc("attention weights at every strength; (S, T, T)")]
    looks_at: Annotated[
        Floats, Doc("position with the largest weight in each row, at every strength; (S, T)")
    ]
    n_missed: Annotated[Rows, Doc("number of rows that miss the word before")]

    telling_hand: Annotated[
        Count,
        Doc(
            "number of the hand by which the rival gains most, or of the most changed hand, from 1"
        ),
    ]
    pairs: Annotated[
        Floats, Doc("that hand of every key before the rotation, at every strength; (S, T, 2)")
    ]
    longest: Annotated[Length, Doc("length of the longest of these hands")]
    tips: Annotated[
        Floats,
        Doc("that hand of the target's and the rival's key at the end, with the query up; (2, 2)"),
    ]
    tip_gain: Annotated[
        Score, Doc("part of the rival's hand in its score minus that of the target's")
    ]
    rival_is_higher: Annotated[bool, Doc("whether the rival's hand is higher than the target's")]

    def between(self, start: int, end: int) -> slice:
        """The slice of the way from one halt to another, 0 to 3, forwards or backwards."""
        if start <= end:
            return slice(start * _STEPS, end * _STEPS + 1)
        return slice(start * _STEPS, end * _STEPS - 1 if end else None, -1)


def token_leak(head: PreviousTokenHead, tokens: tuple[str, ...], strength: float) -> TokenLeak:
    """Add well separated vectors of the demo embedding to the keys of `head`."""
    indices = spread_over_vocabulary(tokens, len(LETTERS))
    vectors = demo_embedding(indices, head.d_head)  # (T, d_head)
    content = head.queries @ rotate(vectors, head.positions, head.frequencies).T  # (T, T)
    loss_at, loss = _first_loss(head, content)
    halts = (0.0, *(min(share * loss_at, strength) for share in _AROUND), strength)
    ways = [np.linspace(a, b, _STEPS, endpoint=False) for a, b in pairwise(halts)]
    strengths = np.concatenate([*ways, [strength]])  # (S,)
    patterns = pattern_from_scores(head.scores + strengths[:, None, None] * content, head.causal)
    looks_at = patterns.argmax(axis=-1)  # (S, T)
    n_missed = int((looks_at[-1][head.target_rows] != head.targets).sum())
    is_torn = n_missed > 0 and loss_at < strength

    moved = vectors.reshape(len(tokens), -1, 2)  # (T, d_head/2, 2)
    telling = np.linalg.norm(moved, axis=-1).max(axis=0)  # (d_head/2,)
    row, target, rival = loss or (-1, -1, -1)
    lead, by_hand = 0.0, np.zeros(head.n_pairs)  # (d_head/2,)
    if loss:
        lead = float(head.scores[row, target] - head.scores[row, rival])
        turned = rotate(vectors[[rival, target]], [rival, target], head.frequencies)  # (2, d_head)
        reach = (head.queries[row] * turned).reshape(2, -1, 2).sum(axis=-1)  # (2, d_head/2)
        by_hand = strength * (reach[0] - reach[1])
    if is_torn:
        telling = by_hand
    n_groups = min(MOST_GROUPS, head.n_pairs)
    starts = np.arange(n_groups) * head.n_pairs // n_groups  # (G,)
    pair = int(telling.argmax())
    keys = constant_key(head.d_head) + strength * vectors[[target, rival]]  # (2, d_head)
    past = np.array([target, rival]) - row + head.offset  # (2,)
    tips = rotate(keys, past, head.frequencies).reshape(2, -1, 2)[:, pair]  # (2, 2)
    steps = strengths[:, None, None]  # (S, 1, 1)
    pairs = constant_key(head.d_head)[2 * pair : 2 * pair + 2] + steps * moved[:, pair]  # (S, T, 2)
    return TokenLeak(
        tokens=tokens,
        head=head,
        strength=strength,
        first_loss_at=loss_at,
        first_loss_row=row,
        first_loss_target=target,
        first_loss_rival=rival,
        is_torn=is_torn,
        goes_on=is_torn and halts[2] < strength,
        rival_is_itself=loss is not None and rival == row,
        asker=token_name(tokens, row) if loss else None,
        target=token_name(tokens, target) if loss else None,
        rival=token_name(tokens, rival) if loss else None,
        lead=lead,
        gain=float(by_hand.sum()),
        gains=np.add.reduceat(by_hand, starts),
        n_hands=head.n_pairs,
        n_groups=n_groups,
        halts=halts,
        strengths=strengths,
        patterns=patterns,
        looks_at=looks_at.astype(float),
        n_missed=n_missed,
        telling_hand=pair + 1,
        pairs=pairs,
        longest=float(np.linalg.norm(pairs, axis=-1).max()),
        tips=tips,
        tip_gain=head.alpha * float(tips[1, 0] - tips[0, 0]),
        rival_is_higher=bool(tips[1, 0] > tips[0, 0]),
    )


def _first_loss(
    head: PreviousTokenHead, content: Floats
) -> tuple[float, tuple[int, int, int] | None]:
    """The smallest strength at which a row loses its target; the row, its target and the rival.

    The target's lead over key n falls linearly with the strength, so the first key to catch up has
    the smallest lead / gain of all keys that gain on the target. It does not depend on alpha.
    Without such a key the strength is inf.
    """
    rows, own = head.target_rows, head.targets[:, None]  # (R,), (R, 1)
    gains, leads = (
        scores[rows] - np.take_along_axis(scores[rows], own, axis=1)
        for scores in (content, -head.scores)
    )  # (R, T) each
    gaining = (gains > _ROUNDING * np.abs(content).max()) & (head.positions != own)  # (R, T)
    if head.causal:
        gaining &= causal_mask(head.n_tokens)[rows]
    ratios = np.maximum(leads, 0.0) / np.where(gaining, gains, 1.0)  # (R, T)
    crossings = np.where(gaining, ratios, np.inf)  # (R, T)
    first, rival = (int(k) for k in np.unravel_index(crossings.argmin(), crossings.shape))
    if np.isinf(crossings[first, rival]):
        return np.inf, None
    return float(crossings[first, rival]), (int(rows[first]), int(head.targets[first]), rival)
