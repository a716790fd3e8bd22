"""A layer as a circuit: attention mixes rows, the MLP does not, and both are added."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.scenes.parts.flow import Places, Ribbons
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.paths import straight
from clockhead.scenes.stage import Size, Stage, Steps
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn
from clockhead.scenes.style.text import Formula, Label, text_width
from clockhead.scenes.style.theme import theme
from clockhead.scenes.style.type import LABEL, SMALL
from clockhead.scenes.transformer_block.page import rows_of

_STREAMS = (
    ("resid_pre", "first.resid_mid", "first.resid_post"),
    ("first.resid_post", "second.resid_mid", "second.resid_post"),
)
_ATTENTION = 1.8
"""Width of attention, in widths of the residual stream."""
_LEAD = 0.35
"""Width of the wires to and from the MLP."""
_MLP = 1.2
"""Width of the MLP."""
_UNIT = 0.6
"""Minimum width of the residual stream, in units."""
_ROW = 0.24
"""Minimum height of a row, in units."""
_MOST_ROW = 1.0
"""Maximum height of a row, in units."""
_NAME = 0.32
"""Height of a name, in units."""
_ARC = 0.24
"""Height of a bypass, in units."""
_FOOT = 0.32
"""Height of a shape's label, in units."""
_GAP = 0.12
"""Gap between labels, in units."""
_LINE = 1.1
"""Height of a line of words, in ems."""
_SIZES = 28.0, 25.0, LABEL, SMALL
"""Possible sizes of names and shapes, in pixels."""
_RIBBON = 0.4
"""Width of an attention weight of 1, in rows."""
_LANES = 0.5
"""Height from which the ribbons of all heads start, in rows."""


