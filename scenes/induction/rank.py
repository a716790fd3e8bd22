"""One number per word, or two: a line that bends into a circle, and the scale that it needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import DOWN, LEFT, UP, LaggedStart, VGroup

from clockhead.model.films.induction.rank import LineAndCircle, line_and_circle
from clockhead.scenes.induction.beads import NAME_SIZE, Feet, Line, Looks, Pair, Rays, Ring
from clockhead.scenes.induction.spread import LARGE, tile_size
from clockhead.scenes.induction.words import CrowdInputs
from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.plane import Arrow, spatial
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.tile import HEIGHT
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import CAPTION, Derived, Handle, Stage, Steps, beat, together
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, recolor
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.type import MIN_SIZE

_FORMULA = [
    *(("score", '"score"'), ("equals", "="), ("beta", "beta"), ("times", "dot")),
    *(("query", 'query(x_"query")'), ("and", "dot"), ("key", 'key(x_"key")')),
]
_SIZE = 48.0
_OWN = 64.0
"""Letter size of the attention weight of a word on itself, in pixels."""
_SPECS = ",.0f+", ",.1f+"
"""Formats of beta on the circle and of beta for one-hot vectors, rounded up."""
_FINDING = (0.1, 0.9)
"""Fractions of the bending's run time between which words find themselves, evenly in time."""
_COUNT = 38.0
"""Letter size of the number of words found, in pixels."""
_NUMBERS, _LEAST_NUMBERS = 30.0, 24.0
"""Largest and smallest letter size of the numbers under the line, in pixels."""
_WIDE = 1.5
"""Ratio of width to height from which the number of words found is beside the line, not below."""
_BAR = 0.6
"""Height of a bar for a weight of 1, in radii of the circle."""


def _crowd_weight(both: LineAndCircle) -> str:
    if both.crowd.is_sharp:
        return (
            "Neighbours are close now, but with so large a factor “{bent.asker_name}” still gives "
            "itself {crowd.own_large:.1%}."
        )
    return (
        "Neighbours are close now. With scores times {inputs.beta:g}, “{bent.asker_name}” gives "
        "itself only {crowd.own_large:.1%}."
    )


