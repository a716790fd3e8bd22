"""Without attention a new word is noticed by its own row alone; with it, by those after it too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from manim import Create, VGroup, VMobject
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.ablation.isolation import WordExchange, exchange_word
from clockhead.model.tokens import named
from clockhead.scenes.ablation.inputs import HeadsStage
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.flow import Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Derived,
    Handle,
    Stage,
    Steps,
    Words,
    beat,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.texts import few_words, words_said
from clockhead.scenes.transformer_block.inputs import MOST_LETTERS, MOST_WORDS


def _noticed(exchange: WordExchange) -> str:
    if exchange.place == exchange.before.last:
        return "Again its own alone: no token comes after it, and tokens look back, never ahead."
    return "Now rows after it can move too: tokens look back, never ahead."


class Isolation(Stage[WordExchange]):
    """One word is exchanged: which rows notice, without attention and with it?"""

    class Inputs(HeadsStage.Inputs):
        """A short text, the rows that go in, and the word to be exchanged."""

        place: int = Field(
            1,
            ge=0,
            le=MOST_WORDS - 1,
            description="which token is exchanged, from 0; the last one if the text is shorter",
        )
        word: Annotated[Words, few_words(1, 1, MOST_LETTERS)] | None = Field(
            None,
            description="the word that comes instead, "
            f"{words_said(1, 1, MOST_LETTERS)}; left out, one that is not in the text",
        )

    title = "Which rows notice a new word?"
    question = "First with all heads off, then all on."
    caption = "Attention is the only way from token to token."
    opens = ("tiles",)
    claims = (
        Claim(
            "the row of the new word is another",
            lambda exchange: exchange.moves[0, exchange.place] > 0,
            "it is the same, as it is where all rows are 0; change resid_pre",
        ),
    )
    derived = {"old": Derived("the word that goes", lambda e: named(e.before.tokens, e.place))}

    handles = (Handle("place", "0:2"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> WordExchange:
        place = min(inputs.place, len(inputs.tokens) - 1)
        return exchange_word(inputs.block, place, inputs.word, seed=inputs.seed or 0)

    def layout(self) -> None:
        found = self.values
        runs = found.before.run, found.after.run, found.alone_before, found.alone_after
        bounds = np.abs([run.resids for run in runs]).max(axis=(0, 2, 3))
        most = float(max(found.moves.max(), found.moves_alone.max()))
        self.storeys = Storeys(self, found.place, [bound or 1.0 for bound in bounds], most)
        self.storeys.place(self.canvas)
        self.tiles, self.new_tile = self.storeys.tiles, self.storeys.new_tile

    @beat("Every head is off: each row goes up alone, and only MLPs change it.")
    def alone(self) -> Steps:
        storeys, time = self.storeys, 0.8 * self.reading
        every = (row for rows in storeys.rows for row in rows)
        yield FadeIn(*every, storeys.wires, run_time=0.1 * time)
        for name, rows in zip(storeys.names, storeys.rows, strict=True):
            yield FadeIn(name), *(row.fill_columns(run_time=0.3 * time) for row in rows)

    @beat(
        "Its own, by this distance. In the other rows, not a single digit moves.",
        ask="{old} becomes “{word}”. Which rows will move?",
    )
    def exchange_alone(self) -> Steps:
        yield FadeIn(*self.storeys.boxes("moves_alone"), run_time=0.4)
        yield from self._exchange("alone_after.resids", 0.7 * self.reading)

    @beat(
        "Back to {old}, all heads on. For each head, a thread shows how much a row looks at {old}."
    )
    def switch_on(self) -> Steps:
        storeys = self.storeys
        moves = FadeOut(*(cell for level in storeys.moves for cell in level), run_time=0.6)
        yield leave(self.new_tile, 0), storeys.run("alone_before.resids", run_time=0.9), moves
        _, *cells = storeys.boxes("moves")
        yield together(
            come_back(self.tiles, self.values.place), [*map(FadeIn, cells)], run_time=0.4
        )
        self.remove(storeys.wires)
        ribbons = storeys.look("before.patterns")
        self.add(*ribbons, storeys.wires, *cells)
        drawn = [each.draw_in() for each in ribbons]
        yield 0.6 * together(drawn, storeys.run("before.run.resids"))

    @beat(_noticed, ask="The same exchange. Which rows move now?")
    def exchange_on(self) -> Steps:
        yield from self._exchange("after.run.resids", 0.9 * self.reading)

    def _exchange(self, streams: str, time: float) -> Steps:
        """The other word appears, and the rows change from level to level."""
        storeys, each = self.storeys, 0.25 * time
        yield leave(self.tiles, self.values.place, run_time=0.5 * each)
        self.add(self.new_tile)
        yield come_back(self.new_tile, 0, run_time=0.5 * each)
        for level, cells in enumerate(storeys.moves):
            yield together(
                storeys.run(streams, level),
                [cell.fill(np.zeros((1, 1)), each=1.0) for cell in cells],
                [
                    ribbons.to(self["after.patterns"][level - 1, head])
                    for below in storeys.ribbons[level - 1 : level]
                    for head, ribbons in enumerate(below)
                ],
                run_time=each,
            )

    @beat(CAPTION)
    def end(self) -> Steps:
        """A frame goes from the new word to where the next word is read off, if there is a way."""
        storeys, last, place = self.storeys, self.values.before.last, self.values.place
        end = last if last in self.values.reached else place
        frame = CellFrame(storeys.block(0, place), "attention")
        yield 0.2 * together(Create(frame))
        way = [storeys.block(level, end) for level in range(1, len(storeys.rows))]
        yield 0.7 * frame.trace(*way)


_NAMES, _MOVED = ("X", "layer 0", "layer 1"), "distance"
_TILE, _ROW, _MOVE, _FOOT = 0.5, 0.34, 0.42, 0.24
"""The heights of a tile, a row and the cell on it, and the way from tiles to rows, in units."""
_STEP, _LONGEST = 0.5, 2.8
"""The way to the next level at least, and at most."""
_APART, _MOST, _ASIDE = 0.26, 2.6, 0.3
"""Between two columns; how wide they are at most; from them to the names."""
_RIBBONS = 0.28
"""The width of all ribbons of a row together, as a share of its column."""


class Storeys(VGroup):
    """A column for each token: its tile and, on every level, its row and how far that has moved.

    `rows[level][k]` show the streams without attention. What waits to be brought in: the
    `moves[level][k]`, up to `most` in the fullest shade; `new_tile`, of the other word at `source`;
    and `ribbons[level]` for each head, the attention that goes from there to the level above.
    """

    def __init__(self, stage: Stage, source: int, bounds: Sequence[float], most: float) -> None:
        super().__init__()
        self._stage, self._source = stage, source
        streams, moves = stage["alone_before.resids"], stage["moves_alone"]
        self.tiles = Strip(stage["before.tokens"], size=LABEL)
        self.new_tile = Strip(stage["after.tokens"][source : source + 1], size=LABEL)
        self.n = len(self.tiles.tiles)
        self.rows = [
            [
                Matrix(streams[level, k], lying=True, role="residual", low=-bound, high=bound)
                for k in range(self.n)
            ]
            for level, bound in enumerate(bounds)
        ]
        look: dict[str, Any] = {"role": "token", "low": 0.0, "high": most, "spec": (".3g", ".2g")}
        self.moves = [
            [Matrix(moves[level, k : k + 1], lying=True, **look) for k in range(self.n)]
            for level in range(len(bounds))
        ]
        self.names = [Label(name, color="muted", size=LABEL) for name in _NAMES]
        self.marks = VGroup(*(Label(_MOVED, size=LABEL) for _ in _NAMES))
        self.wires = VMobject(stroke_color=theme().residual, stroke_width=2)
        self.ribbons: list[list[Ribbons]] = []
        self._aside = text_width(_MOVED, LABEL) + _ASIDE

    def place(self, region: Region) -> None:
        """Fill a region; the columns and their names stand in its middle."""
        pitch = min((region.width - self._aside + _APART) / self.n, _MOST + _APART)
        self._width = pitch - _APART
        left = region.center[0] - (self.n * pitch - _APART - self._aside) / 2
        self._x = left + self._width / 2 + pitch * np.arange(self.n)
        gaps = len(self.rows) - 1
        least = _TILE + _FOOT + (gaps + 1) * (_ROW + _MOVE) + gaps * _STEP
        spare = max(0.0, region.height - least) / gaps
        step = _ROW + _MOVE + min(_STEP + spare, _LONGEST)
        tile = region.center[1] - (step * gaps + _ROW + _MOVE + _FOOT) / 2
        self._y = tile + _TILE / 2 + _FOOT + step * np.arange(len(self.rows))
        middles = [(x, tile) for x in self._x]
        self.tiles.place_at(middles, (self._width, _TILE))
        self.new_tile.place_at([middles[self._source]], (self._width, _TILE))
        hide_tiles(self.new_tile, 0)
        for level, y in enumerate(self._y):
            for k in range(self.n):
                self.rows[level][k].place_cells(self._region(level, k, 0.0, _ROW))
                self.rows[level][k].empty()
                self.moves[level][k].place_cells(self._region(level, k, _ROW, _ROW + _MOVE))
            for label, up in ((self.names[level], _ROW / 2), (self.marks[level], _ROW + _MOVE / 2)):
                label.center_on(np.array([left - _ASIDE - label.width / 2, y + up, 0.0]))
        feet = [self._point(0, k, -_FOOT) for k in range(self.n)]
        tops = [self._point(level, k, _ROW) for level in range(gaps) for k in range(self.n)]
        ends = [self._point(level, k) for level in range(gaps + 1) for k in range(self.n)]
        self.wires.set_points(straight(np.array(feet + tops), np.array(ends)))

    def _region(self, level: int, k: int, low: float, high: float) -> Region:
        x, y = self._x[k], self._y[level]
        return Region(x - self._width / 2, y + low, x + self._width / 2, y + high)

    def block(self, level: int, k: int) -> Region:
        """The row of a token and what stands on it."""
        return self._region(level, k, 0.0, _ROW + _MOVE)

    def _point(
        self, level: int, k: int, up: float = 0.0, aside: float = 0.5
    ) -> NDArray[np.float64]:
        """The point at this height over the foot of a row, at a share of its width."""
        return np.array([self._x[k] + (aside - 0.5) * self._width, self._y[level] + up, 0.0])

    # How it changes

    def run(self, path: str, *levels: int, **options: Any) -> list[Drive]:
        """Run the rows on these levels, or on all, to other streams."""
        streams = self._stage[path]
        return [
            row.to(streams[level, k], **options)
            for level in levels or range(len(self.rows))
            for k, row in enumerate(self.rows[level])
        ]

    def boxes(self, path: str) -> list[VMobject]:
        """The boxes for other distances, empty, and their names."""
        for level, cells in enumerate(self.moves):
            for k, cell in enumerate(cells):
                cell.set_to(self._stage[path][level, k : k + 1])
                cell.empty()
        return [self.marks, *(cell for cells in self.moves for cell in cells)]

    def look(self, path: str) -> list[Ribbons]:
        """Make the ribbons for patterns (L, h, T, T), not yet to be seen."""
        patterns = self._stage[path]
        self.ribbons = [
            [self._ribbons(patterns[level, head], level, (head + 0.5) / n) for head in range(n)]
            for level, n in enumerate(map(len, patterns.content))
        ]
        return [ribbons for level in self.ribbons for ribbons in level]

    def _ribbons(self, pattern: Any, level: int, aside: float) -> Ribbons:
        """The ribbons of a head, at a share of the width of the columns."""
        ribbons = Ribbons(
            pattern,
            lambda k: self._point(level, k, _ROW + _MOVE, aside),
            lambda k: self._point(level + 1, k, 0.0, aside),
            width=_RIBBONS * self._width / len(self._stage["before.patterns"][level]),
            giving=[self._source],
        )
        ribbons.place()
        return ribbons.hide()
