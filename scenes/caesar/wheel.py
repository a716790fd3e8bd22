"""Two alphabets on a wheel: one turns, and every letter meets its cipher letter."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import (
    Animation,
    Create,
    FadeIn,
    FadeOut,
    RoundedRectangle,
    VGroup,
    linear,
    smooth,
)
from numpy.typing import NDArray

from model.caesar import N_ROTATIONS, SPACE, decrypt, encode
from model.cryptogram import Cryptogram
from scenes.caesar.common import CryptogramStage, cryptogram_facts
from scenes.facts import Fact
from scenes.parts.tokens.alphabet_wheel import AlphabetWheel
from scenes.parts.tokens.lined_text import LinedText, blanks
from scenes.stage import Finding
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, along, in_turn, slide
from scenes.style.text import Label, Number

N_SLOW = 3
"""How many letters are looked up one by one."""
_FLIGHT = 0.8
"""Seconds that a letter takes from the wheel to its place."""


class Wheel(CryptogramStage):
    """Two alphabets on a wheel: one turns, and every letter meets its cipher letter."""

    title = "A wheel with two alphabets"
    question = "How do you hide a message from strangers?"
    caption = "Only {n_rotations} rotations are possible. Which one was it?"

    @classmethod
    def facts(cls, values: Cryptogram) -> dict[str, Fact]:
        return {
            **cryptogram_facts(values),
            "n_rotations": N_ROTATIONS,
            "n_spaces": int((values.tokens == SPACE).sum()),
            "first_letter": values.text[0],
            "first_cipher_letter": values.ciphertext[0],
        }

    @classmethod
    def checks(cls, values: Cryptogram) -> list[Finding]:
        plain = encode(values.text)
        steps = (values.tokens - plain)[plain != SPACE] % N_ROTATIONS
        return [
            Finding(
                f"every letter is moved by {values.rotation} places",
                bool((steps == values.rotation).all()),
                f"moved by {sorted({int(step) for step in steps})}",
            ),
            Finding(
                "turning the ciphertext back gives the message",
                decrypt(values.ciphertext, values.rotation) == values.text,
                repr(decrypt(values.ciphertext, values.rotation)),
            ),
        ]

    @classmethod
    def arrays(cls, values: Cryptogram) -> dict[str, NDArray[Any]]:
        return {
            "plain_tokens": encode(values.text),
            "cipher_tokens": values.tokens,
            "rotations": np.arange(N_ROTATIONS),
        }

    @classmethod
    def narration(cls, values: Cryptogram) -> tuple[str, ...]:
        places = "place" if values.rotation == 1 else "places"
        first, becomes = values.text[0], values.ciphertext[0]
        turn = f"The outer alphabet is turned by {values.rotation} {places}."
        meet = f"Each letter meets the one to send instead: “{first}” becomes “{becomes}”."
        if values.rotation == 0:
            turn = "Turned by 0 places, the outer alphabet stays where it is."
            meet = f"Each letter meets itself: “{first}” stays “{first}”."
        others = "The others do" if values.n_letters > N_SLOW + 1 else "The last letter does"
        rest = f"{others} the same" + ("; spaces stay." if " " in values.text else ".")
        return (
            "A message, and a wheel with two alphabets.",
            turn,
            meet,
            *([rest] if values.n_letters > N_SLOW else []),
            "A stranger sees only the ciphertext.",
        )

    def construct(self) -> None:
        self.plain = encode(self.values.text)
        self.letters = [int(k) for k in np.flatnonzero(self.plain != SPACE)]
        self._place()
        self._message()
        self._turn()
        self._look_up()
        self._stream()
        self._secret()

    def _place(self) -> None:
        """The wheel as large as it may be, the text in what is left."""
        area = self.canvas
        if area.wide:
            side = min(area.height, 0.46 * area.width)
            at, rest = area.columns(side, area.width - side)
        else:
            side = min(area.width, 0.52 * area.height)
            at, rest = area.rows(side, area.height - side)
        self.wheel = AlphabetWheel(at.center, min(at.width, at.height) / 2 - 0.08)
        self._lay_text(rest)
        hub = self.wheel.hub_radius
        self.size = min(54.0, 0.55 * hub / PX)
        self.number = Number(
            0, "d", size=self.size, weight="semibold", color=self.theme.ink, prefix="+"
        )
        self.number.center_on(at.center)

    def _lay_text(self, region: Region) -> None:
        """A place for every character, plain above cipher."""
        self.lined = LinedText(self.values.text, region, rows=(1.2, 1.2), gap=0.65, most=56)
        size, cipher = self.lined.size, self.theme.text_color("key")
        self.plain_labels, self.cipher_labels = {}, {}
        for k in self.letters:
            self.plain_labels[k] = Label(self.values.text[k], size=size)
            self.plain_labels[k].center_on(self.lined.at(k, 0))
            self.cipher_labels[k] = Label(
                self.values.ciphertext[k], size=size, weight="semibold", color=cipher
            )

    def _message(self) -> None:
        """What is to be hidden, and what hides it."""
        self.beat("message")
        text = VGroup(*self.plain_labels.values())
        self.play(self.say(0), FadeIn(text, run_time=0.8))
        self.play(FadeIn(self.wheel), run_time=0.8)
        self.let_read(least=0.3)

    def _turn(self) -> None:
        """The outer ring turns, step by step, and the hub counts."""
        self.beat("turn")
        rotation = self.values.rotation
        self.play(self.say(1), FadeIn(self.number))

        def show(at: NDArray[np.float64]) -> None:
            self.wheel.show(float(at))
            self.number.set_value(int(float(at) + 0.5))

        part = VGroup(self.wheel, self.number)
        self.play(Drive(part, show, 0, rotation, run_time=0.6 + 0.08 * rotation))
        self.let_read(least=0.3)

    def _look_up(self) -> None:
        """The first letters, one by one: find it inside, read what stands around it."""
        self.beat("look up")
        slow = self.letters[:N_SLOW]
        hub, middle = self.wheel.hub_radius, self.wheel.middle
        rise = np.array([0.0, 0.36 * hub, 0.0])
        self.play(self.say(2), slide(self.number, rise, run_time=0.5))
        self.frame_box = self._box(slow[0])
        self.pair = VGroup()
        for place, k in enumerate(slow):
            seek = 0.8 if place == 0 else 0.5
            moves: list[Animation] = [self.wheel.point_to(int(self.plain[k]), run_time=seek)]
            if place == 0:
                moves.append(Create(self.frame_box, run_time=seek))
            else:
                way = self.lined.at(k, 0) - self.frame_box.get_center()
                moves.append(slide(self.frame_box, way, run_time=seek))
                moves.append(FadeOut(self.pair, run_time=0.25))
            self.play(*moves)
            self.pair = self._pair(k).shift(middle - rise)
            self.play(FadeIn(self.pair), self._fly([k], _FLIGHT), run_time=_FLIGHT)
            self.wait(0.6 if place == 0 else 0.1)
        self.let_read(least=0.1)

    def _pair(self, k: int) -> VGroup:
        """A letter, an arrow, and the letter that is sent instead; around the origin."""
        half = 0.42 * self.wheel.hub_radius
        size = self.size
        plain = Label(self.values.text[k], size=size, weight="semibold")
        cipher = Label(
            self.values.ciphertext[k],
            size=size,
            weight="semibold",
            color=self.theme.text_color("key"),
        )
        arrow = Label("→", size=0.8 * size, color=self.theme.muted)
        return VGroup(
            plain.center_on(np.array([-half, 0.0, 0.0])),
            arrow.center_on(np.zeros(3)),
            cipher.center_on(np.array([half, 0.0, 0.0])),
        )

    def _box(self, k: int) -> RoundedRectangle:
        box = RoundedRectangle(
            width=self.lined.cell, height=float(self.lined.row_heights[0]), corner_radius=0.06
        )
        return box.set_stroke(self.theme.key, 3).move_to(self.lined.at(k, 0))

    def _stream(self) -> None:
        """All other letters leave the ring, one after another."""
        rest = self.letters[N_SLOW:]
        away = [FadeOut(VGroup(self.pair, self.frame_box), run_time=0.3)]
        shut = self.wheel.shut(run_time=0.3)
        back = slide(self.number, self.wheel.middle - self.number.middle, run_time=0.5)
        if not rest:
            self.play(*away, shut, back)
            return
        self.beat("stream")
        self.play(self.say(3), *away, shut, back)
        self.play(self._fly(rest, min(4.0, _FLIGHT + 0.1 * len(rest))))
        self.let_read(least=0.4)

    def _fly(self, places: list[int], run_time: float) -> Drive:
        """Cipher letters go from the ring to under their plain letters, one after another."""
        labels = [self.cipher_labels[k] for k in places]
        tokens = self.values.tokens
        ways = [self.wheel.way_out(int(tokens[k]), self.lined.at(k, 1)) for k in places]
        settled = [False] * len(places)

        def show(time: NDArray[np.float64]) -> None:
            shares = in_turn(float(time), len(places), _FLIGHT / run_time)
            for i, (label, way, share) in enumerate(zip(labels, ways, shares, strict=True)):
                if settled[i]:
                    continue
                label.center_on(along(way, smooth(float(share)) * (len(way) - 1)))
                label.set_fill(opacity=min(1.0, 6 * float(share)))
                settled[i] = share == 1

        return Drive(VGroup(*labels), show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def _secret(self) -> None:
        """The message is gone; any of the rotations may have been the one."""
        self.beat("secret")
        last = len(self.narration(self.values)) - 1
        self.play(
            self.say(last),
            FadeOut(VGroup(*self.plain_labels.values()), run_time=0.8),
            FadeIn(blanks(self.lined, self.letters), run_time=0.8),
        )
        self.let_read(least=0.3)
        rotation = self.values.rotation
        whole = N_ROTATIONS * (2 if rotation > N_ROTATIONS / 2 else 1)

        def show(at: NDArray[np.float64]) -> None:
            self.wheel.show(float(at))
            self.number.set_value(int(float(at) + 0.5) % N_ROTATIONS)

        part = VGroup(self.wheel, self.number)
        self.play(Drive(part, show, rotation, whole, run_time=2.4))
        mark = Label("?", size=1.6 * self.size, weight="semibold").center_on(self.wheel.middle)
        self.play(FadeOut(self.number), FadeIn(mark), run_time=0.5)
