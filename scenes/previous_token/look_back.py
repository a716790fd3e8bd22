"""The query is turned back by any number of steps, and the band moves down with it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from manim import Create, FadeIn, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.arrays import Floats, Ints
from model.previous_token import PreviousTokenHead
from scenes.facts import Fact
from scenes.parts.clocks.clock import ClockRow
from scenes.parts.matrices.rowbars import TokenGrid
from scenes.parts.placing import hang, plated
from scenes.parts.readout import Readout
from scenes.previous_token.common import STEPS, HeadInputs
from scenes.stage import Finding, Slide
from scenes.style.layout import Region
from scenes.style.motion import Drive, along, count, follow
from scenes.style.text import Formula, Label, Paragraph
from scenes.style.type import LABEL, SMALL

Steps = Annotated[tuple[Annotated[int, Field(ge=0, le=11)], ...], Field(min_length=1, max_length=4)]


@dataclass(frozen=True, eq=False)
class Walk:
    """A head whose query is turned back further and further, stopping at `stops`.

    `steps` (S,) are the turns on the way, in positions, and `patterns` (S, T, T) what they give;
    `arrivals` are the places in the series at which the stops are reached.
    """

    tokens: tuple[str, ...]
    heads: tuple[PreviousTokenHead, ...]
    steps: Floats
    patterns: Floats
    arrivals: Ints

    @classmethod
    def of(cls, inputs: HeadInputs, stops: tuple[int, ...]) -> Walk:
        heads = tuple(inputs.head(look_back=k) for k in stops)
        lengths = [abs(b - a) * STEPS for a, b in pairwise(stops)]
        pieces = [
            np.linspace(a, b, length + 1)[1:]
            for (a, b), length in zip(pairwise(stops), lengths, strict=True)
        ]
        steps = np.concatenate([[float(stops[0])], *pieces])  # (S,)
        arrivals = np.cumsum([0, *lengths])  # (n_stops,)
        patterns = heads[0].patterns_looking_back(steps)  # (S, T, T)
        for head, place in zip(heads, arrivals, strict=True):
            patterns[place] = head.pattern
        return cls(inputs.tokens, heads, steps, patterns, arrivals)

    @property
    def last(self) -> PreviousTokenHead:
        return self.heads[-1]


class LookBack(Slide):
    """The query is turned back by any number of steps, and the band moves down with it."""

    class Inputs(HeadInputs):
        look_backs: Steps = Field(
            (1, 2, 3), description="one to four numbers of steps to turn the query back by"
        )

    title = "Any number of steps back"
    question = "What if the query is turned back further?"
    caption = (
        "Turn the query back k steps, and each row looks k tokens back: "
        "at least {worst_mass:.2%-} goes there."
    )

    inputs: Inputs
    values: Walk

    @classmethod
    def compute(cls, inputs: Inputs) -> Walk:
        stops = inputs.look_backs
        if any(a == b for a, b in pairwise(stops)):
            raise ValueError(f"look_backs must change from stop to stop, got {list(stops)}")
        if max(stops) >= len(inputs.tokens):
            raise ValueError(
                f"look_backs must stay below the {len(inputs.tokens)} words of the text, "
                f"got {max(stops)}"
            )
        return Walk.of(inputs, stops)

    @classmethod
    def facts(cls, values: Walk) -> dict[str, Fact]:
        last = values.last
        return {
            "n_tokens": len(values.tokens),
            "last_k": last.look_back,
            "worst_mass": min(head.worst_mass for head in values.heads),
            "last_worst_mass": last.worst_mass,
            "n_without_target": len(last.rows_without_target),
            "n_hands": last.d_head // 2,
            "n_shown": min(4, last.d_head // 2),
            "without_target": _without_target(values),
        }

    @classmethod
    def checks(cls, values: Walk) -> list[Finding]:
        return [
            Finding(
                f"every row that can looks {head.look_back} back",
                head.finds_target,
                f"rows {head.missed_rows.tolist()} look elsewhere",
            )
            for head in values.heads
        ]

    @classmethod
    def arrays(cls, values: Walk) -> dict[str, NDArray[np.float64]]:
        return {
            "positions": np.arange(len(values.tokens), dtype=float),
            "look_backs": np.array([head.look_back for head in values.heads], dtype=float),
            "patterns": values.patterns[values.arrivals],
            "worst_masses": np.array([head.worst_mass for head in values.heads]),
            "looks_at": np.array([head.looks_at for head in values.heads], dtype=float),
        }

    @classmethod
    def narration(cls, values: Walk) -> tuple[str, ...]:
        """A sentence for every stop, and one about the rows that have no target."""
        return *(_stop_story(head.look_back) for head in values.heads), _without_target(values)

    def construct(self) -> None:
        self._draw(self.canvas)
        self._first_stop()
        for k in range(1, len(self.values.heads)):
            self._walk_to(k)
        self._no_target()

    def _draw(self, region: Region) -> None:
        values: Walk = self.values
        side, picture = self._cut(region)
        tallest = 1.5 if picture.height > 5 else 1.2
        self.head = TokenGrid(values.patterns[0], values.tokens, picture, tallest=tallest)
        formula, words, clocks, k, mass = self._cut_side(side)
        self.formula = Formula("query(q_m) = alpha R_(m - k) key(c)", size=36).fit(formula.width)
        hang(self.formula, formula.point(0, 1))
        self._draw_clocks(words, clocks, min(4, values.last.d_head // 2))
        self._draw_numbers(k, mass)

    def _cut(self, region: Region) -> tuple[Region, Region]:
        """Room for the query and its numbers, and room for the pattern."""
        if region.height > region.width:
            return region.cut_top(3.8 if region.height > 1.3 * region.width else 1.75, gap=0.3)
        if region.width > 8.5:
            side, picture = region.columns(1.15, 1.2)
        else:
            side, picture = region.columns(2.3, region.width - 2.6, gap=0.3)
        return side, picture

    def _cut_side(self, side: Region) -> tuple[Region, Region, Region, Region, Region]:
        """Room for the formula, words about the hands, the hands, k, and the mass."""
        if side.height < 2:
            top, below = side.rows(0.6, 1.0, gap=0.15)
            formula, k, mass = top.columns(1.0, 0.4, 0.75, gap=0.2)
            words, clocks = below.columns(1.0, 1.6)
        elif side.width > 4:
            formula, words, clocks, numbers = side.rows(0.6, 0.35, 1.7, 0.8, gap=0.2)
            k, mass = numbers.columns(1.0, 1.9, gap=0.2)
        else:
            formula, rest = side.cut_top(0.45, gap=0.1)
            words, rest = rest.cut_top(0.55, gap=0.1)
            mass, rest = rest.cut_bottom(0.95, gap=0.1)
            k, clocks = rest.cut_bottom(0.65, gap=0.1)
        return formula, words, clocks, k, mass

    def _draw_clocks(self, words: Region, clocks: Region, n_shown: int) -> None:
        n_hands = self.values.last.d_head // 2
        self.words = Paragraph(
            f"how far the query is turned back: {n_shown} of {n_hands} hands",
            width=words.width,
            size=LABEL,
            color=self.theme.text_color("query"),
        )
        hang(self.words, words.point(0, 1))
        self.clocks = ClockRow(n_shown, clocks, color=self.theme.query, most_radius=0.8)
        self.clocks.shift(np.array([clocks.left - self.clocks.get_left()[0], 0.0, 0.0]))
        self.angles = -self.values.steps[:, None] * self.values.last.frequencies[:n_shown]
        self.clocks.show(self.angles[0])

    def _draw_numbers(self, k: Region, mass: Region) -> None:
        head = self.values.heads[0]
        self.k = Readout("steps k", head.look_back, "", k.point(0, 1), width=k.width)
        self.mass = Readout(
            "every row with a target, at least",
            head.worst_mass,
            ".2%-",
            mass.point(0, 1),
            width=mass.width,
            color=self.theme.text_color("attention"),
        )

    def _first_stop(self) -> None:
        """The band of the first stop, and the hands of the query that make it."""
        self.beat("start")
        self.play(FadeIn(self.formula), FadeIn(self.k), self.say(0), run_time=0.8)
        self.play(FadeIn(self.words), FadeIn(self.clocks), FadeIn(self.head), run_time=0.8)
        self.play(FadeIn(self.mass), run_time=0.5)
        self.wait(1.0)

    def _walk_to(self, stop: int) -> None:
        """Further back, a step at a time: hands turn, and the band moves with them."""
        values: Walk = self.values
        head = values.heads[stop]
        self.beat(f"stop_{stop + 1}")
        self.play(self.say(stop), run_time=0.7)
        start, end = int(values.arrivals[stop - 1]), int(values.arrivals[stop])
        ends = np.linspace(start, end, abs(end - start) // STEPS + 1).astype(int)
        for a, b in pairwise(ends):
            self.play(*self._step(int(a), int(b)), run_time=1.3)
        self.play(count(self.mass.number, head.worst_mass, run_time=0.4))
        self.wait(0.7)

    def _step(self, start: int, end: int) -> list[Drive]:
        values: Walk = self.values
        grid, clocks, k = self.head.grid, self.clocks, self.k.number
        return [
            follow(grid, lambda s: grid.show(along(values.patterns, s)), start, end),
            follow(clocks, lambda s: clocks.show(along(self.angles, s)), start, end),
            follow(k, lambda s: k.set_value(_tenth(float(along(values.steps, s)))), start, end),
        ]

    def _no_target(self) -> None:
        """The first k rows have nothing k back; what they do instead."""
        self.beat("no_target")
        grid, rows = self.head.grid, self.values.last.rows_without_target
        fallback = [(int(m), int(self.values.last.looks_at[m])) for m in rows]
        frames = VGroup(*(grid.outline(*cell) for cell in fallback))
        self.play(self.say(len(self.values.heads)), run_time=0.7)
        if len(rows):
            remarks = [FadeIn(remark) for remark in self._nothing_there(len(rows))]
            self.play(Create(frames), *remarks, run_time=0.8)
        self.let_read()

    def _nothing_there(self, count: int) -> list[VGroup]:
        """A remark in every row that has no target, where the masked cells leave room."""
        area, cell = self.head.area, self.head.grid.cell_width
        words = [Label("no target", size=SMALL, color=self.theme.muted) for _ in range(count)]
        x = area.left + (count + 0.25) * cell + words[0].width / 2 + 0.07
        if x + words[0].width / 2 + 0.07 > area.right:
            return []
        return [
            plated(label, np.array([x, self.head.grid.middle(m, 0)[1], 0.0]))
            for m, label in enumerate(words)
        ]


def _tenth(steps: float) -> float:
    """A turn that is under way, to one digit; a whole number of steps as it is."""
    return round(steps, 1)


def _stop_story(k: int) -> str:
    """What a number of steps does to the band."""
    if k == 0:
        return "Not turned back at all, every row looks at itself."
    steps = "step" if k == 1 else "steps"
    return f"Turned back {k} {steps}, row m looks at position m − {k}."


def _without_target(values: Walk) -> str:
    """What the rows do that have nothing as far back as they should look."""
    head = values.last
    k, rows = head.look_back, head.rows_without_target
    if not len(rows):
        return "Every row has itself to look at."
    found = np.unique(head.looks_at[rows])
    where = f"position {found[0]}" if len(found) == 1 else _listed("positions", found)
    if k == 1:
        return f"Row 0 has nothing before it and looks at {where}, itself."
    return f"Rows 0 to {k - 1} have no token {k} back and look at {where}."


def _listed(name: str, numbers: Ints) -> str:
    *first, last = (str(number) for number in numbers)
    return f"{name} {', '.join(first)} and {last}"
