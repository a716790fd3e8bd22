"""Heights times heights, summed, for each rotation: the largest sum reads the message."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import linear

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import MOST_NAMED, Cryptogram
from clockhead.scenes.caesar.inputs import CryptogramStage
from clockhead.scenes.caesar.letters_chart import facing
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Column, Derived, Steps, beat, fit
from clockhead.scenes.stage.camera import CameraMove
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_LARGE = 44.0
"""The size of the product that is written, in pixels."""
_BESIDE = 0.6
"""How much is seen on both sides of a letter, in units."""
_TALL = 4
"""As many pairs of bars stay bright."""
_SLOW = 3
"""As many letters it slides slowly."""


def _next(cryptogram: Cryptogram) -> str:
    if cryptogram.n_leaders > MOST_NAMED:
        return "{n_leaders} rotations share the highest score."
    if cryptogram.is_tied:
        leaders = listed(map(str, cryptogram.leaders.tolist()))
        return f"Rotations {leaders} share the highest score."
    second, third = cryptogram.exact_scores[cryptogram.ranking[1:3]]
    if second == third:
        return "Rotation {found} alone scores highest."
    return "Rotation {found} scores highest; rotation {runner_up} comes next."


def _told(cryptogram: Cryptogram) -> str:
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
    """Heights times heights, summed, for each rotation: the largest sum reads the message."""

    title = "{n_rotations} rotations, {n_rotations} dot products"
    caption = "{told}"
    opens = ("letters", "counted", "english")
    leaves = ("letters", "counted", "english", "rotations", "scores")
    english_role: Role = "position"
    score_role: Role = "score"
    derived = {
        "n_rotations": Derived("how many rotations there are", lambda _: N_ROTATIONS),
        "told": Derived("what the largest dot product tells", _told),
        "largest": Derived(
            "the letter of the largest product, before English is turned",
            lambda cryptogram: cryptogram.alphabet[_largest(cryptogram)],
        ),
    }

    def layout(self) -> None:
        self.charts = facing(self, english=self.english_role)
        self.letters, self.counted = self.charts.letters, self.charts.counted
        self.english = self.charts.english
        self.rotations = score_chart(self)
        fit(self.canvas, Column(self.charts, self.rotations, weights=(5, 4), gap=0.25))
        area, over = self.rotations.area, self.charts.area
        self.rotations.place_area(replace(area, left=over.left, right=over.right))
        self.english.set_to_rotation(self["found"])
        to = self.rotations, self.score_role
        self.products = score_bars(self["products"][0], *to, grown=False)
        self.products.redraw()
        self._lay_equation()
        self._lay_scores()

    def _lay_equation(self) -> None:
        """The largest product, over its bar."""
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
        x = float(np.clip(self.products.tip(k)[0], area.left + half, area.right - half))
        self.equation.place(Region(x - half, area.top, x + half, area.top + 0.5))
        self.equation.hide()

    @beat(
        "Your eye sees the fit. A machine needs a number, so for each letter it multiplies the bar "
        "above by the bar below: here for “{largest}”."
    )
    def multiply(self) -> Steps:
        if self.values.found:
            yield 0.2 * self.english.slide_to(0)
        k = _largest(self.values)
        others = [letter for letter in range(N_ROTATIONS) if letter != k]
        yield self.counted.dim_bars(others), self.english.focus(k)
        yield self._closer(k)
        self.add(self.equation)
        yield 0.25 * self.equation.appear()

    def _closer(self, k: int) -> CameraMove:
        """See the two bars of a letter, and their product, as large as they fit."""
        x, _, _ = self.charts.upper.at(k, 0.0)
        pair = Region(x - _BESIDE, self.rotations.area.top, x + _BESIDE, self.charts.area.top)
        return self.look_at(pair, self.equation, run_time=1.4)

    @beat(
        "Do so for every letter, and add up. The sum is the dot product: the score of rotation 0."
    )
    def add_up(self) -> Steps:
        others = [k for k in range(N_ROTATIONS) if k != _largest(self.values)]
        yield self.look_back()
        self.add(self.products)
        yield self.products.grow([_largest(self.values)], run_time=0.6)
        yield FadeOut(self.equation, run_time=0.6), *self._all_bright()
        yield self.products.grow(others, lag=0.3, run_time=1.2)
        feet = self.rotations.at(np.arange(N_ROTATIONS), 0.0)
        tips = np.array([self.products.tip(k) for k in range(N_ROTATIONS)])
        self.pile = Stacks(self["products"][0:1], self.rotations, role=self.score_role)
        self.remove(self.products)
        self.add(self.pile)
        time = max(2.0, 0.6 * self.reading)
        yield self.pile.fly(0, (tips + feet) / 2, lag=0.12, run_time=time)
        self.add(self.scores)
        yield FadeOut(self.pile, run_time=0.4), FadeIn(self.rotations, run_time=0.8)

    def _all_bright(self) -> list[Drive]:
        return [self.counted.recolor(range(N_ROTATIONS), "residual"), self.english.focus()]

    def _lay_scores(self) -> None:
        """The bars of all rotations, of which the first is there, and what will be said of two."""
        self.scores = score_bars(self["dot_products"], self.rotations, self.score_role, grown=False)
        self.best = Found(self["found"], self.scores, role=self.score_role)
        self.second = Found(self["runner_up"], self.scores, role=self.score_role, words="")
        for mark in (self.best, self.second):
            mark.redraw()
        self.scores.grow([0]).interpolate(1.0)

    @beat("Slide English on, and add up again: a score for every rotation.")
    def slide(self) -> Steps:
        yield self._to(range(1, _SLOW + 1), 0.6 * self.reading)
        yield self._to(range(_SLOW + 1, N_ROTATIONS), 1.2 * self.reading)

    def _to(self, rotations: range, run_time: float) -> list[Any]:
        """Let English slide through rotations, and the bar of each grow."""
        options: dict[str, Any] = {"run_time": run_time, "rate_func": linear}
        return [
            self.english.slide_to(rotations[-1], stepwise=True, **options),
            self.scores.grow(list(rotations), lag=1, **options),
        ]

    @beat(_next)
    def winner(self) -> Steps:
        yield 0.5 * self.english.slide_to(self["found"])
        named = {*self._won, self.values.runner_up}
        yield self.scores.dim_bars([r for r in range(N_ROTATIONS) if r not in named])
        labels = [self.best, self.second] if self.second.is_clear_of(self.best) else [self.best]
        yield [FadeIn(label) for label in labels]

    @property
    def _won(self) -> list[int]:
        """The rotations that share the largest dot product, or the first few of them."""
        return [int(r) for r in self.values.leaders[:MOST_NAMED]]

    @beat(CAPTION, rest=REST)
    def found(self) -> Steps:
        """The pairs whose products are largest stay bright."""
        row = self.values.products[self.values.found]
        tall = np.argsort(-row, kind="stable")[:_TALL]
        rest = [k for k in range(N_ROTATIONS) if k not in tall]
        turned = [(int(k) - self.values.found) % N_ROTATIONS for k in tall]
        yield (
            self.counted.dim_bars(rest),
            self.english.focus(*turned),
            self.scores.dim_bars(list({self.values.runner_up} - set(self._won))),
            FadeOut(self.second),
        )


def _largest(cryptogram: Cryptogram) -> int:
    """The letter of the largest product while English is not turned."""
    return int(cryptogram.products[0].argmax())
