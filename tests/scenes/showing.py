"""What a film draws, read off the picture and held against formulas of its own.

A picture that was given the wrong value, or words in another order, is right about those: `misread`
finds nothing. Here a stage is played, and what stands where is compared with what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from manim import Mobject
from numpy.typing import NDArray

from clockhead.scenes.parts.axis import Axis
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.chart import Mark
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.terms import TypesetNumber
from clockhead.scenes.parts.word_bars import SlantingWords
from clockhead.scenes.stage import Stage, Value, find_stage
from clockhead.scenes.stage.shown import Passing, is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.text import Label
from tests.scenes.staging import play

Ids = list[NDArray[np.int64]]
Kind = TypeVar("Kind", bound=Mobject)


def watch(film: str, name: str, look: Callable[[Any], Any], **inputs: Any) -> dict[str, list[Any]]:
    """What is seen at the ends of the plays of every beat of a shot."""
    found: dict[str, list[Any]] = {}
    stage = find_stage(f"{film}.{name}")

    def see(scene: Stage) -> None:
        beat = scene.beats[-1].name if scene.beats else "opening"
        found.setdefault(beat, []).append(look(scene))

    play(stage, stage.shot(stage.Inputs(**inputs)), on_play=see)
    return found


def seen(scene: Stage, kind: type[Kind]) -> list[Kind]:
    """All parts of a kind that can be seen."""
    family = {id(m): m for mobject in scene.mobjects for m in mobject.get_family()}
    return [part for part in family.values() if isinstance(part, kind) and is_visible(part)]


# Numbers


def number(text: str) -> tuple[float, float]:
    """What a number says, and how far off it may be as it is written."""
    plain = text.replace("−", "-").replace(",", "")
    found = re.fullmatch(r"([<>] )?([-+]?[\d.]+)(e[-+]\d+)?(%)?", plain)
    assert found, text
    decimals, scale = len(found[2].partition(".")[2]), 10.0 ** int((found[3] or "e0")[1:])
    scale *= 0.01 if found[4] else 1.0
    step = 10.0**-decimals * scale
    return float(found[2]) * scale, step if found[1] else step / 2 * (1 + 1e-6)


def says(text: str, value: float) -> bool:
    """Whether this is how a value may be written."""
    written, within = number(text)
    return abs(written - float(value)) <= within + 1e-12


def numbers_in(part: Any) -> list[TypesetNumber]:
    """The numbers of formulas that can be seen, from left to right and from the top down."""
    found = [one for one in part.get_family() if isinstance(one, TypesetNumber) and is_visible(one)]
    return sorted(found, key=lambda one: (-round(float(one.get_bottom()[1]), 1), one.get_x()))


def drawn_rows(matrix: Matrix) -> list[list[str]]:
    """The numbers of a matrix, as they stand."""
    rows = [[""] * matrix.n_columns for _ in range(matrix.n_rows)]
    for one in matrix._numbers.seen():
        i, j = matrix.lattice.nearest(one.middle)
        rows[i][j] = one.text
    return rows


def shows(part: Any, table: Any) -> bool:
    """Whether these are the numbers that a matrix or bars show."""
    return same_table(getattr(part, "table", part.state), table)


def same_table(a: Any, b: Any) -> bool:
    one, other = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return one.shape == other.shape and bool(np.allclose(one, other, atol=1e-9))


# Places


def same_place(a: Region, b: Region) -> bool:
    one, other = ([r.left, r.bottom, r.right, r.top] for r in (a, b))
    return bool(np.allclose(one, other, atol=1e-3))


def framed(scene: Stage, matrix: Matrix) -> set[tuple[int, int]]:
    """The cells of a matrix that have frames of their own."""
    lattice = matrix.lattice
    frames = [frame.region for frame in seen(scene, CellFrame)]
    cells = [(i, j) for i in range(lattice.n_rows) for j in range(lattice.n_columns)]
    return {cell for cell in cells if any(same_place(lattice.block(*cell), f) for f in frames)}


def slot_words(scene: Stage, mark: Mark) -> dict[int, str]:
    """The words that are drawn at the slots of a chart, or level with them at another one."""
    chart = mark.chart
    slanting = [words for words in seen(scene, SlantingWords) if words.chart is chart]
    if slanting:
        labels = slanting[0].labels
        tops = [(2 * one.middle - one.foot, one.text) for one in slanting[0].labels]
        return {round(float(chart.x.read(top[0]))): text for top, text in tops}
    level = [one for axis in seen(scene, Axis) if axis.side == "left" for one in axis.labels]
    labels = [one for one in [*chart.y.labels, *level] if isinstance(one, Label) and one.text]
    return {round(float(chart.y.read(one.middle[1]))): one.text for one in labels}


def where_from(scene: Stage, shown: Any) -> tuple[str, Ids]:
    """The path of what a picture shows, and along each of its axes the place of every number."""
    value = shown.end if isinstance(shown, Passing) else shown
    assert isinstance(value, Value)
    grids = np.indices(np.shape(scene[value.path].content))
    for step in value.index:
        grids = [grid[step] for grid in grids]
    return value.path, [np.asarray(grid) for grid in grids]


# All of it


@dataclass(frozen=True)
class Meant:
    """What the values of a film are, by formulas of their own."""

    tables: Mapping[str, Any]
    """The numbers of values, by their paths; what is not among them is not compared."""
    names: Callable[[str, int, int], Sequence[str] | None]
    """Of a path, an axis and how many there are: what the places along that axis are called."""
    is_whole: bool = False
    """Whether all values that are drawn as cells are among the tables."""

    def never_misplaced(self, name: str) -> list[str]:
        """What is out of its place at the end of any play of a stage: nothing, if all is well."""
        found: dict[str, None] = {}

        def look(scene: Stage) -> None:
            where = scene.beats[-1].name if scene.beats else "the opening"
            found.update(dict.fromkeys(f"{where}: {one}" for one in self.misplaced(scene)))

        play(find_stage(name), on_play=look)
        return list(found)

    def misplaced(self, scene: Stage) -> Iterator[str]:
        """Words at matrices, charts and strips that belong elsewhere, and numbers not so."""
        for matrix in seen(scene, Matrix):
            if matrix.placed:
                yield from self._words_at_matrix(scene, matrix)
                yield from self._numbers_in_matrix(scene, matrix)
        for mark in seen(scene, Mark):
            if mark.chart.placed and not isinstance(mark, SlantingWords):
                yield from self._words_at_chart(scene, mark)
        for strip in seen(scene, Strip):
            if not strip.boxed and not strip.moving:
                yield from self._words_beside(scene, strip)

    def expected(self, scene: Stage, matrix: Matrix, line: int, along: int) -> str | None:
        """The word of a row of a matrix (`along` 1), or of a column (0), by what is drawn in it."""
        path, grids = where_from(scene, matrix.value)
        tables = [matrix._table(grid.astype(float)).astype(int) for grid in grids]
        lines = [table if along else table.T for table in tables]
        named = [
            (bool((table != table.flat[0]).any()), names[table[line, 0]])
            for axis, table in enumerate(lines)
            if (names := self.names(path, axis, len(grids))) is not None
            and (table[line] == table[line, 0]).all()
        ]
        return max(named, key=lambda one: one[0])[1] if named else None

    def _words_at_matrix(self, scene: Stage, matrix: Matrix) -> Iterator[str]:
        for along, labels in ((1, matrix.row_labels), (0, matrix.column_labels)):
            for label in filter(is_visible, labels):
                at = matrix.lattice.nearest(getattr(label, "foot", label.middle))[1 - along]
                word = self.expected(scene, matrix, at, along)
                if label.text != word:
                    yield f"{label.text} at {matrix.value.name}, line {at}, which is {word}"

    def _numbers_in_matrix(self, scene: Stage, matrix: Matrix) -> Iterator[str]:
        path, grids = where_from(scene, matrix.value)
        if self.is_whole and path not in self.tables:
            yield f"{path} is not compared"
        if path not in self.tables or not isinstance(matrix.shown, Value):
            return
        true = matrix._table(np.asarray(self.tables[path], dtype=float)[tuple(grids)])
        if matrix.value is matrix.shown and not shows(matrix, true):
            yield f"numbers at {matrix.value.name}"
        for one in matrix._numbers.seen():
            cell = matrix.lattice.nearest(one.middle)
            if not says(one.text, true[cell]):
                yield f"{one.text} at {matrix.value.name} {cell}, which is {true[cell]}"

    def _words_at_chart(self, scene: Stage, mark: Mark) -> Iterator[str]:
        path, grids = where_from(scene, mark.shown)
        words = slot_words(scene, mark)
        slots = [
            k for k, grid in enumerate(grids) if grid.ndim == 1 and (len(grid) == 1 or np.ptp(grid))
        ]
        named = {k: names for k in slots if (names := self.names(path, k, len(grids))) is not None}
        if slots and not named and words:
            yield f"words at {path}"
        for axis, names in named.items():
            for slot, word in words.items():
                if names[grids[axis][slot]] != word:
                    yield f"{word} in slot {slot} of {path}, which is {names[grids[axis][slot]]}"

    def _words_beside(self, scene: Stage, strip: Strip) -> Iterator[str]:
        for matrix in seen(scene, Matrix):
            if not (matrix.placed and matrix.opened.all()):
                continue
            area = matrix.lattice.region
            for tile in strip.tiles:
                at = tile.middle
                if not (area.bottom < at[1] < area.top and is_visible(tile.label)):
                    continue
                word = self.expected(scene, matrix, matrix.lattice.nearest(at)[0], 1)
                if word is not None and word != tile.label.text:
                    yield f"{tile.label.text} beside {matrix.value.name}, which is of {word}"
