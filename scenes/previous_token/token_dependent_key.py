"""The key takes in some of its token, and the band tears row by row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.arrays import Floats
from model.previous_token import PreviousTokenHead
from model.token_dependent_key import TokenDependentKeyHead, patterns_by_strength
from model.tokens import LETTERS, spread_over_vocabulary
from scenes.facts import Fact, format_fact
from scenes.parts.matrices.rowbars import RowBars, TokenGrid
from scenes.parts.placing import hang
from scenes.parts.readout import Readout
from scenes.previous_token.common import STEPS, HeadInputs
from scenes.stage import Slide
from scenes.style.layout import Region
from scenes.style.motion import along, follow, recolor
from scenes.style.text import Formula, Label, Number


@dataclass(frozen=True, eq=False)
class Leak:
    """A head whose key takes in some of its token, and the strengths on the way there.

    `strengths` (S,) run from 0 to that of `torn`; `patterns` (S, T, T) and `masses` (S, T - 1)
    follow them.
    """

    tokens: tuple[str, ...]
    torn: TokenDependentKeyHead
    strengths: Floats
    patterns: Floats
    masses: Floats

    @classmethod
    def into(cls, head: PreviousTokenHead, tokens: tuple[str, ...], strength: float) -> Leak:
        indices = spread_over_vocabulary(tokens, len(LETTERS))
        torn = TokenDependentKeyHead(head, indices, strength)
        strengths = np.linspace(0.0, strength, STEPS + 1)  # (S,)
        patterns = patterns_by_strength(head, indices, strengths)  # (S, T, T)
        rows = head.target_rows  # (T - 1,)
        return cls(tokens, torn, strengths, patterns, patterns[:, rows, rows - 1])


class TokenDependentKey(Slide):
    """The key takes in some of its token, and the band tears row by row."""

    class Inputs(HeadInputs):
        strength: float = Field(
            0.1, ge=0.001, le=10.0, description="how much of the token's vector the key takes in"
        )

    title = "What if the key knew its token?"
    question = "All tokens had one key, only turned. What if some of the token gets in?"
    caption = (
        "With {strength} of the token in each key, {n_torn} of {n_rows} rows look elsewhere, "
        "and the worst keeps {worst_mass:.1%}."
    )
    notes = (
        "One key $key(c)$, turned by $R_n$: position alone decides.",
        "Now every key takes in some of its token, $token(e_n)$.",
        "Scores now depend on the tokens, {outcome}. Red: what a row loses.",
        "{worst_story}",
    )

    inputs: Inputs
    values: Leak

    @classmethod
    def compute(cls, inputs: Inputs) -> Leak:
        if len(inputs.tokens) < 2:
            raise ValueError("text must have 2 words or more, so that one comes before another")
        return Leak.into(inputs.head(), inputs.tokens, inputs.strength)

    @classmethod
    def facts(cls, values: Leak) -> dict[str, Fact]:
        torn = values.torn
        worst, worst_mass = torn.worst_row, torn.worst_mass
        n_torn = len(torn.missed_rows)
        return {
            "n_tokens": len(values.tokens),
            "strength": torn.strength,
            "n_rows": len(torn.target_rows),
            "n_torn": n_torn,
            "worst_mass": worst_mass,
            "worst_row": worst,
            "worst_word": values.tokens[worst],
            "looks_at": int(torn.looks_at[worst]),
            "largest_loss": float(torn.losses.max()),
            "constant_worst_mass": torn.constant.worst_mass,
            "outcome": "and the band tears" if n_torn else "and the band still holds",
            "worst_story": _worst_story(values),
        }

    @classmethod
    def arrays(cls, values: Leak) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "constant_pattern": values.patterns[0],
            "pattern": values.patterns[-1],
            "constant_masses": values.masses[0],
            "masses": values.masses[-1],
            "losses": values.torn.losses,
            "strengths": values.strengths,
        }

    def construct(self) -> None:
        self._draw(self.canvas)
        self._alike()
        self._leak()
        self._tear()
        self._worst()

    def _draw(self, region: Region) -> None:
        values: Leak = self.values
        rows = [int(m) for m in values.torn.target_rows]
        if region.width > 10.5:
            side, picture = region.columns(3.0, region.width - 3.4)
            self._write_beside(side)
        else:
            side, picture = region.cut_top(0.45, gap=0.25)
            self._write_above(side)
        bars = 3.3 if picture.width > 9 else 2.25
        left, right = picture.columns(picture.width - bars - 0.2, bars, gap=0.2)
        tallest = 2.3 if picture.height > 5 else 1.2
        self.head = TokenGrid(values.patterns[0], values.tokens, left, tallest=tallest)
        area, grid = self.head.area, self.head.grid
        start = area.right + 0.3
        self.bars = RowBars(self.head, rows, values.masses[0], start, right.right - start - 0.95)
        self.band = VGroup(*(grid.outline(m, m - 1, self.theme.muted, 2) for m in rows))
        self.kept = Label("to the token before", color=self.theme.muted)
        self.kept.put(np.array([start, area.top + 0.14, 0.0]))

    def _write_beside(self, region: Region) -> None:
        """The key before and after, its strength, and the count of torn rows, in a column."""
        torn = self.values.torn
        first, second, third = region.rows(1.0, 1.0, 1.2)
        self._write_keys(first)
        strength = Readout(
            "strength s of the token", 0.0, ".3f", second.point(0, 1), width=region.width
        )
        self.strength: VGroup = strength
        self.strength_number = strength.number
        self.torn_count = VGroup(
            Readout(
                "rows that look elsewhere",
                len(torn.missed_rows),
                "d",
                third.point(0, 1),
                width=region.width,
                suffix=f" of {len(torn.target_rows)}",
                color=self.theme.text_color("wrong"),
            )
        )

    def _write_above(self, region: Region) -> None:
        """The key before and after, and its strength, in a line."""
        first, second = region.columns(1.4, 1.0)
        self._write_keys(first)
        self.strength_number = Number(0.0, ".3f", size=28, weight="semibold", prefix="s = ")
        self.strength_number.center_on(second.center)
        self.strength = VGroup(self.strength_number)
        self.torn_count = VGroup()

    def _write_keys(self, region: Region) -> None:
        self.alike = Formula("key(k_n) = R_n key(c)", size=32)
        self.leaky = Formula("key(k_n) = R_n (key(c) + s thin token(e_n))", size=32)
        for formula in (self.alike, self.leaky):
            hang(formula.fit(region.width), region.point(0, 1))

    def _alike(self) -> None:
        """The band of the constant key is whole."""
        self.beat("alike")
        self.play(FadeIn(self.head), FadeIn(self.alike), self.say(0), run_time=0.8)
        self.play(FadeIn(self.bars, self.kept), Create(self.band), run_time=0.9)
        self.let_read()

    def _leak(self) -> None:
        """The formula says what changes."""
        self.beat("leak")
        self.play(self.say(1), FadeOut(self.alike), FadeIn(self.leaky), run_time=0.8)
        self.play(FadeIn(self.strength), run_time=0.5)
        self.let_read()

    def _tear(self) -> None:
        """Strength runs up from 0; the bars show what every row loses."""
        self.beat("tear")
        values: Leak = self.values
        grid, bars, strength = self.head.grid, self.bars, self.strength_number
        self.play(self.say(2), run_time=0.7)
        self.play(
            follow(grid, lambda s: grid.show(along(values.patterns, s)), 0, STEPS),
            follow(bars, lambda s: bars.show(along(values.masses, s)), 0, STEPS),
            follow(
                strength, lambda s: strength.set_value(float(along(values.strengths, s))), 0, STEPS
            ),
            run_time=4.0,
        )
        self.wait(0.6)

    def _worst(self) -> None:
        """Which row keeps least, and where it looks instead."""
        self.beat("worst")
        torn = self.values.torn
        red = self.theme.text_color("wrong")
        m, n = torn.worst_row, int(torn.looks_at[torn.worst_row])
        found = self.head.grid.outline(m, n, red, 5)
        dimmed = [
            recolor(number, self.theme.muted)
            for row, number in zip(torn.target_rows, self.bars.numbers, strict=True)
            if row != m
        ]
        self.play(self.say(3), Create(found), *dimmed, run_time=0.8)
        self.let_read()
        if self.torn_count:
            self.play(FadeIn(self.torn_count), run_time=0.5)


def _worst_story(values: Leak) -> str:
    """Which row keeps least on its target, how much, and where it looks."""
    torn, tokens = values.torn, values.tokens
    m, n = torn.worst_row, int(torn.looks_at[torn.worst_row])
    kept = format_fact(torn.worst_mass, ".1%")
    if n == m - 1:
        return f"“{tokens[m]}” keeps least, {kept}, and still looks at “{tokens[n]}”."
    given = format_fact(float(torn.pattern[m, n]), ".1%")
    return f"“{tokens[m]}” keeps {kept} and gives {given} to “{tokens[n]}” at position {n}."
