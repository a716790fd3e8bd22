"""A layer as a circuit: a line for each token, which attention crosses and the MLP does not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from manim import DL, UR, Circle, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.logit_lens import LensedBlock
from clockhead.scenes.parts.flow import Places, Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.parts.ribbon_shape import bands
from clockhead.scenes.parts.token_rows import bound_of
from clockhead.scenes.stage import Picture, Reading, Size, Stage, Value
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive
from clockhead.scenes.style.text import Formula, Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, SMALL
from clockhead.scenes.transformer_block.page import rows_of

Point = NDArray[np.float64]

_ATTENTION, _MLP, _JOINT, _MARGIN = 1.6, 1.5, 0.4, 0.15
"""The widths of what is in a layer, in tapes; a joint is where something is added."""
_UNIT, _ROW, _MOST_ROW = 0.6, 0.25, 1.3
"""The least width of a tape, and the least and the most height of a row, in units."""
_NAME, _SIGN, _FOOT, _GAP = 0.36, 0.34, 0.36, 0.12
"""The heights of names, signs and shapes, and the room between, in units."""
_SIZES = 28.0, 25.0, LABEL, SMALL
"""The sizes that names and shapes may have, in pixels."""
_PATTERN, _FREE_ROW = 0.22, 0.36
"""The most side of a pattern, as a share of all the height; how high rows must be for patterns and
signs to stand over them, in units."""
_RIBBON, _LANES, _STRIP, _DIP = 0.36, 0.6, 0.32, 0.28
"""In rows: a whole share of attention, the room of all heads' ribbons, the height of a row in the
MLP, and how far under the line it is."""


class LayerCircuit:
    """Layer 0 or 1 of the example, drawn in a region.

    It begins with the stream that goes in, unless it `goes_on` right where the layer before ends.
    `tapes` are the streams after attention and after the MLP; `start` is where the first lies.
    """

    most = Size(math.inf, math.inf)

    def __init__(self, stage: Stage, layer: int, *, goes_on: bool = False) -> None:
        self._stage, self._layer, self._goes_on = stage, layer, goes_on
        self._block: LensedBlock = stage.values
        self._path = ("first", "second")[layer]
        words = (text_width(word, _SIZES[0]) for word in self._block.tokens)
        self._words = 0.0 if goes_on else max(words) + _GAP
        self.units = 3 - goes_on + _ATTENTION + _MLP + 2 * _JOINT + _MARGIN
        self.size = LABEL
        self.wires = VGroup()
        self.ribbons: list[Ribbons] = []
        self.patterns: list[Matrix] = []
        self.strips: list[Matrix] = []
        self.tapes: list[Matrix] = []
        self.shapes: list[Label] = []
        """The shapes of the streams."""
        self.details, self.picture = VGroup(), VGroup()

    @property
    def least(self) -> Size:
        height = self._block.n_tokens * _ROW + _NAME + _FOOT
        return Size(self._words + self.units * _UNIT, height)

    def place(self, region: Region) -> None:
        """Draw it, all matrices empty and no attention flowing yet."""
        n, h = self._block.n_tokens, self._block.n_heads
        unit = (region.width - self._words) / self.units
        self.size = self._largest(unit)
        side = min((_ATTENTION * unit - (h - 1) * _GAP) / h, _PATTERN * region.height)
        over = _NAME + side + _GAP + _SIGN
        self._has_patterns = region.height - over - _FOOT >= n * _FREE_ROW
        head = over if self._has_patterns else _NAME
        self._pitch = min(_MOST_ROW, (region.height - head - _FOOT) / n)
        top = region.center[1] + (head + n * self._pitch + _FOOT) / 2
        self._tops, self._bottom = (top, top - head), top - head - n * self._pitch
        x = region.left + self._words
        self.start = self._area(x, unit)
        if self._layer and not self._goes_on:
            self._tape(2 * self._layer, self.start, named=True)
        if not self._goes_on:
            self._label_shape(self.start)
            x += unit
        x = self._attend(x, unit, side)
        self._widen(x, unit)
        self.picture.add(*self.ribbons, self.wires, self.details, *self.patterns)
        self.picture.add(*self.strips, *self.tapes, *self.shapes)
        acts = self._stage[f"{self._path}.act"]
        self.picture.add(OnLines(acts, self.strips, self.ribbons, self.tapes[-2]))

    def _largest(self, unit: float) -> float:
        """The largest size in which names, and shapes beside each other, do not meet."""
        block, n = self._block, self._block.n_tokens
        names = block.stations[2 * self._layer + 1 : 2 * self._layer + 3]
        shapes = f"{n} × {block.d_model}{block.n_heads} × {n} × {n}"
        rooms = [(name, (_ATTENTION + _JOINT + 1 + _MLP) / 2) for name in names]
        rooms.append((shapes, 1 + _ATTENTION))  # half of each is on its side of the seam
        for size in _SIZES:
            if all(text_width(text, size) < room * unit - 2 * _GAP for text, room in rooms):
                return size
        return SMALL

    def line(self, m: int) -> float:
        """How high the line of token m runs."""
        return float(self._tops[1] - (m + 0.5) * self._pitch)

    def joint(self, k: int) -> Region:
        """The plus at which the last row gets attention, 0, or what the MLP says, 1."""
        plus = self.joints[k][-1]
        (left, bottom, _), (right, top, _) = plus.get_corner(DL), plus.get_corner(UR)
        return Region(float(left), float(bottom), float(right), float(top))

    @property
    def end(self) -> Point:
        """Where the line of the last token leaves."""
        row = self.tapes[-1].row(self._block.last)
        return np.array([row.right, row.center[1], 0.0])

    # How it is drawn

    def _area(self, left: float, width: float) -> Region:
        return Region(left, self._bottom, left + width, self._tops[1])

    def _tape(self, k: int, cells: Region, *, named: bool = False) -> None:
        """The stream at station k."""
        tape = rows_of(self._stage, self._stage["streams"][k], named=named, spec=())
        tape.place_cells(cells, size=self.size)
        self.tapes.append(tape.empty())

    def _attend(self, x: float, unit: float, side: float) -> float:
        """Attention from x on, and the stream after it; returns where that ends."""
        joint = x + (_ATTENTION + _JOINT / 2) * unit
        tape = self._area(x + (_ATTENTION + _JOINT) * unit, unit)
        block, middle = self._block, x + _ATTENTION / 2 * unit
        self.joints = [self._join(joint)]
        self._wire(x, tape.left)
        for k in range(block.n_heads):
            lane = (k - (block.n_heads - 1) / 2) * _LANES / block.n_heads * self._pitch
            ribbons = Ribbons(
                self._stage[f"{self._path}.patterns"][k],
                self._places(x, lane),
                self._places(joint, lane * _RIBBON / _LANES),
                width=_RIBBON / block.n_heads * self._pitch,
            )
            ribbons.place()
            self.ribbons.append(ribbons.hide())
            if self._has_patterns:
                left = middle + (k - block.n_heads / 2) * (side + _GAP) + _GAP / 2
                y = self._tops[0] - _NAME
                shares = self._stage[f"{self._path}.patterns"][k]
                self.patterns.append(Matrix(shares, low=0.0, high=1.0, mask="causal"))
                self.patterns[k].place_cells(Region(left, y - side, left + side, y))
                self.patterns[k].empty()
        n = block.n_tokens
        self._details(middle, 1, f"{block.n_heads} × {n} × {n}", [("W_O", joint)])
        self._tape(2 * self._layer + 1, tape)
        self._label_shape(tape)
        return tape.right

    def _widen(self, x: float, unit: float) -> None:
        """The MLP from x on, row by row, and the stream after it."""
        block, joint = self._block, x + (_MLP + _JOINT / 2) * unit
        room = Region(x + 0.15 * unit, 0.0, x + (_MLP - 0.05) * unit, 0.0)
        tape = self._area(x + (_MLP + _JOINT) * unit, unit)
        self.joints.append(self._join(joint))
        self._wire(x, tape.left)
        acts = self._stage[f"{self._path}.act"]
        bound, half = bound_of(acts), _STRIP / 2 * self._pitch
        for m in range(block.n_tokens):
            y = self.line(m)
            strip = rows_of(
                self._stage,
                acts[m],
                "token",
                named=False,
                lying=True,
                low=-bound,
                high=bound,
                spec=(),
            )
            low = y - _DIP * self._pitch
            strip.place_cells(Region(room.left, low - half, room.right, low + half))
            self.strips.append(strip.empty())
            way = [(x, y, 0.0), (room.left, low, 0.0), (room.right, low, 0.0), (joint, y, 0.0)]
            points = np.array(way)
            self.wires.add(_wire(straight(points[[0, 2]], points[[1, 3]])))
        signs = [("W_1", room.left + 0.12 * unit), ("W_2", joint)]
        self._details(room.center[0], 2, f"{block.n_tokens} × {block.d_ff}", signs)
        self._tape(2 * self._layer + 2, tape)
        self._label_shape(tape)

    def _details(
        self, x: float, station: int, shape: str, signs: Sequence[tuple[str, float]]
    ) -> None:
        """The name and the shape of what is at x, and the signs of weights over the lines."""
        name = self._block.stations[2 * self._layer + station]
        words = Label(name, size=self.size).center_on(np.array([x, self._tops[0] - _NAME / 2, 0.0]))
        under = np.array([x, self._bottom - _FOOT / 2, 0.0])
        self.details.add(words, Label(shape, size=self.size, color=theme().muted).center_on(under))
        y = self._tops[1] + _SIGN / 2
        for sign, place in signs if self._has_patterns else ():
            self.details.add(Formula(sign, size=self.size).move_to(np.array([place, y, 0.0])))

    def _label_shape(self, tape: Region) -> None:
        text = f"{self._block.n_tokens} × {self._block.d_model}"
        under = np.array([tape.center[0], self._bottom - _FOOT / 2, 0.0])
        self.shapes.append(Label(text, size=self.size, color=theme().muted).center_on(under))

    def _places(self, x: float, aside: float) -> Places:
        """Points on the lines of the tokens, or beside them."""
        return lambda m: np.array([x, self.line(m) - aside, 0.0])

    def _wire(self, left: float, right: float) -> None:
        """The lines of all tokens from left to right."""
        y = np.array([self.line(m) for m in range(self._block.n_tokens)])
        ends = [np.stack([np.full(len(y), x), y, np.zeros(len(y))], axis=1) for x in (left, right)]
        self.wires.add(_wire(straight(*ends)))

    def _join(self, x: float) -> VGroup:
        """A plus on the line of every token."""
        radius = min(0.11, 0.3 * self._pitch)
        joints = VGroup(*(Plus(x, self.line(m), radius) for m in range(self._block.n_tokens)))
        self.details.add(joints)
        return joints

    # How it comes to life

    def look(self, *, run_time: float) -> list[Drive]:
        """Attention flows, and its patterns fill."""
        return [ribbons.draw_in(run_time=run_time) for ribbons in self.ribbons] + [
            pattern.fill_rows(run_time=run_time, labels=False) for pattern in self.patterns
        ]

    def think(self, *, run_time: float) -> list[Drive]:
        """Each row of the MLP fills from left to right."""
        return [_from_left(strip, labels=False, run_time=run_time) for strip in self.strips]

    def arrive(self, k: int, *, run_time: float) -> Drive:
        """A stream fills from left to right."""
        return _from_left(self.tapes[k], run_time=run_time)


class OnLines(Picture):
    """What stands on which line: rows of the MLP and ribbons, by the rows of a stream beside them.

    `acts` (T, d_ff) are the rows of the MLP.
    """

    def __init__(
        self, acts: Value, strips: list[Matrix], ribbons: list[Ribbons], tape: Matrix
    ) -> None:
        super().__init__(acts)
        self._strips, self._ribbons, self._tape = strips, ribbons, tape

    def readings(self) -> Iterator[Reading]:
        """The numbers of each strip, and the breadth of each ribbon that has arrived."""
        lattice = self._tape.lattice
        for strip in self._strips:
            m = lattice.nearest(strip.lattice.region.center)[0]
            for j, number in enumerate(strip.state):
                yield Reading(self.shown[m, j], float(number), 0.0)
        for ribbons in self._ribbons:
            for path in ribbons.rows:
                for start, end, breadth in bands(path.points):
                    m, n = (lattice.nearest(point)[0] for point in (end, start))
                    if lattice.region.left - end[0] < lattice.region.width / 2:
                        yield Reading(ribbons.shown[m, n], breadth / ribbons.unit)


class Plus(VMobject):
    """A circle with a plus in it, where a line gets something added."""

    def __init__(self, x: float, y: float, radius: float) -> None:
        look = theme()
        super().__init__(stroke_color=look.ink, stroke_width=2)
        self.set_fill(look.ground, 1)
        middle, arm = np.array([x, y, 0.0]), 0.6 * radius * np.eye(3)[:2]
        round_it = Circle(radius=radius).points + middle
        self.set_points(np.concatenate([round_it, straight(middle - arm, middle + arm)]))


def _wire(points: Point) -> VMobject:
    """A line that is seen on ribbons too."""
    look = theme()
    wire = VMobject(stroke_color=look.residual, stroke_width=2).set_points(points)
    return wire.set_stroke(look.ground, width=6, background=True)


def _from_left(matrix: Matrix, **options: Any) -> Drive:
    """Let the columns of a matrix appear one after another."""
    at = np.linspace(0, 1, matrix.n_columns)
    return matrix.fill(np.repeat(at[None], matrix.n_rows, axis=0), **options)
