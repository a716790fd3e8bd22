"""Layer 1: the last token compares its query with the notes, and attends to the right ones."""

from __future__ import annotations

from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.idea import followers
from clockhead.scenes.induction.note_bars import NoteBars, strip_values
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.flow import HAIRLINE
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import frame_notes, paint, show_notes
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Handle,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import FadeIn, FadeOut

SCORE, SHARE = ".2f", ".1%"
SHARES = Scale(0.0, 1.0, (0.0, 1.0), ".0%")
APART, BEYOND = (0.5, 0.4), 0.95
"""Gaps between tiles in a line and in a column, and space beyond the notes for arrows, in units."""


def hops(
    stage: Stage, tiles: Strip, head: Induction, path: str = ""
) -> tuple[list[Hop], list[Hop]]:
    """Arrows of both heads: to the notes that match, and from the last word to these notes."""
    last, found = head.n_tokens - 1, [m for m in head.matches.tolist() if m]
    first = [
        Hop(stage[path + "forward.head_0.pattern"][m], tiles, m - 1, m, "next", role="value",
            name="1" if m == found[0] else "")
        for m in found
    ]  # fmt: skip
    second = [
        Hop(stage[f"{path}row"], tiles, last, m, "far", role="attention",
            name="2" if m == found[0] else "")
        for m in found if m < last and head.row[m] >= HAIRLINE
    ]  # fmt: skip
    return first, second


def _matching_notes(head: Induction) -> str:
    if head.text.n_followed_by == 1:
        return "{followers_listed} has noted “{text.query_token}”, the word before."
    return "{followers_listed} have noted “{text.query_token}”, the word before."


def _copied_words(head: Induction) -> str:
    if head.text.n_followed_by == 1:
        return "What is copied is the word that has this note: {followers_listed}."
    return "What is copied are the words that have these notes, each with its share."


class Match(Stage[Induction]):
    """The last token's query is its own word; tokens that noted that word get its attention."""

    Inputs = InductionInputs
    title = "Who noted “{text.query_token}”?"
    question = ""
    caption = "One head takes notes, the other reads them. The second is the induction head."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "nearly all of every note is the token before it",
            lambda head: head.least_stored >= 0.9,
            "one holds only {least_stored:.0%} of it: alpha {inputs.alpha:g} is too small",
        ),
        Claim(
            "the matching notes get nearly all of the attention",
            lambda head: head.match_weight >= 0.9,
            "they get {match_weight:.0%} with beta {inputs.beta:g}",
        ),
    )
    derived = {
        "followers_listed": Derived(
            "the words that followed earlier copies of the last word",
            lambda head: followers(head.text),
        )
    }

    inputs: InductionInputs

    handles = (
        Handle(
            "text",
            (
                "to be or not to",
                "she sells sea shells and she",
                "a b a c a",
                "the cat and the dog and the",
            ),
        ),
    )

    @classmethod
    def compute(cls, inputs: InductionInputs) -> Induction:
        return inputs.head

    def layout(self) -> None:
        head, beta = self.values, self.inputs.beta
        self.last, self.matches = head.n_tokens - 1, head.matches.tolist()
        self.others = [k for k in range(head.n_tokens) if k not in self.matches]
        scale = Scale(0.0, beta, (0.0, beta), "g")
        across, down = (
            NoteBars(strip_values(self), self["scores"], scale, SHARES, down=down, wonder=True,
                     role="score", widest=max(f"{beta:{SCORE}}", "50.0%", key=len), grown=False,
                     apart=APART[down], beyond=BEYOND, most_bar=1.3 if down else 2.6, large=True)
            for down in (False, True)
        )  # fmt: skip
        ways = (across, down) if self.canvas.wide else (down, across)
        self.noted = ways[fit(self.canvas, *ways)]
        self.tiles, self.bars = self.noted.tiles, self.noted.bars
        self.noted.lift(self.canvas)
        show_notes(self.tiles)
        self.first, self.second = hops(self, self.tiles, head)

    @beat(
        "Now the second head. The last word asks again, but it asks the notes: they are its keys.",
        focus="tiles",
    )
    def ask(self) -> Steps:
        """Frame the notes as keys, from the last to the first."""
        yield paint(self.tiles, self.last, "query")
        yield 1.0
        order = range(self.last, -1, -1)
        yield frame_notes(self.tiles, *order, role="key", run_time=max(2.0, self.reading - 2.0))

    @beat(
        _matching_notes,
        ask="Which note agrees with “{text.query_token}”?",
        rest=REST,
        focus="tiles",
    )
    def noted_(self) -> Steps:
        yield frame_notes(self.tiles, *self.others), paint(self.tiles, self.matches, "attention")
        self.add(*self.first, self.tiles)
        near = {k for m in self.matches for k in (m - 1, m, m + 1) if 0 < k <= self.last}
        yield self.look_at(*(self.tiles.tiles[k] for k in near), closest=2.0)
        yield together(*(hop.draw() for hop in self.first))

    @beat("And there the last “{text.query_token}” finds it.", rest=REST, focus="tiles")
    def found(self) -> Steps:
        yield self.look_back()
        self.add(*self.second, self.tiles)
        yield together(*(hop.draw(run_time=2.0) for hop in self.second))

    @beat(
        "In numbers: a note that agrees scores nearly {inputs.beta:g}, and all others far less.",
        focus=("tiles", "bars"),
    )
    def score(self) -> Steps:
        chart = self.noted.chart
        yield self.noted.settle(*self.first, *self.second)
        yield FadeIn(chart.x), FadeIn(chart.y)
        yield self.bars.grow(run_time=1.8)
        yield self.bars.write(range(self.last + 1), SCORE)

    @beat(
        "Softmax turns scores into attention weights: {match_weight:.1%} for {followers_listed}.",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def share(self) -> Steps:
        """Run the bars from scores to attention weights, in the colour of attention."""
        yield self.bars.unwrite(run_time=0.2)
        yield 0.4 * together(
            self.bars.to(self["row"]),
            self.noted.rescale(SHARES),
            self.bars.recolor(range(self.last + 1), "attention"),
        )
        yield self.bars.write(self.matches, SHARE)

    @beat(_copied_words, rest=REST, focus="tiles")
    def take(self) -> Steps:
        yield ask_next(self.tiles)
        yield paint(self.tiles, self.matches, "correct"), frame_notes(self.tiles, *self.matches)
        if self.values.case == "unique":
            first = self.matches[0]
            middle = self.tiles.middle(first)
            yield answer(self.tiles, self["tokens"][first], middle, run_time=1.6)

    @beat(CAPTION, focus="tiles")
    def again(self) -> Steps:
        """Draw both steps once more."""
        hops = *self.first, *self.second
        yield together(*(hop.draw_back() for hop in hops)), FadeOut(self.bars, self.noted.chart)
        yield together(*(hop.draw() for hop in self.first))
        yield together(*(hop.draw(run_time=2.0) for hop in self.second))
