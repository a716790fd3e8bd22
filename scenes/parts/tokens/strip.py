"""Token strips: a text as a row of boxes, letters on one baseline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import RoundedRectangle, VGroup
from numpy.typing import NDArray

from scenes.parts.text import Label, Number, text_width
from scenes.style.layout import PX, Region
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL, SMALL

_PAD = 0.16
_GAP = 0.1


class TokenStrip(VGroup):
    """Tokens in boxes along a region, in as many rows as they need, centred.

    `positions` writes each token's position under it. `cell` fixes the width of every box, so that
    a strip can stand over the columns of a grid.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        region: Region,
        *,
        size: float = LABEL,
        positions: bool = False,
        cell: float | None = None,
    ) -> None:
        super().__init__()
        self.tokens = list(tokens)
        look = theme()
        width = cell or max(0.5, max(text_width(t, size) for t in tokens) + 2 * _PAD)
        height = size * PX * 1.9
        per_row = max(1, int((region.width + _GAP) // (width + _GAP)))
        rows = -(-len(tokens) // per_row)
        per_row = -(-len(tokens) // rows)
        below = SMALL * PX * 1.5 if positions else 0.0
        step_y = height + below + 0.25
        self.boxes: list[RoundedRectangle] = []
        self.labels: list[Label] = []
        self.numbers: list[Number] = []
        for k, token in enumerate(tokens):
            row, column = divmod(k, per_row)
            in_row = min(per_row, len(tokens) - row * per_row)
            x = (column - (in_row - 1) / 2) * (width + _GAP)
            y = ((rows - 1) / 2 - row) * step_y + below / 2
            middle = region.center + np.array([x, y, 0.0])
            box = RoundedRectangle(
                width=width,
                height=height,
                corner_radius=0.08,
                fill_color=look.panel,
                fill_opacity=1,
                stroke_color=look.hairline,
                stroke_width=2,
            ).move_to(middle)
            self.boxes.append(box)
            self.labels.append(Label(token, size=size, color=look.token).center_on(middle))
            if positions:
                under = middle - np.array([0.0, height / 2 + SMALL * PX * 0.75, 0.0])
                self.numbers.append(
                    Number(k, "d", size=SMALL, color=look.text_color("position")).center_on(under)
                )
        self.add(*self.boxes, *self.labels, *self.numbers)

    def top(self, index: int) -> NDArray[np.float64]:
        """The middle of a box's upper edge."""
        return np.array(self.boxes[index].get_top())

    def bottom(self, index: int) -> NDArray[np.float64]:
        """The middle of a box's lower edge."""
        return np.array(self.boxes[index].get_bottom())

    def mark(self, index: int, role: Role | None) -> None:
        """Frame a token in a role's colour; None takes the frame off."""
        look = theme()
        color = look.hairline if role is None else look.text_color(role)
        self.boxes[index].set_stroke(color, 2 if role is None else 4)
        self.labels[index].set_fill(look.token if role is None else color)
