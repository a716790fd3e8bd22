"""Switch off one layer, then the other, then let layer 0 look one further back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from model.induction import Induction
from scenes.facts import Fact, fill
from scenes.induction.common import InductionInputs, induction_facts, of_each, told
from scenes.parts.tokens.arcs import Arc
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.outcome import cards
from scenes.parts.tokens.prompt_strip import PromptStrip, TokenBox, rows_of
from scenes.parts.tokens.strip_bars import StripBars
from scenes.spelling import listed, named, spelled
from scenes.stage import Finding, Slide
from scenes.style.motion import Drive
from scenes.style.text import Number
from scenes.style.type import SMALL

_STEPS = 2
_MOST_NAMED = 3
_SEEN = 0.01
"""Attention below this draws no arc."""

_BOTH = {
    "unique": "Both layers on: it attends to what followed {query}, and says {says_0}.",
    "several": "Both layers on: it attends to all that followed {query}, and says {says_0}.",
    "none": "Both layers on: {query} is new, so it attends to all alike, and only counts.",
    "first": "Both layers on, no BOS: the first token answers too. It says {says_0}.",
}
_TWO = {
    "found": "Layer 0 notes the token {steps} before: now it says {says_3}, "
    "which stood {steps} after {query}.",
    "none": "Layer 0 notes the token {steps} before: nobody noted {query}, so all get alike.",
    "first": "Layer 0 notes the token {steps} before. The first {steps} have none, "
    "and answer too. It says {says_3}.",
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
        return "found" if self.two_back.matches.size else "none"


class Ablate(Slide):
    """Switch off one layer, then the other, then let layer 0 look one further back."""

    class Inputs(InductionInputs):
        pass

    title = "Break it to see what it needs"
    question = "What is left of the prediction if a layer is switched off?"
    caption = "{moral}"

    inputs: Inputs
    values: Ablations

    @classmethod
    def compute(cls, inputs: Inputs) -> Ablations:
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
            known |= {
                f"says_{k}": _says(head),
                f"n_says_{k}": len(_leaders(head)),
                f"output_{k}": float(head.output.max()),
            }
        found = "found" if values.second == "found" else "other"
        tale = "none" if values.both.case == "none" else found
        return {**known, "moral": fill(_MORAL[tale], known)}

    @classmethod
    def narration(cls, values: Ablations) -> tuple[str, ...]:
        known = cls.facts(values)
        notes = (
            "Layer 0 off: no notes, so all get the same attention. "
            "It says what is most frequent: {says_1}.",
            "Layer 1 off: the notes are there, but nobody reads them. All logits are 0.",
            _TWO[values.second],
        )
        return told(values.both.case, known, **_BOTH), *(fill(note, known) for note in notes)

    @classmethod
    def checks(cls, values: Ablations) -> list[Finding]:
        even = values.no_layer_0.forward.head_1.pattern[-1]
        said = float(np.abs(values.no_layer_1.forward.logits).max())
        return [
            *_answers("both layers", values.both),
            *_answers(f"a step of {_STEPS}", values.two_back),
            Finding(
                "without layer 0 the last token attends to all alike",
                bool(np.ptp(even) < 1e-9),
                f"shares from {even.min():.3g} to {even.max():.3g}",
            ),
            Finding("without layer 1 all logits are 0", said == 0, f"the largest is {said:.3g}"),
        ]

    @classmethod
    def arrays(cls, values: Ablations) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        for k, head in enumerate(values.heads):
            found |= {f"attention_{k}": _attention(head), f"output_{k}": head.output}
        return found

    def construct(self) -> None:
        both = self.values.both
        self.tokens = [spelled(token) for token in both.tokens]
        self.last = len(self.tokens) - 1
        self.cards, above = cards(_names(), self.canvas)
        one_row = rows_of(self.last + 1, above, "attention") == 1
        bands = [
            Band("arcs", 0.9 if one_row else 0.3, length=0.25),
            Band("token", 0.0, "token" if one_row else "", length=0.5),
            *([Band("note", 0.0, "note", length=0.46)] if one_row else []),
            Band("bars", 1.0, "attention", length=0.3),
        ]
        self.strip = PromptStrip(self.tokens, above, bands, size=30)
        self.notes_shown = [self._notes(head) if one_row else [] for head in self.values.heads]
        self.arcs: list[Arc] = []
        for k, head in enumerate(self.values.heads):
            self._open(k)
            self._attend(head)
            self._outcome(k, head)

    def _notes(self, head: Induction) -> list[TokenBox]:
        """What layer 0 leaves at every position; those that answer are lit."""
        words = head.vocabulary.tokens
        noted = [spelled(words[k]) if head.layer_0 else " " for k in head.noted.tolist()]
        size = 0.85 * self.strip.size
        boxes = [self.strip.token_box(k, t, "note", size=size) for k, t in enumerate(noted)]
        answers = head.matches.tolist() if head.layer_0 and head.layer_1 else []
        for k, box in enumerate(boxes):
            lit = box.light(self.theme.text_color("key")) if k in answers else box.recede()
            lit.interpolate_mobject(1)
        return boxes

    def _open(self, k: int) -> None:
        """The text at first; then the next way to run the head."""
        self.beat(("both", "layer 0 off", "layer 1 off", "two back")[k])
        notes = FadeIn(*self.notes_shown[k]) if self.notes_shown[k] else None
        if k == 0:
            ask = self.strip.boxes[-1].light(self.theme.text_color("query"))
            self.bars = self._bars(self.values.both)
            self.bars.show(np.zeros(self.last + 1))
            self.numbers = VGroup()
            shown = self.strip, *self.cards, self.bars.line, self.bars.bars
            self.play(self.say(0), FadeIn(*shown, run_time=0.6))
            self.play(ask, *self.cards[0].open(), *filter(None, [notes]))
            return
        turn = [*self.cards[k - 1].close(), *self.cards[k].open()]
        old = self.arcs, self.numbers, self.notes_shown[k - 1]
        gone = [FadeOut(*parts, run_time=0.4) for parts in old if len(parts)]
        self.play(self.say(k), *turn, *gone)
        if notes:
            self.play(notes, run_time=0.5)

    def _bars(self, head: Induction) -> StripBars:
        row = _attention(head)
        best = np.flatnonzero(row > 0.9 * row.max()).tolist() if head.layer_1 else []
        best = best if len(best) <= _MOST_NAMED else best[:1]
        return StripBars(self.strip, "bars", row, numbers=best, spec=".2%")

    def _attend(self, head: Induction) -> None:
        """Where the last token looks, as bars and arcs; nowhere if layer 1 is off."""
        row, before = _attention(head), self.bars.values
        self.numbers = self._bars(head).numbers
        self.play(Drive(self.bars, self.bars.show, before, row, run_time=0.8))
        seen = [n for n in range(self.last + 1) if row[n] > _SEEN]
        self.arcs = [Arc(self.strip, self.last, n, share=float(row[n]), below="bars") for n in seen]
        if seen:
            self.play(FadeIn(self.numbers, run_time=0.4), *(arc.grow() for arc in self.arcs))

    def _outcome(self, k: int, head: Induction) -> None:
        """What comes out."""
        top, leads = float(head.output.max()), _leaders(head)
        right = bool(leads) and set(leads) <= set(head.text.best)
        color = self.theme.text_color("value" if right else "wrong")
        words = " ".join(map(spelled, leads))
        number = Number(top, ".4f", prefix="logit ", size=SMALL, color=color)
        if not leads:
            number = Number(top, "d", prefix="all logits ", color=color)
        elif len(leads) > _MOST_NAMED:
            words = f"{len(leads)} tokens"
            before, after = of_each(head)
            number = Number(top, ".4f", prefix=before, suffix=after, size=SMALL, color=color)
        self.play(self.cards[k].tell(words, number, color))
        self.let_read()


def _attention(head: Induction) -> NDArray[np.float64]:
    """What the last token gives each; nothing if layer 1 is off. Shape (T,)."""
    row = head.forward.head_1.pattern[-1]
    return row if head.layer_1 else np.zeros_like(row)


def _names() -> tuple[str, ...]:
    """What is tried, on the cards."""
    return "both layers", "layer 0 off", "layer 1 off", f"{_STEPS} steps back"


def _leaders(head: Induction) -> list[str]:
    """The tokens of the largest output, none if all logits are 0."""
    return [head.vocabulary.tokens[k] for k in head.leaders]


def _says(head: Induction) -> str:
    """What comes out, in a sentence."""
    names = [named(token) for token in _leaders(head)]
    if not names:
        return "nothing"
    return listed(names, "or") if len(names) <= _MOST_NAMED else f"any of {len(names)} tokens"


def _answers(what: str, head: Induction) -> list[Finding]:
    off = head.match_error
    strangers = [
        named(head.vocabulary.tokens[k]) for k in head.leaders if not head.matched_shares[k]
    ]
    return [
        Finding(
            f"with {what} the output is the shares of what noted the last token",
            off < 0.1,
            f"off by {off:.1%}; alpha {head.alpha:g} or beta {head.beta:g} is too small",
        ),
        Finding(
            f"with {what} only what noted the last token leads the output",
            not strangers,
            f"{', '.join(strangers)} is near the top; alpha {head.alpha:g} or beta "
            f"{head.beta:g} is too small",
        ),
    ]
