"""A trained head compared with the hand-built head that it resembles most."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from manim import Create, VGroup
from pydantic import Field

from clockhead.model.films.heads.beside_hand_built import BesideHandBuilt, beside_hand_built
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.scenes.heads.inputs import (
    First,
    Head,
    Layer,
    ModelInputs,
    load_patterns,
    spoken_places,
)
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Trace
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.scale import Scale, round_ticks, slots
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Derived,
    FadeIn,
    Handle,
    Row,
    Size,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    said,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.theme import Role

_TITLE, _OVER = 28.0, 0.5
"""Size of a title, in pixels at 720p, and the room for it, in units."""
_SHARES = Scale(0.0, 1.0, (0.0, 1.0), ".0%")
_BOTH = 0.21
"""Distance of both bars from the middle of their slot, in slots."""
_AIR = 0.08
"""Room above and below the scores, as a fraction of their range."""
_ALIKE = 0.9
"""Correlation from which on two curves of scores are called alike."""
_EXTRA = (
    "Besides, {extra:.0%} goes to the token before; in ours, {our_extra:.0%} does.",
    "Besides, {extra:.0%} goes to what came after the same token; in ours, {our_extra:.0%} does.",
    "Besides, {extra:.0%} goes to the same token; in ours, {our_extra:.0%} does.",
    "Besides, {extra:.0%} goes to the first token; in ours, {our_extra:.0%} does.",
    "Besides, tokens keep {extra:.0%} for themselves; in ours, {our_extra:.0%}.",
)
"""Sentences about a place that the trained head attends to more than ours, by PLACES' index."""


def _offset_names(offsets: list[int]) -> tuple[str, ...]:
    """Names of offsets, such as “2 back”, in the spoken language."""
    return tuple(said("{n} back", n=n) if n else said("itself") for n in offsets)


def head_beside(
    data: AttentionPatterns | None,
    text: str,
    moment: int,
    layer: int,
    head: int,
    first: int | None,
    length: int,
) -> BesideHandBuilt:
    """A head of the data file or of the small transformer, compared with our hand-built one."""
    return beside_hand_built(load_patterns(data, text, moment), layer, head, first, length)


class TitledTable:
    """A table of attention weights with a title above, as one box of the layout."""

    def __init__(
        self,
        stage: Stage[BesideHandBuilt],
        path: str,
        title: str,
        color: str,
        *,
        rows: bool = True,
    ) -> None:
        self.table = Matrix(
            stage[path],
            rows=stage["askers"] if rows else None,
            columns=stage["keys"],
            low=0.0,
            high=1.0,
            mask=stage.values.hidden,
            least_cell=0.2,
            most_cell=0.8,
            aspect=(1.0, 1.0),
        )
        self.title = Label(title, size=_TITLE, weight="semibold", color=color, align="center")
        self.shown = VGroup(self.title, self.table)

    @property
    def least(self) -> Size:
        size = self.table.least
        return Size(max(size.width, self.title.width), size.height + _OVER)

    @property
    def most(self) -> Size:
        size = self.table.most
        return Size(max(size.width, self.title.width), size.height + _OVER)

    def place(self, region: Region) -> None:
        """Place the table in a region, with the title centred above its cells."""
        self.table.place(Region(region.left, region.bottom, region.right, region.top - _OVER))
        cells = self.table.lattice.region
        half = self.title.width / 2
        x = min(max(cells.center[0], region.left + half), region.right - half)
        self.title.put(np.array([x, float(self.table.get_top()[1]) + 0.16, 0.0]))


