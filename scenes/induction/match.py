"""The last token finds the positions that noted it, and attends one after where it stood."""

from __future__ import annotations

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart
from numpy.typing import NDArray

from model.induction import Induction
from scenes.facts import Fact, fill
from scenes.induction.common import InductionInputs, induction_facts, told
from scenes.parts.tokens.arcs import Arc
from scenes.parts.tokens.eye import look_back
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.prompt_strip import PromptStrip, rows_of
from scenes.parts.tokens.strip_bars import StripBars
from scenes.spelling import opening, spelled
from scenes.stage import Finding, Slide
from scenes.style.motion import Drive
from scenes.style.type import LABEL

EVEN = 1.25
"""How much larger than another a share may be, and still count as even."""
_HIGH = 0.25
"""Bars are drawn to a scale that ends no lower than here."""
_FEW, _MOST_GROWN = 9.0, 1.8
"""Fewer tokens than that are drawn larger, up to so many times."""


class Match(Slide):
    """The last token finds the positions that noted it, and attends one after where it stood."""

    class Inputs(InductionInputs):
        pass

    title = "The induction match"
    question = "Which position knows that {query} came before it?"
    caption = "{moral}"

    inputs: Inputs
    values: Induction

    @classmethod
    def compute(cls, inputs: Inputs) -> Induction:
        return inputs.induction()

    @classmethod
    def facts(cls, values: Induction) -> dict[str, Fact]:
        row, scores = values.forward.head_1.pattern[-1], values.forward.head_1.scores[-1]
        landing = values.matches
        others = np.delete(scores, landing)
        facts = {
            **induction_facts(values),
            "largest": float(row.max()),
            "first_mass": float(row[0]),
            "answer_mass": values.match_mass,
            "match_score": float(scores[landing].min()) if landing.size else 0.0,
            "other_score": float(np.abs(others).max()) if others.size else 0.0,
        }
        return {**facts, "moral": opening(told(values.case, facts, **_morals(values)))}

    @classmethod
    def checks(cls, values: Induction) -> list[Finding]:
        row, landing = values.forward.head_1.pattern[-1], values.matches
        worst = values.noted_shares.min()
        notes = Finding(
            "every note is mostly the token before",
            bool(worst > 0.5),
            f"one holds {worst:.1%} of it; alpha is too small",
        )
        if not landing.size:
            even = 1 / len(row)
            return [
                notes,
                Finding(
                    "no position stands out where no note agrees",
                    float(row.max()) < EVEN * even,
                    f"position {row.argmax()} gets {row.max():.1%} instead of {even:.1%}; "
                    "alpha is too small or beta too large",
                ),
            ]
        mass, shares = values.match_mass, row[landing]
        return [
            notes,
            Finding(
                "most of the attention goes where the note agrees",
                mass > 0.5,
                f"{mass:.1%} goes there; alpha or beta is too small",
            ),
            Finding(
                "all that agree get about as much",
                float(shares.max()) < EVEN * float(shares.min()),
                f"the shares go from {shares.min():.1%} to {shares.max():.1%}; "
                "alpha is too small or beta too large",
            ),
            *_right(values),
        ]

    @classmethod
    def arrays(cls, values: Induction) -> dict[str, NDArray[np.float64]]:
        return {
            "pattern_1": values.forward.head_1.pattern,
            "scores_1": values.forward.head_1.scores,
            "attention": values.forward.head_1.pattern[-1],
            "output": values.output,
            "landing": values.matches.astype(float),
        }

    @classmethod
    def narration(cls, values: Induction) -> tuple[str, ...]:
        facts = cls.facts(values)
        return (
            "Layer 0 left a note at every position: the token before it.",
            fill("The query is the last token, {query}; the keys are all the notes.", facts),
            fill(_scores(values), facts),
            told(values.case, facts, **_landings(values)),
        )

    def construct(self) -> None:
        self._draw()
        self._show_notes()
        self._compare()
        self._score()
        self._land()

    def _draw(self) -> None:
        values: Induction = self.values
        self.tokens = [spelled(token) for token in values.tokens]
        self.last = len(self.tokens) - 1
        self.landing = values.matches.tolist()
        self.answers = values.case == "unique"
        slots = self.last + 1 + self.answers
        one_row = rows_of(slots, self.canvas, "attention") == 1
        grown = float(np.clip(_FEW / slots, 1.0, _MOST_GROWN))
        bands = [
            Band("arcs", 0.9 if one_row else 0.1, length=0.25),
            Band("token", 0.0, "token", length=0.5 * grown),
            Band("note", 0.0, "note", length=0.46 * grown),
            Band("bars", 1.0, "attention", length=0.3),
        ]
        self.strip = PromptStrip(
            self.tokens,
            self.canvas,
            bands,
            blank=self.answers,
            most=0.8 * grown,
            size=30 * grown,
        )
        size = 0.85 * self.strip.size
        self.noted = [
            self.strip.token_box(k, self.tokens[source], "note", size=size)
            for k, source in enumerate(values.sources.tolist())
        ]
        row = values.forward.head_1.pattern[-1]
        shown = self.landing or [int(row.argmax())]
        high = max(_HIGH, float(row.max()))
        big = len(shown) == 1 and self.strip.rows == 1
        size, spec = (30, ".2%") if big else (LABEL, ".1%")
        self.bars = StripBars(
            self.strip, "bars", row, high=high, numbers=shown, size=size, spec=spec
        )

    def _show_notes(self) -> None:
        """The text, and under it what layer 0 left."""
        self.beat("notes")
        boxes = LaggedStart(*(FadeIn(b, run_time=0.3) for b in self.strip.boxes), lag_ratio=0.1)
        self.play(self.say(0), FadeIn(self.strip.names["token"]), boxes, run_time=1.0)
        notes = LaggedStart(*(FadeIn(b, run_time=0.3) for b in self.noted), lag_ratio=0.1)
        self.play(FadeIn(self.strip.names["note"]), notes, run_time=1.0)
        self.let_read()

    def _compare(self) -> None:
        """The last token goes past every note; those that agree light up."""
        self.beat("compare")
        ink = self.theme.text_color("query")
        others = [box.recede() for box in self.strip.boxes[:-1]]
        self.play(self.say(1), self.strip.boxes[-1].light(ink), *others, run_time=0.6)
        self.eye = self.noted[-1].ring(self.theme.query)
        self.play(FadeIn(self.eye), run_time=0.3)
        self.play(self._pass_by(), run_time=2.2)
        self.play(FadeOut(self.eye), run_time=0.3)
        self.let_read(least=0.3)

    def _pass_by(self) -> Drive:
        """From the last note to the first."""
        key = self.theme.text_color("key")

        def meet(k: int) -> None:
            note = self.noted[k]
            change = note.light(key) if k in self.landing else note.recede()
            change.interpolate_mobject(1)

        return look_back(self.eye, self.noted, meet, run_time=2.2)

    def _score(self) -> None:
        """Scores become attention."""
        self.beat("score")
        self.play(self.say(2), FadeIn(self.strip.names["bars"], self.bars.line), run_time=0.6)
        self.play(self.bars.grow(run_time=1.2))
        self.play(FadeIn(self.bars.numbers), run_time=0.4)
        self.let_read()

    def _land(self) -> None:
        """Attention lands one after the earlier token, and what stands there is the answer."""
        self.beat("land")
        row = self.values.forward.head_1.pattern[-1]
        seen = self.landing or [k for k in range(self.last + 1) if row[k] > 0.01]
        arcs = [Arc(self.strip, self.last, k, share=float(row[k]), below="bars") for k in seen]
        self.play(self.say(3), *(arc.grow() for arc in arcs), run_time=1.2)
        followers = set(self.values.text.followers.tolist())
        green, red = (self.theme.text_color(role) for role in ("value", "wrong"))
        lit = [self.strip.boxes[k].light(green if k in followers else red) for k in self.landing]
        if lit:
            self.play(*lit, run_time=0.5)
        if self.answers:
            self.play(self._answer(arcs[0], min(followers)))
        self.let_read()

    def _answer(self, arc: Arc, source: int) -> Drive:
        """What stands where attention landed comes back along the arc, to the end of the text."""
        box = self.strip.token_box(self.last + 1, self.tokens[source], "token")
        box.light(self.theme.text_color("value")).interpolate_mobject(1)
        way = [arc.at(share) for share in np.linspace(1, 0, 24)]
        return box.fly([self.strip.boxes[source].middle, *way, box.middle], run_time=1.3)


