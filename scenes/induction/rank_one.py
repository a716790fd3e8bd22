"""A rank-1 head reads one number off each token, and so cannot let tokens find their like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from manim import (
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    VGroup,
    VMobject,
)
from numpy.typing import NDArray
from pydantic import Field

from model.arrays import Ints
from model.rank_one import RankOneHead, random_self_matches
from model.stated_induction import Direction, StatedInduction
from model.tokens import LETTERS
from scenes.facts import Fact, fill
from scenes.parts.charts.matches_chart import MatchesChart
from scenes.parts.matrices.outer_product import OuterProduct
from scenes.spelling import named
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.layout import PX
from scenes.style.motion import Drive, slide
from scenes.style.text import Formula, Number
from scenes.style.type import X_HEIGHT

SIZE = 28.0
Letters = Annotated[str, Field(min_length=3, max_length=6, pattern=r"^[a-z]{3,6}$")]


@dataclass(frozen=True, eq=False)
class OneNumber:
    """A rank-1 head over a few `letters`, and random ones over all of them.

    `counts` (27,) says in how many random heads 0, 1, ... 26 letters find themselves.
    """

    letters: tuple[str, ...]
    head: RankOneHead
    counts: Ints

    @property
    def asks(self) -> int:
        """The row that is looked at first: the middle one of those that miss themselves."""
        missed = [m for m in range(len(self.letters)) if m not in self.head.self_matches]
        return missed[len(missed) // 2]

    @property
    def winner(self) -> int:
        """Where that row peaks."""
        return int(self.head.looks_at[self.asks])


class RankOne(Slide):
    """A rank-1 head reads one number off each token, and so cannot let tokens find their like."""

    class Inputs(StageInputs):
        letters: Letters = Field("abcij", description="3 to 6 different letters to be shown")
        direction: Direction = Field(
            "ones", description="the direction v that both query and key are read along"
        )
        n_directions: int = Field(
            20000,
            ge=100,
            le=20000,
            description="how many random heads are tried at the end",
        )
        seed: int = Field(0, ge=0, le=9999, description="which random heads")

    title = "Why rank 1 cannot match"
    question = "Can a token find its like if all it shows of itself is one number?"
    caption = (
        "One number cannot say “same as me”: "
        "at most two tokens of any vocabulary find themselves. A match needs a higher rank."
    )
    notes = (
        "A rank-1 head reads one number off a token's vector $x$: $v dot x$.",
        "A score is query number times key number. Take “{asks}”:",
        "“{asks}” scores {own:.2f} with itself, but {best:.2f} with “{winner}”: "
        "“{winner}” gets the most attention.",
        "{shape}",
        "In {n_directions:,} random rank-1 heads, never more than {most} of {n_vocab} letters "
        "find themselves.",
    )

    inputs: Inputs
    values: OneNumber

    @classmethod
    def compute(cls, inputs: Inputs) -> OneNumber:
        letters = tuple(inputs.letters)
        if len(set(letters)) < len(letters):
            twice = next(x for x in letters if letters.count(x) > 1)
            raise ValueError(f"letters must all be different, got {twice!r} more than once")
        stated = StatedInduction(letters, LETTERS, direction=inputs.direction)
        return OneNumber(
            letters,
            RankOneHead(stated.embedding[stated.indices], stated.v, stated.v),
            random_self_matches(stated.embedding, inputs.n_directions, inputs.seed),
        )

    @classmethod
    def facts(cls, values: OneNumber) -> dict[str, Fact]:
        head, m, n = values.head, values.asks, values.winner
        return {
            "n_letters": len(values.letters),
            "asks": values.letters[m],
            "winner": values.letters[n],
            "own": float(head.scores[m, m]),
            "best": float(head.scores[m, n]),
            "share": float(head.pattern[m, n]),
            "own_share": float(head.pattern[m, m]),
            "n_peaks": len(head.peaks),
            "n_found": len(head.self_matches),
            "n_vocab": len(LETTERS),
            "n_directions": int(values.counts.sum()),
            "most": int(np.flatnonzero(values.counts).max()),
            "share_none": float(values.counts[0] / values.counts.sum()),
        }

    @classmethod
    def narration(cls, values: OneNumber) -> tuple[str, ...]:
        facts = {**cls.facts(values), "shape": _shape(values)}
        return tuple(fill(note, facts) for note in cls.notes)

    @classmethod
    def checks(cls, values: OneNumber) -> list[Finding]:
        head = values.head
        gap = float(head.scores[values.asks].max() - head.scores[values.asks, values.asks])
        keys = head.key_projections
        return [
            Finding(
                "rows peak where the key is largest, or smallest where the query is negative",
                set(head.peaks) <= {int(keys.argmax()), int(keys.argmin())},
                f"they peak in columns {list(head.peaks)}",
            ),
            Finding(
                "a letter scores more with another than with itself", gap > 0, f"{gap:.3g} more"
            ),
            Finding(
                "in no random head do more than two letters find themselves",
                int(values.counts[3:].sum()) == 0,
                f"they do in {int(values.counts[3:].sum())}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OneNumber) -> dict[str, NDArray[Any]]:
        head = values.head
        return {
            "query_projections": head.query_projections,
            "key_projections": head.key_projections,
            "scores": head.scores,
            "pattern": head.pattern,
            "self_matches": head.self_matches,
            "heads_by_matches": values.counts,
        }

    def construct(self) -> None:
        head = self.values.head
        self.table = OuterProduct(
            self.values.letters,
            head.query_projections,
            head.key_projections,
            head.scores,
            self.canvas.inset(0.1, 0.0),
        )
        self.scenery = VGroup()
        self._one_number()
        self._multiply()
        self._miss()
        self._one_shape()
        self._random()

    def _one_number(self) -> None:
        """Each token along both sides, and what the head reads off it."""
        self.beat("one number")
        table = self.table
        self.play(self.say(0), self._show(table.query_names, table.key_names), run_time=0.6)
        self.play(self._show(table.query_numbers, table.key_numbers), run_time=0.6)
        self.let_read()
        self.formula = Formula('"score" = query((v dot x_m)) thin key((v dot x_n))')
        self.formula.fit(self.canvas.width - 0.4).move_to(table.band.center)

    def _multiply(self) -> None:
        """The keys come down into a row and are multiplied there."""
        self.beat("multiply")
        table, m = self.table, self.values.asks
        self.frame_of_row = table.row_frame(m)
        self.scenery.add(self.frame_of_row)
        self.play(self.say(1), Create(self.frame_of_row), FadeIn(self.formula), run_time=0.7)
        visitors = VGroup(*table.key_numbers[: len(table.keys)]).copy()
        way = float(table.grid.middle(m, 0)[1]) - table.key_level
        self.play(slide(visitors, [0.0, way, 0.0], run_time=1.0))
        self.play(FadeOut(visitors, run_time=0.3), self._show(table.row(m)))
        self.let_read(least=0.4)

    def _miss(self) -> None:
        """The row peaks elsewhere."""
        self.beat("miss")
        table, m, n = self.table, self.values.asks, self.values.winner
        own = table.diagonal[m]
        self.scenery.add(own)
        self.play(self.say(2), Create(own), run_time=0.6)
        self.play(table.light(m, n))
        self.let_read()

    def _one_shape(self) -> None:
        """The other rows: one shape over the columns, larger, smaller or upside down."""
        self.beat("one shape")
        table, asks = self.table, self.values.asks
        size = len(self.values.letters)
        table.show_shape(float(table.queries[asks]))
        drop = np.array([0.0, X_HEIGHT / 2 * SIZE * PX, 0.0])
        self.factor = Number(
            float(table.queries[asks]),
            size=SIZE,
            weight="semibold",
            color=self.theme.text_color("query"),
            align="right",
            suffix=" ×",
        ).put(np.array([table.columns.left - 0.25, table.zero, 0.0]) - drop)
        self.play(self.say(3), FadeOut(self.formula), run_time=0.4)
        self.play(self._show(table.bars, self.factor), run_time=0.5)
        self.wait(0.3)
        rest = [m for m in range(size) if m != asks]
        frames = [table.diagonal[m] for m in rest]
        self.play(
            LaggedStart(*(self._show(table.row(m)) for m in rest), lag_ratio=0.3),
            self._show(*frames),
            run_time=1.0,
        )
        at = asks
        for m in rest:
            self.play(self._read(at, m), table.light(m, int(self.values.head.looks_at[m])))
            at = m
        self.let_read(least=1.0)

    def _read(self, before: int, after: int) -> Drive:
        """Go from one row to another: the frame, the number and the bars."""
        table = self.table
        levels = [float(table.grid.middle(m, 0)[1]) for m in (before, after)]
        frame = self.frame_of_row

        def show(state: NDArray[np.float64]) -> None:
            frame.shift(np.array([0.0, state[0] - frame.get_center()[1], 0.0]))
            table.show_shape(float(state[1]))
            self.factor.set_value(float(state[1]))

        start = [levels[0], float(table.queries[before])]
        end = [levels[1], float(table.queries[after])]
        return Drive(VGroup(frame, table.bars, self.factor), show, start, end, run_time=0.7)

    def _random(self) -> None:
        """How many letters find themselves, in many other heads."""
        self.beat("random heads")
        chart = MatchesChart(self.values.counts, self.canvas)
        self.play(self.say(4), FadeOut(self.scenery), run_time=0.5)
        self.play(FadeIn(chart.plot, chart.wanted), run_time=0.6)
        self.play(chart.grow(), run_time=1.4)
        self.play(FadeIn(chart.numbers), run_time=0.4)
        self.let_read()

    def _show(self, *parts: VMobject) -> FadeIn:
        """Let parts appear that will leave together."""
        self.scenery.add(*parts)
        return FadeIn(*parts)


def _shape(values: OneNumber) -> str:
    """Where rows peak, told for these letters."""
    head = values.head
    upright = values.letters[int(head.key_projections.argmax())]
    turned = values.letters[int(head.key_projections.argmin())]
    signs = set(np.sign(head.query_projections).tolist())
    first = "Every row is the same row times a number"
    if signs == {1.0, -1.0}:
        return f"{first}: it peaks at {named(upright)} or, upside down, at {named(turned)}."
    return f"{first}: every row peaks at {named(upright if 1.0 in signs else turned)}."
