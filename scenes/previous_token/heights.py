"""The height of each clock hand's tip as a bar in its dial: what the hand adds to a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from clockhead.scenes.parts.dial import REACH
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.paths import rectangles
from clockhead.scenes.stage import Linked, Reading, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.theme import mix, theme

_WIDTH = 0.62
"""Width of a bar, relative to the radius of its dial."""
_SAME = 1e-6
"""Tolerance of readings."""


class Heights(Linked):
    """Bars from the middle of each dial to the height of its hand's tip.

    Bars of the rows of dials in `steady` are grey, and others mauve. Bars below the middle are red:
    outlines, or filled if `filled`.
    Readings compare them with `cosines`: (T, hands), of which the hands show one row, or (n,), the
    hands' own.
    """

    def __init__(
        self,
        cosines: Value,
        hands: Hands,
        steady: Sequence[int] = (),
        *,
        grown: bool = False,
        filled: bool = False,
    ) -> None:
        super().__init__(cosines)
        look = theme()
        self._hands, self._grown = hands, float(grown)
        self._steady = np.isin(np.arange(hands.dials.shown_rows), list(steady))
        foot = mix(look.ground, look.residual, 0.6)
        self.bars = [
            VMobject(stroke_width=0, fill_color=foot, fill_opacity=1),
            VMobject(stroke_width=0, fill_color=look.position, fill_opacity=1),
            VMobject(stroke_color=look.wrong, stroke_width=2),
        ]
        self.bars[2].set_fill(look.wrong if filled else look.panel, 1)
        self.add(*self.bars)
        hands.follow(self)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the grown part of the bars at the hands' current places."""
        if not self._hands.dials.placed:
            return
        base, heights = self._hands.bases(), self._tip_heights
        x, y, _ = base.centers.T
        half, ends = _WIDTH / 2 * base.radii, y + heights * self._grown
        sides = np.stack([x - half, np.minimum(y, ends), x + half, np.maximum(y, ends)])
        kinds = np.where(heights < 0, 2, np.where(self._steady, 0, 1))
        for kind, bar in enumerate(self.bars):
            bar.clear_points()
            if self._grown and (kinds == kind).any():
                bar.set_points(rectangles(*sides[:, kinds == kind]))

    @property
    def middles(self) -> NDArray[np.float64]:
        """Middles of the fully grown bars; (G, 3)."""
        up = np.array([0.0, 1.0, 0.0])
        return np.asarray(self._hands.bases().centers + self._tip_heights[:, None] / 2 * up)

    def grow(self, **options: Any) -> Drive:
        """Grow the bars from the middles of the dials."""
        return self.drive("_grown", 0.0, 1.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The height of every bar, measured on its dial, once the hands are at rest."""
        shown = self._hands.shown
        if not isinstance(shown, Value) or self._grown < 1 or not self._hands.dials.placed:
            return
        base = self._hands.bases()
        for kind, bar in enumerate(self.bars):
            for box in bar.points.reshape(-1, 16, 3) if is_visible(bar) else []:
                low, high = box.min(axis=0), box.max(axis=0)
                ends = np.array([[(low[0] + high[0]) / 2, y] for y in (low[1], high[1])])
                far = np.linalg.norm(ends[:, None] - base.centers[:, :2], axis=-1)  # (2, G)
                foot, k = np.unravel_index(far.argmin(), far.shape)
                up = float(ends[1 - foot, 1] - base.centers[k, 1])
                key = shown.index[:1] if self.state.ndim == 2 else ()
                meant = self.shown[(*key, int(self._hands.dials.indices[k]))]
                if (up < -_SAME) != (kind == 2):
                    yield Reading(meant, "a bar of the wrong colour")
                yield Reading(meant, up / REACH / float(base.radii[k]) * self._hands.unit, _SAME)

    @property
    def _tip_heights(self) -> NDArray[np.float64]:
        """Heights of the hands' tips over the middles of their dials, in units; (G,)."""
        base = self._hands.bases()
        return np.asarray(np.cos(base.angles) * base.lengths * REACH * base.radii)
