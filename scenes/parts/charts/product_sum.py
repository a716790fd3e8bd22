"""A sum of products, written out: the largest of them line by line, the others together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup, VMobject

from scenes.parts.sentence import Sentence
from scenes.style.layout import PX, Region
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import Role, theme
from scenes.style.type import Weight

_MOST, _LEAST = 32.0, 20.0
_LINE = 1.5
"""From line to line, in ems."""


class ProductSum(VGroup):
    """Lines such as `a  0.128 × 0.082 = 0.0105`, a rule, and the sum under it.

    `rows` are name, factor, factor and product; `rest` is what the others add up to; `names` are
    those of the rest and of the sum. `lines` holds a group a line, the rest last; `bottom` the rule
    and the total's name; `total` its number. `products` are the numbers that are added, `around` is
    what else stands in the lines. Nothing is added to the part: the stage brings in line by line.
    """

    def __init__(
        self,
        rows: Sequence[tuple[str, float, float, float]],
        rest: float,
        total: float,
        region: Region,
        *,
        names: tuple[str, str],
        roles: tuple[Role, Role],
        specs: tuple[str, str] = (".3f", ".4f"),
    ) -> None:
        super().__init__()
        look = theme()
        n_lines = len(rows) + 2
        sample = "0.0000 × 0.000 = 0.00000 mm"
        self.size = min(
            _MOST,
            region.height / PX / (n_lines * _LINE + 0.3),
            _MOST * region.width / text_width(sample, _MOST),
        )
        self.size = max(_LEAST, self.size)
        em = self.size * PX
        factor, product = specs
        self.lines: list[VGroup] = []
        self.products: list[Number] = []
        self.around = VGroup()
        lines = [
            Sentence((x, factor), " × ", (y, factor), " = ", (xy, product), size=self.size)
            for _, x, y, xy in rows
        ]
        length = max(line.length for line in lines)
        width = length + 2.2 * em
        left = region.center[0] - width / 2
        right = left + width
        top = region.center[1] + (n_lines * _LINE * em) / 2
        baselines = [top - (k + 0.75) * _LINE * em for k in range(n_lines)]
        for (name, *_), sentence, y in zip(rows, lines, baselines, strict=False):
            for number, role in zip(sentence.numbers, roles, strict=False):
                number.set_fill(look.text_color(role))
            sentence.put(np.array([right - sentence.length, y, 0.0]))
            name_label = self._words(name, left, y, "semibold")
            self._add_line([name_label, *sentence.submobjects[:-1]], sentence.numbers[-1])
        y = baselines[-2]
        others = Number(rest, product, size=self.size, align="right").put(np.array([right, y, 0.0]))
        self._add_line([self._words(names[0], left, y, "regular").set_fill(look.muted)], others)
        y = baselines[-1] - 0.2 * em
        rule = Line((left, y + 1.05 * em, 0.0), (right, y + 1.05 * em, 0.0))
        rule.set_stroke(look.muted, 2)
        self.bottom = VGroup(rule, self._words(names[1], left, y, "semibold"))
        self.total = Number(total, product, size=self.size, weight="semibold", align="right")
        self.total.put(np.array([right, y, 0.0]))

    def _add_line(self, around: Sequence[VMobject], product: Number) -> None:
        """A line that ends with a product."""
        self.lines.append(VGroup(*around, product))
        self.products.append(product)
        self.around.add(*around)

    def _words(self, text: str, left: float, y: float, weight: Weight) -> Label:
        return Label(text, size=self.size, weight=weight).put(np.array([left, y, 0.0]))
