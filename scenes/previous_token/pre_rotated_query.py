"""The query is the key turned back one step: at m it stands like the key at m - 1."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from manim import FadeIn, VGroup
from numpy.typing import NDArray

from model.score_row import ScoreRow
from scenes.facts import Fact
from scenes.parts.clocks.clock_field import ClockField, Visitor
from scenes.parts.clocks.hands import vectors
from scenes.parts.tokens.lanes import Band, Lanes
from scenes.previous_token.common import AskingInputs
from scenes.stage import Finding, Slide
from scenes.style.motion import recolor
from scenes.style.text import Formula

MOST_HANDS = 3
"""The fastest hands of a key, which are shown."""


class PreRotatedQuery(Slide):
    """The query is the key turned back one step: at m it stands like the key at m - 1."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "The query is the key, turned back one step"
    question = "How does “{asker}”, at position {m}, find the token before it?"
    caption = "The query at {m} stands hand for hand like the key at {target}: one step back."

    notes = (
        "Key $n$, {hands}: one vector turned $n$ steps, $key(k_n) = R_n c$.",
        "The query at $m$ (thin hands) gets $m$ steps too …",
        "… but $W_q$ took one step back: $query(q_m) = R_m R_(-1) c$.",
        "So it matches one key alone: the one before.",
        "And so does every query. Only the first has no key before it.",
    )

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row()

    @classmethod
    def facts(cls, values: ScoreRow) -> dict[str, Fact]:
        n_hands = values.head.d_head // 2
        return {
            "m": values.m,
            "asker": values.query_token,
            "target": values.target,
            "answer": values.target_token,
            "n_tokens": values.head.n_tokens,
            "n_hands": n_hands,
            "n_shown": min(n_hands, MOST_HANDS),
            "hands": f"{MOST_HANDS} of {n_hands} hands" if n_hands > MOST_HANDS else "all hands",
            "mismatch": values.mismatch,
        }

    @classmethod
    def checks(cls, values: ScoreRow) -> list[Finding]:
        return [
            Finding(
                "the query at m is the key at m - 1",
                values.mismatch < 1e-9,
                f"differs by {values.mismatch}",
            )
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "key_turns": values.key_phases,
            "query_turns": values.query_phases,
            "degrees_a_step": np.rad2deg(values.head.frequencies),
            "positions": values.head.positions,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        shown = int(facts["n_shown"])
        self.keys = self.values.key_phases[:, :shown]
        self.queries = self.values.query_phases[:, :shown]
        bands = [Band("clocks", 1), Band("key", 0, length=0.3), Band("query", 0, length=0.3)]
        self.lanes = Lanes(self.inputs.tokens, self.canvas, bands, margin=1.2)
        self.field = ClockField(
            self.lanes, self.lanes.spans["clocks"], len(self.keys), shown, abreast=1
        )
        self._keys()
        self._query()
        self._one_step_back()
        self._match()
        if len(self.keys) > 2:
            self._every_query()

    def _keys(self) -> None:
        """Where the last stage ended: the same key everywhere, turned by its position."""
        self.beat("keys")
        self.field.show(vectors(0 * self.keys))
        speeds = self.field.speeds(np.rad2deg(self.values.head.frequencies[: self.keys.shape[1]]))
        tags = VGroup(*(self._tag("key", n) for n in range(len(self.keys))))
        self.play(FadeIn(self.lanes.heads, self.field, tags), FadeIn(speeds), self.say(0))
        self.play(self.field.turn(0 * self.keys, self.keys, run_time=2.0))
        self.let_read()

    def _query(self) -> None:
        """Left to position alone, the query would stand like the key at its own place."""
        self.beat("query")
        m = self.inputs.m
        self.query = self._visitor(m, self.keys[m])
        asker = recolor(self.lanes.labels[m], self.theme.query)
        self.play(FadeIn(self.query), asker, self.say(1))
        self.let_read()

    def _one_step_back(self) -> None:
        """The weights of the query undo one step."""
        self.beat("one step back")
        m = self.inputs.m
        self.play(self.say(2), self.query.to(m, self.queries[m], run_time=2.0))
        self.let_read()

    def _match(self) -> None:
        """One key stands exactly so: the one before."""
        self.beat("match")
        target = self.values.target
        self.others = VGroup(*(h for n, h in enumerate(self.field.hands) if n != target))
        self.play(self.say(3), self.query.to(target, self.queries[self.inputs.m], run_time=1.6))
        self.play(
            recolor(self.lanes.labels[target], self.theme.key),
            recolor(self.others, self.theme.hairline),
        )
        self.let_read()

    def _every_query(self) -> None:
        """The row of queries, moved by one, is the row of keys."""
        self.beat("every query")
        rest = [m for m in range(1, len(self.queries)) if m != self.inputs.m]
        others = [self._visitor(m, self.queries[m]) for m in rest]
        self.play(
            self.query.to(self.inputs.m, self.queries[self.inputs.m]),
            recolor(self.others, self.theme.key),
            self.say(4),
        )
        self.play(*(FadeIn(query) for query in others), run_time=0.6)
        everyone = [self.query, *others]
        self.play(*(q.to(q.state[0] - 1, q.state[1:], run_time=2.0) for q in everyone))
        self.let_read()

    def _visitor(self, m: int, angles: NDArray[np.float64]) -> Visitor:
        tag_along = self.lanes.spans["query"].middle
        query = Visitor(self.field, self.theme.query, self._tag("query", m), tag_along)
        query.show([m, *angles])
        return query

    def _tag(self, role: Literal["key", "query"], position: int) -> Formula:
        tag = Formula(f"{role}({role[0]}_({position}))", size=26)
        return tag.move_to(self.lanes.at(position, self.lanes.spans[role].middle))
