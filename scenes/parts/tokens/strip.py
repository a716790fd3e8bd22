"""Token strips: a text as a row of boxes, letters on one baseline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import RoundedRectangle, VGroup

from scenes.style.layout import PX, Region
from scenes.style.text import Label, text_width
from scenes.style.theme import theme
from scenes.style.type import LABEL

_PAD = 0.16
_GAP = 0.1


class TokenStrip(VGroup):
    """Tokens in boxes along a region, in as many rows as they need, centred."""

    def __init__(self, tokens: Sequence[str], region: Region, *, size: float = LABEL) -> None:
        super().__init__()
        self.tokens = list(tokens)
        look = theme()
        width = max(0.5, max(text_width(t, size) for t in tokens) + 2 * _PAD)
        height = size * PX * 1.9
        per_row = max(1, int((region.width + _GAP) // (width + _GAP)))
        rows = -(-len(tokens) // per_row)
        per_row = -(-len(tokens) // rows)
        step_y = height + 0.25
        self.boxes: list[RoundedRectangle] = []
        self.labels: list[Label] = []
        for k, token in enumerate(tokens):
            row, column = divmod(k, per_row)
            in_row = min(per_row, len(tokens) - row * per_row)
            x = (column - (in_row - 1) / 2) * (width + _GAP)
            y = ((rows - 1) / 2 - row) * step_y
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
        self.add(*self.boxes, *self.labels)
