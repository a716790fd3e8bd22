"""Why logarithms: one letter that is rare in English makes a product collapse, but not a sum."""

from __future__ import annotations

from typing import Any

from manim import Create, RoundedRectangle
from pydantic import Field

from clockhead.model.films.caesar.ruled_out import TwoReadings, two_readings
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Row,
    Stage,
    StageInputs,
    Steps,
    beat,
    together,
    wide_or_tall,
)
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

ENGLISH: Role = "position"
"""Colour of English's frequencies."""
_ROLES: tuple[Role, Role] = ("right", "wrong")
"""Colours of the right and of the wrong reading."""
_NUMBER = 0.78
"""Width of a number above a bar, in units."""
_NUMBERS, _NAMES = 24.0, 30.0
"""Sizes of the numbers above bars and of the letters below them, in pixels at 720p."""
_OVER = 1.12
"""Height of a chart relative to its tallest bar."""
_UNDER = 0.3
"""Room for the letters below bars, in units."""
_ABOVE = 0.02
"""How far an axis extends above 0, relative to its range, so that bars hang from a line."""
_EACH, _SLOW = 0.4, 1.6
"""Duration of each letter, and of the decisive one, in seconds."""


class RuledOut(Stage[TwoReadings]):
    """One letter that is rare in English makes a product collapse but hardly changes a sum."""

    class Inputs(StageInputs):
        """The rotation of a short message."""

        short_rotation: int = Field(
            3, ge=0, le=25, description="rotation of the short message, in places"
        )

    title = "One rare letter is enough"
    caption = (
        "Logarithms turn a product into a sum. So the same network can do it, if its unembedding "
        "holds logarithms."
    )
    opens = ("right", "wrong", "both")
    compute = two_readings

    def layout(self) -> Any:
        high = float(max(self["right_shares"].array.max(), self["wrong_shares"].array.max()))
        self.right, self.right_bars = self._chart("right", high)
        self.wrong, self.wrong_bars = self._chart("wrong", high)
        most = _OVER * float(self.values.sums.max())
        self.added, self.shared = Scale(0.0, most, line=False), Scale(0.0, _OVER, line=False)
        self.both = Chart(slots(self["names"]), self.added, size=_NAMES, least=(3.0, 1.0))
        self.sums = Bars(self["sums"][0], self.both, _ROLES[0], spec=".2f", size=_NAMES)
        self.products = Bars(self["odds"][0], self.both, _ROLES[0], spec=".0%", size=_NAMES)
        for bars in (self.sums, self.products):
            bars.recolor(1, _ROLES[1]).interpolate(1.0)
        self.letters = (self.right_bars, self.wrong_bars)
        words = Column(self.right, self.wrong)
        return wide_or_tall(
            Row(words, self.both, weights=(3, 2), gap=0.6),
            Column(words, self.both, weights=(2, 1), gap=0.4),
        )

    def _chart(self, which: str, high: float) -> tuple[Chart, Bars]:
        """The chart of one reading's letters, with their frequencies in English as bars."""
        names = self[f"{which}_letters"]
        room = (len(names) * _NUMBER, 0.6)
        chart = Chart(slots(names), Scale(0.0, high, line=False), size=_NAMES, least=room)
        shares = self[f"{which}_shares"]
        return chart, Bars(shares, chart, ENGLISH, spec=".1%", size=_NUMBERS, grown=False)

    @beat(
        "Turn a short message back in two ways: “{message.text}” is right, “{message.decoded}” "
        "has the largest dot product. Bars are how often English uses each letter."
    )
    def two(self) -> Steps:
        self.add(self.right_bars, self.wrong_bars)
        yield 0.3 * together(self.right_bars.grow(lag=0.5), self.wrong_bars.grow(lag=0.5))

    @beat(
        "Add up the shares, and the wrong one wins. Its “{rarest}”, which English hardly has, adds "
        "almost nothing, and that is all.",
        rest=REST,
    )
    def add_up(self) -> Steps:
        yield FadeIn(self.sums)
        yield from self._read(self.sums, "sums", _EACH)

    @beat(
        "“{rarest}” multiplies the product by {rarest_share:.1%}, and it collapses.",
        ask="How likely is each as English? That is the product of the shares. What will change?",
        rest=REST,
    )
    def multiply(self) -> Steps:
        yield FadeOut(self.both, self.sums)
        self.both.y.rescale(self.shared)
        self.both.place_area(self.both.area)
        yield FadeIn(self.both, self.products)
        yield from self._read(self.products, "odds", _SLOW)

    def _read(self, totals: Bars, path: str, decisive: float) -> Steps:
        """Add or multiply the letters one after another."""
        n, rarest = len(self.values.right_letters), self.values.rarest_place
        yield [bars.dim_bars(range(n), run_time=0.3) for bars in self.letters]
        for k in range(n):
            time = decisive if k == rarest else _EACH
            lit = [bars.recolor(k, ENGLISH, run_time=time) for bars in self.letters]
            yield *lit, totals.to(self[path][k + 1], run_time=time)

    @beat(
        "It never recovers: one impossible letter rules a rotation out. In the end, the right one "
        "is {n_times:.0f} times as likely.",
        rest=REST,
    )
    def ruled_out(self) -> Steps:
        area, k = self.wrong.area, self.values.rarest_place
        wide, high = 0.9 * self.wrong.x.pitch, area.height + 2 * _UNDER
        frame = RoundedRectangle(width=wide, height=high, corner_radius=0.1)
        frame.move_to((float(self.wrong.x.at(k)), area.center[1] - _UNDER, 0.0))
        self.framed = frame.set_stroke(self.theme.wrong, 4)
        yield Create(self.framed)

    @beat(CAPTION, rest=REST)
    def logarithms(self) -> Steps:
        """Replace the bars by their logarithms, which point down."""
        yield FadeOut(self.framed), *(bars.unwrite() for bars in self.letters)
        logs = [self["right_logs"], self["wrong_logs"]]
        low = float(min(value.array.min() for value in logs))
        down = Scale(low, -_ABOVE * low, line=False)
        yield 0.4 * together(
            self.right.rescale(y=down),
            self.wrong.rescale(y=down),
            *(bars.to(value) for bars, value in zip(self.letters, logs, strict=True)),
        )
