"""The dot product of the message's and English's bars, for each rotation; the largest wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import linear

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import MOST_NAMED, Cryptogram
from clockhead.scenes.caesar.inputs import CryptogramStage
from clockhead.scenes.caesar.letters_chart import LettersChart, facing_charts
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.caesar.sticks import RIGHT, UP, Sticks, posture
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Column, Derived, Handle, Steps, beat, fit
from clockhead.scenes.stage.camera import CameraMove
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_LARGE = 44.0
"""Size of the largest product's equation, in pixels at 720p."""
_PRODUCT = 1.15
"""Length of the largest product's stick, relative to the height of the chart of scores."""
_CHAIN = 0.7
"""Length of all products end to end, relative to the width of the chart."""
_THICK = 0.7
"""Thickness of the products when they are end to end, in units."""
_TALL = 4
"""Number of pairs of bars that stay bright at the end."""
_SLOW = 3
"""Number of rotations that English slides through slowly."""


def _winner_sentence(cryptogram: Cryptogram) -> str:
    if cryptogram.n_leaders > MOST_NAMED:
        return "{n_leaders} rotations share the highest score."
    if cryptogram.is_tied:
        leaders = listed(map(str, cryptogram.leaders.tolist()))
        return f"Rotations {leaders} share the highest score."
    second, third = cryptogram.exact_scores[cryptogram.ranking[1:3]]
    if second == third:
        return "Rotation {found} alone scores highest."
    return "Rotation {found} scores highest; rotation {runner_up} comes next."


def _result_sentence(cryptogram: Cryptogram) -> str:
    if cryptogram.is_tied:
        return "Several rotations have the largest dot product: this message does not tell its key."
    if not cryptogram.is_read:
        return (
            f"The largest dot product says {cryptogram.found}, but the key is "
            f"{cryptogram.rotation}: this message is too short, or too unlike English."
        )
    return (
        "Where tall bars meet tall bars, the sum is large. The largest dot product tells the key: "
        f"{cryptogram.found}."
    )


