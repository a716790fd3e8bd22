"""A B ... A: what comes next, and which two steps would find it?"""

from __future__ import annotations

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart
from numpy.typing import NDArray

from model.continuation import Continuation
from model.prompts import BOS, prompt_vocabulary
from scenes.facts import Fact, fill
from scenes.induction.common import PromptInputs
from scenes.parts.step_list import StepList
from scenes.parts.tokens.arcs import Arc
from scenes.parts.tokens.eye import look_back
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.prompt_strip import PromptStrip
from scenes.spelling import listed, named, spelled
from scenes.stage import READING_SPEED, Finding, Slide
from scenes.style.motion import Drive

_STEPS = (
    ("First", "every position notes the token before it."),
    ("Then", "the last token looks for the position that noted it."),
)
_MOST_NAMED = 4


class Idea(Slide):
    """A B ... A: what comes next, and which two steps would find it?"""

    class Inputs(PromptInputs):
        pass

    title = "A B … A: what comes next?"
    question = "Text repeats itself. How could a machine make use of that?"
    caption = "{moral}"

    inputs: Inputs
    values: Continuation

    @classmethod
    def compute(cls, inputs: Inputs) -> Continuation:
        return Continuation(inputs.tokens, prompt_vocabulary(inputs.tokens))

    @classmethod
    def facts(cls, values: Continuation) -> dict[str, Fact]:
        facts: dict[str, Fact] = {
            "n_tokens": len(values.tokens),
            "last": len(values.tokens) - 1,
            "case": values.head_case,
            "query": named(values.query_token),
            "n_earlier": len(values.earlier),
            "n_followers": len(values.followers),
            "expected": listed([named(token) for token in values.best], "or"),
            "followed_by": _followed_by(values),
            "times": _times(len(values.earlier)),
        }
        return {**facts, "moral": _moral(values, facts)}

    @classmethod
    def checks(cls, values: Continuation) -> list[Finding]:
        return [
            Finding(
                "what followed is what stands one to the right of every earlier occurrence",
                np.array_equal(values.followers, values.earlier + 1),
                f"occurrences at {values.earlier.tolist()}, "
                f"followers at {values.followers.tolist()}",
            )
        ]

    @classmethod
    def arrays(cls, values: Continuation) -> dict[str, NDArray[np.float64]]:
        return {
            "earlier": values.earlier.astype(float),
            "followers": values.followers.astype(float),
            "expected": values.expected,
        }

    @classmethod
    def narration(cls, values: Continuation) -> tuple[str, ...]:
        tales = {
            "unique": "Yes, {times}, and {followed_by} came after it: "
            "so {followed_by} is a good guess.",
            "several": "Yes, {times}: {followed_by} came after it. Each could come next.",
            "none": "No. Nothing ever followed it here, so there is nothing to copy.",
        }
        facts = cls.facts(values)
        return (
            f"The text breaks off here.{_signs(values.tokens)}",
            fill("It ends in {query}. Did {query} stand here before?", facts),
            fill(tales[values.case], facts),
            "A machine can find that out in two steps.",
        )

    def construct(self) -> None:
        self._draw()
        self._ask()
        self._look_back()
        self._look_right()
        self._note()
        self._find()

    def _draw(self) -> None:
        text = self.values
        self.steps = StepList(_STEPS, self.canvas)
        bands = [
            Band("arcs", 1.0, length=0.3),
            Band("token", 0.5, "token", length=0.42),
            Band("note", 0.35, "note", length=0.4),
        ]
        spelling = [spelled(token) for token in text.tokens]
        self.strip = PromptStrip(spelling, self.steps.above, bands, blank=True, most=0.9, size=34)
        self.blank = self.strip.blank(len(spelling), token="?")
        self.eye = self.strip.boxes[-1].ring(self.theme.attention)

    def _ask(self) -> None:
        """The text, large, and a place for what comes next."""
        self.beat("ask")
        boxes = self.strip.boxes
        lag = LaggedStart(*(FadeIn(box, run_time=0.3) for box in boxes), lag_ratio=0.25)
        self.play(self.say(0), FadeIn(self.strip.names["token"]), lag, run_time=1.6)
        self.play(FadeIn(self.blank), run_time=0.4)
        self.let_read()

    def _look_back(self) -> None:
        """The eye goes back from the last token to where that stood before."""
        self.beat("look_back")
        last = self.strip.boxes[-1]
        query = self.theme.text_color("query")
        others = [box.recede() for box in self.strip.boxes[:-1]]
        self.play(self.say(1), last.light(query), *others, run_time=0.7)
        self.play(FadeIn(self.eye), run_time=0.4)
        self.play(self._scan(), run_time=2.0)
        self.let_read(least=0.3)

    def _look_right(self) -> None:
        """One to the right of it stands what followed, and that is the guess."""
        self.beat("look_right")
        text, green = self.values, self.theme.text_color("value")
        if not text.followers.size:
            self.play(self.say(2), FadeOut(self.eye), run_time=0.6)
            self.let_read()
            return
        pairs = list(zip(text.earlier.tolist(), text.followers.tolist(), strict=True))
        self.hops = [Arc(self.strip, a, b, below="token") for a, b in pairs]
        self.play(self.say(2), FadeOut(self.eye), *(hop.grow() for hop in self.hops), run_time=0.8)
        lit = dict.fromkeys(text.followers.tolist())
        self.play(*(self.strip.boxes[k].light(green) for k in lit), run_time=0.5)
        if text.case == "unique":
            self.play(self._fly(int(text.followers[0])), FadeOut(self.blank))
        self.let_read()

    def _fly(self, follower: int) -> Drive:
        """What followed goes to the place of what comes next."""
        guess = self.strip.token_box(len(self.strip.tokens), self.strip.tokens[follower], "token")
        guess.light(self.theme.text_color("value")).interpolate_mobject(1)
        return guess.fly([self.strip.boxes[follower].middle, guess.middle], run_time=1.1)

    def _note(self) -> None:
        """Step one: every position notes the token before it."""
        self.beat("note")
        hops = [FadeOut(hop) for hop in getattr(self, "hops", [])]
        self.play(self.say(3), *hops, run_time=0.5)
        self.play(FadeIn(self.steps.steps[0]), FadeIn(self.strip.names["note"]), run_time=0.5)
        size = self.strip.size * 0.85
        tokens = self.strip.tokens
        first = self.strip.token_box(0, " ", "note")
        self.noted = [
            self.strip.token_box(k, tokens[k - 1], "note", size=size) for k in range(1, len(tokens))
        ]
        drops = [
            note.fly([box.middle, note.middle], appear=True, run_time=0.6)
            for box, note in zip(self.strip.boxes, self.noted, strict=False)
        ]
        self.play(FadeIn(first, run_time=0.5), LaggedStart(*drops, lag_ratio=0.15, run_time=2.0))
        self.wait(max(0.5, len(_STEPS[0][1]) / READING_SPEED - 2.0))

    def _find(self) -> None:
        """Step two: the last token looks for the positions that noted it."""
        self.beat("find")
        text = self.values
        self.play(FadeIn(self.steps.steps[1]), run_time=0.5)
        found = dict.fromkeys(text.followers.tolist())
        key = self.theme.text_color("key")
        others = [note.recede() for k, note in enumerate(self.noted, 1) if k not in found]
        self.play(*(self.noted[k - 1].light(key) for k in found), *others, run_time=0.8)
        if found:
            last, share = len(text.tokens) - 1, 1 / len(found)
            arcs = [Arc(self.strip, last, k, share=share, below="note") for k in found]
            self.play(*(arc.grow() for arc in arcs), run_time=1.1)
        self.wait(len(_STEPS[1][1]) / READING_SPEED - 1.0)

    def _scan(self) -> Drive:
        """Back along the text; where the eye meets the same token, that lights up."""
        boxes, earlier = self.strip.boxes, self.values.earlier.tolist()
        query = self.theme.text_color("query")

        def meet(k: int) -> None:
            if k in earlier:
                boxes[k].light(query).interpolate_mobject(1)

        return look_back(self.eye, boxes, meet, end=min(earlier, default=0))


def _followed_by(values: Continuation) -> str:
    """What came after it, by name unless that is too much to read."""
    found = values.followed_by
    if len(found) > _MOST_NAMED:
        return f"{len(found)} different tokens"
    return listed([named(token) for token in found]) if found else ""


def _signs(tokens: tuple[str, ...]) -> str:
    """What the tokens of the text that are no letters mean; empty if there are none."""
    meanings = {BOS: "marks its beginning", " ": "is a space"}
    found = [f"{spelled(token)} {meanings[token]}" for token in meanings if token in tokens]
    return f" {'; '.join(found)}." if found else ""


def _times(n: int) -> str:
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"


def _moral(values: Continuation, facts: dict[str, Fact]) -> str:
    """What the text teaches."""
    if values.head_case == "first":
        return fill(
            "A B … A, so B. But position 0 has nothing before it to note, and it holds {query}: "
            "that will matter.",
            facts,
        )
    return {
        "unique": "A B … A, so B: note the token before you, then find who noted yours.",
        "several": "A B … A, so B: and where different tokens followed A, each gets its share.",
        "none": "A B … A, so B: a token that never stood here before leaves nothing to copy.",
    }[values.case]
