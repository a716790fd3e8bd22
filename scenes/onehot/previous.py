"""Layer 1: positions find the one before, and its token is written where the position stood."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, Rectangle
from numpy.typing import NDArray

from model.onehot_induction import OneHotInduction
from scenes.facts import Fact
from scenes.onehot.layer import AttentionStage, seen
from scenes.parts.matrices.halves import Half, Halves, land, names, token_half
from scenes.spelling import named, spelled
from scenes.stage import Finding
from scenes.style.layout import Region
from scenes.style.motion import Drive
from scenes.style.text import Label

LEAST_CELL = 0.3
"""The least width of a cell, in units, with which the rows stand beside the pattern."""


class Previous(AttentionStage):
    """Layer 1: positions find the one before, and its token is written where the position stood."""

    title = "Layer 1: the token before"
    question = "How does a row learn which token came before it?"
    caption = (
        "After layer 1 every row but the first names two tokens: its own, and the one before it."
    )
    notes = (
        "Each row asks, as a query: $A_1$ seeks the key that stands just before it.",
        "It gives {c} where it does, −{c} elsewhere.",
        "Later keys are masked.",
        "Softmax: every row but the first attends to the row before.",
        "$V_1$ copies the token found to where the position stood: $Y^((1))$.",
        "The first row has none before it: {first} stores itself.",
    )

    @classmethod
    def facts(cls, values: OneHotInduction) -> dict[str, Fact]:
        rows = np.arange(1, len(values.tokens))
        return {
            "n_tokens": len(values.tokens),
            "n_vocab": len(values.vocabulary),
            "half": values.weights.half,
            "c": values.sharpness,
            "first": named(values.tokens[0]),
            "worst_share": float(values.pattern_1[rows, rows - 1].min()),
        }

    @classmethod
    def checks(cls, values: OneHotInduction) -> list[Finding]:
        n, half = len(values.tokens), values.weights.half
        before = np.where(np.eye(n, k=-1) > 0, values.sharpness, -values.sharpness)
        stored = (values.tokens[0], *values.tokens[:-1])
        kept = values.resid_mid[:, :half].argmax(axis=1)
        share = cls.facts(values)["worst_share"]
        return [
            Finding(
                "logits are c one below the diagonal and -c elsewhere",
                bool((values.scores_1 == before).all()),
                f"{values.scores_1.tolist()}",
            ),
            Finding(
                "every row but the first gives all to the row before it",
                bool(np.isclose(float(share), 1, rtol=0, atol=1e-12)),
                f"{share} at least",
            ),
            Finding(
                "every row but the first stores the token before it, the first its own",
                values.stored == stored,
                "".join(values.stored),
            ),
            Finding(
                "every row keeps its own token",
                bool((kept == values.text.indices).all()),
                f"{kept.tolist()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OneHotInduction) -> dict[str, NDArray[Any]]:
        return {
            "positions": np.arange(values.weights.half),
            "a1": values.weights.w_qk_1,
            "embedded": values.resid_pre,
            "scores_1": values.scores_1,
            "pattern_1": values.pattern_1,
            "middle": values.resid_mid,
        }

    def construct(self) -> None:
        head = self.values
        self.lay_out(
            head.weights.w_qk_1,
            head.scores_1,
            name="A_1",
            halves=("token", "position"),
            active=(1, 1),
            keys=[spelled(token) for token in head.tokens],
            key_name="key",
            formula="Y^((0)) A_1 thin Y^((0) top)",
        )
        self._weights()
        self._logits()
        self.mask(2)
        self.softmax(3, head.pattern_1, run_time=1.6)
        self.let_read()
        self._copy()
        self._first()

    def _weights(self) -> None:
        """A matrix with one block that is not zero."""
        self.beat("weights")
        self.play(self.say(0), FadeIn(self.weights), run_time=0.8)
        self.play(Create(self.weights.frame), run_time=0.7)
        self.let_read()

    def _logits(self) -> None:
        """One-hot rows pick the block's entries: its corner becomes the logits."""
        self.beat("logits")
        self.play(self.say(1), self.step(0), self.open_table(), run_time=0.7)
        if self.tight:
            self.play(self.table.fill_rows(run_time=2.0))
        else:
            corner, area = self._corner(), self.table.area
            frame = self.weights.map.frame(corner)
            self.play(self._fly(frame, corner, area))
            self.play(self.table.fill_rows(run_time=1.2), FadeOut(frame))
        self.let_read()

    def _copy(self) -> None:
        """The pattern moves the token half one row down, into the place of the positions."""
        self.beat("copy")
        self.play(self.say(4), self.clear_left())
        head, half = self.values, self.values.weights.half
        room, stays = self.room_beside(LEAST_CELL * 2 * half + 1.0)
        self.rows = self._rows(room)
        self.play(self.move_aside(stays))
        self.play(FadeIn(self.rows), run_time=0.6)
        green = self.theme.text_color("value")
        vocabulary = names([spelled(token) for token in head.vocabulary.tokens], half)
        stored = Half("token before", vocabulary, self.theme.value, green)
        self.stored = self.rows.other(np.zeros((len(head.tokens), half)), stored)
        self.play(FadeOut(self.rows.right), run_time=0.4)
        self.play(FadeIn(self.stored), run_time=0.4)
        columns = head.resid_mid[:, half:].argmax(axis=1).tolist()
        chips = [self._chip(max(i - 1, 0)) for i in range(len(head.tokens))]
        after = seen(head.resid_mid[:, half:])
        time = 1.0 + 0.15 * len(chips)
        self.play(land(self.stored, after, chips, columns, run_time=time))
        self.remove(*chips)
        self.let_read()

    def _first(self) -> None:
        """The exception that matters later."""
        self.beat("first")
        frame = self.stored.frame(self.rows.row(0), self.theme.ink, 4)
        self.play(self.say(5), Create(frame), run_time=0.8)
        self.let_read()

    def _corner(self) -> Region:
        """The part of the block that the positions of this text reach."""
        picture, half, last = (
            self.weights.map,
            self.values.weights.half,
            len(self.values.tokens) - 1,
        )
        first, final = picture.cell(half, half), picture.cell(half + last, half + last)
        return Region(first.left, final.bottom, final.right, first.top)

    def _fly(self, frame: Rectangle, start: Region, end: Region) -> Drive:
        """A frame goes from one region to another, and grows."""
        ends = [np.array([*r.center[:2], r.width + 0.06, r.height + 0.06]) for r in (start, end)]

        def show(state: NDArray[np.float64]) -> None:
            x, y, width, height = state.tolist()
            frame.stretch_to_fit_width(width).stretch_to_fit_height(height).move_to((x, y, 0.0))

        return Drive(frame, show, *ends, run_time=0.8)

    def _rows(self, room: Region) -> Halves:
        head, half = self.values, self.values.weights.half
        vocabulary = [spelled(token) for token in head.vocabulary.tokens]
        positions = names([str(k) for k in range(len(head.tokens))], half)
        mauve = self.theme.text_color("position")
        return Halves(
            head.resid_pre,
            room.inset(0.06, 0.0),
            [spelled(token) for token in head.tokens],
            token_half("token", vocabulary, half),
            Half("position", positions, self.theme.position, mauve),
        )

    def _chip(self, i: int) -> Label:
        """The token of row `i`, where its 1 stands."""
        green = self.theme.text_color("value")
        label = Label(spelled(self.values.tokens[i]), size=26, weight="semibold", color=green)
        place = self.rows.left.middle(i, int(self.values.text.indices[i]))
        return label.center_on(place)
