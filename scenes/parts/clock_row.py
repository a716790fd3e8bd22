"""A clock over every token of a text: all ask at once for the time one step ago."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Animation
from numpy.typing import NDArray

from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.stage import Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.shape import Shapes

_SEED = 0.03
"""The radius of a dial that has not left its tile yet."""
_LARGEST, _APART = 0.5, 2.3
"""The largest radius of a clock's dials, and from dial to dial in radii."""
_GAP = 0.14


class Clocks(Shapes):
    """The clocks of the first T tiles of a strip, from key and query phases, (T, hands) each.

    A clock is a column of at most `most` dials, whose radius is at most `largest`. Its key hands
    show the tile's own time; all but the first have query hands too. To be added behind the tiles,
    from which the clocks come.
    """

    def __init__(
        self,
        strip: Strip,
        key_phases: Value,
        query_phases: Value,
        *,
        most: int = 3,
        largest: float = _LARGEST,
    ) -> None:
        super().__init__()
        self._strip, self._phases = strip, query_phases
        self._key_phases, self._most, self._largest = key_phases, most, largest
        self.n, self.n_hands = key_phases.array.shape
        self.asks: list[Hands] = []

    def place(self, page: Region) -> None:
        """Find room on a page for tiles and clocks: as many hands as fit.

        The tiles keep their columns, and their lines share the page.
        """
        lines = self._strip.layout
        assert lines is not None
        count = len(self._strip.tiles)
        states = lines.states(count)  # (tiles, 5)
        width, height = states[0, 2:4]
        pitch, under = page.height / lines.n_lines, height + lines.measures.below
        room = pitch - under - 3 * _GAP
        self.face = float(min(self._largest, 0.47 * width, 0.47 * room))
        step = _APART * self.face
        n_dials = int(np.clip(room // step, 1, min(self._most, self.n_hands)))
        middles = page.top - (np.arange(count) // lines.per_line + 0.5) * pitch
        tops = middles + (n_dials * step + _GAP + under) / 2  # (tiles,)
        self.rows = np.column_stack([states[:, 0], tops - n_dials * step - _GAP - height / 2])
        ys = tops[: self.n, None] - (np.arange(n_dials) + 0.5) * step  # (T, dials)
        self.faces = np.stack(np.broadcast_arrays(states[: self.n, :1], ys), axis=-1)
        self.dials = Dials(self.n_hands, lanes=self.n, labels=None, chosen=range(n_dials))

    def rise(self, *, run_time: float = 1.4) -> list[Animation]:
        """Let the tiles make room, and the clocks come from behind them."""
        tiles = self._strip.tiles
        self._homes = np.array([tile.middle for tile in tiles])
        self._box = (tiles[0].box.width, tiles[0].box.height)
        self.dials.place_at(self._behind, _SEED)
        keys = Hands(self._key_phases, self.dials, "key", angles=True)
        self.asks = [
            Hands(self._key_phases[m], self.dials, "query", angles=True, lane=m)
            for m in range(1, self.n)
        ]
        _show(self.asks, 0.0)
        self.add(self.dials, *self.asks, keys)
        slide = slide_to(self._strip, self.rows, self._box, run_time=run_time)
        return [slide, self.dials.go_to(self.faces, self.face, run_time=run_time)]

    def ask(self, *lanes: int, run_time: float = 0.5) -> Animation:
        """Let the query hands (of all tiles, unless some are named) appear, each at its time."""
        asks = [self.asks[m - 1] for m in self._asking(lanes)]
        return Drive(self, lambda seen: _show(asks, float(seen)), 0.0, 1.0, run_time=run_time)

    def turn_back(self, *lanes: int, run_time: float = 1.4) -> list[Animation]:
        """Let the query hands turn to the time that they ask for."""
        return [
            self.asks[m - 1].to(self._phases[m], run_time=run_time) for m in self._asking(lanes)
        ]

    def step_left(self, *lanes: int, run_time: float = 1.6) -> list[Animation]:
        """Let them go to the clock that shows this time: that of the token before."""
        return [
            self.asks[m - 1].move_to_lane(m - 1, run_time=run_time) for m in self._asking(lanes)
        ]

    def sink(self, *, run_time: float = 1.4) -> list[Animation]:
        """Let the clocks go back behind the tiles, and these to where they stood."""
        slide: Any = slide_to(self._strip, self._homes, self._box, run_time=run_time)
        return [slide, self.dials.go_to(self._behind, _SEED, run_time=run_time)]

    def _asking(self, lanes: Sequence[int]) -> Sequence[int]:
        return lanes or range(1, self.n)

    @property
    def _behind(self) -> NDArray[np.float64]:
        """The dials where the tiles stood, (T, dials, 3)."""
        return np.repeat(self._homes[: self.n, None], self.faces.shape[1], axis=1)


def _show(hands: list[Hands], seen: float) -> None:
    for one in hands:
        for piece in (one.blades, one.tips, one.hubs):
            piece.set_fill(opacity=seen)
