"""Replacing a word changes its own row; only with attention can it change later rows too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from manim import Create, VGroup, VMobject
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.ablation.isolation import WordExchange, exchange_word
from clockhead.model.tokens import token_name
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


def _rows_sentence(exchange: WordExchange) -> str:
    if exchange.place == exchange.before.last:
        return "Again its own alone: no token comes after it, and tokens look back, never ahead."
    return "Now rows after it can move too: tokens look back, never ahead."


class Isolation(Stage[WordExchange]):
    """One word is replaced: which rows change, without attention and with it?"""

    class Inputs(HeadsStage.Inputs):
        """A short text, its embeddings, and the word to replace."""

        place: int = Field(
            1,
            ge=0,
            le=MOST_WORDS - 1,
            description="position of the token to replace, from 0; the last one in a shorter text",
        )
        word: Annotated[Words, few_words(1, 1, MOST_LETTERS)] | None = Field(
            None,
            description="the word to put in its place, "
            f"{words_said(1, 1, MOST_LETTERS)}; default: one that is not in the text",
        )

    title = "Which rows notice a new word?"
    question = "First with all heads off, then all on."
    caption = "Attention is the only way from token to token."
    opens = ("tiles",)
    claims = (
        Claim(
            "the new word has a different embedding",
            lambda exchange: exchange.moves[0, exchange.place] > 0,
            "both are the same, for example because all embeddings are 0; change resid_pre",
        ),
    )
    derived = {
        "old": Derived("the word that is replaced", lambda e: token_name(e.before.tokens, e.place))
    }

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
        self.columns = TokenColumns(self, found.place, [bound or 1.0 for bound in bounds], most)
        self.columns.place(self.canvas)
        self.tiles, self.new_tile = self.columns.tiles, self.columns.new_tile

    @beat("Every head is off: each row goes up alone, and only MLPs change it.")
    def alone(self) -> Steps:
        columns, time = self.columns, 0.8 * self.reading
        every = (row for rows in columns.rows for row in rows)
        yield FadeIn(*every, columns.wires, run_time=0.1 * time)
        for name, rows in zip(columns.names, columns.rows, strict=True):
            yield FadeIn(name), *(row.fill_columns(run_time=0.3 * time) for row in rows)

    @beat(
        "Its own, by this distance. In the other rows, not a single digit moves.",
        ask="{old} becomes “{word}”. Which rows will move?",
    )
    def exchange_alone(self) -> Steps:
        yield FadeIn(*self.columns.empty_moves("moves_alone"), run_time=0.4)
        yield from self._exchange("alone_after.resids", 0.7 * self.reading)

    @beat(
        "Back to {old}, all heads on. For each head, a thread shows how much a row looks at {old}."
    )
    def switch_on(self) -> Steps:
        columns = self.columns
        moves = FadeOut(*(cell for level in columns.moves for cell in level), run_time=0.6)
        yield leave(self.new_tile, 0), columns.run("alone_before.resids", run_time=0.9), moves
        _, *cells = columns.empty_moves("moves")
        yield together(
            come_back(self.tiles, self.values.place), [*map(FadeIn, cells)], run_time=0.4
        )
        self.remove(columns.wires)
        ribbons = columns.make_ribbons("before.patterns")
        self.add(*ribbons, columns.wires, *cells)
        drawn = [each.draw_in() for each in ribbons]
        yield 0.6 * together(drawn, columns.run("before.run.resids"))

    @beat(_rows_sentence, ask="The same exchange. Which rows move now?")
    def exchange_on(self) -> Steps:
        yield from self._exchange("after.run.resids", 0.9 * self.reading)

    def _exchange(self, streams: str, time: float) -> Steps:
        """Replace the word, and update the rows from level to level."""
        columns, each = self.columns, 0.25 * time
        yield leave(self.tiles, self.values.place, run_time=0.5 * each)
        self.add(self.new_tile)
        yield come_back(self.new_tile, 0, run_time=0.5 * each)
        for level, cells in enumerate(columns.moves):
            yield together(
                columns.run(streams, level),
                [cell.fill(np.zeros((1, 1)), each=1.0) for cell in cells],
                [
                    ribbons.to(self["after.patterns"][level - 1, head])
                    for below in columns.ribbons[level - 1 : level]
                    for head, ribbons in enumerate(below)
                ],
                run_time=each,
            )

    @beat(CAPTION)
    def end(self) -> Steps:
        """Move a frame from the new word up to the last token's output, if it can reach that."""
        columns, last, place = self.columns, self.values.before.last, self.values.place
        end = last if last in self.values.reached else place
        frame = CellFrame(columns.block(0, place), "attention")
        yield 0.2 * together(Create(frame))
        way = [columns.block(level, end) for level in range(1, len(columns.rows))]
        yield 0.7 * frame.trace(*way)


