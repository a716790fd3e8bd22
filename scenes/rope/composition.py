"""A query's turn is taken over to its key, transposed: of two positions one offset is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, RoundedRectangle, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.position_pair import PositionPair, RotatedDotProduct
from model.word_scores import WordScores
from scenes.parts.dial_hands import Hands
from scenes.parts.dial_numbers import DialNumbers
from scenes.parts.dial_turns import Turns, Wedges
from scenes.parts.equation import Equation
from scenes.parts.figures import Figure
from scenes.rope.film_grid import FilmGrid
from scenes.rope.inputs import WordInputs, part_of
from scenes.stage import CAPTION, Derived, Stage, Steps, beat
from scenes.style.motion import Drive, in_turn

_LINE = (0, 12)
"""The positions that can be asked for."""
_QUERY = [("turn query", "query(R)"), ("m", "_query(m)"), ("query", "query(q)")]
_KEY = [("turn key", "key(R)"), ("n", "_key(n)"), ("key", "key(k)"), ("equals", "=")]
_BOTH = [("open", "\\("), *_QUERY, ("close", "\\)"), ("transpose", "^top"), *_KEY]
_BETWEEN = [_QUERY[2], ("transpose", "^top"), _QUERY[0], ("flip", "^top"), _QUERY[1], *_KEY]
_OFFSET = [("turn", "position(R)"), ("offset", "_position(n - m)")]
_ONE = [*_BETWEEN[:2], *_OFFSET, *_KEY[2:]]
_FUSED = {"turn": ["turn query", "flip", "turn key"], "offset": ["n", "m"]}
_SIZE = 48.0
"""Of the formula and the score, in pixels at 720p."""
_HOP = 0.5
"""How high R_m hops over q, in units."""
_ASIDE = 0.8
"""From how far beside their places the key's terms come in, in units."""


@dataclass(frozen=True)
class Meeting:
    """The asking word's query at one position, and the first word's key at another."""

    words: WordScores
    product: RotatedDotProduct
    unmoved: PositionPair
    """Both at position 0."""
    rest: PositionPair
    """The two positions without the steps that cancel."""


def _steps(count: int) -> str:
    return f"{abs(count)} step{'' if abs(count) == 1 else 's'}"


def _together(values: Meeting) -> str:
    offset = values.product.pair.offset
    if not offset:
        return "no turn at all"
    return f"one turn {'on' if offset > 0 else 'back'} by {_steps(offset)}"


def _n_hands(values: Meeting) -> int:
    return len(values.product.pair.frequencies)


def _n_shown(values: Meeting) -> int:
    return min(8, _n_hands(values))


def _meet(values: Meeting) -> str:
    if values.product.pair.n == 0:
        return "The key of “{partner}” stands at position 0, so it is not turned."
    as_well = " as well," if values.product.pair.m else ""
    return f"The key of “{{partner}}” is turned{as_well} by its own position {{n}}."


def _score(values: Meeting) -> str:
    if _n_hands(values) > _n_shown(values):
        return "Their score sums up how well the two hands agree, over all {n_hands} dials."
    if _n_hands(values) == 1:
        return "Their score says how well the two hands agree."
    return "Their score sums up how well the two hands agree, dial by dial."


def _back(values: Meeting) -> str:
    if values.product.pair.m == 0:
        return "There is nothing to take away: at position 0 the query is not turned."
    return "Yes: turn both hands back together. On the key's side it becomes $R_m^top$."


def _one(values: Meeting) -> str:
    offset = values.product.pair.offset
    if offset < 0:
        return f"Forward by {{n}}, back by {{m}}: together one turn, back by {_steps(offset)}."
    if offset > 0:
        return f"Back by {{m}}, forward by {{n}}: together one turn, forward by {_steps(offset)}."
    return "Back by {m} and forward by {n}: together no turn at all."


