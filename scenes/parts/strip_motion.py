"""What all motions of a strip share.

Every motion looks at what stands there when it begins, not when it is made, so that several can be
written down before the first is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.stage import Picture, Value
from clockhead.scenes.style.motion import Drive

if TYPE_CHECKING:
    from clockhead.scenes.parts.strip_lines import Lines
    from clockhead.scenes.parts.strip_notes import NoteFills, NoteWords

Show = Callable[[float], None]


class Motion(Drive):
    """A motion from 0 to 1 that is prepared when it begins, and settled when it is over."""

    def __init__(
        self,
        strip: Picture,
        prepare: Callable[[], Show],
        settle: Callable[[], object] | None = None,
        **options: Any,
    ) -> None:
        self._prepare, self._settle = prepare, settle
        self._at: Show = stay
        super().__init__(strip, lambda share: self._at(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        self._at = self._prepare()
        super().begin()

    def finish(self) -> None:
        super().finish()
        if self._settle:
            self._settle()


def stay(_: float) -> None:
    """Nothing moves."""


class MovingStrip(Picture):
    """Tiles that move: what a `Strip` has, as its animations see it."""

    tiles: list[Tile]
    order: list[int]
    moving: set[int]
    layout: Lines | None
    placed: bool
    n_shown: int
    answer_value: Value | None
    caret: VMobject
    readers: list[NoteWords]
    fills: NoteFills | None
    rank: Callable[[NDArray[np.float64]], None]
    states_on: Callable[..., NDArray[np.float64]]

    def _glide(self, places: Sequence[int], goals: NDArray[np.float64]) -> Show:
        """Straight ways of tiles to their goals; tiles that are not there wait at the last."""
        starts = [self.tiles[k].state for k in places]
        self.moving |= set(places)
        waiting = np.repeat(goals[-1:], len(self.tiles) - len(goals), axis=0)
        self.rank(np.vstack([goals, waiting]))

        def at(share: float) -> None:
            for k, start, goal in zip(places, starts, goals, strict=True):
                self.tiles[k].draw(goal if share >= 1 else start + (goal - start) * share)

        return at

    def _make_room(self, k: int) -> tuple[Show, NDArray[np.float64]]:
        """The motion of the other tiles for the tile k, and where that tile will be."""
        if not self.placed:
            return stay, np.ones(5)
        self.n_shown = max(self.n_shown, k + 1)
        if self.layout is None:
            return stay, self.tiles[k].state
        goals = self.layout.states(self.n_shown)
        glide = self._glide(range(k), goals[:k])
        self.rank(np.vstack([goals, np.repeat(goals[-1:], len(self.tiles) - len(goals), axis=0)]))
        return glide, goals[k]
