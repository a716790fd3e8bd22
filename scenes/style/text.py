"""Words, numbers and formulas.

A `Label` or a `Number` is a single path whatever its length, so that a screen full of them is fast.
All of them know their baseline, so that letters in a row are aligned.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal, Self

import numpy as np
from manim import RIGHT, UP, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.scenes.facts import UNKNOWN, format_fact
from clockhead.scenes.mathematics import split_math
from clockhead.scenes.style import type as faces
from clockhead.scenes.style.fonts import fonts, scale_of
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.shape import Shape, Shapes
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, WEIGHTS, Outline, Weight
from clockhead.scenes.style.typeset import escape, family_of
from clockhead.scenes.style.typeset_paths import typeset_height, typeset_paths

Align = Literal["left", "center", "right"]
_BLANKS = re.compile(r"[ \t\n]+")
_IDEOGRAPHS = re.compile(r"CJK|HIRAGANA|KATAKANA|IDEOGRAPHIC|FULLWIDTH|BOPOMOFO|YI ")
"""Beginnings of the Unicode names of letters that are written without spaces between words."""
_NOT_FIRST = "々〻ーゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ…‥"
"""Letters that must not begin a line, besides closing signs: small letters and repetition signs."""
_RTL = "#set text(dir: rtl)\n"
_BALANCE_STEPS = 6
"""Number of bisection steps that balance the lengths of lines with mathematics."""
_SIDE: dict[Align, float] = {"left": 0.0, "center": 0.5, "right": 1.0}


class Label(Shape):
    """A line of words as one filled path.

    `size` is the em in pixels at 720p. A new label has its baseline at the origin; `put` moves it,
    with `align` naming the end that is placed. `rtl` is the direction of the paragraph that the
    line belongs to, if any.
    """

    def __init__(
        self,
        text: str,
        *,
        size: float = LABEL,
        weight: Weight = "regular",
        color: str | None = None,
        align: Align = "left",
        rtl: bool | None = None,
    ) -> None:
        super().__init__(stroke_width=0, fill_color=theme().ink_of(color), fill_opacity=1)
        self.text = text
        self._rtl = rtl
        self.weight: Weight = weight
        self.align: Align = align
        self._em = size * PX
        self._write(np.zeros(3), self._em)

    @property
    def em(self) -> float:
        """The current em in units, after any scaling."""
        shape, points = self._outline, self.points
        if len(shape.points) == 0 or len(points) == 0:
            return self._em
        if len(points) == len(shape.points):
            return self._em_of(shape, points)
        # only the start of a word, or morphing into another one
        return float(np.ptp(points[:, 0])) / max(shape.width, 1e-9)

    @property
    def anchor(self) -> NDArray[np.float64]:
        """The aligned end of the line, on its baseline."""
        return self._anchor_of(self.em)

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of the line, half the x-height above its baseline."""
        return self.middle_at(faces.X_HEIGHT / 2)

    def middle_at(self, height: float) -> NDArray[np.float64]:
        """The middle of the line, `height` ems above its baseline."""
        shape, points = self._outline, self.points
        if (
            len(points) == len(shape.points) > 0
        ):  # the middle of where curves end, as Manim computes it
            em = self._em_of(shape, points)
            left, right = shape.end_sides
            x = (points[left, 0] + points[right, 0]) / 2
            y = points[0, 1] - shape.points[0, 1] * em
            return np.array([x, y + height * em, 0.0])
        em = self.em
        x, y, _ = self._anchor_of(em)
        if len(points):
            ends = np.concatenate([points[::4, 0], points[3::4, 0]])
            x = (ends.min() + ends.max()) / 2
        return np.array([x, y + height * em, 0.0])

    def put(self, point: NDArray[np.float64]) -> Self:
        """Move the aligned end of the baseline to `point`."""
        self.shift(point - self.anchor)
        return self

    def center_on(self, point: NDArray[np.float64]) -> Self:
        """Centre the line at `point` by its x-height, so that neighbours share a baseline."""
        self.shift(point - self.middle)
        return self

    @staticmethod
    def _em_of(shape: Outline, points: NDArray[np.float64]) -> float:
        """The em of a whole line, from its width."""
        left, right = shape.sides
        return abs(points.item(right, 0) - points.item(left, 0)) / max(shape.width, 1e-9)

    def _anchor_of(self, em: float) -> NDArray[np.float64]:
        shape = self._outline
        if len(shape.points) == 0:
            return np.zeros(3)
        pen = self.points[0] - shape.points[0] * em
        pen[0] += _SIDE[self.align] * shape.advance * em
        return np.asarray(pen)

    @property
    def _outline(self) -> Outline:
        return faces.outline(self.text, self.weight, rtl=self._rtl)

    def _write(self, anchor: NDArray[np.float64], em: float) -> None:
        shape = self._outline
        start = anchor - RIGHT * _SIDE[self.align] * shape.advance * em
        self.set_points(shape.points * em + start)


