"""The previous-token head: a constant key, a query turned back one step, and softmax.

After Chris Wendler's construction of a RoPE transformer, section 3. Position alone decides: every
token gives the same key, position n turns it n steps, and the query at m is turned m - 1 steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from model.constant_key import TextKeys
from model.embedding import AMPLITUDE
from model.previous_token import PreviousTokenHead
from model.rope import BASE
from model.score_row import ScoreRow
from model.tokens import spread_over_vocabulary, words
from scenes.facts import Claim, Fact, fill
from scenes.stage import DRAWING, EvenInt, Stage, StageInputs, Words

if TYPE_CHECKING or DRAWING:
    from manim import FadeIn, FadeOut, Rectangle, VGroup

    from scenes.parts.clock_field import ClockField, Visitor
    from scenes.parts.hands import vectors
    from scenes.parts.heat_map import HeatMap
    from scenes.parts.lanes import Band, Lanes, Span
    from scenes.parts.motion import recolor
    from scenes.parts.notes import Notes
    from scenes.parts.text import Formula, Number
    from scenes.style.layout import Region
    from scenes.style.type import SMALL

MOST_WORDS = 12
MOST_LETTERS = 10
"""More or longer words are not legible along the side of a grid on a phone."""


def _legible(text: str) -> str:
    tokens = words(text)
    if len(tokens) > MOST_WORDS:
        raise ValueError(f"{len(tokens)} words; at most {MOST_WORDS} can be read on screen")
    longest = max(tokens, key=len)
    if len(longest) > MOST_LETTERS:
        raise ValueError(
            f"“{longest}” has {len(longest)} letters; at most {MOST_LETTERS} fit into a cell"
        )
    return text


FewWords = Annotated[Words, AfterValidator(_legible)]


class KeyInputs(StageInputs):
    """What the keys of a head are made of."""

    text: FewWords = Field(
        "the cat sat on the mat and ran",
        description=f"up to {MOST_WORDS} words of letters a to z; one word is one token",
    )
    d_head: EvenInt = Field(32, ge=2, le=256, description="width of the head; d_head/2 clock hands")
    base: float = Field(
        BASE, ge=1, le=1e7, description="how far apart the hands' speeds are; 1 makes them equal"
    )

    @property
    def tokens(self) -> tuple[str, ...]:
        return words(self.text)


class AskingInputs(KeyInputs):
    """A head at one position, which asks."""

    m: int = Field(
        5, ge=1, le=MOST_WORDS - 1, description="the position that asks; a token must precede it"
    )

    def row(self, alpha: float = 1.0) -> ScoreRow:
        """Row m of the head over this text."""
        tokens = len(self.tokens)
        return ScoreRow(PreviousTokenHead(tokens, self.d_head, alpha, self.base), self.m)


class HeadInputs(KeyInputs):
    """What a whole head is made of."""

    alpha: float = Field(
        10.0, ge=0.01, le=1e4, description="scale of the scores; larger is sharper"
    )

    def head(self, **changes: Any) -> PreviousTokenHead:
        """The head over this text; `changes` are further arguments, such as `look_back`."""
        return PreviousTokenHead(
            n_tokens=len(self.tokens),
            d_head=self.d_head,
            alpha=self.alpha,
            base=self.base,
            **changes,
        )


class ConstantKey(Stage):
    """Every token gives the same key. No linear map can do that; one constant coordinate can."""

    class Inputs(KeyInputs):
        n_vocab: int = Field(
            26, ge=MOST_WORDS, le=26, description="tokens in the vocabulary, the text's among them"
        )
        d_model: int = Field(32, ge=2, le=64, description="length of a token's vector")

    title = "Every token gives the same key"
    subtitle = "How can a head see where a token stands, and not what it is?"
    caption = (
        "The key says where a token stands and not what it is: one key, turned by its position."
    )

    notes = (
        "Each token has a vector of its own.",
        "Wanted: the same key from each, every hand up.",
        "Opposite vectors get opposite readings: the best linear map is off by {residual:.2f}.",
        "One more coordinate, the same 1 in every vector, and there is something to read.",
        "Then position turns the keys: key n, by n steps.",
    )

    inputs: Inputs
    values: TextKeys

    @classmethod
    def compute(cls, inputs: Inputs) -> TextKeys:
        return TextKeys(
            spread_over_vocabulary(inputs.tokens, inputs.n_vocab),
            inputs.n_vocab,
            inputs.d_model,
            inputs.d_head,
            inputs.base,
        )

    @classmethod
    def facts(cls, values: TextKeys) -> dict[str, Fact]:
        n_hands = values.d_head // 2
        return {
            "n_tokens": len(values.indices),
            "n_different": len(set(values.indices)),
            "n_vocab": values.n_vocab,
            "n_hands": n_hands,
            "n_shown": min(n_hands, 4),
            "residual": values.reader.residual,
            "error": values.error,
        }

    @classmethod
    def claims(cls, values: TextKeys) -> list[Claim]:
        return [
            Claim("W_k makes the same key of every token", values.error == 0, f"{values.error}"),
            Claim(
                "no linear map does so over the whole vocabulary",
                values.reader.residual > 1e-6,
                f"misses by {values.reader.residual}",
            ),
        ]

    @classmethod
    def arrays(cls, values: TextKeys) -> dict[str, NDArray[Any]]:
        return {
            "vectors": values.vectors,
            "linear_readings": values.linear_readings,
            "keys": values.keys,
            "turned": values.turned,
            "degrees_a_step": np.rad2deg(values.theta),
            "positions": np.arange(len(values.indices)),
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        self.say = Notes([fill(note, facts) for note in self.notes], self.canvas)
        bands = [
            Band("vector", 1.4, "vector"),
            Band("map", 0.7, "map reads"),
            Band("key", 2.7, fill("key\n{n_shown} of {n_hands} hands", facts)),
        ]
        self.lanes = Lanes(self.inputs.tokens, self.say.above, bands)
        self.shown = int(facts["n_shown"])
        self._tokens()
        self._linear_map()
        self._constant()
        self._positions()

    def _tokens(self) -> None:
        """The viewer sees that the tokens differ, in their vectors as in their letters."""
        self.beat("tokens")
        strips = VGroup(*(self._strip(k) for k in range(len(self.inputs.tokens))))
        self.play(FadeIn(VGroup(*self.lanes.labels)), self.say.say(0), run_time=0.8)
        self.play(FadeIn(strips), FadeIn(self.lanes.names["vector"]))
        self.rest(least=1.0)

    def _linear_map(self) -> None:
        """The best linear map reads nothing that all tokens share: no hands on the clocks."""
        self.beat("linear")
        spans, count = self.lanes.spans, len(self.inputs.tokens)
        self.field = ClockField(self.lanes, spans["key"], count, self.shown)
        wanted = self.field.ghosts(self._upright(np.ones(count)))
        self.read = self._readings(self.values.linear_readings)
        self.play(
            self.say.say(1),
            FadeIn(self._bar(), self.lanes.names["map"]),
            FadeIn(self.field, wanted, self.lanes.names["key"]),
        )
        self.rest(self.notes[1])
        self.play(FadeOut(wanted), FadeIn(self.read), self.say.say(2))
        self.play(self.field.to(self._upright(self.values.linear_readings)))
        self.rest(self.notes[2][20:])

    def _constant(self) -> None:
        """One coordinate that is always 1 is all that the map needs."""
        self.beat("constant")
        ones = self.values.keys[:, 0]
        self.play(self.say.say(3), FadeIn(*(self._one(k) for k in range(len(ones)))))
        self.play(FadeOut(self.read), run_time=0.4)
        right = self._readings(ones, right=True)
        self.play(FadeIn(right), self.field.to(self._upright(ones)), run_time=1.2)
        self.rest(self.notes[3][40:])

    def _positions(self) -> None:
        """Position is all that tells the keys apart."""
        self.beat("positions")
        turned = self.values.turned[:, : self.shown]
        self.play(self.say.say(4), FadeIn(*self.lanes.positions))
        self.play(self.field.turn(0 * turned, turned, run_time=3.0))
        self.rest(least=1.0)
        self.play(self.say.hush())

    def _strip(self, k: int) -> HeatMap:
        span = self.lanes.spans["vector"]
        box = self._cell(k, Span(span.start, span.start + 0.76 * span.length))
        vector = self.values.vectors[k][:, None]
        cells = vector if self.lanes.down else vector.T
        return HeatMap(cells, box, low=-AMPLITUDE, high=AMPLITUDE, by_column=False)

    def _cell(self, k: int, span: Span) -> Region:
        """The part of a lane that `span` takes, not wider than a word."""
        box, slim = self.lanes.box(k, span), max(0.2 * self.lanes.lane, self.lanes.lane - 0.9) / 2
        return box.inset(slim, 0) if self.lanes.down else box.inset(0, slim)

    def _one(self, k: int) -> VGroup:
        span = self.lanes.spans["vector"]
        box = self._cell(k, Span(span.start + 0.8 * span.length, span.end))
        cell = Rectangle(
            width=box.width,
            height=box.height,
            stroke_width=0,
            fill_color=self.theme.token,
            fill_opacity=1,
        ).move_to(box.center)
        one = Number(1, "d", size=SMALL, weight="semibold", color=self.theme.ground)
        return VGroup(cell, one.center_on(box.center))

    def _bar(self) -> Rectangle:
        span = self.lanes.spans["map"]
        first = self.lanes.box(0, span)
        last = self.lanes.box(len(self.inputs.tokens) - 1, span)
        low = np.minimum([first.left, first.bottom], [last.left, last.bottom])
        high = np.maximum([first.right, first.top], [last.right, last.top])
        middle = np.append((low + high) / 2, 0.0)
        bar = Rectangle(width=high[0] - low[0], height=high[1] - low[1], stroke_width=2)
        bar.set_stroke(self.theme.key).set_fill(self.theme.panel, 1)
        return bar.move_to(middle)

    def _readings(self, values: NDArray[np.float64], right: bool = False) -> VGroup:
        span = self.lanes.spans["map"]
        color = self.theme.text_color("value" if right else "wrong")
        numbers = (Number(v, ".2f", weight="semibold", color=color) for v in values)
        places = (self.lanes.at(k, span.middle) for k in range(len(values)))
        return VGroup(*(n.center_on(place) for n, place in zip(numbers, places, strict=True)))

    def _upright(self, lengths: NDArray[np.float64]) -> NDArray[np.float64]:
        hands = np.zeros((len(lengths), self.shown, 2))
        hands[:, :, 0] = lengths[:, None]
        return hands


class PreRotatedQuery(Stage):
    """The query is the key turned back one step: at m it stands like the key at m - 1."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "The query is the key, turned back one step"
    subtitle = "How does position {m} find the token before it?"
    caption = "The query at {m} stands hand for hand like the key at {target}: one step back."

    notes = (
        "Key $n$ is one vector, turned $n$ steps: $key(k_n) = R_n c$.",
        "The query at $m$ (thin hands) is turned $m$ steps as well ...",
        "... but $W_q$ has turned it one step back: $query(q_m) = R_m R_(-1) c = R_(m-1) c$.",
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
            "target": values.target,
            "n_tokens": values.head.n_tokens,
            "n_hands": n_hands,
            "n_shown": min(n_hands, 3),
            "mismatch": values.mismatch,
        }

    @classmethod
    def claims(cls, values: ScoreRow) -> list[Claim]:
        return [
            Claim(
                "the query at m is the key at m - 1",
                values.mismatch < 1e-9,
                f"differs by {values.mismatch}",
            )
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "key_turns": values.key_turns,
            "query_turns": values.query_turns,
            "degrees_a_step": np.rad2deg(values.head.theta),
            "positions": values.head.positions,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        shown = int(facts["n_shown"])
        self.keys = self.values.key_turns[:, :shown]
        self.queries = self.values.query_turns[:, :shown]
        self.say = Notes(self.notes, self.canvas)
        bands = [Band("clocks", 1), Band("key", 0, length=0.3), Band("query", 0, length=0.3)]
        self.lanes = Lanes(self.inputs.tokens, self.say.above, bands, margin=1.2)
        self.field = ClockField(
            self.lanes, self.lanes.spans["clocks"], len(self.keys), shown, abreast=1
        )
        self._keys()
        self._query()
        self._one_step_back()
        self._match()
        if len(self.keys) > 2:
            self._every_query()
        self.play(self.say.hush())

    def _keys(self) -> None:
        """Where the last stage ended: the same key everywhere, turned by its position."""
        self.beat("keys")
        self.field.show(vectors(0 * self.keys))
        speeds = self.field.speeds(np.rad2deg(self.values.head.theta[: self.keys.shape[1]]))
        tags = VGroup(*(self._tag("key", n) for n in range(len(self.keys))))
        self.play(FadeIn(self.lanes.heads, self.field, tags), FadeIn(speeds), self.say.say(0))
        self.play(self.field.turn(0 * self.keys, self.keys, run_time=2.0))
        self.rest(self.notes[0][30:])

    def _query(self) -> None:
        """Left to position alone, the query would stand like the key at its own place."""
        self.beat("query")
        m = self.inputs.m
        self.query = self._visitor(m, self.keys[m])
        asker = recolor(self.lanes.labels[m], self.theme.query)
        self.play(FadeIn(self.query), asker, self.say.say(1))
        self.rest(self.notes[1][20:])

    def _one_step_back(self) -> None:
        """The weights of the query undo one step."""
        self.beat("one step back")
        m = self.inputs.m
        self.play(self.say.say(2), self.query.to(m, self.queries[m], run_time=2.0))
        self.rest(self.notes[2][40:])

    def _match(self) -> None:
        """One key stands exactly so: the one before."""
        self.beat("match")
        target = self.values.target
        self.others = VGroup(*(h for n, h in enumerate(self.field.hands) if n != target))
        self.play(self.say.say(3), self.query.to(target, self.queries[self.inputs.m], run_time=1.6))
        self.play(
            recolor(self.lanes.labels[target], self.theme.key),
            recolor(self.others, self.theme.hairline),
        )
        self.rest(self.notes[3][10:])

    def _every_query(self) -> None:
        """The row of queries, moved by one, is the row of keys."""
        self.beat("every query")
        rest = [m for m in range(1, len(self.queries)) if m != self.inputs.m]
        others = [self._visitor(m, self.queries[m]) for m in rest]
        self.play(
            self.query.to(self.inputs.m, self.queries[self.inputs.m]),
            recolor(self.others, self.theme.key),
            self.say.say(4),
        )
        self.play(*(FadeIn(query) for query in others), run_time=0.6)
        everyone = [self.query, *others]
        self.play(*(q.to(q.state[0] - 1, q.state[1:], run_time=2.0) for q in everyone))
        self.rest(self.notes[4][40:])

    def _visitor(self, m: int, angles: NDArray[np.float64]) -> Visitor:
        tag_along = self.lanes.spans["query"].middle
        query = Visitor(self.field, self.theme.query, self._tag("query", m), tag_along)
        query.show([m, *angles])
        return query

    def _tag(self, role: Literal["key", "query"], position: int) -> Formula:
        tag = Formula(f"{role}({role[0]}_({position}))", size=26)
        return tag.move_to(self.lanes.at(position, self.lanes.spans[role].middle))
