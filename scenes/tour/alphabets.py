"""Letter counts against 26 rotated alphabets: the largest dot product decrypts the message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import Cryptogram
from clockhead.model.films.tour.alphabets import GrowingCryptogram, growing_cryptogram
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.dot_products import DotProducts
from clockhead.scenes.caesar.letter import send_letter
from clockhead.scenes.caesar.letters_chart import letter_size
from clockhead.scenes.caesar.scores import Found
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.spelling import plural
from clockhead.scenes.stage import CAPTION, Derived, Handle, Steps, beat
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, together
from clockhead.scenes.style.theme import Role
from clockhead.scenes.tour.inputs import TurnedTextInputs

_EACH = 0.25
"""Fraction of the time of the whole rise that one letter takes."""
_TURN = 1.2
"""Seconds in which the message turns into its ciphertext, or back."""


def _rotation_sentence(message: Cryptogram) -> str:
    most = "Rotation {found} scores most"
    if message.is_tied:
        most = "No other scores more than rotation {found}"
    if message.found == 0:
        return f"{most}, so every letter stays as it is."
    return f"{most}. So turn every letter back by {{found}}."


def _limit_sentence(message: GrowingCryptogram) -> str:
    if not message.is_read:
        return _misread_sentence(message)
    if message.n_too_few == 0:
        return "Even its first letter tells, but by luck: only a long text is like English."
    n = message.letters_too_few
    first = "first letter alone fits" if n == 1 else f"first {n} letters alone fit"
    scores = message.running_scores[message.n_too_few]
    how = "better" if scores[message.misled_to] > scores[message.rotation] else "no worse"
    return f"Its {first} rotation {message.misled_to} {how}: only a long text is like English."


def _misread_sentence(message: Cryptogram) -> str:
    if message.found == message.rotation:
        return (
            f"That is right, but rotation {message.runner_up} scores the same: "
            "only a long text is like English."
        )
    scores = "scores the same" if message.rotation in message.leaders else "scores less"
    return (
        f"But that is wrong. The true one, {message.rotation}, {scores}: "
        "only a long text is like English."
    )


class Alphabets(DotProducts):
    """Letter counts against 26 rotated alphabets: the largest dot product decrypts the message."""

    Inputs = TurnedTextInputs
    title = "{n_rotations} alphabets, {n_rotations} dot products"
    question = "Which of them fits?"
    caption = "{limit}"
    claims = ()
    english_role = "key"
    score_role = "score"
    leaves = ("message",)  # type: ignore[assignment]
    tells = ("multiply_", "add_up", "slide", "rise", "limit")
    derived = DotProducts.derived | {
        "limit": Derived("why short texts may be decrypted wrongly", _limit_sentence)
    }

    handles = (  # type: ignore[assignment]
        Handle(
            "text",
            ("to be or not to", "the cat and the dog and the", "jazz quiz jazz"),
            beat="rise",
        ),
    )

    values: GrowingCryptogram

    @classmethod
    def compute(cls, inputs: Any) -> GrowingCryptogram:
        return growing_cryptogram(inputs.text, inputs.rotation)

    def layout(self) -> None:
        super().layout()
        self.english.slide_to(0).interpolate(1.0)
        self.message = Ciphertext(self["ciphertext"])
        place_message(self.canvas, self.message)

    @beat("Multiply the two heights at every letter: here at “{largest}”.")
    def multiply_(self) -> Steps:
        self.add(self.products, self.equation)
        yield self.equation.appear(run_time=0.8)
        yield 0.3 * self.reading
        yield FadeOut(self.equation, run_time=0.4)
        yield 0.4 * self.products.rise(*range(N_ROTATIONS), lag=0.3)

    @beat("Add them up: a dot product, as of query and key, tells how well they fit.")
    def add_up(self) -> Steps:
        yield from super().add_up()

    @beat("Slide English on, and add up again: a bar for every rotation.")
    def slide(self) -> Steps:
        yield FadeOut(self.sum, run_time=0.4)
        yield (
            self.products.take_posture(self.piled, run_time=1.0),
            FadeIn(self.rotations, run_time=1.0),
        )
        self.add(self.scores)
        yield FadeOut(self.products, run_time=0.4)
        yield self._slide_through(range(1, N_ROTATIONS), self.reading)

    @beat(_rotation_sentence)
    def rise(self) -> Steps:
        """Each letter moves from the bar that counts it to its place, and is turned back."""
        yield self.english.slide_to(self["found"], run_time=0.7)
        others = [r for r in range(len(self.scores.places)) if r != self.values.found]
        away = FadeOut(self.counted, self.letters, self.english, run_time=1.0)
        yield self.scores.dim_bars(others), FadeIn(self.best), *self._rise(2.2), away
        self.message.show_first(self.values.n_tokens)
        turned = self["turned_back"]
        if len(turned) > 1:
            yield self.message.turn(turned, run_time=min(4.0, 0.25 * (len(turned) - 1)))

    def _rise(self, run_time: float) -> list[Drive]:
        """Animations of the letters from the tips of their bars to the message."""
        self.message.show_first(0)
        self.add(self.message)
        ways, n = list[Drive](), self.values.n_tokens
        size = letter_size(self.charts.upper.x.pitch, self.letters.texts)
        for k in self.message.labels:
            leaves, letter = (1 - _EACH) * k / n, int(self.values.tokens[k])
            start = self.charts.upper.at(letter, self.values.histogram[letter])
            ways.append(
                send_letter(
                    self.message.copy_of(k),
                    (start, size),
                    self.message.cell_of(k),
                    run_time=run_time,
                    rate_func=_delayed_rate(leaves),
                )
            )
        return ways

    @beat(CAPTION)
    def limit(self) -> Steps:
        """Show a prefix that is too short, for which another rotation leads, then the whole text.

        Rotations are those of the ciphertext, so its letters are shown meanwhile.
        """
        if not self.values.is_read:
            yield from self._show_rival()
            return
        turned = self["turned_back"]
        few, full = self.values.n_too_few, self.rotations.y.scaling
        time = 0.3 * self.reading
        self.rotations.marks = [self.scores]  # the other marks are no longer needed
        moves = list[Any]()
        if few:
            series, rival = self["running_scores"], self.values.misled_to
            high = max(full.high, float(self.values.running_scores[few].max()))
            lower = self.rotations.rescale(y=Scale(full.low, high, line=False), run_time=0.8)
            rest = range(few, self.values.n_tokens)
            if len(turned) > 1:
                yield self.message.turn(turned[::-1], run_time=_TURN)
            yield together(FadeOut(self.best), self.message.tint(rest, "muted"), run_time=0.4)
            yield self.scores.to(series[few], run_time=0.8), lower
            words = f"{plural(self.values.letters_too_few, 'letter')}: rotation "
            self.ahead = Found(self["misled_to"], self.scores, role="wrong", words=words)
            self.ahead.redraw()
            seen = FadeIn(self.ahead, run_time=0.4)
            yield self.scores.recolor(rival, "wrong", run_time=0.4), seen
            yield 2.6
            yield FadeOut(self.ahead, run_time=0.3)
            self.rotations.marks = [self.scores]
            back = self.scores.through(series[few:], run_time=time)
            higher = self.rotations.rescale(y=full, run_time=time)
            moves = [self.scores.dim_bars(rival), back, higher]
        every = range(self.values.n_tokens)
        yield *moves, self.message.tint(every, "key", run_time=time)
        if few:
            turns = [self.message.turn(turned, run_time=_TURN)] if len(turned) > 1 else []
            yield FadeIn(self.best, run_time=0.4), *turns

    def _show_rival(self) -> Steps:
        """Highlight the true rotation, or another one with the same score."""
        found, true = self.values.found, self.values.rotation
        role: Role = "wrong" if found == true else "value"
        other = "runner_up" if found == true else "rotation"
        label = Found(self[other], self.scores, role=role)
        label.redraw()
        gone = [] if label.is_clear_of(self.best) else [FadeOut(self.best, run_time=0.4)]
        lit = self.scores.recolor(int(getattr(self.values, other)), role, run_time=0.6)
        yield [lit, *gone]
        yield FadeIn(label, run_time=0.4)
        every = range(self.values.n_tokens)
        yield 0.3 * self.message.tint(every, "key")


def _delayed_rate(leaves: float) -> Callable[[float], float]:
    """A rate that starts after a fraction of the time, and never reaches 1 before the end."""
    return lambda share: min(0.999, max(0.0, (share - leaves) / _EACH))
