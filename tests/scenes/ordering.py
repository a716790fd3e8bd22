"""Words at the rows and columns of a matrix, and at bars, stand in the order of what they name.

A label is read back by the word that was given for its line. Whether these words were given in the
order of the numbers is seen here: both are values that know how they were cut out of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_layout import Headings
from clockhead.scenes.parts.word_bars import SlantingWords
from clockhead.scenes.stage import Stage, Value
from clockhead.scenes.stage.shown import Passing

Places = NDArray[np.int64]


def places_of(scene: Stage, value: Value) -> list[Places]:
    """Along each axis of a value, the place that every number or word of it has."""
    grids = [np.asarray(grid) for grid in np.indices(np.shape(scene[value.path].content))]
    for step in value.index:
        grids = [grid[step] for grid in grids]
    return grids


def disordered(scene: Stage, matrix: Matrix) -> Iterator[str]:
    """Words of a matrix whose order is that of none of its axes."""
    value = _value_of(matrix)
    tables = [matrix._table(grid.astype(float)) for grid in places_of(scene, value)]
    for headings in matrix.plan.names:
        lines = tables if headings._is_row else [table.T for table in tables]
        if not any(_runs(line, *places_of(scene, headings.words)) for line in lines):
            yield f"{_told(headings)} of {value.name} are {headings.words.name}"


def disordered_at(scene: Stage, bars: Bars, slanting: Sequence[SlantingWords]) -> Iterator[str]:
    """Words in the slots of bars whose order is not theirs."""
    value, chart = _value_of(bars), bars.chart
    axes = [axis.scaling.names for axis in (chart.x, chart.y)]
    names = [name for name in axes if isinstance(name, Value)]
    names += [words.words for words in slanting if words.chart is chart]
    slots = np.rint(bars.places).astype(int)
    for words in names:
        (at,) = places_of(scene, words)
        lines = [grid[:, None].astype(float) for grid in places_of(scene, value)]
        if len(at) == len(value) and not any(_runs(line, at[slots]) for line in lines):
            yield f"bars of {value.name} are {words.name}"


def _value_of(picture: Any) -> Value:
    shown = picture.shown
    value = shown.end if isinstance(shown, Passing) else shown
    assert isinstance(value, Value)
    return value


def _runs(line: NDArray[np.float64], words: Places) -> bool:
    """Whether the places of the lines along an axis are those of the words.

    All words there are may name a block of lines as well, from a later place on.
    """
    if line.shape[0] != len(words):
        return False
    block = int(line[0, 0]) if (words == np.arange(len(words))).all() else 0
    return any(bool((line == words[:, None] + first).all()) for first in (0, block))


def _told(headings: Headings) -> str:
    return "rows" if headings._is_row else "columns"


def all_disordered(scene: Stage) -> Sequence[str]:
    """Of all matrices and bars that there are now."""
    family = {id(m): m for mobject in scene.mobjects for m in mobject.get_family()}
    parts = list(family.values())
    slanting = [part for part in parts if isinstance(part, SlantingWords)]
    found = [one for part in parts if isinstance(part, Matrix) for one in disordered(scene, part)]
    return found + [
        one
        for part in parts
        if isinstance(part, Bars) and part.chart.placed
        for one in disordered_at(scene, part, slanting)
    ]
