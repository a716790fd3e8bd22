"""Nearly any embedding solves the cryptogram, if it has a dimension for every token."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.caesar import N_ROTATIONS, N_TOKENS
from model.caesar_any_embedding import FEWER, N_WINDOWS, WIDTHS, WINDOW, Embedded
from model.caesar_embedding import centred_embedding
from scenes.caesar.common import CryptogramInputs, cryptogram_facts, unrivalled
from scenes.facts import Fact, fill
from scenes.parts.charts.letter_bars import LetterBars, quiet, rotation_names
from scenes.parts.charts.width_chart import WidthChart
from scenes.parts.matrices.embedding_product import EmbeddingProduct
from scenes.spelling import power_of_ten
from scenes.stage import Finding, Slide
from scenes.style.theme import Role

_ROOM = 0.85
"""Room for a heading and a number at the end of the bars, in units."""


class ArbitraryEmbedding(Slide):
    """Nearly any embedding solves the cryptogram, if it has a dimension for every token."""

    class Inputs(CryptogramInputs):
        n_dimensions: int = Field(
            32, ge=N_TOKENS, le=64, description="numbers in the vector of each token"
        )
        seed: int = Field(0, ge=0, le=9999, description="which random vectors are drawn")

    title = "Nearly any embedding will do"
    question = "Must the tokens be one-hot vectors?"
    caption = "{moral}"
    notes = (
        "One-hot tokens, and an unembedding with English after every rotation in its columns.",
        "Now draw every number of E at random, and let U undo it: the product stays as it was.",
        "So the logits stay too: they differ by about {rounding}, which is rounding.",
        "With fewer dimensions than tokens, random vectors lose answers; {n_chosen} chosen with "
        "care lose none.",
    )

    inputs: Inputs
    values: Embedded

    @classmethod
    def compute(cls, inputs: Inputs) -> Embedded:
        return Embedded.random(inputs.cryptogram(), inputs.n_dimensions, inputs.seed)

    @classmethod
    def facts(cls, values: Embedded) -> dict[str, Fact]:
        facts: dict[str, Fact] = {
            **cryptogram_facts(values.cryptogram),
            "n_vocab": N_TOKENS,
            "n_rotations": N_ROTATIONS,
            "n_dimensions": values.solver.embedding.shape[1],
            "n_chosen": centred_embedding().shape[1],
            "rank": values.solver.rank,
            "difference": values.difference,
            "fewer": FEWER,
            "fewer_agreement": float(values.agreement[WIDTHS.index(FEWER)]),
            "n_windows": N_WINDOWS,
            "window": WINDOW,
            "rounding": power_of_ten(values.difference),
        }
        facts["moral"] = fill(_moral(is_solved=values.cryptogram.is_solved), facts)
        return facts

    @classmethod
    def checks(cls, values: Embedded) -> list[Finding]:
        enough = values.agreement[np.array(WIDTHS) >= N_TOKENS]
        fewer = values.agreement[np.array(WIDTHS) < N_TOKENS]
        ours, theirs = int(values.logits.argmax()), int(values.one_hot_logits.argmax())
        return [
            unrivalled(values.cryptogram),
            Finding(
                "the random embedding changes the logits by rounding only",
                values.difference < 1e-10,
                f"{values.difference:.3g}",
            ),
            Finding(
                "its product with the unembedding stays the same",
                values.solver.error < 1e-10,
                f"entries that differ by {values.solver.error:.3g}",
            ),
            Finding(
                "both find the same rotation",
                ours == theirs,
                f"rotation {ours} through random vectors, {theirs} through one-hot ones",
            ),
            Finding(
                "with a dimension for every token, no answer is lost",
                bool((enough == 1).all()),
                f"an agreement of {enough.min():.4f}",
            ),
            Finding(
                "with fewer, random vectors lose answers",
                bool((fewer < 1).all()),
                f"an agreement of {fewer.max():.4f}",
            ),
            Finding(
                f"{centred_embedding().shape[1]} dimensions chosen with care lose none",
                values.chosen_agreement == 1,
                f"an agreement of {values.chosen_agreement:.4f}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Embedded) -> dict[str, NDArray[Any]]:
        return {
            "rotations": np.arange(N_ROTATIONS),
            "embedding": values.solver.embedding,
            "unembed": values.solver.unembed,
            "product": values.solver.product,
            "one_hot_unembed": values.solver.one_hot_unembed,
            "logits": values.logits,
            "one_hot_logits": values.one_hot_logits,
            "widths": np.array(WIDTHS),
            "agreement": values.agreement,
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self._one_hot()
        self._random()
        self._logits()
        self._fewer()

    def _one_hot(self) -> None:
        """The solver as it was, with dimensions to spare."""
        self.beat("one-hot")
        solver = self.values.solver
        spare = solver.embedding.shape[1] - N_TOKENS
        one_hot = np.eye(*solver.embedding.shape)  # (27, D)
        templates = np.pad(solver.one_hot_unembed, ((0, spare), (0, 0)))  # (D, 26)
        self.picture = EmbeddingProduct(one_hot, templates, solver.one_hot_unembed, self.canvas)
        self.play(FadeIn(self.picture.factors), self.say(0), run_time=0.8)
        self.wait(1.2)
        self.play(FadeIn(self.picture.whole))
        self.let_read()

    def _random(self) -> None:
        """Every number drawn at random, and an unembedding that undoes it."""
        self.beat("random")
        solver = self.values.solver
        self.play(self.say(1))
        self.play(*self.picture.to(solver.embedding, solver.unembed, run_time=2.5))
        self.let_read()

    def _logits(self) -> None:
        """Both networks read the ciphertext."""
        self.beat("logits")
        self.play(FadeOut(self.picture, run_time=0.5), self.say(2))
        upper, lower = self.canvas.rows(0.54, 0.46, gap=0.0)
        most = float(self.values.one_hot_logits.max())
        names = rotation_names(self.canvas.width / N_ROTATIONS)
        above = LetterBars(
            self.values.one_hot_logits, upper, high=most, color=quiet(), names=names, room=_ROOM
        )
        below = LetterBars(
            self.values.logits, lower, high=most, color=quiet(), names=(), hanging=True, room=_ROOM
        )
        start = np.zeros(N_ROTATIONS)
        heads = [
            above.heading("logits, one-hot tokens", color=self.theme.ink),
            below.heading("logits, random embedding", color=self.theme.ink),
        ]
        above.show(start)
        below.show(start)
        self.play(FadeIn(VGroup(above, below, *heads)), run_time=0.5)
        self.play(above.to(self.values.one_hot_logits), run_time=1.0)
        self.play(below.to(self.values.logits), run_time=1.0)
        found = self.values.cryptogram.found
        role: Role = "value" if self.values.cryptogram.is_solved else "wrong"
        color = str(getattr(self.theme, role))
        ink, spec = self.theme.text_color(role), ".4f"
        numbers = VGroup(
            *(
                bars.number(found, bars.values[found], spec, size=26, weight="semibold", color=ink)
                for bars in (above, below)
            )
        )
        self.play(above.light([found], color), below.light([found], color), FadeIn(numbers))
        self.let_read()
        self.bars = VGroup(above, below, *heads, numbers)

    def _fewer(self) -> None:
        """How many dimensions random vectors need, and how few will do."""
        self.beat("fewer")
        known = self.known
        chart = WidthChart(
            WIDTHS,
            self.values.agreement,
            self.canvas,
            name=f"same answer as one-hot tokens, {N_WINDOWS} texts of {WINDOW} characters",
            fewer=FEWER,
            enough=N_TOKENS,
            chosen=(int(known["n_chosen"]), self.values.chosen_agreement),
        )
        self.play(FadeOut(self.bars, run_time=0.5), self.say(3))
        self.play(FadeIn(chart.plot), run_time=0.6)
        self.play(chart.grow())
        self.play(FadeIn(chart.marks))
        self.let_read()


def _moral(*, is_solved: bool) -> str:
    as_good = (
        "Random vectors solve it as well as one-hot ones"
        if is_solved
        else "Random vectors find what one-hot ones do, here {found} and not {rotation}"
    )
    return as_good + (
        ", given a dimension for each of the {n_vocab} tokens; with {fewer}, only "
        "{fewer_agreement:.0%} of the answers are the same."
    )
