"""A message that nobody can read, and the two rings that encrypted it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import Field

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import cryptogram
from clockhead.model.films.caesar.wheel import CipherWheel, cipher_wheel
from clockhead.model.tokens import LETTERS
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.letter import send_letter
from clockhead.scenes.caesar.rings import Rings, place_rings
from clockhead.scenes.parts.card import TitleCard
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.stage import CAPTION, REST, Handle, Stage, Steps, beat, together
from clockhead.scenes.stage.camera import CameraMove
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.text import Label
from clockhead.scenes.style.type import SMALL

NAME = "Caesar cipher"
LONG_NAME = "each letter, moved on by a secret number"
_LARGE, _WORD = 60.0, 44.0
"""Sizes of the message while it is alone, and of the example, in pixels at 720p."""
_NEAR = 3.6
"""Largest width of the room for a word beside the rings, in units."""
_MOST_LETTERS = 10
"""Longest example word."""
_CARD = 1.2
"""Pause after the film's name has appeared, in seconds."""
_SLOW, _FAST, _MOST_TIME = 1.1, 0.6, 3.2
"""Time to look up the first letter, any other letter, and at most all others, in seconds."""

Word = Annotated[str, Field(min_length=1, max_length=_MOST_LETTERS, pattern=r"^[a-z]+$")]


def _answer_sentence(wheel: CipherWheel) -> str:
    if wheel.message.rotation == 0:
        return "You can, for its letters have stayed what they were."
    if wheel.message.n_letters == 1:
        return "This letter stands for another one."
    return "Each letter stands for another one."


def _turn_sentence(wheel: CipherWheel) -> str:
    r = wheel.example.rotation
    if r == 0:
        return "Turn the inner ring, here by 0 places: it stays. This rotation is the secret key."
    places = "1 place" if r == 1 else f"{r} places"
    return f"Turn the inner ring, here by {places}. This rotation is the secret key."


def _is_turned(wheel: CipherWheel) -> bool:
    return wheel.message.rotation != 0


class Wheel(Stage[CipherWheel]):
    """A message that nobody can read, and two rings that show how it was encrypted."""

    class Inputs(CryptogramInputs):
        """The message, and an example word with another key."""

        example: Word = Field(
            "caesar",
            description=f"one word of up to {_MOST_LETTERS} letters a to z, which is encrypted "
            "letter by letter",
        )
        example_rotation: int = Field(
            3, ge=0, le=25, description="rotation of the example word, in places"
        )

    title = "A secret message"
    caption = "It can count letters. That will be enough."
    opens = ("message",)
    leaves = ("message", "rings")

    handles = (Handle("example_rotation", "0,1,2,3,5,7,10,13,16,19,22,25", beat="write"),)

    @classmethod
    def compute(cls, inputs: Inputs) -> CipherWheel:
        example = cryptogram(inputs.example, inputs.example_rotation)
        return cipher_wheel(inputs.cryptogram, example)

    def layout(self) -> None:
        self.message = Ciphertext(self["message.ciphertext"], most=_LARGE)
        below = place_message(self.canvas, self.message)
        self.top = self.message.lines
        self.message.place(self.canvas)
        self.card = TitleCard(NAME, LONG_NAME)
        self.card.place(below)
        self.rings = Rings(self["example.turns"][0])
        before, after = place_rings(below, self.rings)
        self.plain = Ciphertext(self["example.text"], "position", most=_WORD)
        self.cipher = Ciphertext(self["example.ciphertext"], most=_WORD)
        if before.right < after.left:
            before = replace(before, left=max(before.left, before.right - _NEAR))
            after = replace(after, right=min(after.right, after.left + _NEAR))
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

    @beat(_answer_sentence, ask="Can you read this?")
    def riddle(self) -> Steps:
        assert self.top is not None
        yield self.message.go_to(self.top, run_time=1.6)
        yield self.card.appear(run_time=2.4)
        yield _CARD

    @beat("It was written with two rings of letters.")
    def two_rings(self) -> Steps:
        self.add(self.rings)
        yield self.rings.appear(run_time=2.0), FadeOut(self.card, run_time=0.5)
        yield self._zoom_in()
        yield FadeIn(self.plain)

    def _zoom_in(self) -> CameraMove:
        """Zoom in on the rings and the words beside them."""
        return self.look_at(self.rings, self.plain, self.cipher, run_time=1.4)

    @beat(_turn_sentence)
    def turn(self) -> Steps:
        turns = self["example.turns"]
        yield FadeIn(self.key, run_time=0.4)
        yield 0.5 * together(self.rings.through(turns), self.key.through(turns))
        yield FadeIn(self.named, run_time=0.5)

    @beat(
        "Now find each letter inside, and write the one outside: “{example.text}” becomes "
        "“{example.ciphertext}”."
    )
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

    @beat(
        lambda wheel: (
            "Our message has a rotation of its own. "
            "Try {tried}, and read each letter from the outer ring to the inner. That is not it."
            if _is_turned(wheel)
            else "Our message was turned by 0 places: it can be read as it is."
        ),
        rest=REST,
    )
    def secret(self) -> Steps:
        yield self.look_back(), FadeOut(self.plain, self.cipher, self.named)
        self.rings.window.set_opacity(0)
        if _is_turned(self.values):
            start = self["keys"][0]
            yield together(self.rings.to(start), self.key.to(start), run_time=0.8)
            yield 0.6 * together(self._try_keys(0, self.values.tried))

    def _try_keys(self, first: int, last: int) -> list[Drive]:
        """Turn the rings and the number through some keys, and decrypt the message with each."""
        keys = self["keys"][first : last + 1]
        turned = [self.message.turn(self["attempts"][first : last + 1])]
        return [self.rings.through(keys), self.key.through(keys), *turned]

    @beat("There are {n_rotations} keys to try, and one of them is right.")
    def keys(self) -> Steps:
        tried = self.values.tried if _is_turned(self.values) else 0
        yield together(self._try_keys(tried, N_ROTATIONS - 1), run_time=max(3.0, self.reading))
        again = self.message.turn(self["attempts"][N_ROTATIONS - 1 :])
        yield together(self.rings.through(self["keys"][N_ROTATIONS - 1 :]), again, run_time=0.4)
        yield FadeOut(self.key), FadeIn(self.unknown)

    @beat(CAPTION, ask="But how can a machine tell which one, if it knows no words?")
    def count(self) -> Steps:
        n = self.values.message.n_tokens
        yield self.message.light_to(0, start=n, run_time=0.6)
        yield self.message.light_to(n, run_time=min(3.0, 0.05 * n + 0.5))
