"""The induction circuit with either head switched off, and with notes of the wrong token."""

from __future__ import annotations

from manim import Animation, AnimationGroup, VGroup

from clockhead.model.films.induction.ablate import Ablations, ablations
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.match import APART, BEYOND, SHARE, SHARES, hops
from clockhead.scenes.induction.note_bars import NoteBars, strip_values
from clockhead.scenes.induction.words import InductionInputs, quote_words
from clockhead.scenes.parts.flow import HAIRLINE
from clockhead.scenes.parts.strip_looks import (
    frame_notes,
    leave,
    paint,
    rewrite_notes,
    show_notes,
    take_off,
    wear,
)
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.parts.tile import Paint
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Handle,
    Stage,
    Steps,
    Value,
    beat,
    fit,
    together,
)
from clockhead.scenes.stage.rhythm import REST


def _is_right(head: Induction) -> bool:
    """Whether the predicted words are the most frequent followers in the text."""
    return set(head.says) == set(head.text.best)


def _conclusion(values: Ablations) -> str:
    if not values.shares_a_word:
        return said(
            "The first head writes, the second one reads. Neither can answer without the other."
        )
    right = [word for word in values.frequent if word in values.both.says]
    return said(
        "The first head writes, the second one reads. Without notes, {words} came up only by "
        "being frequent.",
        words=quote_words(right, "{n} words"),
    )


