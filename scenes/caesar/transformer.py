"""A one-layer transformer counts letters: one-hot rows, uniform attention, a histogram."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Animation, Create, LaggedStart, VGroup

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.transformer import (
    CountedLetters,
    FirstCharacters,
    counted_letters,
)
from clockhead.scenes.caesar.bins import Bins, share_scale
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import CAPTION, REST, Stage, Steps, beat, fit, together
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import MIN_SIZE, OPEN_BOX

_LARGEST = 32.0
"""Largest size of the letters beside rows, in pixels at 720p."""
_LINE = 0.98
"""Least distance between rows at which their letters can be read, in ems."""
_SET_OUT = 1e-6
"""Start of a fall: slightly above 0, so that the 1 is visible before it moves."""
_FORMULA = 40.0
"""Size of the formulas below the rows' letters, in pixels at 720p."""
_FRACTION = 28.0
"""Largest size of a fraction on a bar, in pixels at 720p."""
_ROOM = 1.25
"""Height of the bins relative to the tallest bar, to leave room for its number."""
_LETTER, _ASIDE = 0.42, 0.15
"""Room for the letter of a row, and beside its attention weight, in units."""


def _input_sentence(values: CountedLetters) -> str:
    n_vocabulary = "{transformer.n_vocabulary} numbers: all zeros but a single 1."
    n_all = values.transformer.n_tokens
    can = "Can a transformer do all this? "
    if n_all == 1:
        return f"{can}The only character comes in as a row of {n_vocabulary}"
    which = "The first {first.n}" if values.first.n < n_all else "All {first.n}"
    which = "Both" if n_all == 2 else which
    return f"{can}{which} characters come in, each as a row of {n_vocabulary}"


def _attention_question(values: CountedLetters) -> str:
    if values.first.n == 1:
        return ""
    return (
        "Attention lets a character look at all before it. To count letters, where should the last "
        "one look?"
    )


