"""A reader looks back; a transformer with random weights guesses at random."""

from __future__ import annotations

from manim import linear

from clockhead.model.films.trained.untrained import FirstGuess, first_guess
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.parts.strip import Strip, slide_to
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer, ask_next, blink, type_in
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    Column,
    FadeIn,
    FadeOut,
    Handle,
    Size,
    Stage,
    Steps,
    beat,
    beside,
    fit,
    together,
)
from clockhead.scenes.trained.inputs import OTHER_TEXTS, Trained
from clockhead.scenes.trained.tiles import (
    EYE,
    Guesses,
    HeadSquares,
    eye_over,
    letter_tiles,
    places_of,
    raised_row,
)

_SAMPLE = 60.0
"""Size of the letters of a training text, in pixels."""
_LETTER = 0.24
"""Seconds in which a letter is typed."""


def _typing_sentence(guess: FirstGuess) -> str:
    riddle = guess.riddle
    if riddle.is_name:
        return "Somebody makes up a name, “{riddle.first}”, and begins to type it again."
    if riddle.source + riddle.n_piece <= len(riddle.shown) - riddle.n_piece:
        return "Somebody types “{riddle.first}”, and then “{riddle.piece}” once more."
    return "Somebody types “{inputs.text}”: “{riddle.piece}” stands there twice."


def _guess_sentence(guess: FirstGuess) -> str:
    if guess.is_lucky:
        return "By luck, “{top}” gets most: {top_share:.1%}."
    return "“{top}” gets {top_share:.1%}, for no reason, and “{riddle.answer}” {share:.1%}."


def _later_sentence(guess: FirstGuess) -> str:
    if guess.later_share > guess.share:
        return "After {steps} steps, “{riddle.answer}” gets {later_share:.1%}."
    return (
        "Here it takes a while: after {steps} steps, “{riddle.answer}” gets {later_share:.1%} only."
    )


