"""In each lane a head works by itself: patterns from the same rows, and the blends they give."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup, VMobject

from clockhead.model.tokens import named
from clockhead.model.worked_block import WorkedBlock
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import CAPTION, Derived, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import fly
from clockhead.scenes.style.text import Formula, Label
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import LABEL
from clockhead.scenes.transformer_block.heads import (
    QKV,
    HeadLanes,
    Ways,
    blends_of,
    lane_matrix,
    pattern_of,
)
from clockhead.scenes.transformer_block.inputs import BlockStage, share_said
from clockhead.scenes.transformer_block.page import LEAST_CELL, NUMBERS, SHARES, Page, rows_of

_NEARLY = 1e-3
"""Shares that differ by less look the same."""
_SIGN, _SIGN_A = 24.0, 30.0
_LARGE, _NUMBER = 2.2, 40.0
"""The largest cell of the rows that are compared, in units, and its number, in pixels."""
_UNDER = 0.3
"""How far under the rows that are compared it says whose they are, in units."""
_SPAN = 1e-6
"""So much is between the lowest and the highest shade of scores at least."""


def _wonder(block: WorkedBlock) -> str:
    if block.n_heads == 1:
        return "One head, one lane: where does each token look?"
    return "The heads read the same rows. Do they look the same way?"


def _answer(block: WorkedBlock) -> str:
    if block.alike:
        return "Here they do: every share is the same in all of them."
    if block.largest_difference < _NEARLY:
        return "Nearly: no share differs by as much as a thousandth."
    other = "the other" if block.n_heads == 2 else "another"
    most, least = share_said(block.most_there), share_said(block.least_there)
    return (
        f"No: in one head {{differing}} gives {most} of its attention to {{asked}}, "
        f"in {other} {least}."
    )


def _asked(block: WorkedBlock) -> str:
    m, n = block.differ_most_at.tolist()
    return "itself" if m == n else named(block.tokens, n)


def _ask(block: WorkedBlock) -> str:
    return f"Are {'both' if block.n_heads == 2 else 'all'} patterns the same?"


class Patterns(BlockStage):
    """Every head has a pattern of its own, and blends the values of its lane."""

    title = "Each head looks for itself"
    question = "{wonder}"
    caption = "Each head has its own pattern, and blends the values of its own lane."
    opens = ("x", "lanes")
    leaves = ("x", "grounds", "patterns", "blends")
    derived = BlockStage.derived | {
        "wonder": Derived("what is asked", _wonder),
        "differing": Derived(
            "the token whose heads differ most",
            lambda block: named(block.tokens, int(block.differ_most_at[0])),
        ),
        "asked": Derived("at whom they differ most", _asked),
    }

    values: WorkedBlock

    def layout(self) -> None:
        page, block = Page(self), self.values
        self.x = rows_of(self, "resid_pre")
        self.x.place_cells(page.x)
        self.ways = Ways(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.lanes = HeadLanes(self, self.ways).place()
        self.corners = [self.ways.corner(k) for k in range(block.n_heads)]
        self.lying: list[Matrix] = []
        self.squares: list[Matrix] = []
        scores = self["first.scores"].array[:, *np.tril_indices(block.n_tokens)]
        self.span = {"low": float(scores.min()), "high": float(scores.max()) + _SPAN}
        for k, (_, asked, square) in enumerate(self.corners):
            self.lying.append(lane_matrix(self, "keys", "key", k, lying=True))
            self.lying[k].place_cells(asked)
            self.squares.append(pattern_of(self, k, self.ways.heads[k]))
            self.squares[k].place_cells(square)
            self.squares[k].set_to(self["first.scores"][k])
            self.squares[k].rescale(**self.span, spec=NUMBERS)
            self.squares[k].empty().words_to(0.0)
        self._lay_apart(page.rest)
        self.blends = blends_of(self, self.ways)
        self.mixed = [blend.empty() for blend in self.blends if isinstance(blend, Matrix)]
        names = self.lanes.names
        names.watch(self["first.scores"], self.squares)
        names.watch(self["first.patterns"], self.squares)
        names.watch(self["first.blends"], self.mixed)
        sign = self.lanes.signs[2]
        self.blended = Formula("attention(A) value(V)", size=_SIGN).move_to(sign.get_center())
        first = self.lanes.signs[0].get_center()
        self.pattern_sign = Formula("attention(A)", size=_SIGN_A).move_to(first)

    def _lay_apart(self, room: Region) -> None:
        """The row of one token in every head, over each other, and under them whose it is."""
        asked = np.arange(self.values.n_tokens) > self.values.differ_most_at[0]
        self.apart = Matrix(
            self["shares_apart"],
            rows=self["head_names"],
            columns=self["tokens"],
            low=0.0,
            high=1.0,
            mask=np.tile(asked, (self.values.n_heads, 1)),
            spec=SHARES,
            least_cell=LEAST_CELL,
            most_cell=_LARGE,
            aspect=(0.3, 0.6),
            most_number=_NUMBER,
        )
        self.apart.place(room.cut_bottom(2 * _UNDER, 0.0)[1])
        self.apart.empty().words_to(0.0)
        under, whose = self.apart.lattice.region, self.say_of("the row of {differing}")
        self.whose = Label(whose, size=LABEL, color=self.theme.muted)
        self.whose.center_on(np.array([under.center[0], under.bottom - _UNDER, 0.0]))

    def _corner_signs(self) -> list[tuple[Formula, tuple[float, float, float]]]:
        """Q and K for each head, which go from beside the lanes to beside queries and keys."""
        signs = []
        for asking, asked, _ in self.corners:
            wide, high = asked.left - asking.left, asked.top - asking.top
            ways = zip(self.lanes.signs[:2], QKV[:2], ((0.35, 0.2), (0.8, 0.7)), strict=True)
            for sign, (_, role, name), (x, y) in ways:
                at = asking.left + x * wide, asking.top + y * high, 0.0
                signs.append((Formula(f"{role}({name})", size=_SIGN).move_to(sign), at))
        return signs

    @beat("Each lane is a head: queries times keys, divided by √{d_head}, are its scores.")
    def score(self) -> Steps:
        lanes, time = self.lanes, 0.32 * self.reading
        signs = self._corner_signs()
        self.remove(lanes)
        self.grounds = VGroup(lanes.panels, lanes.names)
        self.add(self.grounds, lanes.signs[2], *lanes.queries, *lanes.keys, *lanes.values)
        yield [
            move
            for k, (asking, _, _) in enumerate(self.corners)
            for move in (
                lanes.queries[k].slide_cells_to(asking, run_time=time),
                *lanes.keys[k].turn_into(self.lying[k], run_time=time),
            )
        ] + [fly(sign, at, run_time=time) for sign, at in signs]
        self.remove(*lanes.keys)
        self.add(*self.lying)

        n, queries = self.values.n_tokens, lanes.queries
        self.add(*self.squares)
        frames = [CellFrame(matrix.row(0), "query") for matrix in queries]
        yield [Create(frame, run_time=0.3) for frame in frames]
        at = np.repeat(np.linspace(0, 1, n)[:, None], n, axis=1)
        yield [
            move
            for frame, query, square in zip(frames, queries, self.squares, strict=True)
            for move in (
                frame.trace(*(query.row(m) for m in range(1, n)), run_time=time),
                square.fill(at, each=1 / n, labels=False, run_time=time),
            )
        ]
        yield [FadeOut(frame, run_time=0.3) for frame in frames]
        gone = [*queries, *self.lying, *(sign for sign, _ in signs)]
        yield [FadeOut(part, run_time=0.5) for part in gone] + [
            square.slide_to(room, words=True, run_time=1.2)
            for square, room in zip(self.squares, self.ways.heads, strict=True)
        ]

    @beat("Softmax turns the scores of every row into shares.")
    def look(self) -> Steps:
        shares: dict[str, Any] = {"low": 0.0, "high": 1.0, "spec": SHARES}
        yield 0.3 * self.reading
        yield [
            square.to(self["first.patterns"][k], run_time=0.5 * self.reading, **shares)
            for k, square in enumerate(self.squares)
        ]

    @beat(_answer, ask=_ask, when=lambda block: block.n_heads > 1)
    def compare(self) -> Steps:
        """The rows of a token in all heads, side by side and shaded by how they differ."""
        m, n = self.values.differ_most_at.tolist()
        self.frames = [square.frame_row(m, "query") for square in self.squares]
        yield [Create(frame, run_time=0.5) for frame in self.frames]
        self.add(self.apart, *self.frames)
        yield [FadeOut(part, run_time=0.4) for part in self._around]
        yield (
            FadeIn(self.whose, run_time=0.8),
            self.apart.fill_rows(run_time=0.8),
            *(f.trace(self.apart.row(k), run_time=0.8) for k, f in enumerate(self.frames)),
        )
        if not self.values.alike:
            cells = [self.apart.cell(k, n) for k in range(len(self.frames))]
            time = 0.2 * self.reading
            yield [f.trace(c, run_time=time) for f, c in zip(self.frames, cells, strict=True)]

    @beat(
        "Other columns of the weights make other scores, so other shares.",
        when=lambda block: not block.alike,
    )
    def why(self) -> Steps:
        look: dict[str, Any] = self.span | {"spec": NUMBERS}
        yield self.apart.to(self["scores_apart"], run_time=0.4 * self.reading, **look)

    @property
    def _around(self) -> list[VMobject]:
        """What makes room for the rows that are compared."""
        return [self.grounds, self.lanes.signs[2], *self.lanes.values, *self.squares]

    @beat("By its shares, each head mixes the values of its lane: row times column.")
    def blend(self) -> Steps:
        lanes, signs, ways, time = self.lanes, self.lanes.signs, self.ways, 0.65 * self.reading
        sign, up = signs[2], signs[1].get_center()
        if self.values.n_heads > 1:
            gone = self.apart, self.whose, *self.frames
            yield [FadeOut(part, run_time=0.4) for part in gone]
            self.add(self.grounds)
            yield [FadeIn(part, run_time=0.6) for part in self._around]
        yield (
            *(
                square.slide_cells_to(room, words=False, run_time=1.0)
                for square, room in zip(self.squares, ways.tops, strict=True)
            ),
            *(
                values.slide_cells_to(room, run_time=1.0)
                for values, room in zip(lanes.values, ways.keys, strict=True)
            ),
            fly(sign, up, run_time=1.0),
            FadeIn(self.pattern_sign, run_time=1.0),
        )
        roles: tuple[Role, Role, Role] = ("attention", "value", "value")
        self.products = [
            Product(*three, roles=roles)
            for three in zip(self.squares, lanes.values, self.mixed, strict=True)
        ]
        for product in self.products:
            product.add(product.out, product.frames)
        self.add(*self.products)
        yield *(product.fill(run_time=time) for product in self.products), FadeIn(self.blended)
        yield [product.let_go(run_time=0.4) for product in self.products]

    @beat(CAPTION)
    def end(self) -> Steps:
        signs = self.lanes.signs[2], self.pattern_sign
        self.remove(*self.products)
        self.add(*self.squares, *self.lanes.values, *self.blends)
        frames = [CellFrame(square.lattice.region, "attention") for square in self.squares]
        time = 0.3 * self.reading
        yield [Create(frame, run_time=0.7) for frame in frames]
        yield [
            frame.trace(blend.lattice.region, run_time=time)
            for frame, blend in zip(frames, self.mixed, strict=True)
        ]
        yield (
            *(FadeOut(gone, run_time=0.6) for gone in (*frames, *self.lanes.values, *signs)),
            *(
                square.slide_to(room, words=True, run_time=1.0)
                for square, room in zip(self.squares, self.ways.heads, strict=True)
            ),
        )
        self.remove(*self.squares, *self.blends)
        self.patterns = VGroup(*self.squares)
        self.add(self.patterns, self.blends)
