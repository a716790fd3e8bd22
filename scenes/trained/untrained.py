"""A reader looks back; a transformer whose numbers are random guesses whatever comes."""

from __future__ import annotations

from clockhead.model.films.trained.untrained import FirstGuess, first_guess
from clockhead.scenes.parts.strip import slide_to
from clockhead.scenes.parts.strip_looks import paint
from clockhead.scenes.parts.strip_typing import answer, ask_next, blink, type_in
from clockhead.scenes.stage import (
    CAPTION,
    REST,
    FadeIn,
    FadeOut,
    Handle,
    Stage,
    Steps,
    beat,
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

_LETTER = 0.28
"""Seconds in which a letter is typed."""


def _typed(guess: FirstGuess) -> str:
    riddle = guess.riddle
    if riddle.is_name:
        return "Somebody makes up a name, “{riddle.first}”, and begins to type it again."
    if riddle.source + riddle.n_piece <= len(riddle.shown) - riddle.n_piece:
        return "Somebody types “{riddle.first}”, and then “{riddle.piece}” once more."
    return "Somebody types “{inputs.text}”: “{riddle.piece}” stands there twice."


def _guessed(guess: FirstGuess) -> str:
    if guess.is_lucky:
        return "It guesses the next letter. By luck, “{top}” gets most: {top_share:.0%}."
    return (
        "It guesses the next letter. “{top}” gets {top_share:.0%}, for no reason, "
        "and “{riddle.answer}” {share:.0%}."
    )


class Untrained(Stage[FirstGuess]):
    """A reader looks back; a transformer whose numbers are random guesses whatever comes."""

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
        self.sheet = HeadSquares(self["shades"][0], causal=False, role="token")
        self.guesses = Guesses(self["guess"], self["letters"], grown=False)
        self.bars = self.guesses.bars
        fit(room, self.sheet)
        fit(room.inset(0.3, 0.0), self.guesses.chart)

    @beat(_typed, focus="tiles")
    def typed(self) -> Steps:
        n = len(self.values.riddle.shown)
        for k in range(n - self.values.riddle.n_piece, n):
            yield type_in(self.tiles, k, run_time=_LETTER)
        yield blink(self.tiles, run_time=1.0)
        yield ask_next(self.tiles)

    @beat(
        "You look back to where it stood before, and read on: “{riddle.answer}”.",
        ask="What comes next?",
        rest=REST,
        focus="tiles",
    )
    def recall(self) -> Steps:
        riddle = self.values.riddle
        source, found = riddle.source, riddle.answer_at
        self.eye.stand(self.eye.over(len(riddle.shown)))
        yield self.eye.open()
        yield self.eye.sweep([source], run_time=1.3)
        yield (
            paint(self.tiles, range(source, found), "attention"),
            self.eye.sweep([found], run_time=1.6),
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
        rest=REST,
        focus="sheet",
    )
    def numbers(self) -> Steps:
        near = self.sheet.tile((0, 1))
        yield self.look_at(near, closest=3.0, run_time=2.0)
        yield 1.0
        yield self.look_back(run_time=1.6)

    @beat(_guessed, rest=REST, focus="bars")
    def guess(self) -> Steps:
        place = self.values.place
        yield FadeOut(self.sheet, run_time=0.5)
        yield FadeIn(self.guesses.chart, run_time=0.5)
        yield self.bars.grow(lag=0.1, run_time=2.0)
        yield self.bars.recolor(place, "right", run_time=0.4)
        yield self.bars.write(sorted({0, place}), ".0%")

    @beat(
        "Nobody will set a number by hand. It reads made-up words, and after each guess, every "
        "number moves a little.",
        focus="sheet",
    )
    def learn(self) -> Steps:
        yield FadeOut(self.guesses.chart, self.bars, run_time=0.5)
        yield FadeIn(self.sheet, run_time=0.5)
        yield together(self.sheet.through(self["shades"][:2]), run_time=max(3.0, self.reading - 1))

    @beat(
        "Each moves so that the letter that came would have got a little more.",
        focus="sheet",
    )
    def less(self) -> Steps:
        yield together(self.sheet.through(self["shades"][1:]), run_time=max(3.0, self.reading))

    @beat(CAPTION, focus="tiles")
    def back(self) -> Steps:
        n = len(self.values.riddle.shown)
        eye = eye_over(self, self.tiles, n)
        yield eye.open()
        yield eye.sweep([n - 1], run_time=1.2)
