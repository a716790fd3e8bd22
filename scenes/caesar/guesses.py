"""The histogram, the logits and the guess, character by character, until the guess settles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import VGroup, linear
from numpy.typing import NDArray

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.films.caesar.guesses import RunningGuesses, running_guesses
from clockhead.scenes.caesar.bins import Bins, Squat, share_scale
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.scores import NAMED, score_bars, score_chart
from clockhead.scenes.caesar.verdicts import GUTTER, Guess, Turns, Verdicts
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Derived,
    Handle,
    Row,
    Stage,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, Moves, along

_APART = 0.25
"""Gap between the name of a guess and its share, in units."""


def _first_letter_sentence(values: RunningGuesses) -> str:
    letter = "its only" if values.transformer.n_tokens == 1 else "one"
    commonest = "“{cryptogram.english_commonest}”, the most common one"
    rotation = "That would be rotation {transformer.first_guess}."
    return f"From {letter} letter, it can only guess {commonest}. {rotation}"


def _guess_sentence(values: RunningGuesses) -> str:
    first = ", or the first of equals," if values.transformer.n_tied else ""
    return f"The highest bar{first} is the guess: under each letter, green if it is right."


def _settled_sentence(values: RunningGuesses) -> str:
    solver = values.transformer
    if solver.settled == "first":
        return "Rotation {transformer.found}, from the first letter to the last."
    times = {1: "once", 2: "twice"}.get(solver.n_changes, "{transformer.n_changes} times")
    if solver.settled == "last":
        last = "" if solver.n_changes == 1 else "the last time "
        return f"The guess changes {times}, {last}with the very last letter."
    spaces = ", spaces too," if " " in values.cryptogram.text else ""
    end = f"After {{transformer.settled_after}} characters{spaces} it stays {{transformer.found}}."
    return f"The guess changes {times}. {end}"


def _unread_sentence(values: RunningGuesses) -> str:
    cryptogram = values.cryptogram
    if cryptogram.is_tied:
        return (
            "In the end several rotations score the same, and it can only take the first of them."
        )
    if values.n_wrong == values.transformer.n_tokens:
        return (
            "It is never right: the key is {cryptogram.rotation}, but these letters say otherwise."
        )
    return "It was right for a while, but not in the end: the key is {cryptogram.rotation}."


def _moral_sentence(values: RunningGuesses) -> str:
    if values.cryptogram.is_read:
        return "One layer of attention, every weight written by hand, has found the key."
    return (
        "It can only count, and a text this short, or this unlike English, does not tell the key."
    )


def _is_read(values: RunningGuesses) -> bool:
    return values.cryptogram.is_read


def ceilings(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest share from each step on; (T, bins) to (T,), never increasing."""
    largest = shares.max(axis=1)  # (T,)
    return np.asarray(np.maximum.accumulate(largest[::-1])[::-1])


