"""Why a worked head divides its dot products: random vectors of its width, and wider ones."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from clockhead.model.arrays import Floats, Ints, sealed, sealed_ints
from clockhead.model.attention.dot_spread import DotSpread
from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.units import Count, Factor, Score, ScoreScale

_TIMES_AS_WIDE = (1, 4, 16, 64)


@dataclass(frozen=True, eq=False)
class ScaledHead(WorkedHead):
    """A worked head, beside dot products of random vectors that are as wide or wider."""

    @classmethod
    def of(cls, head: WorkedHead) -> ScaledHead:
        """The same head."""
        return cls(**{field.name: getattr(head, field.name) for field in fields(head)})

    @cached_property
    def spread(self) -> DotSpread:
        """Dot products of random vectors: as wide as the rows, 4, 16 and 64 times as wide."""
        return DotSpread(tuple(times * self.d_model for times in _TIMES_AS_WIDE))

    @cached_property
    def widths(self) -> Ints:
        """The widths of the random vectors, d; shape (widths,)."""
        return sealed_ints(np.array(self.spread.widths))

    @property
    def widths_named(self) -> tuple[str, ...]:
        """The widths of the random vectors, as they are written."""
        return tuple(f"d = {width}" for width in self.widths)

    @property
    def widest(self) -> Count:
        """The largest of these widths."""
        return int(self.widths.max())

    @cached_property
    def even(self) -> Floats:
        """How far dot products spread in theory once they are divided, 1; shape (widths,)."""
        return sealed(self.spread.roots / self.spread.roots)

    @property
    def largest_share(self) -> Factor:
        """What softmax gives the best of the keys at the largest width, on average."""
        return float(self.spread.largest_shares[-1])

    @property
    def alpha(self) -> ScoreScale:
        """1 / sqrt(d_head): the factor on dot products that does what the division does."""
        return 1 / self.divisor

    @property
    def own_dot(self) -> Score:
        """The dot product of the last token's query and its own key."""
        return float(self.dots[self.last, self.last])

    @property
    def own_score(self) -> Score:
        """This dot product divided by sqrt(d_head)."""
        return float(self.scores[self.last, self.last])
