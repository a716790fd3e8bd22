"""The whole pass for one text, from embedding to prediction, with its real matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup
from numpy.typing import NDArray

from model.induction import Induction
from scenes.facts import Fact, fill
from scenes.induction.common import InductionInputs, induction_facts, of_each, told
from scenes.parts.matrices.pass_maps import PassMaps
from scenes.parts.tokens.stream_flow import Hops
from scenes.spelling import spelled
from scenes.stage import Finding, Slide
from scenes.style.motion import recolor
from scenes.style.text import Number

_MOST_NAMED = 4

_ASK = {
    "unique": "Layer 1: the last row seeks {query} in prev, and finds it.",
    "several": "Layer 1: the last row seeks {query} in prev; {n_answers} rows have it.",
    "none": "Layer 1: no row has {query} in prev, so all get the same attention.",
    "first": "Layer 1: the last row seeks {query} in prev. Row 0 has it too.",
}
_READ = {
    "unique": "It copies the cur of that row into out; out becomes the logits: {prediction}.",
    "several": "It mixes the cur of those rows into out; out becomes the logits.",
    "none": "So out holds a bit of every token; out becomes the logits.",
    "first": "It mixes the cur of those rows into out; out becomes the logits.",
}
_FLOW = {
    "unique": "Two hops: {query} tells the next position, and that one tells the last.",
    "several": "Two hops: each earlier {query_kind} tells the next position; those tell the last.",
    "none": "No position was told of {query}, so all of them tell the last.",
    "first": "Position 0 has nobody before it: it told itself, and so it answers too.",
}
_MORAL = {
    "unique": "Layer 0 notes who came before, layer 1 looks for {query} in those notes: "
    "so the model says {prediction}.",
    "several": "Layer 0 notes who came before, layer 1 finds {query} in {n_answers} of them: "
    "the output is what stands there, in shares.",
    "none": "Layer 0 notes who came before; as {query} is in none of those notes, "
    "the output is the shares of all tokens so far.",
    "first": "Without BOS, position 0 has nobody before it and notes itself: "
    "it answers for {query} without being a follower.",
}


class ForwardPass(Slide):
    """The whole pass for one text, from embedding to prediction, with its real matrices."""

    class Inputs(InductionInputs):
        pass

    title = "The whole forward pass"
    question = "{n_tokens} tokens go in. How does the last one come to say what is next?"
    caption = "{moral}"
    notes = (
        "A token is a row of {d_model} numbers: cur says which, the 1 is layer 0's key.",
        "Layer 0: each row notes the token before it in prev; the first notes itself.",
    )

    inputs: Inputs
    values: Induction

    @classmethod
    def compute(cls, inputs: Inputs) -> Induction:
        return inputs.induction()

    @classmethod
    def facts(cls, values: Induction) -> dict[str, Fact]:
        before = np.diagonal(values.forward.head_0.pattern, -1)  # (T - 1,)
        known: dict[str, Fact] = {
            **induction_facts(values),
            "d_model": values.weights.d_model,
            "least": float(before.min()),
            "n_answers": len(values.matches),
            "answer_mass": values.match_mass,
            "n_leaders": len(values.leaders),
        }
        return {**known, "moral": told(values.case, known, **_MORAL)}

    @classmethod
    def narration(cls, values: Induction) -> tuple[str, ...]:
        known = cls.facts(values)
        case = "several" if values.case == "unique" and len(values.matches) > 1 else values.case
        tales = (told(case, known, **tale) for tale in (_ASK, _READ, _FLOW))
        return (*(fill(note, known) for note in cls.notes), *tales)

    @classmethod
    def checks(cls, values: Induction) -> list[Finding]:
        before = np.diagonal(values.forward.head_0.pattern, -1)
        row = values.forward.head_1.pattern[-1]
        mass, off = values.match_mass, values.match_error
        share = values.matched_shares[values.forward.predictions[-1]]
        return [
            Finding(
                "in layer 0 every row attends to the row before it",
                bool(before.min() > 0.5),
                f"a row has only {before.min():.1%} there; alpha {values.alpha:g} is too small",
            ),
            Finding(
                "in layer 1 the last row attends to those that noted its token, else to all",
                mass > 0.5 if values.matches.size else bool(row.max() < 1.25 * row.min()),
                f"{mass:.1%} goes there; beta {values.beta:g} is too small",
            ),
            Finding(
                "the output is the shares of what stands there",
                off < 0.1 and bool(share == values.matched_shares.max()),
                f"off by {off:.1%}, and the model says {values.prediction!r}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Induction) -> dict[str, NDArray[Any]]:
        forward = values.forward
        return {
            "embedded": forward.resid_pre,
            "pattern_0": forward.head_0.pattern,
            "middle": forward.resid_mid,
            "pattern_1": forward.head_1.pattern,
            "final": forward.resid_post,
            "logits": forward.logits,
            "output": values.output,
            "answers": values.matches,
        }

    def construct(self) -> None:
        head = self.values
        self.known = self.facts(head)
        self.last = len(head.tokens) - 1
        self.ids = head.text.indices.tolist()
        self.names = [spelled(token) for token in head.tokens]
        self.maps = self._maps()
        self.marks = VGroup()
        self._embed()
        self._layer_0()
        self._layer_1()
        self._read()
        self._logits()
        self._flow()

    def _maps(self) -> PassMaps:
        forward = self.values.forward
        patterns = np.stack([forward.head_0.pattern, forward.head_1.pattern])
        words = [spelled(token) for token in self.values.vocabulary.tokens]
        return PassMaps(forward.resid_pre, patterns, words, self.names, self.canvas)

    def _embed(self) -> None:
        """A row for every token, with one cell lit: which token it is."""
        self.beat("embed")
        stream, patterns = self.maps.stream, self.maps.patterns
        self.allowed = patterns[0].shown.copy()
        for pattern in patterns:
            pattern.show(pattern.values, np.zeros_like(self.allowed))
        rows = np.tile(np.arange(self.last + 1)[:, None], stream.values.shape[1])
        stream.show(stream.values, np.zeros(stream.values.shape, dtype=bool))
        self.level = self.maps.level("h^((0))")
        self.play(FadeIn(stream, self.level), self.say(0), run_time=0.6)
        self.play(stream.appear(rows, run_time=1.4))
        self.let_read(least=0.4)

    def _layer_0(self) -> None:
        """Row by row the pattern; then cur moves one row down, into prev."""
        self.beat("layer 0")
        maps, pattern, head = self.maps, self.maps.patterns[0], self.values
        self.play(self.say(1), *maps.make_room(0, self.level))
        self.play(FadeIn(pattern), run_time=0.4)
        order = np.where(self.allowed, np.arange(self.last + 1)[:, None], -1)
        self.play(pattern.appear(order, run_time=1.2))
        least = float(self.known["least"])
        self.least = self._share(0, least, ".2%-", "≥ ", list(range(self.last + 1)))
        self.play(FadeIn(self.least), run_time=0.4)
        self.beat("prev")
        moves = [(source, k, self.ids[source]) for k, source in enumerate(head.sources.tolist())]
        cells, go = maps.carry(moves, "cur", "prev", self.theme.key)
        self.play(FadeIn(cells, run_time=0.4))
        self.play(go)
        fills = maps.stream.to(head.forward.resid_mid, run_time=0.5)
        self.play(fills, FadeOut(cells, run_time=0.5), *self._rise("h^((1))"))
        self.let_read(least=0.4)

    def _rise(self, name: str) -> tuple[FadeOut, FadeIn]:
        """The stream is that after the next layer."""
        before, self.level = self.level, self.maps.level(name)
        return FadeOut(before, run_time=0.4), FadeIn(self.level, run_time=0.4)

    def _share(self, k: int, value: float, spec: str, prefix: str, columns: list[int]) -> Number:
        """A share of attention under pattern `k`."""
        color = self.theme.text_color("attention")
        number = Number(value, spec, size=26, weight="semibold", color=color, prefix=prefix)
        return self.maps.under(k, number, columns)

    def _layer_1(self) -> None:
        """The last row asks with cur, prev answers, and the attention goes there."""
        self.beat("layer 1")
        maps, query = self.maps, self.ids[-1]
        pattern, ink = maps.patterns[1], self.theme.text_color
        ask, key = ink("query"), ink("key")
        answers = self.values.matches.tolist()
        aside = [*maps.make_room(1, self.level), maps.patterns[0].dim_to(0.4)]
        self.play(self.say(2), *aside, FadeOut(self.least), run_time=0.8)
        asks = VGroup(
            maps.frame(self.last, "cur", query, ask), maps.foot("cur", query, self.names[-1], ask)
        )
        lit = recolor(maps.stream.row_names[-1], ask, run_time=0.5)
        self.play(FadeIn(asks, pattern), lit, run_time=0.4)
        column = maps.foot("prev", query, self.names[-1], key)
        found = [maps.frame(k, "prev", query, key) for k in answers]
        rows = [recolor(maps.stream.row_names[k], key) for k in answers if k != self.last]
        self.play(FadeIn(column, *found), *rows, run_time=0.6)
        order = np.full(self.allowed.shape, -1)
        order[-1] = np.arange(self.last + 1)
        self.play(pattern.appear(order, run_time=0.6))
        self.marks.add(asks, column, *found)
        self.share = VGroup(pattern.frame(pattern.row(self.last)))
        if answers:
            self.share.add(self._share(1, self.values.match_mass, ".2%", "", answers))
        self.play(FadeIn(self.share), run_time=0.4)
        self.let_read(least=0.5)

    def _read(self) -> None:
        """What stands there goes into out."""
        self.beat("out")
        maps, head = self.maps, self.values
        sources = head.matches.tolist() or list(range(self.last + 1))
        moves = [(k, self.last, self.ids[k]) for k in sources]
        cells, go = maps.carry(moves, "cur", "out", self.theme.value)
        pattern, color = maps.patterns[1], self.theme.text_color("value")
        rest = np.where(self.allowed, np.arange(self.last + 1)[:, None], -1)
        self.play(self.say(3), FadeIn(cells), run_time=0.4)
        self.play(go)
        held = {self.ids[k] for k in head.matches.tolist()}
        feet = [maps.foot("out", k, spelled(head.prediction), color) for k in held]
        self.marks.add(*feet[: len(held) == 1])
        fills = maps.stream.to(head.forward.resid_post, run_time=0.7)
        rows = pattern.appear(rest, run_time=0.7)
        gone = FadeOut(cells, run_time=0.4)
        self.play(fills, gone, rows, *self._rise("h^((2))"), *map(FadeIn, feet[: len(held) == 1]))

    def _logits(self) -> None:
        """The logits of the last row are read from out."""
        self.beat("logits")
        maps, head = self.maps, self.values
        self.play(*maps.make_room(2, self.level), FadeOut(self.share, run_time=0.4))
        bars = maps.bars(np.zeros(len(head.vocabulary)), max(1.0, float(head.output.max())))
        said = int(head.forward.predictions[-1])
        cells, go = maps.read_out(bars)
        self.bars = VGroup(bars, maps.heading(), maps.bar_names(bars, said, head.leaders.tolist()))
        dims = maps.patterns[1].dim_to(0.4), maps.stream.dim_to(0.5)
        self.play(FadeIn(self.bars, cells), *dims, run_time=0.5)
        self.play(go)
        self.play(FadeOut(cells, run_time=0.3), bars.to(head.output, run_time=0.8))
        self.bars.add(top := maps.top_logit(bars, said))
        self.play(FadeIn(top), run_time=0.3)
        self.let_read(least=0.6)

    def _flow(self) -> None:
        """The same pass once more, as streams: only what mattered for the prediction is lit."""
        self.beat("flow")
        head, maps = self.values, self.maps
        answers = head.matches.tolist()
        sources = head.sources[head.matches].tolist()
        lead = [spelled(head.vocabulary.tokens[k]) for k in head.leaders]
        says = " ".join(lead) if len(lead) <= _MOST_NAMED else f"{len(lead)} tokens"
        share = float(head.output.max())
        hops = Hops(self.names, answers, sources, says, share, self.canvas, around=of_each(head))
        shown = [maps.stream, *maps.patterns, self.level, self.bars, self.marks]
        self.play(FadeOut(*shown, run_time=0.5), self.say(4))
        self.play(FadeIn(hops, run_time=0.5))
        for step in hops.steps:
            lit = [recolor(name, color, run_time=0.4) for name, color in step.names]
            self.play(*lit, *(Create(path, run_time=0.6) for path in step.paths))
            if step.words:
                self.play(FadeIn(*step.words), run_time=0.3)
        self.let_read()
