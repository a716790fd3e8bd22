"""A transformer of one layer counts letters: one-hot rows, even attention, and the templates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from manim import Animation, Create, LaggedStart, VGroup

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.transformer import CountedLetters, counted_letters
from clockhead.scenes.caesar.bins import Bins, fit_beside, share_scale
from clockhead.scenes.caesar.ciphertext import Ciphertext, message_above
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cells import Rules
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.stacks import Stacks
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, beat
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.type import MIN_SIZE

_LARGEST = 26.0
"""The size of the letters before rows where there is room, in pixels."""
_LINE = 0.98
"""From row to row, in ems, where their letters can be read."""
_SET_OUT = 1e-6
"""The share of a fall at which a 1 is seen before it falls."""
_LETTER, _ASIDE = 0.42, 0.15
"""The room for the letter of a row, and beside what it is paid, in units."""


def _come(values: CountedLetters) -> str:
    n_vocabulary = "{transformer.n_vocabulary} numbers"
    n_all = values.transformer.n_tokens
    if n_all == 1:
        return f"The only character comes in one-hot: {n_vocabulary}, all 0 but a single 1."
    which = "The first {first.n}" if values.first.n < n_all else "All {first.n}"
    which = "Both" if n_all == 2 else which
    return f"{which} characters come in one-hot: {n_vocabulary} each, all 0 but a single 1."


def _asked(values: CountedLetters) -> str:
    return "To count, where should the last character look?" if values.first.n > 1 else ""


def _paid(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "It can look at nothing but itself, and gives itself all its attention."
    return "Everywhere: with $W_Q = 0$ it asks for nothing, so softmax gives each 1/{first.n}."


def _stacked(values: CountedLetters) -> str:
    if values.first.n == 1:
        return "The 1 drops into its bin: a histogram of a single character."
    return "Each 1 shrinks to its share and drops into its bin: a histogram."


class Transformer(Stage[CountedLetters]):
    """One-hot rows, even attention that makes a histogram of them, templates that make logits."""

    class Inputs(CryptogramInputs):
        """A message, and its rotation."""

    title = "A transformer that counts letters"
    question = "Can attention find these scores?"
    caption = "The dot products are the logits: attention counts, the unembedding compares."
    opens = ("message", "letters", "rotations", "scores", "best")
    leaves = ("message", "letters", "counted", "rotations", "scores")
    derived = {"n_rotations": Derived("how many rotations there are", lambda _: N_ROTATIONS)}

    compute = counted_letters

    def layout(self) -> None:
        first, cryptogram = self.values.first, self.values.cryptogram
        self.message = Ciphertext(self["cryptogram.ciphertext"])
        below = message_above(self.canvas, self.message, gap=0.25)
        self.message.light_to(first.n).interpolate(1.0)
        self.bins = Bins(self, self["first.mean"], high=1.0, rows=True)
        self.rotations = score_chart(self, "cryptogram.dot_products")
        highest = max(first.logits.max(), cryptogram.dot_products.max())
        self.rotations.y.rescale(share_scale(float(highest)))
        fit_beside(below, self.bins, self.rotations)
        self.letters, self.counted = self.bins.letters, self.bins.counted
        self.scores = score_bars(self["cryptogram.dot_products"], self.rotations)
        self.best = self._named("cryptogram.leaders")
        self.scores.redraw()
        self._lay_rows()
        self._lay_templates()

    def _named(self, leaders: str) -> VGroup:
        """The rotation that leads and its score, unless several lead."""
        if len(self[leaders]) > 1:
            return VGroup()
        label = Found(self[leaders][0], self.scores)
        label.redraw()
        return VGroup(label)

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

    @beat(_come)
    def one_hot(self) -> Steps:
        yield FadeIn(self.words), self.rows.fill_rows(run_time=0.8 * self.reading)

    @beat(_paid, ask=_asked)
    def attention(self) -> Steps:
        self.add(self.paid)
        yield 0.5 * self.paid.grow(lag=0.4)

    @beat(_stacked)
    def histogram(self) -> Steps:
        self.pile = Stacks(self["first.marks"], self.bins.chart, role="residual", grown=False)
        self.add(self.pile)
        fall = LaggedStart(*self._falls(), lag_ratio=0.4, run_time=0.65 * self.reading)
        yield FadeOut(self.rows, run_time=0.8), fall
        self.remove(self.pile)
        self.bins.chart.marks.remove(self.pile)
        self.add(self.counted)
        taller = share_scale(float(self.values.first.mean.max()))
        yield FadeOut(self.words, self.paid), self.bins.chart.rescale(y=taller, run_time=1.2)

    def _falls(self) -> list[Animation]:
        """Let the 1s of each token fly from their rows, where they stand at first, to their bin."""
        first, middles = self.values.first, self.rows.lattice.middles
        starts = np.full((*first.marks.shape, 3), np.nan)
        for row, (token, k) in enumerate(zip(first.tokens, first.occurrences, strict=True)):
            starts[token, k] = (*middles[row, token], 0.0)
        falls = [self.pile.fly(int(t), starts[t], lag=0) for t in dict.fromkeys(first.tokens)]
        return [fall.set_rate_func(lambda share: max(share, _SET_OUT)) for fall in falls]

    @beat("The unembedding holds English in all {n_rotations} rotations.")
    def unembedding(self) -> Steps:
        sink = self.scores.sink(run_time=0.8)
        yield FadeOut(self.best, run_time=0.5), sink, FadeIn(self.turned)
        yield 0.6 * self.templates.fill_rows()

    @beat("A row times the histogram, added up, scores its rotation: a logit.")
    def logits(self) -> Steps:
        self.scores.set_to(self["first.logits"])
        self.lit = self.templates.frame(self.templates.row(0), width=2.5)
        yield Create(self.lit, run_time=0.5)
        run_time = max(3.5, 0.75 * self.reading)
        rows = [self.templates.row(r) for r in range(1, N_ROTATIONS)]
        grow = self.scores.grow(lag=1, run_time=run_time)
        yield self.lit.trace(*rows, run_time=run_time), grow

    @beat(CAPTION)
    def named(self) -> Steps:
        leaders = self.values.first.leaders
        rows = [self.templates.row(int(r)) for r in leaders]
        yield self.lit.trace(*rows, run_time=1.5)
        self.best = self._named("first.leaders")
        yield FadeIn(self.best)
