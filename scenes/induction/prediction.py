"""The induction head on other texts: several followers, no follower, and no BOS."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.induction.other_texts import OtherTexts, other_texts
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.answers import Answering
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.strip_looks import frame_notes
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Claim, Derived, Steps, beat
from clockhead.scenes.stage.rhythm import REST


def _no_match(values: OtherTexts) -> str:
    if values.is_even:
        return said(
            "It is new, and no note agrees. All places get the same attention, so each word gets "
            "its share of the text."
        )
    return said("It is new, and no note agrees. Traces in the notes make attention uneven.")


class Prediction(Answering):
    """The prediction if two words followed, if none did, and without BOS."""

    Inputs = InductionInputs
    title = "Several answers, or none"
    question = ""
    caption = "{none}"
    opens = ("tiles", "chart")
    leaves = ("tiles", "chart")
    claims = (
        Claim(
            "if words followed, they get nearly all of the attention",
            lambda values: values.least_match_weight >= 0.9,
            "they get only {least_match_weight:.0%} with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}",
        ),
    )
    derived = {
        "query": Derived("the last word", lambda v: v.main.text.query_token),
        "none": Derived("the prediction if no note matches, in a sentence", _no_match),
    }

    values: OtherTexts

    @classmethod
    def compute(cls, inputs: Any) -> OtherTexts:
        return other_texts(inputs.tokens[1:], alpha=inputs.alpha, beta=inputs.beta)

    def layout(self) -> None:
        self.lay_out("", ("torn", "without_bos", "new"), self["outputs"][0])

    def head(self, name: str) -> Induction:
        return self.values.heads[name]

    @beat(
        "It says both, in proportion to how often they came: {often_share:.1%}, {once_share:.1%}.",
        ask="Here “{often}” followed “{query}” twice, and “{new_word}” once. What will it say?",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def torn(self) -> Steps:
        yield from self.fill_bars("torn", self["outputs"][1])

    @beat("Without BOS, the first “{query}” has nothing before it, and notes itself.",
          ask="What is BOS for?", focus="tiles")  # fmt: skip
    def bare(self) -> Steps:
        yield from self.change_text("without_bos")
        yield frame_notes(self.tiles, 0, role="wrong")

    @beat("So it counts as a match, and “{query}” gets {itself_share:.1%} that it should not have.",
          rest=REST, focus=("tiles", "bars"))  # fmt: skip
    def without_bos(self) -> Steps:
        wrong = self.words.index(self.values.main.text.query_token)
        yield from self.fill_bars("without_bos", self["outputs"][2], wrong)

    @beat(CAPTION, ask="And what follows “{new_word}”?", rest=REST, focus=("tiles", "bars"))
    def new(self) -> Steps:
        yield from self.change_text("new")
        yield from self.fill_bars("new", self["outputs"][3], spec=".0%")