_NAMES, _MOVED = ("X", "layer 0", "layer 1"), "distance"
_TILE, _ROW, _MOVE = 0.5, 0.34, 0.42
"""Heights of a tile, of a row, and of the cell above it with its distance, in units."""
_FOOT = 0.24
"""Gap between the tiles and the lowest rows."""
_STEP, _LONGEST = 0.5, 2.8
"""Smallest gap between two levels, and largest distance from one level to the next."""
_GAP, _WIDEST = 0.26, 2.6
"""Gap between two columns, and largest width of a column."""
_ASIDE = 0.3
"""Gap between the columns and the names of the levels."""
_RIBBONS = 0.28
"""Width of all ribbons of a row together, as a fraction of its column."""


class TokenColumns(VGroup):
    """A column for each token: its tile and, on each level, its row and how far the row has moved.

    `rows[level][k]` begin with the residual streams without attention. Stages fade in later: the
    distances `moves[level][k]`, where `most` has the strongest shade; `new_tile`, the other word
    at position `source`; and `ribbons[level]`, each head's attention weights on `source`, from this
    level to the one above.
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
        """Fill a region; the columns and their names are centred in it."""
        pitch = min((region.width - self._aside + _GAP) / self.n, _WIDEST + _GAP)
        self._width = pitch - _GAP
        left = region.center[0] - (self.n * pitch - _GAP - self._aside) / 2
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
        """The region of a token's row and of the distance above it."""
        return self._region(level, k, 0.0, _ROW + _MOVE)

    def _point(
        self, level: int, k: int, up: float = 0.0, aside: float = 0.5
    ) -> NDArray[np.float64]:
        """The point `up` above the bottom of a row, at the fraction `aside` of its width."""
        return np.array([self._x[k] + (aside - 0.5) * self._width, self._y[level] + up, 0.0])

    def run(self, path: str, *levels: int, **options: Any) -> list[Drive]:
        """Animate the rows on these levels, or on all, to the residual streams at a fact path."""
        streams = self._stage[path]
        return [
            row.to(streams[level, k], **options)
            for level in levels or range(len(self.rows))
            for k, row in enumerate(self.rows[level])
        ]

    def empty_moves(self, path: str) -> list[VMobject]:
        """Set the distances to those at a fact path, empty; return their cells and names."""
        for level, cells in enumerate(self.moves):
            for k, cell in enumerate(cells):
                cell.set_to(self._stage[path][level, k : k + 1])
                cell.empty()
        return [self.marks, *(cell for cells in self.moves for cell in cells)]

    def make_ribbons(self, path: str) -> list[Ribbons]:
        """Make the hidden ribbons of the patterns (L, h, T, T) at a fact path."""
        patterns = self._stage[path]
        self.ribbons = [
            [self._ribbons(patterns[level, head], level, (head + 0.5) / n) for head in range(n)]
            for level, n in enumerate(map(len, patterns.content))
        ]
        return [ribbons for level in self.ribbons for ribbons in level]

    def _ribbons(self, pattern: Any, level: int, aside: float) -> Ribbons:
        """The ribbons of a head, at the fraction `aside` of the columns' width."""
        ribbons = Ribbons(
            pattern,
            lambda k: self._point(level, k, _ROW + _MOVE, aside),
            lambda k: self._point(level + 1, k, 0.0, aside),
            width=_RIBBONS * self._width / len(self._stage["before.patterns"][level]),
            giving=[self._source],
        )
        ribbons.place()
        return ribbons.hide()
