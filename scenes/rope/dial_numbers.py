"""A number under or over each dial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clockhead.scenes.parts.dial import Dials, dial_at
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive, in_turn

Spot = Literal["under", "over"]
_EACH = 0.5
"""Fraction of the run time that the flight of one of several numbers takes."""


class DialNumbers(Linked):
    """The numbers of a value (n,), one at each visible dial; they move with the dials.

    For a value of pairs, (n, 2), `part` chooses one of the two numbers. `line` is the line of text,
    counted away from the dial. The format may be a function of the number. Other options are those
    of a `Figure`.
    """

    def __init__(
        self,
        value: Value,
        dials: Dials,
        spec: str | Callable[[float], str],
        *,
        spot: Spot = "under",
        line: int = 0,
        part: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(value)
        self.dials, self._spot, self._line = dials, spot, line
        self._part = part
        self._travelling: set[int] = set()
        meant = [value[self._index(int(i))] for i in dials.indices]
        specs = [spec if isinstance(spec, str) else spec(float(one.array)) for one in meant]
        self.figures = [
            Figure(one, form, **options) for one, form in zip(meant, specs, strict=True)
        ]
        dials.follow(self)
        self.redraw()

    def redraw(self) -> None:
        """Move the numbers to the dials' current places."""
        if not self.dials.placed:
            return
        if not self.submobjects:
            self.add(*self.figures)
        for k, figure in enumerate(self.figures):
            figure.put(self._point(k))

    def show(self, state: NDArray[np.float64]) -> None:
        """Write the numbers of a state."""
        for figure, index in zip(self.figures, self.dials.indices, strict=True):
            figure.shown = self.shown[self._index(int(index))]
            figure.show(state[self._index(int(index))])

    def fly_from(self, point: ArrayLike, *, run_time: float = 1.6) -> Drive:
        """Fly the numbers one by one from a point, where their middles start, to their dials."""
        start = np.asarray(point, dtype=float)

        def show(share: NDArray[np.float64]) -> None:
            shares = in_turn(float(share), len(self.figures), _EACH)
            self._travelling = {k for k, part in enumerate(shares) if part < 1}
            for k, (figure, part) in enumerate(zip(self.figures, shares, strict=True)):
                figure.number.set_fill(opacity=float(min(1.0, 5 * part)))
                end = self._point(k)
                if part < 1:
                    figure.put(end)
                    end = end + (start - figure.number.middle) * (1 - part)
                figure.put(end)

        return Drive(self, show, 0.0, 1.0, run_time=run_time)

    def readings(self) -> Iterator[Reading]:
        """The number at each dial; what the figures show is in their own readings."""
        if not self.dials.placed:
            return
        anchors = np.array([figure.number.anchor for figure in self.figures])
        for k, figure in enumerate(self.figures):
            if is_visible(figure) and k not in self._travelling:
                says = self.figures[dial_at(self._point(k), anchors, k)].number.value
                yield Reading(self.shown[self._index(int(self.dials.indices[k]))], says)

    def _index(self, i: int) -> tuple[int, ...]:
        return (i,) if self._part is None else (i, self._part)

    def _point(self, k: int) -> NDArray[np.float64]:
        point = self.dials.over if self._spot == "over" else self.dials.under
        return point(k, self._line)
