"""A second layer with its own weights and the same shapes; and the weights of all layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import LEFT, VGroup, VMobject
from numpy.typing import NDArray

from clockhead.model.films.transformer_block.stack import StackedLayers, stacked_layers
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.paths import rectangles, straight
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.parts.table import steady
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Picture,
    Reading,
    Room,
    Row,
    Size,
    Steps,
    Value,
    beat,
    fit,
    together,
    wide_or_tall,
)
from clockhead.scenes.stage.shown import is_visible
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, recolor
from clockhead.scenes.style.shape import fill_of
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role, mix, theme
from clockhead.scenes.style.type import LABEL, MIN_SIZE
from clockhead.scenes.transformer_block.circuit import LayerCircuit
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import TapePage, rows_of

_TABLES = 0.4
"""Fraction of the room's height for tables of tokens."""
_NARROW = 0.16
"""Ratio of a table's width to its height."""
_SQUARE = 0.6
"""Smallest side of a square, in units."""
_NAME = 0.4
"""Height of the number below squares, in units."""
_WORDS = 21.0
"""Size of words at the chart, in pixels, which has little height in some aspect ratios."""
_HERE = ("{d_model} × {d_model}",) * 4 + ("{d_model} × {d_ff}", "{d_ff} × {d_model}")
_USUAL = ("d × d",) * 4 + ("d × 4d", "4d × d")
"""The shapes of the matrices, here and usually."""


def _widen_sentence(block: StackedLayers) -> str:
    if block.d_ff == block.d_model:
        return "Inside its MLP rows are {d_ff} wide as well, and so is what it adds."
    way = "widens" if block.d_ff > block.d_model else "narrows"
    return f"Its MLP {way} rows to {{d_ff}}; what it adds is {{d_model}} wide."


class Stack(BlockStage[StackedLayers]):
    """The second layer takes the output of the first; each layer costs twelve squares."""

    title = "One more layer, and what it costs"
    question = "What can come after a layer?"
    caption = (
        "$L$ layers hold ${n_squares:d} L d^2$; with all else, GPT-2 learns {in_all:.1f} million "
        "numbers."
    )
    opens = ("x",)
    leaves = ("after as x",)

    compute = stacked_layers

    def layout(self) -> None:
        self.page = TapePage(self)
        self.x = self.page.tape("first.resid_post")
        self.circuit = LayerCircuit(self, 1)
        self.circuit.place(steady(self.canvas))
        self.after = rows_of(self, "second.resid_post")
        rooms = [Room(Size(n * _SQUARE, m * _SQUARE)) for n, m in ((2.2, 3), (5.2, 4.5))]
        row, column = Row(*rooms, weights=(2, 5)), Column(*rooms, weights=(1, 2))
        fit(self.page.rest, wide_or_tall(row, column))
        attention, mlp = (room.region.cut_bottom(_NAME, 0.0)[1] for room in rooms)
        self.areas = Areas(self["areas"], attention, mlp)
        names = slots(self["budget_names"], down=True)
        millions = Scale(0.0, float(self.values.budget.max()), name="million numbers")
        self.chart = Chart(millions, names, size=_WORDS, least=(1.0, 1.0), most=(6.0, 2.6))
        self.budget = Bars(self["budget"], self.chart, "residual", spec=".1f", grown=False)
        upper, lower = self.page.rest.cut_bottom(_TABLES * self.page.rest.height)[::-1]
        self.chart.place(upper)
        self.tied = TiedTables(lower)

    @beat("Another layer: the same steps, with weights of its own.")
    def open_(self) -> Steps:
        yield from self.circuit.take(self.x, 0.6 * self.reading)

    @beat("Attention mixes the rows: the broader a ribbon, the larger its share.")
    def attend(self) -> Steps:
        yield from self.circuit.attend(0.8 * self.reading)

    @beat(_widen_sentence)
    def widen(self) -> Steps:
        yield from self.circuit.think(0.8 * self.reading)

    @beat("It gives {n_tokens} × {d_model} again, so one more layer could follow.")
    def same(self) -> Steps:
        shapes = self.circuit.shapes
        for shape in shapes:
            yield recolor(shape, theme().ink, run_time=0.7 * self.reading / len(shapes))

    @beat("Its weights, drawn to scale: here {n_in_layer:d} numbers.")
    def weigh(self) -> Steps:
        circuit, end = self.circuit, self.circuit.tapes[-1].lattice.region
        self.remove(self.x)
        self.after.place_cells(end, size=circuit.size)
        self.after.words_to(0.0)
        self.add(self.after)
        yield FadeOut(circuit.picture, run_time=0.4)
        yield 0.4 * together(slide_cells(self.after, self.page.x, words=True))
        sums = self["count.in_attention"], self["count.in_mlp"]
        shapes = [self.say_of(shape) for shape in _HERE]
        self.labels = self.areas.describe(shapes, sums, self.values.d_model**2)
        yield FadeIn(self.areas, self.labels, run_time=0.5)

    @beat(
        "Rows are $d$ wide, the MLP usually ${usual_width} d$: {squares_of_attention:d} + "
        "{usual_width} + {usual_width} = {n_squares:d} squares, ${n_squares:d} d^2$."
    )
    def rule(self) -> Steps:
        yield FadeOut(self.labels, run_time=0.4)
        yield 0.3 * self.areas.to(self["usual_areas"])
        sums = self["squares_of_attention"], self["squares_of_mlp"]
        self.labels = self.areas.describe(_USUAL, sums, suffix=" d²")
        yield FadeIn(self.labels, run_time=0.5)

    @beat(
        "The smallest GPT-2 has {gpt_2.n_layers} layers: "
        "{n_squares:d} · {gpt_2.n_layers} · {gpt_2.d_model}² is {in_layers:.1f} million."
    )
    def layers_(self) -> Steps:
        yield FadeOut(self.labels, self.areas, run_time=0.5)
        yield FadeIn(self.chart, run_time=0.5)
        yield 0.5 * self.budget.grow([0])

    @beat(
        "Most of the rest is one table: a row of {gpt_2.d_model} for each of {gpt_2.n_vocab:,d} "
        "tokens, {token_table:.1f} million."
    )
    def tokens_(self) -> Steps:
        yield 0.4 * self.budget.grow([1])
        yield FadeIn(self.tied.embedding, run_time=0.6)

    @beat(
        "It is used twice: its rows go in, and turned on its side it is $U$, for the logits. "
        "This is weight tying.",
        rest=REST,
    )
    def tie(self) -> Steps:
        yield 0.5 * together(self.tied.turn())
        yield FadeIn(self.tied.names[1], run_time=0.5)

    @beat(CAPTION)
    def all_in_all(self) -> Steps:
        yield 0.4 * self.budget.grow([2])


