"""The last row becomes probabilities of words: by its direction, and by its length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import Create, VGroup
from numpy.typing import NDArray

from clockhead.model.films.transformer_block.readout import LastRow, last_row
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Rule
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix_moves import turn_into
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.word_bars import SHARES, WordBars, scale_of
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Handle,
    Reading,
    Row,
    Size,
    Steps,
    Value,
    beat,
    fit,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves, fly, together
from clockhead.scenes.style.text import Formula, text_width
from clockhead.scenes.style.type import SMALL
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import LEAST_CELL, TapePage, rows_of

_SIGN = 32.0
"""Size of the name of U, in pixels."""
_BAND = 0.4
"""Height of the band above U and above a profile, in units."""
_APART = 0.1
"""Gap between the vertical row and U, and between two numbers above bars, in units."""
_UPPER = 0.52
"""Fraction of the height for U, above the bars."""
_GAP = 0.46
"""Gap between U and the bars, for a sign that names their source, in units."""
_NEGLIGIBLE = 5e-4
"""Probabilities that change by less than this are the same as written."""

_SHORT = 10.0
"""Logits below this are written with a decimal."""
_NEAR = 5e-3
"""Lengths that differ by less than this are the same as written."""


def _mean_sentence(row: LastRow) -> str:
    stays = row.centred_word.greedy == row.next_word.greedy
    leads = "{centred_word.greedy_word}"
    leads = f"“{leads}” still leads." if stays else f"now “{leads}” leads."
    return "It takes off the mean, which turns the row by {turn:.0f}°: " + leads


class Readout(BlockStage[LastRow]):
    """The last row times U gives logits, and softmax probabilities; LayerNorm fixes its length."""

    title = "From the last row to a word"
    question = "How do {d_model} numbers name one of {n_vocab} words?"
    caption = "Direction says which word, length how sure; and LayerNorm fixes the length."
    opens = ("x",)
    leaves = ("x",)
    claims = (
        Claim(
            "LayerNorm undoes a scaling of the last row",
            lambda row: row.drift < _NEGLIGIBLE,
            "shares still move by {drift:.2g}; choose larger resid_pre",
        ),
        Claim(
            "LayerNorm sets the length of the last row",
            lambda row: abs(row.normed_length - row.d_model**0.5) < _NEAR,
            "it is {normed_length:.3f}; choose a resid_pre whose rows are not flat",
        ),
    )

    handles = (Handle("seed", (0, 1, 2, 3, 4), beat="stretch"),)

    compute = last_row

    def layout(self) -> None:
        page, last = TapePage(self), self.values.last
        self.x = page.tape("second.resid_post")
        scale = scale_of(self.values.run.last_logits)
        self.picture = WordBars(
            self["run.last_logits"],
            self["vocabulary"],
            scale,
            lying=False,
            numbered=(),
            spec="",
            grown=False,
        )
        self.chart, self.bars = self.picture.chart, self.picture.bars
        bars, over = self.picture.least.height, _BAND + self.values.d_model * LEAST_CELL.height
        self.is_tight = page.rest.height < over + _GAP + bars  # then the tape makes room
        room = page.canvas if self.is_tight else page.rest
        lower, upper = room.cut_bottom(max((1 - _UPPER) * room.height, bars), _GAP)
        self.picture.place(lower)
        self.between = lower.top + _GAP / 2
        self._lay_weights(upper, last)
        self._lay_profiles(upper)

    def _lay_weights(self, upper: Region, last: int) -> None:
        """Lay out U above the bars, a column over each, with the row, upright, at its left."""
        area, bound = self.chart.area, self.x.scale_now.high
        _, cells = upper.cut_top(_BAND, 0.0)
        self.weights = rows_of(self, "unembedding", "token", named=False)
        self.weights.place_cells(Region(area.left, cells.bottom, area.right, cells.top))
        look: dict[str, Any] = {"named": False, "low": -bound, "high": bound}
        self.lying = rows_of(self, "row", lying=True, **look)
        self.lying.place_cells(self.x.row(last))
        self.standing = rows_of(self, "row", **look)
        beside = Region(upper.left, cells.bottom, area.left - _APART, cells.top)
        self.standing.place_cells(beside)
        self.sign = Formula("times token(U)", size=_SIGN)
        self.sign.move_to((area.center[0], cells.top + _BAND / 2, 0.0))
        self.weights.empty()

    def _lay_profiles(self, upper: Region) -> None:
        """Lay out the row as bars, and beside it its LayerNorm."""
        row = self.values
        near = [0.0, *row.row, *row.centred, *row.normed]
        self.near, self.far = (
            Scale(min(some), max(some) or 1.0, (0.0,), ".0f")
            for some in (near, [*near, *(2 * row.row)])
        )
        self.profile = Profile(self["row"], self["length"], self.far, "row")
        self.normed = Profile(self["row"], self["length"], self.near, "LayerNorm")
        self.rule = Rule(self["mean"], self.normed.chart, "mean", role="position")
        fit(upper, Row(self.profile, self.normed))
        self.reads = Formula("arrow.b times token(U)", size=_SIGN)
        self.reads.move_to(self._sign_position(self.profile))

    def _sign_position(self, profile: Profile) -> NDArray[np.float64]:
        """The position of the sign, if the bars are computed from this row."""
        return np.array([profile.chart.area.center[0], self.between, 0.0])

    @beat("Only the last row is read: times $U$, it gives every word a logit.")
    def read(self) -> Steps:
        n, time = self.values.n_vocab, self.reading
        frame = self.x.frame_row(self.values.last, "residual")
        yield Create(frame, run_time=0.4)
        self.add(self.lying, self.weights)
        gone = [frame, self.x] if self.is_tight else [frame]
        yield (
            *turn_into(self.lying, self.standing, run_time=1.2),
            together(FadeOut(*gone), FadeIn(self.sign, self.chart), run_time=0.6),
            self.weights.fill_columns(run_time=1.2),
        )
        self.remove(self.lying)
        self.add(self.standing)
        frame = CellFrame(self.weights.column(0), "residual")
        columns = [self.weights.column(k) for k in range(1, n)]
        yield (
            frame.trace(*columns, run_time=0.45 * time),
            self.bars.grow(lag=1, run_time=0.45 * time),
        )
        spec = ".1f" if np.abs(self.values.run.last_logits).max() < _SHORT else ".0f"
        yield FadeOut(frame, run_time=0.3), self.bars.write(self._numbered_words(), spec)

    @beat(
        "Softmax: by random weights, “{next_word.greedy_word}” gets {next_word.greedy_share:.0%}."
    )
    def soften(self) -> Steps:
        n = self.values.n_vocab
        yield self.bars.unwrite(run_time=0.3)
        yield self.bars.to(self["run.probabilities"]), self.picture.rescale(SHARES)
        yield self.bars.write(self._numbered_words(), ".0%")
        yield self.bars.dim_bars([k for k in range(n) if k != self.values.next_word.greedy])

    @beat(
        "Twice as long, the row gives “{next_word.greedy_word}” {share_doubled:.0%}; "
        "half as long, {share_halved:.0%}."
    )
    def stretch(self) -> Steps:
        gone, new = (self.weights, self.standing, self.sign), (self.profile, self.reads)
        yield together([*map(FadeOut, gone)], [*map(FadeIn, new)], run_time=0.5)
        yield 0.4 * self._stretch(0, "stretched_probabilities")
        yield 0.2 * self.reading
        yield 0.4 * self._stretch(1, "stretched_probabilities")

    @beat("LayerNorm, which this block lacks, keeps rows equally long.")
    def copy(self) -> Steps:
        """Show a copy of the row, which U reads from now on."""
        nearer = self.profile.chart.rescale(y=self.near)
        yield 0.3 * together(self._stretch(2, "stretched_probabilities"), nearer)
        yield 0.15 * FadeIn(self.normed)
        yield 0.3 * together(fly(self.reads, self._sign_position(self.normed)))

    @beat(_mean_sentence)
    def centre(self) -> Steps:
        """Subtract the mean from all its numbers."""
        yield Create(self.rule, run_time=0.4)
        yield 0.4 * together(
            self.normed.to(self["centred"], self["centred_length"]),
            self.rule.to(self["centred_mean"]),
            self.bars.to(self["centred_word.probabilities"]),
        )
        first, then = self.values.next_word.greedy, self.values.centred_word.greedy
        if first != then:
            yield self.bars.dim_bars(first, run_time=0.2)
            yield self.bars.recolor(then, "token", run_time=0.3)
            yield self.bars.write(self._numbered_words(then), ".0%", run_time=0.2)

    @beat(
        "Then it sets the length to √{d_model}. The order stays: "
        "“{normed_word.greedy_word}” gets {normed_word.greedy_share:.0%}."
    )
    def norm(self) -> Steps:
        """Scale all numbers by one factor; the probabilities follow."""
        yield FadeOut(self.rule, run_time=0.3)
        row = self.normed.to(self["normed"], self["normed_length"])
        yield 0.4 * together(row, self.bars.to(self["normed_word.probabilities"]))

    @beat(CAPTION)
    def end(self) -> Steps:
        whole = self.values.factors.shape[1] // 2  # half way from 2 to 1/2
        yield 0.5 * self._stretch(1, "normed_probabilities", whole)
        if self.is_tight:
            gone = self.profile, self.normed, self.reads
            yield together(FadeOut(*gone), FadeIn(self.x), run_time=0.4)

    def _stretch(self, k: int, shares: str, begin: int = 0) -> Moves:
        """Animate the k-th of three changes of the row's length, and the probabilities."""
        rows, lengths = self["stretched"][k][begin:], self["lengths"][k][begin:]
        bars = self.bars.through(self[shares][k][begin:])
        return together(self.profile.through(rows, lengths), bars)

    def _numbered_words(self, leader: int | None = None) -> list[int]:
        """The words with numbers above their bars: all, or only the leader if space is tight."""
        if self.chart.x.pitch > text_width("< 1%", SMALL, "semibold") + _APART:
            return list(range(self.values.n_vocab))
        return [self.values.next_word.greedy if leader is None else leader]


