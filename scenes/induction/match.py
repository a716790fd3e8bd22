"""Layer 1: the last token asks, and the notes answer; what they score becomes attention."""

from __future__ import annotations

from typing import Any

from manim import FadeIn, FadeOut

from model.induction import Induction
from scenes.induction.beta_knob import BetaKnob
from scenes.induction.noted import Noted
from scenes.induction.poured import Poured
from scenes.induction.words import InductionInputs
from scenes.parts.scale import Scale
from scenes.spelling import counted
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit

WORKS = "alpha 10 with beta 10 works for every text"
NOTES_HOLD = Claim(
    "every note holds little else than the token before it",
    lambda head: head.worst_note >= 0.9,
    "one holds only {worst_note:.0%} of it: alpha {inputs.alpha:g} is too small; " + WORKS,
)
ANSWERS_FIT = Claim(
    "the answer is what the matching notes say",
    lambda head: head.match_error < 0.01,
    "the answer is off by {match_error:.0%} with alpha {inputs.alpha:g} and beta "
    "{inputs.beta:g}; " + WORKS,
)
SCORE, SHARE = ".2f", ".1%"
SHARES = Scale(0.0, 1.0, (0.0, 1.0), ".0%")


def _scored(head: Induction) -> str:
    if head.n_matches == 1:
        return "The note that agrees scores close to β, here {inputs.beta:g}; all others, far less."
    return "Notes that agree score close to β, here {inputs.beta:g}; all others, far less."


def _shared(head: Induction) -> str:
    if head.n_matches == 1:
        return "Softmax: {match_mass:.1%} of the attention goes to {answer_named}."
    if head.case == "unique":
        return "Softmax: together the {matches_counted} get {match_mass:.1%} of the attention."
    return "Softmax divides the attention: the {matches_counted} get {match_mass:.1%} in all."


class Match(Stage):
    """The last token asks with its own word; whoever has noted that word gets its attention."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "Who noted “{text.query_token}”?"
    question = "Layer 1: the last token asks, the notes answer."
    caption = (
        "This head writes shares straight into out, with no softmax after it: here a logit is a "
        "share."
    )
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        NOTES_HOLD,
        Claim(
            "the matching notes get nearly all of the attention",
            lambda head: head.match_mass >= 0.9,
            "they get {match_mass:.0%} with beta {inputs.beta:g}; " + WORKS,
        ),
        ANSWERS_FIT,
    )
    derived = {
        "matches_counted": Derived(
            "how many notes match, in words", lambda head: counted(head.n_matches)
        ),
    }

    inputs: Inputs
    values: Induction

    @classmethod
    def compute(cls, inputs: Any) -> Induction:
        found: Induction = inputs.induction()
        return found

    def layout(self) -> None:
        head, beta = self.values, self.inputs.beta
        self.n, self.matches = head.n_tokens, head.matches.tolist()
        self.others = [k for k in range(self.n) if k not in self.matches]
        scale = Scale(0.0, beta, (0.0, beta), "g")
        scores, shares = self["scores"], self["row"]
        across, down = (
            Noted(
                self["tokens"],
                self["noted_tokens"],
                self["noted_shares"],
                scores,
                scale,
                SHARES,
                down=down,
                figures=[(scores, SCORE), (shares, SHARE)],
                wonder=True,
                role="token",
                grown=False,
                looks=True,
            )
            for down in (False, True)
        )
        self.knob = BetaKnob(self["inputs.beta"])
        over, beside = (Row(text, self.knob, weights=(1, 0)) for text in (across, down))
        below = Column(down, self.knob, weights=(1, 0))
        ways: list[Row | Column] = [over if self.canvas.wide else below, beside, Row(down)]
        self.noted = across if ways[fit(self.canvas, *ways)] is over else down
        self.tiles, self.bars, self.rings = self.noted.tiles, self.noted.bars, self.noted.rings
        self.tiles.show_notes(*range(self.n))

    @beat("The query is cur of the last token; the keys are the notes, in prev.")
    def ask(self) -> Steps:
        """An eye goes back over the text, and a ring closes round every note."""
        eye, order = self.noted.eye, range(self.n - 1, -1, -1)
        yield eye.open(), self.tiles.paint(self.n - 1, "query")
        self.add(self.rings)
        time = max(3.0, self.reading - 0.6)
        yield eye.sweep(order, pause=0.0, run_time=time), self.rings.close(order, run_time=time)

    @beat(_scored)
    def score(self) -> Steps:
        """Every key gets a bar; the rings of those that do not match go."""
        chart = self.noted.chart
        yield self.noted.eye.close(), FadeIn(chart.x), FadeIn(chart.y), *map(FadeIn, self.knob)
        self.remove(self.noted.eye)
        yield self.bars.grow(run_time=1.8)
        loudest = max(self.others, key=lambda k: self.values.scores[k])
        named = sorted([*self.matches, loudest])
        yield self.bars.write(named, SCORE), self.rings.open(*self.others)

    @beat(_shared)
    def share(self) -> Steps:
        """Scores become shares, which run in the colour of attention."""
        yield self.bars.unwrite(run_time=0.2)
        yield (
            self.bars.to(self["row"], run_time=0.8),
            self.noted.rescale(SHARES, run_time=0.8),
            self.bars.recolor(range(self.n), "attention", run_time=0.8),
        )
        yield self.bars.write(self.matches, SHARE), self.tiles.paint(self.matches, "attention")

    @beat(CAPTION)
    def take(self) -> Steps:
        """What stands at the matches is piled up at the place of the next token."""
        yield self.tiles.ask_next(), self.rings.open(), *map(FadeOut, self.knob)
        self.remove(self.rings)
        order, first = [*self.matches, *self.others], self.matches[0]
        several = self.values.case != "unique"
        pile = Poured(self["row"], self["tokens"], self.noted.chart, self.n, order, several)
        self.add(pile)
        together: dict[str, Any] = {"run_time": 3.2}
        moves = [pile.pour(**together), self.tiles.paint(self.matches, "correct", **together)]
        if not several:
            middle = self.tiles.middle(first)
            moves.append(self.tiles.answer(self["tokens"][first], middle, **together))
        yield moves
