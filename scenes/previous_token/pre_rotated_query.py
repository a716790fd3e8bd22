"""The query is the key turned back one step: at m it stands like the key at m - 1."""

from __future__ import annotations

from manim import VGroup

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.term_moves import become
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.stage import CAPTION, Claim, FadeIn, FadeOut, Stage, Steps, beat, together
from clockhead.scenes.style.motion import slide

_SAME = 1e-9


class PreRotatedQuery(Stage[ScoreRow]):
    """The query is the key turned back one step: at m it stands like the key at m - 1."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "The query is turned back one step"
    question = "How does {query_named} find the token before it?"
    caption = (
        "Every query does the same: it fits the key one place back. Only the first finds none."
    )
    opens = ("tiles", "dials", "tags", "note")
    leaves = ("tiles", "own_dials as dials", "query")
    claims = (
        Claim(
            "the query at {m} is the key at {target}",
            lambda v: v.mismatch < _SAME,
            "they differ by {mismatch}",
        ),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row

    def layout(self) -> None:
        self.m, self.target = self.values.m, self.values.target
        lanes, keys = KeyLanes.fitting(self, self.values), self["key_phases"]
        self.tiles, clocks = lanes.tiles, lanes.dials
        self.dials = VGroup(clocks, Hands(keys, clocks, "key", angles=True).set_z_index(1))
        self.tags, self.note = lanes.tags(), lanes.note()
        # At position 0 nothing has been turned yet.
        self.query = Hands(keys[0], clocks, "query", angles=True, lane=self.m)
        self.queries = Hands(self["query_phases"], clocks, "query", angles=True)
        self.alone = Dials(clocks.n, labels=None, chosen=clocks.indices)
        self.alone.place_at(clocks.centers[self.m], clocks.radius)
        self.kept = Hands(keys[self.m], self.alone, "key", angles=True).set_z_index(1)
        self.own_dials = VGroup(self.alone, self.kept)
        self.outline, self.veil = lanes.frame(self.m), lanes.veil(self.target).set_z_index(2)
        self.step_back = lanes.at(self.target, 0) - lanes.at(self.m, 0)

        known = {"m": self["m"], "t": self["target"], "b": self["head.offset"]}
        query, vector = [("query", "query(q_{m:d})"), ("equal", "=")], ("vector", "key(c)")
        twice = [*query, ("on", "R_{m:d}"), ("back", "R_(-{b:d})"), vector]
        once = [*query, ("turn", "R_{t:d}"), vector, ("so", "="), ("key", "key(k_{t:d})")]
        self.equation = Equation(twice, values=known).hide()
        self.fused = Equation(once, values=known).hide("so", "key")
        self.equation.place(lanes.foot)

    @beat("{query_named} asks. Turned like its key, it would find only itself.")
    def own(self) -> Steps:
        yield paint(self.tiles, self.m, "query"), FadeIn(self.query, self.outline, run_time=0.6)
        yield self.query.to(self["key_phases"][self.m], run_time=self.reading - 1)

    @beat("So its weights first turn c one step back, then position turns it on. Each R is a turn.")
    def back(self) -> Steps:
        self.add(self.equation)
        upright = self.query.to(self["key_phases"][0])
        yield together(self.equation.appear(), upright, run_time=1.2)
        yield self.query.to(self["query_phases"][0], run_time=1.2)
        fuse = become(self.equation, self.fused, origins={"turn": ["on", "back"]})
        yield together(fuse, self.query.to(self["query_phases"][self.m]), run_time=2.8)

    @beat(
        "Hand for hand, those of {target_named}, right before it.",
        ask="Whose hands does it match now?",
    )
    def match(self) -> Steps:
        back = slide(self.outline, self.step_back)
        yield together(self.query.move_to_lane(self.target), back, run_time=1.6)
        key, equal = paint(self.tiles, self.target, "key"), self.equation.appear("so", "key")
        yield together(FadeIn(self.veil), key, equal, run_time=0.8)

    @beat(CAPTION)
    def all_of_them(self) -> Steps:
        yield FadeOut(self.veil, self.outline), self.query.move_to_lane(self.m, run_time=1.0)
        yield FadeIn(self.queries, run_time=0.8)
        moves = self.queries.move_to_lane(-1), self.query.move_to_lane(self.target)
        yield together(*moves, run_time=2.4)
        yield 0.6
        home = self.query.move_to_lane(self.m)
        yield together(FadeOut(self.queries), home, run_time=0.8)
        self.add(self.alone, self.query, self.kept)
        yield FadeOut(self.dials, self.tags, self.note, run_time=0.8)
