"""Head scores: a layers by heads table for one score after another, and then all three."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from manim import Create, VGroup
from pydantic import Field

from clockhead.model.films.heads.scored_heads import (
    MOST_NUMBERS,
    Kind,
    ScoredHeads,
    scored_heads,
)
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.scenes.heads.inputs import ModelInputs, load_patterns
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    FadeIn,
    FadeOut,
    Handle,
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
from clockhead.scenes.style.text import Label, text_width

SCORES: tuple[Kind, ...] = ("previous", "duplicate", "induction")
_TITLES: dict[Kind, str] = {
    "previous": said("previous token"),
    "duplicate": said("duplicate token"),
    "induction": said("induction"),
}
_TITLE, _SMALL, _OVER = 30.0, 24.0, 0.55
"""Sizes of large and small titles, in pixels at 720p, and the room for one, in units."""


def scores_of_heads(
    data: AttentionPatterns | None, text: str, moment: int, exclude_first: bool, exclude_own: bool
) -> ScoredHeads:
    """The scores of all heads of the data file's model or of the small transformer."""
    return scored_heads(load_patterns(data, text, moment), exclude_first, exclude_own)


class ScoreTable:
    """A table of scores with a title above, as one box of the layout."""

    def __init__(self, stage: Stage[ScoredHeads], kind: Kind, *, large: bool) -> None:
        many = max(stage.values.n_layers, stage.values.n_heads) > MOST_NUMBERS
        size = _TITLE if large else _SMALL
        widest = max(text_width(said(one), size, "semibold") for one in _TITLES.values())
        self.wide = Size(widest, _OVER)
        self.table = Matrix(
            stage[kind],
            rows=None if not large else stage["layers"],
            columns=None if not large else stage["heads"],
            low=0.0,
            high=1.0,
            spec=(".0%",) if large else (),
            most_number=30.0,
            least_cell=0.05 if many else 0.3 if large else 0.12,
            most_cell=2.4,
            aspect=(0.5, 1.4),
            turns=(0.0,),
        )
        self.title = Label(said(_TITLES[kind]), size=size, weight="semibold", align="center")
        self.shown = VGroup(self.table, self.title)

    @property
    def least(self) -> Size:
        return self._with_title(self.table.least)

    @property
    def most(self) -> Size:
        return self._with_title(self.table.most)

    def _with_title(self, size: Size) -> Size:
        return Size(max(size.width, self.wide.width), size.height + self.wide.height)

    def place(self, region: Region) -> None:
        """Place the table in a region, with the title directly above it."""
        self.table.place(Region(region.left, region.bottom, region.right, region.top - _OVER))
        top = float(self.table.get_top()[1])
        middle = self.table.lattice.region.center[0]
        self.title.put(np.array([middle, top + 0.16, 0.0]))


class Scores(Stage[ScoredHeads]):
    """Each head's previous-token, duplicate-token and induction score."""

    class Inputs(ModelInputs):
        """The model, its text, and which attention the scores exclude."""

        exclude_first: bool = Field(
            False, description="exclude attention to the first token from the scores"
        )
        exclude_own: bool = Field(
            False, description="exclude attention of tokens to themselves from the scores"
        )

    title = "Head scores"
    caption = (
        "Largest previous-token score: {previous_most:.0%}, in head "
        "{previous_layer}.{previous_number}. Largest induction score: {induction_most:.0%}."
    )
    opens = ("first",)
    leaves = ("last",)
    handles = (Handle("moment", (0, 150, 350, 400, 500, 800, 2000)),)
    data_files: ClassVar = ("data",)
    compute = scores_of_heads

    def layout(self) -> None:
        self.large = ScoreTable(self, "previous", large=True)
        fit(self.canvas, self.large)
        self.first = self.large.shown
        self.small = [ScoreTable(self, kind, large=False) for kind in SCORES]
        fit(self.canvas, beside(*self.small))
        self.last = VGroup(*(one.shown for one in self.small))
        self.marked: CellFrame | None = None

    @beat(
        "Rows are layers, columns are heads. A cell is the share of attention that goes to the "
        "token before.",
        rest=REST,
    )
    def cells(self) -> Steps:
        yield 1.0

    @beat("Head {previous_layer}.{previous_number} gives it most: {previous_most:.0%}.")
    def previous(self) -> Steps:
        yield from self.mark("previous")

    @beat(
        "Now the share of the same token, where it stood before: {duplicate_most:.0%} at most, in "
        "head {duplicate_layer}.{duplicate_number}.",
        when=lambda heads: heads.n_repeats > 0,
    )
    def duplicate(self) -> Steps:
        yield from self.run_to("duplicate")

    @beat(
        "And of what came after the same token: {induction_most:.0%} in head "
        "{induction_layer}.{induction_number}. That is the induction score.",
        when=lambda heads: heads.n_repeats > 0,
        rest=REST,
    )
    def induction(self) -> Steps:
        yield from self.run_to("induction")

    @beat(
        "No token stands twice in this text, so no head can show whether it looks for the same "
        "one.",
        when=lambda heads: heads.n_repeats == 0,
    )
    def no_repeats(self) -> Steps:
        yield 1.0

    @beat(CAPTION)
    def all_(self) -> Steps:
        assert self.marked is not None
        yield FadeOut(self.marked, self.large.title, self.large.table, run_time=0.5)
        yield FadeIn(self.last)
        frames = []
        for kind, one in zip(SCORES, self.small, strict=True):
            frames.append(CellFrame(one.table.cell(*self.values.best(kind)), "token", 3.0))
        yield together(*map(Create, frames), run_time=0.6)

    def mark(self, kind: Kind) -> Iterator[Any]:
        """Frame the head with the largest score."""
        self.marked = CellFrame(self.large.table.cell(*self.values.best(kind)))
        yield Create(self.marked)

    def run_to(self, kind: Kind) -> Iterator[Any]:
        """Animate the table to another score, with its title."""
        title = Label(said(_TITLES[kind]), size=_TITLE, weight="semibold", align="center")
        title.put(self.large.title.anchor)
        assert self.marked is not None
        yield FadeOut(self.marked, self.large.title, run_time=0.4)
        self.large.title = title
        yield together(FadeIn(title), self.large.table.to(self[kind]), run_time=1.2)
        yield from self.mark(kind)
