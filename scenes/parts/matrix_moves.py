"""A matrix slides elsewhere: words and lines go along, numbers where they fit."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.parts.cell_labels import TurnedLabel
from clockhead.scenes.parts.cells import Lattice, region_between
from clockhead.scenes.parts.matrix import Matrix, number_share
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import LABEL


def slide_matrix(
    matrix: Matrix, region: Region, *, words: bool | None = None, run_time: float = 1.5
) -> MatrixSlide:
    """Let a matrix go to where `place` would put it in a region.

    `words` says whether its words are seen at the end; else as they were.
    """
    return MatrixSlide(matrix, *matrix.plan.spot_in(region), words, run_time=run_time)


def slide_cells(
    matrix: Matrix,
    region: Region,
    *,
    size: float = LABEL,
    words: bool | None = None,
    run_time: float = 1.5,
) -> MatrixSlide:
    """Let a matrix go to where its cells fill a region, as `place_cells` would put them."""
    angle = matrix.plan.angle_over(region)
    return MatrixSlide(matrix, region, angle, size, words, run_time=run_time)


class MatrixSlide(Drive):
    """A matrix on its way to other cells: words and lines go along, numbers where they fit."""

    def __init__(
        self,
        matrix: Matrix,
        cells: Region,
        angle: float,
        size: float,
        words: bool | None,
        **options: Any,
    ) -> None:
        self._matrix = matrix
        self._to = Lattice(cells, matrix.n_rows, matrix.n_columns)
        self._how, self._seen = (angle, size), words
        super().__init__(matrix, lambda share: self._go(float(share)), 0.0, 1.0, **options)

    def begin(self) -> None:
        """Look where everything stands now."""
        matrix = self._matrix
        self._from = matrix.lattice
        self._specs = [matrix.spec_in(lattice) for lattice in (self._from, self._to)]
        self._stays = self._specs[0] == self._specs[1]
        self._words = [
            _Word(old, new, self._seen) for old, new in matrix.rewrite_words(self._to, *self._how)
        ]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        seen = 1.0 if self._stays else number_share(alpha, self.run_time)
        self._matrix.draw_at(self._matrix.scale_now, seen)
        super().interpolate_mobject(alpha)

    def _go(self, share: float) -> None:
        matrix = self._matrix
        matrix.lie(region_between(self._from.region, self._to.region, share))
        for word in self._words:
            word.go(share)
        spec = self._specs[int(share >= 0.5)]
        matrix.choose_for([matrix.state], () if spec is None else (spec,))
        matrix.show(matrix.state)


class _Word:
    """A word on its way to where it is written anew: it moves, or if turned fades and comes."""

    def __init__(self, old: Label, new: Label, seen: bool | None) -> None:
        self._new, self._ends = new, (old.points.copy(), new.points.copy())
        self._moves = type(old) is type(new) and old.points.shape == new.points.shape
        if isinstance(old, TurnedLabel) and isinstance(new, TurnedLabel):
            self._moves = self._moves and old.angle == new.angle
        self._was = float(old.get_fill_opacity())
        self._seen = self._was if seen is None else float(seen)
        new.set_fill(old.get_fill_color(), 0.0)

    def go(self, share: float) -> None:
        start, end = self._ends
        if self._moves:
            self._new.points = start + (end - start) * share if share < 1 else end
            self._new.set_fill(opacity=self._was + (self._seen - self._was) * share)
        else:
            self._new.set_fill(opacity=self._seen * max(0.0, 2 * share - 1))
