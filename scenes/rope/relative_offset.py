"""Two pairs far apart with the same offset: the same difference clocks, the same score."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn
from numpy.typing import NDArray
from pydantic import Field

from model.position_pair import PositionPair
from scenes.facts import Fact
from scenes.parts.clocks.pairs import PairRow
from scenes.rope.common import HandsInputs, part_of, shown_hands
from scenes.stage import Finding, Slide

Pairs = tuple[PositionPair, PositionPair]

MOST_DIALS = 4
"""In a row, so that two rows of them are large enough to compare."""


class RelativeOffset(Slide):
    """Two pairs far apart with the same offset: the same difference clocks, the same score."""

    class Inputs(HandsInputs):
        m: int = Field(5, ge=0, le=9999, description="position of the query")
        n: int = Field(3, ge=0, le=9999, description="position of the key")
        far_m: int = Field(100, ge=0, le=9999, description="position of the query, moved")
        far_n: int = Field(98, ge=0, le=9999, description="position of the key, moved as far")

    title = "Only the offset counts"
    question = "Move both by {distance}: what happens to their score?"
    caption = (
        "Wherever this query and this key stand: "
        "while their offset is {offset}, their score is the same."
    )

    notes = (
        "A query and a key, turned by their positions: {hands_shown}.",
        "The same two, {moved}: the hands stand elsewhere.",
        "But turn every dial until its query points up: the same angles.",
        "The score adds up the cosines of all angles: the same, too.",
    )

    inputs: Inputs
    values: Pairs

    @classmethod
    def compute(cls, inputs: Inputs) -> Pairs:
        hands = inputs.frequencies
        return PositionPair(inputs.m, inputs.n, hands), PositionPair(
            inputs.far_m, inputs.far_n, hands
        )

    @classmethod
    def facts(cls, values: Pairs) -> dict[str, Fact]:
        near, far = values
        n_hands = len(near.frequencies)
        n_shown = len(shown_hands(n_hands, MOST_DIALS))
        return {
            "m": near.m,
            "n": near.n,
            "far_m": far.m,
            "far_n": far.n,
            "offset": near.offset,
            "far_offset": far.offset,
            "shift": abs(far.m - near.m),
            "distance": _positions(far.m - near.m),
            "moved": _moved(far.m - near.m),
            "n_hands": n_hands,
            "n_shown": n_shown,
            "hands_shown": part_of(n_shown, n_hands),
            "score": near.score(),
            "far_score": far.score(),
        }

    @classmethod
    def checks(cls, values: Pairs) -> list[Finding]:
        near, far = values
        apart = float(np.max(np.abs(_chords(near) - _chords(far))))
        scores = near.score(), far.score()
        return [
            Finding(
                "both pairs have the same offset n - m",
                near.offset == far.offset,
                f"{near.n} - {near.m} = {near.offset} and {far.n} - {far.m} = {far.offset}",
            ),
            Finding(
                "the pairs stand at different places", near.m != far.m, f"both at m = {near.m}"
            ),
            Finding("the difference clocks are the same", apart < 1e-9, f"tips {apart:.3g} apart"),
            Finding(
                "the scores are the same",
                abs(scores[0] - scores[1]) < 1e-9,
                f"{scores[0]:.9f} and {scores[1]:.9f}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Pairs) -> dict[str, NDArray[Any]]:
        near, far = values
        return {
            "theta": np.array(near.frequencies),
            "shown": shown_hands(len(near.frequencies), MOST_DIALS),
            "query_angles": near.query_angles,
            "key_angles": near.key_angles,
            "difference_degrees": np.degrees(near.difference_angles),
            "far_query_angles": far.query_angles,
            "far_key_angles": far.key_angles,
            "far_difference_degrees": np.degrees(far.difference_angles),
        }

    def construct(self) -> None:
        areas = self.canvas.rows(1, 1, gap=0.25)
        hands = shown_hands(len(self.inputs.frequencies), MOST_DIALS)
        self._rows = [
            PairRow((pair.m, pair.n), np.degrees(pair.difference_angles)[hands], pair.score(), area)
            for pair, area in zip(self.values, areas, strict=True)
        ]
        self._hands = [
            (pair.query_angles[hands], pair.difference_angles[hands]) for pair in self.values
        ]
        self._place()
        self._compare()
        self._score()

    def _place(self) -> None:
        """Each pair takes its positions: two rows in which no dial looks like its neighbour."""
        for k, name in enumerate(("near", "far")):
            self.beat(name)
            self.play(FadeIn(self._rows[k]), self.say(k), run_time=0.8)
            self.play(self._rows[k].turn(*self._hands[k], run_time=1.8))
            self.let_read()

    def _compare(self) -> None:
        """What the two rows share is the angle between the hands, not the hands."""
        self.beat("angle")
        self.play(self.say(2), *(row.shade(run_time=0.8) for row in self._rows))
        self.wait(0.6)
        self.beat("turn_back")
        up = np.zeros(len(self._hands[0][0]))
        turns_back = zip(self._rows, self._hands, strict=True)
        self.play(*(row.turn(up, ahead, run_time=2.6) for row, (_, ahead) in turns_back))
        self.play(*(FadeIn(row.angles) for row in self._rows), run_time=0.6)
        self.wait(1.0)

    def _score(self) -> None:
        """Both scores, each from its own turned vectors."""
        self.beat("score")
        self.play(self.say(3), *(FadeIn(row.score) for row in self._rows))
        self.let_read()


def _moved(shift: int) -> str:
    return f"{_positions(shift)} further {'on' if shift > 0 else 'back'}"


def _positions(count: int) -> str:
    return f"{abs(count)} position{'' if abs(count) == 1 else 's'}"


def _chords(pair: PositionPair) -> NDArray[np.float64]:
    """Where the tips of the difference clocks stand, which knows no jump at half a turn."""
    return np.stack([np.cos(pair.difference_angles), np.sin(pair.difference_angles)])
