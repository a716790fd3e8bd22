"""Prefill and decode with a cache give the same result as the whole text at once."""

from __future__ import annotations

import numpy as np
from manim import Create, VGroup
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.kv_cache.prefill import CacheTrial, cache_trial
from clockhead.scenes.kv_cache.words import NAME, tray
from clockhead.scenes.parts.cell_outlines import CellFrame, in_steps, walk
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Room,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    beat,
    fit,
    wide_or_tall,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, Moves, together
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL

_KEPT: tuple[Role, Role] = "key", "value"
_NAMES = "step by step", "all at once", "without a mask"
"""The captions over the grids."""
_LINE = Size(max(text_width(name, LABEL) for name in _NAMES), 1.4 * LABEL * PX)
"""Space for a caption over a grid, in units."""
_FOOT = Size(1.0, 0.55)
"""Least space under a grid, in units."""
_LEAST_GRID, _MOST_GRID = 1.5, 5.0
"""Smallest and largest side of a grid, in units."""
_SHELF = Size(text_width(NAME, LABEL), 1.0), Size(2.2, 9.0)
"""Least and most space for keys and values beside a grid, in units."""
_SEAM, _RIM = 0.2, 0.15
"""Gap between neighbouring parts, and between the shelf's edge and its contents, in units."""
_STATES = 6
"""Approximate number of text lengths that are shown without a mask."""
_EXACT = 1e-16
"""Difference below which the number of decimals no longer grows."""
_LATER = 9.0
"""Start time of cells that stay hidden, after any animation; negated, of visible ones."""


