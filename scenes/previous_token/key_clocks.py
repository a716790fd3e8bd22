"""One key for every token, drawn as clocks: alike at first, then each is turned to its own time."""

from __future__ import annotations

from manim import VGroup

from clockhead.model.films.previous_token.constant_key import OneKey, one_key
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.previous_token.constant_key import ConstantKey
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.tiles import ROW
from clockhead.scenes.stage import CAPTION, Claim, FadeIn, FadeOut, Stage, Steps, beat


class KeyClocks(Stage[OneKey]):
    """All tokens have the same key; RoPE turns each by its position."""

    class Inputs(ConstantKey.Inputs):
        """The text, and the vectors of its tokens."""

    title = "One clock, many times"
    caption = (
        "Then RoPE turns each key by its position: the same clock, but each shows a different time."
    )
    opens = ("tiles",)
    leaves = ("tiles", "dials", "tags", "note")
    claims = (
        Claim(
            "every token gets the same key",
            lambda v: v.error == 0,
            "off by {error}",
        ),
    )

    compute = one_key

    def layout(self) -> None:
        lanes = KeyLanes.fitting(self, self.values.row, "row.", size=ROW)
        self.tiles, clocks = lanes.tiles, lanes.dials
        self.hands = Hands(self["key_pairs"], clocks, "key")
        self.dials = VGroup(clocks, self.hands)
        self.tags, self.note = lanes.tags(), lanes.note()
        self.constants, self.speeds = lanes.tags("c"), lanes.speeds(self["degrees"])

    @beat(
        "Now every token has the same key. Two numbers make a clock hand: all hands agree.",
        focus="dials",
    )
    def clocks(self) -> Steps:
        yield FadeIn(self.dials, run_time=1.4)
        yield FadeIn(self.constants, self.note, run_time=0.8)

    @beat(CAPTION, focus="dials")
    def turn(self) -> Steps:
        keys = self["rotated_key_pairs"]
        yield (
            self.hands.turn_to(keys, self.values.phases, run_time=self.reading),
            FadeOut(self.constants, run_time=0.5),
            FadeIn(self.tags, self.speeds, run_time=1.0),
        )
