"""Switch off one layer, then the other, then let layer 0 look one further back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from model.induction import Induction
from scenes.facts import Claim, Fact, fill
from scenes.induction.common import InductionInputs, induction_facts, told
from scenes.spelling import listed, named, spelled
from scenes.stage import DRAWING, Stage

if TYPE_CHECKING or DRAWING:
    from manim import FadeIn, FadeOut, VGroup

    from scenes.parts.arcs import Arc
    from scenes.parts.lanes import Band
    from scenes.parts.motion import Drive, recolor
    from scenes.parts.outcome import cards
    from scenes.parts.prompt_strip import PromptStrip, rows_of
    from scenes.parts.strip_bars import StripBars
    from scenes.parts.text import Number
    from scenes.style.type import LABEL

_STEPS = 2
_MOST_NAMED = 3
_TIE = 0.02
"""Outputs closer than this tie: softness of the attention, not the text, tells them apart."""
_SEEN = 0.01
"""Attention below this draws no arc."""

_BOTH = {
    "unique": "Both layers on: it attends to what followed {query}, and says {says_0}.",
    "several": "Both layers on: it attends to all that followed {query}, and says {says_0}.",
    "none": "Both layers on: {query} is new, so it attends to all alike.",
    "first": "Both layers on, no BOS: the first token answers too. It says {says_0}.",
}
_TWO = {
    "found": "Layer 0 notes the token {steps} before: it says what stood {steps} after {query}: "
    "{says_3}.",
    "none": "Layer 0 notes the token {steps} before: nobody noted {query}, so all get alike.",
    "first": "Layer 0 notes the token {steps} before. The first {steps} have none, "
    "and answer too: {says_3}.",
}
_MORAL = {
    "found": "Layer 0 writes the notes, layer 1 reads them: "
    "notes from {steps} before predict {steps} ahead.",
    "other": "Layer 0 writes the notes, layer 1 reads them: without either there is no induction.",
    "none": "Where nothing can be found, the head only counts; without layer 1 it says nothing.",
}


@dataclass(frozen=True, eq=False)
class Ablations:
    """The head as it is, without layer 0, without layer 1, and with a longer step back."""

    both: Induction
    no_layer_0: Induction
    no_layer_1: Induction
    two_back: Induction

    @property
    def heads(self) -> tuple[Induction, ...]:
        return self.both, self.no_layer_0, self.no_layer_1, self.two_back

    @property
    def second(self) -> str:
        """What the longer step finds: what was asked for, nothing, or the first tokens too."""
        if self.two_back.case == "first":
            return "first"
        return "found" if self.two_back.answers.size else "none"


class Ablate(Stage):
    """Switch off one layer, then the other, then let layer 0 look one further back."""

    class Inputs(InductionInputs):
        pass

    title = "Break it to see what it needs"
    subtitle = "What is left of the prediction if a layer is switched off?"
    caption = "{moral}"

    inputs: Inputs
    values: Ablations

    @classmethod
    def compute(cls, inputs: Inputs) -> Ablations:
        if len(inputs.tokens) < 2:
            raise ValueError("text must have 2 tokens or more, BOS counted")
        return Ablations(
            inputs.induction(),
            inputs.induction(layer_0=False),
            inputs.induction(layer_1=False),
            inputs.induction(look_back=_STEPS),
        )

    @classmethod
    def facts(cls, values: Ablations) -> dict[str, Fact]:
        known: dict[str, Fact] = {**induction_facts(values.both), "steps": _STEPS}
        for k, head in enumerate(values.heads):
            known |= {f"says_{k}": _says(head), f"output_{k}": float(head.output.max())}
        found = "found" if values.second == "found" else "other"
        tale = "none" if values.both.case == "none" else found
        return {**known, "moral": fill(_MORAL[tale], known)}

    @classmethod
    def narration(cls, values: Ablations) -> tuple[str, ...]:
        known = cls.facts(values)
        notes = (
            "Layer 0 off: no notes to match, so all get alike. Out comes {says_1}.",
            "Layer 1 off: the notes are there, but nobody reads them. All logits are 0.",
            _TWO[values.second],
        )
        return told(values.both.case, known, **_BOTH), *(fill(note, known) for note in notes)

    @classmethod
    def claims(cls, values: Ablations) -> list[Claim]:
        even = values.no_layer_0.forward.pattern_1[-1]
        said = float(np.abs(values.no_layer_1.forward.logits).max())
        return [
            _answers("both layers", values.both),
            _answers(f"a step of {_STEPS}", values.two_back),
            Claim(
                "without layer 0 the last token attends to all alike",
                bool(np.ptp(even) < 1e-9),
                f"shares from {even.min():.3g} to {even.max():.3g}",
            ),
            Claim("without layer 1 all logits are 0", said == 0, f"the largest is {said:.3g}"),
        ]

    @classmethod
    def arrays(cls, values: Ablations) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        for k, head in enumerate(values.heads):
            found |= {f"attention_{k}": head.forward.pattern_1[-1], f"output_{k}": head.output}
        return found

    def construct(self) -> None:
        self.tokens = [spelled(token) for token in self.values.both.tokens]
        self.last = len(self.tokens) - 1
        below, above = self.canvas.cut_bottom(1.15, gap=0.35)
        self.cards = cards(_names(), below)
        one_row = rows_of(self.last + 1, above, "attention") == 1
        bands = [
            Band("arcs", 0.9 if one_row else 0.3, length=0.25),
            Band("token", 0.0, "", length=0.5),
            Band("bars", 1.0, "attention", length=0.3),
        ]
        self.strip = PromptStrip(self.tokens, above, bands, size=30)
        self.arcs: list[Arc] = []
        for k, head in enumerate(self.values.heads):
            self._open(k)
            self._attend(head)
            self._outcome(k, head)

    def _open(self, k: int) -> None:
        """The text at first; then the next way to run the head."""
        self.beat(("both", "layer 0 off", "layer 1 off", "two back")[k])
        if k == 0:
            ask = self.strip.boxes[-1].light(self.theme.text_color("query"))
            self.bars = self._bars(self.values.both)
            self.bars.show(np.zeros(self.last + 1))
            self.numbers = VGroup()
            shown = self.strip, *self.cards, self.bars.line, self.bars.bars
            self.play(self.say(0), FadeIn(*shown, run_time=0.6))
            self.play(ask, *self.cards[0].open())
            return
        turn = [*self.cards[k - 1].close(), *self.cards[k].open()]
        gone = [FadeOut(*old, run_time=0.4) for old in (self.arcs, self.numbers) if len(old)]
        self.play(self.say(k), *turn, *gone)

    def _bars(self, head: Induction) -> StripBars:
        row = head.forward.pattern_1[-1]
        best = np.flatnonzero(row > 0.9 * row.max()).tolist()
        best = best if len(best) <= _MOST_NAMED else best[:1]
        return StripBars(self.strip, "bars", row, numbers=best, spec=".2%")

    def _attend(self, head: Induction) -> None:
        """Where the last token looks: bars, and arcs unless nobody follows them."""
        row, before = head.forward.pattern_1[-1], self.bars.values
        color = self.theme.attention if head.layer_1 else self.theme.hairline
        ink = self.theme.text_color("attention") if head.layer_1 else self.theme.muted
        self.numbers = self._bars(head).numbers.set_fill(ink)
        run = Drive(self.bars, self.bars.show, before, row, run_time=0.9)
        self.play(run)
        self.play(recolor(self.bars.bars, color, run_time=0.4), FadeIn(self.numbers, run_time=0.4))
        seen = [n for n in range(self.last + 1) if row[n] > _SEEN] if head.layer_1 else []
        self.arcs = [Arc(self.strip, self.last, n, share=float(row[n]), below="bars") for n in seen]
        if seen:
            self.play(*(arc.grow() for arc in self.arcs))

    def _outcome(self, k: int, head: Induction) -> None:
        """What comes out."""
        top, leads = float(head.output.max()), _leaders(head)
        right = bool(leads) and set(leads) <= set(head.text.best)
        color = self.theme.text_color("value" if right else "wrong")
        number = Number(top, ".2%", size=LABEL, color=color if leads else self.theme.muted)
        if not head.layer_1:
            number = Number(top, "d", prefix="all logits ", color=self.theme.text_color("wrong"))
        words = " ".join(map(spelled, leads)) if len(leads) <= _MOST_NAMED else ""
        self.play(self.cards[k].tell(words, number, color))
        self.let_read()


def _names() -> tuple[str, ...]:
    """What is tried, on the cards."""
    return "both layers", "layer 0 off", "layer 1 off", f"{_STEPS} steps back"


def _leaders(head: Induction) -> list[str]:
    """The tokens of the largest output, none if all logits are 0."""
    top = head.output.max()
    if top == 0:
        return []
    return [head.vocabulary.tokens[k] for k in np.flatnonzero(head.output > top - _TIE)]


def _says(head: Induction) -> str:
    """What comes out, in a sentence."""
    names = [named(token) for token in _leaders(head)]
    return listed(names, "or") if 0 < len(names) <= _MOST_NAMED else "nothing in particular"


def _answers(what: str, head: Induction) -> Claim:
    off = float(np.abs(head.output - head.answered).max())
    return Claim(
        f"with {what} the output is the shares of what noted the last token",
        off < 0.1,
        f"off by {off:.1%}; alpha {head.alpha:g} or beta {head.beta:g} is too small",
    )