class TiedTables:
    """A narrow table of tokens, and its transpose; neither is to scale."""

    def __init__(self, room: Region) -> None:
        look, high = theme(), min(0.9 * room.height, 0.4 * room.width)
        x, y, _ = room.center
        self._ends = np.array([[x - 0.55 * high, y, 0.0], [x + 0.6 * high, y, 0.0]])
        half, half_high = _NARROW * high / 2, high / 2
        self._corners = rectangles(*np.array([-half, -half_high, half, half_high]))
        self.tables = [
            VMobject(stroke_width=0, fill_color=mix(look.panel, look.token, _STRENGTH))
            for _ in self._ends
        ]
        for table in self.tables:
            table.set_fill(opacity=1).set_points(self._corners + self._ends[0])
        signs = "token(E)", "token(U) = token(E)^top"
        self.names = [Formula(sign, size=_SIGN) for sign in signs]
        self.names[0].next_to(self.tables[0], LEFT, buff=0.2)
        self.names[1].move_to(self._ends[1] + np.array([0.0, half + 0.35, 0.0]))
        self.embedding = VGroup(self.tables[0], self.names[0])

    def turn(self) -> Drive:
        """Turn a copy of the table on its side, next to it."""
        turning, (start, end) = self.tables[1], self._ends

        def show(share: NDArray[np.float64]) -> None:
            angle = -float(share) * np.pi / 2
            cos, sin = np.cos(angle), np.sin(angle)
            turned = self._corners @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
            turning.set_points(turned + start + (end - start) * float(share))

        return Drive(turning, show, 0.0, 1.0)


_MATRICES: tuple[tuple[str, Role], ...] = (
    ("W_Q", "query"),
    ("W_K", "key"),
    ("W_V", "value"),
    ("W_O", "value"),
    ("W_1", "token"),
    ("W_2", "token"),
)
"""The matrices of a layer and their roles, in the order of the model."""
_GROUPS = slice(0, 4), slice(4, 6)
"""The matrices of attention, and those of the MLP."""
_WIDEST = 4
"""Largest width of W_1, in squares."""
_GAP = 0.12
"""Gap between areas, in units."""
_STRENGTH = 0.6
"""Share of a role's colour in its area."""
_NUMBER_DISTANCE = 0.34
"""Distance of a number below its areas, in units."""
_SIGN = 26.0
"""Size of signs, in pixels."""
_LINE = 0.14
"""Distance of signs and shapes from the middle of a square, in units."""
_SHAPE = 22.0
"""Size of a shape in a square of one unit, in pixels."""
_ROUNDING = 1e-6


