"""A layer takes rows and gives rows; inside, one product serves all heads, and is cut for them."""

from __future__ import annotations

import numpy as np
from manim import Animation, Create, FadeIn, FadeOut, VGroup, VMobject

from model.worked_block import WorkedBlock
from scenes.parts.card import TitleCard
from scenes.parts.matrix import Matrix
from scenes.parts.paths import straight
from scenes.parts.product import Product
from scenes.parts.product_layout import Plan
from scenes.stage import CAPTION, Column, Row, Size, Steps, beat, fit
from scenes.style.layout import Region
from scenes.style.motion import slide
from scenes.style.text import Formula, Label
from scenes.style.theme import Role, theme
from scenes.style.type import LABEL
from scenes.transformer_block.heads import QKV, SIGN, HeadLanes, Panel, Ways
from scenes.transformer_block.inputs import BlockStage
from scenes.transformer_block.page import Page, numbers_of, rows_of

NAME, LONG_NAME = "The transformer block", "attention, then an MLP"
_CARD = 0.6
"""Seconds that the written name stands."""
_MACHINE, _LARGEST = Size(0.7, 0.5), Size(2.0, 2.6)
_SIGN, _OVER = 34.0, 0.3
"""The size of signs, in pixels, and how far over the weights theirs stands, in units."""
_LEFT, _EQUALS = 0.1, 0.6
"""The room left of the weights, and for the = beside them."""
_UNDER = 0.24
"""How far under rows their shape is written, in units."""
_APART = 0.2
"""How far the cut moves neighbours apart, in units."""
_SMALL, _WHOLE = 0.3, 0.62
"""How wide the cells of the weights are at least, and those of the products at most."""
_SHAPE, _SLIM, _HIGH = 0.8, 1.3, 0.43
"""How high cells are at most, as a share of their width, those of the weights; and in units."""


def _weights(block: WorkedBlock) -> str:
    if block.is_primer:
        return (
            "Random weights, from the primer in the credits: {printed.n_right} of its "
            "{printed.n_numbers} numbers come out."
        )
    return "Random weights: nothing has been learned here."


