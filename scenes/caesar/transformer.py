"""The same counting as a transformer of one layer: characters come in, and its guess settles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from model.caesar import N_ROTATIONS, N_TOKENS, SPACE, decode, rotate
from model.caesar_transformer import CaesarTransformer
from model.cryptogram import Cryptogram
from scenes.caesar.common import CryptogramInputs, cryptogram_facts
from scenes.facts import Claim, Fact, fill
from scenes.spelling import spelled
from scenes.stage import DRAWING, Stage

if TYPE_CHECKING or DRAWING:
    from manim import Create, FadeIn, FadeOut, RoundedRectangle, VGroup, linear

    from scenes.parts.arrivals import GrowingPattern, OneHotRoll
    from scenes.parts.guess_strip import GuessStrip
    from scenes.parts.letter_bars import LetterBars
    from scenes.parts.lined_text import LinedText
    from scenes.parts.motion import Drive
    from scenes.parts.pattern import along
    from scenes.parts.text import Label, Number
    from scenes.style.layout import PX, Region
    from scenes.style.theme import Role
    from scenes.style.type import MIN_SIZE, SMALL


N_FIRST = 4
"""How many characters come in while the parts are explained."""
_HEADING = 0.36
"""Room for a heading, in units."""
_NAMES = 0.26
"""Room for the names of rows, in units."""
_ROOMY = 8.0
"""Regions wider than this have room for words beside the charts."""
_SLIM = 2.5
"""Patterns narrower than this have little room for words."""
_EVERY = 0.25
"""Columns narrower than this, in units, are not all named."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A ciphertext, and the transformer that reads it."""

    cryptogram: Cryptogram
    transformer: CaesarTransformer

    @property
    def settled(self) -> str:
        """When the guess is right for good: with the `first` character, the `last`, or `between`.

        A text of one character settles with the first.
        """
        after = self.transformer.settled_after
        if after == 1:
            return "first"
        return "last" if after == len(self.transformer.tokens) else "between"


_SETTLED = {
    "first": "From the first character on, the guess is {found}, and it stays.",
    "between": "From character {settled_after} on, the guess is {found}, and it stays.",
    "last": "Only with the last character does the guess settle on {found}.",
}
_MORAL = {
    "first": "One layer, written by hand: its guess is right from the first character on.",
    "between": "One layer, written by hand: "
    "{settled_after} of {n_tokens} characters are enough to find the rotation.",
    "last": "One layer, written by hand: it needs all {n_tokens} characters to find the rotation.",
}


