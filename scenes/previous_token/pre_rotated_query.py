"""The query is the key turned back by one step: at m, it points like the key at m - 1."""

from __future__ import annotations

from manim import VGroup

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.strip_looks import come_back, leave, paint
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.tiles import ROW
from clockhead.scenes.stage import CAPTION, Claim, FadeIn, FadeOut, Stage, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.motion import slide

_SAME = 1e-9


class PreRotatedQuery(Stage[ScoreRow]):
    """The query is the key turned back by one step: at m, it points like the key at m - 1."""

    class Inputs(AskingInputs):
        """A query position."""

    title = "Ask for the time one step ago"
    caption = "Every query fits the key one place before it. Only the first token has nobody there."
    opens = ("tiles", "dials", "tags", "note")
    leaves = ("tiles",)
    claims = (
        Claim(
            "the query at {m} equals the key at {target}",
            lambda v: v.mismatch < _SAME,
            "they differ by {mismatch}",
        ),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row

    def layout(self) -> None:
        self.m, self.target = self.values.m, self.values.target
        lanes, keys = KeyLanes.choose(self, self.values, size=ROW), self["key_phases"]
        self.tiles, clocks = lanes.tiles, lanes.dials
        self.dials = VGroup(clocks, Hands(keys, clocks, "key", angles=True).set_z_index(1))
        self.tags, self.note = lanes.tags(), lanes.note()
        # The key at position 0 has not been turned.
        self.query = Hands(keys[0], clocks, "query", angles=True, lane=self.m)
        self.queries = [
            Hands(self["query_phases"][m], clocks, "query", angles=True, lane=m)
            for m in range(1, len(self.values.tokens))
        ]
        self.outline, self.veil = lanes.frame(self.m), lanes.veil(self.target).set_z_index(2)
        self.step_back = lanes.dial_at(self.target, 0) - lanes.dial_at(self.m, 0)
        self.two_back = lanes.dial_at(max(self.target - 1, 0), 0) - lanes.dial_at(self.m, 0)
        self.nobody = lanes.empty_dials()
        self.near = lanes.region_between(self.target, self.m)
        self.plates = lanes.plates(self.target, self.m).set_z_index(3)

    @beat(
        "{query_named} asks. If its query turned just like its key, it would fit its own clock: "
        "it would find itself.",
        rest=REST,
        focus="dials",
    )
    def own(self) -> Steps:
        words = (self.tiles.tiles[self.target], self.tiles.tiles[self.m])
        yield paint(self.tiles, self.m, "query", run_time=0.6)
        others = [k for k in range(len(self.values.tokens)) if k not in (self.target, self.m)]
        yield FadeIn(self.plates, run_time=0.8), leave(self.tiles, *others, run_time=0.8)
        yield self.look_at(self.near, *words, run_time=1.6)
        yield FadeIn(self.query, run_time=0.6)
        yield self.query.to(self["key_phases"][self.m], run_time=2.4)

    @beat(
        "So before RoPE is applied, the query is turned back by one step.", rest=REST, focus="dials"
    )
    def back(self) -> Steps:
        yield self.query.to(self["key_phases"][0], run_time=1.4)
        yield 0.6
        yield self.query.to(self["query_phases"][0], run_time=1.6)

    @beat(
        "Then RoPE turns it with its position, as always. Now it shows the time one step ago.",
        rest=REST,
        focus="dials",
    )
    def on(self) -> Steps:
        yield self.query.to(self["query_phases"][self.m], run_time=3.0)
        yield 0.8
        others = [k for k in range(len(self.values.tokens)) if k not in (self.target, self.m)]
        yield self.look_back(run_time=1.6)
        yield FadeOut(self.plates), FadeIn(self.outline), come_back(self.tiles, *others)

    @beat(ask="Which of the clocks shows this time?", focus="dials")
    def search(self) -> Steps:
        """Compare with the key one position further back first, which does not match."""
        if self.target:
            there = self.query.move_to_lane(self.target - 1)
            yield together(there, slide(self.outline, self.two_back), run_time=1.8)
            yield 0.8

    @beat("The one of {target_named}, right before it. Every hand fits.", rest=REST, focus="dials")
    def match(self) -> Steps:
        rest = self.step_back - (self.two_back if self.target else 0.0)
        back = self.query.move_to_lane(self.target)
        yield together(back, slide(self.outline, rest), run_time=1.6)
        key = paint(self.tiles, self.target, "key")
        yield together(FadeIn(self.veil), key, run_time=0.8)

    @beat(CAPTION, focus="dials")
    def all_of_them(self) -> Steps:
        yield FadeOut(self.veil, self.outline, self.query, self.tags, self.note)
        yield paint(self.tiles, [self.m, self.target], None), FadeIn(*self.queries)
        yield 0.8
        moves = [hands.move_to_lane(hands.lane - 1) for hands in self.queries]
        yield together(*moves, run_time=2.6)
        yield FadeIn(self.nobody)
