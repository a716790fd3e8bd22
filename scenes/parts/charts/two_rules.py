"""Squared error against dot product: the square multiplied out, and two templates that differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup
from numpy.typing import NDArray

from model.caesar_geometry import TwoRules
from scenes.parts.charts.fan import Arrow, PlaneAxes
from scenes.style.layout import Region
from scenes.style.text import Formula, Label, Number
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL

NAMES = ("short", "long")
"""Of two templates of unequal length."""
_WITH_LENGTHS = 5.5
"""A table in a region as wide as this says lengths too."""
_H, _T = "key(h)", "attention(t)"
_TERMS = (f"abs({_H})^2", f"abs({_T})^2", f"2 {_H} dot {_T}", f"abs({_H} - {_T})^2")
_SIGNS = ("", "+", "−", "=")
_LEAST = 10
"""The sum keeps two digits that are not zeros in front."""
_WORDS = ("for every rotation", "for every rotation", "the largest", "the smallest")


class SquareLedger(VGroup):
    """|h - t|^2 = |h|^2 + |t|^2 - 2 h t, as a formula and as a sum: four values, in that order.

    `fixed` are the formula and the terms that are the same for all templates; `deciding` are the
    dot product and the sum, written in `color`. They have a number of digits
    with which the rounded numbers add up.
    """

    def __init__(self, values: Sequence[float], region: Region, *, color: str) -> None:
        whole = f"{_TERMS[3]} = {_TERMS[0]} + {_TERMS[1]} - {_TERMS[2]}"
        formula = Formula(whole).fit(region.width)
        formula.move_to(region.point(0.5, 1) - np.array([0.0, 0.45, 0.0]))
        step = min(0.72, (region.height - 1.55 - 0.2) / (len(_TERMS) - 1))
        start = np.array([region.left, region.top - 1.55, 0.0])
        down = np.array([0.0, -step, 0.0])
        inks = (theme().ink, theme().ink, color, color)
        spec = f".{adding_up(values)}f"
        rows = [_row(k, values[k], spec, start + k * down, inks[k]) for k in range(len(_TERMS))]
        self.fixed = VGroup(formula, *rows[:2])
        self.deciding = VGroup(*rows[2:])
        super().__init__(self.fixed, self.deciding)


class UnequalPlane(VGroup):
    """A histogram and two templates as arrows in a plane, and the distances between their tips."""

    def __init__(self, rules: TwoRules, region: Region) -> None:
        look = theme()
        reach = min(region.width - 1.7, region.height - 0.95)
        spare = region.width - 1.7 - reach
        origin = region.point(0, 0) + np.array([0.7 + spare / 2, 0.45, 0.0])
        unit = reach / 0.95
        own = origin + unit * np.append(rules.histogram, 0.0)
        tips = [origin + unit * np.append(template, 0.0) for template in rules.templates]
        yellow, ink = look.attention, look.text_color("attention")
        self.arrows = VGroup(PlaneAxes(origin, reach, unit, ("a", "b")))
        self.arrows.add(
            _named(NAMES[0], origin, tips[0], (0.05, 0.2), yellow, ink),
            _named(NAMES[1], origin, tips[1], (0.12, 0.2), yellow, ink),
            _named("ciphertext", origin, own, (0.2, 0.08), look.key, look.key),
        )
        self.distances = VGroup(*(Line(own, tip).set_stroke(look.wrong, 4) for tip in tips))
        super().__init__(self.arrows, self.distances)


class Verdicts(VGroup):
    """Both rules for both templates. Each rule's choice stands out, in red if it is wrong."""

    def __init__(self, rules: TwoRules, region: Region) -> None:
        super().__init__()
        look = theme()
        columns: list[tuple[str, NDArray[np.float64], int | None]] = [
            ("dot product", rules.dot_products, rules.best_by_dot),
            ("squared error", rules.squared_errors, rules.best_by_error),
        ]
        if region.width > _WITH_LENGTHS:
            columns.insert(0, ("length", np.sqrt(rules.squared_lengths), None))
        across = min(2.0, (region.width - 1.2) / len(columns))
        down = min(0.8, (region.height - 0.4) / len(NAMES))
        for row, name in enumerate(NAMES):
            label = Label(name, size=28, weight="semibold", color=look.text_color("attention"))
            self.add(label.put(np.array([0.0, -down * (row + 1), 0.0])))
        for column, (head, values, best) in enumerate(columns):
            x = 1.1 + across * (column + 0.5)
            title = Label(head, size=LABEL, color=look.muted, align="center")
            self.add(title.put(np.array([x, 0.0, 0.0])))
            for row, value in enumerate(values):
                role: Role | None = "value" if row == rules.best_by_error else "wrong"
                number = _verdict(
                    float(value), role if row == best else None, is_judged=best is not None
                )
                self.add(number.put(np.array([x, -down * (row + 1), 0.0])))
        self.move_to(region.center)


def adding_up(values: Sequence[float]) -> int:
    """The digits, 3 to 6, with which a + b - c = d is true as written; 4 if there are none."""
    return next((n for n in (4, 3, 5, 6) if _adds_up(values, n)), 4)


def _adds_up(values: Sequence[float], digits: int) -> bool:
    first, second, third, total = (round(value * 10**digits) for value in values)
    return bool(first + second - third == total >= _LEAST)


def _row(k: int, value: float, spec: str, start: NDArray[np.float64], color: str) -> VGroup:
    """A term of the square: its value, what it is, and how it varies."""
    number = Number(value, spec, prefix=_SIGNS[k], size=28, align="right", color=color)
    number.put(start + np.array([1.35, -0.1, 0.0]))
    formula = Formula(_TERMS[k], size=30)
    formula.shift(start + np.array([1.65, 0.0, 0.0]) - formula.get_left())
    ink = theme().muted if k < 2 else color
    words = Label(_WORDS[k], size=LABEL, color=ink).put(start + np.array([3.4, -0.08, 0.0]))
    return VGroup(number, formula, words)


def _named(
    text: str,
    start: NDArray[np.float64],
    tip: NDArray[np.float64],
    off: tuple[float, float],
    color: str,
    ink: str,
) -> VGroup:
    """An arrow with its name at its tip."""
    arrow = Arrow(color, width=7)
    arrow.point(start, tip)
    name = Label(text, size=26, weight="semibold", color=ink).put(tip + np.array([*off, 0.0]))
    return VGroup(arrow, name)


def _verdict(value: float, role: Role | None, *, is_judged: bool) -> Number:
    look = theme()
    color = look.text_color(role) if role else look.muted
    return Number(
        value,
        ".2f",
        size=34,
        weight="semibold" if role else "regular",
        color=color if is_judged else look.ink,
    )
