"""Layer 2: the last token finds the rows that stored it, and copies the tokens that stand there."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup
from numpy.typing import NDArray

from model.onehot_induction import OneHotInduction
from scenes.facts import Fact
from scenes.onehot.layer import AttentionStage, seen
from scenes.onehot.tales import told
from scenes.parts.matrices.block_map import Block, BlockMap
from scenes.parts.matrices.halves import Half, Halves, names
from scenes.parts.matrices.logit_map import MOST_CELL
from scenes.spelling import listed, named, spelled
from scenes.stage import Finding
from scenes.style.layout import Region
from scenes.style.motion import recolor
from scenes.style.text import Label, text_width

SHARE = ".3g"
_BIG = 36.0
LEAST_CELL = 0.4
"""The least width of a cell, in units, with which the output stands beside the pattern."""


class Match(AttentionStage):
    """Layer 2: the last token finds the rows that stored it, and copies the tokens there."""

    title = "Layer 2: match, then copy"
    question = "Which token came after {query} before?"
    caption = "{moral}"
    notes = (
        "The last token asks: which rows have {query} as the one before?{found}",
        "$A_2$ asks this of every row: {c} where the two tokens are the same.",
        "Later keys are masked.",
        "{even}",
        "Keys hand over their own tokens, times {g}: $V_2$ makes $Y^((2))$.",
        "{read}",
    )

    @classmethod
    def facts(cls, values: OneHotInduction) -> dict[str, Fact]:
        return {
            "n_tokens": len(values.tokens),
            "half": values.weights.half,
            "last": len(values.tokens) - 1,
            "c": values.sharpness,
            "g": values.gain,
            "prediction": named(values.prediction),
            "share": float(values.shares[-1].max()),
            "expected": listed([named(token) for token in values.text.best], "or"),
            **told(values),
        }

    @classmethod
    def checks(cls, values: OneHotInduction) -> list[Finding]:
        n = len(values.tokens)
        same = np.array([[a == b for b in values.stored] for a in values.tokens])  # (T, T)
        logits = np.where(same, values.sharpness, 0.0)
        matched = values.matches if values.matches.size else np.arange(n)
        even = np.isin(np.arange(n), matched) / len(matched)
        error = float(np.abs(values.shares[-1] - values.text.expected).max())
        return [
            Finding(
                "logits are c where the tokens are the same and 0 elsewhere",
                bool(np.allclose(values.scores_2, logits, rtol=0, atol=1e-9)),
                f"{values.scores_2.tolist()}",
            ),
            Finding(
                "the last row attends to its matches alike, or to all alike",
                bool(np.allclose(values.pattern_2[-1], even, rtol=0, atol=1e-12)),
                f"{values.pattern_2[-1].tolist()}",
            ),
            Finding(
                "the last row says what the text says, unless the first token is the last",
                error < 1e-9 or values.case == "first",
                f"it is off by {error:.3g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OneHotInduction) -> dict[str, NDArray[Any]]:
        return {
            "positions": np.arange(len(values.tokens)),
            "answers": values.matches,
            "middle": values.resid_mid,
            "a2": values.weights.w_qk_2,
            "scores_2": values.scores_2,
            "pattern_2": values.pattern_2,
            "final": values.resid_post,
            "shares": values.shares,
        }

    def construct(self) -> None:
        head = self.values
        self.lay_out(
            head.weights.w_qk_2,
            head.scores_2,
            name="A_2",
            halves=("token", "token before"),
            active=(0, 1),
            keys=[spelled(token) for token in head.stored],
            key_name="key: token before",
            formula="Y^((1)) A_2 thin Y^((1) top)",
        )
        self._ask()
        self._logits()
        self.mask(2)
        self._softmax()
        self._copy()
        self._read()

    def _ask(self) -> None:
        """Every row holds two tokens; the last one asks with its first."""
        self.beat("ask")
        head, half = self.values, self.values.weights.half
        vocabulary = names([spelled(token) for token in head.vocabulary.tokens], half)
        look = self.theme
        rows = Halves(
            seen(head.resid_mid),
            self.canvas.inset(0.06, 0.0),
            [spelled(token) for token in head.tokens],
            Half("token", vocabulary, look.token, look.text_color("token")),
            Half("token before", vocabulary, look.value, look.text_color("value")),
        )
        last, column = len(head.tokens) - 1, int(head.text.indices[-1])
        asks = rows.left.frame(rows.left.cell(last, column), look.query, 6)
        found = VGroup(
            *(rows.right.frame(rows.right.cell(int(k), column), look.key, 6) for k in head.matches)
        )
        self.play(self.say(0), FadeIn(rows), run_time=0.6)
        self.play(Create(asks), run_time=0.7)
        names_of = [rows.right.column_names[column], rows.left.column_names[column]]
        self.play(
            recolor(names_of[0], look.text_color("key")),
            recolor(names_of[1], look.text_color("query")),
            *([Create(found)] if len(found) else []),
            run_time=0.8,
        )
        self.let_read()
        self.asked = VGroup(rows, asks, found)

    def _logits(self) -> None:
        """A cell lights up where the name of its row is the name of its column."""
        self.beat("logits")
        leave, come = FadeOut(self.asked), FadeIn(self.weights)
        self.play(LaggedStart(leave, come, lag_ratio=0.6, run_time=0.9), self.say(1))
        self.play(Create(self.weights.frame), run_time=0.5)
        if self.tight:
            self.wait(0.7)
        self.play(self.step(0), self.open_table(), run_time=0.6)
        self.play(self.table.fill_rows(run_time=1.2))
        self.let_read()

    def _softmax(self) -> None:
        """Shares, and the row of the last token, which asks."""
        self.softmax(3, self.values.pattern_2, run_time=1.4)
        self.asker = self.table.frame(self.table.row(len(self.values.tokens) - 1))
        self.asker.set_stroke(self.theme.query, 5)
        self.play(Create(self.asker), run_time=0.6)
        self.let_read()

    def _copy(self) -> None:
        """Pattern times tokens: every row receives what it attends to."""
        self.beat("copy")
        self.play(self.say(4), self.clear_left(), FadeOut(self.asker, run_time=0.5))
        room, stays = self.room_beside(LEAST_CELL * self._n_vocab + 0.55 + self._says)
        self.play(self.move_aside(stays))
        self.in_sight = stays
        if stays:
            own = [spelled(token) for token in self.values.tokens]
            self.play(self.table.rename(own, "value: token"), run_time=0.7)
        self.final = self._final(room)
        order = np.repeat(np.arange(len(self.values.tokens))[:, None], self._n_vocab, axis=1)
        names_of = VGroup(*self.final.row_names, *self.final.column_names, *self.final.block_names)
        self.play(FadeIn(names_of), run_time=0.4)
        self.add(self.final)
        self.play(self.final.appear(order, run_time=1.0))
        self.let_read()

    def _read(self) -> None:
        """The last row is what comes next."""
        self.beat("read")
        last, look = len(self.values.tokens) - 1, self.theme
        row = self.final.frame(self.final.row(last), look.query, 5)
        best = [self.values.vocabulary.tokens.index(token) for token in self.values.leaders]
        parts = VGroup(row)
        if len(best) == 1:
            says = Label(
                f"→ {spelled(self.values.leaders[0])}",
                size=_BIG,
                weight="semibold",
                color=look.text_color("value"),
            )
            end = self.final.row(last)
            parts.add(
                says.center_on(np.array([end.right + self._says / 2 + 0.05, end.center[1], 0.0]))
            )
        rows = [row]
        if self.in_sight:
            rows.append(self.table.frame(self.table.row(last), look.query, 5))
        self.play(self.say(5), *(Create(frame) for frame in rows), run_time=0.7)
        if len(parts) > 1:
            self.play(FadeIn(parts[1]), run_time=0.5)
        self.let_read()

    @property
    def _says(self) -> float:
        """Room at the right of the last row for the prediction, if it is one token."""
        best = self.values.leaders
        width = text_width(f"→ {spelled(best[0])}", _BIG, "semibold") + 0.25
        return width if len(best) == 1 else 0.06

    @property
    def _n_vocab(self) -> int:
        return len(self.values.vocabulary)

    def _final(self, room: Region) -> BlockMap:
        """The token half of Y(2), no cell shown yet."""
        head, look = self.values, self.theme
        region = Region(room.left, room.bottom, room.right - self._says, room.top)
        values = seen(head.resid_post[:, : self._n_vocab])
        return BlockMap(
            values,
            region,
            columns=[Block("what comes next", self._n_vocab, look.value)],
            row_names=[spelled(token) for token in head.tokens],
            column_names=[spelled(token) for token in head.vocabulary.tokens],
            high=head.gain,
            spec=SHARE,
            hidden=np.ones(values.shape, bool),
            most_cell=MOST_CELL,
            square=False,
        )
