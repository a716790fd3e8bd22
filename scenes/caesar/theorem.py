"""The smallest squared error is the largest dot product, if all templates are equally long."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from model.caesar import N_ROTATIONS
from model.caesar_shadows import Compared
from scenes.caesar.common import CryptogramInputs, cryptogram_facts, unrivalled
from scenes.facts import Fact, fill
from scenes.parts.charts.gap_bars import Comparison
from scenes.parts.charts.plot import Plot, roomy, round_ticks
from scenes.parts.charts.two_rules import SquareLedger, UnequalPlane, Verdicts
from scenes.stage import Finding, Slide
from scenes.style.layout import Region
from scenes.style.motion import follow
from scenes.style.text import Number
from scenes.style.theme import Role
from scenes.style.type import LABEL

_NARROW = 8.0
"""Frames no larger than this, in units, show one picture at a time."""


class Theorem(Slide):
    """The smallest squared error is the largest dot product, if all templates are equally long."""

    class Inputs(CryptogramInputs):
        pass

    title = "Two rules, one winner"
    question = "Does the largest dot product find the template that lies nearest?"
    caption = "{moral}"
    notes = (
        "A template is English, turned. Squared error: square its gaps to the ciphertext, add up.",
        "A point for each of the {n_rotations} rotations. They all lie on one line!",
        "Multiply out the square: only the last term depends on the rotation.",
        "With unequal lengths the rules may disagree: here the dot product misses the "
        "nearer template.",
    )

    inputs: Inputs
    values: Compared

    @classmethod
    def compute(cls, inputs: Inputs) -> Compared:
        return Compared.of(inputs.cryptogram())

    @classmethod
    def facts(cls, values: Compared) -> dict[str, Fact]:
        cryptogram, found = values.cryptogram, values.cryptogram.found
        facts = {
            **cryptogram_facts(cryptogram),
            "least_error": float(cryptogram.squared_errors.min()),
            "nearest": int(cryptogram.squared_errors.argmin()),
            "own_square": cryptogram.own_square,
            "template_square": float(cryptogram.template_squares[found]),
            "twice_best": 2 * float(cryptogram.dot_products[found]),
            "n_rotations": N_ROTATIONS,
            "unequal_agree": values.unequal.agree,
        }
        facts["moral"] = fill(
            "The {n_rotations} templates are equally long, so the largest dot product is the "
            "smallest squared error: rotation {found} has both"
            + ("." if cryptogram.is_solved else "; the true one is {rotation}."),
            facts,
        )
        return facts

    @classmethod
    def checks(cls, values: Compared) -> list[Finding]:
        cryptogram, unequal = values.cryptogram, values.unequal
        constant = cryptogram.own_square + cryptogram.template_squares[0]
        line = constant - 2 * cryptogram.dot_products
        off = float(np.abs(line - cryptogram.squared_errors).max())
        nearest = int(cryptogram.squared_errors.argmin())
        return [
            unrivalled(cryptogram),
            Finding(
                "the largest dot product is the smallest squared error",
                nearest == cryptogram.found,
                f"rotation {cryptogram.found} for the one, {nearest} for the other",
            ),
            Finding("all rotations lie on one line", off < 1e-12, f"{off:.3g} off it"),
            Finding(
                "two templates of unequal length part the rules",
                not unequal.agree and not unequal.equally_long,
                f"template {unequal.best_by_dot} for both",
            ),
        ]

    @classmethod
    def arrays(cls, values: Compared) -> dict[str, NDArray[Any]]:
        cryptogram, unequal = values.cryptogram, values.unequal
        return {
            "rotations": np.arange(N_ROTATIONS),
            "histogram": cryptogram.histogram,
            "templates": cryptogram.templates,
            "dot_products": cryptogram.dot_products,
            "squared_errors": cryptogram.squared_errors,
            "template_squares": cryptogram.template_squares,
            "unequal_histogram": np.array(unequal.histogram),
            "unequal_templates": np.array(unequal.templates),
            "unequal_dot_products": unequal.dot_products,
            "unequal_squared_errors": unequal.squared_errors,
            "unequal_lengths": np.sqrt(unequal.squared_lengths),
        }

    def construct(self) -> None:
        self.found = self.values.cryptogram.found
        self.role: Role = "value" if self.values.cryptogram.is_solved else "wrong"
        self.alone = self.canvas.width < _NARROW and self.canvas.height < _NARROW
        both = [self.canvas, self.canvas]
        self.left, self.right = both if self.alone else self.canvas.beside(0.5, 0.5, gap=0.7)
        self._gaps()
        self._line()
        self._why()
        self._unequal()

    # Errors against dot products

    def _gaps(self) -> None:
        """What a squared error is, for the first rotation."""
        self.beat("gaps")
        self.comparison = shown = Comparison(self.values.cryptogram, self.left)
        self.play(FadeIn(shown.chart.bars, shown.own), self.say(0), run_time=0.8)
        self.play(FadeIn(shown.chart.caps, shown.turned))
        self.play(FadeIn(shown.chart.gaps, shown.counts))
        self.plot = self._plot(self.right)
        self.dots = self._dots()
        if not self.alone:
            self.wait(0.6)
            self.play(FadeIn(self.plot, self.dots[0]))
        self.let_read()

    def _plot(self, region: Region) -> Plot:
        x, y = self.values.cryptogram.dot_products, self.values.cryptogram.squared_errors
        spans = [roomy(v) for v in (x, y)]
        (x_ticks, x_spec), (y_ticks, y_spec) = (round_ticks(span) for span in spans)
        return Plot(
            region,
            x=spans[0],
            y=spans[1],
            x_ticks=x_ticks,
            y_ticks=y_ticks,
            x_spec=x_spec,
            y_spec=y_spec,
            x_name="dot product",
            y_name="squared error",
            size=LABEL,
        )

    def _dots(self) -> VGroup:
        cryptogram = self.values.cryptogram
        pairs = zip(cryptogram.dot_products, cryptogram.squared_errors, strict=True)
        return VGroup(*(self.plot.dot(x, y, self.theme.attention, 0.085) for x, y in pairs))

    def _line(self) -> None:
        """All rotations, one after the other, fall on one line."""
        self.beat("line")
        cryptogram = self.values.cryptogram
        if self.alone:
            self.play(FadeOut(self.comparison), run_time=0.5)
            self.play(FadeIn(self.plot, self.dots[0]), self.say(1), run_time=0.8)
        else:
            self.play(self.say(1))
        self.dots[1:].set_fill(opacity=0)
        self.add(self.dots)
        parts = [self.dots] if self.alone else [self.dots, self.comparison]
        self.play(follow(VGroup(*parts), self._rotate, 0, N_ROTATIONS - 1, run_time=4.0))
        span = np.array([cryptogram.dot_products.min(), cryptogram.dot_products.max()])
        errors = np.array([cryptogram.squared_errors.max(), cryptogram.squared_errors.min()])
        self.line = self.plot.curve(span, errors, self.theme.muted, 2.5)
        self.play(Create(self.line), run_time=0.8)
        self.add(self.dots)
        self.let_read()

    def _rotate(self, place: float) -> None:
        """Compare with a rotation, which may be on its way to the next."""
        self.comparison.show(place)
        for k, dot in enumerate(self.dots):
            dot.set_fill(opacity=min(1.0, max(0.0, place - k + 1)))

    # Why it is a line

    def _why(self) -> None:
        """The square multiplied out, with the numbers of the rotation that wins."""
        self.beat("why")
        facts, cryptogram = self.facts(self.values), self.values.cryptogram
        terms = ("own_square", "template_square", "twice_best", "least_error")
        self.ledger = SquareLedger(
            [float(facts[term]) for term in terms],
            self.left,
            color=self.theme.text_color(self.role),
        )
        before = VGroup(self.comparison)
        if self.alone:
            before = VGroup(self.plot, self.line, self.dots)
        self.play(FadeOut(before, run_time=0.5), self.say(2))
        self.play(FadeIn(self.ledger.fixed), run_time=0.8)
        self.wait(1.0)
        best = cryptogram.dot_products[self.found], cryptogram.squared_errors[self.found]
        color = str(getattr(self.theme, self.role))
        winner = self.plot.dot(float(best[0]), float(best[1]), color, 0.13)
        name = Number(
            self.found,
            "d",
            prefix="rotation ",
            size=26,
            weight="semibold",
            align="right",
            color=self.theme.text_color(self.role),
        ).put(winner.get_center() + np.array([-0.25, -0.1, 0.0]))
        self.picked = VGroup() if self.alone else VGroup(winner, name)
        self.play(FadeIn(self.ledger.deciding), FadeIn(self.picked))
        self.let_read()

    # Templates of unequal length

    def _unequal(self) -> None:
        """The template that lies nearer has the smaller dot product, for it is shorter."""
        self.beat("unequal")
        before = VGroup(self.ledger)
        if not self.alone:
            before.add(self.plot, self.line, self.dots, self.picked)
        picture, table = [self.canvas] * 2
        if not self.alone:
            picture, table = self.canvas.beside(1.0, 1.0, gap=0.5)
        self.play(FadeOut(before, run_time=0.5), self.say(3))
        plane = UnequalPlane(self.values.unequal, picture)
        verdicts = Verdicts(self.values.unequal, table)
        self.play(FadeIn(plane.arrows), run_time=0.8)
        if self.alone:
            self.play(FadeIn(plane.distances))
            self.wait(1.5)
            self.play(FadeOut(plane, run_time=0.5))
            self.play(FadeIn(verdicts))
        else:
            self.play(FadeIn(plane.distances, verdicts))
        self.let_read(least=1.2)
