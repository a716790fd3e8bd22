"""A message that nobody can read, and the two rings with which such messages are written."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.wheel import CipherWheel, cipher_wheel
from clockhead.model.tokens import LETTERS
from clockhead.scenes.caesar.ciphertext import Ciphertext, message_above
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.letter import send_letter
from clockhead.scenes.caesar.rings import Rings, beside_rings
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import CAPTION, Derived, Stage, Steps, beat, together
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import SMALL

NAME = "Caesar cipher"
LONG_NAME = "a coded letter is the letter plus a secret key"
_LARGE, _WORD = 60.0, 44.0
"""The sizes of the message while it stands alone, and of the example, in pixels."""
_MOST_LETTERS = 10
_CARD = 1.2
"""Seconds that the film's name stands once it is written."""
_SLOW, _FAST, _MOST_TIME = 1.1, 0.6, 3.2
"""Seconds in which a letter is looked up, the first and each other, and all the others at most."""

Word = Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS, pattern=r"^[a-z]+$")]


def _answer(wheel: CipherWheel) -> str:
    if wheel.message.rotation == 0:
        return "You can, for its letters have stayed what they were."
    if wheel.message.n_letters == 1:
        return "This letter stands for another."
    return "Each letter stands for another."


def _turned(wheel: CipherWheel) -> str:
    r = wheel.example.rotation
    if r == 0:
        return "The inner ring turns by 0 places: it stays. That number is the key."
    places = "1 place" if r == 1 else f"{r} places"
    return f"The inner ring turns by {places}: that number is the key."


def _secret(wheel: CipherWheel) -> str:
    with_key = "With the key, anyone turns it back and reads. "
    if wheel.message.rotation == 0:
        return with_key + "This one can be read as it is."
    return with_key + "This one is secret."


class Wheel(Stage[CipherWheel]):
    """A message that nobody can read, and two rings that show how such messages are written."""

    class Inputs(CryptogramInputs):
        """The message, and a word with another key that shows how it was written."""

        example: Word = Field(
            "caesar",
            description=f"one word of up to {_MOST_LETTERS} letters a to z that is written letter "
            "by letter",
        )
        example_rotation: int = Field(
            3, ge=0, le=25, description="how many places the letters of that word are moved"
        )

    title = "A secret message"
    question = "How was it written?"
    caption = "Without it there are {n_rotations} to try. A machine tries them all at once."
    opens = ("message",)
    leaves = ("message", "rings")
    derived = {
        "plain": Derived("the first letter of the example", lambda v: v.example.text[0]),
        "cipher": Derived("what it becomes", lambda v: v.example.ciphertext[0]),
    }

    @classmethod
    def compute(cls, inputs: Inputs) -> CipherWheel:
        example = cryptogram(inputs.example, inputs.example_rotation)
        return cipher_wheel(inputs.cryptogram, example)

    def layout(self) -> None:
        self.message = Ciphertext(self["message.ciphertext"], most=_LARGE)
        below = message_above(self.canvas, self.message)
        self.top = self.message.lines
        self.message.place(self.canvas)
        self.card = TitleCard(NAME, LONG_NAME)
        self.card.place(below)
        self.card.hide()
        self.rings = Rings(self["example.turns"][0])
        before, after = beside_rings(below, self.rings)
        self.plain = Ciphertext(self["example.text"], "position", most=_WORD)
        self.cipher = Ciphertext(self["example.ciphertext"], most=_WORD)
        self.plain.place(before)
        self.cipher.place(after)
        self.plain.light_to(0).interpolate(1.0)
        self.cipher.show_first(0)
        size, hub = min(_WORD, 0.62 * self.rings.hub / PX), self.rings.middle
        self.key = Figure(self["example.turns"][0], ".0f", size=size)
        self.key.put(hub - np.array([0.0, 0.1 * size * PX, 0.0]))
        self.named = Label("key", size=SMALL, align="center")
        self.named.put(hub - np.array([0.0, 0.1 * size * PX + 1.1 * SMALL * PX, 0.0]))
        self.unknown = Label("?", size=1.6 * size, weight="semibold", align="center")
        self.unknown.center_on(hub)

    @beat(_answer, ask="Can you read this?")
    def riddle(self) -> Steps:
        assert self.top is not None
        yield self.message.go_to(self.top, run_time=1.6), self.card.appear(run_time=2.4)
        yield _CARD

    @beat("Two rings write it: inside what you mean, outside what you send.")
    def two_rings(self) -> Steps:
        self.add(self.rings)
        yield self.rings.appear(run_time=0.75 * self.reading), self.card.disappear(run_time=0.5)
        yield FadeIn(self.plain)

    @beat(_turned)
    def turn(self) -> Steps:
        turns = self["example.turns"]
        yield FadeIn(self.key, run_time=0.4)
        yield 0.7 * together(self.rings.through(turns), self.key.through(turns))
        yield FadeIn(self.named, run_time=0.5)

    @beat("Look each letter up: “{plain}” inside, “{cipher}” outside. Spaces stay.")
    def write(self) -> Steps:
        self.add(self.cipher)
        example = self.values.example
        plain, cipher = (LETTERS.encode(text) for text in (example.text, example.ciphertext))
        n = len(plain)
        for k in range(n + 1):
            time = _SLOW if k < 2 else min(_FAST, _MOST_TIME / (n - 1))
            moves = list[Drive]()
            if k < n:
                moves.append(self.rings.frame(int(plain[k]), run_time=time))
                moves.append(self.plain.light_to(k + 1, start=k, run_time=time))
            if k > 0:
                way = self.rings.outer_place(int(cipher[k - 1])), self.cipher.cell_of(k - 1)
                moves.append(send_letter(self.cipher.copy_of(k - 1), *way, run_time=time))
            yield moves
            self.cipher.show_first(k)

    @beat(_secret)
    def secret(self) -> Steps:
        away = [FadeOut(part) for part in (self.key, self.named, self.plain, self.cipher)]
        self.rings.window.set_opacity(0)
        yield self.rings.through(self["example.turns"][::-1], run_time=0.4 * self.reading), *away
        yield FadeIn(self.unknown)

    @beat(CAPTION)
    def keys(self) -> Steps:
        keys, time = self["keys"], self.reading
        self.key.set_to(keys[0])
        yield together(FadeOut(self.unknown), FadeIn(self.key), run_time=0.3)
        turns = self.key.through(keys[:-1], run_time=time * (len(keys) - 2) / (len(keys) - 1))
        yield self.rings.through(keys, run_time=time), turns
