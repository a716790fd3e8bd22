"""How high each clock hand reaches: a bar in its dial, which is what the hand adds to a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes.parts.dial import REACH
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_links import Linked, LinkedDrive
from scenes.parts.paths import rectangles
from scenes.stage import Reading, Value
from scenes.stage.shown import is_visible
from scenes.style.theme import mix, theme

_WIDTH = 0.62
"""Of a bar, as a share of the radius of its dial."""
_SAME = 1e-6


class Heights(Linked):
    """Bars from the middle of each dial to the height of the tip of its hand.

    Those in `steady` are grey, the others yellow; what lies below the middle is outlined in red.
    `cosines` (T, hands) are read back: the key is the one that the hands stand for.
    """

    def __init__(
        self, cosines: Value, hands: Hands, steady: Sequence[int], *, grown: bool = False
    ) -> None:
        super().__init__(cosines)
        look = theme()
        self._hands, self._share = hands, float(grown)
        self._steady = np.isin(np.arange(hands.dials.shown_rows), list(steady))
        foot = mix(look.ground, look.residual, 0.6)
        self.bars = [
            VMobject(stroke_width=0, fill_color=foot, fill_opacity=1),
            VMobject(stroke_width=0, fill_color=look.attention, fill_opacity=1),
            VMobject(stroke_color=look.wrong, stroke_width=2, fill_color=look.panel),
        ]
        self.bars[2].set_fill(opacity=1)
        self.add(*self.bars)
        hands.follow(self)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw the bars at the hands, wherever they are now, as far as they have grown."""
        if not self._hands.dials.placed:
            return
        corners, kinds = self._corners(), self._kinds()
        for kind, bar in enumerate(self.bars):
            chosen = corners[kinds == kind]
            if self._share and len(chosen):
                bar.set_points(rectangles(*chosen.T))
            else:
                bar.clear_points()

    @property
    def middles(self) -> NDArray[np.float64]:
        """The middles of the bars once they have grown; (G, 3)."""
        base = self._hands.bases()
        up = np.cos(base.angles) * base.lengths * REACH * base.radii / 2
        return np.asarray(base.centers + up[:, None] * np.array([0.0, 1.0, 0.0]))

    def grow(self, **options: Any) -> LinkedDrive:
        """Let the bars grow out of the middles of the dials."""
        return self._run(1.0, **options)

    def shrink(self, **options: Any) -> LinkedDrive:
        """Let them go again."""
        return self._run(0.0, **options)

    def readings(self) -> Iterator[Reading]:
        """The height of every bar, measured on its dial, while the hands stand still."""
        shown = self._hands.shown
        if not isinstance(shown, Value) or self._share < 1 or not self._hands.dials.placed:
            return
        key, base = shown.index[0], self._hands.bases()
        for kind, bar in enumerate(self.bars):
            if not is_visible(bar):
                continue
            for box in bar.points.reshape(-1, 16, 3):
                low, high = box.min(axis=0), box.max(axis=0)
                across = np.abs(base.centers[:, 0] - (low[0] + high[0]) / 2)
                ends = np.stack([low[1] - base.centers[:, 1], high[1] - base.centers[:, 1]])
                k = int(np.argmin(across + np.abs(ends).min(axis=0)))
                far = max(ends[:, k], key=abs)
                meant = self.shown[key, int(self._hands.dials.indices[k])]
                says = float(far / REACH / base.radii[k])
                if (says < -_SAME) != (kind == 2):
                    yield Reading(meant, "a bar of the wrong colour")
                yield Reading(meant, says, _SAME)

    def _corners(self) -> NDArray[np.float64]:
        """Left, bottom, right and top of each bar; (G, 4)."""
        base, middles = self._hands.bases(), self.middles
        half = np.abs(middles - base.centers)[:, 1] * self._share
        middle = base.centers[:, 1] + (middles - base.centers)[:, 1] * self._share
        x, wide = base.centers[:, 0], _WIDTH / 2 * base.radii
        return np.column_stack([x - wide, middle - half, x + wide, middle + half])

    def _kinds(self) -> NDArray[np.int_]:
        below = np.cos(self._hands.bases().angles) < 0
        return np.where(below, 2, np.where(self._steady, 0, 1))

    def _run(self, share: float, **options: Any) -> LinkedDrive:
        def show(now: NDArray[np.float64]) -> None:
            self._share = float(now)
            self.redraw()

        return LinkedDrive(self, show, self._share, share, **options)
