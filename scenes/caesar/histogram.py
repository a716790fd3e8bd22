"""The letters are counted, and English slides along until it fits: the shape was only turned."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Create, FadeIn, FadeOut, SurroundingRectangle, VGroup, linear
from numpy.typing import NDArray

from model.caesar import ENGLISH, N_ROTATIONS, SPACE, counts, encode
from model.cryptogram import Cryptogram
from model.tokens import LETTERS
from scenes.caesar.common import CryptogramStage, cryptogram_facts, solved, unrivalled
from scenes.facts import Fact
from scenes.parts.charts.facing_bars import FacingBars
from scenes.parts.tokens.lined_text import LinedText
from scenes.stage import Finding
from scenes.style.layout import Region
from scenes.style.motion import Drive, in_turn, recolor
from scenes.style.text import Label

_FALL = 0.8
"""Seconds that a letter takes from the text to its bar."""


class Histogram(CryptogramStage):
    """The letters are counted, and English slides along until it fits: the shape is only turned."""

    title = "The shape survives"
    question = "What does a shift leave as it was?"
    caption = "{moral}"

    @classmethod
    def facts(cls, values: Cryptogram) -> dict[str, Fact]:
        peak = int(values.counts.argmax())
        usual = int(ENGLISH.argmax())
        return {
            **cryptogram_facts(values),
            "moral": moral(values.rotation),
            "commonest": LETTERS.tokens[peak],
            "commonest_count": int(values.counts[peak]),
            "commonest_is": LETTERS.tokens[(peak - values.rotation) % N_ROTATIONS],
            "english_commonest": LETTERS.tokens[usual],
            "english_commonest_share": float(ENGLISH[usual]),
            "english_rarest": LETTERS.tokens[int(ENGLISH.argmin())],
        }

    @classmethod
    def checks(cls, values: Cryptogram) -> list[Finding]:
        plain = counts(encode(values.text))[:N_ROTATIONS]
        return [
            solved(values),
            unrivalled(values),
            Finding(
                f"the counts are those of the plaintext, turned by {values.rotation}",
                bool((np.roll(plain, values.rotation) == values.counts).all()),
                f"{values.counts.tolist()}",
            ),
        ]

    @classmethod
    def arrays(cls, values: Cryptogram) -> dict[str, NDArray[Any]]:
        return {
            "cipher_tokens": values.tokens,
            "counts": values.counts,
            "histogram": values.histogram,
            "english": ENGLISH,
            "templates": values.templates,
            "rotations": np.arange(N_ROTATIONS),
        }

    @classmethod
    def narration(cls, values: Cryptogram) -> tuple[str, ...]:
        known = cls.facts(values)
        fit = f"Turned by {values.rotation}, it fits best"
        ties = int((values.counts == values.counts.max()).sum())
        tallest = "the tallest bar" if ties == 1 else "one of the tallest bars"
        return (
            "Only the ciphertext is left. Count its letters.",
            f"English has a shape of its own: “{known['english_commonest']}” often, "
            f"“{known['english_rarest']}” hardly ever.",
            "Laid over the ciphertext, it does not fit yet. Slide it along."
            if values.rotation
            else "Lay it over the ciphertext, and slide it along, once round.",
            f"{fit}: “{known['commonest']}”, {tallest}, stands for “{known['commonest_is']}”.",
        )

    def construct(self) -> None:
        self._place()
        self._count()
        self._english()
        self._slide()
        self._fit()

    def _place(self) -> None:
        """The two charts, and the text where the second one will hang."""
        self.charts = FacingBars(self.values.histogram, ENGLISH, self.canvas)
        self.peak = int(self.values.counts.argmax())
        page, room = self.canvas, self.charts.lower.region
        below = Region(page.left, page.bottom, page.right, room.top - 0.25)
        self.lined = LinedText(self.values.ciphertext, below, most=36)
        self.letters = [int(k) for k in np.flatnonzero(self.values.tokens != SPACE)]
        self.text = {k: self._letter(k).center_on(self.lined.at(k)) for k in self.letters}

    def _letter(self, k: int) -> Label:
        color = self.theme.text_color("key")
        return Label(
            self.values.ciphertext[k], size=self.lined.size, weight="semibold", color=color
        )

    def _count(self) -> None:
        """Every letter falls on its bar, and the bar grows by one."""
        self.beat("count")
        upper = self.charts.upper
        full = upper.values
        self.number = upper.number(self.peak, float(self.values.counts[self.peak]), "d", suffix="×")
        upper.show(np.zeros(N_ROTATIONS))
        self.play(self.say(0), FadeIn(VGroup(*self.text.values())), run_time=0.8)
        self.play(FadeIn(self.charts.standing), run_time=0.6)
        self.wait(0.6)
        self.play(self._fall(min(4.2, _FALL + 0.06 * len(self.letters))))
        upper.show(full)
        self.remove(*self.falling)
        self.play(FadeIn(self.number), run_time=0.3)
        self.let_read(least=0.4)

    def _fall(self, run_time: float) -> Drive:
        """Letters leave the text in reading order; what has left is dimmed."""
        upper, flight = self.charts.upper, _FALL / run_time
        self.falling = [self._letter(k).center_on(self.lined.at(k)) for k in self.letters]
        columns = [int(self.values.tokens[k]) for k in self.letters]
        unit = upper.unit / len(self.values.tokens)  # height of one letter
        stacked = np.zeros(N_ROTATIONS)
        start, end = [], []
        for k, column in zip(self.letters, columns, strict=True):
            stacked[column] += 1
            start.append(self.lined.at(k))
            y = upper.zero + stacked[column] * unit
            end.append(np.array([upper.middle(column), y, 0.0]))
        left = [False] * len(columns)

        def show(at: NDArray[np.float64]) -> None:
            landed = np.zeros(N_ROTATIONS)
            shares = in_turn(float(at), len(columns), flight)
            for i, (label, share) in enumerate(zip(self.falling, shares, strict=True)):
                if share > 0 and not left[i]:
                    self.text[self.letters[i]].set_fill(self.theme.muted)
                    left[i] = True
                landed[columns[i]] += share == 1
                across, down = min(1.0, 1.6 * share), share**2
                way = np.array([across * (2 - across), down, 0.0])
                label.center_on(start[i] + (end[i] - start[i]) * way)
                label.set_fill(opacity=float(0 < share < 1))
            upper.show(landed / len(self.values.tokens))

        parts = VGroup(upper, *self.text.values(), *self.falling)
        return Drive(parts, show, 0.0, 1.0, run_time=run_time, rate_func=linear)

    def _english(self) -> None:
        """What one would count in plain English hangs under the same letters."""
        self.beat("english")
        lower, usual = self.charts.lower, int(ENGLISH.argmax())
        color = self.theme.text_color("attention")
        self.share = lower.number(usual, float(ENGLISH[usual]), ".1%", color=color)
        lower.show(np.zeros(N_ROTATIONS))
        self.play(self.say(1), FadeOut(VGroup(*self.text.values()), run_time=0.5))
        self.play(FadeIn(self.charts.hanging), run_time=0.5)
        self.play(lower.to(ENGLISH), run_time=1.0)
        self.play(FadeIn(self.share), run_time=0.3)
        self.let_read()

    def _slide(self) -> None:
        """The outline of English lies over the ciphertext and slides on, step by step."""
        self.beat("slide")
        self.play(self.say(2), FadeOut(VGroup(self.number, self.share)), run_time=0.6)
        self.add(self.charts.outline)
        self.play(self.charts.lay_over(run_time=1.1))
        self.play(FadeIn(self.charts.counter), run_time=0.3)
        self.let_read(least=0.6)
        turns = self.values.rotation
        turns += N_ROTATIONS if turns < 4 else 0
        self.play(self.charts.slide_to(turns, run_time=min(4.5, 1.0 + 0.24 * turns)))

    def _fit(self) -> None:
        """Where it fits, the tallest bar is read."""
        self.beat("fit")
        green = self.theme.text_color("value")
        plain = (self.peak - self.values.rotation) % N_ROTATIONS
        pair = VGroup(self.charts.upper.names[self.peak], self.charts.lower.names[plain])
        frame = SurroundingRectangle(pair, color=green, buff=0.08, corner_radius=0.06)
        self.play(
            self.say(3),
            recolor(self.charts.outline, self.theme.value),
            recolor(self.charts.counter, green),
        )
        self.play(Create(frame), recolor(pair, green))
        self.let_read()


def moral(rotation: int) -> str:
    """What to take away; a shift by 0 is none."""
    if rotation == 0:
        return "A shift by 0 moves nothing: English fits the counts best where it is."
    return (
        "A shift gives every letter another name, but the shape of the counts survives: "
        f"it is only turned, by {rotation}."
    )
