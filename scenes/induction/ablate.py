"""The circuit with a head off, and with notes of the wrong token: only both heads continue."""

from __future__ import annotations

from manim import Animation, AnimationGroup, VGroup

from clockhead.model.films.induction.ablate import Ablations, ablations
from clockhead.model.induction.circuit import Induction
from clockhead.scenes.induction.hops import Hop
from clockhead.scenes.induction.match import APART, BEYOND, SHARE, SHARES, hops
from clockhead.scenes.induction.noted import Noted, worn
from clockhead.scenes.induction.words import InductionInputs, named
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


def _fits(head: Induction) -> bool:
    return set(head.says) == set(head.text.best)


def _learned(values: Ablations) -> str:
    if not values.shares_a_word:
        return said(
            "The first head writes, the second one reads. Neither can answer without the other."
        )
    right = [word for word in values.frequent if word in values.both.says]
    return said(
        "The first head writes, the second one reads. Without notes, {words} came up only by "
        "being frequent.",
        words=named(right, "{n} words"),
    )


class Ablate(Stage[Ablations]):
    """What is left of the head with layer 0 off, with layer 1 off, and with other notes."""

    Inputs = InductionInputs
    title = "Break it, and see"
    question = ""
    caption = "{learned}"
    opens = ("chart", "bars", "arrows", "tiles")
    claims = (
        Claim(
            "both layers on, the head says what the text says",
            lambda values: _fits(values.both),
            "it says something else with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
        Claim(
            "with notes of the token two back, it says what most often stood two after",
            lambda values: _fits(values.two_back),
            "it says something else with alpha {inputs.alpha:g} and beta {inputs.beta:g}",
        ),
    )
    derived = {
        "learned": Derived("what follows from the trials", _learned),
        "frequent_said": Derived(
            "the words that stand most often",
            lambda v: named(v.frequent, "one of the {n} words that stand there most", "or"),
        ),
        "says_said": Derived(
            "the words that lead with layer 0 looking two back",
            lambda v: named(v.says, "one of {n} words", "or"),
        ),
        "nothing_share": Derived(
            "the largest output with layer 1 off", lambda v: float(v.no_layer_1.output.max())
        ),
        "both_share": Derived(
            "the largest share with both layers on", lambda v: float(v.both.output.max()), "share"
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
            Noted(worn(self, "both."), self["both.row"], SHARES, down=down, wonder=True,
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
        yield from self._draw_back(*self.first, *self.second)
        self.remove(self.arrows)
        yield take_off(self.tiles, run_time=1.0), self.bars.sink(), self._plain()
        yield ask_next(self.tiles)

    @beat(
        "With nothing to compare, it looks everywhere alike. Only frequency counts: it says "
        "{frequent_said}.",
        ask="What will it say?",
        rest=REST,
        focus=("tiles", "bars"),
    )
    def says_what_is_frequent(self) -> Steps:
        """All bars grow to one height, and the most frequent words light up."""
        self.bars.set_to(self["no_layer_0.row"])
        yield self.bars.grow(run_time=1.8)
        words, tokens = self.values.frequent, self.values.both.tokens
        places = [k for k, word in enumerate(tokens) if word in words]
        role: Paint = "correct" if self.values.shares_a_word else "wrong"
        yield from self._reply(words, self["frequent"], places, role)

    @beat("Without the second head, the notes are there.", focus="tiles")
    def layer_1_off(self) -> Steps:
        yield self.bars.unwrite(run_time=0.2)
        yield wear(self.tiles, run_time=1.4), self.bars.sink(), self._plain()
        yield from self._wonder()
        yield from self._reach(*self.first)

    @beat("But nobody reads them, so it says nothing.", rest=REST, focus="tiles")
    def says_nothing(self) -> Steps:
        yield leave(self.tiles, self.last + 1)

    @beat("And what if the first head looks two steps back?", focus="tiles")
    def two_back(self) -> Steps:
        yield from self._draw_back(*self.first)
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
        yield from self._reach(*self.astray)
        self.bars.set_to(self["two_back.row"])
        yield self.bars.grow(run_time=1.2)
        words = self.values.says
        right = bool(set(words) & set(self.values.both.says))
        tokens, found = self.values.both.tokens, self.values.two_back.matches.tolist()
        places = [k for k in found if tokens[k] in words]
        yield from self._reply(words, self["says"], places, "correct" if right else "wrong")

    @beat(CAPTION, focus="tiles")
    def whole(self) -> Steps:
        yield from self._draw_back(*self.astray)
        notes = self["both.stored_tokens"], self["both.stored_weights"]
        yield self.bars.unwrite(run_time=0.2)
        run = self.bars.to(self["both.row"], run_time=1.2)
        yield rewrite_notes(self.tiles, *notes, run_time=1.2), run, self._plain()
        yield from self._wonder(frame_notes(self.tiles))
        yield from self._reach(*self.first, *self.second)
        yield from self._reply(self.values.both.says, self["both.says"], self.matches, "correct")

    def _reach(self, *arrows: Hop) -> Steps:
        """Let arrows grow."""
        self.add(*arrows, self.tiles)
        if arrows:
            yield together(*(arrow.draw(run_time=1.2) for arrow in arrows))

    def _draw_back(self, *arrows: Hop) -> Steps:
        if arrows:
            yield together(*(arrow.draw_back() for arrow in arrows))
        self.remove(*arrows)

    def _wonder(self, *others: Animation) -> Steps:
        """Let a "?" come in place of an answer, and others play."""
        if self.tiles.answer_value is not None:
            yield leave(self.tiles, self.last + 1), *others
            yield ask_next(self.tiles)
        elif others:
            yield others

    def _reply(self, words: tuple[str, ...], said: Value, places: list[int], role: Paint) -> Steps:
        """Let what leads light up in the text; a single word flies to the end."""
        yield paint(self.tiles, places, role), self.bars.write(places, SHARE)
        if len(words) == 1:
            yield answer(self.tiles, said[0], self.tiles.middle(places[-1]), role=role)

    def _plain(self) -> AnimationGroup:
        """No tile has a mark but the query."""
        return AnimationGroup(
            paint(self.tiles, range(self.last), None), paint(self.tiles, self.last, "query")
        )
