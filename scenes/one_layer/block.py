"""The same neurons in a transformer: each token's row goes through them by itself."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from manim import Create
from pydantic import Field

from clockhead.model.films.one_layer.block import D_MODEL, READ, WRITTEN, ChangedWord, WaveBlock
from clockhead.model.tokens import words
from clockhead.scenes.one_layer.bent import Bent
from clockhead.scenes.one_layer.lanes import Lane, Lanes, Rider, Wires
from clockhead.scenes.one_layer.page import Ramp, StepInputs, chart_of, shape, target_of
from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.parts.curves import Dots
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import come_back, hide_tiles, leave
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, beat, beside, fit
from clockhead.scenes.stage import Words as Text
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.texts import few_words, words_said

_CHART = (3.0, 1.0)
_LETTERS, _LOWER = 30.0, 0.25
_MOST_WORDS = 6
_ONE_OTHER = 2
"""Words of which one alone is not exchanged."""


def _others(change: ChangedWord) -> str:
    if change.before.n_tokens == _ONE_OTHER:
        return "The other row does the same, by itself."
    return "The other rows do the same, each by itself."


class Block(Stage[ChangedWord]):
    """The neurons of the wave as a transformer's MLP: one row lights, its neighbours do not."""

    class Inputs(StepInputs):
        """What the neurons draw, and words whose rows go through them."""

        epsilon: Ramp = Field(0.1, description="how wide a ramp is")
        text: Annotated[Text, few_words(2, _MOST_WORDS, 6)] = Field(
            "the cat sat", description=words_said(2, _MOST_WORDS, 6)
        )
        place: int = Field(
            1,
            ge=0,
            le=_MOST_WORDS - 1,
            description="place of the word that is exchanged, the last one at most",
        )
        instead: Annotated[Text, few_words(1, 1, 6)] = Field(
            "dog", description=f"the word that comes instead; {words_said(1, 1, 6)}"
        )

    title = "The same layer in a transformer"
    question = "Where are such neurons at work?"
    caption = "Enough bends come close to any unbroken curve. Which weights will training find?"
    opens = ("chart", "target", "tiles")
    leaves = ("chart", "target")
    derived = {
        "many": Derived("how many neurons", lambda v: counted(v.before.n_neurons)),
        "shape": Derived("what is drawn", lambda v: shape(v.before.wave.steps)),
    }

    wires: tuple[Wires, Wires]
    """Those of the row that was the last to go."""
    frames: tuple[CellFrame, ...]

    @classmethod
    def compute(cls, inputs: Any) -> ChangedWord:
        block = WaveBlock(words(inputs.text), inputs.relus("epsilon"))
        return ChangedWord(block, min(inputs.place, block.n_tokens - 1), inputs.instead)

    def layout(self) -> None:
        change, steps = self.values, self.values.before.wave.steps
        self.chart = chart_of(steps, _CHART)
        self.target = target_of(self["before.wave.steps.corners"], self.chart)
        self.net = Bent(self["before.wave.corners"], self.chart, drawn=0.0)
        blocks = change.before, change.after
        highest = max(float(np.abs(b).max()) for v in blocks for b in (v.rows, v.acts, v.out))
        paths = "before.rows", "before.acts", "before.out"
        self.lanes = [
            Lane(tuple(self[path][m] for path in paths), highest)  # type: ignore[arg-type]
            for m in range(change.before.n_tokens)
        ]
        lanes = Lanes(self.lanes)
        fit(self.canvas, beside(self.chart, lanes, weights=(1, 2)))
        self.tiles = Strip(self["before.tokens"], size=_LETTERS)
        self.renamed = Strip(self["after.tokens"], size=_LETTERS)
        for tiles in (self.tiles, self.renamed):
            tiles.place_at(lanes.feet, lanes.word_size)
        hide_tiles(self.renamed, *range(change.before.n_tokens))
        self.riders = [Rider(point, self.chart) for point in self._points("before")]
        for lane in self.lanes:
            lane.row.empty()
        at, x = self["before.wave.at_bends"], self["before.wave.bends"]
        self.bends = Dots(at, self.chart, x=x, role=None, radius=0.1, standing=())
        hero = self.lanes[change.place]
        self.signs = hero.sign("W_1", _LOWER, D_MODEL - 1), hero.sign("W_2", 1 - _LOWER, 0)

    def _points(self, path: str) -> list[Any]:
        """What is read and written for each token."""
        return [self[f"{path}.points"][m] for m in range(self.values.before.n_tokens)]

    @beat("In the MLP: each token's row goes through such a layer.")
    def rows(self) -> Steps:
        time = 0.75 * self.reading
        self.add(self.net)
        rows = [lane.row.fill_rows(run_time=time) for lane in self.lanes]
        yield *rows, self.net.draw_to(run_time=time)
        yield [
            FadeIn(part, run_time=0.6) for lane in self.lanes for part in (lane.neurons, lane.out)
        ]

    @beat("$W_1$ hands one number, x, to {many} neurons: each says how far x is past its bend.")
    def hero(self) -> Steps:
        """Each neuron on its wire, and where it bends on the line."""
        hero, time = self.values.place, 0.8 * self.reading
        lane = self.lanes[hero]
        self.frames = self._frame(lane.row, READ), self._frame(lane.out, WRITTEN)
        self.add(self.bends)
        yield Create(self.frames[0], run_time=0.15 * time), FadeIn(self.signs[0], run_time=0.4)
        yield from self._up(hero, 0.5 * time)
        for k in range(len(self.bends.x)):
            yield self.bends.appear(k, run_time=0.35 * time / len(self.bends.x))

    @beat("$W_2$ weighs and adds them: the {shape} at x is added to the row.")
    def adds(self) -> Steps:
        hero, time = self.values.place, 0.8 * self.reading
        yield (
            self.lanes[hero].out.fill_rows(run_time=0.2 * time),
            FadeIn(self.signs[1], run_time=0.4),
        )
        yield Create(self.frames[1], run_time=0.1 * time)
        yield from self._on(hero, 0.7 * time)

    @beat(_others)
    def others(self) -> Steps:
        hero, n = self.values.place, self.values.before.n_tokens
        yield FadeOut(*self.frames, *self.wires, *self.signs, self.bends, run_time=0.4)
        time = 0.85 * self.reading / (n - 1)
        for m in (m for m in range(n) if m != hero):
            yield from self._up(m, 0.4 * time)
            yield self.lanes[m].out.fill_rows(run_time=0.1 * time)
            yield from self._on(m, 0.4 * time)
            yield FadeOut(*self.wires, run_time=0.1 * time)

    @beat("“{old}” becomes “{word}”. Which other row changes?")
    def exchange(self) -> Steps:
        """Word and row at once; then upwards, as everything is computed anew."""
        hero, time = self.values.place, self.reading
        lane, rider = self.lanes[hero], self.riders[hero]
        after = {path: self[f"after.{path}"][hero] for path in ("rows", "acts", "out")}
        self.add(self.renamed)
        yield (
            leave(self.tiles, hero, by=(0.0, -0.4, 0.0), run_time=0.15 * time),
            come_back(self.renamed, hero, run_time=0.15 * time),
            lane.row.to(after["rows"], run_time=0.15 * time),
        )
        yield 0.1 * time
        up, on = self.wires = self._wires(hero, "after")
        yield up.run(run_time=0.15 * time)
        yield lane.neurons.to(after["acts"], run_time=0.1 * time)
        yield on.run(run_time=0.15 * time)
        yield (
            lane.out.to(after["out"], run_time=0.2 * time),
            rider.through(self["way"], run_time=0.2 * time),
        )

    @beat("None: only attention reaches other rows.")
    def none(self) -> Steps:
        """What the other rows wrote stands as before."""
        others = [lane.out for m, lane in enumerate(self.lanes) if m != self.values.place]
        self.frames = tuple(self._frame(out, WRITTEN) for out in others)
        yield [Create(frame, run_time=0.6 * self.reading) for frame in self.frames]

    @beat(CAPTION)
    def end(self) -> Steps:
        """All rows at once, each with wires of its own."""
        yield FadeOut(*self.wires, *self.frames, run_time=0.4)
        every = [self._wires(m, "after") for m in range(len(self.lanes))]
        for wires in zip(*every, strict=True):
            yield [one.run(run_time=0.3 * self.reading) for one in wires]

    def _up(self, m: int, time: float) -> Steps:
        """From a row to the neurons, along wires."""
        lane = self.lanes[m]
        self.wires = self._wires(m, "before")
        yield self.wires[0].run(run_time=0.5 * time)
        yield lane.neurons.fill_rows(run_time=0.5 * time)

    def _on(self, m: int, time: float) -> Steps:
        """From the neurons to the row, to which they add, and from there to their line."""
        lane, rider = self.lanes[m], self.riders[m]
        yield self.wires[1].run(run_time=0.4 * time)
        yield lane.out.to(lane.made, run_time=0.3 * time)
        start = lane.out.lattice.middles[0, WRITTEN]
        yield rider.come(np.array([*start, 0.0]), run_time=0.3 * time)

    def _wires(self, m: int, path: str) -> tuple[Wires, Wires]:
        """Those of a row, before or after the exchange."""
        weights = self["before.w_1"], self["before.w_2"]
        return self.lanes[m].wires(*weights, self[f"{path}.acts"][m])

    def _frame(self, matrix: Matrix, column: int) -> CellFrame:
        """Around one number of a row."""
        return matrix.frame(matrix.cell(0, column), "attention")