class Composition(Stage):
    """A query's turn is taken over to its key, transposed: of two positions one offset is left."""

    class Inputs(WordInputs):
        m: int = Field(5, ge=0, le=_LINE[1], description="position of the query")
        n: int = Field(3, ge=0, le=_LINE[1], description="position of the key")

    title = "Two turns, one offset"
    question = "A query at {m} meets a key at {n}. What is left of their positions?"
    caption = "Of two positions only the offset is left: that is what RoPE is built for."
    opens = ("dials", "line", "hero", "formula")
    leaves = (
        *("dials", "key_hands", "line", "hero", "partner", "formula", "score"),
        *("wedges", "terms"),
    )
    renamed = {
        "m": "product.pair.m",
        "n": "product.pair.n",
        "offset": "product.pair.offset",
        "difference": "product.pair.largest_difference",
    }
    derived = {
        "partner": Derived("word whose key it is", lambda v: v.words.words[0]),
        "n_hands": Derived("number of hands", _n_hands),
        "n_shown": Derived("number of hands shown", _n_shown),
        "hands_shown": Derived(
            "which hands are shown, in words", lambda v: part_of(_n_shown(v), _n_hands(v))
        ),
        "steps_back": Derived("the query's steps", lambda v: _steps(v.product.pair.m)),
        "steps_on": Derived("the key's steps", lambda v: _steps(v.product.pair.n)),
        "together": Derived("both turns, in words", _together),
    }

    inputs: Inputs
    values: Meeting

    @classmethod
    def compute(cls, inputs: Inputs) -> Meeting:
        words = inputs.word_scores()
        product = words.with_word(0, inputs.m, inputs.n)
        unmoved = PositionPair(0, 0, inputs.frequencies)
        return Meeting(words, product, unmoved, product.pair.without_common_steps)

    def layout(self) -> None:
        """Dials with both words' hands and arcs; the equation ends at a mark before the score."""
        pair, words = self.values.product.pair, self["words.words"]
        self.grid = FilmGrid(self.canvas, _n_hands(self.values), _LINE, apart=pair.offset)
        self.line = self.grid.line
        self.hero = self.grid.tile(words[self.values.words.asks], pair.m, "query")
        self.partner = self.grid.tile(words[0], pair.n, "key", row=self.grid.rows - 1)
        n, m, offset = (self[f"product.pair.{name}"] for name in ("n", "m", "offset"))
        self.bracket = self.line.bracket(
            n, m, offset, "d", prefix="n − m = ", rise=self.grid.over_tiles
        )
        self._lay_hands()
        self._lay_formula()
        terms = DialNumbers(self["product.terms"], self.grid.dials, "+.2f")
        self.terms = terms

    def _lay_hands(self) -> None:
        dials, unit = self.grid.dials, self.values.words.unit
        starts = (self["product.query_pairs"], self["product.key_pairs"])
        self.query = Hands(self["product.rotated_query_pairs"], dials, "query", unit=unit)
        self.key_hands = Hands(starts[1], dials, "key", unit=unit)
        self.dials = VGroup(dials, self.query)
        self.query.set_z_index(2)
        self.key_hands.set_z_index(4)
        ghosts = [Hands(start, dials, unit=unit, ghost=True) for start in starts]
        none = self["unmoved.query_phases"]
        self.query_arc = Turns(none, dials, ghosts[0], role="query", out=0.6)
        self.key_arc = Turns(none, dials, ghosts[1], role="key", out=0.76)
        self.back_arc = Turns(none, dials, self.key_arc, role="query", out=0.92)
        self.wedges = Wedges(none, dials, self.query, end=self.key_hands, out=0.42)
        leftover = 0.92 if self.values.product.pair.offset < 0 else 0.76
        phases = self["product.pair.offset_phases"]
        self.one_arc = Turns(phases, dials, ghosts[1], role="position", out=leftover)
        self.ghosts = ghosts
        arcs = (self.query_arc, self.key_arc, self.back_arc, self.one_arc)
        for part in (*ghosts, *arcs):
            part.set_z_index(1)  # over the faces of the next shot too, while they fade
        self.wedges.set_z_index(3)  # over the thick hands, which would hide a narrow one

    def _lay_formula(self) -> None:
        score = self["product.rotated_both"]
        self.score = Figure(score, ".2f", size=_SIZE, align="left")
        forms = [Equation(terms, size=_SIZE) for terms in (_QUERY, _BOTH, _BETWEEN, _ONE)]
        width = max(form.most.width for form in forms)
        right = self.grid.band.region.center[0] + (width - self.score.number.width) / 2
        self.formula = self.grid.write(forms[0])
        self.forms = [self.grid.write(form, right) for form in forms[1:]]
        base = self.forms[0].term("equals").anchor[1]
        self.score.put(np.array([right + 0.25, base, 0.0]))
        self.forms[0].hide(*(name for name, _ in _KEY))
        self.outline = RoundedRectangle(
            width=self.score.width + 0.24,
            height=self.score.height + 0.3,
            corner_radius=0.08,
            stroke_color=self.theme.attention,
        ).move_to(self.score)

    # What is told

    @beat(_meet)
    def meet(self) -> Steps:
        """The key comes in unturned, and turns by its own position."""
        yield (
            FadeIn(self.partner, shift=np.array([0.0, -0.5, 0.0])),
            FadeIn(*self.ghosts),
            self.key_hands.grow(),
            self.query_arc.to(self["product.pair.query_phases"]),
            self.formula.become(self.forms[0], run_time=1.0),
        )
        phases = self["product.pair.key_phases"]
        turned = self["product.rotated_key_pairs"]
        yield (
            self.key_hands.turn_to(turned, phases.array, run_time=3.0),
            self.key_arc.to(phases, run_time=3.0),
            *self._key_terms_come(),
        )

    @beat(_score)
    def add_up(self) -> Steps:
        """What each dial adds to the score."""
        yield self.wedges.to(self["product.pair_angles"], run_time=self.reading / 2)
        yield FadeIn(self.terms)
        yield self._gather(run_time=self.reading / 2), self.formula.appear("equals")

    @beat(_back, ask="Can we undo the query's turn and keep the score?")
    def back(self) -> Steps:
        """Both hands turn back as one; the query's arc winds up, reversed, at the key's."""
        pair = "product.pair"
        seconds: dict[str, Any] = {"run_time": max(4.5, self.reading)}
        by = -self[f"{pair}.query_phases"].array
        yield (
            Create(self.outline, run_time=0.8),
            self.formula.become(
                self.forms[1],
                origins={"flip": ["transpose"]},
                hops={"turn query": _HOP, "m": _HOP},
                **seconds,
            ),
            self.query.turn_to(self["product.query_pairs"], by, **seconds),
            self.key_hands.turn_to(self["product.key_pairs_by_offset"], by, **seconds),
            self.query_arc.to(self["unmoved.query_phases"], **seconds),
            self.back_arc.to(self[f"{pair}.transposed_phases"], **seconds),
        )

    @beat(_one)
    def one(self) -> Steps:
        """Steps back take steps forward away; what is left is the turn by the offset."""
        yield (
            FadeOut(self.outline, run_time=0.6),
            self.key_arc.to(self["rest.key_phases"], run_time=self.reading),
            self.back_arc.to(self["rest.transposed_phases"], run_time=self.reading),
        )
        yield (
            self.formula.become(self.forms[2], origins=_FUSED, run_time=1.5),
            FadeIn(self.one_arc, run_time=1.2),
            FadeOut(self.key_arc, self.back_arc, run_time=1.2),
        )

    @beat(CAPTION)
    def left(self) -> Steps:
        """The offset, on the line and in the formula."""
        yield self.bracket.appear(run_time=0.8), self.formula.highlight("offset")
        yield self.formula.pulse("offset")

    def _gather(self, run_time: float) -> Drive:
        """Copies of the terms fly to the score one after another, and it appears."""
        figures = VGroup()
        for i, figure in zip(self.grid.dials.indices, self.terms.figures, strict=True):
            figures.add(Figure(self["product.terms"][int(i)], "+.2f").put(figure.number.anchor))
        ways = [
            (one, one.get_center(), self.score.get_center() - one.get_center()) for one in figures
        ]

        def show(share: NDArray[np.float64]) -> None:
            come = in_turn(float(share), len(ways), 0.6)
            for part, (one, start, way) in zip(come * come * (3 - 2 * come), ways, strict=True):
                one.move_to(start + way * part).set_fill(opacity=float(min(1, 4 - 4 * part)))
            self.score.number.set_fill(opacity=float(come[-1]))

        return Drive(VGroup(figures, self.score), show, 0.0, 1.0, run_time=run_time)

    def _key_terms_come(self) -> Iterator[Drive]:
        """The key's terms come in from beside their places."""
        for name in ("key", "turn key", "n"):
            term = self.formula.term(name)
            end = term.get_center()
            term.stand(term.anchor + np.array([_ASIDE, 0.0, 0.0]), term.em)
            yield self.formula.fly(name, end, run_time=1.2)
        yield self.formula.appear("key", "turn key", "n", run_time=1.2)
