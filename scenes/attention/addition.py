"""A sum of rows as on paper: what every word gives, a row of its own, and under a line the sum."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Line, VGroup

from clockhead.model.attention.worked_head import WorkedHead
from clockhead.model.rounding import decimals_that_add_up
from clockhead.scenes.attention.page import COMPUTED, SHARES
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.table import Room
from clockhead.scenes.parts.token_rows import bound_of, rows
from clockhead.scenes.stage import Column, Row, Size, Stage, Value
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.text import Label, Number
from clockhead.scenes.style.theme import Role, theme
from clockhead.scenes.style.type import MIN_SIZE

SHARE, SUMMAND, OWN, SUM = "share", "share × value", "its row", "sum"
_LEAST, _MOST, _SHAPE = Size(0.56, 0.3), 1.6, (0.2, 0.7)
"""The least cells, how wide they may be, and how high, in widths."""
_SHARE, _HEAD, _GAP = 1.0, 0.4, 0.12
"""The width of a share, the height of the headings, and the room beside words, in units."""


class Addition(Column):
    """The rows that add up to the new row of the last token, one below the other.

    `shares` and `summands` have a matrix for each word, which can change places with another;
    `own` is the last token's own row, and `sum` its new one.
    """

    def __init__(self, stage: Stage) -> None:
        head = stage.values
        assert isinstance(head, WorkedHead)
        self._stage, self._head = stage, head
        taken, own = head.weighted_values, head.resid_pre[head.last]
        whole = head.resid_post[head.last]
        self._terms = np.vstack([taken, own]).T, whole  # (d_model, T + 1), (d_model,)
        model, words = Value("", np.vstack([taken, own, whole])), (*head.tokens, OWN, SUM)
        self._look: dict[str, Any] = {"spec": COMPUTED, "numbers_in_motion": True}
        self._look |= {"high": bound_of(model), "low": -bound_of(model)}
        cells: dict[str, Any] = {"least_cell": _LEAST, "most_cell": _MOST, "aspect": _SHAPE}
        self._model = rows(model, Value("", words), **cells, **self._look)
        shares, heading = Room(Size(_SHARE, 0.0)), Room(Size(0.0, _HEAD), Size(np.inf, _HEAD))
        shares.most = shares.least
        super().__init__(heading, Row(shares, self._model, gap=_GAP), gap=0.0)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        super().place(region)
        stage, n, last = self._stage, self._head.n_tokens, self._head.last
        words = self._model.row_labels
        self._left = min(word.get_left()[0] for word in words) - _GAP - _SHARE
        number = next(part for part in self._model.get_family() if isinstance(part, Number))
        self._sizes = words[0].em / PX, number.em / PX
        self._look["spec"] = self._model.spec_in(self._model.lattice) or ""
        self.shares = [self._share(k) for k in range(n)]
        self.summands = self.rows("weighted_values", "value")
        self.own = self.row(stage["resid_pre"][last : last + 1], None, n, "residual")
        self._look["spec"] = self._sum_spec(self._look["spec"])
        self.sum = self.row(stage["resid_post"][last : last + 1], None, n + 1, "residual")
        self.names = VGroup(*words[n:]).set_color(theme().text_color("residual"))
        area, top = self._model.lattice.region, self.row_at(0).top + _GAP
        middles = ((SHARE, self._left + _SHARE / 2), (SUMMAND, area.center[0]))
        look: dict[str, Any] = {"size": MIN_SIZE, "align": "center", "color": theme().muted}
        self.heads = VGroup(
            *(Label(word, **look).put(np.array([x, top, 0.0])) for word, x in middles)
        )
        under = self.row_at(n + 1).top
        start, end = (np.array([x, under, 0.0]) for x in (area.left, area.right))
        self.line = Line(start, end, color=theme().ink, stroke_width=2.5)

    def row_at(self, k: int) -> Region:
        """Where the cells of a row lie: of a token, then the own one, then the sum."""
        return self._model.row(k)

    def column(self, j: int) -> Region:
        """Column j of all that is added up."""
        return self._model.block(0, j, self._head.n_tokens + 1, 1)

    def rows(self, path: str, role: Role) -> list[Matrix]:
        """A matrix for each row of a table, (T, d_model), beside its word."""
        table, words = self._stage[path], self._stage["tokens"]
        each = (slice(k, k + 1) for k in range(self._head.n_tokens))
        return [self.row(table[k], words[k], k.start, role) for k in each]

    def row(self, value: Value, words: Value | None, k: int, role: Role) -> Matrix:
        """A row of numbers, (1, d_model), at place k, beside it its word, if any."""
        size, number = self._sizes
        matrix = rows(value, words, role, most_number=number, **self._look)
        matrix.place_cells(self.row_at(k), size=size)
        return matrix

    def _share(self, k: int) -> Matrix:
        """The share of a token, left of its word."""
        value, row = self._stage["last_weights"][k : k + 1], self.row_at(k)
        look: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        share = Matrix(value, most_number=self._sizes[1], numbers_in_motion=True, **look)
        share.place_cells(Region(self._left, row.bottom, self._left + _SHARE, row.top))
        return share

    def _sum_spec(self, spec: str) -> str:
        """The most decimals to which rows, as they are written, add up to the sum."""
        if not spec.endswith("f"):
            return spec
        most = int(spec[1:-1]) + 1
        fewest = (decimals_that_add_up(*self._terms, least=k, most=most) for k in range(most))
        return f".{max((k for k, enough in enumerate(fewest) if enough < most), default=0)}f"