def _right(head: Induction) -> list[Finding]:
    """The answer is what followed; in the first case, nothing is promised."""
    if head.case == "first":
        return []
    return [
        Finding(
            "the answer is a token that followed",
            head.is_right,
            f"the head says {head.prediction!r}",
        )
    ]


def _scores(head: Induction) -> str:
    """How well the query fits the keys."""
    agree, elsewhere = len(head.matches), len(head.tokens) - len(head.matches)
    if not agree:
        return "No note agrees: the largest score is {other_score:.2f}."
    if not elsewhere:
        return "All notes agree, with a score of {match_score:.2f-} or more."
    if agree == 1:
        return (
            "One note scores {match_score:.2f}, the next {other_score:.2f}: "
            "softmax makes that attention."
        )
    return (
        "The notes that agree score {match_score:.2f-} or more; "
        "the largest score elsewhere is {other_score:.2f}."
    )


def _landings(head: Induction) -> dict[str, str]:
    """Where attention goes."""
    one = len(head.text.followers) == 1
    return {
        "unique": "So it attends to the {expected_kind} after the earlier {query_kind}, "
        "and takes that along."
        if one
        else "So it attends to what followed each earlier {query_kind}: always {expected}.",
        "several": "So it attends to what followed each earlier {query_kind}, about equally.",
        "none": "So it attends to all positions about equally.",
        "first": "But position 0, with nothing before it, noted itself: it agrees too.",
    }


def _morals(head: Induction) -> dict[str, str]:
    one = len(head.text.followers) == 1
    return {
        "unique": "{query} asks, and the {expected_kind} that noted {query} answers, "
        "with {follower_mass:.2%} of the attention."
        if one
        else "Every {expected_kind} that noted {query} answers: together they get "
        "{follower_mass:.2%} of the attention.",
        "several": "Every position that noted {query} answers: together the {n_followers} get "
        "{follower_mass:.2%} of the attention.",
        "none": "Nobody noted {query}, so attention spreads: the largest share is {largest:.2%}.",
        "first": "Without BOS, position 0 notes itself and answers too: "
        "{first_mass:.1%} of the attention goes to it.",
    }