class Untrained(Stage[FirstGuess]):
    """A reader looks back; a transformer with random weights guesses at random."""

    Inputs = Trained
    title = "Nobody has set these numbers"
    caption = "Nobody tells it to look back. Will it find out?"
    opens = ("tiles",)
    leaves = ("tiles",)
    handles = (Handle("text", OTHER_TEXTS, beat="guess"),)

    compute = first_guess

    def layout(self) -> None:
        self.tiles = letter_tiles(self, hidden=None)
        self.tiles.place(self.canvas.inset(0.0, EYE))
        self.eye = eye_over(self, self.tiles, len(self.values.riddle.shown))
        raised, room = raised_row(self)
        self.row, self.box = places_of(raised)
        self.sheet = HeadSquares(self["shades"], causal=False, role="token")
        self.guesses = Guesses(self["guess"], self["letters"], grown=False)
        self.bars = self.guesses.bars
        fit(room, self.sheet)
        fit(room.inset(0.3, 0.0), self.guesses.chart)
        self.sample = Strip(self["sample"], size=_SAMPLE)
        self.sample.place(self.canvas)
        top = 1.05 * float(self.values.likely.max())
        self.rising = Guesses(self["likely"][0], self["letters"], top=top)
        self.few = Matrix(
            self["few"][0], role="value", low=-0.4, high=0.4, spec=(".2f",), most_number=34.0,
            least_cell=Size(1.0, 0.6), numbers_in_motion=True,
        )  # fmt: skip
        self.rising_bars = self.rising.bars
        of_all = self.say_of(" of {n_numbers:,d}")
        self.so_many = Figure(self["n_few"], "d", size=28.0, color="muted", suffix=of_all)
        numbers = Column(self.so_many, self.few, gap=0.15, weights=(0.0, 1.0))
        fit(room.inset(0.3, 0.0), beside(self.rising.chart, numbers, weights=(3, 2)))

    @beat(_typing_sentence, focus="tiles")
    def typed(self) -> Steps:
        n = len(self.values.riddle.shown)
        for k in range(n - self.values.riddle.n_piece, n):
            yield type_in(self.tiles, k, run_time=_LETTER)
        yield blink(self.tiles, run_time=0.6)
        yield ask_next(self.tiles)

    @beat(
        "You look back to where it stood before, and read on: “{riddle.answer}”.",
        ask="What comes next?",
        focus="tiles",
    )
    def recall(self) -> Steps:
        riddle = self.values.riddle
        source, found = riddle.source, riddle.answer_at
        self.eye.stand(self.eye.over(len(riddle.shown)))
        yield self.eye.open()
        yield self.eye.sweep([source], run_time=1.0)
        yield (
            paint(self.tiles, range(source, found), "attention"),
            self.eye.sweep([found], run_time=1.2),
        )
        yield answer(self.tiles, self["riddle.answer"], self.tiles.middle(found))

    @beat("Now a small transformer reads it. It has eight heads, in two layers.", focus="sheet")
    def heads(self) -> Steps:
        yield self.eye.close(), paint(self.tiles, range(len(self.tiles.tiles)), None)
        self.remove(self.eye)
        yield ask_next(self.tiles, run_time=0.4)
        yield slide_to(self.tiles, self.row, self.box, run_time=1.2)
        yield FadeIn(self.sheet, run_time=1.2)

    @beat(
        "Each dot is one of the {n_numbers:,d} numbers that they have. All of them are random.",
        focus="sheet",
    )
    def numbers(self) -> Steps:
        near = self.sheet.tile((0, 1))
        yield self.look_at(near, closest=3.0, run_time=1.6), FadeOut(self.tiles, run_time=0.6)
        yield 1.0
        yield self.look_back(run_time=1.2)
        yield FadeIn(self.tiles, run_time=0.4)

    @beat("Now it guesses the next letter.", focus="bars")
    def bars_(self) -> Steps:
        yield FadeOut(self.sheet, run_time=0.5)
        yield FadeIn(self.guesses.chart, run_time=0.5)
        yield self.bars.grow(lag=0.1, run_time=1.6)

    @beat(_guess_sentence, rest=REST, focus="bars")
    def guess(self) -> Steps:
        place = self.values.place
        yield self.bars.recolor(place, "right", run_time=0.4)
        yield self.bars.write(sorted({0, place}), ".1%")

    @beat(
        "To learn, it reads made-up words. Letters follow each other as in English, and pieces "
        "come again.",
        focus="sample",
    )
    def read(self) -> Steps:
        v = self.values
        yield FadeOut(self.guesses.chart, self.bars, self.tiles, run_time=0.5)
        yield FadeIn(self.sample, run_time=0.8)
        yield 1.0
        for start in v.sample_starts.tolist():
            piece = range(start, start + v.n_sample_piece)
            yield paint(self.sample, piece, "attention", run_time=0.8)

    @beat(
        "After each guess, all numbers move a little, so that the right letter would get more.",
        focus=("rising_bars", "few"),
    )
    def nudge(self) -> Steps:
        place = self.values.place
        yield FadeOut(self.sample, run_time=0.5)
        yield FadeIn(
            self.tiles, self.rising.chart, self.rising_bars, self.few, self.so_many, run_time=0.6
        )
        yield self.rising_bars.recolor(place, "right", run_time=0.1)
        yield self.rising_bars.write([place], ".1%")
        yield together(
            self.few.to(self["few"][1], rate_func=linear),
            self.rising_bars.to(self["likely"][1], rate_func=linear),
            run_time=4.0,
        )

    @beat(_later_sentence)
    def later(self) -> Steps:
        yield 0.5

    @beat(CAPTION, focus="tiles")
    def back(self) -> Steps:
        n = len(self.values.riddle.shown)
        eye = eye_over(self, self.tiles, n)
        yield eye.open()
        yield eye.sweep([n - 1], run_time=1.2)
