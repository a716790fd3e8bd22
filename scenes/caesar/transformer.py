"""The same counting as a transformer of one layer: characters come in, and its guess settles."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, RoundedRectangle, VGroup, linear
from numpy.typing import NDArray

from model.caesar import ENGLISH, N_ROTATIONS, N_TOKENS, decode, rotate
from model.caesar_first import Reading
from scenes.caesar.common import CryptogramInputs, cryptogram_facts, letters_are, unrivalled
from scenes.facts import Fact, fill
from scenes.parts.charts.rotation_race import RotationRace
from scenes.parts.matrices.intake import Intake
from scenes.parts.tokens.read_text import ReadText, height_of
from scenes.stage import Finding, Slide
from scenes.style.motion import Drive, follow

N_FIRST = 4
"""How many characters come in while the parts are explained."""


_SETTLED = {
    "first": "From the first character on, the guess is {found}, and it stays.",
    "between": "From character {settled_after} on, the guess is {found}, and it stays.",
    "last": "Only with the last character does the guess settle on {found}.",
}
_MORAL = {
    "first": "One layer, written by hand, finds the rotation; "
    "here its guess is right from the first character on.",
    "between": "One layer, written by hand, finds the rotation; "
    "here its guess settles after {settled_after} of {n_tokens} characters.",
    "last": "One layer, written by hand, finds the rotation; "
    "here only the last of {n_tokens} characters decides.",
}


class Transformer(Slide):
    """One-hot tokens, attention that averages, templates as unembedding: the guess settles."""

    class Inputs(CryptogramInputs):
        pass

    title = "A transformer breaks the cipher"
    question = "Can one layer of attention name the rotation?"
    caption = "{moral}"

    inputs: Inputs
    values: Reading

    @classmethod
    def compute(cls, inputs: Inputs) -> Reading:
        return Reading.of(inputs.cryptogram())

    @classmethod
    def facts(cls, values: Reading) -> dict[str, Fact]:
        model = values.transformer
        known: dict[str, Fact] = {
            **cryptogram_facts(values.cryptogram),
            "found": model.found,
            "settled_after": model.settled_after,
            "n_changes": int((np.diff(model.predictions) != 0).sum()),
            "n_wrong": int((model.predictions != values.cryptogram.rotation).sum()),
            "n_different": len(np.unique(model.predictions)),
            "first_guess": int(model.predictions[0]),
            "logit": float(model.logits[-1, model.found]),
            "n_rotations": N_ROTATIONS,
            "n_vocabulary": N_TOKENS,
        }
        return {**known, "moral": fill(_MORAL[values.transformer.settled], known)}

    @classmethod
    def checks(cls, values: Reading) -> list[Finding]:
        model, cryptogram = values.transformer, values.cryptogram
        means = 1 / np.arange(1, len(model.tokens) + 1)  # (T,)
        uneven = float(np.abs(model.pattern - np.tri(len(means)) * means[:, None]).max())
        off = float(np.abs(model.logits[-1] - cryptogram.dot_products).max())
        return [
            Finding(
                f"the guess after the last character is the true rotation, {cryptogram.rotation}",
                model.found == cryptogram.rotation,
                f"it is {model.found}; the true one is in place {cryptogram.place}, for "
                f"{letters_are(cryptogram)} too few, or too unlike English",
            ),
            unrivalled(cryptogram),
            Finding(
                "every character attends evenly to all so far",
                uneven < 1e-12,
                f"shares are off by up to {uneven:.3g}",
            ),
            Finding(
                "the last logits are the dot products with the templates",
                off < 1e-12,
                f"they are off by up to {off:.3g}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Reading) -> dict[str, NDArray[Any]]:
        model = values.transformer
        return {
            "tokens": model.tokens,
            "pattern": model.pattern,
            "mixed": model.head_out,
            "logits": model.logits,
            "predictions": model.predictions,
            "rotations": np.arange(N_ROTATIONS),
            "n_characters": np.arange(1, len(model.tokens) + 1),
        }

    @classmethod
    def narration(cls, values: Reading) -> tuple[str, ...]:
        notes: tuple[str, ...] = (
            "Each character is one-hot: a single 1 in {n_vocabulary} rows.",
            "No queries, $W_Q = 0$: even attention to all so far.",
            "The mean of one-hot vectors is a histogram.",
            "The unembedding: English in {n_rotations} rotations. Logits are dot products.",
            "From the start: after each character, the longest bar is the guess.",
            _SETTLED[values.transformer.settled],
        )
        # A text this short has come in while the parts were explained: there is no race.
        if len(values.transformer.tokens) <= N_FIRST:
            notes = (*notes[:4], *notes[5:])
        return tuple(fill(note, cls.facts(values)) for note in notes)

    def construct(self) -> None:
        self.model = self.values.transformer
        self.truth = self.values.cryptogram.rotation
        self.count = len(self.model.tokens)
        self.first = min(N_FIRST, self.count)
        self._place()
        self._one_hot()
        self._attend()
        self._mix()
        self._unembed()
        if self.count > self.first:
            self._race()
        self._settle()

    # Where things are

    def _place(self) -> None:
        """The text on top; under it what comes in, and beside that what follows from it."""
        area = self.canvas
        cryptogram, model = self.values.cryptogram, self.model
        text, below = area.cut_top(height_of(cryptogram.ciphertext, area, 0.28), 0.28)
        self.text = ReadText(
            cryptogram.ciphertext,
            decode(rotate(model.tokens, -model.found)),
            model.predictions.tolist(),
            self.truth,
            text.inset(0.0, -0.02),
        )
        self.guesses = self.text.guesses
        if below.wide:
            share = 0.32 if below.width > 8 else 0.29
            left, right = below.columns(share, 1 - share, gap=0.5)
        else:
            left, right = below.rows(0.36, 0.64, gap=0.3)
        early = below.beside(1.0, 1.0, gap=0.5)
        self.intake = Intake(model.tokens.tolist(), model.pattern, early, left)
        self.race = RotationRace(
            model.head_out,
            model.logits,
            self.truth,
            right,
            template=ENGLISH,
            tight=below.wide and right.width < 8,
        )

    # The story

    def _one_hot(self) -> None:
        """The first characters come in."""
        self.beat("one-hot")
        self.play(self.say(0), FadeIn(self.text, run_time=0.7))
        self.play(FadeIn(self.intake.roll, self.intake.roll_words), run_time=0.5)

        def show(n: NDArray[np.float64]) -> None:
            self.intake.roll.show(float(n))
            self.text.light(int(float(n) + 0.5))

        part = VGroup(self.intake.roll, self.intake.roll_words, self.text)
        self.play(Drive(part, show, 0, self.first, run_time=1.4, rate_func=linear))
        self.let_read(least=0.2)

    def _attend(self) -> None:
        """Rows of the triangle, and what each gives to every character."""
        self.beat("attention")
        part = VGroup(self.intake.pattern, self.intake.pattern_words, self.intake.each)
        self.play(self.say(1), FadeIn(part), run_time=0.6)
        grow = follow(part, self.intake.show_pattern, 0, self.first, run_time=1.6)
        self.play(grow)
        self.let_read(least=0.2)

    def _mix(self) -> None:
        """What came in moves aside, and its mean is a histogram."""
        self.beat("histogram")
        race = self.race
        self.play(self.say(2), self.intake.move_aside())
        self.play(FadeIn(race.histogram, race.histogram_words), run_time=0.4)
        shares = self.model.head_out[self.first - 1, :N_ROTATIONS]
        self.play(race.histogram.to(shares / shares.max(), run_time=0.8))
        self.let_read(least=0.2)

    def _unembed(self) -> None:
        """English slides over the histogram: a template for each rotation, a logit for each."""
        self.beat("logits")
        race = self.race
        self.play(self.say(3), FadeIn(race.logits, race.logits_words, race.template), run_time=0.6)
        self.play(race.sweep(self.first, run_time=2.2))
        self.play(FadeOut(race.template), run_time=0.3)
        if self.count == self.first:
            self._guess(self.first)
        self.let_read(least=0.2)

    def _guess(self, n: int) -> None:
        """Say what the first n characters amount to."""
        self.race.show_guess(n)
        self.guesses.show(n)
        self.play(FadeIn(self.race.readings, self.guesses), run_time=0.5)

    def _race(self) -> None:
        """Back to the first, then character after character, faster and faster."""
        self.beat("race")

        def rewind(n: float) -> None:
            here = min(n, float(self.count))
            self.intake.show(here)
            self.text.light(int(here))
            self.race.show_histogram(here)
            self.race.show_logits(here)

        def show(n: NDArray[np.float64]) -> None:
            rewind(float(n))
            self.race.show_guess(float(n))
            self.guesses.show(int(n))

        part = VGroup(self.intake, self.race, self.text)
        self.play(self.say(4), follow(part, rewind, self.first, 1, run_time=0.8))
        self._guess(1)
        self.wait(0.5)
        run = VGroup(self.intake, self.race, self.race.readings, self.guesses, self.text)
        time = min(5.2, 1.0 + 0.4 * (self.count - 1))
        ahead = Drive(run, show, 1, self.count, run_time=time, rate_func=_hurry)
        self.play(ahead)
        self.let_read(least=0.2)

    def _settle(self) -> None:
        """The guess stays, and the text can be read."""
        self.beat("settled")
        last = self.text.lined.box(self.model.settled_after - 1, 0)
        mark = RoundedRectangle(width=last.width, height=last.height, corner_radius=0.06)
        mark.set_stroke(self.theme.ink, 3).move_to(last.center)
        self.play(self.say(len(self.narration(self.values)) - 1), Create(mark, run_time=0.6))
        self.play(
            FadeOut(self.text, run_time=0.5),
            FadeIn(self.text.decoded, run_time=1.4, lag_ratio=0.02),
        )
        self.let_read(least=0.6)


def _hurry(share: float) -> float:
    """Slowly at first, while there is something to be seen, then faster and faster."""
    return float(share**1.8)
