"""A number for each dial, under, over or beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scenes.parts.dial import Dials
from scenes.parts.dial_links import Linked
from scenes.parts.figures import Figure
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible

Spot = Literal["under", "over", "beside"]


class DialNumbers(Linked):
    """The numbers of a value (n,), one at each dial that is shown; they move with the dials.

    `line` counts the lines of text away from the dial. Other options are those of a `Figure`.
    """

    def __init__(
        self,
        value: Value,
        dials: Dials,
        spec: str,
        *,
        spot: Spot = "under",
        line: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(value)
        self.dials, self._spot, self._line = dials, spot, line
        align = "left" if spot == "beside" else "center"
        self.figures = [
            Figure(value[int(i)], spec, **{"align": align} | options) for i in dials.indices
        ]
        dials.follow(self)
        self.redraw()

    def redraw(self) -> None:
        """Stand at the dials, where they are now."""
        if not self.dials.placed:
            return
        if not self.submobjects:
            self.add(*self.figures)
        for k, figure in enumerate(self.figures):
            figure.put(self._point(k))

    def show(self, state: NDArray[np.float64]) -> None:
        """Write other numbers."""
        for figure, index in zip(self.figures, self.dials.indices, strict=True):
            figure.shown = self.shown[int(index)]
            figure.show(state[int(index)])

    def readings(self) -> Iterator[Reading]:
        """Which number stands at each dial; the figures tell for themselves what they say."""
        if not self.dials.placed:
            return
        anchors = np.array([figure.number.anchor for figure in self.figures])
        for k, figure in enumerate(self.figures):
            if is_visible(figure):
                far = np.linalg.norm(anchors - self._point(k), axis=1)
                near = k if far[k] < 1e-6 else int(np.argmin(far))
                says = self.figures[near].number.value
                yield Reading(self.shown[int(self.dials.indices[k])], says)

    def _point(self, k: int) -> NDArray[np.float64]:
        if self._spot == "beside":
            return self.dials.beside(k)
        return getattr(self.dials, self._spot)(k, self._line)  # type: ignore[no-any-return]
