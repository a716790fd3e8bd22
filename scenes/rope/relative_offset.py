"""A query and a key dragged along together keep their score; the key alone changes it."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from manim import Animation, Circle, Create, FadeIn, FadeOut, VGroup, smooth
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

_WHIRL = 7
"""Over as many positions the fastest hand goes round, and more."""
_MOST = 8
"""As many hands are shown."""


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
        self.query = Hands(self["pair.near.rotated_query_pairs"], dials, "query", unit=unit)
        self.key_hands = Hands(self["pair.near.rotated_key_pairs"], dials, "key", unit=unit)
        self.dials = VGroup(dials, self.query)
        self.query.set_z_index(2)
        self.key_hands.set_z_index(3)
        angles = self["pair.near.pair_angles"]
        self.wedges = Wedges(angles, dials, self.query, end=self.key_hands, out=0.42)
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
        lambda v: (
            f"We drag both words {{distance}} {'along' if v.pair.shift > 0 else 'back'}: "
            "what will the score be?"
        )
    )
    def offset(self) -> Steps:
        """The offset as a number."""
        yield self._write_offset("pair.offset", 1.2)
        yield self.formula.pulse("offset")

    @beat(_drag)
    def drag(self) -> Steps:
        """One unbroken drag: the line runs past below, and every wedge is rigid."""
        yield self._drag(max(5.5, self.reading))

    @beat(_key_only)
    def key_only(self) -> Steps:
        """The key's first steps alone."""
        yield (
            FadeIn(self.before),
            *self._walk(slice(None, self._turning + 1), "stray", self.reading),
        )
        yield self._write_offset("pair.stray_offset")

    @beat(_walk_on)
    def walk_on(self) -> Steps:
        """The rest of its steps."""
        yield self._walk(slice(self._turning, None), "stray_far", self.reading)
        yield self._write_offset("pair.stray_far_offset")

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
        """The key comes back, and both go where they came from."""
        yield (
            *self._walk(slice(None, None, -1), "far", 1.4),
            self._write_offset("pair.far_offset", 1.4),
            FadeOut(self.before),
        )
        yield self._drag(self.reading - 2, back=True)

    @property
    def _turning(self) -> int:
        """The step of its way at which the key stops for a while."""
        return STEPS * self.values.pair.stray

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

    def _walk(self, steps: slice, end: str, run_time: float) -> list[Animation]:
        """The key alone on some steps of its way."""
        options: dict[str, Any] = {"run_time": run_time, "rate_func": smooth}
        n = self[f"pair.{end}_n"]
        return [
            self.bracket.to(n, run_time=run_time),
            self.offset_number.to(self[f"pair.{end}_offset"], run_time=run_time),
            self._slide(self.partner, n, self.line.window, run_time),
            self.key_hands.through(self["walk.key_pairs"][steps], **options),
            self.wedges.through(self["walk.pair_angles"][steps], **options),
            *self._sum_up("walk", steps, run_time),
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

    def _write_offset(self, path: str, run_time: float = 0.6) -> Animation:
        """The index of the rotation as the number that it is."""
        form = self.grid.write(self._form("{offset:d}", offset=self[path]), self._end)
        return self.formula.become(form, run_time=run_time)
