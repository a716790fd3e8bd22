"""A transformer of one layer counts letters: one-hot rows, even attention, and the templates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from manim import Animation, Create, LaggedStart, VGroup

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.transformer import CountedLetters, counted_letters
from clockhead.scenes.caesar.bins import Bins, fit_beside, share_scale
from clockhead.scenes.caesar.ciphertext import Ciphertext, message_above
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.letters_chart import BAND
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cells import Rules
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import CAPTION, REST, Derived, Stage, Steps, beat
from clockhead.scenes.stage.camera import CameraMove
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import MIN_SIZE

_LARGEST = 26.0
"""The size of the letters before rows where there is room, in pixels."""
_LINE = 0.98
"""From row to row, in ems, where their letters can be read."""
_SET_OUT = 1e-6
"""The share of a fall at which a 1 is seen before it falls."""
_FRACTION = 22.0
"""The size of a fraction on a bar at most, in pixels."""
_ROOMY = 3.4
"""The width from which on the scores have room for a word over a bar, in units."""
_LETTER, _ASIDE = 0.42, 0.15
"""The room for the letter of a row, and beside what it is paid, in units."""


def _come(values: CountedLetters) -> str:
    n_vocabulary = "{transformer.n_vocabulary} numbers: all zeros but a single 1."
    n_all = values.transformer.n_tokens
    can = "Can a transformer do all this? "
    if n_all == 1:
        return f"{can}The only character comes in as a row of {n_vocabulary}"
    which = "The first {first.n}" if values.first.n < n_all else "All {first.n}"
    which = "Both" if n_all == 2 else which
    return f"{can}{which} characters come in, each as a row of {n_vocabulary}"


def _asked(values: CountedLetters) -> str:
    if values.first.n == 1:
        return ""
    return (
        "Attention lets a character look at all before it. To count letters, where should the last "
        "one look?"
    )


def _paid(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "It can look at nothing but itself, and gives itself all its attention."
    return (
        "Everywhere, and equally. It asks for nothing: its query is 0, so all scores are 0, and "
        "softmax gives each row the same weight, 1/{first.n}."
    )


def _stacked(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "The 1 drops onto the bar of its letter: a histogram of a single character."
    return "Each 1 shrinks to its share and drops onto the bar of its letter: a histogram."


class Transformer(Stage[CountedLetters]):
    """One-hot rows, even attention that makes a histogram of them, templates that make logits."""

    class Inputs(CryptogramInputs):
        """A message, and its rotation."""

    title = "A transformer that counts letters"
    caption = "So attention counts, and the unembedding compares."
    opens = ("message", "letters")
    leaves = ("message",)
    derived = {"n_rotations": Derived("how many rotations there are", lambda _: N_ROTATIONS)}

    compute = counted_letters

    def layout(self) -> None:
        first = self.values.first
        self.message = Ciphertext(self["cryptogram.ciphertext"])
        below = message_above(self.canvas, self.message, gap=0.25)
        self.message.light_to(first.n).interpolate(1.0)
        self.bins = Bins(self, self["first.mean"], high=1.0, rows=True)
        self.rotations = score_chart(self, "first.logits")
        fit_beside(below, self.bins, self.rotations)
        self.letters, self.counted = self.bins.letters, self.bins.counted
        self.scores = score_bars(self["first.logits"], self.rotations, "probability", grown=False)
        self.scores.redraw()
        self._lay_rows()
        self._lay_templates()

    def _lay_rows(self) -> None:
        """The one-hot rows over the bins; beside each its letter, and what it is paid."""
        n, margin = self.values.first.n, self.bins.margin
        self.rows = Matrix(self["first.one_hot"], role="residual", low=0.0, high=1.0)
        self.rows.place_cells(self.bins.over)
        size = min(_LARGEST, margin.height / n / PX / _LINE)
        names = self["first.characters"] if size >= MIN_SIZE else (" ",) * n
        most = float(self.values.first.attention.max())
        down = replace(slots(names, down=True), line=False)
        self.words = Chart(share_scale(most), down, size=max(size, MIN_SIZE))
        self.paid = Bars(self["first.attention"], self.words, "attention", grown=False)
        self.words.place_area(
            replace(margin, left=margin.left + _LETTER, right=margin.right - _ASIDE)
        )

    def _lay_templates(self) -> None:
        """The unembedding over the bins, a row for each rotation, numbered at the left."""
        self.templates = Matrix(self["first.templates"], role="position", low=0.0)
        self.templates.place_cells(self.bins.over)
        for part in self.templates:
            if isinstance(part, Rules):
                part.set_stroke(opacity=0)
        ends = (0.0, N_ROTATIONS - 1.0)
        down = Scale(N_ROTATIONS - 0.5, -0.5, ends, "d", line=False)
        self.turned = Chart(share_scale(1.0), down)
        self.turned.place_area(self.bins.over)

    def _closer(self) -> CameraMove:
        """See rows, bins and letters as large as they fit."""
        bars, over = self.bins.chart.area, self.bins.over
        margin = self.bins.margin
        return self.look_at(Region(margin.left, bars.bottom - BAND, over.right, over.top))

    @beat(_come)
    def one_hot(self) -> Steps:
        yield self._closer(), FadeIn(self.words)
        yield self.rows.fill_rows(run_time=0.6 * self.reading)

    @beat(_paid, ask=_asked)
    def attention(self) -> Steps:
        self.add(self.paid)
        yield 0.4 * self.paid.grow(lag=0.4)
        yield FadeIn(self._fractions())

    def _fractions(self) -> VGroup:
        """What each row gets, on its bar, where rows are high enough."""
        n, area = self.values.first.n, self.words.area
        size = 0.8 * area.height / n / PX
        self.fractions = VGroup()
        if size >= MIN_SIZE:
            ink = self.theme.ink_on(self.theme.attention)
            for k in range(n):
                label = Label(self.say_of("1/{first.n}"), size=min(size, _FRACTION), color=ink)
                middle = (self.words.at(0.0, k) + self.paid.tip(k)) / 2
                self.fractions.add(label.center_on(middle))
        return self.fractions

    @beat(_stacked, rest=REST)
    def histogram(self) -> Steps:
        self.pile = Stacks(self["first.marks"], self.bins.chart, role="residual", grown=False)
        self.add(self.pile)
        fall = LaggedStart(*self._falls(), lag_ratio=0.4, run_time=0.65 * self.reading)
        yield FadeOut(self.rows, run_time=0.8), fall
        self.remove(self.pile)
        self.bins.chart.marks.remove(self.pile)
        self.add(self.counted)
        taller = share_scale(float(self.values.first.mean.max()))
        yield (
            FadeOut(self.words, self.paid, self.fractions),
            self.bins.chart.rescale(y=taller, run_time=1.2),
        )

    def _falls(self) -> list[Animation]:
        """Let the 1s of each token fly from their rows, where they stand at first, to their bin."""
        first, middles = self.values.first, self.rows.lattice.middles
        starts = np.full((*first.marks.shape, 3), np.nan)
        for row, (token, k) in enumerate(zip(first.tokens, first.occurrences, strict=True)):
            starts[token, k] = (*middles[row, token], 0.0)
        falls = [self.pile.fly(int(t), starts[t], lag=0) for t in dict.fromkeys(first.tokens)]
        return [fall.set_rate_func(lambda share: max(share, _SET_OUT)) for fall in falls]

    @beat(
        "The last matrix turns this into guesses. It is called the unembedding: its "
        "{n_rotations} rows are English in every rotation."
    )
    def unembedding(self) -> Steps:
        yield FadeIn(self.turned)
        yield 0.6 * self.templates.fill_rows()

    @beat("A row times the histogram, added up, is a dot product. Here it is called a logit.")
    def logits(self) -> Steps:
        yield self.look_back()
        yield FadeIn(self.rotations, run_time=0.5)
        self.add(self.scores)
        self.lit = self.templates.frame(self.templates.row(0), width=2.5)
        yield Create(self.lit, run_time=0.5)
        run_time = max(3.5, 0.75 * self.reading)
        rows = [self.templates.row(r) for r in range(1, N_ROTATIONS)]
        grow = self.scores.grow(lag=1, run_time=run_time)
        yield self.lit.trace(*rows, run_time=run_time), grow

    @property
    def _naming(self) -> dict[str, Any]:
        """How the winner is called where there is no room for many words."""
        width = self.rotations.area.width
        if width > _ROOMY:
            return {}
        return {"words": ""} if width > _ROOMY / 2 else {"words": "", "size": MIN_SIZE}

    @beat(CAPTION, rest=REST)
    def named(self) -> Steps:
        leaders = self.values.first.leaders
        rows = [self.templates.row(int(r)) for r in leaders]
        yield self.lit.trace(*rows, run_time=1.5)
        if len(leaders) == 1:
            best = Found(self["first.leaders"][0], self.scores, role="probability", **self._naming)
            best.redraw()
            yield FadeIn(best)
