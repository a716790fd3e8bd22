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
from scenes.facts import Claim, Fact, fill, format_fact
from scenes.stage import DRAWING, EvenInt, Stage, StageInputs, Words

if TYPE_CHECKING or DRAWING:
    from manim import FadeIn, FadeOut, LaggedStart, Line, Rectangle, VGroup

    from scenes.parts.bars import Bars
    from scenes.parts.clock_field import ClockField, Visitor
    from scenes.parts.grid import shade
    from scenes.parts.hands import vectors
    from scenes.parts.heat_map import HeatMap
    from scenes.parts.height_clocks import HeightClocks
    from scenes.parts.lanes import Band, Lanes, Span
    from scenes.parts.motion import Drive, recolor
    from scenes.parts.notes import Notes
    from scenes.parts.readout import Readout
    from scenes.parts.rowbars import TokenGrid
    from scenes.parts.text import Formula, Label, Number, text_width
    from scenes.style.layout import PX, Region
    from scenes.style.theme import mix
    from scenes.style.type import LABEL, MIN_SIZE, SMALL

MOST_WORDS = 12
_TALL = 1.3
"""How much taller than wide the cells of a grid may be."""
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
        head = PreviousTokenHead(len(self.tokens), self.d_head, alpha, self.base)
        return ScoreRow(head, self.m, self.tokens)


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
    subtitle = "How does “{asker}”, at position {m}, find the token before it?"
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
            "asker": values.asker,
            "target": values.target,
            "answer": values.answer,
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


