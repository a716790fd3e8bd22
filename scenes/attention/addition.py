"""A sum of rows as on paper: what every word gives, a row of its own, and under a line the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import Line, VGroup, VMobject
from numpy.typing import NDArray

from model.rounding import decimals_that_add_up
from model.worked_head import WorkedHead
from scenes.attention.page import COMPUTED, SHARES
from scenes.parts.matrix import Matrix
from scenes.parts.strip import Strip
from scenes.stage import Picture, Reading, Size, Stage, Value
from scenes.stage.shown import is_visible
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive
from scenes.style.text import Label, Number, text_width
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL, MIN_SIZE, X_HEIGHT

SHARE, SUMMAND, OWN, SUM = "share", "share × value", "its row", "sum"
_LEAST, _MOST = Size(0.56, 0.3), Size(1.6, 0.66)
"""The least and the largest cells."""
_SHARE = 1.0
"""The width of a share, in units."""
_NUMBER = 26.0
"""The largest size of a number, in pixels."""
_HEAD, _GAP = 0.4, 0.12
"""The height of the headings, and the room around words and over the sum."""


class RowWords(Strip):
    """The words beside the rows of tables, which must be in the same order."""

    beside: tuple[Matrix, ...] = ()

    def readings(self) -> Iterator[Reading]:
        """The words as such, and for each row of a whole table which word is level with it."""
        yield from super().readings()
        tokens = self.shown
        for table in self.beside:
            rows = table.shown
            if not (isinstance(rows, Value) and isinstance(tokens, Value)) or self.moving:
                continue
            if not table.opened.all() or not is_visible(table):
                continue
            if rows.path.rpartition(".")[0] != tokens.path.rpartition(".")[0]:
                yield Reading(tokens[0], f"beside {rows.path}")
            for tile in self.tiles:
                level = table.lattice.nearest(tile.middle)[0]
                yield Reading(tokens[level], tile.label.text)


class SumLine(Picture):
    """The line under what is added up; read back, the numbers over it add up to the total."""

    def __init__(self, total: Value, over: Sequence[Matrix], ends: Sequence[Any]) -> None:
        super().__init__(total)
        self._over = over
        self.add(Line(*ends, color=theme().ink, stroke_width=2.5))

    def show(self, state: NDArray[np.float64]) -> None:
        """It is a line, whatever the total."""

    def readings(self) -> Iterator[Reading]:
        """The total of each column, while all of it is there."""
        if not is_visible(self) or not all(matrix.opened.all() for matrix in self._over):
            return
        columns = np.vstack([matrix.table for matrix in self._over]).T  # (d_model, T + 1)
        for j, column in enumerate(columns):
            within = 1e-9 * max(1.0, float(np.abs(column).max()))
            yield Reading(self.shown[0, j], float(column.sum()), within)


class Addition(VGroup):
    """The rows that add up to the new row of the last token, one below the other.

    `shares` and `summands` have a row for each of the `words`; `own` is the last token's own row,
    and `sum` its new one. `shown` are all the numbers that are ever written into its cells.
    """

    def __init__(self, stage: Stage, shown: Sequence[str]) -> None:
        super().__init__()
        self._stage, head = stage, stage.values
        assert isinstance(head, WorkedHead)
        self._n, self._d = head.n_tokens, head.d_model
        self._all = Value("", np.vstack([stage[path].array for path in shown]))
        self.bound = float(np.abs(self._all.array).max()) or 1.0
        self._words = (*head.tokens, OWN, SUM)

    @property
    def least(self) -> Size:
        return self._size(_LEAST, MIN_SIZE)

    @property
    def most(self) -> Size:
        return self._size(_MOST, LABEL)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        n, d, wide = self._n, self._d, self._wide(LABEL)
        width = min(_MOST.width, (region.width - wide) / d)
        height = min(_MOST.height, (region.height - _HEAD - _GAP) / (n + 2))
        left = region.center[0] - (wide + d * width) / 2
        top = region.center[1] + (_HEAD + _GAP + (n + 2) * height) / 2 - _HEAD
        self.start, self.pitch = left + wide, height
        self.cells = Region(self.start, top - n * height, self.start + d * width, top)
        self._left = left
        self._write_all()

    def row_at(self, k: int) -> Region:
        """Where the cells of a row lie: of a token, then the own one, then the sum."""
        top = self.cells.top - k * self.pitch - (_GAP if k > self._n else 0.0)
        return Region(self.cells.left, top - self.pitch, self.cells.right, top)

    def column(self, j: int) -> Region:
        """Column j of all that is added up."""
        width = self.cells.width / self._d
        left = self.cells.left + j * width
        return Region(left, self.row_at(self._n).bottom, left + width, self.cells.top)

    def matrix(self, value: Value, k: int, role: Role, *, total: bool = True) -> Matrix:
        """Rows of numbers, (n, d_model), from row k on, written like totals or like summands."""
        options: dict[str, Any] = {"low": -self.bound, "high": self.bound, "role": role}
        options |= {"spec": self._total if total else self._spec, "numbers_in_motion": True}
        matrix = Matrix(value, **options, most_number=self._number)
        first, last = self.row_at(k), self.row_at(k + len(value) - 1)
        matrix.place_cells(Region(first.left, last.bottom, first.right, first.top))
        return matrix

    def column_of_shares(self, value: Value, k: int) -> Matrix:
        """Shares from row k on, (n,), left of the words."""
        look: dict[str, Any] = {"low": 0.0, "high": 1.0, "role": "attention"}
        matrix = Matrix(value, **look, spec=SHARES, most_number=self._number)
        first, last = self.row_at(k), self.row_at(k + len(value) - 1)
        matrix.place_cells(Region(self._left, last.bottom, self._left + _SHARE, first.top))
        return matrix

    def _write_all(self) -> None:
        stage, n = self._stage, self._n
        model = Matrix(self._all, spec=COMPUTED, most_number=_NUMBER)
        high = self.pitch * len(self._all)
        area = self.cells
        model.place_cells(Region(area.left, area.top - high, area.right, area.top))
        number = next(piece for piece in model.get_family() if isinstance(piece, Number))
        self._spec, self._number = (model.spec_in(model.lattice) or "", number.em / PX)
        self._total = _total_spec(stage.values, self._spec)
        self.shares = self.column_of_shares(stage["shares"], 0)
        self.summands = self.matrix(stage["weighted_values"], 0, "value", total=False)
        self.words = RowWords(stage["tokens"], boxes=False, align="right", size=self._letters)
        self.words.place_at(np.array([self._word_at(k) for k in range(n)]))
        self.words.beside = (self.shares, self.summands)
        self.own = self.matrix(stage["resid_pre"][n - 1 : n], n, "residual", total=False)
        self.sum = self.matrix(stage["resid_post"][n - 1 : n], n + 1, "residual")
        self.own_word, self.sum_word = (self._word(k) for k in (n, n + 1))
        y, middles = self.cells.top + _GAP, (self._left + _SHARE / 2, self.cells.center[0])
        heads = zip((SHARE, SUMMAND), middles, strict=True)
        self.heads = VGroup(*(_head(words, float(x), y) for words, x in heads))
        under = self.row_at(n).bottom - _GAP / 2
        ends = [np.array([x, under, 0.0]) for x in (self.cells.left, self.cells.right)]
        self.line = SumLine(stage["resid_post"][n - 1 : n], (self.summands, self.own), ends)

    @property
    def _letters(self) -> float:
        return float(np.clip(self.pitch / PX / 1.05, MIN_SIZE, LABEL))

    def _word_at(self, k: int) -> NDArray[np.float64]:
        """Where a word beside row k ends."""
        at = self.row_at(k)
        return np.array([at.left - _GAP, at.center[1], 0.0])

    def _word(self, k: int) -> Label:
        color, size = theme().text_color("residual"), self._letters
        label = Label(self._words[k], size=size, align="right", color=color)
        return label.put(self._word_at(k) - np.array([0.0, X_HEIGHT / 2 * size * PX, 0.0]))

    def _wide(self, size: float) -> float:
        """What stands to the left of the numbers."""
        return _SHARE + max(text_width(word, size) for word in self._words) + 2 * _GAP

    def _size(self, cell: Size, size: float) -> Size:
        high = _HEAD + _GAP + (self._n + 2) * cell.height
        return Size(self._wide(size) + self._d * cell.width, high)


def exchange(
    upper: VMobject, lower: VMobject, way: float, aside: float, *, run_time: float
) -> Drive:
    """Let two rows, so far apart, pass each other on half-circles flattened to `aside`.

    The upper one goes to the right, as the first of two words in `Strip.swap` does.
    """
    gone = np.zeros(3)

    def show(share: NDArray[np.float64]) -> None:
        turn = np.pi * float(share)
        now = np.array([aside * np.sin(turn), -way * (1 - np.cos(turn)) / 2, 0.0])
        upper.shift(now - gone)
        lower.shift(gone - now)
        gone[:] = now

    return Drive(VGroup(upper, lower), show, 0.0, 1.0, run_time=run_time)


def _total_spec(head: WorkedHead, spec: str) -> str:
    """The most decimals to which the summands, as they are written, add up to the totals."""
    if not spec.endswith("f"):
        return spec
    decimals, last = int(spec[1:-1]), head.last
    terms = np.vstack([head.weighted_values, head.resid_pre[last]]).T  # (d_model, T + 1)

    def adds_up(least: int) -> bool:
        most = decimals + 1
        return decimals_that_add_up(terms, head.resid_post[last], least=least, most=most) < most

    return f".{next(filter(adds_up, range(decimals, 0, -1)), decimals)}f"


def _head(words: str, x: float, y: float) -> Label:
    return Label(words, size=MIN_SIZE, align="center", color=theme().muted).put(
        np.array([x, y, 0.0])
    )
