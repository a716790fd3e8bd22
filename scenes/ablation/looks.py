"""How busy heads look, and how much changes without them: looks mislead. The film's last shot."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from manim import Create
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.ablation.head_effects import SEEN, HeadEffects
from clockhead.model.films.ablation.looks import SeenHeads, seen_heads
from clockhead.scenes.ablation.heads import Head, pattern_of, place_board
from clockhead.scenes.ablation.inputs import MOST_HEADS, HeadsStage
from clockhead.scenes.ablation.silence import LONG_NAME, NAME
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.parts.word_bars import SHARES, WordBars
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Layers,
    Size,
    Steps,
    Words,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.texts import few_words, words_said
from clockhead.scenes.transformer_block.inputs import MOST_LETTERS, MOST_WORDS

_PICKED, _TEXT, _HEADS = 749, "the cat sat on", 3
"""Default seed, text and heads: found by search, as a model whose looks mislead very much."""
_LEAST_REST = Size(3.7, 1.95)
"""Least room for a chart with both its axes, in units."""
_LOW = 1.9
"""Least height for a vertical axis with more than two numbers, in units."""
_REACH = 1.12
"""Upper end of an axis, relative to the largest value on it."""
_WIDE = 0.6
"""Width of a bar, as a fraction of its slot."""
_DOT = 0.09
"""Radius of a dot, in units."""
_OVER = 1.25
"""Height of the chart of models, relative to the grid of models in it."""
_NAME = 24.0
"""Size of the text at axes, in pixels at 720p."""
_REAL = 3.0
"""Standard deviations from chance beyond which a difference counts as real."""


def _looks_sentence(heads: HeadEffects) -> str:
    if heads.misleading_pair is None:
        return "A model in which looks do not mislead."
    return "A model in which looks mislead."


def _comparison_sentence(heads: HeadEffects) -> str:
    if heads.misleading_pair is None:
        return (
            "In this model, no busier head changes clearly less: the busiest moves "
            "{busiest_effect:.1%}."
        )
    return (
        "Of these two, the busier one moves {misleading_pair.busy_effect:.1%}, "
        "the duller one {misleading_pair.dull_effect:.1%}."
    )


def _agreement_sentence(heads: SeenHeads) -> str:
    so = (
        "In {many.n_agree:,d} it does: {many.share:.1%}, against {many.chance:.1%} for a random "
        "pick. "
    )
    if abs(heads.many.spreads_above_chance) >= _REAL:
        return so + "A small difference, but real."
    return so + "Too close to tell them apart."


class Looks(HeadsStage[SeenHeads]):
    """Heads as dots: how busy they look against how much changes when they are switched off."""

    class Inputs(HeadsStage.Inputs):
        """A short text, its embeddings, and the number of heads per layer."""

        text: Annotated[Words, few_words(3, MOST_WORDS, MOST_LETTERS)] = Field(
            _TEXT, description=words_said(3, MOST_WORDS, MOST_LETTERS)
        )
        seed: int | None = Field(
            _PICKED, ge=0, le=2**32 - 1, description="seed of the random weights and embeddings"
        )
        n_heads: int = Field(_HEADS, ge=2, le=MOST_HEADS, description="number of heads per layer")

    title = "Do busy heads matter more?"
    question = "{which}"
    caption = (
        "Where a head looks is not what it does. "
        "Silencing it tells more, though another head may step in."
    )
    opens = ("board",)
    derived = {
        "which": Derived(
            "a sentence that says whether looks mislead in this model", _looks_sentence
        )
    }
    claims = (
        Claim(
            "some heads look busier than others",
            lambda heads: heads.looks.max() - heads.looks.min() >= SEEN,
            "all look equally busy, for example because all embeddings are the same; "
            "change resid_pre",
        ),
    )

    compute = seen_heads

    def layout(self) -> None:
        heads, pair = self.values, self.values.misleading_pair
        off = [heads.busiest] if pair is None else [pair.busy, pair.dull]
        self.compared: list[Head] = [(int(layer), int(head)) for layer, head in off]
        """The heads to switch off: the misleading pair, or the busiest head if there is none."""
        look: dict[str, Any] = {"words": False, "results": ("looks", ".0%")}
        self.board, rest = place_board(self, _LEAST_REST, **look)
        self.cards = self.board.cards
        self.busiest = self.cards[tuple(heads.busiest)].pattern
        high = rest.height >= _LOW
        shares = SHARES if high else replace(SHARES, ticks=(SHARES.low, SHARES.high))
        row = WordBars(self["kept_row"], self["tokens"], shares, lying=False, width=_WIDE)
        self.row, self.kept = row.chart, row.bars
        self.moving = Bars(self["busy_row"], self.row, width=_WIDE)
        self.chart = Chart(
            _percent_scale(heads.looks, "how busy it looks"),
            _percent_scale(heads.effects, "moved by its silence", most=4 if high else 2),
            size=_NAME,
            least=(2.6, 1.2),
        )
        look = {"x": self["all_looks"], "radius": _DOT}
        self.dots = Dots(self["all_effects"], self.chart, **look)
        self.numbers = Dots(self["all_effects"], self.chart, spec=".1%", standing=(), **look)
        n = heads.many.n_models
        models = Scale(0.0, n, (n,), "d", name="models")
        self.count = Chart(models, Scale(0.0, _OVER, line=False), size=_NAME)
        look = {"upright": True, "spec": ".0f", "align": "left", "role": "token", "size": _NAME}
        self.by_chance = Rule(self["many.n_by_chance"], self.count, "by chance:", **look)
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        fit(rest, Layers(row, self.chart, self.count, self.card))
        self.models = Matrix(self["agrees_in_columns"], low=0.0, high=1.0, aspect=None)
        area = self.count.area
        self.models.place_cells(area.cut_bottom(area.height / _OVER)[0])

    @beat("A busy row is uneven: to even out this one, {busy_row_looks:.0%} must move.")
    def busy(self) -> Steps:
        self.row_frame = self.busiest.frame_row(self.values.last, "query")
        bars = FadeIn(self.row, self.moving, self.kept, run_time=0.6)
        yield Create(self.row_frame, run_time=0.4), bars
        yield 0.6 * self.moving.to(self["even_row"])

    @beat("A head is as busy as its rows are on average, all but the first.")
    def average(self) -> Steps:
        """Move the frame up the rows, and show the framed row as bars."""
        layer, head = map(int, self.values.busiest)
        rows = range(self.values.last - 1, 0, -1)
        yield FadeOut(self.kept, run_time=0.3)
        for m in rows:
            bars = self.moving.to(self["patterns"][layer, head, m])
            yield 0.5 / len(rows) * together(self.row_frame.trace(self.busiest.row(m)), bars)
        yield 0.3 * together([card.note() for card in self.cards.values()])

    @beat(_comparison_sentence, ask="Does a busier head always change more?")
    def rise(self) -> Steps:
        """Shrink the patterns to dots, switch the compared heads off, and show their effects."""
        yield FadeOut(self.row_frame, self.row, self.moving, run_time=0.3)
        small = {head: pattern_of(self, head) for head in self.cards}
        for head, pattern in small.items():
            pattern.place_cells(self.cards[head].pattern.lattice.region)
        self.add(*small.values())
        slides = [slide_cells(small[head], self._spot(head)) for head in small]
        yield 0.2 * together(FadeIn(self.chart), slides)
        self.remove(*small.values())
        self.add(self.dots, self.numbers)
        self.frames = [
            CellFrame(self.cards[head].region) for head in self.compared for _ in range(2)
        ]
        yield together(*map(Create, self.frames), run_time=0.3)
        for head, frame in zip(self.compared, self.frames[::2], strict=True):
            yield 0.12 * frame.trace(self._spot(head).inset(-0.06))
            number = self.numbers.appear(list(self.cards).index(head))
            yield 0.2 * together(self.board.flip(head), number)
        yield self.board.flip(run_time=0.4)

    @beat("In {many.n_models:,d} random models: does the busiest head change most?")
    def many(self) -> Steps:
        yield FadeOut(self.chart, self.dots, self.numbers, *self.frames, run_time=0.5)
        fill = self.models.empty().fill_columns(run_time=0.6 * self.reading)
        yield FadeIn(self.count, run_time=0.4), fill

    @beat(_agreement_sentence)
    def against_chance(self) -> Steps:
        scale = self.count.x.scaling
        counted = replace(scale, ticks=(self.values.many.n_agree, *scale.ticks))
        sort = self.models.to(self["agrees_first"])
        yield 0.3 * together(sort, self.count.rescale(x=counted))
        yield 0.3 * FadeIn(self.by_chance)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(self.models, self.count, self.by_chance, run_time=0.6)
        yield 0.6 * self.card.appear()

    def _spot(self, head: Head) -> Region:
        """The region around a head's dot."""
        heads = self.values
        x, y, _ = self.chart.at(heads.looks[head], heads.effects[head])
        return Region(x - _DOT, y - _DOT, x + _DOT, y + _DOT)


def _percent_scale(values: NDArray[np.float64], name: str, most: int = 4) -> Scale:
    """A percentage scale from 0 to a little above the largest value."""
    high = _REACH * float(values.max())
    return Scale(0.0, high, round_ticks(0.0, high, most=most), ".0%", name=name)
