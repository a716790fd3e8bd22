"""Each head is switched off in turn: how much of the next word's probability moves?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut
from numpy.typing import NDArray

from clockhead.model.head_effects import ALMOST_ALL, HeadEffects
from clockhead.scenes.ablation.board import Board, Head, beside
from clockhead.scenes.ablation.inputs import HeadsStage, n_first
from clockhead.scenes.ablation.pieces import Pieces
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.parts.word_bars import WordBars
from clockhead.scenes.stage import CAPTION, Derived, Steps, Value, beat, fit
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.type import LABEL

_SAME = 1e-9
"""Shares that differ by less are the same."""
_SHARE = ".1%"
_FRONT, _BEHIND = 0.5, 0.84
"""How wide bars are, and those behind them, in slots."""
_EACH, _MOST = 1.3, 4.0
"""Seconds for a head at most, and for all of them together."""


def _strongest(heads: HeadEffects) -> list[Head]:
    """The heads whose silence moves most, all of equals; none if nothing moves."""
    most = float(heads.effects.max())
    if most <= _SAME:
        return []
    return [(int(a), int(b)) for a, b in np.argwhere(heads.effects >= most - _SAME)]


def _first(heads: HeadEffects) -> str:
    if float(heads.effects[0, 0]) <= _SAME:
        return "Hardly anything moves: less than a billionth of all probability."
    return (
        "Some words lose, others gain: {first_effect:.1%} of all probability moves, "
        "the total variation."
    )


def _most(heads: HeadEffects) -> str:
    found = _strongest(heads)
    if not found:
        return "No head moves as much as a billionth here, switched off on its own."
    if len(found) > 1:
        return "Several heads move the most, and to nine digits equally much: {most:.1%}."
    layer, head = found[0]
    start = f"Most moves without head {head} of layer {layer}: {{most:.1%}}"
    if heads.silenced_predictions[layer, head] != heads.prediction:
        return start + ", and “{instead}” comes out."
    change = heads.silenced_probabilities[layer, head, heads.prediction]
    change = float(change - heads.run.probabilities[heads.prediction])
    if change > _SAME:
        return start + ". “{predicted}” even gains by it."
    return start + ". Yet “{predicted}” still comes out first."


def _none_left(heads: HeadEffects) -> str:
    if heads.off_effect <= _SAME:
        return "“{predicted}” comes out as before: less than a billionth of all probability moves."
    if n_first(heads.off) > 1:
        return "Then no word comes out ahead, and {off_effect:.1%} of all probability moves."
    if heads.off.prediction == heads.prediction:
        return "“{predicted}” still comes out; {off_effect:.1%} of all probability moves."
    return "Then “{off_word}” comes out, and {off_effect:.1%} of all probability moves."


class OneByOne(HeadsStage):
    """Each head is switched off in turn: how much of the next word's probability moves?"""

    title = "One head off at a time"
    question = "How far does that move the probabilities of the next word?"
    caption = "A head's effect is what its silence moves, the total variation."
    opens = ("board",)
    leaves = ("board",)
    derived = HeadsStage.derived | {
        "share": Derived(
            "the probability of the word that comes out, never quite all",
            lambda v: min(v.predicted_share, ALMOST_ALL),
            "share",
        ),
        "first_effect": Derived(
            "what the first head's silence moves", lambda v: float(v.effects[0, 0]), "share"
        ),
        "most": Derived(
            "what the silence of one head moves at most", lambda v: float(v.effects.max()), "share"
        ),
        "instead": Derived(
            "the word that comes out without the head that moves most",
            lambda v: v.vocabulary[v.silenced_predictions[tuple(v.strongest)]],
        ),
    }

    values: HeadEffects

    def layout(self) -> None:
        heads = self.values
        self.board = Board(self, words=True, results=("effects", _SHARE))
        rest = beside(self, self.board)
        every = heads.run.probabilities, heads.silenced_probabilities, heads.off.probabilities
        top = math.ceil(max(float(shares.max()) for shares in every) * 10 - _SAME) / 10
        ticks = round_ticks(0.0, top, most=4)
        base = self["run.probabilities"]
        self.chart = WordBars(
            base,
            self["vocabulary"],
            Scale(0.0, top, ticks, ".0%"),
            lying=False,
            spec=_SHARE,
            numbered=[heads.prediction],
            width=_FRONT,
            grown=False,
        )
        self.bars, self._first = self.chart.bars, heads.prediction
        every_word = range(heads.n_vocab)
        look: dict[str, Any] = {"width": _BEHIND, "dimmed": every_word, "grown": False}
        self.behind = Bars(base, self.chart.chart, "residual", **look)
        paths = "moved_probabilities", "kept_probabilities", "silenced_probabilities", "effects"
        moved, kept, after, total = (self[path][0, 0] for path in paths)
        self.pieces = Pieces(self.chart.chart, moved, kept, base, after, total, width=_FRONT)
        fit(rest, self.chart)
        self.everything: tuple[Head, ...] = tuple(self.board.cards)
        self.trials: dict[tuple[Head, ...], Value] = {
            (head,): self["silenced_probabilities"][head] for head in self.everything
        }
        self.trials |= {(): base, self.everything: self["off.probabilities"]}
        self.board.watch(self.bars, self.trials, self["kept_probabilities"][0, 0])
        self.board.watch(self.behind, dict.fromkeys(self.trials, base))

    @beat("With all heads on, “{predicted}” has a probability of {share:.1%}.")
    def start(self) -> Steps:
        yield FadeIn(self.chart.chart, run_time=0.6)
        self.add(self.behind, self.bars)
        yield (
            self.bars.grow(lag=0.1, run_time=1.4),
            self.bars.recolor(self.values.prediction, "value", run_time=1.4),
        )
        yield self.behind.grow(run_time=1.0)

    @beat(_first, ask="Head 0 of layer 0 goes off. What moves?")
    def first(self) -> Steps:
        head = 0, 0
        yield self.bars.unwrite(run_time=0.3)
        self.bars.set_to(self["kept_probabilities"][head])
        self.add(self.pieces)
        yield FadeIn(self.pieces, run_time=0.8), *self.board.flip(head, run_time=0.8)
        yield self.pieces.fly(run_time=0.5 * self.reading)
        self.bars.set_to(self.trials[head,])
        self.remove(self.pieces)
        self._first = int(self.values.silenced_predictions[head])
        yield *self._mark(self.values.prediction, self._first), self._note(head)

    @beat("Every other head in turn, each time with all others on.")
    def others(self) -> Steps:
        each = min(_EACH, _MOST / (len(self.everything) - 1))
        for head in self.everything[1:]:
            yield from self._trial((head,), 0.6 * each)
            yield self._note(head, 0.4 * each)

    @beat(_most)
    def most(self) -> Steps:
        found = _strongest(self.values)
        self.frames = [CellFrame(self.board.cards[head].region, "attention") for head in found]
        if found:
            yield [Create(frame, run_time=0.6) for frame in self.frames]
        yield from self._trial(tuple(found[:1]), 0.5 * self.reading)

    @beat(_none_left, ask="And with all of them off?")
    def all_off(self) -> Steps:
        if self.frames:
            yield [FadeOut(frame, run_time=0.3) for frame in self.frames]
        yield from self._trial(self.everything, 0.5 * self.reading)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield from self._trial((), 0.5 * self.reading)

    def _trial(self, off: tuple[Head, ...], time: float) -> Steps:
        """Switch all heads on again, then these off, and let the bars follow."""
        usual, steps = self.values.prediction, [(), off] if off else [()]
        if self.bars.shown.name == self.trials[()].name:
            steps.remove(())
        for heads in steps:
            value, each = self.trials[heads], {"run_time": time / len(steps)}
            moves = *self.board.flip(*heads, **each), self.bars.to(value, **each)
            yield moves
            if (first := int(value.array.argmax())) != self._first:
                self._first = first
                yield self._mark(usual, first)

    def _mark(self, usual: int, first: int) -> tuple[Drive, ...]:
        """Light the word that comes out, with its number, and that of the usual one if free."""
        others = [k for k in range(self.values.n_vocab) if k != first]
        is_free = abs(usual - first) * self.chart.chart.x.pitch > text_width("> 99.9%", LABEL)
        return (
            self.bars.write(sorted({usual, first} if is_free else {first}), _SHARE, run_time=0.3),
            self.bars.recolor(others, "token", run_time=0.3),
            self.bars.recolor(first, "value", run_time=0.3),
        )

    def _note(self, head: Head, run_time: float = 0.5) -> Drive:
        """Let what a head's silence moves be written on its card."""
        result = self.board.cards[head].result
        assert result is not None

        def show(seen: NDArray[np.float64]) -> None:
            result.set_fill(opacity=float(seen))

        return Drive(self.board, show, 0.0, 1.0, run_time=run_time)
