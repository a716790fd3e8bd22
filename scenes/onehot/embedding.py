"""One-hot embedding: each token becomes a row of zeros with two ones, token and position."""

from __future__ import annotations

import numpy as np
from manim import DL, UR, Create

from clockhead.model.induction.onehot_layers import OneHotLayers
from clockhead.model.induction.prompts import SPACE_TOKEN
from clockhead.scenes.onehot.letters import LetterStage, quote_token
from clockhead.scenes.onehot.page import POSITION, TOKEN, row_blocks
from clockhead.scenes.onehot.widths import Width
from clockhead.scenes.parts.block_moves import send_cells, unfold_rows
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import leave, paint
from clockhead.scenes.parts.strip_typing import answer
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, Column, Derived, Steps, beat, fit
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import FadeIn, FadeOut

NAME = "An induction circuit in zeros and ones"
_LETTERS, _TALL = 38.0, 72.0
"""Letter sizes on tiles, in pixels: on a wide canvas, and on a tall one."""
_FEW = 3
"""Largest number of tokens that a sentence lists."""


def _token_kind(head: OneHotLayers) -> str:
    token = "one character" if SPACE_TOKEN in head.tokens else "a letter"
    return f"A token is {token} here."


def _last_followers(head: OneHotLayers) -> str:
    after, kind = head.text.followed_by, _token_kind(head)
    if not after:
        return f"{quote_token(head.text.query_token)} is new here. {kind}"
    if len(after) > _FEW:
        return f"{len(after)} different tokens came after it before. {kind}"
    if len(after) == 1:
        return f"{quote_token(after[0])} came after it before. {kind}"
    each = "both" if len(after) == 2 else "each"
    return f"{listed(map(quote_token, after), 'or')}: {each} came after it before. {kind}"


def _half_width(head: OneHotLayers) -> str:
    n, room = head.n_absent, "room for {n_vocab} tokens and {n_tokens} positions."
    empty = ""
    if n == 1:
        empty = f" {quote_token(head.absent[0])} does not occur."
    elif n:
        names = listed(map(quote_token, head.absent)) if n <= _FEW else f"{n} of the tokens"
        empty = f" {names} do not occur."
    return f"Both halves are $h$ = {{weights.half}} wide: {room}{empty}"


def _repeated_token(head: OneHotLayers) -> str:
    if not head.has_repeated:
        return "Every row says two things: which token, and where."
    i, j = head.repeated
    return f"Rows {i} and {j} both say {quote_token(head.tokens[i])}, each at its own position."


class Embedding(LetterStage):
    """One-hot embedding: each token becomes a row of zeros with two ones, token and position."""

    title = "Zeros and ones"
    question = "Can a whole head be written down by hand?"
    caption = "{found}"
    opens = ("tiles",)
    leaves = ("tiles", "rows")
    derived = {
        **LetterStage.derived,
        "found": Derived("what rows have in common, in a sentence", _repeated_token),
    }

    def layout(self) -> None:
        head, canvas = self.values, self.canvas
        self.n, self.h = head.n_tokens, head.weights.half
        size = _LETTERS if canvas.wide else _TALL
        self.tiles = Strip(self["tokens"], wonder=True, positions=True, hidden=0, size=size)
        self.tiles.place(canvas)
        self.rows = row_blocks(self, "resid_tokens", self.tiles)
        _, room = canvas.cut_bottom(0.62, gap=0.0)
        self.rows.place(room)
        self.widths = [
            Width(self["weights.half"], self.rows.part(block.name), self.h, block.role)
            for block in self.rows.across
        ]
        self.rows.hide()
        self.card = TitleCard(NAME, role="value")
        self.raised = Strip(self["tokens"], wonder=True, positions=True, hidden=0, size=size)
        fit(canvas, Column(self.raised, self.card))

    @beat(_last_followers, ask="What comes after {query}?")
    def ask(self) -> Steps:
        text, tiles = self.values.text, self.tiles
        yield paint(tiles, self.n - 1, "query"), paint(tiles, text.followers.tolist(), "correct")
        if len(text.followed_by) == 1:
            place = int(text.followers[-1])
            yield answer(tiles, self["tokens"][place], tiles.middle(place), run_time=1.2)
        places = np.array([self.raised.middle(k) for k in range(self.n + 1)])
        box = self.raised.tiles[0].box
        raised = slide_to(tiles, places, (box.width, box.height), run_time=1.2)
        yield raised, self.card.appear(run_time=1.2)

    @beat()
    def name(self) -> Steps:
        plain = paint(self.tiles, range(self.n), None)
        yield FadeOut(self.card, run_time=0.8), plain, leave(self.tiles, self.n)

    @beat("A token is a row of the residual stream: in its first half, a 1 under its name.")
    def token(self) -> Steps:
        yield unfold_rows(self.rows, TOKEN, run_time=self.reading)

    @beat("In its second half, a 1 under its position.")
    def position(self) -> Steps:
        rides = [(self._number_place(i), (i, POSITION, i)) for i in range(self.n)]
        yield send_cells(
            self.rows, rides, "position", to=self["resid_pre"], across_first=True, run_time=3.0
        )

    @beat(_half_width)
    def width(self) -> Steps:
        head, time = self.values, 0.25 * self.reading
        yield [FadeIn(width, run_time=time) for width in self.widths]
        empty = [head.vocabulary.tokens.index(token) for token in head.absent]
        frames = [self.rows.frame(None, TOKEN, j, "residual") for j in empty]
        if frames:
            yield [Create(frame, run_time=time) for frame in frames]
        yield 0.3 * self.reading
        yield [FadeOut(part) for part in (*frames, *self.widths)]

    @beat(CAPTION)
    def same(self) -> Steps:
        i, j = self.values.repeated
        rows = range(self.n) if i == j else (i, j)
        frames = [CellFrame(self.rows.row(k)) for k in rows]
        yield [Create(frame, run_time=1.6) for frame in frames]
        yield [FadeOut(frame) for frame in frames]

    def _number_place(self, i: int) -> Region:
        """The region of the position number beside tile i."""
        number = self.tiles.tiles[i].number
        assert number is not None
        (left, bottom), (right, top) = number.get_corner(DL)[:2], number.get_corner(UR)[:2]
        return Region(float(left), float(bottom), float(right), float(top))
