"""How busy heads look, and what their silence changes: looks mislead. And the end of the film."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Annotated, Any

import numpy as np
from manim import Create, FadeIn, FadeOut
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.arrays import Floats, sealed
from clockhead.model.busiest_heads import BusiestHeads, busiest_heads
from clockhead.model.head_effects import HeadEffects
from clockhead.model.head_looks import moves
from clockhead.model.units import Count, Share
from clockhead.model.worked_block import worked_block
from clockhead.scenes.ablation.board import Board, Head, beside, pattern_of
from clockhead.scenes.ablation.inputs import MOST_LETTERS, MOST_WORDS, HeadsInputs, HeadsStage
from clockhead.scenes.ablation.pieces import Pieces
from clockhead.scenes.ablation.scatter import HeadDots, ManyModels
from clockhead.scenes.ablation.silence import LONG_NAME, NAME
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.parts.word_bars import SHARES, WordBars
from clockhead.scenes.stage import CAPTION, Claim, Derived, Layers, Size, Steps, Words, beat, fit
from clockhead.scenes.texts import few_words

_PICKED, _TEXT, _HEADS = 749, "the cat sat on", 3
"""A seed, found among many, whose looks mislead about as much as looks can, and its sizes."""
_SPREADS = 2
"""So many standard deviations from chance still look like chance."""
_LEAST_REST = Size(4.4, 2.3)
"""What a chart with both its scales needs, in units."""
_REACH, _ALIKE, _WIDE = 1.12, 1e-9, 0.6
_SEEN = 1e-3
"""The least gap that the numbers show."""


@dataclass(frozen=True, eq=False)
class SeenHeads(HeadEffects):
    """The heads of one model, and those of many models of its sizes."""

    @cached_property
    def many(self) -> BusiestHeads:
        """Many random models over the same text, with as many heads."""
        return busiest_heads(self.tokens, self.n_heads)

    # The last row of the busiest head, and what makes it even

    @cached_property
    def busy_row(self) -> Floats:
        """Where the last token looks in the head that looks busiest; shape (T,)."""
        return sealed(self.patterns[(*self.busiest, -1)].copy())

    @cached_property
    def even_row(self) -> Floats:
        """The same for all it may look at; shape (T,)."""
        return sealed(np.full(self.n_tokens, 1 / self.n_tokens))

    @cached_property
    def kept_row(self) -> Floats:
        """What of that row stays where it is when it becomes even; shape (T,)."""
        return sealed(np.minimum(self.busy_row, self.even_row))

    @cached_property
    def moved_row(self) -> Floats:
        """How much goes from which token to which; shape (T, T), [from, to]."""
        return sealed(moves(self.busy_row, self.even_row))

    @property
    def row_total(self) -> Share:
        """How much that is in all."""
        return float(self.row_looks[(*self.busiest, -1)])

    @property
    def is_picked(self) -> bool:
        """Whether it is the model that was picked among many for its misleading looks."""
        picked = worked_block(tuple(_TEXT.split()), seed=_PICKED, n_heads=_HEADS)
        pairs = (self.resid_pre, picked.resid_pre), (self.unembedding, picked.unembedding)
        return self.n_heads == _HEADS and all(np.array_equal(*pair) for pair in pairs)

    @property
    def seed_that_misleads(self) -> Count:
        """The first seed whose model, over the same text, has a misleading pair."""
        return next(seed for seed in count() if _misleads(self._drawn(seed)))

    def _drawn(self, seed: int) -> HeadEffects:
        return HeadEffects.of(worked_block(self.tokens, seed=seed, n_heads=self.n_heads))


def _origin(heads: SeenHeads) -> str:
    if heads.is_picked:
        return "A model drawn at random, and picked among many because its looks mislead."
    return "One small model. Do its patterns tell which of its heads matters most?"


def _misleads(heads: HeadEffects) -> bool:
    """Whether there is a pair whose looks mislead by something that can be seen."""
    pair = heads.misleading_pair
    return pair is not None and min(pair.looks_gap, pair.effect_gap) >= _SEEN


def _apart(heads: SeenHeads) -> str:
    """What the misleading pair moves, after what the busiest of all does."""
    if heads.misleading_pair is None:
        return "Yes: here the busier of two never changes less."  # such a film is refused
    most = heads.effects[tuple(heads.busiest)] >= heads.effects.max() - _ALIKE
    moves = heads.misleading_pair.busy_effect > _ALIKE
    busy = "{misleading_pair.busy_effect:.1%}" if moves else "hardly any"
    return (
        f"{'Yes. But of' if most else 'No. Of'} these two, the busier moves {busy} of the "
        "probability, the duller {misleading_pair.dull_effect:.1%}."
    )


def _counted(heads: SeenHeads) -> str:
    """In how many models the busiest head changes most, against one drawn by lot."""
    spreads = heads.many.spreads_above_chance
    lot = "one of {n_said} drawn by lot, {many.n_by_chance:.0f} ± {many.chance_spread:.0f}"
    how = "no more often than"
    if spreads > 0:
        how = "more often than" if spreads > _SPREADS else "at best a little more often than"
    return f"In {{many.n_agree}}, {how} {lot}. In {{n_other}} it is another."


class Looks(HeadsStage):
    """Heads as points: how busy they look, what their silence changes; and what to make of it."""

    class Inputs(HeadsInputs):
        """A short text, the rows that go in, and how many heads a layer has."""

        text: Annotated[Words, few_words(3, MOST_WORDS, MOST_LETTERS)] = Field(
            _TEXT, description=f"3 to {MOST_WORDS} words of letters a to z; one word is one token"
        )
        seed: int | None = Field(
            _PICKED, ge=0, le=2**32 - 1, description="draws the weights and the rows"
        )
        n_heads: int = Field(_HEADS, ge=2, le=3, description="how many heads each layer has")

    title = "Do busy heads matter more?"
    question = "{origin}"
    caption = "The pattern says what a head looks at; only switching it off says what it does."
    opens = ("board",)
    claims = (
        Claim(
            "there are two heads of which the one that looks busier changes less",
            _misleads,
            "looks and effects put the heads in the same order, or nearly so; "
            "seed {seed_that_misleads}, without resid_pre, has such a pair",
        ),
    )
    derived = HeadsStage.derived | {
        "origin": Derived("what model it is", _origin),
        "n_other": Derived(
            "in how many models another head changes most",
            lambda heads: heads.many.n_models - heads.many.n_agree,
        ),
    }

    values: SeenHeads

    @classmethod
    def compute(cls, inputs: Any) -> SeenHeads:
        heads = inputs.effects()
        return SeenHeads(heads.tokens, heads.transformer, heads.resid_pre, heads.vocabulary)

    def layout(self) -> None:
        heads, found = self.values, self.values.misleading_pair
        self.pair: list[Head] = [(0, 0), (0, 1)]
        if found is not None:
            self.pair = [(found.busy_layer, found.busy_head), (found.dull_layer, found.dull_head)]
        self.board = Board(self, switches=False, results=("looks", ".0%"))
        rest = beside(self, self.board, _LEAST_REST)
        self.row = WordBars(self["busy_row"], self["tokens"], SHARES, lying=False, width=_WIDE)
        paths = "moved_row", "kept_row", "busy_row", "even_row", "row_total"
        self.pieces = Pieces(self.row.chart, *(self[path] for path in paths), width=_WIDE)
        self.chart = Chart(
            _shares(heads.looks, "how busy it looks"),
            _shares(heads.effects, "how much its silence changes"),
        )
        self.dots = HeadDots(self["effects"], self["looks"], self.chart)
        counts = "agrees", "n_agree", "n_by_chance", "chance_spread"
        self.models = ManyModels(*(self[f"many.{name}"] for name in counts))
        self.card = TitleCard(NAME, LONG_NAME, role="attention")
        fit(rest, Layers(self.row, self.chart, self.models, self.card))
        self.card.hide()

    @beat(
        "How busy a head looks: what must move to make a row even, on average over all but the "
        "first."
    )
    def busy(self) -> Steps:
        cards, time = self.board.cards, self.reading
        busiest = cards[tuple(self.values.busiest)].pattern
        self.row_frame = busiest.frame_row(self.values.last, "query")
        yield (
            Create(self.row_frame, run_time=0.4),
            FadeIn(self.row.chart, self.row.bars, run_time=0.6),
        )
        self.row.bars.set_to(self["kept_row"])
        self.add(self.pieces)
        yield self.pieces.fly(run_time=0.4 * time)
        self.remove(self.pieces)
        self.row.bars.set_to(self["even_row"])
        yield [FadeIn(card.result.set_fill(opacity=1)) for card in cards.values() if card.result]

    @beat(_apart, ask="Does its busiest head make the most difference?")
    def rise(self) -> Steps:
        """The patterns become dots; frames go from two of them to their dots."""
        time, cards, dots = 0.3 * self.reading, self.board.cards, self.dots
        small = {head: pattern_of(self, *head) for head in cards}
        for head, pattern in small.items():
            pattern.place_cells(cards[head].pattern.lattice.region)
        yield [FadeOut(p, run_time=0.3) for p in (self.row_frame, self.row.chart, self.row.bars)]
        self.add(*small.values())
        slides = [small[head].slide_cells_to(dots.spot(head), run_time=time) for head in small]
        yield FadeIn(self.chart, run_time=time), *slides
        self.remove(*small.values())
        self.add(dots)
        self.frames = [CellFrame(cards[head].region) for head in self.pair for _ in range(2)]
        yield [Create(frame, run_time=0.3) for frame in self.frames]
        for head, frame in zip(self.pair, self.frames[::2], strict=True):
            yield frame.trace(dots.spot(head).inset(-0.06), run_time=0.7 * time)

    @beat(
        _counted,
        ask="One model is no proof: in how many of {many.n_models} does the busiest change most?",
    )
    def many(self) -> Steps:
        time = self.reading
        yield [FadeOut(p, run_time=0.5) for p in (self.chart, self.dots, *self.frames)]
        self.add(self.models)
        yield self.models.come(run_time=0.35 * time)
        yield self.models.sort(run_time=0.3 * time)
        yield self.models.compare(run_time=0.5)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield FadeOut(self.models, run_time=0.6)
        yield self.card.appear(run_time=1.6)


def _shares(values: NDArray[np.float64], name: str) -> Scale:
    """From nothing to a little more than the largest."""
    high = _REACH * float(values.max())
    return Scale(0.0, high, round_ticks(0.0, high, most=6), ".0%", name=name)
