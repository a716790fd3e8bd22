"""A query and a key that are shifted together keep their score: only the offset matters."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, Circle, Create
from manim.utils.rate_functions import ease_in_out_sine
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.films.rope.relative_offset import WALK_STEPS, DraggedWords, dragged_words
from clockhead.scenes.parts.equation import become
from clockhead.scenes.rope.ruler import Mark
from clockhead.scenes.rope.two_words import TwoWordInputs, TwoWords
from clockhead.scenes.rope.word_line import NUMBER, SPAN
from clockhead.scenes.spelling import plural
from clockhead.scenes.stage import CAPTION, Claim, Derived, Handle, Steps, beat
from clockhead.scenes.stage.rhythm import REST

_FUSED = {"turn": ["turn query", "flip", "turn key"], "offset": ["n", "m"]}
_HOPS = {"turn query": 0.3, "m": 0.3}
"""Height to which R_m hops over q in the formula, in units."""


def _offset_sentence(values: DraggedWords) -> str:
    if values.near.offset < 0:
        return "Only the difference of positions is left: the offset. A minus means: before."
    return "Only the difference of positions is left: the offset."


def _return_sentence(values: DraggedWords) -> str:
    if values.comes_back_round:
        return (
            "It can: the fast hand is almost all the way round, and the score is about as before."
        )
    if values.is_back:
        return "It can: here the score is about what it was before."
    return "Not here, but it can: hands that go round do come round again."


class RelativeOffset(TwoWords):
    """A query and a key that are shifted together keep their score: only the offset matters."""

    class Inputs(TwoWordInputs):
        shift: int = Field(95, ge=1, le=1000, description="shift of both words, in positions")
        stray: int = Field(
            3, ge=1, le=5, description="shift of the key alone at first, in positions"
        )
        stray_far: int = Field(
            6, ge=2, le=7, description="shift of the key alone in the end, in positions"
        )

    title = "Only the offset counts"
    caption = "Hands that come round: they will make trouble soon."
    opens = TwoWords.leaves
    leaves = ("faces",)
    tells = ("drag", "turn_back", "one", "key_only", "back", "once_more")
    claims = (
        Claim(
            "shifting the key alone visibly changes the score at first",
            lambda v: not v.stray_looks_alike,
            "it stays {stray_score:.2f}; change stray or seed",
        ),
    )
    derived = {
        "distance": Derived(
            "shift of both words, with its unit", lambda v: plural(v.shift, "position")
        )
    }

    handles = (Handle("shift", "1,2,5,10,20,50,95,200,500,1000", beat="drag"),)

    compute = dragged_words

    def layout(self) -> None:
        """Lay out two words as in the shot before, and the windows that the line will zoom to."""
        super().layout()
        v, grid = self.values, self.grid
        middle = (v.far.m + v.far.n) / 2
        self.far = np.round(middle) + np.array([-SPAN, SPAN]) / 2
        self.home_window = self._window(v.walk_offsets)
        self.mark = Mark(self.line, self["near.m"], "")
        above: dict[str, Any] = {"prefix": "n − m = ", "rise": grid.over_tiles, "size": NUMBER}
        bracket = self.line.bracket(self["near.n"], self.mark, self["near.offset"], ".0f", **above)
        self.bracket = bracket
        self.key_hands.set_to(self["near.rotated_key_pairs"])
        self.formula = self.forms[0]

    def _window(self, offsets: NDArray[np.float64]) -> NDArray[np.float64]:
        """The window of positions once the query is at 0; (2,)."""
        low, high = min(0.0, float(offsets.min())), max(0.0, float(offsets.max()))
        return np.array([low - 1, max(high + 1, low - 1 + SPAN)])

    @beat(
        "Nothing. Both hands turn by the same angle, so the angle between them stays the same.",
        ask="Now move both words along by {distance}. What happens to the score?",
        rest=REST,
        focus="dials",
    )
    def drag(self) -> Steps:
        """Shift both words in one motion: the line scrolls below, and every wedge is rigid."""
        far = self["far.rotated_query_pairs"], self["far.rotated_key_pairs"]
        moves = self._drag(self["far.m"], self["far.n"], self.far, *far, "shift", 5.0)
        yield (*moves, self.terms.through(self["drag_terms"], run_time=5.0))

    @beat(
        "To make it simple, turn both back, until “{words.asker}” is at 0 and not turned at all.",
        focus="dials",
    )
    def turn_back(self) -> Steps:
        """Shift both words back; in the formula, R_m moves over to the key, transposed."""
        hands = self["near.query_pairs"], self["near.key_pairs_by_offset"]
        places = self["home"], self["near.offset"]
        run = 4.0
        moves = self._drag(*places, self.home_window, *hands, "home", run, way=-1)
        flip = {"flip": ["transpose"]}
        yield (*moves, self.terms.through(self["home_terms"], run_time=run))
        yield become(self.formula, self.forms[1], origins=flip, hops=_HOPS, run_time=2.4)

    @beat(_offset_sentence, focus="dials")
    def one(self) -> Steps:
        """Merge the two rotations into one by the offset, which a bracket shows on the line."""
        yield become(self.formula, self.forms[2], origins=_FUSED, run_time=1.8)
        yield self.bracket.appear(run_time=0.8)
        yield self.formula.pulse("offset")

    @beat(
        "Now move “{words.first}” alone. The angles change, and the score with them.", focus="dials"
    )
    def key_only(self) -> Steps:
        """Shift the key alone by the first positions."""
        yield self._walk(0, self.values.stray, 3.0)

    @beat(
        _return_sentence,
        ask="If it keeps moving, can the old score come back?",
        rest=REST,
        focus="dials",
    )
    def back(self) -> Steps:
        """Shift the key further, and circle the fast hand if it has brought the score back."""
        yield self._walk(self.values.stray, self.values.stray_far, 3.0)
        if self.values.comes_back_round:
            ring = Circle(0.96 * self.faces.radius, color=self.theme.attention, stroke_width=5)
            yield Create(ring.move_to(self.faces.centers[0, 0]), run_time=0.8)

    @beat(CAPTION, focus="dials")
    def once_more(self) -> Steps:
        """Hold the picture."""
        yield 0.5

    def _drag(
        self, m: Any, n: Any, window: NDArray[np.float64], query: Any, key: Any, name: str,
        run_time: float, way: int = 1,
    ) -> list[Animation]:  # fmt: skip
        """Animate both words and all hands to other positions, as the line scrolls below."""
        turn = way * self[f"{name}_phases"].array
        scores = self["drag_scores" if way > 0 else "home_scores"]
        run: dict[str, Any] = {"run_time": run_time, "rate_func": ease_in_out_sine}
        return [
            self.line.zoom(window, **run),
            self.mark.to(m, **run),
            self.bracket.to(n, **run),
            self.grid.slide(self.hero, float(m.array), window, **run),
            self.grid.slide(self.partner, float(n.array), window, **run),
            self.query.turn_to(query, turn, **run),
            self.key_hands.turn_to(key, turn, **run),
            self.score.through(scores, **run),
        ]

    def _walk(self, start: int, end: int, run_time: float) -> list[Animation]:
        """Animate the key alone between two shifts, with everything that depends on it."""
        run: dict[str, Any] = {"run_time": run_time, "rate_func": ease_in_out_sine}
        way = slice(WALK_STEPS * start, WALK_STEPS * end + 1)
        goal, figure = self["walk_offsets"][WALK_STEPS * end], self.bracket.figure
        return [
            self.bracket.to(goal, **run),
            self.grid.slide(self.partner, float(goal.array), self.line.window, **run),
            self.key_hands.through(self["walk_key_pairs"][way], **run),
            self.wedges.through(self["walk_pair_angles"][way], **run),
            *([figure.through(self["walk_offsets"][way], **run)] if figure else []),
            self.terms.through(self["walk_terms"][way], **run),
            self.score.through(self["walk_scores"][way], **run),
        ]
