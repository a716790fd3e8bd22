"""A score is the sum of the heights of the clock hands; only at the target do all point up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from manim import DashedLine, VGroup

from clockhead.model.previous_token.score_row import ScoreRow
from clockhead.model.tokens import token_name
from clockhead.scenes.parts.dial import Dials
from clockhead.scenes.parts.dial_hands import Hands
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.table import Table, room_beside
from clockhead.scenes.previous_token.heights import Heights
from clockhead.scenes.previous_token.inputs import AskingInputs
from clockhead.scenes.previous_token.piles import Piles
from clockhead.scenes.spelling import said
from clockhead.scenes.stage import (
    CAPTION,
    Claim,
    Column,
    Derived,
    FadeIn,
    FadeOut,
    Handle,
    Room,
    Size,
    Stage,
    Steps,
    beat,
    together,
)
from clockhead.scenes.stage.rhythm import REST
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import recolor
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import LABEL, LINE_HEIGHT

_LARGEST = 2.3
"""Largest radius of the single clock, in units."""
_ASIDE = 0.45
"""Distance from its rim to the number of a height, in units."""
_NUMBER = 44.0
"""Letter size of that number, in pixels."""
_NAME = 30.0
"""Letter size of the names of query and key, in pixels."""
_BESIDE = 1.9
"""Width of that number with the line to it, in units."""
_OTHERS = 6.0
"""Seconds for all other keys together."""


def _hand_count(row: ScoreRow) -> str:
    if row.head.n_pairs == 1:
        return "The query has one hand here, so this height is the whole score."
    return "The query has {head.n_pairs} hands, and each of them adds its height."


def _stack_sentence(row: ScoreRow) -> str:
    first = row.walk[0]
    if (row.slivers[first] >= 0).all():
        return "Stack them. The height of the stack is the score of {first_named}."
    if row.visible_sums[first] < 0:
        return "Stack them. Here more is taken away than added, so the score is negative."
    return "Stack them. Negative heights hang below zero, and bring the stack down."


class ScoreAsClockSum(Stage[ScoreRow]):
    """A score is the sum of the heights of the clock hands; only at the target do all point up."""

    class Inputs(AskingInputs):
        """A query position."""

    title = "A score is a stack of clock hands"
    caption = (
        "Only for the word right before do all hands point up at once. So its stack is the highest."
    )
    opens = ("tiles", "clock")
    leaves = ("tiles", "axes", "stacks")
    claims = (
        Claim(
            "the token before the query has a larger score than any other visible key",
            lambda row: row.stands_out,
            "{runner_up_named} has {runner_up:.6g}, the target {target_sum:.6g}",
        ),
    )
    derived = {
        "first_named": Derived(
            "the first key besides the target, in quotes, with its position if repeated",
            lambda row: token_name(row.tokens, int(row.walk[0])),
        )
    }

    handles = (
        Handle("d_head", "2,4,8,16,32,64,128"),
        Handle("base", "1,3,10,30,100,1000,10000,100000,1000000"),
    )

    @classmethod
    def compute(cls, inputs: Inputs) -> ScoreRow:
        return inputs.row

    def layout(self) -> None:
        row = self.values
        self.first, *self.others = map(int, row.walk)
        table = Table(self["head.scores"], self["tokens"])
        side, cells = room_beside(self.canvas, table), table.lattice.region
        self.tiles = table.tiles
        for label, ink in zip(self.tiles.labels, self._word_colors(self.first), strict=True):
            label.set_fill(ink)
        self.piles = Piles(self, row, cells, grown=False)
        self.stacks, self.axes = self.piles.stacks, VGroup(self.piles.chart)
        self._lay_dials(side)
        self._lay_clock(side, cells)

    def _lay_dials(self, side: Region) -> None:
        """Lay out a dial for each hand, or, if there are too many, for each group of hands."""
        row, target = self.values, self.values.target
        self.faces = Dials(row.head.n_pairs, labels=None, chosen=row.group_starts, largest=0.75)
        self.note, counts = VGroup(), list[Figure]()
        line = Room(Size(0.0, 0.0))
        if row.n_groups < row.head.n_pairs:
            words = self.say_of("{head.n_pairs} hands,")
            count = Figure(
                self["n_groups"],
                "d",
                weight="regular",
                color="muted",
                prefix=f"{words} ",
                suffix=f" {said('groups')}",
            )
            line = Room(Size(0.0, LABEL * LINE_HEIGHT * PX))
            counts.append(count)
            self.note.add(count)
        Column(self.faces, line, gap=0.12, weights=(1, 0)).place(side)
        for figure in counts:
            figure.place(line.region)
        self.keys = Hands(self["phases"][self.first], self.faces, "key", angles=True)
        self.heights = Heights(self["cosines"], self.keys, filled=True)
        self.queries = Hands(self["phases"][target], self.faces, "query", angles=True)
        self.dials = VGroup(self.faces, self.heights, self.queries, self.keys)

    def _lay_clock(self, side: Region, cells: Region) -> None:
        """Lay out a large clock with the first hand, in place of the stacks or wider."""
        row, at, line = self.values, side.point(0.0, 0.0), np.array([0.0, 1.4 * _NAME * PX, 0.0])
        left = side.left + _BESIDE if side.right < cells.left else cells.left
        page = replace(cells, left=left, right=cells.right - _BESIDE)
        self.face = Dials(row.head.n_pairs, labels=None, chosen=[0], largest=_LARGEST)
        self.face.place(page)
        self.query = Hands(self["query_phases"][row.m], self.face, "query", angles=True)
        self.key = Hands(self["key_phases"][self.first], self.face, "key", angles=True)
        self.height = Heights(self["cosines"], self.key, filled=True)
        query = Label(self.say_of("query of {query_named}"), size=_NAME, color="query")
        key = Label(self.say_of("key of {first_named}"), size=_NAME, color="key")
        self.names = VGroup(query.put(at + 1.3 * line), key.put(at + 0.3 * line))
        self.clock = VGroup(self.face, self.height, self.query, self.key, self.names)

    @beat("How well does a key fit? Turn the clock until the query points straight up.", rest=REST)
    def hold(self) -> Steps:
        phases = self["phases"]
        query = self.query.to(phases[self.values.target])
        yield 0.8 * together(query, self.key.to(phases[self.first]))

    @beat(
        "The dot product of two hands is the height of the tip. Below the middle, it is negative.",
        rest=REST,
    )
    def height_(self) -> Steps:
        yield self.height.grow(run_time=1.6)
        tip, color = self.key.tip(0), self.theme.position
        cosine = self["cosines"][self.first, 0]
        if float(cosine.array) < 0:
            color = self.theme.wrong
        x = float(self.face.centers[0, 0, 0]) + self.face.radius + _ASIDE
        end = np.array([x, tip[1], 0.0])
        line = DashedLine(tip, end, stroke_color=color, stroke_width=3, dash_length=0.1)
        number = Figure(cosine, ".2f", size=_NUMBER, color=color, align="left")
        number.put(end + np.array([0.15, -0.33 * _NUMBER * PX, 0.0]))
        self.level = VGroup(line, number)
        yield FadeIn(self.level)

    @beat(_hand_count, focus="dials")
    def all_hands(self) -> Steps:
        yield FadeOut(self.level, self.names, run_time=0.5)
        yield self.face.go_to(self.faces.centers[0, :1], self.faces.radius, run_time=1.4)
        yield FadeIn(self.dials, self.note, run_time=1.0)
        yield self.heights.grow(run_time=1.4), FadeIn(self.axes)
        self.remove(self.clock)

    @beat(_stack_sentence, rest=REST)
    def pile(self) -> Steps:
        yield self.stacks.fly(self.first, self.heights.middles, run_time=3.2)
        yield 0.6
        yield self.stacks.sink(self.first, run_time=1.6)

    @beat("Now {target_named}, right before it. Here every hand points straight up.", rest=REST)
    def target_(self) -> Steps:
        yield from self._compare_with(self.values.target, 2.0, 2.6)

    @beat("Then come the other words.", when=lambda row: len(row.walk) > 1)
    def rest(self) -> Steps:
        for n in self.others:
            seconds = _OTHERS / len(self.others)
            yield from self._compare_with(n, 0.45 * seconds, 0.4 * seconds)

    @beat(CAPTION)
    def top(self) -> Steps:
        target, second = self.values.target, self.values.runner_up_position
        yield self.keys.to(self["phases"][second], run_time=1.4), *self._highlight(second)
        yield 1.0
        turn = self.keys.to(self["phases"][target], run_time=1.4)
        yield turn, *self._highlight(target)

    def _compare_with(self, n: int, turning: float, flying: float) -> Steps:
        """Compare the query with key n, highlight its word, and stack the heights of the hands."""
        yield self.keys.to(self["phases"][n], run_time=turning), *self._highlight(n)
        yield self.stacks.fly(n, self.heights.middles, lag=0.1, run_time=flying)
        if (self.values.slivers[n] < 0).any():
            yield self.stacks.sink(n, run_time=0.4)

    def _highlight(self, n: int) -> list[object]:
        """Highlight only the word of key n."""
        inks = zip(self.tiles.labels, self._word_colors(n), strict=True)
        return [recolor(label, ink, run_time=0.4) for label, ink in inks]

    def _word_colors(self, n: int) -> list[str]:
        """Colours of the words: the query, key n, other visible keys, and masked ones."""
        look, row = self.theme, self.values
        inks = [look.token if seen else look.muted for seen in row.visible]
        inks[row.m] = look.query
        inks[n] = look.key
        return inks
