"""Softmax of dot products is nearly uniform; softmax of log-likelihoods gives probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.posterior import Belief, belief
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Handle,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut

_SHARE = ".1%"
_MOST_NAMED = 3
"""Most tied rotations that a sentence lists."""
_MOST_TIME = 6.0
"""Longest time for reading all letters, in seconds."""
_HALF = 4.0
"""Largest half width of the last chart, in units."""
_NAMES, _NUMBERS = 32.0, 40.0
"""Sizes of its names and numbers, in pixels at 720p."""
_CHANCES = Scale(0.0, 1.0, (0.0, 0.5, 1.0), ".0%")
"""The axis of probabilities."""


def _end_sentence(values: Belief) -> str:
    key = "and the key is {cryptogram.rotation}"
    if values.is_tied:
        if values.n_leaders > _MOST_NAMED:
            return f"In the end {values.n_leaders} rotations share the largest chance."
        names = listed(map(str, values.leaders.tolist()))
        return f"In the end rotations {names} share the largest chance."
    if values.is_read and values.is_sure:
        return "From {sure_after} characters on, rotation {found} keeps over {sure_share:.0%}."
    if values.is_read:
        return "In the end rotation {found} is most likely, which is right, and {chance:.0%} sure."
    return f"In the end rotation {{found}} is most likely, at {{chance:.0%}}, {key}."


class Posterior(Stage[Belief]):
    """Softmax of dot products says little; softmax of summed logarithms gives probabilities."""

    Inputs = CryptogramInputs
    title = "How sure may it be?"
    caption = (
        "Nearly: over all windows of {stretch} characters, it claims to be {said_share:.0%} sure "
        "on average, and is right in {read_share:.0%}."
    )
    opens = ("message", "rotations", "scores")
    leaves = ("message",)

    handles = (
        Handle(
            "text",
            ("meet me at the tree at ten", "to be or not to be", "attack at dawn", "jazz quiz"),
            beat="ended",
        ),
    )

    compute = belief

    def layout(self) -> None:
        self.message = Ciphertext(self["cryptogram.ciphertext"])
        below = place_message(self.canvas, self.message)
        scores = self["cryptogram.dot_products"]
        self.rotations = score_chart(self, "cryptogram.dot_products")
        self.scores = score_bars(scores, self.rotations)
        self.most = Readout(self["largest"][1], _SHARE, words="the largest chance")
        scale = Scale(0.0, 1.0, line=False)
        self.checked = Chart(slots(self["calibration_names"]), scale, size=_NAMES)
        look: dict[str, Any] = {"spec": ".0%", "size": _NUMBERS, "grown": False}
        self.held = Bars(self["calibration"], self.checked, "probability", **look)
        self.held.recolor(1, "right").interpolate(1.0)
        middle, half = below.center[0], min(_HALF, below.width / 2)
        self.checked.place(replace(below, left=middle - half, right=middle + half))
        small = self.rotations.y.scaling
        self.rotations.y.rescale(_CHANCES)
        beside = Row(self.rotations, self.most, weights=(5, 1))
        under = Column(self.rotations, self.most, weights=(5, 1))
        fit(below, *((beside, under) if self.canvas.wide else (under, beside)))
        self.rotations.y.rescale(small)
        self.rotations.place_area(self.rotations.area)
        self.even = Rule(self["even"], self.rotations, "1 in 26", align="left")

    @beat(
        "How sure can it be of a key? Dot products differ so little that softmax makes them nearly "
        "alike."
    )
    def level(self) -> Steps:
        self.even.redraw()
        yield 0.6 * together(
            self.scores.to(self["dot_shares"]),
            self.scores.recolor(range(N_ROTATIONS), "probability"),
        )
        yield FadeIn(self.even)

    @beat(
        "With logarithms, they do. After one letter, rotation {first_guess} makes “{first_letter}” "
        "an “e”, and has {first_chance:.1%}: just as often as “e” occurs.",
        ask="Could these shares say how likely a rotation is?",
    )
    def first(self) -> Steps:
        dark = self.message.light_to(0, start=self.values.cryptogram.n_tokens)
        yield 0.3 * together(self.rotations.rescale(y=_CHANCES), dark)
        yield together(FadeOut(self.even), self.message.light_to(1), run_time=0.4)
        self.rotations.marks.remove(self.even)
        yield 0.3 * together(self.scores.to(self["chances"][1]), FadeIn(self.most))

    @beat(
        "Each further letter multiplies every bar by how often it occurs in that rotation.",
        when=lambda values: values.cryptogram.n_tokens > 1,
    )
    def run(self) -> Steps:
        """Read slowly at first, while much is undecided, then faster and faster."""
        n = self.values.cryptogram.n_tokens
        time = min(_MOST_TIME, max(0.8 * self.reading, 0.5 * n))
        options: dict[str, Any] = {
            "run_time": time,
            "rate_func": lambda share: min(share, 1.0) ** 3,
        }
        yield (
            self.message.light_to(n, start=1, **options),
            self.scores.through(self["chances"][1:], **options),
            self.most.through(self["largest"][1:], **options),
        )

    @beat(_end_sentence, rest=REST)
    def ended(self) -> Steps:
        leaders = self.values.leaders.tolist()
        others = [r for r in range(N_ROTATIONS) if r not in leaders]
        dims = [self.scores.dim_bars(others, run_time=0.4 * self.reading)]
        if self.values.is_read and self.values.is_sure:
            dims.append(self.message.focus(range(self.values.sure_after), run_time=1.0))
        yield dims
        if not self.values.is_tied:
            self.found = Found(self["found"], self.scores, spec=_SHARE, role="probability")
            self.found.redraw()
            yield FadeIn(self.found)

    @beat(CAPTION, ask="Can we trust such a number?", rest=REST)
    def believed(self) -> Steps:
        yield self.screen(self.message, self.checked)
        self.add(self.held)
        yield 0.3 * self.held.grow([0])
        yield 0.3 * self.held.grow([1])