class Prefill(Stage[CacheTrial]):
    """Prefill and decode with a cache give the same result as the whole text at once."""

    class Inputs(StageInputs):
        n_tokens: int = Field(24, ge=4, le=32, description="number of tokens of the whole text")
        n_prompt: int = Field(
            6, ge=1, le=32, description="number of tokens of the prompt, the first ones"
        )
        seed: int = Field(
            23, ge=0, le=2**32 - 1, description="seed of the small random model and of its text"
        )

    title = "Does the cache change the result?"
    question = "Layer 1's pattern, and what layer 2 keeps, in a small random model."
    caption = "The mask keeps old rows as they are, so the keys and values kept of them stay right."
    opens = ("cached", "card", "shelf")
    leaves = ("stack",)
    claims = (
        Claim(
            "up to rounding errors, the cache gives the same result as the whole text at once",
            lambda trial: trial.run.relative_difference < 1e-9,
            "numbers differ by up to {run.largest_difference:.1g}; change seed or n_tokens",
        ),
        Claim(
            "without a mask, new tokens change the attention of earlier rows",
            lambda trial: trial.unmasked_change >= 0.01,
            "attention weights change by up to {unmasked_change:.1g}; change seed or n_tokens",
        ),
        Claim(
            "without a mask, the first cached key becomes wrong",
            lambda trial: trial.kept_error >= 0.01,
            "its numbers change by up to {kept_error:.1g}; change seed or n_tokens",
        ),
    )

    compute = cache_trial

    def layout(self) -> None:
        self.n, self.n_prompt = self.values.run.counts.n_tokens, self.values.run.prefill
        self.cached, self.full = grids = [
            Matrix(
                self[path],
                low=0.0,
                high=1.0,
                mask="causal",
                aspect=(0.5, 1.3),
                least_cell=_LEAST_GRID / self.n,
                most_cell=_MOST_GRID / self.n,
            )
            for path in ("cached_pattern", "full_pattern")
        ]
        difference = self["run.largest_difference"]
        places = np.ceil(-np.log10(max(_EXACT, float(difference.array))))
        self.apart = Figure(difference, f".{places:.0f}f", prefix="largest difference: ")
        heads, feet = ([Room(size) for _ in grids] for size in (_LINE, _FOOT))
        first, second = (
            Column(heads[k], grids[k], feet[k], gap=0.0, weights=(0, 1, 0)) for k in (0, 1)
        )
        shelf, free = Room(*_SHELF), Room(*_SHELF)
        over = Column(Row(first, shelf, gap=_SEAM), Row(second, free, gap=_SEAM))
        in_line, below = (
            Column(both, self.apart, gap=0.1, weights=(1, 0))
            for both in (Row(first, shelf, second, gap=_SEAM), over)
        )
        fit(self.canvas, wide_or_tall(in_line, below))
        words = zip(_NAMES, (heads[0], heads[1], heads[1]), strict=True)
        self.way, self.other, self.no_mask = (
            self._word(name, room.region.center, "muted") for name, room in words
        )
        self._lay_shelf(shelf.region, feet[0].region.bottom + _RIM)
        step = max(1, self.n // _STATES)
        seen = slice((self.n - 1) % step, None, step)
        self.lengths, self.anew = self["unmasked_patterns"][seen], self["unmasked_numbers"][seen]
        self.unmasked = Matrix(self.lengths[0], low=0.0, high=1.0)
        self.unmasked.place_cells(self.full.lattice.region)
        self.kept_number = Figure(self["kept_number"], ".2f", prefix="kept key: ", color="key")
        self.anew_number = Figure(self.anew[0], ".2f", prefix="needed: ")
        for figure, level in (self.kept_number, 0.52), (self.anew_number, -0.06):
            figure.number.center_on(feet[1].region.point(0.5, level))
        for picture in (*grids, self.stack, self.kept_values):
            picture.empty()

    def _lay_shelf(self, room: Region, foot: float) -> None:
        """Lay out keys and values, level with the grid's rows, on a shelf with its name."""
        area = self.cached.lattice.region
        width = (room.width - _SEAM - 2 * _RIM) / 2
        x, level = area.right + _SEAM + _RIM, float(self.way.middle[1])
        kept = [Matrix(self[f"{role}s"], role=role) for role in _KEPT]
        (self.stack, self.kept_values), parts = kept, VGroup()
        for rows, role in zip(kept, _KEPT, strict=True):
            rows.place_cells(Region(x, area.bottom, x + width, area.top))
            parts.add(rows, self._word(f"{role}s", np.array([x + width / 2, level, 0.0]), role))
            x += width + _SEAM
        self.shelf = VGroup(tray(parts), *parts)
        middle = np.array([parts.get_center()[0], foot, 0.0])
        self.card = self._word(NAME, middle, "key")

    def _word(self, text: str, middle: NDArray[np.float64], color: str) -> Label:
        return Label(text, color=color, align="center").center_on(middle)

    def _fill(self, when: NDArray[np.float64]) -> Moves:
        """Show the grid's rows at these start times, (T,), with their cached keys and values."""
        pictures = (self.cached, self.stack, self.kept_values)
        return together([p.fill(when[:, None].repeat(p.n_columns, axis=1)) for p in pictures])

    @beat(
        "As the prompt (framed) is known, no row waits: one step fills the cache with it, "
        "the prefill."
    )
    def prompt(self) -> Steps:
        when = np.where(np.arange(self.n) < self.n_prompt, 0.0, _LATER)
        prompt = self.cached.block(0, 0, self.n_prompt, self.n_prompt)
        self.prompt_frame = CellFrame(prompt, "query")
        yield FadeIn(self.way), Create(self.prompt_frame, run_time=0.3 * self.reading)
        yield 0.4 * self._fill(when)

    @beat(
        "Every later token takes a step and adds a row: where it looks.",
        when=lambda trial: trial.n_single > 0,
    )
    def rows(self) -> Steps:
        rest = self.n - self.n_prompt
        when = np.concatenate([np.full(self.n_prompt, -_LATER), np.linspace(0, 1, rest)])
        yield FadeOut(self.prompt_frame, run_time=0.4)
        yield 0.8 * self._fill(when)

    @beat("Now all at once, without a cache. Is anything different?")
    def at_once(self) -> Steps:
        gone = [FadeOut(self.prompt_frame)] if self.prompt_frame in self.mobjects else []
        yield FadeIn(self.full, self.other, run_time=0.4), *gone
        yield 0.6 * self.full.fill_columns()

    @beat("No: but for rounding, every number is the same.")
    def compare(self) -> Steps:
        yield FadeIn(self.apart, run_time=0.6)
        yield from self._sweep(self.cached, self.full)

    @beat("Layer 2 makes its keys of these rows. Without a mask, new tokens would change both.")
    def lifted(self) -> Steps:
        yield FadeOut(self.full, self.other, self.apart, run_time=0.4)
        frames = [grid.frame_row(0, "query") for grid in (self.unmasked, self.stack)]
        yield FadeIn(self.unmasked, self.no_mask, run_time=0.4)
        yield FadeIn(*frames, self.kept_number, self.anew_number, run_time=0.4)
        how = {"rate_func": in_steps(len(self.lengths) - 1)}
        pattern = self.unmasked.through(self.lengths, **how)
        yield 0.7 * together(pattern, self.anew_number.through(self.anew, **how))
        yield FadeOut(*frames, run_time=0.4)

    @beat(CAPTION)
    def why(self) -> Steps:
        yield from self._sweep(self.cached, self.stack, self.kept_values)

    def _sweep(self, *grids: Matrix) -> Steps:
        """Move a frame from the first row to the last of every grid."""
        frames = [grid.frame_row(0, "query") for grid in grids]
        yield from walk(frames, [[grid.row(self.n - 1)] for grid in grids], 0.5 * self.reading)
