"""A clock over every token of a text; each query turns to the time one step before."""

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
"""Radius of a dial that is still hidden behind its tile, in units."""
_LARGEST = 0.5
"""Largest radius of a dial, in units."""
_APART = 2.3
"""Distance between the centres of dials, in radii."""
_GAP = 0.14


class Clocks(Shapes):
    """The clocks of the first T tiles of a strip, from key and query phases, (T, hands) each.

    A clock is a column of up to `most` dials with a radius of up to `largest`. Its key hands show
    the position of its tile; all clocks but the first have query hands too. Add them behind the
    tiles, because the clocks emerge from there.
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
        """Lay out tiles and clocks on a page, with as many hands as fit.

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
        """Make room between the tiles, and move the clocks out from behind them."""
        tiles = self._strip.tiles
        self._homes = np.array([tile.middle for tile in tiles])
        self._box = (tiles[0].box.width, tiles[0].box.height)
        self.dials.place_at(self._hidden_places, _SEED)
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
        """Show the query hands of these tiles (default: all), each at its own position."""
        asks = [self.asks[m - 1] for m in self._query_lanes(lanes)]
        return Drive(self, lambda seen: _show(asks, float(seen)), 0.0, 1.0, run_time=run_time)

    def turn_back(self, *lanes: int, run_time: float = 1.4) -> list[Animation]:
        """Turn the query hands to the time that they look for."""
        return [
            self.asks[m - 1].to(self._phases[m], run_time=run_time)
            for m in self._query_lanes(lanes)
        ]

    def step_left(self, *lanes: int, run_time: float = 1.6) -> list[Animation]:
        """Move the query hands to the clock that shows this time: that of the token before."""
        return [
            self.asks[m - 1].move_to_lane(m - 1, run_time=run_time)
            for m in self._query_lanes(lanes)
        ]

    def sink(self, *, run_time: float = 1.4) -> list[Animation]:
        """Move the clocks back behind the tiles, and the tiles to where they were."""
        slide: Any = slide_to(self._strip, self._homes, self._box, run_time=run_time)
        return [slide, self.dials.go_to(self._hidden_places, _SEED, run_time=run_time)]

    def _query_lanes(self, lanes: Sequence[int]) -> Sequence[int]:
        return lanes or range(1, self.n)

    @property
    def _hidden_places(self) -> NDArray[np.float64]:
        """Positions of the dials behind their tiles, (T, dials, 3)."""
        return np.repeat(self._homes[: self.n, None], self.faces.shape[1], axis=1)


def _show(hands: list[Hands], seen: float) -> None:
    for one in hands:
        for piece in (one.blades, one.tips, one.hubs):
            piece.set_fill(opacity=seen)
