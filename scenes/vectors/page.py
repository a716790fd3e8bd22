"""What the stages of this film share: people who rate films, their arrows, and a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from clockhead.model.arrays import Floats
from clockhead.model.films.vectors.ratings import Ratings, ratings
from clockhead.model.tokens import words
from clockhead.scenes.facts import format_fact
from clockhead.scenes.parts.equation import Equation
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.spelling import listed, said
from clockhead.scenes.stage import (
    Column,
    Derived,
    Picture,
    Room,
    Row,
    Size,
    Stage,
    StageInputs,
    Value,
    Words,
    fit,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Moves, together
from clockhead.scenes.style.text import Label, text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL, MIN_SIZE
from clockhead.scenes.texts import ALL_DIFFERENT, few_words, words_said
from clockhead.scenes.vectors.space import Arrows, Space

_N, _N_FILMS, _LETTERS, _TITLE = 4, 3, 5, 8
_DESK = Size(3.3, 1.15), Size(9.0, 1.5)
_FORMULA = 36.0
_FIELD = re.compile(r"\{(\w+)")
_SERIES = "tables", "distances", "dots", "cosines"
"""Values that the columns of the board show while arrows move."""
_MARKS = "nearest_marks", "highest_marks", "closest_marks"
"""The best matches by each measure."""

BOUND = 5
"""The best rating; the worst is its negative."""
Rating = Annotated[int, Field(ge=-BOUND, le=BOUND)]
Rows = Annotated[
    tuple[Annotated[tuple[Rating, ...], Field(min_length=_N_FILMS, max_length=_N_FILMS)], ...],
    Field(min_length=_N, max_length=_N),
]


_LEAST, _MOST = Size(0.78, 0.36), Size(1.3, 0.75)
_WIDER = 1.2
"""Mean width of a measure's column, in widths of a film's column."""
_SEAM = 0.12
"""Gap between two columns, in units."""
HEAD = 0.42
"""Height of the names above columns, in units."""
_LONGEST = BOUND * 2**0.5
"""Largest coordinate of an arrow that turns."""

_NAME_MARGIN = 0.08
"""Space beside the name of a column, in units."""
_LOOK: dict[str, Any] = {
    "least_cell": _LEAST,
    "aspect": None,
    "turns": (0.0,),
    "most_number": 26.0,
    "numbers_in_motion": True,
}


class HeadedColumn(Matrix):
    """A column (N,) with a name above it, which is always visible."""

    def __init__(
        self, word: str, value: Value, role: Role, low: float, high: float, spec: str
    ) -> None:
        super().__init__(value, role=role, low=low, high=high, spec=(spec, ".3g"), **_LOOK)
        self.word = word

    def stand(self, region: Region, size: float, foot: float) -> None:
        """Fill a region with the cells, with the name above them on a common baseline."""
        self.place_cells(region)
        head = Label(self.word, size=size, align="center")
        self.add(head.put(np.array([region.center[0], foot, 0.0])))


class Board:
    """Ratings (N, 2) of two films, and distances, dot products and cosines to the first row."""

    def __init__(self, stage: Stage) -> None:
        self._films = stage["films"].content[:2]
        self.ratings = Matrix(
            stage["table"],
            rows=stage["raters"],
            columns=stage["films"][:2],
            role="value",
            low=-_LONGEST,
            high=_LONGEST,
            spec=(".0f",),
            **_LOOK,
        )
        dots, lengths = abs(stage["dots"].array), stage["lengths"].array
        most = float(max(dots.max(), lengths[0] * lengths.max()))
        high = float(stage["distances"].array.max()) or 1.0
        third = str(stage["films"].content[2])
        self.third = HeadedColumn(third, stage["third"], "value", -_LONGEST, _LONGEST, ".0f")
        self.distance = HeadedColumn(
            said("distance"), stage["distances"], "residual", 0.0, high, ".2f"
        )
        self.dot = HeadedColumn(said("dot product"), stage["dots"], "value", -most, most, ".0f")
        self.cosine = HeadedColumn(said("cosine"), stage["cosines"], "value", -1.0, 1.0, ".2f")
        self.measures = self.distance, self.dot, self.cosine

    @property
    def least(self) -> Size:
        return self._size(_LEAST)

    @property
    def most(self) -> Size:
        return self._size(_MOST)

    def place(self, region: Region) -> None:
        """Centre it in a region; the third film is placed over the distances."""
        names, n = self._names_width, self.ratings.n_rows
        share = 2 + 3 * _WIDER
        width = min(_MOST.width, (region.width - names - 3 * _SEAM) / share)
        height = min(_MOST.height, (region.height - HEAD) / n)
        whole = self._size(Size(width, height))
        x = region.center[0] - whole.width / 2 + names
        top = region.center[1] + whole.height / 2 - HEAD
        words = [text_width(column.word, LABEL) + _NAME_MARGIN for column in self.measures]
        widths = [3 * _WIDER * width * word / sum(words) for word in words]
        films = [text_width(film, LABEL) + _NAME_MARGIN for film in (*self._films, self.third.word)]
        room = widths[0] / words[0], *(width / film for film in films)
        size = max(MIN_SIZE, LABEL * min(1.0, *room))
        ends = [x + 2 * width]
        self.ratings.place_cells(Region(x, top - n * height, ends[0], top), size=LABEL)
        foot = float(self.ratings.column_labels[0].anchor[1])
        for column, wide in zip(self.measures, widths, strict=True):
            left = ends[-1] + _SEAM
            ends.append(left + wide)
            column.stand(Region(left, top - n * height, ends[-1], top), size, foot)
        left = ends[0] + _SEAM
        self.third.stand(Region(left, top - n * height, left + width, top), size, foot)

    @property
    def _names_width(self) -> float:
        """Width of the names left of the rows."""
        return self.ratings.plan.margins(_LEAST.width, LABEL)[0]

    def _size(self, cell: Size) -> Size:
        width = self._names_width + (2 + 3 * _WIDER) * cell.width + 3 * _SEAM
        return Size(width, HEAD + self.ratings.n_rows * cell.height)


def _people(what: str, path: str) -> Derived:
    return Derived(what, lambda r: listed([r.raters[k] for k in getattr(r, path)]))


class RatingsStage(Stage[Ratings]):
    """A stage with the space on one side, the board on the other, and a desk for formulas."""

    class Inputs(StageInputs):
        """Four people and their ratings of three films."""

        raters: Annotated[Words, few_words(_N, _N, _LETTERS), ALL_DIFFERENT] = Field(
            "Ann Ben Cleo Dan",
            description=words_said(_N, _N, _LETTERS) + ", all different; the first one asks",
        )
        films: Annotated[Words, few_words(_N_FILMS, _N_FILMS, _TITLE)] = Field(
            "comedy thriller western",
            description=words_said(_N_FILMS, _N_FILMS, _TITLE)
            + "; the third one is used only briefly",
        )
        ratings: Rows = Field(
            ((2, 1, 1), (4, 2, 2), (1, 2, 3), (5, 5, 5)),
            description="for each person, the ratings of the films, from -5 (awful) to 5 (great)",
        )

    derived = {
        "nearest_names": _people("the nearest people", "nearest"),
        "highest_names": _people("the people with the largest dot product", "highest"),
        "closest_names": _people("the people with the smallest angle", "closest"),
        "far_name": Derived("the person at the largest distance", lambda r: r.raters[r.far]),
        "via_name": Derived("the person on the detour", lambda r: r.raters[r.via]),
        "turner_name": Derived("the person whose arrow turns", lambda r: r.raters[r.turner]),
        "loud_name": Derived("the person whose arrow shrinks", lambda r: r.raters[r.loud]),
        "first_film": Derived("the first film", lambda r: r.films[0]),
        "second_film": Derived("the second film", lambda r: r.films[1]),
    }

    @classmethod
    def compute(cls, inputs: Any) -> Ratings:
        return ratings(words(inputs.raters), words(inputs.films), inputs.ratings)

    def make_page(self, n_measures: int) -> None:
        """Place space, desk and board; the first `n_measures` measures have their cells filled."""
        self.space = Space(self["room"], self["films"])
        self.desk, self.board = Room(*_DESK), Board(self)
        right = Column(self.desk, self.board, gap=0.3)
        beside = Row(self.space, right, gap=0.4, weights=(1, 0.2))
        below = Column(self.space, self.desk, self.board, gap=0.2, weights=(1, 0.0, 1))
        above = Row(self.space, self.desk, gap=0.2, weights=(1, 0.0))
        square = Column(above, self.board, gap=0.2, weights=(1, 0.0))
        ways = (beside, square, below) if self.canvas.wide else (below, square, beside)
        fit(self.canvas, *ways)
        self.arrows = Arrows(self["points"], self["raters"], self.space)
        self.arrows.redraw()
        self.ratings = self.board.ratings
        measures = self.distance, self.dot, self.cosine = self.board.measures
        for column in measures[n_measures:]:
            column.empty()
        self.nearest_frame, self.highest_frame, self.closest_frame = (
            column.outline(self[marks], role="attention", width=5.0)
            for column, marks in zip(measures, _MARKS, strict=True)
        )
        for k, label in enumerate(self.ratings.row_labels):
            label.set_fill(self.theme.text_color("key" if k else "query"))

    def formula(
        self, text: str, *, line: int = 0, given: Mapping[str, Value] | None = None
    ) -> Equation:
        """A formula on the desk; its words are terms, and its numbers are read back.

        The sign is = only if the numbers are exact with three digits; otherwise it is ≈.
        """
        values: dict[str, Value] = dict(given or {})
        values |= {name: self[name] for name in _FIELD.findall(text) if name not in values}
        around = [float(values[k].content) for k in _FIELD.findall(text.partition(" gt.eq ")[0])]
        if any(float(f"{number:.3g}") != number for number in around):
            text = text.replace(" = ", " approx ")
        terms = [(f"{k} {word}", word) for k, word in enumerate(text.split())]
        equation = Equation(terms, values=values, size=_FORMULA)
        region = self.desk.region
        upper, lower = region.cut_top(region.height / 2, gap=0.0)
        equation.place(lower if line else upper)
        return equation

    def move(self, path: str, *others: tuple[Picture, str], spec: str, back: bool = False) -> Moves:
        """Animate arrows (backwards with `back`), and the visible columns that depend on them."""
        columns = zip((self.ratings, *self.board.measures), _SERIES, strict=True)
        parts = [(column, series) for column, series in columns if column.opened.any()]
        for column in (self.ratings, self.dot):
            column.rescale(spec=spec)
        moves = []
        for part, name in ((self.arrows, "points"), *parts, *others):
            series = self[f"{path}.{name}"]
            moves.append(part.through(series[::-1] if back else series))
        return together(moves)

    def settle(self) -> None:
        """Write whole numbers again once the arrows are back."""
        for column in (self.ratings, self.dot):
            column.rescale(spec=".0f")

    def angle_figure(self, path: str) -> Figure:
        """An angle on the desk, which can be animated."""
        degrees = Figure(self[path], ".0f", size=_FORMULA, prefix=f"{said('angle')} ", suffix="°")
        degrees.place(self.desk.region.cut_top(self.desk.region.height / 2, gap=0.0)[1])
        return degrees

    def only_row(self, k: int) -> Floats:
        """Start times that show only row k: all other rows never appear; (N, 1)."""
        return np.where(np.arange(_N)[:, None] == k, 0.0, np.inf)

    def copy_of(self, matrix: Matrix, i: int, j: int = 0) -> Label:
        """The number in a cell as a label that can move."""
        text = format_fact(float(matrix.table[i, j]), ".0f")
        copy = Label(text, size=LABEL, color="ink", align="center")
        return copy.center_on(np.array([*matrix.lattice.middles[i, j][:2], 0.0]))
