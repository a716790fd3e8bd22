"""The head with a layer off, and with notes of the wrong token: only both layers continue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manim import AnimationGroup, VGroup

from model.ablations import Ablations
from model.induction import Induction
from scenes.induction.match import SHARE, SHARES, WORKS
from scenes.induction.noted import Noted
from scenes.induction.outcome import Outcome, sent
from scenes.induction.words import InductionInputs
from scenes.parts.tile import Paint
from scenes.spelling import listed
from scenes.stage import CAPTION, Claim, Column, Derived, Row, Stage, Steps, beat, fit
from scenes.style.theme import Role

_FEW, _SHORT = 3, 14
"""So many words are named in a sentence, and so many letters on a card."""


def _words(words: Sequence[str], many: str) -> str:
    if len(words) > _FEW:
        return many.format(n=len(words))
    return listed((f"“{word}”" for word in words), "or")


def _card(words: Sequence[str]) -> str:
    said = _words(words, "{n} words")
    return said if len(words) == 1 or len(said) <= _SHORT else f"{len(words)} words"


def _most_frequent(values: Ablations) -> str:
    if values.says_the_same:
        return (
            "Every token gets the same attention, so only frequency counts: it says {frequent_said}"
            " here, too."
        )
    if values.n_frequent > _FEW:
        return "Every token gets the same attention, so it says {frequent_said}."
    return (
        "Every token gets the same attention, so it says the most frequent word: {frequent_said}."
    )


def _two_after(values: Ablations) -> str:
    most = "" if values.n_says == values.two_back.text.n_followed_by else " most often"
    return f"Now it says {{says_said}}: what stood{most} two after “{{both.text.query_token}}”."


def _fits(head: Induction) -> bool:
    return head.match_error < 0.01 and set(head.says) == set(head.text.best)


class Ablate(Stage):
    """What is left of the head with layer 0 off, with layer 1 off, and with other notes."""

    class Inputs(InductionInputs):
        """A text, and how sharply both layers look."""

    title = "Break it, and see"
    question = "What is left if one layer is switched off?"
    caption = "Layer 0 writes the notes, layer 1 reads them: take one away, and word order is lost."
    opens = ("tiles", "chart", "bars", "cards")
    leaves = ("tiles",)
    claims = (
        Claim(
            "both layers on, the head says what the text says",
            lambda values: _fits(values.both),
            "it is off by {both.match_error:.0%} with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}; " + WORKS,
        ),
        Claim(
            "with notes of the token two back, it says what most often stood two after",
            lambda values: _fits(values.two_back),
            "it is off by {two_back.match_error:.0%} with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}; " + WORKS,
        ),
    )
    derived = {
        "frequent_said": Derived(
            "the words that stand most often",
            lambda v: _words(v.frequent, "one of the {n} words that stand there most"),
        ),
        "says_said": Derived(
            "the words that lead with layer 0 looking two back",
            lambda v: _words(v.says, "one of {n} words"),
        ),
        "both_card": Derived("what is said with both layers on", lambda v: _card(v.both.says)),
        "frequent_card": Derived("what is said with layer 0 off", lambda v: _card(v.frequent)),
        "nothing_card": Derived("what is said with layer 1 off", lambda _: "nothing"),
        "nothing_most": Derived(
            "the largest output with layer 1 off", lambda v: float(v.no_layer_1.output.max())
        ),
        "says_card": Derived(
            "what is said with layer 0 looking two back",
            lambda v: _card(v.says),
        ),
        "both_share": Derived(
            "the largest share with both layers on", lambda v: float(v.both.output.max()), "share"
        ),
    }

    inputs: Inputs
    values: Ablations

    @classmethod
    def compute(cls, inputs: Any) -> Ablations:
        return Ablations(inputs.induction())

    def layout(self) -> None:
        row = self["both.row"]
        notes, shares = self["both.noted_tokens"], self["both.noted_shares"]
        across, down = (
            Noted(
                self["both.tokens"], notes, shares, row, SHARES, down=down, figures=[(row, SHARE)]
            )
            for down in (False, True)
        )
        self.made = self._cards()
        four, pairs = Row(*self.made), (Row(*self.made[:2]), Row(*self.made[2:]))
        beside = Row(down, Column(*self.made, gap=0.2), weights=(1, 0))
        below = Column(down, *pairs, gap=0.25, weights=(3, 1, 1))
        wide = Column(across, four, weights=(2, 1))
        ways: list[Row | Column] = [wide, beside] if self.canvas.wide else [below, beside]
        self.noted = across if ways[fit(self.canvas, *ways)] is wide else down
        self.tiles, self.chart, self.bars = self.noted.tiles, self.noted.chart, self.noted.bars
        self.tiles.show_notes()
        self.tiles.look([self.values.both.n_tokens - 1], "query")
        self.cards = VGroup(*self.made)

    def _cards(self) -> list[Outcome]:
        """For the whole head, and for each of three trials."""
        values = self.values
        right = set(values.both.says)
        frequent: Role | None = None if values.shares_a_word else "wrong"
        says: Role | None = None if right & set(values.says) else "wrong"
        share, top = self["both_share"], (SHARE, "") if len(right) == 1 else (".1%+", "up to ")
        tied = (SHARE, "") if values.n_says == 1 else (".1%+", "up to ")
        each = "each " if values.n_frequent > 1 else ""
        even, nothing = self["frequent_share"], self["nothing_most"]
        last = self["says_card"], self["says_share"]
        return [
            Outcome("both layers on", self["both_card"], share, top[0], role="value",
                    prefix=top[1], filled=True),
            Outcome("layer 0 off", self["frequent_card"], even, ".1%", role=frequent, prefix=each),
            Outcome("layer 1 off", self["nothing_card"], nothing, "g", role="wrong",
                    prefix="out = "),
            Outcome("layer 0: two back", *last, tied[0], role=says, prefix=tied[1]),
        ]  # fmt: skip

    @beat("Layer 0 off, so there are no notes. What does it say now?")
    def layer_0_off(self) -> Steps:
        yield self.made[1].light(), self.bars.sink(), self.tiles.take_off(run_time=1.4)

    @beat(_most_frequent)
    def says_what_is_frequent(self) -> Steps:
        """All bars grow to one height; those of the most frequent words add up."""
        self.bars.set_to(self["no_layer_0.row"])
        yield self.bars.grow(run_time=1.8)
        yield from self._tell(1, self.values.frequent, right=self.values.shares_a_word)

    @beat("Layer 1 off, with the notes back in place?")
    def layer_1_off(self) -> Steps:
        sink = self.bars.sink(), self.bars.unwrite(), self._plain()
        yield self.made[2].light(), self.tiles.wear(run_time=1.4), *sink

    @beat("The notes are there, but no one reads them: out stays 0.")
    def says_nothing(self) -> Steps:
        yield self.made[2].fill(run_time=1.8)

    @beat("Both on, but layer 0 looks two steps back?")
    def two_back(self) -> Steps:
        notes = self["two_back.noted_tokens"], self["two_back.noted_shares"]
        yield self.made[3].light(), self.tiles.rewrite(*notes, run_time=1.6)

    @beat(_two_after)
    def says_two_ahead(self) -> Steps:
        self.bars.set_to(self["two_back.row"])
        yield self.bars.grow(run_time=1.4)
        right = bool(set(self.values.says) & set(self.values.both.says))
        yield from self._tell(
            3, self.values.says, right=right, among=self.values.two_back.matches.tolist()
        )

    @beat(CAPTION)
    def whole(self) -> Steps:
        notes = self["both.noted_tokens"], self["both.noted_shares"]
        yield self.bars.unwrite(run_time=0.2)
        run = self.bars.to(self["both.row"], run_time=1.6)
        yield self.tiles.rewrite(*notes, run_time=1.6), run, self._plain()
        yield self.tiles.paint(self.values.both.matches.tolist(), "correct")

    def _tell(
        self, card: int, words: Sequence[str], *, right: bool, among: Sequence[int] | None = None
    ) -> Steps:
        """Let what is said light up in the text, and go onto its card."""
        tokens = self.values.both.tokens
        places = [
            k for k, word in enumerate(tokens)
            if word in words and (among is None or k in among)
        ]  # fmt: skip
        paint: Paint = "correct" if right else "wrong"
        yield self.tiles.paint(places, paint), self.bars.write(places, SHARE)
        copies = [self.tiles.copy_of(k) for k in places]
        spot, together = self.made[card].spot, {"run_time": 1.5}
        yield *(sent(copy, spot, **together) for copy in copies), self.made[card].fill(**together)
        self.remove(*copies)

    def _plain(self) -> AnimationGroup:
        """No tile has a mark but the query."""
        last = self.values.both.n_tokens - 1
        return AnimationGroup(self.tiles.paint(range(last), None), self.tiles.paint(last, "query"))