class ScoreAsClockSum(Stage):
    """The score adds up the heights of the clock hands; only at the target do all point up."""

    class Inputs(AskingInputs):
        """A position that asks."""

    title = "The score adds up clock hands"
    subtitle = "How well does the query of “{asker}”, at position {m}, fit each key?"
    caption = (
        "Only at D = 0, the token before, do all hands point up: {best:.6g}. "
        "The next best sum is {runner_up:.6g}."
    )

    notes = (
        "Hand by hand, key $n$ stands $D = n - m + 1$ steps from query $m$.",
        "How high each hand reaches, added up: the score, but for its factor $alpha$.",
        "{slow_hands}",
        "One step before the query, at $D = 0$, every hand points up.",
    )

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row()

    @classmethod
    def facts(cls, values: ScoreRow) -> dict[str, Fact]:
        n_hands, n_slow = values.head.d_head // 2, int(values.steady.sum())
        return {
            "m": values.m,
            "asker": values.asker,
            "target": values.target,
            "answer": values.answer,
            "n_tokens": values.head.n_tokens,
            "n_hands": n_hands,
            "n_shown": min(n_hands, 16),
            "n_slow": n_slow,
            "slow_hands": _slow_hands(n_slow),
            "best": float(values.sums[values.target]),
            "runner_up": values.runner_up,
            "lead": float(values.sums[values.target]) - values.runner_up,
        }

    @classmethod
    def claims(cls, values: ScoreRow) -> list[Claim]:
        best = int(values.sums.argmax())
        return [
            Claim(
                "the token before the query has the largest sum, and no other has it",
                bool(best == values.target and values.runner_up < values.sums[best]),
                f"key {best} has {values.sums[best]}, the next {values.runner_up}",
            )
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "positions": values.head.positions,
            "offsets": values.offsets,
            "angles": values.angles,
            "heights": values.heights,
            "sums": values.sums,
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        self.say = Notes([fill(note, facts) for note in self.notes], self.canvas)
        canvas = self.say.above
        left, right = canvas.columns(10, 11, gap=0.6) if canvas.wide else canvas.rows(6, 5)
        foot, clocks = left.cut_bottom(0.95, gap=0.3)
        self.theta = self.values.head.theta
        self.clocks = HeightClocks(len(self.theta), clocks, self.values.steady)
        offset, total = foot.columns(2, 3)
        self.offset = Readout(
            "steps apart, D",
            0,
            ".0f",
            offset.point(0, 1),
            width=offset.width,
            color=self.theme.text_color("position"),
        )
        self.total = Readout(
            "heights added up, f(D)",
            float(len(self.theta)),
            ".4f",
            total.point(0, 1),
            width=total.width,
            color=self.theme.text_color("attention"),
        )
        self._lay_chart(right)
        self._difference()
        self._heights()
        self._walk()
        self._all_up()

    def _lay_chart(self, region: Region) -> None:
        """A bar for every key, with its word, if there is room, and its offset below."""
        tokens, sums = self.inputs.tokens, self.values.sums
        name = Label("D", size=SMALL, color=self.theme.muted).put(region.point(0, 0))
        region = Region(region.left + 0.3, region.bottom, region.right, region.top)
        top, body = region.cut_top(SMALL * PX * 1.2, gap=0.12)
        fits = max(text_width(t, SMALL) for t in tokens) < region.width / len(tokens) - 0.1
        labels, body = body.cut_bottom(SMALL * PX * (2.9 if fits else 1.5), gap=0.0)
        low = min(0.0, float(sums.min()))
        self.bars = Bars(0 * sums, body, high=float(len(self.theta)), low=low)
        middles = [
            np.array([self.bars.middle(n), labels.bottom + 0.08, 0]) for n in range(len(sums))
        ]
        up = np.array([0.0, SMALL * PX * 1.4, 0.0])
        self.words = [
            Label(t, size=SMALL, color=self.theme.muted, align="center").put(place + up)
            for t, place in zip(tokens, middles, strict=True)
            if fits
        ]
        color = self.theme.text_color("position")
        steps = [
            Number(int(d), "d", size=SMALL, color=color).put(place)
            for d, place in zip(self.values.offsets, middles, strict=True)
        ]
        self.axis = VGroup(name.shift([0, 0.08, 0]), *self.words, *steps)
        height = self.bars.area.top
        line = Line((region.left, height, 0.0), (region.right, height, 0.0))
        line.set_stroke(self.theme.hairline, 2)
        most = Number(
            len(self.theta),
            "d",
            size=SMALL,
            color=self.theme.muted,
            align="right",
            prefix="all hands up: ",
        )
        self.most = VGroup(line, most.put(top.point(1, 0) + np.array([0.0, 0.06, 0.0])))

    def _difference(self) -> None:
        """What is compared: the key's hands against the query's, so many steps apart."""
        self.beat("difference")
        self.play(FadeIn(self.clocks, self.offset, self.axis), self.say.say(0))
        self.play(self._to(0, run_time=2.0), *self._light(0))
        self.rest(self.notes[0][25:])

    def _heights(self) -> None:
        """Heights, added up, make one number: a bar."""
        self.beat("heights")
        self.total.number.set_value(float(self.values.sums[0]))
        self.play(FadeIn(self.clocks.gauges), self.say.say(1))
        self.play(FadeIn(self.total, self.bars))
        self.play(self._grow(0))
        self.rest(self.notes[1][40:])

    def _walk(self) -> None:
        """Key by key; the slow hands do not mind, the fast ones do."""
        self.beat("walk")
        slow = VGroup(self.clocks.hands[1], self.clocks.levels[1])
        self.play(self.say.say(2), recolor(slow, self.theme.muted))
        step = min(1.0, 7.0 / len(self.values.sums))
        for n in range(1, len(self.values.sums)):
            self.play(
                self._to(n, run_time=step),
                self._grow(n, run_time=step),
                recolor(self.bars.bars[n - 1], self.theme.muted, run_time=step),
                *self._light(n),
            )

    def _all_up(self) -> None:
        """At the token before the query, and only there, the sum is as large as it can be."""
        self.beat("all up")
        target, last = self.values.target, len(self.values.sums) - 1
        self.play(
            self._to(target, run_time=1.6),
            recolor(self.bars.bars[last], self.theme.muted),
            *self._light(target),
            self.say.say(3),
        )
        self.play(recolor(self.bars.bars[target], self.theme.attention), FadeIn(self.most))
        self.rest(self.notes[3][30:])
        self.play(self.say.hush())

    def _to(self, n: int, run_time: float) -> Drive:
        """Turn the clocks to key `n`, the numbers with them."""

        def show(offset: NDArray[np.float64]) -> None:
            self.clocks.show(offset * self.theta[self.clocks.indices])
            self.offset.number.set_value(float(offset))
            self.total.number.set_value(float(np.cos(offset * self.theta).sum()))

        start, end = self.offset.number.value, float(self.values.offsets[n])
        return Drive(self.clocks, show, start, end, run_time=run_time)

    def _light(self, n: int) -> list[Drive]:
        """Let the word of key `n` have the colour of keys, and no other word."""
        return [
            recolor(word, self.theme.key if k == n else self.theme.muted, run_time=0.4)
            for k, word in enumerate(self.words)
        ]

    def _grow(self, n: int, run_time: float = 1.0) -> Drive:
        values = np.where(np.arange(len(self.values.sums)) <= n, self.values.sums, 0.0)
        return self.bars.to(values, run_time=run_time)


def _slow_hands(n: int) -> str:
    """What the hands that hardly move do for the sum."""
    if n == 0:
        return "Key by key, the hands come closer, then part again."
    if n == 1:
        return "Key by key. The slowest hand hardly notices: it always adds almost 1."
    return f"Key by key. The {n} slow hands hardly notice: they always add almost {n}."


class SubDiagonal(Stage):
    """Scores fill row by row, softmax makes a pattern of them, and the sub-diagonal appears."""

    class Inputs(AskingInputs, HeadInputs):
        """A head, and the row of it that is looked at."""

    title = "The sub-diagonal appears"
    subtitle = "Each row is one token asking. Where does its attention go?"
    caption = (
        "Every row but the first gives its largest share, {worst_mass:.1%} or more, "
        "to the token before it."
    )

    notes = (
        "Every pair has a score, here with $alpha$ = {alpha}. Keys after the query are masked.",
        "Softmax turns each row of scores into shares of attention.",
        "“{asker}” asks at {m}; the key that fits best stands at {target}.",
        "Every row does so, one step down: a line just below the diagonal.",
        "The first token has none before it. The mask leaves it only itself.",
    )

    inputs: Inputs
    values: ScoreRow

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row(inputs.alpha)

    @classmethod
    def facts(cls, values: ScoreRow) -> dict[str, Fact]:
        head = values.head
        return {
            "alpha": head.alpha,
            "n_tokens": head.n_tokens,
            "m": values.m,
            "asker": values.asker,
            "target": values.target,
            "answer": values.answer,
            "first": values.tokens[0],
            "mass": float(head.pattern[values.m, values.target]),
            "worst_mass": head.worst_mass,
            "worst_row": head.worst_row,
            "mean_mass": head.mean_mass,
            "first_mass": float(head.pattern[0, 0]),
            "alpha_99": head.alpha_99,
        }

    @classmethod
    def claims(cls, values: ScoreRow) -> list[Claim]:
        torn, first = values.head.torn_rows.tolist(), float(values.head.pattern[0, 0])
        return [
            Claim(
                "every row but the first gives the token before it most",
                values.head.finds_target,
                f"rows {torn} do not",
            ),
            Claim("the first token attends to itself alone", first == 1, f"{first}"),
        ]

    @classmethod
    def arrays(cls, values: ScoreRow) -> dict[str, NDArray[Any]]:
        return {
            "positions": values.head.positions,
            "scores": values.head.scores,
            "pattern": values.head.pattern,
        }

    def construct(self) -> None:
        self.say = Notes([fill(n, self.facts(self.values)) for n in self.notes], self.canvas)
        canvas = self.say.above
        side, main = canvas.beside(2, 3) if canvas.wide else canvas.cut_top(1.2)
        self.corners = side.rows(1, 1, 1) if canvas.wide else side.columns(1, 1, 1)
        scores, pattern = side.rows(1, 1, gap=0.2) if canvas.wide else side.columns(5, 6)
        self.formulas = [
            Formula("query(q_m)^top key(k_n) = alpha thin f(n - m + 1)").fit(scores.width),
            Formula('A_(m n) = "softmax"_n (query(q_m)^top key(k_n))').fit(pattern.width),
        ]
        em = min(formula.em for formula in self.formulas)
        for formula, region in zip(self.formulas, (scores, pattern), strict=True):
            formula.scale(em / formula.em).move_to(region.center)
        self.visible = np.tri(len(self.inputs.tokens), dtype=np.bool_)
        self.table = TokenGrid(
            np.zeros(self.visible.shape), self.inputs.tokens, main, tallest=_TALL
        )
        self.grid = self.table.grid
        self._scores()
        self._softmax()
        self._row()
        self._every_row()
        self._first_row()
        self.play(self.say.hush())

    def _scores(self) -> None:
        """Every pair has a score; a query does not see the keys after it."""
        self.beat("scores")
        scores = self.values.head.scores
        low, high = float(scores[self.visible].min()), float(scores[self.visible].max())
        self.low, self.high = low - 0.25 * (high - low), high
        spec = self._fitting(scores[self.visible], [".1f", ".0f"])
        self.grid.rescale(self.low, self.high, spec=spec, write_above=0.1)
        self.grid.show(np.full(scores.shape, self.low))
        self.play(FadeIn(self.table, self.formulas[0]), self.say.say(0))
        step = min(0.6, 4.0 / len(scores))
        for m, row in enumerate(scores):
            self.play(self.grid.row_to(m, row, run_time=step))
        self.rest(self.notes[0][70:])

    def _softmax(self) -> None:
        """Shares instead of scores: the largest score takes almost all."""
        self.beat("softmax")
        pattern = self.values.head.pattern
        written = VGroup(*self.grid.numbers.values())
        self.play(
            self.say.say(1),
            FadeIn(self.formulas[1]),
            *([FadeOut(written)] if len(written) else []),
        )
        self.grid.rescale(0.0, 1.0, spec=None)
        self.grid.show(shade(self.values.head.scores, self.low, self.high))
        self.play(self.grid.to(pattern, run_time=2.0))
        band = [(0, 0), *((m, m - 1) for m in range(1, len(pattern)))]
        spec = self._fitting(np.array([pattern[cell] for cell in band]), [".1%", ".3f"])
        self.shares = VGroup(*(self._share(cell, spec) for cell in band if spec))
        if spec:
            self.play(FadeIn(self.shares), run_time=0.6)
        self.rest(self.notes[1][40:])

    def _row(self) -> None:
        """One row, read: who asks, who answers, how much."""
        self.beat("row")
        m, target = self.inputs.m, self.values.target
        self._column_color = str(self.table.columns[target].get_fill_color().to_hex())
        self.cross = VGroup(
            self._frame((m, 0), (m, m), self.theme.query),
            self._frame((target, target), (m, target), self.theme.key),
            *self._tags(m, target),
        )
        share = self._readout(0, "“{asker}” gives “{answer}”", "mass")
        self.play(FadeOut(*self.formulas), run_time=0.4)
        self.play(
            self.say.say(2),
            FadeIn(self.cross),
            recolor(self.table.rows[m][0], self.theme.query),
            recolor(self.table.columns[target], self.theme.key),
        )
        self.play(FadeIn(share), run_time=0.6)
        self.rest(self.notes[2][20:])

    def _every_row(self) -> None:
        """All rows do the same, so the cells that count lie on a line."""
        self.beat("every row")
        cells = [(m, m - 1) for m in range(1, len(self.inputs.tokens))]
        frames = [self._frame(cell, cell, self.theme.ink) for cell in cells]
        worst = self._readout(1, "every row, at least", "worst_mass")
        self.play(
            FadeOut(self.cross),
            self.say.say(3),
            recolor(self.table.rows[self.inputs.m][0], self.theme.token),
            recolor(self.table.columns[self.values.target], self._column_color),
        )
        self.play(LaggedStart(*(FadeIn(frame) for frame in frames), lag_ratio=0.3, run_time=1.6))
        self.play(FadeIn(worst), run_time=0.6)
        self.rest(self.notes[3][45:])

    def _first_row(self) -> None:
        """The exception: nothing before it, so it keeps to itself."""
        self.beat("first row")
        frame = self._frame((0, 0), (0, 0), self.theme.position)
        alone = self._readout(2, "the first gives itself", "first_mass")
        self.play(FadeIn(frame), self.say.say(4))
        self.play(FadeIn(alone), run_time=0.6)
        self.rest(self.notes[4][45:])

    def _fitting(self, values: NDArray[np.float64], specs: list[str]) -> str | None:
        """The first format in which every value can be read inside a cell."""
        for spec in specs:
            widest = max(text_width(format_fact(float(v), spec), MIN_SIZE) for v in values)
            if widest < self.grid.cell_width - 0.06:
                return spec
        return None

    def _share(self, cell: tuple[int, int], spec: str) -> Number:
        value = float(self.values.head.pattern[cell])
        widest = text_width(format_fact(1.0, spec), 1.0)
        size = min(LABEL, max(MIN_SIZE, 0.8 * self.grid.cell_width / widest))
        ink = self.theme.ink_on(mix(self.theme.panel, self.theme.attention, value))
        number = Number(value, spec, size=size, weight="semibold", color=ink)
        return number.center_on(self.grid.middle(*cell))

    def _frame(self, first: tuple[int, int], last: tuple[int, int], color: str) -> Rectangle:
        """A frame around a block of cells."""
        a, b = self.grid.middle(*first), self.grid.middle(*last)
        size = np.abs(b - a)
        frame = Rectangle(
            width=size[0] + self.grid.cell_width,
            height=size[1] + self.grid.cell_height,
            stroke_width=4,
        )
        return frame.set_stroke(color).move_to((a + b) / 2)

    def _tags(self, m: int, target: int) -> list[Formula]:
        """q beside the row's frame and k over the column's, where cells are masked or empty."""
        last = len(self.inputs.tokens) - 1
        spots = {
            "query(q_m)": (m, m + 1) if m < last else (m, 0) if target else None,
            "key(k_n)": (target - 1, target) if target else (m + 1, 0) if m < last else None,
        }
        return [
            Formula(symbol, size=min(28, 0.6 * self.grid.cell_height / PX)).move_to(
                self.grid.middle(*spot)
            )
            for symbol, spot in spots.items()
            if spot
        ]

    def _readout(self, place: int, meaning: str, fact: str) -> Readout:
        facts, region = self.facts(self.values), self.corners[place]
        value = float(facts[fact])
        color = self.theme.text_color("attention")
        return Readout(
            fill(meaning, facts), value, ".1%", region.point(0, 1), width=region.width, color=color
        )