class Number(Label):
    """A number from the model. It keeps its value, so that the text can be checked.

    `spec` is the format of a fact, such as `.2f` or `.1%`. A new value with the same text costs
    nothing.
    """

    def __init__(
        self,
        value: float,
        spec: str = ".2f",
        *,
        size: float = LABEL,
        weight: Weight = "regular",
        color: str | None = None,
        align: Align = "center",
        prefix: str = "",
        suffix: str = "",
        unit: str | None = UNKNOWN,
    ) -> None:
        self.value = value
        self.spec = spec
        self.unit = unit
        self.prefix = prefix
        self.suffix = suffix
        super().__init__(self._read(value), size=size, weight=weight, color=color, align=align)

    def set_value(self, value: float) -> Self:
        """Show another value; the aligned end of the baseline stays where it is."""
        self.value = value
        text = self._read(value)
        if text != self.text:
            anchor, em = self.anchor, self.em
            self.text = text
            self._write(anchor, em)
        return self

    def _read(self, value: float) -> str:
        return f"{self.prefix}{format_fact(value, self.spec, self.unit)}{self.suffix}"


class Tick(Number):
    """A number on a scale, which is not a result of the model.

    Thousands are separated by commas, as in sentences.
    """

    def _read(self, value: float) -> str:
        if self.spec in ("", "d", "g") and abs(value) >= 1000 and value == int(value):
            return format_fact(value, ",d", self.unit)
        return super()._read(value)


class Formula(Shapes):
    """Mathematics, typeset by Typst.

    Names of roles are functions: `query(q_m)^top key(k_n)` colours the query and the key.
    """

    def __init__(self, math: str, *, size: float = faces.FORMULA, color: str | None = None) -> None:
        super().__init__()
        self.text = f"${math}$"
        self.size = size
        ink = theme().ink_of(color)
        self._em = size * PX
        self.add(*typeset_paths(f"$ {math} $", size=size, color=ink))
        self._height = max(self.height, 1e-9)

    @property
    def em(self) -> float:
        """The current em in units, after any scaling."""
        return float(self._em * self.height / self._height)


class Paragraph(Shapes):
    """Text that wraps at `width` units, with mathematics between dollar signs.

    Lines are broken first and then reordered. In right-to-left text, lines that should be
    left-aligned end where the longest one ends.
    """

    def __init__(
        self,
        text: str,
        *,
        width: float,
        size: float = LABEL,
        weight: Weight = "regular",
        color: str | None = None,
        align: Align = "left",
    ) -> None:
        super().__init__()
        self.text = text
        if any(run.is_math for run in split_math(text)):
            self._typeset(text, width, size, weight, color, align)
        else:
            plain = "".join(run.text for run in split_math(text))
            rtl, lines = faces.is_rtl(plain), wrap(plain, width, size, weight)
            ends_right = rtl and align == "left"
            end = max(text_width(line, size, weight) for line in lines) if ends_right else 0.0
            for number, line in enumerate(lines):
                label = Label(
                    line,
                    size=size,
                    weight=weight,
                    color=color,
                    align="right" if ends_right else align,
                    rtl=rtl,
                )
                if ends_right:
                    label.put(RIGHT * end)
                self.add(label.shift(number * faces.LINE_HEIGHT * size * PX * -UP))

    def _typeset(
        self, text: str, width: float, size: float, weight: Weight, color: str | None, align: Align
    ) -> None:
        runs = split_math(text)
        body = "".join(f"${r.text}$" if r.is_math else _markup(r.text, weight) for r in runs)
        if weight != "regular":
            body = (
                f'#text(weight: "{weight}")[{body}]' if weight == "semibold" else f"#emph[{body}]"
            )
        rtl = faces.is_rtl("".join(run.text for run in runs if not run.is_math))
        side = "right" if rtl and align == "left" else align
        markup = f"{_RTL if rtl else ''}#align({side})[{body}]"
        block = _typeset_lines(markup, width, size, theme().ink_of(color))
        self.add(TypesetText(text, size, block))