class Transformer(Stage):
    """One-hot tokens, attention that averages, templates as unembedding: the guess settles."""

    class Inputs(CryptogramInputs):
        pass

    title = "A transformer breaks the cipher"
    subtitle = "Can one layer of attention name the rotation?"
    caption = "{moral}"

    inputs: Inputs
    values: Reading

    @classmethod
    def compute(cls, inputs: Inputs) -> Reading:
        cryptogram = inputs.cryptogram()
        return Reading(cryptogram, CaesarTransformer(cryptogram.tokens))

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
        return {**known, "moral": fill(_MORAL[values.settled], known)}

    @classmethod
    def claims(cls, values: Reading) -> list[Claim]:
        model, cryptogram = values.transformer, values.cryptogram
        means = 1 / np.arange(1, len(model.tokens) + 1)  # (T,)
        uneven = float(np.abs(model.pattern - np.tri(len(means)) * means[:, None]).max())
        off = float(np.abs(model.logits[-1] - cryptogram.dot_products).max())
        return [
            Claim(
                f"the guess after the last character is the true rotation, {cryptogram.rotation}",
                model.found == cryptogram.rotation,
                f"it is {model.found}; the true one is in place {cryptogram.place}, for the "
                f"{cryptogram.n_letters} letters of the text do not come as often as in English",
            ),
            Claim(
                "every character attends evenly to all so far",
                uneven < 1e-12,
                f"shares are off by up to {uneven:.3g}",
            ),
            Claim(
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
            "mixed": model.mixed,
            "logits": model.logits,
            "predictions": model.predictions,
            "rotations": np.arange(N_ROTATIONS),
            "n_characters": np.arange(1, len(model.tokens) + 1),
        }

    @classmethod
    def narration(cls, values: Reading) -> tuple[str, ...]:
        notes: tuple[str, ...] = (
            "Each character is one-hot: a single 1 in {n_vocabulary} rows.",
            "With $W_Q = 0$, each attends evenly to all so far.",
            "The mean of one-hot vectors is a histogram.",
            "The unembedding: {n_rotations} templates, and a logit for each.",
            "From the start: with each character the bars race; the longest is the guess.",
            _SETTLED[values.settled],
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
        height = self._lined(area, 0.28).region.height
        text, below = area.cut_top(height, 0.28)
        self.lined = self._lined(text.inset(0.0, -0.02), 1.0)
        self.early = below.beside(1.0, 1.0, gap=0.5)
        if below.wide:
            share = 0.32 if below.width > _ROOMY else 0.29
            left, right = below.columns(share, 1 - share, gap=0.5)
            roll, pattern = left.cut_top(_HEADING, 0.0)[1].rows(1.0, 1.0, gap=0.12)
        else:
            left, right = below.rows(0.36, 0.64, gap=0.3)
            roll, pattern = left.cut_top(_HEADING, 0.0)[1].columns(1.0, 1.0, gap=0.3)
        roll = Region(roll.left + _NAMES, roll.bottom, roll.right, roll.top)
        if below.wide:
            pattern = Region(roll.left, pattern.bottom, pattern.right, pattern.top)
        self.late = [roll, pattern]
        self.early = [region.cut_top(_HEADING, 0.0)[1] for region in self.early]
        first = self.early[0]
        self.early[0] = Region(first.left + _NAMES, first.bottom, first.right, first.top)
        self._build_text()
        self._build_inputs()
        self._build_bars(right, tight=below.wide and right.width < _ROOMY)

    def _lined(self, region: Region, share: float) -> LinedText:
        """Lines as large as they may be in `share` of the height."""
        text = self.values.cryptogram.ciphertext
        space, _ = region.cut_top(share * region.height)
        return LinedText(
            text,
            space,
            rows=(1.25, 0.95),
            gap=0.25,
            most=30,
            least=20,
            pitch=1.03,
            hanging=False,
        )

    def _build_text(self) -> None:
        cryptogram, size = self.values.cryptogram, self.lined.size
        plain = decode(rotate(self.model.tokens, -self.model.found))
        self.letters = [int(k) for k in np.flatnonzero(self.model.tokens != SPACE)]
        self.cipher: dict[int, Label] = {}
        self.decoded: dict[int, Label] = {}
        green = self.theme.text_color("value")
        for k in self.letters:
            place, letter = self.lined.at(k, 0), cryptogram.ciphertext[k]
            self.cipher[k] = Label(letter, size=size, color=self.theme.muted).center_on(place)
            clear = Label(plain[k], size=size, weight="semibold", color=green)
            self.decoded[k] = clear.center_on(place)
        self.guesses = GuessStrip(
            self.lined, self.model.predictions.tolist(), self.truth, row=1, size=0.7 * size
        )

    def _build_inputs(self) -> None:
        """A column for every token, and a row of attention: large at first."""
        roll, pattern = self.early
        self.slim = self.late[1].width < _SLIM
        ink, muted = self.theme.ink, self.theme.muted
        self.roll = OneHotRoll(
            self.model.tokens.tolist(), roll, n_rows=N_TOKENS, color=self.theme.key
        )
        self.pattern = GrowingPattern(self.model.pattern, pattern)
        self.each = Number(
            1.0,
            ".1%",
            size=SMALL if self.slim else 24,
            weight="semibold",
            color=self.theme.text_color("attention"),
            suffix="" if self.slim else " each",
            align="right",
        )
        self.roll_words = VGroup(
            Label("one-hot tokens", size=SMALL, color=ink),
            Label("a", size=MIN_SIZE, color=muted, align="center"),
            Label(spelled(" "), size=MIN_SIZE, color=muted, align="center"),
        )
        size = MIN_SIZE if self.slim else SMALL
        self.pattern_words = VGroup(Label("attention", size=size, color=ink, align="right"))
        for label, spot in zip(self._words(), self._spots(roll, pattern), strict=True):
            label.put(spot)

    def _words(self) -> list[Label]:
        return [*self.roll_words, *self.pattern_words, self.each]

    def _spots(self, roll: Region, pattern: Region) -> list[NDArray[np.float64]]:
        """Where the words of the two pictures stand: names, the name of attention, its share."""
        corner = pattern.right - 0.14, pattern.top
        words = (pattern.left + self.pattern_words.width, pattern.top + 0.12)
        share = (corner[0], corner[1] - 0.36)
        if pattern.top < roll.bottom:
            words = (corner[0], corner[1] - (0.2 if self.slim else 0.28))
            share = (corner[0], corner[1] - (0.44 if self.slim else 0.6))
        spots = [
            (roll.left, roll.top + 0.12),
            (roll.left - 0.15, roll.top - 0.15),
            (roll.left - 0.15, roll.bottom + 0.03),
            words,
            share,
        ]
        return [np.array([x, y, 0.0]) for x, y in spots]

    def _build_bars(self, region: Region, *, tight: bool) -> None:
        """The histogram over the logits; what they say beside them, where there is room."""
        roomy = region.width > _ROOMY
        side, room = (1.35, 0.0) if roomy else (0.0, _HEADING)
        charts = Region(region.left, region.bottom, region.right - side, region.top)
        histogram, logits = charts.rows(1.0, 1.0 if tight else 1.15, gap=0.22)
        zeros, value = np.zeros(N_ROTATIONS), SMALL * PX * 1.4
        self.histogram = LetterBars(zeros, histogram, high=1.0, color=self.theme.key, room=room)
        all_named = logits.width / N_ROTATIONS > _EVERY
        names = [str(r) if all_named or r % 5 == 0 else " " for r in range(N_ROTATIONS)]
        self.logits = LetterBars(
            zeros,
            logits,
            high=1.0,
            color=self.theme.hairline,
            names=names,
            size=MIN_SIZE,
            room=room if tight else room + value,
        )
        self.value = Number(0.0, ".4f", size=SMALL, weight="semibold")
        self._build_readouts(histogram, logits, roomy)
        self.readings = VGroup(self.guess) if tight else VGroup(self.guess, self.value)

    def _build_readouts(self, histogram: Region, logits: Region, roomy: bool) -> None:
        """What the charts are called, and the guess."""
        blue, ink = self.theme.text_color("key"), self.theme.ink
        first = int(self.model.predictions[0])
        if not roomy:
            self.histogram_words = VGroup(
                self.histogram.heading("histogram so far", color=blue, size=SMALL)
            )
            self.logits_words = VGroup(self.logits.heading("logits", color=ink, size=SMALL))
            self.guess = Number(
                first, "d", size=28, weight="semibold", prefix="guess: ", align="right"
            ).put(np.array([logits.right, self.logits.heading_start(28)[1], 0.0]))
            return
        x = histogram.right + 0.25

        def words(text: str, y: float, color: str) -> Label:
            return Label(text, size=SMALL, color=color).put(np.array([x, y, 0.0]))

        y = histogram.top - 0.3
        self.histogram_words = VGroup(words("histogram", y, blue), words("so far", y - 0.29, blue))
        y = logits.top - 0.3
        self.logits_words = VGroup(words("logits;", y, ink), words("the guess:", y - 0.29, ink))
        self.guess = Number(first, "d", size=60, weight="semibold", align="left")
        self.guess.put(np.array([x, y - 0.95, 0.0]))

    # What n characters give

    def _show_histogram(self, n: float) -> None:
        """The histogram so far, its tallest bar as high as there is room."""
        shares = along(self.model.mixed[:, :N_ROTATIONS], n - 1)
        self.histogram.show(shares / shares.max())

    def _show_logits(self, n: float) -> None:
        """The logits so far, the largest as high as there is room, and the guess."""
        logits, whole = along(self.model.logits, n - 1), int(n)
        guess = int(self.model.predictions[whole - 1])
        role: Role = "value" if guess == self.truth else "wrong"
        self.logits.show(logits / logits.max())
        for r, bar in enumerate(self.logits.bars):
            bar.set_fill(getattr(self.theme, role) if r == guess else self.theme.hairline)
        color, area = self.theme.text_color(role), self.logits.area
        self.guess.set_value(guess).set_fill(color)
        self.value.set_value(float(self.model.logits[whole - 1, guess])).set_fill(color)
        self.value.put(self.logits.tip(guess) + np.array([0.0, 0.08, 0.0]))
        inside = max(0.0, area.left - self.value.get_left()[0])
        inside -= max(0.0, self.value.get_right()[0] - area.right)
        self.value.shift(np.array([inside, 0.0, 0.0]))

    def _light(self, n: int) -> None:
        """Write the first n characters as read."""
        color = self.theme.text_color("key")
        for k in self.letters:
            self.cipher[k].set_fill(color if k < n else self.theme.muted)

    # The story

    def _one_hot(self) -> None:
        """The first characters come in."""
        self.beat("one-hot")
        text = VGroup(*self.cipher.values())
        self.play(self.say(0), FadeIn(text, run_time=0.7))
        self.play(FadeIn(self.roll, self.roll_words), run_time=0.5)

        def show(n: NDArray[np.float64]) -> None:
            self.roll.show(float(n))
            self._light(int(float(n) + 0.5))

        part = VGroup(self.roll, self.roll_words, text)
        self.play(Drive(part, show, 0, self.first, run_time=1.4, rate_func=linear))
        self.let_read(least=0.2)

    def _attend(self) -> None:
        """Rows of the triangle, and what each gives to every character."""
        self.beat("attention")
        words = (self.pattern_words, self.each)
        self.play(self.say(1), FadeIn(self.pattern, *words), run_time=0.6)

        def show(n: NDArray[np.float64]) -> None:
            self.pattern.show(float(n))
            self._say_share(int(np.ceil(n)))

        part = VGroup(self.pattern, *words)
        self.play(Drive(part, show, 0, self.first, run_time=1.6, rate_func=linear))
        self.let_read(least=0.2)

    def _say_share(self, n: int) -> None:
        """How much the n-th character gives to each so far."""
        self.each.set_value(float(self.model.pattern[max(0, n - 1), 0]))

    def _mix(self) -> None:
        """What came in moves aside, and its mean is a histogram."""
        self.beat("histogram")
        self.play(self.say(2), self._move_aside())
        self.play(FadeIn(self.histogram, self.histogram_words), run_time=0.4)
        shares = self.model.mixed[self.first - 1, :N_ROTATIONS]
        self.play(self.histogram.to(shares / shares.max(), run_time=0.8))
        self.let_read(least=0.2)

    def _move_aside(self) -> Drive:
        """From half of the canvas each to their places in the whole."""
        before, after = (
            [np.concatenate([_edges(region) for region in regions]), *self._spots(*regions)]
            for regions in (self.early, self.late)
        )
        start, end = np.concatenate(before), np.concatenate(after)

        def show(state: NDArray[np.float64]) -> None:
            self.roll.fit(Region(*state[:4].tolist()))
            self.pattern.fit(Region(*state[4:8].tolist()))
            for label, spot in zip(self._words(), state[8:].reshape(-1, 3), strict=True):
                label.put(spot)

        part = VGroup(self.roll, self.pattern, *self._words())
        return Drive(part, show, start, end, run_time=1.0)

    def _unembed(self) -> None:
        """A template for each rotation, a logit for each template."""
        self.beat("logits")
        self.play(self.say(3), FadeIn(self.logits, self.logits_words), run_time=0.6)
        logits = self.model.logits[self.first - 1]
        self.play(self.logits.to(logits / logits.max(), run_time=0.8))
        if self.count == self.first:
            self._guess(self.first)
        self.let_read(least=0.2)

    def _guess(self, n: int) -> None:
        """Say what the first n characters amount to."""
        self._show_logits(n)
        self.guesses.show(n)
        self.play(FadeIn(self.readings, self.guesses), run_time=0.5)

    def _race(self) -> None:
        """Back to the first, then character after character, faster and faster."""
        self.beat("race")

        def show_inputs(n: NDArray[np.float64]) -> None:
            here = min(float(n), float(self.count))
            self.roll.show(here)
            self.pattern.show(here)
            self._say_share(int(here))
            self._light(int(here))
            self._show_histogram(here)

        def rewind(n: NDArray[np.float64]) -> None:
            show_inputs(n)
            logits = along(self.model.logits, float(n) - 1)
            self.logits.show(logits / logits.max())

        def show(n: NDArray[np.float64]) -> None:
            show_inputs(n)
            here = min(float(n), float(self.count))
            self._show_logits(here)
            self.guesses.show(int(here))

        inputs = (self.roll, self.pattern, *self._words(), self.histogram, self.logits)
        part = VGroup(*inputs, *self.cipher.values())
        self.play(self.say(4), Drive(part, rewind, self.first, 1, run_time=0.8))
        self._guess(1)
        self.wait(0.5)
        part = VGroup(*inputs, self.readings, self.guesses, *self.cipher.values())
        time = min(6.0, 1.0 + 0.4 * (self.count - 1))
        self.play(Drive(part, show, 1, self.count, run_time=time, rate_func=lambda t: t**1.8))
        self.let_read(least=0.2)

    def _settle(self) -> None:
        """The guess stays, and the text can be read."""
        self.beat("settled")
        last = self.lined.box(self.model.settled_after - 1, 0)
        mark = RoundedRectangle(width=last.width, height=last.height, corner_radius=0.06)
        mark.set_stroke(self.theme.ink, 3).move_to(last.center)
        self.play(self.say(len(self.narration(self.values)) - 1), Create(mark, run_time=0.6))
        self.play(
            FadeOut(VGroup(*self.cipher.values()), run_time=0.5),
            FadeIn(VGroup(*self.decoded.values()), run_time=1.4, lag_ratio=0.02),
        )
        self.let_read(least=0.6)


def _edges(region: Region) -> list[float]:
    return [region.left, region.bottom, region.right, region.top]
