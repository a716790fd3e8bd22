"""All heads of a model: their patterns side by side, then sorted by what they look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from manim import Create
from pydantic import Field

from clockhead.model.films.heads.many_heads import ManyHeads, many_heads
from clockhead.model.heads.head_scores import Kind
from clockhead.model.heads.patterns import AttentionPatterns
from clockhead.scenes.heads.inputs import First, ModelInputs, load_patterns
from clockhead.scenes.parts.head_sheet import HeadSheet
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
)
from clockhead.scenes.style.shape import Shapes

_TITLES: dict[Kind, tuple[str, str]] = {
    "previous": ("previous token", "previous token: {n_previous}"),
    "induction": ("induction", "induction: {n_induction}"),
    "duplicate": ("duplicate token", "duplicate token: {n_duplicate}"),
    "first": ("first token", "first token: {n_first}"),
    "own": ("itself", "itself: {n_own}"),
    "mixed": ("mixed", "mixed: {n_mixed}"),
}
"""Titles of the groups: as they are, and with the number of heads if not all are shown."""

_EDGE = 0.06
"""Room for frames at the edge of the canvas, in units."""


def sheet_of_heads(
    data: AttentionPatterns | None, text: str, moment: int, first: int | None, length: int
) -> ManyHeads:
    """All heads of the data file's model or of the small transformer."""
    return many_heads(load_patterns(data, text, moment), first, length)


def _kind_beat(kind: Kind, sentence: str) -> Any:
    """The beat that shows the heads of one kind."""

    def shows(self: Sheet) -> Steps:
        yield from self.show_kind(kind)

    name = "first_token" if kind == "first" else kind
    shows.__name__ = shows.__qualname__ = name
    return beat(sentence, when=lambda heads: heads.count(kind) > 0)(shows)


class Sheet(Stage[ManyHeads]):
    """All heads of a model at once, then grouped by what they look at most."""

    class Inputs(ModelInputs):
        """The model, its text, and how much of the text is shown."""

        first: First = None
        length: int = Field(40, ge=2, le=48, description="largest number of tokens shown")

    title = "All heads"
    caption = (
        "{n_clear} of {n_all} {n_all:head|heads} {n_clear:looks|look} at one of five places above "
        "all."
    )
    opens = ("sheet",)
    leaves = ("sheet",)
    handles = (Handle("moment", (0, 150, 350, 400, 500, 800, 2000), beat=("sort", "end")),)
    data_files: ClassVar = ("data",)
    compute = sheet_of_heads

    def layout(self) -> None:
        heads = self.values
        self.sheet = HeadSheet(self["patterns"], heads.heads, causal=heads.is_causal)
        self.sheet.place(self.canvas)
        self.notes = Shapes()

    @beat(
        lambda heads: (
            "One text, {n_all} {n_all:head|heads}: this is where each of them looks."
            if not heads.n_left_out
            else "Of {n_all} heads, these {n_shown} do most clearly what we look for; {n_left_out} "
            "are left out."
        ),
        rest=REST,
    )
    def all_(self) -> Steps:
        yield 1.0

    @beat(
        "Now we sort them by what gets most of their attention.",
        ask="Which heads are alike?",
        when=lambda heads: heads.n_kinds > 1,
    )
    def sort(self) -> Steps:
        yield from self.group_heads(self.values.kinds)

    previous = _kind_beat(
        "previous",
        "Just under the diagonal stands the token before. Head {previous_head} gives it "
        "{previous_share:.0%} on average.",
    )
    induction = _kind_beat(
        "induction",
        "These find the same token earlier in the text, and look at what came after it: "
        "{induction_share:.0%} in head {induction_head}.",
    )
    duplicate = _kind_beat(
        "duplicate",
        "These look back at the same token: {duplicate_share:.0%} in head {duplicate_head}.",
    )
    first_token = _kind_beat(
        "first",
        "These give much to the first token of the text, whatever it is: {first_share:.0%} "
        "in head {first_head}. That is where a head can rest.",
    )
    own = _kind_beat(
        "own",
        "On the diagonal, tokens look at themselves: {own_share:.0%} in head {own_head}.",
    )
    mixed = _kind_beat(
        "mixed", "{n_mixed} {n_mixed:head does|heads do} several things, or something else."
    )

    def group_heads(self, kinds: Sequence[Kind]) -> Iterator[Any]:
        """Move the heads of these kinds into titled groups, and fade out the others."""
        heads = self.values
        groups = [heads.shelf(kind) for kind in kinds]
        titles = [
            self.say_of(_TITLES[kind][heads.count(kind) > len(shelf)])
            for kind, shelf in zip(kinds, groups, strict=True)
        ]
        if self.notes.submobjects:
            yield FadeOut(self.notes, run_time=0.4)
        yield self.sheet.go(
            self.sheet.shelves(self.canvas.inset(_EDGE), titles, groups), run_time=1.6
        )
        self.notes = Shapes(self.sheet.titles())
        yield FadeIn(self.notes, run_time=0.4)

    def show_kind(self, kind: Kind) -> Iterator[Any]:
        """Show the heads of one kind as large as possible, and frame the clearest."""
        yield from self.group_heads([kind])
        if kind != "mixed":
            frame = self.sheet.frame(self.values.shelf(kind)[0])
            yield Create(frame)
            self.notes.add(frame)

    @beat(CAPTION)
    def end(self) -> Steps:
        if self.values.n_kinds > 1:
            yield from self.group_heads(self.values.kinds)