class TypesetText(Shapes):
    """Words and mathematics that Typst has set together."""

    def __init__(self, text: str, size: float, paths: list[VMobject]) -> None:
        super().__init__(*paths)
        self.text = text
        self._em = size * PX
        self._height = max(self.height, 1e-9)

    @property
    def em(self) -> float:
        """The current em in units, after any scaling."""
        return float(self._em * self.height / self._height)


def _markup(text: str, weight: Weight) -> str:
    """Typst markup of a text, with each letter in the font that draws it."""
    if text.isascii() and not any(weight in font.replaces for font in fonts()):
        return escape(text)
    said = ""
    for piece, font, upright in faces.stretches(text, weight):
        if font:
            style = "italic" if font.replaces == ("italic",) else "normal"
            look = f'font: "{family_of(font)}", weight: {WEIGHTS[weight]}, style: "{style}"'
            look += f", size: {scale_of(font):.4f}em" if font.replaces else ""
            said += f"#text({look})[{escape(piece)}]"
        else:
            said += f'#text(style: "normal")[{escape(piece)}]' if upright else escape(piece)
    return said


def text_width(text: str, size: float, weight: Weight = "regular") -> float:
    """The width of a line, in units."""
    return faces.advance(text, weight) * size * PX


def wrap(text: str, width: float, size: float, weight: Weight = "regular") -> list[str]:
    """Break text into the fewest lines that fit, and balance their lengths."""
    lines = _fill_lines(text, width, size, weight)
    if len(lines) < 2:
        return lines
    low, high = 0.0, width
    for _ in range(12):
        middle = (low + high) / 2
        narrower = _fill_lines(text, middle, size, weight)
        fits = len(narrower) <= len(lines) and all(
            text_width(line, size, weight) <= width for line in narrower
        )
        low, high = (low, middle) if fits else (middle, high)
    return _fill_lines(text, high, size, weight)


def _typeset_lines(markup: str, width: float, size: float, color: str) -> list[VMobject]:
    """Markup in the fewest lines that fit, with balanced lengths, as paths."""

    def at(width: float) -> list[VMobject]:
        return typeset_paths(markup, size=size, color=color, width=width)

    def height(width: float) -> float:
        return typeset_height(markup, size=size, color=color, width=width)

    def fits(narrower: float) -> bool:
        return height(narrower) < height(width) + size * PX / 2

    paths = at(width)
    if VGroup(*paths).height < 1.5 * faces.LINE_HEIGHT * size * PX:
        return paths
    even = _narrowest(width, fits)
    paths = at(even)
    if VGroup(*paths).width > even:  # something that cannot be broken is wider
        even = _narrowest(width, lambda w: fits(w) and VGroup(*at(w)).width <= w)
        paths = at(even)
    return paths


def _narrowest(width: float, fits: Callable[[float], bool]) -> float:
    """Approximately the smallest width up to this one that fits, by bisection."""
    least = 0.0
    for _ in range(_BALANCE_STEPS):
        middle = (least + width) / 2
        least, width = (least, middle) if fits(middle) else (middle, width)
    return width


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The unbreakable pieces of a text, each with the blank before it if the line continues.

    A number stays with its percent sign. Lines may also break between ideographs, except at opening
    and closing signs.
    """
    for word in filter(None, _BLANKS.split(text)):
        blank, begins = " ", 0
        for at, (before, after) in enumerate(pairwise(word), 1):
            if _may_break(before, after):
                yield blank, word[begins:at]
                blank, begins = "", at
        yield blank, word[begins:]


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two letters of a word."""
    if before.isascii() and after.isascii():
        return False
    if after in _NOT_FIRST or unicodedata.category(after) in ("Pe", "Pf", "Po", "Mn", "Mc", "Cf"):
        return False
    opens = unicodedata.category(before) in ("Ps", "Pi", "Cf")
    return not opens and any(_IDEOGRAPHS.match(unicodedata.name(c, "")) for c in (before, after))


def _fill_lines(text: str, width: float, size: float, weight: Weight) -> list[str]:
    lines: list[str] = []
    for blank, word in _words(text):
        longer = f"{lines[-1]}{blank}{word}" if lines else word
        if lines and text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
