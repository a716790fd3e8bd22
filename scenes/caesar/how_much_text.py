"""How much text the solver needs, and whether training finds the numbers that were set by hand."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.caesar import ENGLISH, N_ROTATIONS
from model.caesar_text_needed import NEARLY_ALL, text_and_column
from model.caesar_text_needed import SLIDE_METHODS as METHODS
from model.caesar_text_needed import TextAndColumn as TextNeeded
from model.cryptogram import Cryptogram
from model.sample_english import SAMPLE_ENGLISH
from model.tokens import LETTERS
from scenes.facts import Fact
from scenes.parts.charts.dotted_bars import DottedBars
from scenes.parts.charts.letter_bars import letter_size
from scenes.parts.charts.method_chart import MethodChart
from scenes.parts.charts.misread import Misread
from scenes.parts.readout import Readout, on_one_line
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.layout import Region

NAMES = {"log-likelihood": "logarithms"}
FewLetters = Annotated[str, Field(min_length=1, max_length=8, pattern=r"^[a-z]+( [a-z]+)*$")]


class HowMuchText(Slide):
    """How much text the solver needs, and whether training finds the same numbers."""

    class Inputs(StageInputs):
        short_text: FewLetters = Field(
            "a bay", description="a message too short to be read: up to 8 characters a to z"
        )
        short_rotation: int = Field(
            3, ge=0, le=25, description="how many places its letters are moved"
        )
        length: Literal[8, 16, 32] = Field(
            16, description="length in characters at which the methods are compared"
        )
        learned_length: int = Field(
            8, ge=4, le=16, description="length of the stretches that are learned from"
        )

    title = "How much text does it take?"
    question = "Does counting still work when there are few letters to count?"
    caption = (
        "With {enough} characters, dot products read {enough_share:.0%} of the stretches right; "
        "and training finds nearly the logarithms that we set by hand."
    )
    notes = (
        "Only {letters}, turned by {short_rotation}: rotation {found} scores most, "
        "the true one is in place {place}.",
        "In a text of {n_words} words, longer stretches are read better; “the commonest is e” lags "
        "far behind.",
        "Chi-squared needs less text; the same network with logarithms of the frequencies "
        "needs least.",
        "A number per letter, learned from stretches of {learned_length} characters: nearly "
        "the logarithms, and about as good.",
    )

    inputs: Inputs
    values: TextNeeded

    @classmethod
    def compute(cls, inputs: Inputs) -> TextNeeded:
        message = Cryptogram(inputs.short_text, inputs.short_rotation)
        return text_and_column(message, inputs.length, inputs.learned_length)

    @classmethod
    def facts(cls, values: TextNeeded) -> dict[str, Fact]:
        short, learned = values.short, values.learned
        return {
            "short_text": short.text,
            "short_rotation": short.rotation,
            "ciphertext": short.ciphertext,
            "decoded": short.decoded,
            "found": short.found,
            "place": short.place,
            "n_letters": short.n_letters,
            "letters": "1 letter" if short.n_letters == 1 else f"{short.n_letters} letters",
            "best": float(short.dot_products[short.found]),
            "true_score": float(short.dot_products[short.rotation]),
            "n_words": len(SAMPLE_ENGLISH.split()),
            "length": values.mark,
            **{re.sub(r"\W", "_", method): values.at_mark(method) for method in METHODS},
            "enough": values.enough,
            "enough_share": values.enough_share,
            "learned_length": learned.length,
            "correlation": learned.correlation(values.logs),
            "learned_accuracy": learned.accuracy,
            "log_accuracy": learned.accuracy_of(values.logs),
            "frequency_accuracy": learned.accuracy_of(ENGLISH),
            "n_held_out": len(learned.held_out),
        }

    @classmethod
    def checks(cls, values: TextNeeded) -> list[Finding]:
        by_dot, by_commonest = values.by("dot product"), values.by("commonest is e")
        learned, by_hand = values.learned.accuracy, values.learned.accuracy_of(values.logs)
        correlation = values.learned.correlation(values.logs)
        dot, chi_squared, log_likelihood = (
            values.at_mark(method) for method in ("dot product", "chi-squared", "log-likelihood")
        )
        return [
            Finding(
                "the short message is misread",
                not values.short.is_solved,
                f"rotation {values.short.found} is found for {values.short.text!r}; "
                "choose other or fewer letters",
            ),
            Finding(
                f"some length is enough for {NEARLY_ALL:.0%} of the stretches",
                values.enough_share >= NEARLY_ALL,
                f"{values.enough_share:.1%} at most",
            ),
            Finding(
                "taking the commonest letter for e is far worse, at every length",
                bool((by_dot > 1.5 * by_commonest).all()),
                f"{np.round(by_dot, 3).tolist()} against {np.round(by_commonest, 3).tolist()}",
            ),
            Finding(
                "every method is better on longer stretches",
                bool((np.diff(values.accuracy.accuracy) >= 0).all()),
                f"{np.round(values.accuracy.accuracy, 3).tolist()}",
            ),
            Finding(
                "chi-squared needs less text than dot products, and logarithms even less",
                log_likelihood > chi_squared > dot,
                f"{dot:.1%}, {chi_squared:.1%} and {log_likelihood:.1%} are read right",
            ),
            Finding(
                "the learned numbers are nearly the logarithms, and about as good",
                correlation > 0.9 and abs(learned - by_hand) < 0.05,
                f"correlation {correlation:.3f}; {learned:.1%} and {by_hand:.1%} are read right",
            ),
        ]

    @classmethod
    def arrays(cls, values: TextNeeded) -> dict[str, NDArray[Any]]:
        return {
            "rotations": np.arange(N_ROTATIONS),
            "short_dot_products": values.short.dot_products,
            "lengths": values.accuracy.lengths,
            "n_windows": values.accuracy.n_windows,
            "accuracy": values.accuracy.accuracy,
            "learned_column": values.learned.column,
            "log_frequencies": values.logs,
            "standardised": values.standard,
        }

    def construct(self) -> None:
        self._too_short()
        self._longer()
        self._logarithms()
        self._learn()

    def _too_short(self) -> None:
        """The message, what is sent, what is read, and the scores that say so."""
        self.beat("too short")
        picture = Misread(self.values.short, self.canvas)
        self.play(FadeIn(picture.meant), self.say(0), run_time=0.6)
        self.play(FadeIn(picture.sent), run_time=0.6)
        self.play(FadeIn(picture.scores, picture.heading), run_time=0.6)
        self.play(picture.reveal_found())
        self.wait(0.6)
        self.play(picture.reveal_true())
        self.let_read()
        self.shown = picture

    def _longer(self) -> None:
        """Accuracy against length, for dot products and for what humans are said to do."""
        self.beat("longer")
        look = self.theme
        colors = (
            (look.attention, look.text_color("attention")),
            (look.muted, look.muted),
            (look.ink, look.ink),
            (look.value, look.text_color("value")),
        )
        self.chart = MethodChart(
            self.values.accuracy.lengths,
            self.values.accuracy.accuracy,
            [NAMES.get(method, method) for method in METHODS],
            colors,
            self.canvas,
            mark=self.values.mark,
            x_name="characters",
            y_name="stretches read right",
        )
        self.play(self.say(1), FadeOut(self.shown), run_time=0.5)
        self.play(FadeIn(self.chart.plot), run_time=0.5)
        self.play(self.chart.grow(0, run_time=1.6))
        self.play(FadeIn(self.chart.ruler), run_time=0.4)
        self._read_off(0)
        self.play(self.chart.grow(1, run_time=1.0))
        self._read_off(1)
        self.let_read(least=0.4)

    def _logarithms(self) -> None:
        """The same network with other numbers, and chi-squared, which is none."""
        self.beat("logarithms")
        self.play(self.say(2), self.chart.grow(2, run_time=0.9))
        self._read_off(2)
        self.play(self.chart.grow(3, run_time=1.2))
        self._read_off(3)
        self.let_read()

    def _read_off(self, k: int) -> None:
        self.play(FadeIn(self.chart.crossings[k], self.chart.lines[k]), run_time=0.35)

    def _learn(self) -> None:
        """Numbers that start at zero and are trained, over those that were set by hand."""
        self.beat("learn")
        chart, look = self.chart, self.theme
        gone = VGroup(chart.plot, chart.ruler, *chart.curves, *chart.lines, *chart.crossings)
        top, below = self.canvas.cut_top(1.35, 0.15)
        learned, logs = self.values.standard
        picture = DottedBars(
            logs,
            learned,
            below.inset(0.05, 0.0),
            names=LETTERS.tokens,
            size=letter_size(below.width / len(LETTERS)),
            color=look.value,
        )
        readings = self._readings(top)
        self.play(self.say(3), FadeOut(gone), run_time=0.5)
        self.play(FadeIn(picture.bars, readings[0]), run_time=0.6)
        self.play(FadeIn(picture.dots), run_time=0.4)
        self.play(picture.rise(), FadeIn(readings[1]))
        self.play(FadeIn(readings[2]), run_time=0.4)
        self.let_read()

    def _readings(self, region: Region) -> list[Readout]:
        """What both are worth on text that training never saw, and how alike they are."""
        learned, logs = self.values.learned, self.values.logs
        cells = region.columns(1.0, 1.0, 1.0, gap=0.3)
        right = " read right" if cells[0].width > 3.4 else " right"
        wanted = (
            ("bars: logarithms", learned.accuracy_of(logs), ".1%", self.theme.text_color("value")),
            ("dots: learned", learned.accuracy, ".1%", self.theme.ink),
            ("correlation", learned.correlation(logs), ".3f", self.theme.ink),
        )
        readings = [
            Readout(
                words,
                value,
                spec,
                cell.point(0, 1),
                width=cell.width,
                color=color,
                suffix=right if spec == ".1%" else "",
            )
            for cell, (words, value, spec, color) in zip(cells, wanted, strict=True)
        ]
        return on_one_line(readings)