class Areas(Picture):
    """Rectangles whose areas are the value (6,), to one scale.

    Four squares are arranged two by two in the room of attention; in that of the MLP are W_1, which
    is wide, and W_2, which is high. The sum of each group can be written below it.
    """

    def __init__(self, value: Value, attention: Region, mlp: Region) -> None:
        super().__init__(value)
        self._rooms = attention, mlp
        wide, high = (mlp.width - _GAP) / (_WIDEST + 1), mlp.height / _WIDEST
        self._side = min(wide, high, (attention.width - _GAP) / 2, (attention.height - _GAP) / 2)
        look = theme()
        self.rects = VGroup(*(VMobject(stroke_width=0, fill_opacity=1) for _ in _MATRICES))
        for rect, (_, role) in zip(self.rects, _MATRICES, strict=True):
            rect.set_fill(mix(look.panel, str(getattr(look, role)), _STRENGTH))
        self._square = 1.0
        self.add(self.rects)
        self.show(value.array)

    def show(self, state: NDArray[np.float64]) -> None:
        """Draw areas of these sizes; the numbers written below no longer apply."""
        self._figures = VGroup()
        for rect, edges in zip(self.rects, self._edges(state), strict=True):
            rect.set_points(rectangles(*edges))

    def _edges(self, state: NDArray[np.float64]) -> NDArray[np.float64]:
        """Left, bottom, right and top of each; (6, 4)."""
        d, (attention, mlp) = self._side, self._rooms
        x, y, _ = attention.center
        columns = (x - d - _GAP / 2, x + _GAP / 2)
        tops = (y + d + _GAP / 2, y - _GAP / 2)
        squares = [(left, top - d, left + d, top) for top in tops for left in columns]
        wide, high = state[4:] * d
        x, y, _ = mlp.center
        left, top = x - (wide + d + _GAP) / 2, y + high / 2
        right = left + wide + _GAP
        return np.array(
            [*squares, (left, top - d, left + wide, top), (right, top - high, right + d, top)]
        )

    def describe(
        self, shapes: Sequence[str], sums: Sequence[Value], square: float = 1.0, suffix: str = ""
    ) -> VGroup:
        """The sign and the shape of each area, and the sum below each group, for the current areas.

        `square` is the value of a square.
        """
        self._square, d, edges = square, self._side, self._edges(self.state)
        self._figures = VGroup(*(Figure(value, ",d", suffix=suffix) for value in sums))
        for figure, group in zip(self._figures, _GROUPS, strict=True):
            some = edges[group]
            x = (some[:, 0].min() + some[:, 2].max()) / 2
            figure.put(np.array([x, some[:, 1].min() - _NUMBER_DISTANCE, 0.0]))
        size, up = min(LABEL, max(MIN_SIZE, _SHAPE * d)), np.array([0.0, _LINE, 0.0])
        told = VGroup(self._cuts(edges), self._figures)
        for k, (left, bottom, _, top) in enumerate(edges):
            ink = theme().ink_on(fill_of(self.rects[k]))
            middle = np.array([left + d / 2, top - min(d, top - bottom) / 2, 0.0])
            told.add(Formula(_MATRICES[k][0], size=_SIGN, color=ink).move_to(middle + up))
            told.add(Label(shapes[k], size=size, color=ink).center_on(middle - up))
        return told

    def _cuts(self, edges: NDArray[np.float64]) -> VMobject:
        """Lines that cut rectangles into squares, as far as they go."""
        d, lines = self._side, np.zeros((0, 2, 3))
        for left, bottom, right, top in edges[_GROUPS[1]]:
            xs = np.arange(left + d, right - _ROUNDING, d)
            ys = np.arange(top - d, bottom + _ROUNDING, -d)
            across = [((x, bottom, 0.0), (x, top, 0.0)) for x in xs]
            down = [((left, y, 0.0), (right, y, 0.0)) for y in ys]
            lines = np.concatenate([lines, np.array([*across, *down]).reshape(-1, 2, 3)])
        cuts = VMobject(stroke_color=theme().ground, stroke_width=2)
        return cuts.set_points(straight(lines[:, 0], lines[:, 1]))

    def readings(self) -> Iterator[Reading]:
        """Each area, by its fraction of the total, and each number, by the areas above it."""
        corners = np.array([rect.points[:, :2] for rect in self.rects])  # (6, 16, 2)
        areas = np.ptp(corners, axis=1).prod(axis=1)
        areas *= float(self.state.sum()) / areas.sum()
        for k, area in enumerate(areas):
            yield Reading(self.shown[k], float(area), _ROUNDING)
        middles = [corners[group].mean(axis=(0, 1)) for group in _GROUPS]
        for figure in self._figures:
            if is_visible(figure) and isinstance(figure, Figure):
                at = figure.get_center()[:2]
                near = int(np.argmin([np.hypot(*(middle - at)) for middle in middles]))
                total = float(areas[_GROUPS[near]].sum()) * self._square
                yield Reading(figure.shown, total, _ROUNDING * max(1.0, total))
