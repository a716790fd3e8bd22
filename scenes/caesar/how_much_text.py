"""A message that is too short to break, and how much text each method needs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from manim import Succession, VGroup, linear
from numpy.typing import NDArray
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.how_much_text import TextNeeded, text_needed
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.scores import Found, score_bars, score_chart
from clockhead.scenes.caesar.verdicts import DASHES, Verdicts
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.curves import Dots, Rule, Trace
from clockhead.scenes.parts.figures import Readout
from clockhead.scenes.parts.scale import Scale
from clockhead.scenes.spelling import counted, listed
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    Derived,
    Handle,
    Row,
    Stage,
    StageInputs,
    Steps,
    beat,
    fit,
    together,
)
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut, recolor
from clockhead.scenes.style.theme import Role

BY_DOT: Role = "position"
"""Colour of the method that uses frequencies (dot products)."""
BY_LOGS: Role = "token"
"""Colour of the method that uses log-frequencies."""
BY_COMMONEST: Role = "residual"
"""Colour of the method that takes the most common letter for e."""
_SHARE = ".0%"
_AXES = 26.0
"""Size of the curves' numbers and axis names, in pixels at 720p."""
_CHART = (5.5, 1.2)
"""Least size of the chart of curves, in units."""
FewLetters = Annotated[str, Field(min_length=1, max_length=8, pattern=r"^[a-z]+( [a-z]+)*$")]


def _letters_said(values: TextNeeded) -> str:
    n = values.short.n_letters
    return "one letter" if n == 1 else f"{counted(n)} letters"


def _guess_sentence(values: TextNeeded) -> str:
    short = values.short
    said = "Here are {letters}, turned by a secret rotation. "
    if not short.is_tied:
        return f"{said}Counting finds {{short.found}}: that would read “{{short.decoded}}”."
    leaders = listed(map(str, short.leaders.tolist()))
    return f"{said}Rotations {leaders} share the highest score."


def _truth_sentence(values: TextNeeded) -> str:
    short = values.short
    if short.is_read:
        return "That is right, this time."
    was = f"In fact it was “{short.text}”"
    if short.is_tied and short.place == 1:
        return f"{was}: the true rotation, {short.rotation}, is only one of these."
    place = "shares place" if short.shares_place else "comes in place"
    return f"{was}. By score, the true rotation, {short.rotation}, {place} {{short.place}} of 26."