_FREE = 2
"""Number of empty slots for the name of a line."""
_WIDTH = 0.8
"""Width of a bar as a fraction of its slot."""
_SAME = 1e-4
"""Tolerance of lengths, relative to the largest number."""


class Profile(VGroup):
    """A row (d,) as bars on a scale, below its name and its length."""

    def __init__(self, row: Value, length: Value, scale: Scale, name: str) -> None:
        super().__init__()
        self.chart = Chart(slots(len(row) + _FREE), scale, least=(1.3, 0.9), most=(4.0, 3.0))
        self.bars = Bars(row, self.chart, "residual", width=_WIDTH)
        self.length = RowLength(length, self.bars, name)
        self.add(self.chart, self.bars, self.length)

    @property
    def least(self) -> Size:
        least = self.chart.least
        return Size(max(least.width, self.length.least.width), least.height + _BAND)

    @property
    def most(self) -> Size:
        most = self.chart.most
        return Size(max(most.width, self.length.least.width), most.height + _BAND)

    def place(self, region: Region) -> None:
        """Place it in a region."""
        over, rest = region.cut_top(_BAND, 0.0)
        self.chart.place(rest)
        area, wide = self.chart.area, self.length.least.width
        left = max(region.left, min(area.left, region.right - wide))
        self.length.place(Region(left, over.bottom, max(area.right, left + wide), over.top))

    def to(self, row: Value, length: Value) -> Moves:
        """Animate to another row with this length."""
        return together(self.bars.to(row), self.length.to(length))

    def through(self, rows: Value, lengths: Value) -> Moves:
        """Animate through the rows (steps, d), whose lengths are (steps,)."""
        return together(self.bars.through(rows), self.length.through(lengths))


class RowLength(Figure):
    """The length of a row, after its name; compared with the bars as drawn."""

    def __init__(self, value: Value, bars: Bars, name: str) -> None:
        super().__init__(value, ".2f", size=SMALL, prefix=f"{name}: ", suffix=" long")
        self._bars = bars

    def readings(self) -> Iterator[Reading]:
        """The number as written, and the length of the row that the bars show."""
        yield from super().readings()
        if isinstance(self.shown, Value) and is_visible(self.number):
            says = [float(reading.says) for reading in self._bars.readings()]
            yield Reading(self.shown, float(np.linalg.norm(says)), _SAME * max(1.0, *says))
