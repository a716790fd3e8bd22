"""What the head says is what the text itself says: the followers' shares, or those of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from manim import FadeIn
from numpy.typing import NDArray
from pydantic import Field

from model.induction import Induction
from model.prompts import prompt, prompt_vocabulary
from scenes.facts import Fact
from scenes.induction.common import InductionInputs, induction_facts, told
from scenes.parts.tokens.text_shares import TextShares, head_height, spread
from scenes.spelling import named, opening, spelled
from scenes.stage import Finding, Slide
from scenes.style.layout import Region

Companion = Annotated[str, Field(min_length=1, max_length=8, pattern=r"^!?[a-z ]{1,8}$")]

_COUNT = {
    "unique": "What does the text say? After {query} always came {expected}.",
    "several": "What does the text say? Count what followed {query} before.",
    "none": "What does the text say? {query} is new, so count all tokens so far.",
    "first": "What does the text say? Count what followed {query} before.",
}
_SAY = {
    "unique": "The head fills the outline: {output:.1%} for {prediction}.",
    "several": "The head fills the outlines: the largest gap is {error:.2%}.",
    "none": "The head fills the outlines: the largest gap is {error:.2%}.",
    "first": "The first token noted itself, so the head counts it in.",
}
_MORE = {
    "unique": "One follower: it takes nearly everything.",
    "several": "Different followers: each gets its share.",
    "none": "A new token finds no note of itself: every token so far gets its share.",
    "first": "Without BOS the first token noted itself; asked for the same token, it answers too.",
}
_HEADING = {
    "unique": "one follower",
    "several": "different followers",
    "none": "a new token",
    "first": "no BOS",
}
_MORAL = (
    "With BOS in front, the head says what the text says: the shares of what followed, "
    "or, after a new token, of all tokens so far."
)
_FIRST_MORAL = (
    "Without BOS the first token has nobody before it: it notes itself, and is counted as a "
    "follower of itself."
)


@dataclass(frozen=True, eq=False)
class Texts:
    """The head over the text at hand, and over the others that stand beside it."""

    main: Induction
    others: tuple[Induction, ...]

    @property
    def heads(self) -> tuple[Induction, ...]:
        return (self.main, *self.others)


class Prediction(Slide):
    """What the head says is what the text itself says: the followers' shares, or those of all."""

    class Inputs(InductionInputs):
        companions: tuple[Companion, ...] = Field(
            ("!abaca", "!abc", "abca"),
            min_length=1,
            max_length=3,
            description="one to three short texts to compare with; ! in front stands for BOS",
        )

    title = "What comes out"
    question = "One follower, several, or none: what does the head predict?"
    caption = "{moral}"

    inputs: Inputs
    values: Texts

    @classmethod
    def compute(cls, inputs: Inputs) -> Texts:
        texts = [prompt(text) for text in inputs.companions]
        others = (
            Induction(text, prompt_vocabulary(text), alpha=inputs.alpha, beta=inputs.beta)
            for text in texts
        )
        return Texts(inputs.induction(), tuple(others))

    @classmethod
    def facts(cls, values: Texts) -> dict[str, Fact]:
        known = induction_facts(values.main)
        if values.main.case == "none":
            known["query"] = opening(str(known["query"]))
        for k, head in enumerate(values.others, start=1):
            known |= {
                f"case_{k}": head.case,
                f"prediction_{k}": named(head.prediction),
                f"output_{k}": float(head.output.max()),
                f"error_{k}": head.error,
            }
        return {**known, "moral": _FIRST_MORAL if values.main.case == "first" else _MORAL}

    @classmethod
    def narration(cls, values: Texts) -> tuple[str, ...]:
        known, case = cls.facts(values), values.main.case
        more = (told(head.case, known, **_MORE) for head in values.others)
        return told(case, known, **_COUNT), told(case, known, **_SAY), *more

    @classmethod
    def checks(cls, values: Texts) -> list[Finding]:
        return [claim for head in values.heads for claim in _claims(head)]

    @classmethod
    def arrays(cls, values: Texts) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        for k, head in enumerate(values.heads):
            name = f"_{k}" if k else ""
            found |= {f"output{name}": head.output, f"expected{name}": head.text.expected}
        return found

    def construct(self) -> None:
        heads = self.values.heads
        main, others = spread(self.canvas, len(self.values.others))
        outputs = [head.output.max() for head in heads]
        self.high = float(max(*outputs, *(head.text.expected.max() for head in heads)))
        self.head = max(self._head(*pair) for pair in zip(heads, [main, *others], strict=True))
        rooms = [main, *others]
        self.panels = [self._panel(*pair) for pair in zip(heads, rooms, strict=True)]
        self._count()
        self._output()
        for k in range(1, len(heads)):
            self._compare(k)

    def _head(self, head: Induction, room: Region) -> float:
        return head_height([spelled(token) for token in head.tokens], room.width)

    def _panel(self, head: Induction, room: Region) -> TextShares:
        return TextShares(
            [spelled(token) for token in head.tokens],
            [spelled(token) for token in head.vocabulary.tokens],
            head.text.expected,
            head.output,
            room,
            high=self.high,
            heading=_HEADING[head.case],
            head=self.head,
        )

    def _count(self) -> None:
        """The text, its last token, and what followed that token before."""
        self.beat("count")
        panel = self.panels[0]
        self.play(FadeIn(*(panel.text for panel in self.panels)), self.say(0), run_time=0.6)
        self.play(*panel.wake())
        self._mark(panel, self.values.main)
        self.play(panel.count())
        self.let_read()

    def _output(self) -> None:
        """The head's output fills what was counted."""
        self.beat("output")
        panel = self.panels[0]
        self.play(FadeIn(panel.bars, run_time=0.3), self.say(1))
        self.play(panel.fill(run_time=1.2))
        self.play(*panel.tell())
        self.let_read()

    def _compare(self, k: int) -> None:
        """Another text, of another kind."""
        self.beat(f"companion {k}")
        panel = self.panels[k]
        self.play(*panel.wake(), self.say(k + 1))
        self._mark(panel, self.values.heads[k])
        self.play(panel.count(run_time=0.5))
        self.play(FadeIn(panel.bars, run_time=0.2))
        self.play(panel.fill(run_time=0.8))
        self.play(*panel.tell())
        self.let_read()

    def _mark(self, panel: TextShares, head: Induction) -> None:
        """The last token asks; its followers, and a first token that noted itself, answer."""
        color = self.theme.text_color
        followers = set(head.text.followers.tolist())
        ask = panel.boxes[-1].light(color("query"), run_time=0.4)
        answers = [
            panel.boxes[k].light(color("value" if k in followers else "wrong"), run_time=0.4)
            for k in head.matches.tolist()
            if k != len(head.tokens) - 1
        ]
        self.play(ask)
        if answers:
            self.play(*answers)


def _claims(head: Induction) -> list[Finding]:
    """A text's outlines are filled; the first token's answer is the one exception."""
    text = "".join(head.tokens)
    off = head.match_error
    share = float(head.matched_shares[head.forward.predictions[-1]])
    return [
        Finding(
            f"the output for {text!r} is the shares of what answers",
            off < 0.1,
            f"off by {off:.1%}; alpha {head.alpha:g} or beta {head.beta:g} is too small",
        ),
        Finding(
            f"the prediction for {text!r} has the largest share",
            share == head.matched_shares.max(),
            f"{head.prediction!r} has {share:.1%} of {head.matched_shares.max():.1%}",
        ),
    ]
