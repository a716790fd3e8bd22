"""One previous-token head at many alphas: the patterns, the worst rows, and who wins.

Source: Chris Wendler's RoPE transformer, section 3 ("Why alpha?"). Alpha scales all scores alike,
so it decides how much the winner of a row gets and never which key wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from clockhead.model.arrays import Floats, Values, real
from clockhead.model.previous_token.head import PreviousTokenHead
from clockhead.model.previous_token.sharpness import alpha_needed
from clockhead.model.units import Doc, Rows, ScoreScale, Share

_ROUNDING = 1e-12
_ALPHAS = 161
_LOWEST, _BEYOND = 0.1, 1.3
"""How many alphas a sweep has, where it begins at most, and how far it goes beyond alpha_99."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AlphaSweep(Values):
    """`head` at rising alphas, which hold its own and that at which every row has 99 %."""

    tokens: Annotated[tuple[str, ...], Doc("the text; T tokens")]
    head: PreviousTokenHead
    alpha_99: Annotated[ScoreScale, Doc("the smallest alpha at which all targets get 99 %")]
    alphas: Annotated[Floats, Doc("the alphas of the sweep; (A,)")]
    decades: Annotated[tuple[ScoreScale, ScoreScale], Doc("the powers of ten around the sweep")]
    patterns: Annotated[Floats, Doc("the pattern at every alpha; (A, T, T)")]
    worst_weights: Annotated[Floats, Doc("the least that a row gives its target, at each; (A,)")]
    weight_99: Annotated[Share, Doc("the least that a row gives its target at alpha_99")]
    n_changing: Annotated[Rows, Doc("how many rows have another winner at some alpha")]
    winners_constant: Annotated[bool, Doc("whether every row has the same winner at every alpha")]
    never_falls: Annotated[bool, Doc("whether the worst weight never falls as alpha rises")]

    def nearest(self, alpha: float) -> int:
        """Where in the sweep the alpha is that is nearest to this one."""
        return int(np.abs(self.alphas - alpha).argmin())


def alpha_sweep(tokens: tuple[str, ...], head: PreviousTokenHead) -> AlphaSweep:
    """The head of a text from little alpha to more than enough.

    A winner is that of the scores, and has to share first place at every alpha. Raises ValueError
    if no alpha gives every row 99 %.
    """
    needed = _needed(head)
    low, high = _ends(head, needed)
    inner = [mark for mark in (head.alpha, needed) if mark > 0]
    alphas = np.unique([*np.geomspace(low, high, _ALPHAS), *inner])  # (A,)
    patterns = head.patterns_at(alphas)  # (A, T, T)
    worst = head.target_weights_at(alphas).min(axis=1)  # (A,)

    visible = np.where(patterns[0] > 0, head.scores, -np.inf)  # (T, T)
    winners = visible.argmax(axis=1)  # (T,)
    weights = np.take_along_axis(patterns, winners[None, :, None], axis=2)[:, :, 0]  # (A, T)
    keeps = (weights >= patterns.max(axis=2) - _ROUNDING).all(axis=0)  # (T,)
    return AlphaSweep(
        tokens=tokens,
        head=head,
        alpha_99=needed,
        alphas=alphas,
        decades=alpha_decades(head),
        patterns=patterns,
        worst_weights=worst,
        weight_99=round(float(head.target_weights_at([needed]).min()), 9),
        n_changing=int((~keeps).sum()),
        winners_constant=bool(keeps.all()),
        never_falls=bool((np.diff(worst) >= -_ROUNDING).all()),
    )


def alpha_decades(head: PreviousTokenHead) -> tuple[float, float]:
    """The powers of ten around the sweep of a head, at least from .1 to 10."""
    low, high = _ends(head, _needed(head))
    ends = (
        np.floor(np.log10(min(low, 0.1)) + _ROUNDING),
        np.ceil(np.log10(max(high, 10.0)) - _ROUNDING),
    )
    return float(10.0 ** ends[0]), float(10.0 ** ends[1])


def _needed(head: PreviousTokenHead) -> float:
    needed = alpha_needed(head.frequencies, head.n_tokens, head.offset, head.causal)
    return real("alpha_99", needed, at_least=0)


def _ends(head: PreviousTokenHead, needed: float) -> tuple[float, float]:
    return min(_LOWEST, head.alpha / 4), _BEYOND * max(needed, head.alpha)
