"""A layer maps rows to rows; inside, one product computes all heads, and is then split."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VGroup

from clockhead.model.primer.worked_block import WorkedBlock
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.matrix_moves import slide_cells
from clockhead.scenes.parts.product import Product
from clockhead.scenes.parts.product_layout import ProductPlan
from clockhead.scenes.parts.table import bound_of
from clockhead.scenes.stage import (
    CAPTION,
    Derived,
    Room,
    Row,
    Size,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut, slide
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.transformer_block.heads import QKV, SIGN, HeadLanes, LaneGround, LanePlaces
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import TapePage, numbers_of, rows_of

NAME, LONG_NAME = "The transformer block", "attention, then an MLP"
_CARD = 0.6
"""Seconds for which the title card is shown."""
_MACHINE, _LARGEST = Size(0.7, 0.5), Size(2.0, 2.6)
_SMALL = Size(0.3, 0.22)
"""Smallest cell of weights and products."""
_SIGN = 34.0
"""Size of signs, in pixels."""
_SIGN_HEIGHT = 0.3
"""Height of a sign above its weights, in units."""
_EQUALS = 0.6
"""Room for the = beside the weights, in units."""
_SHAPE_DISTANCE = 0.24
"""Distance of a shape below its rows, in units."""
_SPLIT_DISTANCE = 0.2
"""Distance by which the split moves neighbours apart, in units."""


def _split_sentence(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "A single head gets all {d_model} columns."
    return "Each head gets {d_head} of the {d_model} columns, and works with these alone."


class Lanes(BlockStage):
    """A layer returns as many numbers as it takes; its products are split into lanes."""

    title = "What a layer takes and gives"
    question = "How many numbers does a layer give back?"
    caption = "{lanes}: {d_head} columns of queries, of keys and of values."
    opens = ("x", "machine")
    leaves = ("x", "lanes")
    derived = BlockStage.derived | {
        "lanes": Derived(
            "the heads that have a lane",
            lambda v: "One head has one lane" if v.n_heads == 1 else "Each head has a lane",
        )
    }

    def layout(self) -> None:
        page, block = TapePage(self), self.values
        self.x = page.tape("resid_pre")
        self._lay_machine(page)
        self.card = TitleCard(NAME, LONG_NAME, role="residual")
        self.card.place(page.rest)
        self.ways = LanePlaces(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.lanes = HeadLanes(self, self.ways)
        self._lay_products(page)

    def _lay_machine(self, page: TapePage) -> None:
        """Lay out the layer as a closed box, and its output."""
        box, side = Room(_MACHINE, _LARGEST), page.x.width / self.values.d_model
        given = rows_of(self, "first.resid_post", named=False, most_cell=side)
        fit(page.rest, beside(box, given))
        self.home = given.lattice.region
        region = box.region.inset(0.0, max(0.0, (box.region.height - _LARGEST.height) / 2))
        self.inside = region.inset(0.4 * region.width, 0.4 * region.height)
        name = Label("layer", size=LABEL).center_on(region.center)
        self.machine = VGroup(LaneGround(region).set_z_index(0), name)
        self.given = page.tape("resid_pre", named=False)
        self.shapes = VGroup()
        for cells in (page.x, self.home):
            shape = Label(self.say_of("{n_tokens} × {d_model}"), size=LABEL, color="muted")
            under = np.array([cells.center[0], cells.bottom - _SHAPE_DISTANCE, 0.0])
            self.shapes.add(shape.center_on(under))

    def _lay_products(self, page: TapePage) -> None:
        """Lay out the weights beside the tape, and a column of their products at the right."""
        look: dict[str, Any] = {"named": False, "least_cell": _SMALL}
        pair = [rows_of(self, f"first.{path}", **look) for path in ("block.w_q", "queries")]
        room, over = page.rest.cut_top(2 * _SIGN_HEIGHT, 0.0)[1], np.array([0.0, _SIGN_HEIGHT, 0.0])
        left = Region(room.left, room.bottom, room.right - SIGN, room.top)
        fit(left, Row(*pair, gap=_EQUALS))
        weights, out = (matrix.lattice.region for matrix in pair)
        self.products: list[Product] = []
        self.times: list[Formula] = []
        self.equals: list[Formula] = []
        for (name, role, sign), slot in zip(QKV, self.ways.slots, strict=True):
            y, half = slot.center[1], min(slot.height, out.height) / 2
            place = Region(out.left, y - half, out.right, y + half)
            self.products.append(self._product(name, role, (page.x, weights, place)))
            times = Formula(f"times {role}(W_{sign})", size=_SIGN)
            self.times.append(times.move_to(weights.point(0.5, 1) + over))
            between = (weights.right + place.left) / 2, y, 0.0
            self.equals.append(Formula("=", size=_SIGN).move_to(between))

    def _product(self, name: str, role: Role, cells: tuple[Region, Region, Region]) -> Product:
        """A product of the tape, which stays in place, and weights."""
        out = rows_of(self, f"first.{name}", role, named=False)
        roles: tuple[Role, Role, Role] = ("residual", role, role)
        weights = self[f"first.block.w_{role[0]}"]
        product = Product(self.x, weights, out, roles=roles, spec=numbers_of(weights))
        corner, middle = Region(0.0, 0.0, 0.0, 0.0), np.zeros(3)
        product.stand(ProductPlan("tower", cells, (middle, middle, middle), corner, LABEL))
        product.remove(self.x)  # it remains in the scene
        return product.empty()

    @beat("As many as it takes: {n_tokens} rows of {d_model}. Only the numbers may change.")
    def give(self) -> Steps:
        time, given = 0.3 * self.reading, self["first.resid_post"]
        bound = bound_of(given)
        yield FadeIn(self.shapes[0], run_time=0.5)
        self.add(self.given, self.machine)
        yield slide_cells(self.given, self.inside, run_time=time)
        self.given.set_to(given)
        self.given.rescale(-bound, bound)
        yield slide_cells(self.given, self.home, run_time=time)
        yield FadeIn(self.shapes[1], run_time=0.5)

    @beat()
    def name(self) -> Steps:
        yield FadeOut(self.given, self.machine, self.shapes, run_time=0.6)
        yield self.card.appear(run_time=0.7)
        yield _CARD
        yield FadeOut(self.card, run_time=0.4)

    @beat("The weights are random here: nothing has been learned.")
    def weigh(self) -> Steps:
        yield from self._show_weights(0, 0.7 * self.reading)

    @beat("One product, $X W_Q$, makes the queries of every head.")
    def query(self) -> Steps:
        yield self.products[0].meet(0, 0)
        yield 0.65 * self.products[0].fill()

    @beat("The keys and the values are made likewise.")
    def likewise(self) -> Steps:
        for k in (1, 2):
            yield from self._hide_weights(k - 1)
            yield from self._show_weights(k, 0.5)
            yield self.products[k].fill(run_time=0.7)
        room, outs = self.ways.lanes, [product.out for product in self.products]
        way = (room[0].left + room[-1].right) / 2 - outs[0].lattice.region.center[0]
        yield from self._hide_weights(
            2, *(slide(out, [way, 0.0, 0.0], run_time=0.8) for out in outs)
        )

    def _show_weights(self, k: int, run_time: float) -> Steps:
        """Show the weights, with the sign of their product."""
        product = self.products[k]
        product.right.empty()
        self.add(product)
        new = FadeIn(self.times[k], self.equals[k], self.lanes.signs[k], run_time=0.5)
        yield product.right.fill_rows(run_time=run_time), new

    def _hide_weights(self, k: int, *others: Animation) -> Steps:
        """Remove the weights; their product stays."""
        product = self.products[k]
        gone = [product.right, self.times[k], self.equals[k]]
        yield product.let_go(run_time=0.3)
        self.remove(product)
        self.add(self.x, product.out, *gone)
        yield FadeOut(*gone, run_time=0.5), *others

    @beat(_split_sentence)
    def cut(self) -> Steps:
        """Split each product into one matrix for each head, and move these apart."""
        n, width = self.values.n_tokens, self.values.d_head
        for product, parts in zip(self.products, self.lanes.matrices, strict=True):
            for k, part in enumerate(parts):
                part.place_cells(product.out.block(0, k * width, n, width))
            self.remove(product.out)
            self.add(*parts)
        middle = (self.values.n_heads - 1) / 2
        yield 0.7 * together(
            [
                slide(part, [(k - middle) * _SPLIT_DISTANCE, 0.0, 0.0])
                for parts in self.lanes.matrices
                for k, part in enumerate(parts)
            ]
        )

    @beat(CAPTION)
    def part(self) -> Steps:
        lanes = self.lanes
        yield 0.8 * together(
            FadeIn(lanes.panels, lanes.names),
            [
                slide_cells(part, home)
                for parts, homes in zip(lanes.matrices, lanes.homes, strict=True)
                for part, home in zip(parts, homes, strict=True)
            ],
        )
        self.remove(*lanes.submobjects)
        self.add(lanes)
