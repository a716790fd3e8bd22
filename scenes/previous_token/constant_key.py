"""Every token gives the same key. No linear map can do that; one constant coordinate can."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, Rectangle, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.constant_key import TextKeys
from model.embedding import AMPLITUDE
from model.tokens import spread_over_vocabulary
from scenes.facts import Fact, fill
from scenes.parts.clocks.clock_field import ClockField
from scenes.parts.matrices.heat_map import HeatMap
from scenes.parts.tokens.lanes import Band, Lanes, Span
from scenes.previous_token.common import MOST_WORDS, KeyInputs
from scenes.stage import Finding, Slide
from scenes.style.layout import PX, Region
from scenes.style.text import Number
from scenes.style.type import CAP_HEIGHT, SMALL, X_HEIGHT


class ConstantKey(Slide):
    """Every token gives the same key. No linear map can do that; one constant coordinate can."""

    class Inputs(KeyInputs):
        n_vocab: int = Field(
            26, ge=MOST_WORDS, le=26, description="tokens in the vocabulary, the text's among them"
        )
        d_model: int = Field(32, ge=2, le=64, description="length of a token's vector")

    title = "Every token gives the same key"
    question = "How can a head see where a token stands, and not what it is?"
    caption = "The key says where a token stands, not what it is: one key, turned by position."

    notes = (
        "Each token has a vector of its own.",
        "Wanted: the same key from all, every hand up.",
        "Opposite vectors, opposite readings: a linear map is off by {residual:.2f} at best.",
        "Add one coordinate, the same 1 in every vector: that can be read.",
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
            "n_shown": min(n_hands, 2),
            "residual": values.reader.residual,
            "error": values.error,
        }

    @classmethod
    def checks(cls, values: TextKeys) -> list[Finding]:
        return [
            Finding("W_k makes the same key of every token", values.error == 0, f"{values.error}"),
            Finding(
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
            "turned": values.phases,
            "degrees_a_step": np.rad2deg(values.frequencies),
            "positions": np.arange(len(values.indices)),
        }

    def construct(self) -> None:
        facts = self.facts(self.values)
        bands = [
            Band("vector", 1.9, "vector"),
            Band("map", 0.7, "map reads"),
            Band("key", 2.4, fill("key\n{n_shown} of {n_hands} hands", facts)),
        ]
        self.lanes = Lanes(self.inputs.tokens, self.canvas, bands, slimmest=0.8)
        self.shown = int(facts["n_shown"])
        self._tokens()
        self._linear_map()
        self._constant()
        self._positions()

    def _tokens(self) -> None:
        """The viewer sees that the tokens differ, in their vectors as in their letters."""
        self.beat("tokens")
        strips = VGroup(*(self._strip(k) for k in range(len(self.inputs.tokens))))
        self.play(FadeIn(VGroup(*self.lanes.labels)), self.say(0), run_time=0.8)
        self.play(FadeIn(strips), FadeIn(self.lanes.names["vector"]))
        self.let_read(least=0.3)

    def _linear_map(self) -> None:
        """The best linear map reads nothing that all tokens share: no hands on the clocks."""
        self.beat("linear")
        spans, count = self.lanes.spans, len(self.inputs.tokens)
        self.field = ClockField(self.lanes, spans["key"], count, self.shown)
        wanted = self.field.ghosts(self._upright(np.ones(count)))
        self.mapped = self._readings(self.values.linear_readings)
        self.play(
            self.say(1),
            FadeIn(self._bar(), self.lanes.names["map"]),
            FadeIn(self.field, wanted, self.lanes.names["key"]),
        )
        self.let_read()
        self.play(FadeOut(wanted), FadeIn(self.mapped), self.say(2))
        self.play(self.field.to(self._upright(self.values.linear_readings)))
        self.let_read()

    def _constant(self) -> None:
        """One coordinate that is always 1 is all that the map needs."""
        self.beat("constant")
        ones = self.values.keys[:, 0]
        self.play(self.say(3), FadeIn(*(self._one(k) for k in range(len(ones)))))
        self.play(FadeOut(self.mapped), run_time=0.4)
        right = self._readings(ones, right=True)
        self.play(FadeIn(right), self.field.to(self._upright(ones)), run_time=1.2)
        self.let_read()

    def _positions(self) -> None:
        """Position is all that tells the keys apart."""
        self.beat("positions")
        turned = self.values.phases[:, : self.shown]
        self.play(self.say(4), FadeIn(*self.lanes.positions))
        self.play(self.field.turn(0 * turned, turned, run_time=2.6))
        self.let_read(least=0.5)

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
        drop = np.array([0.0, (CAP_HEIGHT - X_HEIGHT) / 2 * SMALL * PX, 0.0])
        return VGroup(cell, one.center_on(box.center - drop))

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