class DotProducts(CryptogramStage):
    """The dot product of the message's and English's bars, for each rotation; the largest wins."""

    title = "{n_rotations} rotations, {n_rotations} dot products"
    caption = "{told}"
    opens = ("letters", "counted", "english")
    leaves = ("letters", "counted", "english", "rotations", "scores")
    english_role: Role = "position"
    score_role: Role = "score"
    derived = {
        "n_rotations": Derived("number of rotations", lambda _: N_ROTATIONS),
        "told": Derived("a sentence about the largest dot product", _result_sentence),
        "largest": Derived(
            "the letter with the largest product at rotation 0",
            lambda cryptogram: cryptogram.alphabet[_largest(cryptogram)],
        ),
    }

    handles = (
        Handle("text", ("meet me at the tree at ten", "attack at dawn", "jazz quiz", "an")),
        Handle("rotation", "0:25:5"),
    )

    def layout(self) -> None:
        self.charts = facing_charts(self, english=self.english_role)
        self.letters, self.counted = self.charts.letters, self.charts.counted
        self.english = self.charts.english
        self.rotations = score_chart(self)
        place_over_scores(self.canvas, self.charts, self.rotations)
        self.english.set_to_rotation(self["found"])
        self._lay_products()
        self._lay_equation()
        self._lay_scores()

    def _lay_products(self) -> None:
        """Make the products, as sticks below their letters, and their later positions."""
        products, area = self.values.products[0], self.rotations.area
        width = 0.72 * self.charts.upper.x.pitch
        unit, long = _PRODUCT * area.height / products.max(), _CHAIN * area.width / products.sum()
        ground = self.charts.upper.at(np.arange(N_ROTATIONS), 0.0)
        ground[:, 1] = area.bottom
        ends = np.cumsum(products) * long
        chain = np.column_stack([area.left + ends - products * long, 0 * ends, 0 * ends])
        chain[:, 1] = area.bottom + _THICK / 2
        score = self.rotations.at(np.zeros(N_ROTATIONS), np.cumsum(products) - products)
        high = float(np.diff(self.rotations.y.at([0.0, 1.0]))[0])
        thick = min(0.9, 0.72 * self.rotations.x.pitch)
        self.lying = posture(chain, RIGHT, long, _THICK)
        self.piled = posture(score, UP, high, thick)
        starts = (chain - self.rotations.at(0, 0.0)) * [high / long, 1.0, 1.0]
        self.short = posture(self.rotations.at(0, 0.0) + starts, RIGHT, high, _THICK)
        upright = posture(ground, UP, unit, width)
        self.products = Sticks(self["products"][0], self.score_role, upright, grown=False)
        self.sum = Figure(
            self["dot_products"][0],
            ".4f",
            prefix="= ",
            size=_LARGE,
            align="left",
            color=self.score_role,
        )
        self.sum.put(np.array([area.left + ends[-1] + 0.2, area.bottom + 0.05, 0.0]))

    def _lay_equation(self) -> None:
        """Make the equation of the largest product, above its bar."""
        k = _largest(self.values)
        terms = [
            ("counted", "residual({counted:.3f})"),
            ("english", f"times {self.english_role}({{english:.3f}})"),
            ("product", f"approx {self.score_role}({{product:.4f}})"),
        ]
        values = {
            "counted": self["histogram"][k],
            "english": self["templates"][0, k],
            "product": self["products"][0, k],
        }
        self.equation = Equation(terms, values=values, size=_LARGE)
        area, half = self.rotations.area, self.equation.most.width / 2
        x = float(np.clip(self.charts.upper.at(k, 0.0)[0], area.left + half, area.right - half))
        self.equation.place(Region(x - half, area.top, x + half, area.top + 0.5))
        self.equation.hide()

    @beat(
        "Your eye sees the fit. A machine needs a number, so for each letter it multiplies the bar "
        "above by the bar below: here for “{largest}”.",
        focus="counted",
    )
    def multiply(self) -> Steps:
        if self.values.found:
            yield 0.2 * self.english.slide_to(0)
        k = _largest(self.values)
        others = [letter for letter in range(N_ROTATIONS) if letter != k]
        yield self.counted.dim_bars(others), self.english.focus(k)
        yield self._zoom_in(k)
        self.add(self.equation)
        yield 0.25 * self.equation.appear()

    def _zoom_in(self, k: int) -> CameraMove:
        """Zoom in on a letter's two bars and their product."""
        x, _, _ = self.charts.upper.at(k, 0.0)
        top, canvas = self.charts.area.top, self.canvas
        half = (top - self.rotations.area.top) * canvas.width / canvas.height / 2
        half = min(max(half, 0.6 * self.equation.most.width), canvas.width / 2)
        x = float(np.clip(x, canvas.left + half, canvas.right - half))
        pair = Region(x - half, self.rotations.area.top, x + half, top)
        return self.look_at(pair, run_time=1.4)

    @beat("Do so for every letter.")
    def every(self) -> Steps:
        k = _largest(self.values)
        others = [letter for letter in range(N_ROTATIONS) if letter != k]
        self.add(self.products)
        yield FadeOut(self.equation, run_time=0.4)
        yield self.products.rise(k, run_time=1.2), self.look_back(), *self._brighten_all()
        yield self.products.rise(*others, lag=0.3, run_time=2.0)

    @beat(
        "Lay all products end to end. This sum is called the dot product: the score of rotation 0.",
        rest=REST,
    )
    def add_up(self) -> Steps:
        yield self.products.take_posture(self.lying, lag=0.12, run_time=3.0)
        yield FadeIn(self.sum)

    @beat("Stand it up, slide English on, and add up again: a score for every rotation.")
    def slide(self) -> Steps:
        yield FadeOut(self.sum, run_time=0.5)
        yield (
            self.products.take_posture(self.short, run_time=0.8),
            FadeIn(self.rotations, run_time=0.8),
        )
        yield self.products.take_posture(self.piled, run_time=0.8)
        self.add(self.scores)
        yield FadeOut(self.products, run_time=0.4)
        yield self._slide_through(range(1, _SLOW + 1), 0.6 * self.reading)
        yield self._slide_through(range(_SLOW + 1, N_ROTATIONS), 1.2 * self.reading)

    def _brighten_all(self) -> list[Drive]:
        return [self.counted.recolor(range(N_ROTATIONS), "residual"), self.english.focus()]

    def _lay_scores(self) -> None:
        """Make the bars of all rotations, only the first grown, and the labels of the best two."""
        self.scores = score_bars(self["dot_products"], self.rotations, self.score_role, grown=False)
        self.best = Found(self["found"], self.scores, role=self.score_role)
        self.second = Found(self["runner_up"], self.scores, role=self.score_role, words="")
        for mark in (self.best, self.second):
            mark.redraw()
        self.scores.grow([0]).interpolate(1.0)

    def _slide_through(self, rotations: range, run_time: float) -> list[Any]:
        """Slide English through rotations, and grow the bar of each."""
        options: dict[str, Any] = {"run_time": run_time, "rate_func": linear}
        return [
            self.english.slide_to(rotations[-1], stepwise=True, **options),
            self.scores.grow(list(rotations), lag=1, **options),
        ]

    @beat(_winner_sentence)
    def winner(self) -> Steps:
        yield 0.5 * self.english.slide_to(self["found"])
        named = {*self._leaders, self.values.runner_up}
        yield self.scores.dim_bars([r for r in range(N_ROTATIONS) if r not in named])
        labels = [self.best, self.second] if self.second.is_clear_of(self.best) else [self.best]
        yield [FadeIn(label) for label in labels]

    @property
    def _leaders(self) -> list[int]:
        """The rotations with the largest dot product, at most MOST_NAMED of them."""
        return [int(r) for r in self.values.leaders[:MOST_NAMED]]

    @beat(CAPTION, rest=REST)
    def found(self) -> Steps:
        """Dim all pairs except those with the largest products."""
        row = self.values.products[self.values.found]
        tall = np.argsort(-row, kind="stable")[:_TALL]
        rest = [k for k in range(N_ROTATIONS) if k not in tall]
        turned = [(int(k) - self.values.found) % N_ROTATIONS for k in tall]
        yield (
            self.counted.dim_bars(rest),
            self.english.focus(*turned),
            self.scores.dim_bars(list({self.values.runner_up} - set(self._leaders))),
            *([FadeOut(self.second)] if self.second in self.mobjects else []),
        )
        yield 0.7 * self.reading
        yield self._brighten_all()


def place_over_scores(canvas: Region, charts: LettersChart, rotations: Chart) -> None:
    """Place the facing charts on a canvas, and the scores below them with the same width."""
    fit(canvas, Column(charts, rotations, weights=(1, 1), gap=0.25))
    over = charts.area
    rotations.place_area(replace(rotations.area, left=over.left, right=over.right))


def _largest(cryptogram: Cryptogram) -> int:
    """The letter with the largest product at rotation 0."""
    return int(cryptogram.products[0].argmax())
