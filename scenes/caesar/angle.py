"""A dot product as a shadow: how far an arrow reaches along the message's arrow."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.angle import Shadows, shadows
from clockhead.scenes.caesar.dot_products import place_over_scores
from clockhead.scenes.caesar.fan import HEAD, Axes, Fan
from clockhead.scenes.caesar.fan_marks import Bows, Heights, Shades
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.letters_chart import facing_charts
from clockhead.scenes.caesar.scores import score_chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.stage import CAPTION, REST, Stage, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut

Axis = Annotated[str, Field(pattern=r"^[a-z]?$")]
_MOST_LONGER = 1.25
"""If the message's arrow is longer than the others by more than this factor, it is cut off."""
_COUNTED = tuple(f"cryptogram.{name}" for name in ("histogram", "templates", "alphabet"))
_WORDS = 34.0
"""Size of the words that name the arrows, in pixels at 720p."""
_MOST_LIT = 3
"""Most tied leaders (rotations with the largest dot product) that are lit."""


def _rival_sentence(values: Shadows) -> str:
    others = "and so {n_others:does|do} {n_others} {n_others:other|others}."
    if values.misleads and not values.cryptogram.is_tied:
        if values.n_others:
            return (
                f"No: it is only longer. Rotation {{rival}}, found before, points closer, {others}"
            )
        return "No: it is only longer. Rotation {rival}, found before, points closer."
    if values.rules_differ:
        return "No: rotation {rival} points closer, but its arrow is shorter."
    return "With these two letters, yes: no arrow points closer than rotation {longest}."


class Angle(Stage[Shadows]):
    """A dot product as a shadow: how far an arrow reaches along the message's arrow."""

    class Inputs(CryptogramInputs):
        x: Axis = Field(
            "",
            description="the letter of the first axis, a to z; default: the one that shows best "
            "that the longest shadow need not have the smallest angle",
        )
        y: Axis = Field("", description="the letter of the second axis, a to z; default: as for x")

    title = "Every dot product is a shadow"
    caption = "So a shadow can be long for two reasons: a small angle, or just a long arrow."
    opens: ClassVar[tuple[str, ...]] = ("letters", "counted", "english")
    leaves: ClassVar[tuple[str, ...]] = ("plane", "axes", "words", "shades", "bows")

    compute = shadows

    def layout(self) -> None:
        values = self.values
        text = values.cryptogram
        self.charts = facing_charts(self, *_COUNTED)
        self.letters, self.counted = self.charts.letters, self.charts.counted
        self.english = self.charts.english
        place_over_scores(self.canvas, self.charts, score_chart(self, "cryptogram.dot_products"))
        self.english.set_to_rotation(self["cryptogram.found"])
        is_near = text.own_square < _MOST_LONGER**2 * text.length_squared
        self.plane = Fan(self["tips"][0], whole=is_near, slope=values.slope)
        words = ("own", 'residual("message")'), ("others", 'quad position("rotations of English")')
        self.words = Equation(words, size=_WORDS)
        top, rest = self.canvas.cut_top(HEAD)
        self.words.place(top)
        self.plane.place(rest)
        self.axes = Axes((self["x"], self["y"]), self["slope"], self.plane)
        self.won = [int(r) for r in text.leaders[:_MOST_LIT]]
        leaders = self["cryptogram.leaders"]
        first = self["narrowest"]
        picks = [first, self["longest"], self["rival"], *(leaders[k] for k in range(len(self.won)))]
        for rotation in picks:
            self.plane.pick(rotation)
        at = [int(p.content) for p in picks[1:]]
        self.shades = Shades(self["shadows"][0], self.plane, at)
        self.bows = Bows(self["angles"][0], self.plane, at)

    @beat("Why does that work? Keep two letters only, say “{x}” and “{y}”.")
    def two(self) -> Steps:
        kept = [int(k) for k in self.values.order[:2]]
        others = [k for k in range(N_ROTATIONS) if k not in kept]
        turned = [(k - self.values.narrowest) % N_ROTATIONS for k in kept]
        yield self.counted.dim_bars(others), self.english.focus(*turned)

    @beat(
        "Lay one bar flat and stand the other up: two heights make one arrow, the message.",
        focus="axes",
    )
    def arrow(self) -> Steps:
        own = Heights(self["pairs"][N_ROTATIONS], self.plane, "residual")
        level, own.stance = own.stance, self.charts.bar_posture(self.values.order[:2])
        own.redraw()
        self.add(own)
        yield FadeOut(self.letters, self.counted, self.english, run_time=0.8)
        yield own.take_posture(level, run_time=1.5), FadeIn(self.axes, run_time=1.5)
        yield own.meet(run_time=0.8)
        self.add(self.plane)
        yield self.plane.grow_arrows(-1), FadeIn(self.words)
        yield FadeOut(own)

    @beat("English, turned by {narrowest}, has two heights as well: another arrow.", focus="axes")
    def another(self) -> Steps:
        first = self.values.narrowest
        self.heights = Heights(self["swept"][0], self.plane, "position", grown=False)
        self.add(self.heights)
        yield self.heights.rise()
        yield self.heights.meet(run_time=0.8)
        yield self.plane.grow_arrows(first)
        yield self.plane.light(first)

    @beat("Turn English further: each rotation has an arrow of its own.", focus="axes")
    def fan(self) -> Steps:
        others = [(self.values.narrowest + k) % N_ROTATIONS for k in range(1, N_ROTATIONS)]
        slow: dict[str, Any] = {"run_time": 5.0, "rate_func": lambda s: min(s, 1.0) ** 1.7}
        self.add(self.heights, self.plane)
        yield self.heights.through(self["swept"], **slow), self.plane.grow_arrows(*others, **slow)
        yield FadeOut(self.heights), self.plane.light()

    @beat("Now turn the picture until the message points straight up.", focus="plane")
    def upright(self) -> Steps:
        yield self.plane.turn_up(run_time=2.0)

    @beat(
        "A dot product is a shadow: how far an arrow reaches along the message's, times the length "
        "of the message, which never changes.",
        focus="plane",
    )
    def shadow(self) -> Steps:
        longest = self.values.longest
        self.add(self.shades, self.plane)
        rival = self.values.rival
        yield self.plane.dim_thin(1.0), self.plane.light(rival)
        yield 0.3 * self.shades.light(rival)
        yield 0.3 * together(self.plane.light(longest), self.shades.light(longest))

    @beat(
        _rival_sentence,
        ask="No shadow is longer than that of rotation {longest}. "
        "Does it also point closest to the message?",
        rest=REST,
        focus="plane",
    )
    def rival(self) -> Steps:
        two = (self.values.longest, self.values.rival)
        self.add(self.bows, self.plane)
        yield self.plane.light(*two), self.shades.light()
        yield 0.4 * self.bows.light(*two)

    @beat(CAPTION, rest=REST, focus="plane")
    def twofold(self) -> Steps:
        """Show both shadows with both angles."""
        two = (self.values.longest, self.values.rival)
        yield 0.4 * self.shades.light(*two)