class Rank(Stage[LineAndCircle]):
    """One number per word, or two: a line bends into a circle, and more words find themselves."""

    Inputs = CrowdInputs
    title = "How many numbers per word?"
    question = ""
    caption = (
        "For {crowd.mass:.0%}, it takes scores times {crowd.beta_large:,.0f+}. With a number for "
        "every word, {crowd.beta_one_hot:.1f+} is enough."
    )
    opens = ("tiles",)
    derived = {
        "end_share": Derived(
            "attention weight of the end of the line",
            lambda v: float(v.bent.line_shares[v.bent.asker, v.bent.end]),
            "share",
        )
    }

    handles = (
        Handle("beta", "5,10,20,50,100,200,500,1000,2000,5000,10000", beat="crowd"),
        Handle("n_large", "28,40,60,80,100,150,200,300,400"),
    )

    compute = line_and_circle

    def layout(self) -> None:
        self._lay_circle()
        self._lay_line()
        canvas, line, bent = self.canvas, self.line, self.values.bent
        over = Region(canvas.left, float(line.middle[1]) + 0.5, canvas.right, canvas.top)
        self.tiles = Strip(self["bent.names"], size=tile_size(canvas, LARGE))
        high, measures = HEIGHT * self.tiles.size * PX, self.tiles.measures
        width = min(line.pitch - 0.12, measures.width(self.tiles.size))
        if width < measures.width(MIN_SIZE):
            self.tiles.place(over)
        else:  # each over its place on the line
            places = [(x, over.point(0, 0.5)[1]) for x in line.spots[:, 0]]
            self.tiles.place_at(np.array(places), (width, high))
        self.formula = Equation(_FORMULA, size=_SIZE)
        self.formula.place(over.cut_top(0.7)[0])
        shares, code = self["bent.line_shares"][bent.asker], self["bent.codes"][0][bent.asker]
        self.shares, self.asks = Rays(shares, line, line.high), Arrow(code, line, "query")
        self.most = Figure(shares[bent.end], ".1%", size=NAME_SIZE)
        tip, half = self.shares.tip(bent.end) + 0.1 * UP, self.most.number.width / 2
        tip[0] = np.clip(tip[0], canvas.left + half, canvas.right - half)
        self.most.put(tip)
        self.name = line.labels[bent.asker]

    def _lay_line(self) -> None:
        """Lay out the straight line with its scale, its arrows and the number of words found."""
        bent, line = self.values.bent, self.line
        words = self.say_of(" of {bent.n_vocab} find themselves")
        green = self.theme.text_color("right")
        look: dict[str, Any] = {"suffix": words, "size": _COUNT, "color": green}
        self.count = Figure(self["bent.n_found"][0], ".0f", **look, align="left")
        page = self.canvas
        if page.width > _WIDE * page.height:
            self.count.put(page.point(0, 1) + 1.2 * _COUNT * PX * DOWN)
        else:  # the bent line needs the upper part of the page
            under, page = page.cut_bottom(2 * _COUNT * PX)
            self.count.put(under.point(0.5, 0.3) + self.count.number.width / 2 * LEFT)
        self.line.lay_straight(page)
        start, end = self.line.project(spatial(self.line.state[[0, -1]]))
        low, high = self.line.state[[0, -1], 0].tolist()
        name = Label("x", size=NAME_SIZE, weight="italic", color="muted", align="right")
        self.numbers = VGroup(name.put(end + np.array([0.0, 0.14, 0.0])))
        broad = text_width("−0.0", 1.0) + 0.16 / _NUMBERS
        size, ticks = line.pitch / 2 / broad, (*bent.places.tolist(), 0.0)
        if (
            size < _LEAST_NUMBERS
        ):  # without zero, which is half a pitch from a word, more space is left
            size, ticks = line.pitch / broad, ticks[:-1]
        if size >= _LEAST_NUMBERS:
            scale = Scale(low, high, ticks, ".1f", line=False)
            axis = Axis(scale, "bottom", size=min(size, _NUMBERS))
            axis.stand(start, end, 0.1)
            self.numbers.add(axis)
        self.looks = Looks(self["bent.looks_at"], self["bent.found"], self.line)

    def _lay_circle(self) -> None:
        """Lay out the circle with everything on it, and the final chart of betas."""
        bent = self.values.bent
        self.line = line = Line(self["bent.curve"], self["bent.names"])
        code = self["bent.codes"][len(bent.bends) - 1][bent.asker]
        page = self.canvas
        right = replace(page, left=page.point(0.25, 0)[0])  # the count is on the left, or below
        over = page.cut_bottom(2 * _COUNT * PX)[1]
        line.place(right if page.width > _WIDE * page.height else over)
        self.circle, high, sizes = line.middle_and_radius, _BAR * line.radius, self["crowd.sizes"]
        self.many = Figure(sizes[0], ".0f", size=NAME_SIZE, suffix=" words")
        self.many.number.center_on(line.middle - 0.45 * line.radius * UP)
        self.own = Figure(self["bent.own"], ".1%", size=_OWN, color="attention")
        self.own.number.center_on(line.middle + 0.05 * line.radius * DOWN)
        self.feet = Feet(self["outward"], code, line)
        self.asker, self.pair = Arrow(code, line, "query"), Pair(code, line)
        self.rays = Rays(self["bent.circle_shares"][bent.asker], line, high)
        self.ring = Ring(sizes[0], self["crowd.steps"], code, line)
        self.spokes = Rays(self["crowd.filling_shares"][0], self.ring, high)
        names = (said("two numbers each"), self.say_of("{crowd.n_large} numbers each"))
        longest = Scale(0.0, self.values.crowd.beta_large, name=said("scores are multiplied by"))
        self.chart = Chart(longest, slots(names, down=True), size=NAME_SIZE)
        self.betas = [
            Bars(self["crowd.betas"][k : k + 1], self.chart, "token", at=[k], spec=spec,
                 numbered=(), grown=False, size=NAME_SIZE)
            for k, spec in enumerate(_SPECS)
        ]  # fmt: skip
        self.chart.place(self.canvas.inset(0.0, 0.8))

    @beat(
        "Suppose that each word has a single number: its place on a line.",
        ask="Must a vector hold a number for every word there is?",
        focus="line",
    )
    def drop(self) -> Steps:
        """Drop the tiles onto their words' beads."""
        falling = [self.tiles.copy_of(k) for k in range(self.values.bent.n_vocab)]
        self.add(*falling)
        self.remove(self.tiles)
        places = zip(falling, self.line.spots, strict=True)
        falls = [tile.fly_to(place) for tile, place in places]
        time = 2.4
        yield FadeIn(self.line, run_time=time), LaggedStart(*falls, lag_ratio=0.2, run_time=time)
        self.remove(*falling)
        yield FadeIn(self.numbers)
        yield recolor(self.name, self.theme.text_color("query"))
        yield self.asks.grow()

    @beat(
        "The end of the line, {end_share:.1%}: a score is a product of two numbers.",
        ask="“{bent.asker_name}” looks for itself. Who gets its attention?",
        focus=("line", "shares"),
    )
    def shout(self) -> Steps:
        yield self.shares.grow(run_time=1.0)
        yield FadeIn(self.most, run_time=0.4), FadeIn(self.formula)

    @beat(
        "Whoever asks, an end of the line wins. Only {bent.n_found_on_line} of {bent.n_vocab} "
        "words find themselves.",
        focus="looks",
    )
    def ends(self) -> Steps:
        line = FadeOut(self.shares, self.asks, self.formula, self.most)
        yield line, recolor(self.name, self.theme.token)
        yield self.looks.appear(run_time=1.2)
        yield FadeIn(self.count)

    @beat(
        "As it bends, more and more words find themselves.",
        ask="What if we bend the line?",
        focus="looks",
    )
    def bend_(self) -> Steps:
        found = self["bent.n_found"]
        changes = np.flatnonzero(np.diff(found.array)) + 0.5
        times = [0, *np.linspace(*_FINDING, len(changes) + 2)[1:-1], 1]
        bends = [0, *changes / (len(found) - 1), 1]
        options: dict[str, Any] = {
            "run_time": 4.5,
            "rate_func": lambda time: float(np.interp(time, times, bends)),
        }
        yield FadeOut(self.numbers, run_time=0.4)
        yield (
            *self.line.bend(self.circle, **options),
            self.looks.follow_bend(**options),
            self.count.through(found, **options),
        )

    @beat(
        "All {bent.n_vocab} do: each is farthest out in its own direction, as “{bent.asker_name}” "
        "is here.",
        rest=REST,
        focus="line",
    )
    def farthest(self) -> Steps:
        """Drop perpendiculars from all words onto the direction of one."""
        ink = self.theme.text_color("query")
        yield FadeOut(self.looks), FadeOut(self.count), recolor(self.name, ink)
        self.add(self.feet, self.line)
        yield self.asker.grow(run_time=0.8)
        yield self.feet.drop(run_time=1.2)

    @beat("So two numbers per word are enough.", focus="line")
    def two(self) -> Steps:
        yield FadeOut(self.feet)
        yield self.pair.grow(run_time=1.0)

    @beat(
        _crowd_weight,
        ask="And with {crowd.n_large} words on the circle?",
        rest=REST,
        focus="ring",
    )
    def crowd(self) -> Steps:
        plus = self.line.zero.animate.set_stroke(opacity=0)
        yield together(FadeOut(self.pair), FadeOut(self.asker), plus, run_time=0.6)
        yield FadeIn(self.own, run_time=0.5)
        fade = self.line.fade_names(0.0, self.values.bent.asker)
        yield self.rays.grow(run_time=0.8), fade, FadeIn(self.many)
        self.line.dots.set_fill(opacity=0)
        self.remove(self.rays)
        self.add(self.spokes, self.ring)
        yield together(
            self.many.through(self["crowd.sizes"]),
            self.ring.through(self["crowd.sizes"]),
            self.spokes.through(self["crowd.filling_shares"]),
            self.own.through(self["crowd.filling_own"]),
            run_time=1.8,
        )

    @beat(CAPTION, rest=REST, focus="chart")
    def price(self) -> Steps:
        yield self.screen(run_time=0.5)
        yield self.screen(self.chart, *(bar.paths for bar in self.betas), run_time=0.6)
        yield together(*(bar.grow(run_time=1.4) for bar in self.betas))
        self.add(*self.betas)
        yield together(*(bar.write([0], s) for bar, s in zip(self.betas, _SPECS, strict=True)))
