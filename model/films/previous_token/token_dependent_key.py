"""What if the key did depend on the token: some rows of the previous-token head miss their target.

Source: Chris Wendler's RoPE transformer, section 3 ("What if W_k depended on the token?").
The key becomes R_n (c + strength e_n), with e_n the vector of the token at n. Its score is that of
the constant key plus a content term, which depends on the token and not on the distance alone, and
grows evenly with the strength.
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
from clockhead.model.tokens import LETTERS, named, spread_over_vocabulary
from clockhead.model.units import Count, Doc, Length, Position, Rows, Score, Strength

_ROUNDING = 1e-12
"""A gain below this share of the largest content score is rounding."""
_AROUND = (0.96, 1.003)
"""The strengths before and after the first loss at which the leak halts, as shares of it."""
_STEPS = 24
"""From one halt to the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenLeak(Values):
    """A head whose tokens leak into their keys more and more, from nothing to `strength`.

    The way halts just before the first row loses its target, and just after. If no row loses its
    target at any strength, positions of this row are -1, names None, and arrays empty.
    """

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    head: Annotated[PreviousTokenHead, Doc("the head with one key for all")]
    strength: Annotated[Strength, Doc("how much of the token's vector leaks into its key")]

    first_loss_at: Annotated[
        Strength, Doc("where the first row loses its target, inf if none does")
    ]
    first_loss_row: Annotated[Position, Doc("the row that loses its target first")]
    first_loss_target: Annotated[Position, Doc("the target of this row")]
    first_loss_rival: Annotated[Position, Doc("the position to which it turns")]
    is_torn: Annotated[bool, Doc("whether a row loses its target on the way to the strength")]
    goes_on: Annotated[bool, Doc("whether the way goes on after the first row has lost its target")]
    rival_is_itself: Annotated[bool, Doc("whether this row turns to its own position")]
    asker: Annotated[str | None, Doc("the token whose row loses its target first, named")]
    target: Annotated[str | None, Doc("the token that it should look at, named")]
    rival: Annotated[str | None, Doc("the token to which it turns, named")]
    lead: Annotated[Score, Doc("what position gives the target over the rival in this row")]
    gain: Annotated[Score, Doc("what the words give the wrong word more than the right one")]
    gains: Annotated[
        Floats, Doc("what each group of hands adds to that gain; each hand if there are few; (G,)")
    ]
    n_hands: Annotated[Count, Doc("how many hands a key has")]
    n_groups: Annotated[Count, Doc("how many groups of neighbouring hands there are: at most 16")]

    halts: Annotated[
        tuple[Strength, ...], Doc("0, before and after the first loss, and the last strength")
    ]
    strengths: Annotated[Floats, Doc("the strengths of the way, even from halt to halt; (S,)")]
    patterns: Annotated[Floats, Doc("the pattern at every strength; (S, T, T)")]
    looks_at: Annotated[Floats, Doc("the position that gets most of each row, at each; (S, T)")]
    n_missed: Annotated[Rows, Doc("the number of rows that miss the word before")]

    telling_hand: Annotated[
        Count,
        Doc("the hand by which the rival gains most, from 1; without one, the most bent hand"),
    ]
    pairs: Annotated[Floats, Doc("that hand of every key before the rotation, at each; (S, T, 2)")]
    longest: Annotated[Length, Doc("the length of the longest of them")]
    tips: Annotated[
        Floats,
        Doc("that hand of the target's key and the rival's at the last strength, query up; (2, 2)"),
    ]
    tip_gain: Annotated[Score, Doc("how much more than the target's the rival's adds to a score")]
    rival_is_higher: Annotated[bool, Doc("whether the rival's is the higher one of the two")]

    def between(self, start: int, end: int) -> slice:
        """Where in the way it goes from one halt to another, 0 to 3, forwards or backwards."""
        if start <= end:
            return slice(start * _STEPS, end * _STEPS + 1)
        return slice(start * _STEPS, end * _STEPS - 1 if end else None, -1)


def token_leak(head: PreviousTokenHead, tokens: tuple[str, ...], strength: float) -> TokenLeak:
    """Let the tokens leak: vectors of the demo embedding, far from each other on its ring."""
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
        asker=named(tokens, row) if loss else None,
        target=named(tokens, target) if loss else None,
        rival=named(tokens, rival) if loss else None,
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
    """The lowest strength at which a row loses its target; the row, its target and the rival.

    The target's lead over key n falls evenly with the strength, so the first key to draw level is
    the minimum of lead / gain over all keys that gain on the target. It does not depend on alpha.
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
