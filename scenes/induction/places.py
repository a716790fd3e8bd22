"""Where a vector keeps its note: added to the word, the order of both is lost."""

from __future__ import annotations

from typing import Any

from clockhead.model.films.induction.lanes import StoredTokens, stored_tokens
from clockhead.scenes.induction.noted import worn
from clockhead.scenes.induction.spread import LARGE, NOTES, OVER, letters
from clockhead.scenes.induction.two_places import TwoPlaces
from clockhead.scenes.induction.words import InductionInputs
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, leave, show_notes, take_off, wear
from clockhead.scenes.stage import CAPTION, Claim, Column, Stage, Steps, beat, fit
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import FadeIn, FadeOut

_DIFFERENCE = 44.0
"""The size of the difference between both orders, in pixels."""


class Places(Stage[StoredTokens]):
    """Where a vector keeps its note: added to the word, the order of both is lost."""

    class Inputs(InductionInputs):
        """A text, and the scales of both layers."""

    title = "Where does a note go?"
    question = ""
    caption = "So each gets a place of its own: cur, the current word, and prev, the previous one."
    opens = ("tiles",)
    leaves = ("tiles",)
    claims = (
        Claim(
            "with both in one place, two words would hardly differ from the same exchanged",
            lambda noted: noted.orders.apart_in_one <= 0.1,
            "they differ by {orders.apart_in_one:.3f}: alpha {inputs.alpha:g} is too small",
        ),
    )

    @classmethod
    def compute(cls, inputs: Any) -> StoredTokens:
        return stored_tokens(inputs.induction())

    def layout(self) -> None:
        look: dict[str, Any] = {"positions": True, "number_size": 30.0, "note_size": NOTES}
        look |= {"size": letters(self.canvas, LARGE)} | worn(self, "head.")
        self.tiles, self.n = Strip(**look), self.values.head.n_tokens
        self.tiles.place(self.canvas.inset(0.0, OVER))
        show_notes(self.tiles)
        own, one = self["orders.own_subspaces"], self["orders.one_subspace"]
        self.places = TwoPlaces(own, one, self["pair"], self["texts"])
        red, green = self.theme.text_color("wrong"), self.theme.text_color("value")
        look = {"size": _DIFFERENCE, "prefix": "difference "}
        self.lost = Figure(self["orders.apart_in_one"], ".3f", color=red, **look)
        self.kept = Figure(self["orders.apart"], ".3f", color=green, **look)
        fit(self.canvas, Column(self.places, self.lost, weights=(1, 0)))
        self.kept.number.center_on(self.lost.number.get_center())

    @beat(
        "Suppose that we add it to the word: here are both, for two texts of two words.",
        ask="Where in its vector does a word keep its note?",
    )
    def both(self) -> Steps:
        yield leave(self.tiles, *range(self.n)), take_off(self.tiles)
        self.add(self.places)
        yield self.places.appear(run_time=1.6)

    @beat("Added up, both texts end in nearly the same vector.", rest=REST)
    def added(self) -> Steps:
        yield self.places.pour()
        yield self.places.to_middle(1.0)

    @beat(
        "They differ by only {orders.apart_in_one:.3f}, a trace of attention that went astray. The "
        "order is lost.",
        rest=REST,
    )
    def lost_(self) -> Steps:
        yield FadeIn(self.lost)

    @beat(CAPTION)
    def own(self) -> Steps:
        yield FadeOut(self.lost), self.places.to_middle(-1.0)
        parts = self.places.part()
        self.add(self.places)  # prev comes from behind cur
        yield parts
        yield FadeIn(self.kept)
        yield max(2.0, self.reading - 3.0)
        yield FadeOut(self.places, self.kept, run_time=0.6)
        yield come_back(self.tiles, *range(self.n)), wear(self.tiles, *range(self.n), run_time=0.8)