class Guesses(Stage[RunningGuesses]):
    """The histogram, the logits and the guess, character by character."""

    Inputs = CryptogramInputs
    title = "One guess after every character"
    caption = "{moral}"
    opens = ("message", "letters", "counted", "rotations", "scores")
    leaves = ("message",)
    derived = {
        "moral": Derived("a sentence about the final guess", _moral_sentence),
        "n_rotations": Derived("number of rotations", lambda _: N_ROTATIONS),
    }

    handles = (
        Handle(
            "text",
            ("meet me at the tree at ten", "to be or not to be", "attack at dawn", "jazz quiz"),
            beat="settled",
        ),
    )

    compute = running_guesses

    def layout(self) -> None:
        solver = self.values.transformer
        self.n = solver.n_tokens
        self.message = Ciphertext(self["cryptogram.ciphertext"], gutter=GUTTER)
        below = place_message(self.canvas, self.message, gap=0.25)
        self.message.light_to(1).interpolate(1.0)
        self.highest = np.stack([ceilings(solver.head_out), ceilings(solver.logits)], axis=1)
        self.bins = Bins(self, self["transformer.head_out"][0], high=1.0)
        self.rotations = score_chart(self, "transformer.logits")
        fit(
            below,
            Row(self.bins, self.rotations),
            Column(self.bins, Squat(self.rotations), gap=0.12, weights=(2, 3)),
        )
        self.letters, self.counted = self.bins.letters, self.bins.counted
        self.scores = score_bars(self["transformer.logits"][0], self.rotations, "probability")
        self.guess = Guess(self["transformer.predictions"], self["is_right"], self.scores)
        self.verdicts = Verdicts(self["is_right"], self.message)
        self.turns = Turns(
            self["turns"], self["transformer.predictions"], self["is_right"], self.message
        )
        self.sure = Figure(self["share"], ".1%", size=NAMED, align="left")
        self._rescale(np.array(1))

    def _rescale(self, n: NDArray[np.float64]) -> None:
        """Rescale both charts to their largest bars from character `n` on."""
        charts = (self.bins.chart, self.rotations)
        for chart, high in zip(charts, along(self.highest, float(n) - 1), strict=True):
            chart.y.rescale(share_scale(float(high)))
            chart.place_area(chart.area)

    @beat(_first_letter_sentence)
    def one(self) -> Steps:
        self.verdicts.read_to(1)
        self.turns.read_to(1)
        yield FadeIn(self.guess, run_time=0.25 * self.reading)
        yield FadeIn(self.verdicts, run_time=0.25 * self.reading)

    @beat(
        _guess_sentence,
        ask="It guesses again after every character. How many will it need?",
        when=lambda values: values.transformer.n_tokens > 1,
    )
    def run(self) -> Steps:
        """Read to the end, or until a right guess becomes wrong."""
        self.add(self.turns)
        yield from self._read_between(1, self.values.relapse or self.n)

    @beat(
        "One more letter, and it is wrong: few letters can mislead.",
        when=lambda values: values.relapse > 0,
    )
    def relapse(self) -> Steps:
        yield 0.4 * self.turns.flash()

    @beat("So it reads on.", when=lambda values: 0 < values.relapse < values.transformer.n_tokens)
    def on(self) -> Steps:
        yield from self._read_between(self.values.relapse, self.n)

    def _read_between(self, start: int, end: int) -> Steps:
        """Read on and pause at each new guess; fast after the last one."""
        turns = self.values.turns.tolist()
        haste = max(1.0, len(turns) / 4)
        for k, (before, turn) in enumerate(pairwise(turns), 2):
            if start <= before and turn <= end:
                yield self._read(before, turn, run_time=min(3.0, 0.5 * (turn - before)) / haste)
                self.turns.read_to(k)
                yield 0.9 / haste
        if turns[-1] < end:
            yield self._read(turns[-1], end, run_time=min(2.4, 1.0 + 0.1 * self.n))

    def _read(self, start: int, end: int, *, run_time: float) -> Moves:
        """Read characters `start` to `end`, and update charts and guess."""
        rows = slice(start - 1, end)
        charts = VGroup(self.bins.chart, self.rotations)
        return together(
            self.message.light_to(end, start=start),
            Drive(charts, self._rescale, start, end, rate_func=linear),
            self.counted.through(self["transformer.head_out"][rows]),
            self.scores.through(self["transformer.logits"][rows]),
            self.guess.run(start, end),
            self.verdicts.run(start, end),
            run_time=run_time,
        )

    @beat(_settled_sentence, when=lambda values: values.transformer.n_tokens > 1)
    def settled(self) -> Steps:
        yield 0.3 * self.turns.flash()
        yield 0.3 * self.message.focus(range(self.values.transformer.settled_after))

    @beat(_unread_sentence, when=lambda values: not values.cryptogram.is_read)
    def unread(self) -> Steps:
        yield FadeOut(self.turns)

    @beat(
        "But how sure is it? Softmax makes the bars nearly level: {share:.1%} for rotation "
        "{transformer.found}, where {n_rotations} equal ones have {even:.1%} each.",
        when=_is_read,
    )
    def doubt(self) -> Steps:
        level = share_scale(float(self.values.shares.max()))
        yield (
            self.scores.to(self["shares"], run_time=1.5),
            self.rotations.rescale(y=level, run_time=1.5),
        )
        self._place_share()
        yield FadeIn(self.sure)

    def _place_share(self) -> None:
        """Place the guess's share beside its name, on the side with room."""
        name, own = self.guess.figure.number, self.sure.number
        left, right = name.get_left(), name.get_right()
        ends_at = right[0] + _APART + own.width
        x = right[0] + _APART if ends_at < self.canvas.right else left[0] - _APART - own.width
        self.sure.put(np.array([x, name.get_bottom()[1], 0.0]))

    @beat(
        "Multiply the logits by {sharpness} first, and it is {sharp_share:.1%}. The factor is our "
        "choice: they give an order, not a certainty.",
        when=_is_read,
        rest=REST,
    )
    def sharpen(self) -> Steps:
        most = share_scale(float(self.values.sharp.max()))
        yield (
            self.sure.to(self["sharp_share"], run_time=2.0),
            self.scores.to(self["sharp"], run_time=2.0),
            self.rotations.rescale(y=most, run_time=2.0),
        )

    @beat(CAPTION, rest=REST)
    def named(self) -> Steps:
        cryptogram = self.values.cryptogram
        others = [r for r in range(N_ROTATIONS) if r not in cryptogram.leaders]
        gone = [FadeOut(self.sure)] if self.sure in self.mobjects else []
        yield 0.3 * together(self.message.tint(range(self.n), None), gone)
        yield 0.5 * self.scores.dim_bars(others)
