"""The unembedding: each row is English in one rotation and gives one logit."""

from __future__ import annotations

from typing import Any

from manim import Create

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.transformer import CountedLetters, counted_letters
from clockhead.scenes.caesar.bins import Bins, fit_beside, share_scale
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.parts.cells import Rules
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.stage import CAPTION, REST, Derived, Stage, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.type import MIN_SIZE

_SLOW, _FAST = 0.7, 0.15
"""Duration of each of the first rows, and of each later row, in seconds."""
_ROOMY = 3.4
"""Width above which a chart of scores has room for a word above a bar, in units."""


class Unembedding(Stage[CountedLetters]):
    """A row for every rotation of English; its dot product with the histogram is a logit."""

    Inputs = CryptogramInputs
    title = "The unembedding compares"
    caption = "So attention counts, and the unembedding compares."
    opens = ("letters", "counted")
    leaves = ("letters", "counted")
    derived = {"n_rotations": Derived("number of rotations", lambda _: N_ROTATIONS, "rows")}

    compute = counted_letters

    def layout(self) -> None:
        most = float(self.values.first.mean.max())
        self.bins = Bins(self, self["first.mean"], high=most, rows=True)
        self.rotations = score_chart(self, "first.logits")
        fit_beside(self.canvas, self.bins, self.rotations)
        self.letters, self.counted = self.bins.letters, self.bins.counted
        self.outputs = score_bars(self["first.logits"], self.rotations, "probability", grown=False)
        self.outputs.redraw()
        self._lay_templates()

    def _lay_templates(self) -> None:
        """Make the unembedding above the bins, with the rotations' numbers at the left."""
        self.templates = Matrix(self["first.templates"], role="position", low=0.0)
        self.templates.place_cells(self.bins.over)
        for part in self.templates:
            if isinstance(part, Rules):
                part.set_stroke(opacity=0)
        ends = (0.0, N_ROTATIONS - 1.0)
        down = Scale(N_ROTATIONS - 0.5, -0.5, ends, "d", line=False)
        self.turned = Chart(share_scale(1.0), down)
        self.turned.place_area(self.bins.over)

    @beat(
        "The last matrix turns this into guesses. It is called the unembedding: its "
        "{n_rotations} rows are English in every rotation."
    )
    def unembedding(self) -> Steps:
        yield FadeIn(self.turned, self.rotations)
        yield 0.6 * self.templates.fill_rows()

    @beat("A space is the same in every rotation, so its column holds only zeros.")
    def space(self) -> Steps:
        column = self.templates.frame_column(N_ROTATIONS)
        yield Create(column, run_time=0.6)
        yield 0.6 * self.reading
        yield FadeOut(column, run_time=0.5)

    @beat("A row times the histogram, added up, is a dot product. Here it is called a logit.")
    def logits(self) -> Steps:
        self.add(self.outputs)
        self.lit = self.templates.frame(self.templates.row(0), width=2.5)
        yield Create(self.lit, run_time=0.5), self.outputs.grow([0], run_time=0.5)
        for r in range(1, N_ROTATIONS):
            time = _SLOW if r <= 3 else _FAST
            yield together(
                self.lit.trace(self.templates.row(r)), self.outputs.grow([r]), run_time=time
            )

    @property
    def _label_options(self) -> dict[str, Any]:
        """Options for a shorter label of the winner if space is tight."""
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
            best = Found(
                self["first.leaders"][0], self.outputs, role="probability", **self._label_options
            )
            best.redraw()
            yield FadeIn(best)