class Beside(Stage[BesideHandBuilt]):
    """A trained head and our hand-built one: where both look, and what differs."""

    class Inputs(ModelInputs):
        """Which head, and the text it reads."""

        layer: Layer = 0
        head: Head = 1
        first: First = None
        length: int = Field(10, ge=2, le=12, description="largest number of tokens shown")

    title = "Trained and hand-built"
    caption = "In this text, both heads give {overlap:.0%} of their attention to the same tokens."
    opens = ("theirs",)
    leaves = ("theirs", "ours")
    handles = (
        Handle("layer", "0:1", beat="places"),
        Handle("head", "0:3", beat="places"),
        Handle("moment", (0, 150, 350, 400, 500, 800, 2000), beat="places"),
    )
    data_files: ClassVar = ("data",)
    derived = {
        "five": Derived(
            "the names of the five places that heads may look at", lambda _: spoken_places()
        ),
        "backs": Derived(
            "the names of the offsets", lambda heads: _offset_names(heads.offsets.tolist())
        ),
    }
    compute = head_beside

    def layout(self) -> None:
        name = self.say_of("head {layer}.{head}")
        self.left = TitledTable(self, "trained", name, "attention")
        rights = [
            TitledTable(self, "ours", said("hand-built"), "residual", rows=rows)
            for rows in (True, False)
        ]
        ways = beside(self.left, rights[0]), Row(self.left, rights[1])
        self.right = rights[fit(self.canvas, *ways)]
        self.theirs, self.ours = self.left.shown, self.right.shown
        self.places_chart = self._chart("looks", "our_looks", slots(self["five"], down=True))
        self.offset_chart = self._chart("by_offset", "our_offsets", slots(self["backs"], down=True))

        if self.values.has_scores:
            self.score_chart = self._score_chart()

    def _score_chart(self) -> VGroup:
        """A chart of mean scores by offset: dots for the trained head, a line for ours."""
        heads = self.values
        both = np.concatenate([heads.mean_scores, heads.clock_scores])
        low, high = float(both.min()), float(both.max())
        air = _AIR * (high - low)
        last = int(heads.distances[-1])
        across = Scale(0, last, tuple(range(0, last + 1, 2)), "d", name=said("tokens back"))
        ticks = round_ticks(low - air, high + air, 5)
        chart = Chart(across, Scale(low - air, high + air, ticks, name=said("mean score")))
        line = Trace(self["clock_scores"], chart, x=self["distances"], role="residual", drawn=0)
        dots = Dots(self["mean_scores"], chart, x=self["distances"], role="score")
        fit(self.canvas, chart)
        return VGroup(chart, line, dots)

    def _chart(self, theirs: str, ours: str, across: Scale) -> VGroup:
        """A chart with two bars per slot, for the trained head and for ours."""
        chart = Chart(_SHARES, across)
        n = len(self[theirs])
        bars = []
        each: tuple[tuple[str, Role, float], ...] = (
            (theirs, "attention", -_BOTH),
            (ours, "residual", _BOTH),
        )
        for path, role, way in each:
            at = [k + way for k in range(n)]
            bars.append(Bars(self[path], chart, role, at=at, width=0.36, spec=".0%", grown=False))
        fit(self.canvas, chart)
        return VGroup(chart, *bars)

    @beat("This is head {layer}.{head}. Nobody told it where to look.")
    def trained(self) -> Steps:
        yield 1.0

    @beat(
        lambda heads: (
            "Here is our previous-token head, built from clocks, on the same tokens."
            if heads.built == "previous"
            else "Here is the second head of our induction circuit, on the same tokens."
        ),
        ask="How would we have built it?",
        rest=REST,
    )
    def built(self) -> Steps:
        yield FadeIn(self.ours)

    @beat("From {asker} to {asked}: {weight:.0%} here, {our_weight:.0%} there.", rest=REST)
    def row(self) -> Steps:
        m, n = self.values.asks, self.values.target
        tables = (self.left.table, self.right.table)
        frames = [table.frame_row(m, "query") for table in tables]
        yield together(*map(Create, frames), run_time=0.6)
        cells = [table.cell(m, n) for table in tables]
        yield 0.4 * together([one.trace(cell) for one, cell in zip(frames, cells, strict=True)])

    @beat(
        "What ours is made for gets {our_aim:.0%} of its attention on average; of the trained "
        "head's, {aim:.0%}.",
        rest=REST,
    )
    def places(self) -> Steps:
        yield self.screen(self.places_chart, run_time=0.8)
        yield 0.4 * together(*(bars.grow() for bars in self.places_chart[1:]))

    @beat(lambda heads: _EXTRA[heads.extra_at], when=lambda heads: heads.does_more)
    def more(self) -> Steps:
        yield 1.0

    @beat(
        "And by how far back they look: ours gives {our_aim:.0%} to the token right before.",
        when=lambda heads: heads.built == "previous",
    )
    def offsets(self) -> Steps:
        yield self.screen(self.offset_chart, run_time=0.8)
        yield 0.4 * together(*(bars.grow() for bars in self.offset_chart[1:]))

    @beat(
        lambda heads: (
            "Yes: its mean scores (dots) go like our sum of clocks (line, stretched to fit). The "
            "correlation is {correlation:.2f}."
            if heads.correlation >= _ALIKE
            else "Not quite: its mean scores (dots) and our sum of clocks (line, stretched to fit) "
            "have a correlation of {correlation:.2f}."
        ),
        ask="Does it find the token before in the way that ours does?",
        when=lambda heads: heads.built == "previous" and heads.has_scores,
        rest=REST,
    )
    def scores(self) -> Steps:
        chart, line, dots = self.score_chart
        yield self.screen(chart, dots, run_time=0.8)
        yield 0.5 * line.draw_to(1)

    @beat(CAPTION)
    def end(self) -> Steps:
        yield self.screen(self.theirs, self.ours, run_time=0.8)