def _query_sentence(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "It can look at nothing but itself. What it asks for is its query: here it is 0."
    return "Everywhere, and equally. So it asks for nothing: its query is 0."


def _softmax_sentence(values: CountedLetters) -> str:
    softmax = "Softmax turns scores into weights that add up to 1."
    if values.first.n == 1:
        return f"{softmax} A single one is 1."
    return f"{softmax} Equal scores have equal weights: 1/{{first.n}} each."


def _histogram_sentence(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "The 1 drops onto the bar of its letter: a histogram of a single character."
    return "Each 1 shrinks to its weight and drops onto the bar of its letter: a histogram."


def _numbered_bars(first: FirstCharacters) -> list[int]:
    """The bars with numbers: the tallest, the last character's if not adjacent, none at edges."""
    tallest, last = int(first.mean.argmax()), int(first.tokens[-1])
    apart = [tallest, last] if abs(tallest - last) > 1 else [tallest]
    return [k for k in apart if 0 < k < N_ROTATIONS]


class Transformer(Stage[CountedLetters]):
    """One-hot rows and uniform attention, whose output is the histogram of the letters."""

    Inputs = CryptogramInputs
    title = "A transformer that counts letters"
    caption = "So here the sum replaces the row, and only the counts are left."
    opens = ("message",)
    leaves = ("letters", "counted")

    compute = counted_letters

    def layout(self) -> None:
        self.message = Ciphertext(self["cryptogram.ciphertext"])
        below = place_message(self.canvas, self.message, gap=0.25)
        look: dict[str, Any] = {"spec": ".3g", "numbered": _numbered_bars(self.values.first)}
        self.bins = Bins(self, self["first.mean"], high=1.0, rows=True, **look)
        fit(below, self.bins)
        self.letters, self.counted = self.bins.letters, self.bins.counted
        self._lay_rows()

    def _lay_rows(self) -> None:
        """Make the one-hot rows above the bins, with letters and attention weights beside them."""
        n, margin = self.values.first.n, self.bins.margin
        self.rows = Matrix(self["first.one_hot"], role="residual", low=0.0, high=1.0)
        self.rows.place_cells(self.bins.over)
        self.last = Matrix(self["first.one_hot"][n - 1 : n], role="residual", low=0.0, high=1.0)
        self.last.place_cells(self.rows.row(n - 1))
        size = min(_LARGEST, margin.height / n / PX / _LINE)
        written = [OPEN_BOX if c == " " else c for c in self.values.first.characters]
        names = tuple(written) if size >= MIN_SIZE else (" ",) * n
        most = float(self.values.first.attention.max())
        down = replace(slots(names, down=True), line=False)
        self.words = Chart(share_scale(most), down, size=max(size, MIN_SIZE))
        self.weights = Bars(self["first.attention"], self.words, "attention", grown=False)
        self.words.place_area(
            replace(margin, left=margin.left + _LETTER, right=margin.right - _ASIDE)
        )

        self.zeros = [
            Figure(self["first.scores"][k], ".0f", size=size, color="score")
            for k in range(n if size >= MIN_SIZE else 0)
        ]
        for k, zero in enumerate(self.zeros):
            x, y = self.words.area.center[0], self.words.at(0.0, k)[1]
            zero.number.center_on(np.array([x, y, 0.0]))
        values = {"query": self["first.query"], "score": self["first.scores"][n - 1]}
        asked = [("query", 'query("query" = {query:.0f})')]
        scored = [("score", 'query({query:.0f}) dot key("key") = score({score:.0f})')]
        self.asked, self.product = (
            Equation(terms, values=values, size=_FORMULA) for terms in (asked, scored)
        )
        chart = self.bins.chart.area
        lines = Region(margin.left, chart.bottom, margin.right, chart.top).cut_top(
            chart.height / 2, 0
        )
        for line, equation in zip(lines, (self.asked, self.product), strict=True):
            equation.place(line)

    @beat(_input_sentence)
    def one_hot(self) -> Steps:
        n = self.values.transformer.n_tokens
        dark = self.message.tint(range(self.values.first.n, n), "muted")
        yield dark, FadeIn(self.words, self.letters)
        yield self.rows.fill_rows(run_time=0.6 * self.reading)

    @beat(_query_sentence, ask=_attention_question)
    def looks(self) -> Steps:
        n = self.values.first.n
        self.asking = self.rows.frame(self.rows.row(n - 1), "query", 3.0)
        yield Create(self.asking, run_time=0.8)
        yield FadeIn(self.asked)

    @beat(
        "A score is the query times the key of a row, another kind of key. With a query of 0, "
        "every score is 0.",
        rest=REST,
    )
    def scored(self) -> Steps:
        yield FadeIn(self.product)
        if not self.zeros:
            return
        come = [FadeIn(zero) for zero in self.zeros]
        yield LaggedStart(*come, lag_ratio=0.3, run_time=0.4 * self.reading)

    @beat(_softmax_sentence)
    def weighed(self) -> Steps:
        self.add(self.weights)
        yield FadeOut(*self.zeros, self.asked, self.product, run_time=0.6)
        yield 0.4 * self.weights.grow(lag=0.4)
        yield FadeIn(self._fractions())

    def _fractions(self) -> VGroup:
        """The attention weights as fractions on their bars; empty if rows are too low."""
        n, area = self.values.first.n, self.words.area
        size = 0.8 * area.height / n / PX
        self.fractions = VGroup()
        if size >= MIN_SIZE:
            ink = self.theme.ink_on(self.theme.attention)
            for k in range(n):
                label = Label(self.say_of("1/{first.n}"), size=min(size, _FRACTION), color=ink)
                middle = (self.words.at(0.0, k) + self.weights.tip(k)) / 2
                self.fractions.add(label.center_on(middle))
        return self.fractions

    @beat(_histogram_sentence)
    def histogram(self) -> Steps:
        self.pile = Stacks(self["first.marks"], self.bins.chart, role="residual", grown=False)
        self.add(self.last, self.asking, self.pile)
        fall = LaggedStart(*self._falls(), lag_ratio=0.4, run_time=0.65 * self.reading)
        yield FadeOut(self.rows, run_time=0.8), fall
        self.remove(self.pile)
        self.bins.chart.marks.remove(self.pile)
        self.add(self.counted)
        taller = share_scale(_ROOM * float(self.values.first.mean.max()))
        yield (
            FadeOut(self.words, self.weights, self.fractions),
            self.bins.chart.rescale(y=taller, run_time=1.2),
        )

    def _falls(self) -> list[Animation]:
        """Move the 1s of each token from their rows to the token's bin."""
        first, middles = self.values.first, self.rows.lattice.middles
        starts = np.full((*first.marks.shape, 3), np.nan)
        for row, (token, k) in enumerate(zip(first.tokens, first.occurrences, strict=True)):
            starts[token, k] = (*middles[row, token], 0.0)
        falls = [self.pile.fly(int(t), starts[t], lag=0) for t in dict.fromkeys(first.tokens)]
        return [fall.set_rate_func(lambda share: max(share, _SET_OUT)) for fall in falls]

    @beat(
        "Usually, attention adds this sum to the row. Then the last character alone would count as "
        "much as all together.",
        when=lambda values: values.first.n > 1,
        rest=REST,
    )
    def added(self) -> Steps:
        yield 0.3 * self._change_bars("first.added")

    def _change_bars(self, path: str) -> Moves:
        """Animate the bars to other values, and rescale them to the largest."""
        scale = share_scale(_ROOM * float(self[path].array.max()))
        return together(self.counted.to(self[path]), self.bins.chart.rescale(y=scale))

    @beat(CAPTION)
    def replaced(self) -> Steps:
        if self.values.first.n > 1:
            yield 0.3 * self._change_bars("first.mean")
        high = float(self.values.first.replaced.max())
        yield 0.5 * self.last.to(self["first.replaced"], high=high)
        yield 1.2
        yield FadeOut(self.last, self.asking, run_time=0.5), self.counted.unwrite()