def _queries(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "One product, $X W_Q$, and the head has a query for each token."
    return "One product, $X W_Q$: the queries of all heads, side by side."


def _cut(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "There is one head: all {d_model} columns are its own, and nothing is cut."
    return "Cut them: each of the {heads_said} gets {d_head} of the {d_model} columns."


class Lanes(BlockStage):
    """A layer gives back as many numbers as it takes; its products are cut into lanes."""

    title = "What a layer takes and gives"
    question = "{n_tokens} rows of {d_model} numbers, one row for each token, go into a layer."
    caption = "A head is a lane: {d_head} columns of queries, keys and values."
    opens = ("x", "machine", "shape")
    leaves = ("x", "lanes")

    values: WorkedBlock

    def layout(self) -> None:
        page, block = Page(self), self.values
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        self._lay_machine(page)
        self.card = TitleCard(NAME, LONG_NAME, role="residual")
        self.card.place(page.rest)
        self.card.hide()
        self.ways = Ways(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.lanes = HeadLanes(self, self.ways)
        self._lay_products(page)

    def _lay_machine(self, page: Page) -> None:
        """The layer as a box that nobody has opened yet, and what it gives back."""
        self.machine = Machine("layer")
        side = page.x.width / self.values.d_model
        given = rows_of(self, "first.resid_post", named=False, most_cell=side)
        row, column = Row(self.machine, given), Column(self.machine, given)
        fit(page.rest, *((row, column) if page.is_wide else (column, row)))
        self.home = given.lattice.region
        self.taken = rows_of(self, "resid_pre", named=False)
        self.taken.place_cells(page.x)
        self.given = rows_of(self, "first.resid_post", named=False)
        self.given.place_cells(self.machine.inside)
        size = self.say_of("{n_tokens} × {d_model}")
        self.shape, self.shape_after = (
            Label(size, size=LABEL, color=theme().muted).center_on(
                np.array([cells.center[0], cells.bottom - _UNDER, 0.0])
            )
            for cells in (page.x, self.home)
        )

    def _lay_products(self, page: Page) -> None:
        """The weights beside the tape, their products at the right over each other."""
        n, width, slots = self.values.n_tokens, self.values.d_model, self.ways.slots
        room = page.rest
        free = (room.width - _LEFT - _EQUALS - SIGN) / width
        whole = min(_WHOLE, max(free - _SMALL, free / 2))
        small = min(_WHOLE, free - whole)
        low = min(min(_SLIM * small, _HIGH) * width, room.height - 2 * _OVER) / 2
        high = min(slots[0].height, n * whole * _SHAPE)
        y, left, right = room.center[1] - _OVER, room.left + _LEFT, room.right - SIGN
        weights = Region(left, y - low, left + small * width, y + low)
        self.products: list[Product] = []
        self.times: list[Formula] = []
        self.equals: list[Formula] = []
        for k, (name, role, sign) in enumerate(QKV):
            y = slots[k].center[1]
            place = Region(right - whole * width, y - high / 2, right, y + high / 2)
            self.products.append(self._product(name, role, (page.x, weights, place)))
            over = weights.center[0], weights.top + _OVER, 0.0
            self.times.append(Formula(f"times {role}(W_{sign})", size=_SIGN).move_to(over))
            between = (weights.right + place.left) / 2, y, 0.0
            self.equals.append(Formula("=", size=_SIGN).move_to(between))

    def _product(self, name: str, role: Role, cells: tuple[Region, Region, Region]) -> Product:
        """The tape, which stays, times weights."""
        out = rows_of(self, f"first.{name}", role, named=False)
        roles: tuple[Role, Role, Role] = ("residual", role, role)
        weights = self[f"first.block.w_{role[0]}"]
        product = Product(self.x, weights, out, roles=roles, spec=numbers_of(weights))
        corner = Region(cells[0].left, cells[0].top, cells[0].left, cells[0].top)
        middle = np.zeros(3)
        product.stand(Plan("tower", cells, (middle, middle, middle), corner, LABEL))
        product.remove(self.x)  # it stays in the scene as it is
        return product.empty()

    @beat(
        "As many as it takes: {n_tokens} rows of {d_model}. Only the numbers may change.",
        ask="How many numbers does a layer give back?",
    )
    def give(self) -> Steps:
        inside = self.machine.inside
        self.add(self.taken, self.machine)
        yield self.taken.slide_cells_to(inside, run_time=0.9)
        self.remove(self.taken)
        self.add(self.given, self.machine)
        yield self.given.slide_cells_to(self.home, run_time=1.0)
        yield FadeIn(self.shape_after, run_time=0.5)

    @beat()
    def name(self) -> Steps:
        gone = self.given, self.machine, self.shape, self.shape_after
        yield [FadeOut(part, run_time=0.6) for part in gone]
        yield self.card.appear(run_time=0.7)
        yield _CARD
        yield self.card.disappear(run_time=0.4)
        self.remove(self.card)

    @beat(_weights)
    def weigh(self) -> Steps:
        yield from self._come(0)
        weights = self.products[0].right
        frame = weights.frame_row(0, "query")
        yield Create(frame, run_time=0.5)
        rows = [weights.row(k) for k in range(1, self.values.d_model)]
        yield frame.trace(*rows, run_time=0.4 * self.reading)
        yield FadeOut(frame, run_time=0.4)

    @beat(_queries)
    def query(self) -> Steps:
        yield self.products[0].meet(0, 0)
        yield self.products[0].fill(run_time=0.65 * self.reading)

    @beat("The keys and the values are made likewise.")
    def likewise(self) -> Steps:
        for k in (1, 2):
            yield from self._go(k - 1)
            yield from self._come(k)
            yield self.products[k].fill(run_time=0.7)
        room, outs = self.ways.lanes, [product.out for product in self.products]
        way = (room[0].left + room[-1].right) / 2 - outs[0].lattice.region.center[0]
        yield from self._go(2, *(slide(out, [way, 0.0, 0.0], run_time=0.8) for out in outs))

    def _come(self, k: int) -> Steps:
        """The weights come, with the sign of what they make."""
        right = self.products[k].right
        new = [right, self.times[k], self.equals[k], self.lanes.signs[k]]
        yield [FadeIn(part, run_time=0.5) for part in new]
        self.add(self.products[k])

    def _go(self, k: int, *others: Animation) -> Steps:
        """The weights go, what they have made stays."""
        product = self.products[k]
        gone = [product.right, self.times[k], self.equals[k]]
        yield product.let_go(run_time=0.3)
        self.remove(product)
        self.add(self.x, product.out, *gone)
        yield *(FadeOut(part, run_time=0.5) for part in gone), *others

    @beat(_cut)
    def cut(self) -> Steps:
        outs = [product.out for product in self.products]
        knives = self._knives(outs[0], outs[-1])
        if knives:
            yield [Create(knife, run_time=0.5 * self.reading) for knife in knives]
        self._swap(outs)
        middle = (self.values.n_heads - 1) / 2
        yield [FadeOut(knife, run_time=0.4) for knife in knives] + [
            slide(part, [(k - middle) * _APART, 0.0, 0.0], run_time=0.6)
            for parts in self.lanes.matrices
            for k, part in enumerate(parts)
        ]

    def _knives(self, first: Matrix, last: Matrix) -> list[VMobject]:
        """The cuts between the heads, through all three."""
        top, bottom = first.lattice.region.top + 0.15, last.lattice.region.bottom - 0.15
        columns = [k * self.values.d_head for k in range(1, self.values.n_heads)]
        return [Cut(first.column(column).left, top, bottom) for column in columns]

    def _swap(self, outs: list[Matrix]) -> None:
        """The same cells, now of as many matrices as there are heads."""
        n, width = self.values.n_tokens, self.values.d_head
        for out, parts in zip(outs, self.lanes.matrices, strict=True):
            for k, part in enumerate(parts):
                part.place_cells(out.block(0, k * width, n, width))
            self.remove(out)
            self.add(*parts)

    @beat(CAPTION)
    def part(self) -> Steps:
        lanes, time = self.lanes, 0.8 * self.reading
        yield (
            FadeIn(lanes.panels, run_time=time),
            FadeIn(lanes.names, run_time=time),
            *(
                part.slide_cells_to(home, run_time=time)
                for parts, homes in zip(lanes.matrices, lanes.homes, strict=True)
                for part, home in zip(parts, homes, strict=True)
            ),
        )
        self.remove(*lanes.submobjects)
        self.add(lanes)


class Machine(VGroup):
    """A layer as a closed box, with its name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = Label(name, size=LABEL)
        self.least, self.most = _MACHINE, _LARGEST
        self.inside = Region(0.0, 0.0, 0.0, 0.0)

    def place(self, region: Region) -> None:
        """Stand in the middle of a region."""
        x, y, _ = region.center
        width, height = (
            min(*pair) / 2
            for pair in ((region.width, self.most.width), (region.height, self.most.height))
        )
        whole = Region(x - width, y - height, x + width, y + height)
        self.inside = whole.inset(0.2 * whole.width, 0.2 * whole.height)
        self.add(Panel(whole).set_z_index(0), self._name.center_on(whole.center))


class Cut(VMobject):
    """A cut from the top down."""

    def __init__(self, x: float, top: float, bottom: float) -> None:
        super().__init__(stroke_color=theme().ink, stroke_width=5)
        self.set_points(straight(np.array([x, top, 0.0]), np.array([x, bottom, 0.0])))
