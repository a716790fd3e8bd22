"""26 letters as vectors: a flat ellipse of rank 2, where one-hot letters are equally far."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import LEFT, UP, Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray
from pydantic import Field

from model.embedding import AMPLITUDE, OppositeLetters
from model.tokens import LETTERS
from scenes.facts import Fact
from scenes.parts.charts.bars import Bars
from scenes.parts.matrices.letters import AlikeMap, LetterColumns, LetterPlane
from scenes.parts.readout import Readout
from scenes.rope.common import ROUNDING, Letter
from scenes.stage import Finding, Slide, StageInputs
from scenes.style.layout import Region
from scenes.style.motion import recolor, slide
from scenes.style.text import Label, Number, Paragraph
from scenes.style.type import LABEL


class Embedding(Slide):
    """26 letters as vectors: a flat ellipse of rank 2, where one-hot letters are equally far."""

    class Inputs(StageInputs):
        d_model: int = Field(16, ge=8, le=256, description="numbers in each letter's vector")
        letter: Letter = Field("a", description="the letter that is shown with its opposite")

    title = "Every token becomes a vector"
    question = "Each letter gets {d_model} numbers. How different do they make the letters?"
    caption = (
        "Only {rank} of {d_model} directions are used: {second} is minus {first}. "
        "One-hot letters are all equally far apart."
    )
    notes = (
        "Each column is the vector of a letter.",
        "Every number of {second} is minus that of {first}.",
        "Each letter is now a point, and the points form an ellipse.",
        "They all lie in one plane, {rank} directions: that is rank {rank}.",
        "How alike are two letters? Cosine 1: the same way, −1: opposite ways.",
        "One-hot: every letter is equally far from every other.",
    )

    inputs: Inputs
    values: OppositeLetters

    @classmethod
    def compute(cls, inputs: Inputs) -> OppositeLetters:
        return OppositeLetters(inputs.d_model, LETTERS.tokens.index(inputs.letter))

    @classmethod
    def facts(cls, values: OppositeLetters) -> dict[str, Fact]:
        embedding = values.embedding
        return {
            "n_letters": embedding.n_vocab,
            "d_model": values.d_model,
            "rank": embedding.rank,
            "n_zero": embedding.singular_values.size - embedding.rank,
            "s_1": float(embedding.singular_values[0]),
            "s_2": float(embedding.singular_values[1]),
            "first": LETTERS.tokens[values.first],
            "second": LETTERS.tokens[values.second],
            "cosine": float(embedding.similarity[values.first, values.second]),
            "one_hot_cosine": float(values.one_hot_similarity[values.first, values.second]),
            "one_hot_distance": float(values.one_hot_distance[values.first, values.second]),
            "largest_sum": values.largest_sum,
        }

    @classmethod
    def checks(cls, values: OppositeLetters) -> list[Finding]:
        facts = cls.facts(values)
        apart = values.one_hot_distance[~np.eye(len(LETTERS), dtype=bool)]
        return [
            Finding("the embedding has rank 2", facts["rank"] == 2, f"rank {facts['rank']}"),
            Finding(
                f"{facts['second']} is minus {facts['first']}",
                values.largest_sum < ROUNDING,
                f"a sum of {values.largest_sum:.3g}",
            ),
            Finding(
                "one-hot letters are all equally far",
                float(np.ptp(apart)) < ROUNDING,
                f"distances from {apart.min()} to {apart.max()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: OppositeLetters) -> dict[str, NDArray[Any]]:
        return {
            "embedding": values.embedding.matrix,
            "plane": values.embedding.plane,
            "singular_values": values.embedding.singular_values,
            "similarity": values.embedding.similarity,
            "one_hot_similarity": values.one_hot_similarity,
        }

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self.pair = (self.values.first, self.values.second)
        self._vectors()
        self._opposites()
        self._plane()
        self._rank()
        self._similarity()

    def _vectors(self) -> None:
        """A token is a column of numbers."""
        self.beat("vectors")
        self.columns = LetterColumns(
            LETTERS.tokens, self.values.embedding.matrix, self.canvas, reach=AMPLITUDE
        )
        labels = VGroup(*self.columns.labels)
        self.play(FadeIn(labels), FadeIn(self.columns.scale_bar), run_time=0.6)
        self.play(self.columns.heat.write(run_time=1.2), self.say(0))
        self.wait(1.0)

    def _opposites(self) -> None:
        """Two columns are each other's negative: the letters differ less than they seem to."""
        self.beat("opposites")
        self.frames = VGroup(*(self.columns.frame(k) for k in self.pair))
        others = [label for k, label in enumerate(self.columns.labels) if k not in self.pair]
        self.play(
            Create(self.frames),
            self.columns.heat.keep(self.pair),
            recolor(VGroup(*others), self.theme.muted),
            self.say(1),
        )
        self.wait(1.4)

    def _plane(self) -> None:
        """The letters all lie on one ellipse, and opposite letters at the ends of a diameter."""
        self.beat("plane")
        self.left, self.right = self.canvas.beside(3, 2)
        plane = LetterPlane(self.values.embedding.plane, self.left)
        self.aside = self.left.center - self.canvas.center
        plane.move(-self.aside)
        self.play(
            FadeOut(self.frames, run_time=0.6),
            FadeOut(self.columns.heat, run_time=0.6),
            FadeOut(self.columns.scale_bar, run_time=0.6),
            plane.fly(self.columns.labels, run_time=1.6),
            FadeIn(plane, run_time=1.6),
            self.say(2),
        )
        chord = plane.chord(*self.pair)
        self.play(Create(chord, run_time=0.7))
        self.wait(0.9)
        self.picture = VGroup(plane, chord, *self.columns.labels)

    def _rank(self) -> None:
        """Two singular values and nothing else: the cloud of points is flat."""
        self.beat("rank")
        values = self.values.embedding.singular_values
        words = Paragraph(
            "singular values: how far they spread",
            width=self.right.width,
            size=LABEL,
            color=self.theme.muted,
        )
        words.shift(self.right.point(0, 1) - words.get_corner(UP + LEFT))
        room = Region(
            self.right.left, self.right.bottom, self.right.right, words.get_bottom()[1] - 0.5
        )
        bars = Bars(0 * values, room, high=float(values[0]), color=self.theme.token)
        self.play(slide(self.picture, self.aside), self.say(3))
        self.play(FadeIn(words), FadeIn(bars), run_time=0.5)
        self.play(bars.to(values, run_time=0.9))
        found = self._what_the_bars_say(bars, room)
        self.play(FadeIn(found), run_time=0.6)
        self.wait(1.2)
        self.found = VGroup(words, bars, found)

    def _what_the_bars_say(self, bars: Bars, room: Region) -> VGroup:
        values = self.values.embedding.singular_values[:2]
        places = (np.array([-0.36, 0.12, 0.0]), np.array([0.5, -0.24, 0.0]))
        numbers = (
            Number(float(v), ".2f", size=LABEL, weight="semibold", align="left").put(
                bars.tip(k) + place * np.array([bars.step, 1.0, 0.0])
            )
            for k, (v, place) in enumerate(zip(values, places, strict=True))
        )
        start = bars.middle(2) - 0.3 * bars.step
        none = Label(f"the other {self.known['n_zero']} are 0", size=LABEL)
        none.put(np.array([start, bars.tip(2)[1] + 0.2, 0.0]))
        rank = Number(int(self.known["rank"]), "d", size=40, weight="semibold", prefix="rank ")
        rank.put(np.array([(start + room.right) / 2, room.center[1], 0.0]))
        return VGroup(*numbers, none, rank)

    def _similarity(self) -> None:
        """With one-hot vectors every letter is equally far from every other."""
        self.beat("similarity")
        self.play(FadeOut(self.picture), FadeOut(self.found), self.say(4), run_time=0.6)
        left, right = self.canvas.beside(1, 1)
        self.play(
            FadeIn(self._alike("this embedding", self.values.embedding.similarity, left)),
            run_time=0.8,
        )
        self.wait(1.7)
        self.play(
            FadeIn(self._alike("one-hot: a single 1 each", self.values.one_hot_similarity, right)),
            self.say(5),
            run_time=0.8,
        )
        self.wait(1.7)

    def _alike(self, heading: str, similarity: NDArray[np.float64], region: Region) -> VGroup:
        """A map of cosines, and beside it the cosine of the pair."""
        picture = AlikeMap(heading, LETTERS.tokens, similarity, region, pair=self.pair)
        cosine = Readout(
            f"cosine of {self.known['first']} and {self.known['second']}",
            float(similarity[self.pair]),
            ".2f",
            picture.corner,
            width=picture.room,
        )
        return VGroup(picture, cosine)
