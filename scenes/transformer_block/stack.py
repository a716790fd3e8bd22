"""A second layer with weights of its own; the shape of the tape never changes. What layers cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, FadeIn, FadeOut, VGroup

from model.stacked_layers import StackedLayers
from scenes.parts.figures import Figure
from scenes.parts.matrix import Matrix
from scenes.parts.table import Room
from scenes.stage import CAPTION, Column, Row, Size, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.motion import recolor
from scenes.style.text import Label
from scenes.style.theme import theme
from scenes.style.type import LABEL
from scenes.transformer_block.adding import add_into
from scenes.transformer_block.areas import Areas, Budget
from scenes.transformer_block.heads import Panel
from scenes.transformer_block.inputs import BlockStage
from scenes.transformer_block.page import Page, bound_of, rows_of

_ROOMS = Size(3.1, 2.0), Size(3.9, 2.0)
"""The least room for what happens in attention, and in the MLP."""
_NAME, _SHAPE, _PAD = 0.4, 0.32, 0.16
"""The bands for a name and for a shape, and what is left free around all, in units."""
_CELL = Size(0.2, 0.16)
"""The least cell without a number."""
_LARGEST = 0.7
"""The largest cell of a pattern."""
_UNDER = 0.2
_SIZE = "{n_tokens} × {d_model}"
_NAMES = ("attention", "MLP")


class Stack(BlockStage):
    """The second layer takes what the first gives; layers cost twelve squares each."""

    title = "One more layer, and what it costs"
    question = "A layer has given back {n_tokens} rows of {d_model}. What can come after it?"
    caption = (
        "$L$ layers hold $12 L d^2$; with all else, GPT-2 learns {in_all:.1f} million numbers."
    )
    opens = ("x",)
    leaves = ("x",)

    values: StackedLayers

    @classmethod
    def compute(cls, inputs: Any) -> StackedLayers:
        block = inputs.example()
        return StackedLayers(block.tokens, block.transformer, block.resid_pre, block.vocabulary)

    def layout(self) -> None:
        self.page = Page(self)
        self.x = rows_of(self, "first.resid_post")
        self.x.place_cells(self.page.x)
        self.shape = self._shape_under(self.page.x, _SIZE)
        rooms = Room(_ROOMS[0]), Room(_ROOMS[1])
        fit(self.page.rest, Row(*rooms), Column(*rooms))
        regions = [room.region for room in rooms]
        self.panels = VGroup(*(Panel(region) for region in regions))
        bands = [region.cut_top(_NAME, 0.0) for region in regions]
        self.names = VGroup(
            *(
                Label(name, size=LABEL, color=theme().muted).center_on(top.center)
                for name, (top, _) in zip(_NAMES, bands, strict=True)
            )
        )
        self.inner = [rest.inset(_PAD, _PAD / 2) for _, rest in bands]
        self._lay_stations()
        self._lay_costs()

    def _lay_stations(self) -> None:
        """In each panel what is made inside, and what goes back to the tape."""
        heads, n = range(self.values.n_heads), "{n_tokens} × {n_tokens}"
        self.patterns = [
            Matrix(
                self["second.patterns"][k],
                low=0.0,
                high=1.0,
                mask="causal",
                least_cell=_CELL,
                most_cell=_LARGEST,
                aspect=(0.5, 0.9),
            )
            for k in heads
        ]
        bound = bound_of(self["second.pre"])
        look: dict[str, Any] = {"low": -bound, "high": bound, "least_cell": _CELL}
        self.hidden = rows_of(self, "second.pre", "token", named=False, **look)
        self.added = [self._copy("second.attn_out"), self._copy("second.mlp_out")]
        streams = "first.resid_post", "second.resid_mid"
        self.taken = [self._copy(path, spec=()) for path in streams]
        insides = [Row(*self.patterns, gap=_PAD), self.hidden]
        self.homes: list[Region] = []
        self.outer: list[tuple[Label, Label]] = []
        for taken, inside, added, room in zip(
            self.taken, insides, self.added, self.inner, strict=True
        ):
            boxes = [Shaped(part) for part in (taken, inside, added)]
            fit(room, Column(*boxes, gap=0.05), Row(*boxes))
            self.homes.append(taken.lattice.region)
            labels = (taken, f"takes {_SIZE}"), (added, f"adds {_SIZE}")
            one, other = (self._shape_under(part.lattice.region, says) for part, says in labels)
            self.outer.append((one, other))
        of_heads: str = n if self.values.n_heads == 1 else f"{{n_heads}} × ({n})"
        left, right = self.patterns[0].lattice.region, self.patterns[-1].lattice.region
        across = Region(left.left, left.bottom, right.right, left.top)
        hidden = self.hidden.lattice.region
        self.shapes = [
            self._shape_under(across, of_heads),
            self._shape_under(hidden, "{n_tokens} × {d_ff}"),
        ]
        for part in self.taken:
            part.place_cells(self.page.x)
        for part in (*self.patterns, self.hidden, *self.taken, *self.added):
            part.empty()

    def _lay_costs(self) -> None:
        """The matrices in the panels, and the bar of GPT-2 over both."""
        self.areas = Areas(self["areas"])
        lower = [room.cut_bottom(_SHAPE, 0.0)[1] for room in self.inner]
        self.areas.stand(lower[0], lower[1])
        figures = (
            Figure(self["in_layers"], ".1f", suffix=" million"),
            Figure(self["in_others"], ".1f", suffix=" million"),
        )
        words = (
            self.say_of("{gpt_2.n_layers} layers: attention below, MLP above"),
            "embeddings, biases, norms",
        )
        self.budget = Budget(self["budget"], self["of_attention"], figures, words)
        self.budget.place(self.page.rest)

    @beat("Another layer: the same steps, with weights of its own.")
    def open_(self) -> Steps:
        self.add(self.panels, self.names)
        yield [FadeIn(part, run_time=0.5) for part in (self.panels, self.names, self.shape)]
        self.add(self.areas)
        yield self.areas.come(run_time=0.6 * self.reading)

    @beat("What attention gives back is added to the rows.")
    def attend(self) -> Steps:
        yield FadeOut(self.areas, run_time=0.5)
        yield from self._pass(0, *self.patterns)
        yield self._add_up(0, "second.resid_mid")

    @beat("Inside the MLP, rows are {d_ff} wide. What it adds is {d_model} wide again.")
    def widen(self) -> Steps:
        yield from self._pass(1, self.hidden)
        yield self._add_up(1, "second.resid_post")

    def _pass(self, k: int, *inside: Matrix) -> Steps:
        """Panel k takes the rows, and makes what is to be added."""
        time, taken, added = self.reading, self.taken[k], self.added[k]
        self.add(taken)
        yield (
            taken.slide_cells_to(self.homes[k], run_time=0.15 * time),
            taken.fill(np.zeros(taken.table.shape), each=1.0, run_time=0.15 * time),
        )
        self.add(*inside)
        yield (
            *(part.fill_rows(run_time=0.18 * time) for part in inside),
            *(FadeIn(shape, run_time=0.4) for shape in (self.shapes[k], self.outer[k][0])),
        )
        if k == 1:
            yield self.hidden.to(self["second.act"], run_time=0.1 * time)
        self.add(added)
        yield added.fill_rows(run_time=0.2 * time), FadeIn(self.outer[k][1], run_time=0.4)
        yield 0.05 * time

    def _add_up(self, k: int, path: str) -> list[Animation]:
        """What panel k adds goes to the rows, and is added."""
        total, time = self[path], 0.2 * self.reading
        adds = add_into(self.x, self.added[k], total, bound=bound_of(total), run_time=time)
        return [*adds, FadeOut(self.outer[k][1], run_time=0.4)]

    @beat(
        "Still {n_tokens} × {d_model}: only the numbers may change.",
        ask="Which shape do the rows have now?",
    )
    def same(self) -> Steps:
        inside = [*self.patterns, self.hidden, *self.shapes, *self.taken]
        inside += [taken for taken, _ in self.outer]
        yield recolor(self.shape, theme().ink)
        yield [FadeOut(part, run_time=0.6) for part in inside]

    @beat("Its weights, drawn to scale: here {n_in_layer:d} numbers.")
    def weigh(self) -> Steps:
        self.add(self.areas)
        yield self.areas.come(run_time=0.6 * self.reading)
        yield self._write("count.in_attention", "count.in_mlp", self.values.d_model**2)

    @beat("Let a row be $d$ wide. An MLP is usually $4 d$ wide: {n_squares:d} squares, $12 d^2$.")
    def rule(self) -> Steps:
        yield [FadeOut(figure, run_time=0.4) for figure in self.areas.unwrite()]
        yield self.areas.to(self["usual_areas"], run_time=0.5 * self.reading)
        yield self._write("squares_of_attention", "squares_of_mlp", 1.0, " d²")

    @beat(
        "The smallest GPT-2: {gpt_2.n_layers} layers, d = {gpt_2.d_model}, {in_layers:.1f} million."
    )
    def layers(self) -> Steps:
        budget, areas, time = self.budget, self.areas, self.reading
        gone = [self.panels, self.names, *areas.unwrite()]
        yield (
            *(FadeOut(part, run_time=0.5) for part in gone),
            areas.stack_in(budget.first, run_time=0.35 * time),
        )
        self.remove(areas)
        self.add(budget)
        n = self.values.gpt_2.n_layers
        yield budget.come(1, n, run_time=0.4 * time)
        yield FadeIn(budget.texts[0], run_time=0.5)

    @beat(CAPTION)
    def all_in_all(self) -> Steps:
        n = self.values.gpt_2.n_layers
        yield self.budget.come(n, n + 1, run_time=0.3 * self.reading)
        yield FadeIn(self.budget.texts[1], run_time=0.5)

    def _write(self, attention: str, mlp: str, square: float, unit: str = "") -> Animation:
        """Numbers come under the matrices of attention and under those of the MLP."""
        return FadeIn(self.areas.write((self[attention], self[mlp]), square, unit), run_time=0.5)

    def _copy(self, path: str, **look: Any) -> Matrix:
        """Rows of the tape that go through a panel."""
        return rows_of(self, path, named=False, least_cell=_CELL, **look)

    def _shape_under(self, cells: Region, shape: str) -> Label:
        label = Label(self.say_of(shape), size=LABEL, color=theme().muted)
        return label.center_on(np.array([cells.center[0], cells.bottom - _UNDER, 0.0]))


class Shaped:
    """A box with room under it for its shape."""

    def __init__(self, box: Any) -> None:
        self._box = box

    @property
    def least(self) -> Size:
        return Size(self._box.least.width, self._box.least.height + _SHAPE)

    @property
    def most(self) -> Size:
        return Size(self._box.most.width, self._box.most.height + _SHAPE)

    def place(self, region: Region) -> None:
        """Stand over the room."""
        self._box.place(region.cut_bottom(_SHAPE, 0.0)[1])
