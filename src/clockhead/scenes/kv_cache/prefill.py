"""The prompt goes in at once, then token by token; the result is that of the whole text at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import DL, UR, Animation, Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.cache_trial import CacheTrial
from clockhead.scenes.kv_cache.board import Tray
from clockhead.scenes.kv_cache.once import NAME
from clockhead.scenes.kv_cache.span import PROMPT, ROOM, WRITTEN, Span
from clockhead.scenes.parts.cell_outlines import CellFrame, in_steps
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Row,
    Size,
    Stage,
    StageInputs,
    Steps,
    beat,
    fit,
)
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, SMALL

_NAMES = "with cache, step by step", "all as one prompt"
_UNMASKED = "without a mask"
_LOGITS = "next-token scores"
_LINE = 1.3 * SMALL * PX
_LEAST_GRID, _LEAST_LOGIT = 1.5, Size(0.6, 0.34)
_MOST_GRID, _MOST_LOGIT = 4.2, 1.1
_GAP, _SEAM, _RIM = 0.12, 0.2, 0.08
_SHELF = Size(text_width(NAME, SMALL), 1.0), Size(1.6, 9.0)
"""The least and the most room for keys and values beside a grid."""
_FRAMES = 8
_STATES = 6
"""How many lengths of the text are seen without a mask, about."""
_EXACT = 1e-16


def _of_prompt(trial: CacheTrial) -> str:
    if trial.run.prefill == 1:
        return "A prompt of one token fills the first row of the cache. That step is the prefill."
    return "The prompt is known: its {run.prefill} rows fill the cache in one step, the prefill."


def _of_rest(trial: CacheTrial) -> str:
    if trial.n_single == 1:
        return "The next token is known only after the prompt: one more step for one more row."
    return "The next {n_single} come one after another: a step and a row for each."


def _again(trial: CacheTrial) -> str:
    if trial.n_single == 0:
        return "Now the same without a cache. Does anything come out differently?"
    n = trial.run.counts.n_tokens
    return f"Now all {n} as one prompt: does anything come out differently?"


def _of_result(trial: CacheTrial) -> str:
    same = "No: the scores for the next token are the same"
    return f"{same} but for rounding." if trial.run.largest_difference else f"{same}."


class _LongNumber(Readout):
    """A number of many digits, written as small as its words."""

    figure_size = LABEL


class Prefill(Stage):
    """The prompt goes in at once, then token by token; nothing is different in the result."""

    class Inputs(StageInputs):
        n_tokens: int = Field(24, ge=4, le=32, description="tokens of the text in the end")
        n_prompt: int = Field(6, ge=1, le=32, description="how many of them are the prompt")
        seed: int = Field(1, ge=0, le=2**32 - 1, description="draws the small model and the text")

    title = "Does the cache change the result?"
    question = (
        "The last head of a small random model ({run.sizes.n_layers} layers of "
        "{run.sizes.n_heads} heads). Purple: below 0."
    )
    caption = (
        "An old row makes the next layer's key and value. It never changes, so what is kept stays "
        "right."
    )
    opens = ("cached", "card", "shelf")
    leaves = ("stack",)
    claims = (
        Claim(
            "the cache gives what the whole text gives at once, but for rounding",
            lambda trial: trial.run.relative_difference < 1e-9,
            "numbers differ by up to {run.largest_difference:.1g}; change seed or n_tokens",
        ),
        Claim(
            "without a mask, tokens change rows before them",
            lambda trial: trial.unmasked_change >= 0.01,
            "shares change by up to {unmasked_change:.1g}; change seed or n_tokens",
        ),
    )

    values: CacheTrial

    @classmethod
    def compute(cls, inputs: Inputs) -> CacheTrial:
        if inputs.n_prompt > inputs.n_tokens:
            raise ValueError(
                f"n_prompt must be at most n_tokens = {inputs.n_tokens}, got {inputs.n_prompt}"
            )
        return CacheTrial.drawn(inputs.n_tokens, inputs.n_prompt, inputs.seed)

    def layout(self) -> None:
        self.n, self.n_prompt = self.values.run.counts.n_tokens, self.values.run.prefill
        self.cached, self.full = self.grids = [
            self._grid(f"{way}_pattern") for way in ("cached", "full")
        ]
        self.logits = [self._logits(f"{way}_logits") for way in ("cached", "full")]
        line = Size(max(text_width(name, SMALL) for name in (*_NAMES, _LOGITS)), _LINE)
        heads, feet = ([Room(line) for _ in range(2)] for _ in range(2))
        words = "largest difference of any number"
        difference = self["run.largest_difference"]
        places = np.ceil(-np.log10(max(_EXACT, float(difference.array))))
        self.apart = _LongNumber(difference, f".{places:.0f}f", words=words)
        pictures = zip(heads, self.grids, feet, self.logits, strict=True)
        ways = [Column(*parts, gap=_GAP, weights=(0, 1, 0, 0)) for parts in pictures]
        shelves = [Room(*_SHELF) for _ in ways]
        rims = [Room(Size(ROOM, 1.0), Size(ROOM, 9.0)) for _ in ways]
        alike = [Row(*three, gap=_SEAM) for three in zip(rims, ways, shelves, strict=True)]
        beside, below = Row(alike[0], ways[1], self.apart), Column(*alike, self.apart)
        tight = Column(Row(alike[0], ways[1], gap=0.3), self.apart, gap=0.2, weights=(1, 0))
        order = (beside, below) if self.canvas.wide else (below, beside)
        fit(self.canvas, *order, tight)
        self.room = shelves[0].region
        self._level()
        self.way, self.other = map(self._word, _NAMES, heads)
        self.no_mask = self._word(_UNMASKED, heads[1])
        self.spans = [
            Span(self[path], self.cached.lattice, word)
            for path, word in (("run.prefill", PROMPT), ("n_single", WRITTEN))
        ]
        self.under = [self._word(_LOGITS, room) for room in feet]
        kept = [self._kept("key", 0), self._kept("value", 1)]
        (self.stack, _), (self.kept_values, _) = kept
        self._lay_shelf(kept, feet[0].region.center[1])
        self._lay_unmasked()
        for picture in (*self.grids, *self.logits):
            picture.empty()

    def _level(self) -> None:
        """Let both grids be equally large, so that they can be compared."""
        areas = [grid.lattice.region for grid in self.grids]
        wide, high = min(area.width for area in areas), min(area.height for area in areas)
        for grid, area in zip(self.grids, areas, strict=True):
            left = area.center[0] - wide / 2
            grid.remove(*grid.submobjects)
            grid.place_cells(Region(left, area.top - high, left + wide, area.top))

    def _lay_shelf(self, kept: list[tuple[Matrix, Label]], y: float) -> None:
        """Keys and values on their tray, and its name under it, at a height."""
        parts = VGroup(*(VGroup(*pair) for pair in kept))
        (left, bottom, _), (right, top, _) = parts.get_corner(DL), parts.get_corner(UR)
        tray = Tray(Region(left - _RIM, bottom - _RIM, right + _RIM, top + _RIM))
        self.shelf = VGroup(tray, *parts)
        self.card = Label(NAME, size=SMALL, color=self.theme.text_color("key"), align="center")
        self.card.center_on(np.array([(left + right) / 2, y, 0.0]))

    def _lay_unmasked(self) -> None:
        """What the second grid would be without a mask, for a few lengths of the text."""
        step = max(1, self.n // _STATES)
        self.lengths = self["unmasked_patterns"][(self.n - 1) % step :: step]
        self.unmasked = Matrix(self.lengths[0], low=0.0, high=1.0)
        self.unmasked.place_cells(self.full.lattice.region)

    def _grid(self, path: str) -> Matrix:
        shades: dict[str, Any] = {"low": 0.0, "high": 1.0, "mask": "causal", "aspect": (0.5, 1.3)}
        n = len(self[path])
        return Matrix(self[path], least_cell=_LEAST_GRID / n, most_cell=_MOST_GRID / n, **shades)

    def _logits(self, path: str) -> Matrix:
        bound = float(np.abs(self["full_logits"].array).max()) or 1.0
        cells: dict[str, Any] = {"least_cell": _LEAST_LOGIT, "most_cell": _MOST_LOGIT}
        look: dict[str, Any] = {"low": -bound, "high": bound, "aspect": (0.3, 0.45)}
        spec = (".2f", ".1f")
        return Matrix(self[path], lying=True, role="residual", spec=spec, **cells, **look)

    def _kept(self, role: Role, place: int) -> tuple[Matrix, Label]:
        """Keys or values of the same head, each level with its row of the grid; and their name."""
        value, area = self[f"{role}s"], self.cached.lattice.region
        width = (self.room.width - _SEAM - _RIM) / 2
        left = area.right + _SEAM + place * (width + _SEAM)
        bound = float(np.abs(value.array).max()) or 1.0
        rows = Matrix(value, role=role, low=-bound, high=bound)
        rows.place_cells(Region(left, area.bottom, left + width, area.top))
        word = Label(f"{role}s", size=SMALL, color=self.theme.text_color(role), align="center")
        return rows.empty(), word.center_on(np.array([left + width / 2, self.way.middle[1], 0.0]))

    def _word(self, text: str, room: Room) -> Label:
        word = Label(text, size=SMALL, color=self.theme.muted, align="center")
        return word.center_on(room.region.center)

    def _fill(self, when: NDArray[np.float64], run_time: float) -> list[Animation]:
        """Let rows come with the cache, each at its time, (T,), and what it leaves there."""
        pictures = (self.cached, self.stack, self.kept_values)
        return [
            picture.fill(when[:, None].repeat(picture.n_columns, axis=1), run_time=run_time)
            for picture in pictures
        ]

    @beat(_of_prompt)
    def prompt(self) -> Steps:
        when = np.where(np.arange(self.n) < self.n_prompt, 0.0, 9.0)
        self.add(self.full)
        others = FadeIn(self.full, self.way, self.other, self.spans[0])
        yield *self._fill(when, 0.5 * self.reading), others

    @beat(_of_rest, when=lambda trial: trial.n_single > 0)
    def rows(self) -> Steps:
        rest = self.n - self.n_prompt
        when = np.concatenate([np.full(self.n_prompt, -9.0), np.arange(rest) / max(1, rest - 1)])
        yield *self._fill(when, 0.8 * self.reading), FadeIn(self.spans[1])

    @beat(_again)
    def at_once(self) -> Steps:
        when = np.linspace(0, 1, self.n)[None].repeat(self.n, axis=0)
        yield self.full.fill(when, run_time=0.7 * self.reading)

    @beat(_of_result)
    def compare(self) -> Steps:
        self.add(*self.logits)
        when = np.linspace(0, 1, self.logits[0].n_columns)[None]
        filled = [logits.fill(when, run_time=1.6) for logits in self.logits]
        yield *(FadeIn(word, run_time=0.6) for word in self.under), *filled
        yield FadeIn(self.apart, run_time=0.6)

    @beat("The mask (hatched) hides later tokens from a row, so an old row never changes.")
    def hidden(self) -> Steps:
        yield from self._trace("key", [(0, m, m, 1) for m in self._steps[1:]])

    @beat("Without the mask, new tokens would change old rows.")
    def lifted(self) -> Steps:
        gone = self.full, self.other, self.logits[1], self.under[1], self.apart
        yield [FadeOut(part, run_time=0.4) for part in gone]
        yield [FadeIn(part, run_time=0.4) for part in (self.unmasked, self.no_mask)]
        rate = in_steps(len(self.lengths) - 1)
        yield self.unmasked.through(self.lengths, run_time=0.7 * self.reading, rate_func=rate)

    @beat(CAPTION)
    def why(self) -> Steps:
        yield from self._trace("query", [(m, 0, 1, m + 1) for m in self._steps])

    @property
    def _steps(self) -> list[int]:
        """Some rows, the first and the last among them."""
        steps = np.linspace(0, self.n - 1, min(self.n, _FRAMES)).astype(int)
        return list(np.unique(steps).tolist())

    def _trace(self, role: Role, blocks: list[tuple[int, int, int, int]]) -> Steps:
        """A frame goes from one block of cells to the next, in the grid that has a cache."""
        first, *others = [self.cached.block(*block) for block in blocks]
        frame = CellFrame(first, role)
        yield Create(frame, run_time=0.5)
        yield frame.trace(*others, run_time=0.6 * self.reading)
        yield FadeOut(frame, run_time=0.4)