class LayerCircuit:
    """Layer 0 or 1 of the example, drawn in a region.

    It begins with the input stream, unless it `goes_on` directly after the previous layer. `tapes`
    are the streams; the last two are those after attention and after the MLP.
    """

    most = Size(math.inf, math.inf)

    def __init__(self, stage: Stage, layer: int, *, goes_on: bool = False) -> None:
        self._block: WorkedBlock = stage.values
        self._layer, self.size = layer, LABEL
        path, named = ("first", "second")[layer], not goes_on
        look: dict[str, Any] = {"spec": ()}
        self.tapes = [
            rows_of(stage, stream, named=named and not k, **look)
            for k, stream in enumerate(_STREAMS[layer][goes_on:])
        ]
        self.acts = rows_of(stage, f"{path}.act", "token", named=False, **look)
        self._patterns = stage[f"{path}.patterns"]
        words = (text_width(word, _SIZES[0]) for word in self._block.tokens)
        self._words = 0.0 if goes_on else max(words) + _GAP
        self._widths = [1.0] * named + [_ATTENTION, 1.0, _LEAD, _MLP, _LEAD, 1.0]
        self.units = sum(self._widths)
        self.ribbons: list[Ribbons] = []
        self.shapes = VGroup()
        """The labels with the shapes of the streams."""
        self.picture = VGroup()

    @property
    def least(self) -> Size:
        height = self._block.n_tokens * _ROW + _NAME + _ARC + _FOOT
        return Size(self._words + self.units * _UNIT, height)

    def place(self, region: Region) -> None:
        """Draw it with empty matrices and without attention ribbons."""
        block, over = self._block, _NAME + _ARC
        unit = (region.width - self._words) / self.units
        pitch = min(_MOST_ROW, (region.height - over - _FOOT) / block.n_tokens)
        high = pitch * block.n_tokens
        top = region.center[1] + (over + high + _FOOT) / 2 - over
        edges = region.left + self._words + unit * np.cumsum([0.0, *self._widths])
        cells = [Region(float(a), top - high, float(b), top) for a, b in pairwise(edges)]
        *begin, attention, middle, _, mlp, _, end = cells
        self.size = self._largest(unit, pitch)
        tapes = [*begin, middle, end]
        for matrix, at in zip([*self.tapes, self.acts], [*tapes, mlp], strict=True):
            matrix.place_cells(at, size=self.size)
            matrix.empty()
        starts = [attention.left - unit / 2, middle.center[0], end.center[0]]
        wires = [self._lines(middle.right, mlp.left), self._lines(mlp.right, end.left)]
        wires += [self._bypass(*ends, top) for ends in pairwise(starts)]
        self._flow(attention, pitch)
        n, d, sizes = block.n_tokens, block.d_model, (block.n_heads, block.n_tokens)
        for name, at, shape in (
            ("attention", attention, f"{sizes[0]} × {n} × {n}"),
            ("MLP", mlp, f"{n} × {block.d_ff}"),
        ):
            words = Label(f"{name} {self._layer}", size=self.size)
            x = at.center[0]
            self.picture.add(words.center_on(np.array([x, top + _ARC + _NAME / 2, 0.0])))
            self.picture.add(self._shape_label(at, shape))
        self.shapes.add(*(self._shape_label(at, f"{n} × {d}") for at in tapes))
        self.picture.add(*self.ribbons, *wires, self.acts, *self.tapes, self.shapes)

    def _largest(self, unit: float, pitch: float) -> float:
        """The largest size at which words, names and shapes do not overlap."""
        block, n = self._block, self._block.n_tokens
        shapes = f"{n} × {block.d_model}", f"{block.n_heads} × {n} × {n}"
        steps = (1 + _ATTENTION) / 2 * unit, ((_ATTENTION + _MLP) / 2 + 1 + _LEAD) * unit
        pairs = tuple(zip((shapes, ("attention 0", "MLP 0")), steps, strict=True))
        for size in _SIZES:
            apart = all(sum(text_width(t, size) for t in two) / 2 < d - _GAP for two, d in pairs)
            if apart and _LINE * size * PX < pitch:
                return size
        return SMALL

    # Drawing

    def _flow(self, room: Region, pitch: float) -> None:
        """Create the ribbons of every head, from row to row."""
        heads, rows = self._block.n_heads, self.tapes[-1]

        def places(x: float, aside: float) -> Places:
            return lambda m: np.array([x, rows.row(m).center[1] - aside, 0.0])

        for k in range(heads):
            lane = (k - (heads - 1) / 2) / heads * pitch
            ends = places(room.left, lane * _LANES), places(room.right, lane * _RIBBON)
            ribbons = Ribbons(self._patterns[k], *ends, width=_RIBBON / heads * pitch)
            ribbons.place()
            self.ribbons.append(ribbons.hide())

    def _lines(self, left: float, right: float) -> VMobject:
        """Lines from each row to the same row."""
        rows = [self.tapes[-1].row(m).center[1] for m in range(self._block.n_tokens)]
        ends = [np.array([[x, y, 0.0] for y in rows]) for x in (left, right)]
        return _wire(straight(*ends))

    def _bypass(self, left: float, right: float, top: float) -> VGroup:
        """The bypass of a stream around a computation, to the point where the result is added."""
        high, half = top + _ARC * 0.9, _ARC / 4
        corners = np.array(
            [[left, top, 0.0], [left, high, 0.0], [right, high, 0.0], [right, top + 2 * half, 0.0]]
        )
        plus = Formula("plus.o", size=_SIZES[2]).move_to((right, top + half, 0.0))
        return VGroup(_wire(straight(corners[:-1], corners[1:])), plus)

    def _shape_label(self, cells: Region, shape: str) -> Label:
        label = Label(shape, size=self.size, color="muted")
        return label.center_on(np.array([cells.center[0], cells.bottom - _FOOT / 2, 0.0]))

    # Motion

    def take(self, rows: Matrix, run_time: float) -> Steps:
        """Slide rows to the first stream, and fade in the circuit around them."""
        start = self.tapes[0].lattice.region
        self.tapes[0].words_to(0.0)
        yield slide_cells(rows, start, size=self.size, run_time=0.6 * run_time)
        yield FadeIn(self.picture, run_time=0.4 * run_time)

    def attend(self, run_time: float) -> Steps:
        """Grow the attention ribbons, and then fill the stream after attention."""
        yield [ribbons.draw_in(run_time=0.6 * run_time) for ribbons in self.ribbons]
        yield self.tapes[-2].fill_columns(run_time=0.4 * run_time)

    def think(self, run_time: float) -> Steps:
        """Fill the activations of the MLP, and then the stream after it."""
        yield self.acts.fill_columns(run_time=0.6 * run_time)
        yield self.tapes[-1].fill_columns(run_time=0.4 * run_time)


def _wire(points: NDArray[np.float64]) -> VMobject:
    return VMobject(stroke_color=theme().residual, stroke_width=2).set_points(points)
