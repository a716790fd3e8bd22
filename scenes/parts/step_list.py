"""A few steps, said one under the other at the foot of a region."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import RIGHT, VGroup

from scenes.style.layout import PX, Region
from scenes.style.text import Label, Paragraph, text_width
from scenes.style.theme import theme
from scenes.style.type import CAPTION, LINE_HEIGHT

_INDENT = 0.25
_GAP = 0.1
_ABOVE = 0.35
"""Room between a step's head and its words, between two steps, and over the first, in units."""
_BASELINE = 0.72
"""How far the first baseline lies below the top of its line, in ems."""


class StepList(VGroup):
    """Steps, each a head and a sentence, in the middle of the region at its foot.

    `steps` holds them one by one; `above` is the room that is left over them.
    """

    def __init__(self, steps: Sequence[tuple[str, str]], region: Region) -> None:
        super().__init__()
        self.steps: list[VGroup] = []
        indent = _INDENT + max(text_width(head, CAPTION, "semibold") for head, _ in steps)
        texts = [Paragraph(words, width=region.width - indent, size=CAPTION) for _, words in steps]
        heights = [len(text) * CAPTION * PX * LINE_HEIGHT for text in texts]
        left = region.center[0] - (indent + max(text.width for text in texts)) / 2
        used = sum(heights) + _GAP * (len(steps) - 1)
        y = region.bottom + used
        for (head, _), text, height in zip(steps, texts, heights, strict=True):
            base = np.array([left, y - _BASELINE * CAPTION * PX, 0.0])
            label = Label(head, size=CAPTION, weight="semibold", color=theme().muted).put(base)
            self.steps.append(VGroup(label, text.shift(base + indent * RIGHT)))
            y -= height + _GAP
        self.add(*self.steps)
        self.above = region.cut_bottom(used, gap=_ABOVE)[1]
