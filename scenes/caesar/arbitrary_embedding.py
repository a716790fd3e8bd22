"""Nearly any embedding breaks the cipher if it has as many dimensions as there are tokens."""

from __future__ import annotations

import numpy as np
from manim import VGroup
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS, N_TOKENS
from clockhead.model.films.caesar.arbitrary_embedding import RandomVectors, random_vectors
from clockhead.scenes.caesar.factors import Factors, bound
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.cell_outlines import walk
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.scale import Scale, round_ticks
from clockhead.scenes.stage import CAPTION, REST, Column, Stage, Steps, beat, fit, together
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut


def _matrices_sentence(values: RandomVectors) -> str:
    said = "The rows of $E$ are our one-hot letters, the columns of $U$ are rotations."
    if values.n_spare:
        return f"{said} Some dimensions are to spare: {{n_spare}}."
    return f"{said} $E U$ is English in every rotation."


_OVER = 0.3
"""Room below the title, in units."""
_AXES = 26.0
"""Size of the curve's numbers and axis names, in pixels at 720p."""


class ArbitraryEmbedding(Stage[RandomVectors]):
    """Nearly any embedding breaks the cipher if it has as many dimensions as there are tokens."""

    class Inputs(CryptogramInputs):
        """A message, and the random embedding that reads it."""

        n_dimensions: int = Field(
            N_TOKENS, ge=N_TOKENS, le=64, description="dimensions of the embedding"
        )
        seed: int = Field(0, ge=0, le=9999, description="seed of the random embedding")

    title = "Nearly any embedding will do"
    caption = "So hardly a matrix had to be as we wrote it. What had to stay is the counting."
    opens = ("factors", "rotations", "scores", "found")
    leaves = ("rotations", "scores", "found")

    compute = random_vectors

    def layout(self) -> None:
        self._name: Found | None = None
        product = self["one_hot_product"]
        self.factors = Factors(self["one_hot"], self["one_hot_unembed"], product)
        self.rotations = score_chart(self, "one_hot_logits", name="")
        self.rotations.y.rescale(self._scale("one_hot_logits", "unread_logits"))
        self.scores = score_bars(self["one_hot_logits"], self.rotations, "probability")
        self.found = self._make_name()
        self._lay_widths()
        fit(self.canvas, Column(self.factors, self.rotations, weights=(6, 1)))
        self.widths.place(self.canvas.cut_top(_OVER, gap=0.0)[1])
        self.rotations.y.rescale(self._scale("one_hot_logits"))
        self.rotations.place_area(self.rotations.area)

    def _lay_widths(self) -> None:
        """Make the chart of how often random embeddings agree with one-hot vectors, by width."""
        self.widths = Chart(
            Scale(1, 32, (1, 10, 20, 25, 27, 32), "d", name="numbers in a vector"),
            Scale(0, 1, (0, 0.5, 1), ".0%", name="texts read as with one-hot vectors"),
            size=_AXES,
        )
        self.agreement = Trace(
            self["agreement"], self.widths, x=self["widths"], role="residual", drawn=0
        )
        self.some = Dots(
            self["agreement"],
            self.widths,
            x=self["widths"],
            role="residual",
            spec=".0%",
            standing=[self.values.fewer - 1],
        )
        self.all_tokens = Rule(self["n_vocab"], self.widths, upright=True)

    def _make_name(self) -> VGroup:
        """The number and score of the best rotation; empty if several are tied."""
        if self.values.cryptogram.is_tied:
            return VGroup()
        self._name = Found(self["cryptogram.found"], self.scores, role="probability")
        self._name.redraw()
        return VGroup(self._name)

    def _fade_name(self) -> FadeOut:
        """Fade out the name, and detach it from the chart."""
        if self._name is not None:
            self.rotations.marks.remove(self._name)
        return FadeOut(self.found, run_time=0.4)

    def _scale(self, *paths: str) -> Scale:
        """A scale that includes 0 and all scores at these fact paths."""
        scores = np.concatenate([self[path].array for path in paths])
        low, high = min(0.0, float(scores.min())), max(0.0, float(scores.max()))
        return Scale(low, high, round_ticks(low, high, most=3), ".2f", line=False)

    def _animate_to(self, product: str, scores: str) -> tuple[Drive, ...]:
        """Animate E U and the scores to other values, and rescale them."""
        most = bound(self[product])
        return (
            self.factors.product.to(self[product], low=-most, high=most),
            self.scores.to(self[scores]),
            self.rotations.rescale(y=self._scale(scores)),
        )

    @beat(_matrices_sentence)
    def one_hot(self) -> Steps:
        e, u, product = self.factors.matrices
        frames = e.frame_row(4), u.frame_column(0), product.frame(product.cell(4, 0))
        columns = [u.column(r) for r in range(1, N_ROTATIONS)]
        cells = [product.cell(4, r) for r in range(1, N_ROTATIONS)]
        stay = [e.row(4)] * len(cells)
        yield from walk(frames, (stay, columns, cells), 0.6 * self.reading, come=1.0)

    @beat(
        "English is gone from $E U$, because this $U$ can only read one-hot vectors.",
        ask="What happens if every number of $E$ is random?",
    )
    def random(self) -> Steps:
        most = bound(self["embedding"])
        yield self._fade_name()
        yield 0.75 * together(
            self.factors.embedding.to(self["embedding"], low=-most, high=most),
            *self._animate_to("unread_product", "unread_logits"),
        )

    @beat(
        "But random vectors are independent of each other, so another $U$ can undo them. The same "
        "scores return."
    )
    def undo(self) -> Steps:
        most = bound(self["unembed"])
        yield 0.75 * together(
            self.factors.unembed.to(self["unembed"], low=-most, high=most),
            *self._animate_to("product", "logits"),
        )
        self.found = self._make_name()
        yield FadeIn(self.found, run_time=0.6)

    @beat(
        "With fewer than {n_vocab} numbers for each letter, they get mixed up: {fewer} keep "
        "{fewer_agreement:.0%} of the answers on average."
    )
    def fewer(self) -> Steps:
        yield self.screen(self.widths)
        self.add(self.agreement)
        yield 0.6 * self.agreement.draw_to(1)
        yield FadeIn(self.some), FadeIn(self.all_tokens)

    @beat(CAPTION, rest=REST)
    def moral(self) -> Steps:
        """Show once more that the product of two random matrices is English."""
        yield self.screen(self.factors, self.rotations, self.scores, self.found)
