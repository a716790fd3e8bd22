"""A sum of rows as on paper: what every word gives, a row of its own, and under a line the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import DOWN, Line, VGroup
from numpy.typing import NDArray

from clockhead.model.rounding import decimals_that_add_up
from clockhead.model.worked_head import WorkedHead
from clockhead.scenes.attention.page import COMPUTED, SHARES
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import bound_of, rows
from clockhead.scenes.stage import Picture, Reading, Row, Size, Stage, Value
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, Number
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE

SHARE, SUMMAND, OWN, SUM = "share", "share × value", "its row", "sum"
_LEAST, _MOST, _SHAPE = Size(0.56, 0.3), Size(1.6, 0.66), (0.2, 1.2)
"""The least and the largest cells, and how high they may be, in widths."""
_SHARE = 1.0
"""The width of a share, in units."""
_NUMBER = 26.0
"""The largest size of a number, in pixels."""
_HEAD, _GAP = 0.4, 0.12
"""The height of the headings, and the room beside words and over the sum."""


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


class Addition:
    """The rows that add up to the new row of the last token, one below the other.

    `shares` and `summands` have a matrix for each word, which can change places with another;
    `own` is the last token's own row, and `sum` its new one. `shown` are all the numbers that are
    ever written into its cells.
    """

    def __init__(self, stage: Stage, shown: Sequence[str]) -> None:
        assert isinstance(stage.values, WorkedHead)
        self._stage, self._n = stage, stage.values.n_tokens
        self._all = Value("", np.vstack([stage[path].array for path in shown]))
        model = Value("", self._all.array[: self._n + 2])
        words = Value("", (*stage.values.tokens, OWN, SUM))
        self._model = rows(model, words, least_cell=_LEAST, most_cell=_MOST.width, aspect=_SHAPE)
        self._box = Row(Room(Size(_SHARE, 0.0), Size(_SHARE, np.inf)), self._model, gap=_GAP)

    @property
    def least(self) -> Size:
        return Size(self._box.least.width, self._box.least.height + _HEAD + _GAP)

    @property
    def most(self) -> Size:
        return Size(self._box.most.width, (self._n + 2) * _MOST.height + _HEAD + _GAP)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        self._box.place(region.cut_top(_HEAD, gap=0.0)[1].cut_top(region.height - _HEAD - _GAP)[0])
        self._left = min(label.get_left()[0] for label in self._model.row_labels) - _GAP - _SHARE
        self._choose_numbers()
        stage, n, last = self._stage, self._n, self._n - 1
        self.shares = [self._share(k) for k in range(n)]
        self.summands = self.rows("weighted_values", "value")
        own, total = stage["resid_pre"][last:n], stage["resid_post"][last:n]
        self.own = self.row(own, None, n, "residual")
        self.sum = self.row(total, None, n + 1, "residual")
        self.own_word, self.sum_word = self._model.row_labels[n:]
        self.sum_word.shift(_GAP * DOWN)
        VGroup(self.own_word, self.sum_word).set_color(theme().text_color("residual"))
        top, area = self.row_at(0).top + _GAP, self._model.lattice.region
        self.heads = VGroup(
            *(
                Label(words, size=MIN_SIZE, align="center", color=theme().muted).put(
                    np.array([x, top, 0.0])
                )
                for words, x in ((SHARE, self._left + _SHARE / 2), (SUMMAND, area.center[0]))
            )
        )
        under = self.row_at(n).bottom - _GAP / 2
        ends = [np.array([x, under, 0.0]) for x in (area.left, area.right)]
        self.line = SumLine(total, [*self.summands, self.own], ends)

    def row_at(self, k: int) -> Region:
        """Where the cells of a row lie: of a token, then the own one, then the sum."""
        row = self._model.row(k)
        down = _GAP if k > self._n else 0.0
        return Region(row.left, row.bottom - down, row.right, row.top - down)

    @property
    def pitch(self) -> float:
        """How far rows are apart."""
        return self._model.lattice.cell_height

    def column(self, j: int) -> Region:
        """Column j of all that is added up."""
        return self._model.block(0, j, self._n + 1, 1)

    def row(self, value: Value, words: Value | None, k: int, role: Role) -> Matrix:
        """A row of numbers, (1, d_model), at place k, beside it its word, if any."""
        spec = self._spec if role == "value" or k == self._n else self._total
        bound = bound_of(self._all)
        look: dict[str, Any] = {"low": -bound, "high": bound, "most_number": self._number}
        matrix = rows(value, words, role, spec=spec, numbers_in_motion=True, **look)
        matrix.place_cells(self.row_at(k), size=self._letters)
        return matrix

    def rows(self, path: str, role: Role, order: str = "") -> list[Matrix]:
        """A matrix for each row of a table, (T, d_model), beside its word."""
        table, words = self._stage[f"{order}{path}"], self._stage[f"{order}tokens"]
        each = (slice(k, k + 1) for k in range(self._n))
        return [self.row(table[k], words[k], k.start, role) for k in each]

    def _share(self, k: int) -> Matrix:
        """The share of a token, left of its word."""
        look: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        share = Matrix(
            self._stage["shares"][k : k + 1],
            most_number=self._number,
            numbers_in_motion=True,
            **look,
        )
        row = self.row_at(k)
        share.place_cells(Region(self._left, row.bottom, self._left + _SHARE, row.top))
        return share

    def _choose_numbers(self) -> None:
        """The formats and the size in which all numbers can be written."""
        area = self._model.lattice.region
        every = Matrix(self._all, spec=COMPUTED, most_number=_NUMBER)
        bottom = area.top - self.pitch * len(self._all)
        every.place_cells(Region(area.left, bottom, area.right, area.top))
        number = next(piece for piece in every.get_family() if isinstance(piece, Number))
        self._spec, self._number = every.spec_in(every.lattice) or "", number.em / PX
        self._total = _total_spec(self._stage.values, self._spec)
        self._letters = self._model.row_labels[0].em / PX


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
