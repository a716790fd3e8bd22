"""A query and a key dragged along together keep their score; the key alone changes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from manim import (
    Animation,
    Circle,
    Create,
    FadeIn,
    FadeOut,
    VGroup,
    linear,
    smooth,
    squish_rate_func,
)
from pydantic import Field

from model.arrays import Floats
from model.dragged_pair import DraggedPair
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers
from scenes.parts.dial_turns import Wedges
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.parts.ruler_marks import Mark
from scenes.parts.strip import Strip
from scenes.rope.film_grid import FilmGrid
from scenes.rope.inputs import WordInputs, part_of
from scenes.rope.ways import STEPS, Dragged
from scenes.stage import CAPTION, Claim, Derived, Stage, Steps, Value, beat
from scenes.style.type import FORMULA

_WHIRL = 19
"""Over as many positions the fastest hand goes round three times, and more."""
_MOST = 8
"""As many hands are shown."""
_STRIDE = squish_rate_func(smooth, 0.2, 0.8)
"""A step to the next position: it sets out from rest and comes to rest."""
_SWITCH = squish_rate_func(linear, 0.4, 0.6)
"""Numbers change half way, from those of one position to those of the next."""
_LEAST_STEP = 0.22
"""Seconds from one position to the next on the way back."""


def _positions(count: int) -> str:
    return f"{abs(count)} position{'' if abs(count) == 1 else 's'}"


def _n_hands(values: Dragged) -> int:
    return len(values.words.frequencies)


def _n_shown(values: Dragged) -> int:
    return min(_MOST, _n_hands(values))


def _drag(values: Dragged) -> str:
    how = "whirl" if values.pair.distance >= _WHIRL else "turn"
    return f"The hands {how}, but the angle between them stays, and so does the score."


def _key_only(values: Dragged) -> str:
    if values.pair.stray_looks_alike:
        return "Now move the key alone: the angles change, though the score hardly does."
    return "Now move the key alone: the angles change, and with them the score."


def _walk_on(values: Dragged) -> str:
    if values.pair.stray_looks_alike:
        return "And if it walks on: what will the score be?"
    return "And if it walks on: can the score ever come back?"


def _by_the_fast_hand(values: Dragged) -> bool:
    return values.pair.is_back and values.pair.fast_pair_comes_round


def _back(values: Dragged) -> str:
    if values.pair.stray_looks_alike and values.pair.is_back:
        return "About what it was before: the hands agree as well, or as little."
    if values.pair.stray_looks_alike:
        return "Another one: what counts is where the hands are to each other."
    if _by_the_fast_hand(values):
        return "It can: the fast hand has come round, and the score is about what it was."
    if values.pair.is_back:
        return "It can: here the score is about what it was before."
    return "Not here, but it can: hands that go round do come round again."


def _half_way(share: float) -> float:
    return float(share >= 0.5)


class RelativeOffset(Stage):
    """A query and a key dragged along together keep their score; the key alone changes it."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=0, le=9999, description="position of the query")
        n: int = Field(3, ge=0, le=9999, description="position of the key")
        far_m: int = Field(100, ge=0, le=9999, description="position of the query, moved")
        far_n: int = Field(98, ge=0, le=9999, description="position of the key, moved as far")
        stray: int = Field(3, ge=1, le=12, description="how far the key moves alone at first")
        stray_far: int = Field(6, ge=2, le=12, description="how far it has moved alone in the end")

    title = "Only the offset counts"
    question = "Move both words by {distance}: what happens to their score?"
    caption = (
        "Wherever this query and this key stand: "
        "while their offset is {offset}, their score is the same."
    )
    opens = (
        *("dials", "key_hands", "line", "hero", "partner", "formula", "score"),
        *("wedges", "terms"),
    )
    leaves = ("dials", "key_hands", "line")
    claims = (
        Claim(
            "both pairs have the same offset n - m",
            lambda v: v.pair.keeps_offset,
            "{n} - {m} = {offset} and {far_n} - {far_m} = {far_offset}",
        ),
        Claim(
            "the pairs stand at different places",
            lambda v: v.pair.shift != 0,
            "both at m = {m}",
        ),
        Claim(
            "some hand of the query and of the key has a length",
            lambda v: bool((v.pair.near.query_lengths * v.pair.near.key_lengths).max() > 0),
            "all have length 0; try another seed",
        ),
    )
    renamed = {
        "m": "pair.near.pair.m",
        "n": "pair.near.pair.n",
        "far_m": "pair.far_m",
        "far_n": "pair.far_n",
        "offset": "pair.offset",
        "far_offset": "pair.far_offset",
        "score": "pair.near_score",
        "far_score": "pair.far_score",
        "shift": "pair.distance",
    }
    derived = {
        "distance": Derived("how far both move", lambda v: _positions(v.pair.shift)),
        "moved": Derived(
            "how far they move, and where to",
            lambda v: f"{_positions(v.pair.shift)} further {'on' if v.pair.shift > 0 else 'back'}",
        ),
        "n_hands": Derived("number of hands", _n_hands),
        "n_shown": Derived("number of hands shown", _n_shown),
        "hands_shown": Derived(
            "which hands are shown, in words", lambda v: part_of(_n_shown(v), _n_hands(v))
        ),
    }

    inputs: Inputs
    values: Dragged

    @classmethod
    def compute(cls, inputs: Inputs) -> Dragged:
        words = inputs.word_scores()
        near = words.with_word(0, inputs.m, inputs.n)
        moved = DraggedPair(near, inputs.far_m, inputs.far_n, inputs.stray, inputs.stray_far)
        return Dragged(words, moved)

    def layout(self) -> None:
        """The places of the film; the equation ends at a mark before the score."""
        values, words = self.values, self["words.words"]
        self.grid = FilmGrid(self.canvas, _n_hands(values), values.windows[0], apart=values.nearest)
        self.line = self.grid.line
        pair = values.pair.near.pair
        self.hero = self.grid.tile(words[values.words.asks], pair.m, "query")
        self.partner = self.grid.tile(words[0], pair.n, "key", row=self.grid.rows - 1)
        self.mark = Mark(self.line, self["pair.near.pair.m"], "")
        self.bracket = self.line.bracket(
            self["pair.near.pair.n"],
            self.mark,
            self["pair.offset"],
            ".0f",
            prefix="n − m = ",
            rise=self.grid.over_tiles,
        ).stand()
        self.offset_number = cast("Figure", self.bracket.figure)
        self._lay_hands()
        self._lay_formula()

    def _lay_hands(self) -> None:
        dials, unit = self.grid.dials, self.values.words.unit
        self.query = Hands(self["pair.near.query_pairs"], dials, "query", unit=unit)
        key = self["pair.near.key_pairs_by_offset"]
        self.key_hands = Hands(key, dials, "key", unit=unit)
        self.dials = VGroup(dials, self.query)
        self.query.set_z_index(2)
        self.key_hands.set_z_index(4)
        angles = self["pair.near.pair_angles"]
        self.wedges = Wedges(angles, dials, self.query, end=self.key_hands, out=0.42)
        self.wedges.set_z_index(3)  # over the thick hands, which would hide a narrow one
        self.terms = DialNumbers(self["pair.near.terms"], dials, "+.2f")

    def _lay_formula(self) -> None:
        self.score = Figure(self["pair.near_score"], ".2f", size=FORMULA, align="left")
        self.before = Figure(
            self["pair.far_score"], ".2f", align="left", color=self.theme.muted, prefix="before "
        )
        self.formula = self._form("n - m")
        rest = self.score.number.width + 0.5 + self.before.number.width
        self._end = self.grid.band.region.center[0] + (self.formula.most.width - rest) / 2
        self.grid.write(self.formula, self._end)
        base = self.formula.term("equals").anchor[1]
        self.score.put(np.array([self._end + 0.2, base, 0.0]))
        self.before.put(np.array([self.score.number.get_right()[0] + 0.5, base, 0.0]))

    def _form(self, index: str, **values: Value) -> Equation:
        """The score, with an offset in the index."""
        terms = [("query", "query(q)"), ("transpose", "^top"), ("turn", "position(R)")]
        terms += [("offset", f"_position({index})"), ("key", "key(k)"), ("equals", "=")]
        return Equation(terms, values=values)

    # What is told

    @beat(
        "Turn both on by {m}: each is turned by its own position again.",
        when=lambda v: v.pair.near.pair.m > 0,
    )
    def turn_on(self) -> Steps:
        """Both hands turn on as one, to where their own positions put them."""
        near, run_time = "pair.near", max(3.0, self.reading - 0.4)
        by = self[f"{near}.pair.query_phases"].array
        yield (
            self.query.turn_to(self[f"{near}.rotated_query_pairs"], by, run_time=run_time),
            self.key_hands.turn_to(self[f"{near}.rotated_key_pairs"], by, run_time=run_time),
        )

    @beat(_drag)
    def drag(self) -> Steps:
        """One unbroken drag: the line runs past below, and every wedge is rigid."""
        yield self._write_offset(self["pair.offset"], 0.6)
        yield self._drag(max(4.3, self.reading - 0.6))

    @beat(_key_only)
    def key_only(self) -> Steps:
        """The key's first steps alone."""
        yield FadeIn(self.before, run_time=0.6)
        yield from self._walk(0, self.values.pair.stray, self.reading - 1)

    @beat(ask=_walk_on)
    def walk_on(self) -> Steps:
        """The rest of its steps; what came of it is said where it arrives."""
        pair = self.values.pair
        yield from self._walk(pair.stray, pair.stray_far, 0.6 * self.reading)

    @beat(_back)
    def back(self) -> Steps:
        """A ring round the hand that did it, if it was the fast one."""
        if not _by_the_fast_hand(self.values):
            yield self.formula.pulse("offset")
            return
        dials = self.grid.dials
        ring = Circle(1.06 * dials.radius, color=self.theme.attention, stroke_width=4)
        ring.move_to(dials.centers[0, 0])
        yield Create(ring, run_time=0.8)
        yield 1.5
        yield FadeOut(ring, run_time=0.6)

    @beat(CAPTION)
    def anywhere(self) -> Steps:
        """The key comes back, and both go where they came from; the score is left."""
        yield FadeOut(self.before, run_time=0.4)
        steps = self.values.pair.stray_far
        yield from self._walk(steps, 0, _LEAST_STEP * steps, linear)
        yield self._drag(max(2.5, self.reading - 3.5), back=True)
        yield FadeOut(self.wedges, self.terms, run_time=0.6), self.bracket.vanish(run_time=0.6)

    def _drag(self, run_time: float, *, back: bool = False) -> list[Animation]:
        """Both words, and all hands, to the far places; the line runs past under the tiles."""
        window, place = self.values.windows[not back], "pair.near" if back else "pair.far"
        turn = -self.values.turn if back else self.values.turn
        m, n = self[f"{place}.pair.m"], self[f"{place}.pair.n"]
        return [
            self.line.zoom(window, run_time=run_time),
            self.mark.to(m, run_time=run_time),
            self.bracket.to(n, run_time=run_time),
            self._slide(self.hero, m, window, run_time),
            self._slide(self.partner, n, window, run_time),
            self.query.turn_to(self[f"{place}.rotated_query_pairs"], turn, run_time=run_time),
            self.key_hands.turn_to(self[f"{place}.rotated_key_pairs"], turn, run_time=run_time),
            *self._sum_up("drag", slice(None, None, -1 if back else 1), run_time),
        ]

    def _walk(
        self, start: int, end: int, run_time: float, gait: Callable[[float], float] = _STRIDE
    ) -> Steps:
        """The key alone from one position of its way to another, position by position."""
        way = 1 if start < end else -1
        for step in range(start, end, way):
            yield self._step(step, step + way, run_time / abs(end - start), gait)

    def _step(
        self, start: int, end: int, run_time: float, gait: Callable[[float], float]
    ) -> list[Animation]:
        """The key to the next position; half way all numbers become those of that position."""
        moved: dict[str, Any] = {"run_time": run_time, "rate_func": gait}
        count: dict[str, Any] = {"run_time": run_time, "rate_func": _half_way}
        back, at = slice(None, None, 1 if start < end else -1), STEPS * end
        steps = slice(STEPS * min(start, end), STEPS * max(start, end) + 1)
        n, offset = self["walk.key_positions"][at], self["offsets"][end]
        return [
            self.bracket.to(n, **moved),
            self._slide(self.partner, n, self.line.window, run_time).set_rate_func(gait),
            self.key_hands.through(self["walk.key_pairs"][steps][back], **moved),
            self.wedges.through(self["walk.pair_angles"][steps][back], **moved),
            self.terms.to(self["walk.terms"][at], **count),
            self.score.to(self["walk.scores"][at], **count),
            self.offset_number.to(offset, **count),
            self._write_offset(offset, run_time).set_rate_func(_SWITCH),
        ]

    def _sum_up(self, way: str, steps: slice, run_time: float) -> list[Animation]:
        """What the dials add to the score, and the score, at every moment."""
        options: dict[str, Any] = {"run_time": run_time, "rate_func": smooth}
        return [
            self.terms.through(self[f"{way}.terms"][steps], **options),
            self.score.through(self[f"{way}.scores"][steps], **options),
        ]

    def _slide(self, tile: Strip, position: Value, window: Floats, run_time: float) -> Animation:
        """A tile to where a position will be once the line shows a window."""
        left, right = (self.line.x(end) for end in self.line.window)
        share = (position.content - window[0]) / (window[1] - window[0])
        goal = left + (right - left) * share
        goal[1] = tile.middle(0)[1]
        state = tile.tiles[0].state
        return tile.slide_to([goal], box=(state[2], state[3]), run_time=run_time)

    def _write_offset(self, offset: Value, run_time: float) -> Animation:
        """The index of the rotation as the number that it is."""
        form = self.grid.write(self._form("{offset:d}", offset=offset), self._end)
        return self.formula.become(form, run_time=run_time)