class Ablate(Stage[Ablations]):
    """The output with layer 0 off, with layer 1 off, and with layer 0 looking two tokens back."""

    Inputs = InductionInputs
    title = "Break it, and see"
    question = ""
    caption = "{learned}"
    opens = ("chart", "bars", "arrows", "tiles")
    claims = (
        Claim(
            "with both layers on, the head predicts the most frequent follower",
            lambda values: _is_right(values.both),
            "it predicts something else with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
        Claim(
            "with notes of the token two back, it predicts the most frequent token two ahead",
            lambda values: _is_right(values.two_back),
            "it predicts something else with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "learned": Derived("what the three trials show, in a sentence", _conclusion),
        "frequent_said": Derived(
            "the most frequent words of the text",
            lambda v: quote_words(v.frequent, "one of the {n} words that stand there most", "or"),
        ),
        "says_said": Derived(
            "the predicted words when layer 0 looks two tokens back",
            lambda v: quote_words(v.says, "one of {n} words", "or"),
        ),
        "nothing_share": Derived(
            "the largest output with layer 1 off", lambda v: float(v.no_layer_1.output.max())
        ),
        "both_share": Derived(
            "the largest output with both layers on", lambda v: float(v.both.output.max()), "share"
        ),
    }

    handles = (
        Handle("text", ("to be or not to", "she sells sea shells and she", "a b a c a", "a a b a")),
    )

    compute = ablations

    def layout(self) -> None:
        both, two_back = self.values.both, self.values.two_back
        self.last, self.matches = both.n_tokens - 1, both.matches.tolist()
        across, down = (
            NoteBars(strip_values(self, "both."), self["both.row"], SHARES, down=down, wonder=True,
                     apart=APART[down], beyond=BEYOND, most_bar=1.3 if down else 2.6, large=True)
            for down in (False, True)
        )  # fmt: skip
        ways = (across, down) if self.canvas.wide else (down, across)
        self.noted = ways[fit(self.canvas, *ways)]
        self.tiles, self.chart, self.bars = self.noted.tiles, self.noted.chart, self.noted.bars
        show_notes(self.tiles)
        self.tiles.look([self.last], "query").look(self.matches, "correct")
        self.first, self.second = hops(self, self.tiles, both, "both.")
        self.arrows = VGroup(*self.first, *self.second)
        for arrow in self.arrows:
            arrow.draw().interpolate(1.0)
        self.astray = [
            Hop(self["two_back.row"], self.tiles, self.last, m, "far", role="attention", name="2")
            for m in two_back.matches.tolist()
            if m < self.last and two_back.row[m] >= HAIRLINE
        ]

    @beat("Let us break it. Without the first head, there are no notes.", focus="tiles")
    def layer_0_off(self) -> Steps:
        yield from self._retract_arrows(*self.first, *self.second)
        self.remove(self.arrows)
        yield take_off(self.tiles, run_time=1.0), self.bars.sink(), self._unmark()
        yield ask_next(self.tiles)

    @beat(
        "With nothing to compare, it looks everywhere alike. Only frequency counts: it says "
        "{frequent_said}.",
        ask="What will it say?",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def says_what_is_frequent(self) -> Steps:
        """Grow all bars to the same height, and highlight the most frequent words."""
        self.bars.set_to(self["no_layer_0.row"])
        yield self.bars.grow(run_time=1.8)
        words, tokens = self.values.frequent, self.values.both.tokens
        places = [k for k, word in enumerate(tokens) if word in words]
        role: Paint = "correct" if self.values.shares_a_word else "wrong"
        yield from self._answer(words, self["frequent"], places, role)

    @beat("Without the second head, the notes are there.", focus="tiles")
    def layer_1_off(self) -> Steps:
        yield self.bars.unwrite(run_time=0.2)
        yield wear(self.tiles, run_time=1.4), self.bars.sink(), self._unmark()
        yield from self._ask_again()
        yield from self._draw_arrows(*self.first)

    @beat("But nobody reads them, so it says nothing.", rest=REST, focus="tiles")
    def says_nothing(self) -> Steps:
        yield leave(self.tiles, self.last + 1)

    @beat("And what if the first head looks two steps back?", focus="tiles")
    def two_back(self) -> Steps:
        yield from self._retract_arrows(*self.first)
        notes = self["two_back.stored_tokens"], self["two_back.stored_weights"]
        yield rewrite_notes(self.tiles, *notes, run_time=1.6), ask_next(self.tiles)
        both, other = self.values.both.stored_tokens, self.values.two_back.stored_tokens
        unlike = [k for k, (a, b) in enumerate(zip(both, other, strict=True)) if a != b]
        if unlike:
            yield frame_notes(self.tiles, *unlike, role="wrong")

    @beat(
        "Then it says {says_said}, which stood two places after “{both.text.query_token}”.",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def says_two_ahead(self) -> Steps:
        yield from self._draw_arrows(*self.astray)
        self.bars.set_to(self["two_back.row"])
        yield self.bars.grow(run_time=1.2)
        words = self.values.says
        right = bool(set(words) & set(self.values.both.says))
        tokens, found = self.values.both.tokens, self.values.two_back.matches.tolist()
        places = [k for k in found if tokens[k] in words]
        yield from self._answer(words, self["says"], places, "correct" if right else "wrong")

    @beat(CAPTION, focus="tiles")
    def whole(self) -> Steps:
        yield from self._retract_arrows(*self.astray)
        notes = self["both.stored_tokens"], self["both.stored_weights"]
        yield self.bars.unwrite(run_time=0.2)
        run = self.bars.to(self["both.row"], run_time=1.2)
        yield rewrite_notes(self.tiles, *notes, run_time=1.2), run, self._unmark()
        yield from self._ask_again(frame_notes(self.tiles))
        yield from self._draw_arrows(*self.first, *self.second)
        yield from self._answer(self.values.both.says, self["both.says"], self.matches, "correct")

    def _draw_arrows(self, *arrows: Hop) -> Steps:
        """Draw arrows from their words to their notes."""
        self.add(*arrows, self.tiles)
        if arrows:
            yield together(*(arrow.draw(run_time=1.2) for arrow in arrows))

    def _retract_arrows(self, *arrows: Hop) -> Steps:
        if arrows:
            yield together(*(arrow.draw_back() for arrow in arrows))
        self.remove(*arrows)

    def _ask_again(self, *others: Animation) -> Steps:
        """Replace the answer by a "?", and play the other animations meanwhile."""
        if self.tiles.answer_value is not None:
            yield leave(self.tiles, self.last + 1), *others
            yield ask_next(self.tiles)
        elif others:
            yield others

    def _answer(self, words: tuple[str, ...], said: Value, places: list[int], role: Paint) -> Steps:
        """Highlight the predicted words in the text; a single one flies to the end as answer."""
        yield paint(self.tiles, places, role), self.bars.write(places, SHARE)
        if len(words) == 1:
            yield answer(self.tiles, said[0], self.tiles.middle(places[-1]), role=role)

    def _unmark(self) -> AnimationGroup:
        """Unmark all tiles but the last, which is the query."""
        return AnimationGroup(
            paint(self.tiles, range(self.last), None), paint(self.tiles, self.last, "query")
        )
