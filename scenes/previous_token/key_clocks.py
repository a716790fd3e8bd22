"""The keys as clocks: the same for all tokens, until RoPE turns each by its position."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from clockhead.model.films.previous_token.constant_key import OneKey, one_key
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.previous_token.constant_key import ConstantKey
from clockhead.scenes.previous_token.key_lanes import KeyLanes
from clockhead.scenes.previous_token.tiles import ONE, ROW
from clockhead.scenes.stage import CAPTION, Claim, FadeIn, FadeOut, Stage, Steps, beat
from clockhead.scenes.style.motion import slide

_ASIDE = np.array([0.2, 0.0, 0.0])
"""Shift of a key's second number from the first, in units."""


def _hand_count(keys: OneKey) -> str:
    if keys.row.head.n_pairs == 1:
        return "Two numbers make a clock hand: 1 up, 0 to the side. A key has one hand here."
    return (
        "Two numbers make a clock hand: 1 up, 0 to the side. "
        "A key of {row.head.d_head} numbers has {row.head.n_pairs} hands."
    )


class KeyClocks(Stage[OneKey]):
    """The keys as clocks: the same for all tokens, until RoPE turns each by its position."""

    Inputs = ConstantKey.Inputs
    title = "One clock, many times"
    caption = (
        "Then RoPE turns each key by its position, every hand at its own speed: "
        "one clock, many times."
    )
    opens = ("tiles", "ones")
    leaves = ("tiles", "dials", "tags", "note")
    claims = (
        Claim("every token has the same key", lambda v: v.error == 0, "they differ by {error}"),
    )

    compute = one_key

    def layout(self) -> None:
        lanes = KeyLanes.choose(self, self.values.row, "row.", size=ROW)
        self.tiles, clocks = lanes.tiles, lanes.dials
        self.hands = Hands(self["key_pairs"], clocks, "key")
        self.dials = VGroup(clocks, self.hands)
        self.tags, self.note = lanes.tags(), lanes.note()
        color, pairs = self.theme.text_color("key"), self["key_pairs"]
        self.ones, self.zeros = (
            VGroup(
                *(
                    Figure(pairs[k][0][i], ".0f", size=ONE, color=color).put(
                        lanes.dial_at(k, 0) + i * _ASIDE
                    )
                    for k in range(len(pairs))
                )
            )
            for i in (0, 1)
        )
        self.constants, self.speeds = lanes.tags("c"), lanes.speeds(self["degrees"])

    @beat(_hand_count, focus="dials")
    def clocks(self) -> Steps:
        yield slide(self.ones, -_ASIDE), FadeIn(self.zeros)
        yield 1.0
        yield FadeOut(self.ones, self.zeros, run_time=0.5), FadeIn(self.dials, run_time=1.0)
        yield FadeIn(self.constants, self.note, run_time=0.8)

    @beat(CAPTION, focus="dials")
    def turn(self) -> Steps:
        keys = self["rotated_key_pairs"]
        yield (
            self.hands.turn_to(keys, self.values.phases, run_time=self.reading),
            FadeOut(self.constants, run_time=0.5),
            FadeIn(self.tags, self.speeds, run_time=1.0),
        )
