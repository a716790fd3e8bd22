"""Layer 0 writes the previous token into a lane of its own; added on top, order would be lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import (
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    RoundedRectangle,
    VGroup,
    VMobject,
)
from numpy.typing import NDArray

from model.arrays import Floats
from model.induction import Induction
from model.prompts import BOS
from model.two_orders import TwoOrders
from scenes.facts import Fact
from scenes.induction.common import InductionInputs, induction_facts
from scenes.parts.matrices.vector_pairs import VectorPair
from scenes.parts.tokens.carry import Carry
from scenes.parts.tokens.lanes import Band
from scenes.parts.tokens.prompt_strip import PromptStrip, rows_of
from scenes.spelling import named, opening, spelled
from scenes.stage import Finding, Slide
from scenes.style.motion import slide

MOST_APART = 0.15
"""How far apart two vectors may be, entry by entry, and still count as nearly the same."""
_EDGE = 0.06
"""Room for the edge of a frame around the outermost boxes, in units."""


@dataclass(frozen=True, eq=False)
class Kept:
    """What layer 0 leaves at every position, and at the end of two tokens in either order.

    `shares` (T,) is how much of what a position gets is the token before it, or itself at the
    start; `example` is the position that is shown first, and `pair` are the two tokens.
    """

    head: Induction
    shares: Floats
    example: int
    pair: tuple[str, str]
    orders: TwoOrders

    @classmethod
    def by(cls, head: Induction) -> Kept:
        followers = head.text.followers
        example = int(followers[0]) if followers.size else min(2, len(head.tokens) - 1)
        orders = TwoOrders(head.d_head, head.alpha, head.beta)
        return cls(head, head.noted_shares, example, _pair(head.tokens, example), orders)


def _pair(tokens: tuple[str, ...], example: int) -> tuple[str, str]:
    """Two neighbours that differ, the example and the one before it if they do; else a and b."""
    places = [example, *range(1, len(tokens))]
    found = [(tokens[k - 1], tokens[k]) for k in places]
    return next((p for p in found if p[0] != p[1] and BOS not in p), ("a", "b"))


class Lanes(Slide):
    """Layer 0 writes the previous token into a lane of its own; added on top, order is lost."""

    class Inputs(InductionInputs):
        pass

    title = "A lane for each thing to know"
    question = "Where does a position note the token before it?"
    caption = (
        "In a lane of its own, the token before stays apart. "
        "Added on top, “{forward}” and “{backward}” would be nearly one vector."
    )
    notes = (
        "Each position starts with its own token.",
        "Its vector has lanes for a note, the token before, and the answer.",
        "{word} gives the token before {share:.1%} of its attention, and copies it.",
        "Every position does so; the first has only itself.",
        "“{forward}” and “{backward}” alone: the vectors at their ends differ clearly.",
        "Added into one lane, they look alike: who came first is all but lost.",
    )

    inputs: Inputs
    values: Kept

    @classmethod
    def compute(cls, inputs: Inputs) -> Kept:
        return Kept.by(inputs.induction())

    @classmethod
    def facts(cls, values: Kept) -> dict[str, Fact]:
        head, m = values.head, values.example
        a, b = (spelled(token) for token in values.pair)
        return {
            **induction_facts(head),
            "example": m,
            "word": opening(named(head.tokens[m])),
            "word_before": named(head.tokens[m - 1]),
            "share": float(head.forward.head_0.pattern[m, m - 1]),
            "worst_share": float(values.shares.min()),
            "forward": a + b,
            "backward": b + a,
            "apart": values.orders.apart,
            "apart_in_one": values.orders.apart_in_one,
        }

    @classmethod
    def checks(cls, values: Kept) -> list[Finding]:
        worst = int(values.shares.argmin())
        return [
            Finding(
                "every position keeps mostly the token before it",
                float(values.shares.min()) > 0.5,
                f"position {worst} keeps {values.shares[worst]:.1%} of it",
            ),
            Finding(
                "in lanes of their own, the two orders are far apart",
                values.orders.apart > 0.5,
                f"they differ by {values.orders.apart:.3f}",
            ),
            Finding(
                f"in one lane, the two orders differ by less than {MOST_APART}",
                values.orders.apart_in_one < MOST_APART,
                f"they differ by {values.orders.apart_in_one:.3f}; alpha is too small",
            ),
        ]

    @classmethod
    def arrays(cls, values: Kept) -> dict[str, NDArray[np.float64]]:
        return {
            "pattern_0": values.head.forward.head_0.pattern,
            "prev": values.head.forward.resid_mid[:, values.head.subspaces["prev"]],
            "shares": values.shares,
            "own_lanes": values.orders.own_subspaces,
            "one_lane": values.orders.one_subspace,
        }

    def construct(self) -> None:
        self._draw()
        self._own()
        self._room()
        self._copy()
        self._everyone()
        self._apart()
        self._added()

    def _draw(self) -> None:
        self.tokens = [spelled(token) for token in self.values.head.tokens]
        wrapped = rows_of(len(self.tokens), self.canvas.inset(_EDGE), "answer") > 1
        names = ("cur", "prev", "out") if wrapped else ("cur\ntoken", "prev\nnote", "out\nanswer")
        bands = [
            Band("token", 0.2, names[0], length=0.4),
            Band("carry", 1.0, length=0.1),
            Band("prev", 0.2, names[1], length=0.4),
            Band("out", 0.2, names[2], length=0.4),
        ]
        self.strip = PromptStrip(self.tokens, self.canvas.inset(_EDGE), bands, most=0.9)
        count = range(len(self.tokens))
        self.slots = {
            band: VGroup(*(self.strip.blank(k, band) for k in count)) for band in ("prev", "out")
        }
        head = self.values.head
        sources = head.sources.tolist()
        self.carry = Carry(
            self.strip, "prev", head.forward.head_0.pattern, sources, self.values.shares
        )

    def _own(self) -> None:
        """What the embedding gives: the token itself, in the first lane. It has all the room."""
        self.beat("own")
        self.start = self._start()
        VGroup(*self.strip.boxes, self.strip.names["token"]).shift(self.start)
        boxes = [FadeIn(box, run_time=0.3) for box in self.strip.boxes]
        lag = LaggedStart(*boxes, lag_ratio=0.15, run_time=1.0)
        self.play(self.say(0), FadeIn(self.strip.names["token"]), lag)
        self.let_read()

    def _start(self) -> NDArray[np.float64]:
        """From the place of the first lane to the middle of the canvas; no way if it has rows."""
        strip = self.strip
        way = (self.canvas.center - strip.boxes[0].middle) * abs(strip.outward)
        return way if strip.rows == 1 else np.zeros(3)

    def _room(self) -> None:
        """Two more lanes, empty so far; what one position has in all three is its vector."""
        self.beat("room")
        row = VGroup(*self.strip.boxes, self.strip.names["token"])
        self.play(self.say(1), slide(row, -self.start))
        self.play(
            *(FadeIn(slots, self.strip.names[b]) for b, slots in self.slots.items()), run_time=0.6
        )
        self.vector = self._vector(self.values.example)
        self.play(Create(self.vector), run_time=0.7)
        self.let_read(least=0.4)

    def _vector(self, m: int) -> VMobject:
        """A frame around all three lanes of a position."""
        area = self.strip.across(m, "token", "out")
        frame = RoundedRectangle(width=area.width, height=area.height, corner_radius=0.12)
        return frame.set_stroke(self.theme.residual, 4).move_to(area.center)

    def _copy(self) -> None:
        """One position attends to the one before, and the value of that comes along."""
        self.beat("copy")
        m = self.values.example
        others = [box.recede() for k, box in enumerate(self.strip.boxes) if k not in (m - 1, m)]
        frame = self.strip.boxes[m].light(self.theme.text_color("query"))
        self.play(self.say(2), FadeOut(self.vector), frame, *others, run_time=0.6)
        self.share = self.carry.number(m)
        self.play(*(Create(r) for r in self.carry.ribbons_to(m)), run_time=0.7)
        self.play(FadeIn(self.share), run_time=0.3)
        self.play(self.carry.travel(m))
        self.let_read(least=0.4)

    def _everyone(self) -> None:
        """All positions, along the text."""
        self.beat("everyone")
        rows = [m for m in range(len(self.tokens)) if m != self.values.example]
        back = [
            box.tint(self.theme.hairline, self.theme.token, width=2.0) for box in self.strip.boxes
        ]
        self.play(self.say(3), FadeOut(self.share), *back, run_time=0.5)
        grow = [Create(r, run_time=0.5) for m in rows for r in self.carry.ribbons_to(m)]
        self.play(LaggedStart(*grow, lag_ratio=0.1, run_time=0.9))
        travels = [self.carry.travel(m, run_time=0.7) for m in rows]
        self.play(LaggedStart(*travels, lag_ratio=0.15, run_time=1.9))
        self.play(*self.carry.settle(), run_time=0.6)
        self.let_read(least=0.3)

    def _apart(self) -> None:
        """Two tokens in either order: in lanes of their own they differ."""
        self.beat("apart")
        strip = [self.strip, *self.slots.values(), *self.carry.copies.values()]
        self.play(self.say(4), FadeOut(*strip, *self.carry.ribbons), run_time=0.7)
        tall = self.canvas.height > 1.15 * self.canvas.width
        left, right = self.canvas.rows(1, 1) if tall else self.canvas.columns(1, 1)
        heads = [f"“{self._fact('forward')}”", f"“{self._fact('backward')}”"]
        own = self.values.orders.own_subspaces
        a, b = [spelled(token) for token in self.values.pair]
        names = [[f"cur {a}", f"cur {b}"], [f"prev {a}", f"prev {b}"]]
        self.own = VectorPair("a lane for each", heads, [own[0], own[1]], names, left)
        self.one = VectorPair("one lane for both", heads, [own[0], own[1]], names, right)
        self.play(FadeIn(self.own), run_time=0.8)
        words = "largest difference"
        self.play(
            FadeIn(self.own.measure(words, self.values.orders.apart, ".3f", "value")), run_time=0.5
        )
        self.let_read(least=0.6)

    def _added(self) -> None:
        """The second lane is added to the first, and hardly anything tells them apart."""
        self.beat("added")
        values = self.values
        self.play(self.say(5), FadeIn(self.one), run_time=0.7)
        self.play(self.one.pour(self.one.grids[1], values.orders.one_subspace))
        self.play(FadeOut(self.one.grids[1], self.one.names[1]), run_time=0.3)
        apart = values.orders.apart_in_one
        beside = self.own.get_left()[0] < self.one.get_left()[0]
        last = 1 if beside else 0
        line = self.one.measure("largest difference", apart, ".3f", "wrong", lane=last)
        self.play(FadeIn(line), run_time=0.5)
        self.let_read()

    def _fact(self, name: str) -> Fact:
        return self.facts(self.values)[name]