class HowMuchText(Stage[TextNeeded]):
    """A message that is too short to break, and how much text each method needs."""

    class Inputs(StageInputs):
        """A short message, and the length at which the methods are compared."""

        short_text: FewLetters = Field(
            "a bay", description="a message too short to break: up to 8 characters a to z"
        )
        short_rotation: int = Field(
            3, ge=0, le=25, description="rotation of the short message, in places"
        )
        length: Literal[4, 8, 16, 32, 64, 128] = Field(
            16, description="length in characters at which the methods are compared"
        )

    title = "How much text does it take?"
    caption = (
        "One way finds more, at every length: with {mark} characters, {log_likelihood:.0%} instead "
        "of {dot:.0%}. It does not add, it multiplies."
    )
    opens = ("message", "turns")
    derived = {
        "letters": Derived("number of letters in the short message, in words", _letters_said)
    }

    handles = (Handle("length", (4, 8, 16, 32, 64, 128)),)

    @classmethod
    def compute(cls, inputs: Inputs) -> TextNeeded:
        return text_needed(cryptogram(inputs.short_text, inputs.short_rotation), inputs.length)

    def layout(self) -> None:
        self._lay_short()
        self.opening = Ciphertext(self["opening_ciphertext"], gutter=DASHES)
        below = place_message(self.canvas, self.opening)
        self.verdicts = Verdicts(self["opening_right"], self.opening)
        self._lay_curves()
        legend, wide = self.legend, self.lengths
        fit(below, Row(wide, Column(*legend), weights=(3, 1)), Column(wide, Row(*legend)))

    def _lay_short(self) -> None:
        """Make the short message and its scores."""
        self.message = Ciphertext(self["short.ciphertext"])
        below = place_message(self.canvas, self.message)
        self.turns = score_chart(self, "short.dot_products")
        self.scores = score_bars(self["short.dot_products"], self.turns, grown=False)
        fit(below, self.turns)
        self.found = VGroup()
        if not self.values.short.is_tied:
            self.found.add(Found(self["short.found"], self.scores))
            self.found[0].redraw()

    def _lay_curves(self) -> None:
        """Make the curves of accuracy by length, on a log scale, and their values at one length."""
        lengths = self.values.lengths.tolist()
        ticks = tuple(map(float, lengths))
        across = Scale(ticks[0], ticks[-1], ticks, "d", name="characters", log=True)
        up = Scale(0.0, 1.0, (0.0, 0.5, 1.0), _SHARE, name="read right")
        self.lengths = Chart(across, up, size=_AXES, least=_CHART)
        self.by_dot = self._curve("dot_shares", BY_DOT)
        self.by_commonest = self._curve("commonest_shares", BY_COMMONEST)
        self.by_logs = self._curve("log_shares", BY_LOGS)
        self.one_length = self._dot(lengths.index(self.values.stretch), _SHARE)
        self.plenty = self._dot(lengths.index(self.values.enough), _SHARE)
        self.mark = Rule(self["mark"], self.lengths, upright=True)
        self.legend = VGroup(
            self._read_off("dot", "dot products", BY_DOT),
            self._read_off("log_likelihood", "products", BY_LOGS),
            self._read_off("commonest", "commonest is e", BY_COMMONEST),
        )

    def _curve(self, path: str, role: Role) -> Trace:
        return Trace(self[path], self.lengths, x=self["lengths"], role=role, drawn=0)

    def _dot(self, k: int, spec: str | None = None) -> Dots:
        return Dots(
            self["dot_shares"],
            self.lengths,
            x=self["lengths"],
            role=BY_DOT,
            spec=spec,
            size=_AXES,
            standing=[k],
        )

    def _read_off(self, path: str, method: str, role: Role) -> Readout:
        words = self.say_of(f"{method}, at {{mark}}")
        return Readout(self[path], _SHARE, words=words, color=role)

    def _slide(self, **options: Any) -> Drive:
        """Slide a lit window along the text."""
        n, last = self.values.stretch, len(self.values.opening_right) - 1

        def show(place: NDArray[Any]) -> None:
            start = min(int(place), last)
            for k, label in self.opening.labels.items():
                lit = start <= k < start + n
                label.set_fill(self.theme.token if lit else self.theme.muted)

        return Drive(self.opening, show, 0.0, last + 1.0, rate_func=linear, **options)

    @beat(_guess_sentence)
    def few(self) -> Steps:
        short = self.values.short
        yield self.scores.grow(lag=0.2, run_time=1.2)
        if short.is_tied:
            return
        time = min(0.6 * self.reading, 0.4 * short.found)
        turned = [self.message.turn(self["short.turned_back"], run_time=time)] if time else []
        yield FadeIn(self.found), *turned

    @beat(_truth_sentence)
    def truth(self) -> Steps:
        short, places = self.values.short, range(self.values.short.n_tokens)
        if short.is_read:
            yield 0.6 * self.message.paint(self["short.text"], places)
            return
        wrong = [r for r in short.leaders.tolist() if r != short.rotation]
        others = [r for r in range(N_ROTATIONS) if r not in (*wrong, short.rotation)]
        yield 0.3 * together(
            self.scores.recolor(wrong, "wrong"),
            self.scores.recolor(others, "residual"),
            self.message.tint(places, None if short.is_tied else "wrong"),
            recolor(self.found, self.theme.text_color("wrong")),
        )
        steps = self["corrections"]
        turned = [self.message.turn(steps)] if len(steps) > 1 else []
        yield 0.5 * together(self.message.tint(places, None), *turned)

    @beat(
        "How much text does it take? Slide a window of {stretch} characters along a text, and mark "
        "its start in green where counting finds the key."
    )
    def slide(self) -> Steps:
        gone = FadeOut(self.message, self.turns, self.scores, self.found, run_time=0.3)
        yield Succession(gone, FadeIn(self.opening, self.lengths, run_time=0.5))
        self.add(self.verdicts)
        n, time = len(self.values.opening_right), max(3.5, 0.85 * self.reading)
        yield self._slide(run_time=time), self.verdicts.run(0, n, run_time=time)

    @beat(
        "In all {n_words} words, the key is found in {stretch_share:.0%} of such windows. Longer "
        "ones do better."
    )
    def longer(self) -> Steps:
        n = len(self.opening.text)
        yield together(FadeIn(self.one_length), self.opening.light_to(n), run_time=0.6)
        yield 0.6 * self.by_dot.draw_to(1)

    @beat("With {enough} characters, it is found in {enough_share:.0%}.", rest=REST)
    def enough(self) -> Steps:
        yield FadeIn(self.plenty)

    @beat("The old trick, to take the most common letter for “e”, needs far more text.")
    def commonest(self) -> Steps:
        yield FadeOut(self.plenty)
        yield 0.6 * self.by_commonest.draw_to(1)
        yield FadeIn(self.mark, self.legend[0], self.legend[2], run_time=0.6)

    @beat(CAPTION, rest=REST)
    def logarithms(self) -> Steps:
        yield 0.5 * self.by_logs.draw_to(1)
        yield FadeIn(self.legend[1])
