"""Each head works alone in its lane: patterns from the same rows, and the head outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, VGroup

from clockhead.model.films.transformer_block.patterns import PatternedBlock, patterned_block
from clockhead.model.tokens import token_name
from clockhead.scenes.facts import format_share
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.matrix_moves import MatrixSlide, slide_cells, slide_matrix, turn_into
from clockhead.scenes.parts.product import Product
from clockhead.scenes.stage import CAPTION, Derived, Handle, Steps, beat, together
from clockhead.scenes.style.motion import FadeIn, FadeOut, fly
from clockhead.scenes.style.text import Formula
from clockhead.scenes.style.theme import Role
from clockhead.scenes.transformer_block.heads import (
    HeadLanes,
    LanePlaces,
    blends_of,
    lane_matrix,
    pattern_of,
)
from clockhead.scenes.transformer_block.inputs import BlockStage
from clockhead.scenes.transformer_block.page import NUMBERS, SHARES, TapePage

_SIGN, _SIGN_A = 24.0, 30.0
_SPAN = 1e-6
"""Minimum range of the colour scale of the scores."""


def _looked_at(block: PatternedBlock) -> str:
    m, n = block.differ_most_at.tolist()
    return "itself" if m == n else token_name(block.tokens, n)


def _weights_there(block: PatternedBlock) -> str:
    """The attention weight at that cell in each head, in the order of the lanes."""
    shares = map(format_share, block.shares_there.tolist())
    return ", ".join(f"{share} in head {k}" for k, share in enumerate(shares))


def _comparison_sentence(block: PatternedBlock) -> str:
    if block.heads_differ:
        return "{differing} looks at {asked}: {given}."
    return "Here they do: every share is the same in all heads."


class Patterns(BlockStage[PatternedBlock]):
    """Every head has a pattern of its own, and mixes the values of its lane."""

    title = "Each head looks for itself"
    question = "Where does each token look, in each head?"
    caption = "Each head has its own pattern, and blends the values of its own lane."
    crosses = {"score": "a table is laid on its side, and its numbers pass each other"}
    opens = ("x", "lanes")
    leaves = ("x", "grounds", "patterns", "blends")
    derived = BlockStage.derived | {
        "differing": Derived(
            "the token in whose row heads differ most",
            lambda block: token_name(block.tokens, int(block.differ_most_at[0])),
        ),
        "asked": Derived("the token at which they differ most", _looked_at),
        "given": Derived("the weight of each head there", _weights_there),
    }

    handles = (Handle("n_heads", "1:3"),)

    compute = patterned_block

    def layout(self) -> None:
        page, block = TapePage(self), self.values
        self.x = page.tape("resid_pre")
        self.ways = LanePlaces(page.rest, block.n_heads, block.n_tokens, block.d_head)
        self.lanes = HeadLanes(self, self.ways).place()
        self.corners = [self.ways.corner(k) for k in range(block.n_heads)]
        self.lying: list[Matrix] = []
        self.squares: list[Matrix] = []
        scores = self["first.scores"].array[:, *np.tril_indices(block.n_tokens)]
        span = {"low": float(scores.min()), "high": float(scores.max()) + _SPAN}
        for k, (_, asked, square) in enumerate(self.corners):
            self.lying.append(lane_matrix(self, "keys", "key", k, lying=True))
            self.lying[k].place_cells(asked)
            self.squares.append(pattern_of(self, k, self.ways.heads[k]))
            self.squares[k].place_cells(square)
            self.squares[k].set_to(self["first.scores"][k])
            self.squares[k].rescale(**span, spec=NUMBERS)
            self.squares[k].empty().words_to(0.0)
        self.grounds = VGroup(self.lanes.panels, self.lanes.names)
        self.patterns = VGroup(*self.squares)
        self.blends = blends_of(self, self.ways)
        self.mixed = [blend.empty() for blend in self.blends if isinstance(blend, Matrix)]
        names, signs = self.lanes.names, self.lanes.signs
        names.watch(self["first.scores"], self.squares)
        names.watch(self["first.patterns"], self.squares)
        names.watch(self["first.z"], self.mixed)
        self.blended = Formula("attention(A) value(V)", size=_SIGN).move_to(signs[2])
        self.pattern_sign = Formula("attention(A)", size=_SIGN_A).move_to(signs[0])

    @beat("In each lane, queries times keys, divided by √{d_head}, are the scores of its head.")
    def score(self) -> Steps:
        lanes, n, time = self.lanes, self.values.n_tokens, 0.25 * self.reading
        self.remove(lanes)
        self.add(self.grounds, lanes.signs[2], *lanes.queries, *lanes.keys, *lanes.values)
        moves: list[Any] = [FadeOut(*lanes.signs[:2])]
        for k, (asking, _, _) in enumerate(self.corners):
            moves += [slide_cells(lanes.queries[k], asking)]
            moves += turn_into(lanes.keys[k], self.lying[k])
        yield together(moves, run_time=time)
        self.remove(*lanes.keys)
        self.add(*self.lying, *self.squares)
        frames = [CellFrame(queries.row(0), "query") for queries in lanes.queries]
        yield together(*map(Create, frames), run_time=0.3)
        moves.clear()
        for frame, queries, square in zip(frames, lanes.queries, self.squares, strict=True):
            moves += [frame.trace(*(queries.row(m) for m in range(1, n)))]
            moves += [square.fill_rows(labels=False)]
        yield together(moves, run_time=time)
        gone = FadeOut(*frames, *lanes.queries, *self.lying, run_time=0.5)
        yield gone, self._slide_to_rooms(run_time=1.2)

    def _slide_to_rooms(self, run_time: float) -> list[MatrixSlide]:
        """Slide the patterns to their final places, with their names."""
        pairs = zip(self.squares, self.ways.heads, strict=True)
        return [slide_matrix(*pair, words=True, run_time=run_time) for pair in pairs]

    @beat("A mask hides later tokens. Softmax turns the scores left in each row into shares.")
    def look(self) -> Steps:
        patterns = self["first.patterns"]
        yield 0.6 * together(
            [
                square.to(patterns[k], low=0.0, high=1.0, spec=SHARES)
                for k, square in enumerate(self.squares)
            ]
        )

    @beat(
        _comparison_sentence,
        ask="Do all heads look the same way?",
        when=lambda block: block.n_heads > 1,
    )
    def compare(self) -> Steps:
        """Frame the row in which heads differ most, then the cell."""
        m, n = self.values.differ_most_at.tolist()
        frames = [square.frame_row(m, "query") for square in self.squares]
        cells = [square.cell(m, n) for square in self.squares]
        yield together(*map(Create, frames), run_time=0.5)
        yield 0.4 * together([one.trace(cell) for one, cell in zip(frames, cells, strict=True)])
        yield 0.4 * self.reading
        yield FadeOut(*frames, run_time=0.4)

    @beat("By its shares, each head mixes the values of its lane: row times column.")
    def blend(self) -> Steps:
        lanes, ways = self.lanes, self.ways
        _, up, sign = lanes.signs
        yield together(
            [
                slide_cells(part, room, words=False)
                for parts, rooms in ((self.squares, ways.tops), (lanes.values, ways.keys))
                for part, room in zip(parts, rooms, strict=True)
            ],
            fly(sign, up.get_center()),
            FadeIn(self.pattern_sign),
            run_time=1.0,
        )
        roles: tuple[Role, Role, Role] = ("attention", "value", "value")
        self.products = [
            Product(*three, roles=roles)
            for three in zip(self.squares, lanes.values, self.mixed, strict=True)
        ]
        for product in self.products:
            product.add(product.out, product.frames)
        self.add(*self.products)
        time = 0.65 * self.reading
        yield *(product.fill(run_time=time) for product in self.products), FadeIn(self.blended)
        yield [product.let_go(run_time=0.4) for product in self.products]

    @beat(CAPTION)
    def end(self) -> Steps:
        self.remove(*self.products)
        self.add(*self.squares, *self.lanes.values, *self.blends)
        frames = [CellFrame(square.lattice.region, "attention") for square in self.squares]
        ends = [blend.lattice.region for blend in self.mixed]
        yield together(*map(Create, frames), run_time=0.7)
        yield 0.3 * together([one.trace(end) for one, end in zip(frames, ends, strict=True)])
        gone = (*frames, *self.lanes.values, self.lanes.signs[2], self.pattern_sign)
        yield FadeOut(*gone, run_time=0.6), self._slide_to_rooms(run_time=1.0)
        self.remove(*self.squares, *self.blends)
        self.add(self.patterns, self.blends)
