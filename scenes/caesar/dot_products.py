"""Heights times heights, summed, for each rotation: the largest sum reads the message."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, VGroup, linear, smooth
from numpy.typing import NDArray

from model.caesar import ENGLISH, N_ROTATIONS, SPACE
from model.cryptogram import Cryptogram
from model.tokens import LETTERS
from scenes.caesar.common import CryptogramStage, cryptogram_facts, solved, unrivalled
from scenes.facts import Fact, format_fact
from scenes.parts.charts.facing_bars import FacingBars
from scenes.parts.charts.product_sum import ProductSum
from scenes.parts.charts.score_race import ScoreRace
from scenes.parts.tokens.lined_text import LinedText
from scenes.stage import Finding
from scenes.style.layout import Region
from scenes.style.motion import Drive, in_turn, recolor, slide
from scenes.style.text import Label
from scenes.style.theme import mix

N_WRITTEN = 3
"""How many products are written out; the largest."""
_BESIDE = 11.0
"""Frames with less room across have the charts one above the other, in units."""
_TIGHT = 7.0
"""Lower ones have no room for charts, scores and text at once."""
_SLOW_STEPS = 3


class DotProducts(CryptogramStage):
    """Heights times heights, summed, for each rotation: the largest sum reads the message."""

    title = "{n_rotations} rotations, {n_rotations} dot products"
    question = "The eye sees where English fits. How can a machine?"
    caption = (
        "Products are large where tall meets tall, so the largest dot product "
        "finds the rotation: {found}."
    )

    @classmethod
    def facts(cls, values: Cryptogram) -> dict[str, Fact]:
        written = written_products(values)
        return {
            **cryptogram_facts(values),
            "n_rotations": N_ROTATIONS,
            "first_dot_product": float(values.dot_products[0]),
            "first_others": float(np.delete(values.products[0], written).sum()),
            "n_others": N_ROTATIONS - len(written),
            "largest_product_letter": LETTERS.tokens[written[0]],
        }

    @classmethod
    def checks(cls, values: Cryptogram) -> list[Finding]:
        return [
            solved(values),
            unrivalled(values),
        ]

    @classmethod
    def arrays(cls, values: Cryptogram) -> dict[str, NDArray[Any]]:
        return {
            "cipher_tokens": values.tokens,
            "histogram": values.histogram,
            "templates": values.templates,
            "products": values.products,
            "dot_products": values.dot_products,
            "ranking": values.ranking,
            "rotations": np.arange(N_ROTATIONS),
        }

    @classmethod
    def narration(cls, values: Cryptogram) -> tuple[str, ...]:
        spec = score_spec(values)
        best, second = (
            format_fact(float(values.dot_products[r]), spec) for r in values.ranking[:2]
        )
        return (
            "Multiply the two heights at every letter.",
            "The sum of all products is one number for how well they fit: a dot product.",
            f"Turn English by one place and do it again, {N_ROTATIONS} times in all.",
            f"Rotation {values.found} scores most, {best}; "
            f"the runner-up, {values.ranking[1]}, {second}.",
            f"Turn every letter back by {values.found}, and the message can be read."
            if values.found
            else "Rotation 0 turns no letter: the message stood there all along.",
        )

    def construct(self) -> None:
        self.known = self.facts(self.values)
        self._place()
        self._multiply()
        self._add_up()
        self._race()
        self._winner()
        self._decode()

    def _place(self) -> None:
        """Charts at the left, or above; scores at the right, or below; the text under both.

        In a low narrow frame the text waits, and takes the place of the charts in the end.
        """
        page = self.canvas
        self.is_beside = page.width > _BESIDE
        self.is_tight = not self.is_beside and page.height < _TIGHT
        band, rest = page.cut_bottom(1.0 if self.is_beside else 1.7, 0.2)
        if self.is_beside:
            charts, self.side = rest.columns(1.12, 1.0, gap=0.5)
            self.sheet = self.side
        elif self.is_tight:
            band, self.side = page.rows(1.0, 1.0, gap=0.25)
            charts, self.sheet = band, self.side
        else:
            charts, self.side = rest.rows(1.5, 1.0, gap=0.25)
            self.sheet = Region(page.left, page.bottom, page.right, self.side.top)
        self.charts = FacingBars(self.values.histogram, ENGLISH, charts, numbers=False)
        lined = LinedText(self.values.ciphertext, band, most=30)
        muted, green = self.theme.muted, self.theme.text_color("value")
        places = [int(k) for k in np.flatnonzero(self.values.tokens != SPACE)]
        self.spots = [lined.at(k) for k in places]
        self.cipher, self.plain = (
            [
                Label(text[k], size=lined.size, weight="semibold", color=color).center_on(spot)
                for k, spot in zip(places, self.spots, strict=True)
            ]
            for text, color in ((self.values.ciphertext, muted), (self.values.decoded, green))
        )

    def _multiply(self) -> None:
        """For English as it is: the largest products, letter by letter."""
        self.beat("multiply")
        shown = [self.charts, self.charts.counter]
        shown += self.cipher if self.is_beside else []
        self.play(FadeIn(*shown), self.say(0), run_time=0.7)
        written = written_products(self.values)
        first = self.values.products[0]
        others = [k for k in range(N_ROTATIONS) if k not in written]
        self.sum = ProductSum(
            [(LETTERS.tokens[k], self.values.histogram[k], ENGLISH[k], first[k]) for k in written],
            float(self.known["first_others"]),
            float(self.values.dot_products[0]),
            self.sheet,
            names=(f"{self.known['n_others']} others", "dot product"),
            roles=("key", "attention"),
            specs=(".3f", score_spec(self.values)),
        )
        look, charts = self.theme, self.charts
        shades = [mix(look.ground, c, 0.3) for c in (look.key, look.attention)]
        pair = (charts.upper, charts.lower)
        self.play(*(c.light(others, s, run_time=0.5) for c, s in zip(pair, shades, strict=True)))
        for line in self.sum.lines[: len(written)]:
            self.play(FadeIn(line), run_time=0.35)
            self.wait(0.35)
        self.let_read(least=0.2)
        self.lit = others

    def _add_up(self) -> None:
        """All letters together make one number, which is the first bar of a race."""
        self.beat("add up")
        look, charts = self.theme, self.charts
        self.play(
            self.say(1),
            charts.upper.light(self.lit, look.key),
            charts.lower.light(self.lit, look.attention),
            FadeIn(self.sum.lines[-1]),
        )
        self.play(FadeIn(self.sum.bottom, self.sum.total), run_time=0.5)
        self.wait(1.2)
        self._stack()
        self.let_read(least=0.3)

    def _stack(self) -> None:
        """The products pile up into the first bar; their sum goes to the race's heading."""
        heading, spec = "dot product for each rotation", score_spec(self.values)
        self.race = ScoreRace(self.values.dot_products, self.side, heading=heading, spec=spec)
        self.race.show(-1.0)
        self.score = self.sum.total
        right, up, _ = np.diag(self.race.corner - self.score.anchor)
        away = FadeOut(VGroup(self.sum.around, self.sum.bottom))
        self.play(away, slide(self.score, right), run_time=0.5)
        stack = self.race.stack(self.sum.products, run_time=1.7)
        self.play(FadeIn(self.race, run_time=0.4), slide(self.score, up, run_time=0.5), stack)
        self.remove(*self.sum.products)

    def _race(self) -> None:
        """English slides on, and every rotation gets its bar; the leader is lit."""
        self.beat("race")
        late_text = [] if self.is_beside or self.is_tight else self.cipher
        self.play(self.say(2), *(FadeIn(letter) for letter in late_text), run_time=0.5)
        self.play(self._run(0, _SLOW_STEPS, 1.7))
        self.play(self._run(_SLOW_STEPS, N_ROTATIONS - 1, 4.4))
        self.wait(0.3)

    def _run(self, start: int, end: int, run_time: float) -> Drive:
        """English slides step by step; while it moves, the next bar grows."""
        part = VGroup(self.charts.lower, self.charts.counter, self.race, self.score)
        scores = self.values.dot_products

        def show(at: NDArray[np.float64]) -> None:
            whole = float(np.floor(float(at) + 1e-9))
            turned = whole + smooth(float(at) - whole)
            self.charts.turn(turned)
            self.score.set_value(float(scores[self.race.show(turned)]))

        return Drive(part, show, start, end, run_time=run_time, rate_func=linear)

    def _winner(self) -> None:
        """The largest is read off, and the second; English goes where it fits."""
        self.beat("winner")
        green = self.theme.text_color("value")
        self.play(
            self.say(3),
            FadeOut(VGroup(self.score, self.race.mark), run_time=0.3),
            self.charts.slide_to(N_ROTATIONS + self.values.found, run_time=1.4),
        )
        self.play(FadeIn(self.race.best), recolor(self.charts.counter, green), run_time=0.5)
        self.play(FadeIn(self.race.runner_up), run_time=0.5)
        self.let_read()

    def _decode(self) -> None:
        """Letter by letter the ciphertext gives way to the message."""
        self.beat("decode")
        if self.is_tight:
            shown = VGroup(self.charts, self.charts.counter)
            self.play(FadeOut(shown), self.say(4), run_time=0.4)
            self.play(FadeIn(*self.cipher), run_time=0.4)
        run_time = min(3.0, 0.8 + 0.04 * len(self.plain))
        flip = 0.5 / run_time

        def show(at: NDArray[np.float64]) -> None:
            shares = in_turn(float(at), len(self.plain), flip)
            for share, spot, old, new in zip(
                shares, self.spots, self.cipher, self.plain, strict=True
            ):
                way = smooth(float(share))
                drop = np.array([0.0, 0.16, 0.0])
                old.center_on(spot - way * drop).set_fill(opacity=max(0.0, 1 - 2 * way))
                new.center_on(spot + (1 - way) * drop).set_fill(opacity=max(0.0, 2 * way - 1))

        part = VGroup(*self.cipher, *self.plain)
        decode = Drive(part, show, 0.0, 1.0, run_time=run_time, rate_func=linear)
        self.play(decode, *([] if self.is_tight else [self.say(4)]))
        self.remove(*self.cipher)
        self.let_read()


def written_products(values: Cryptogram) -> list[int]:
    """The letters with the largest products for rotation 0, those above 0 and at least one."""
    first = values.products[0]
    order = np.argsort(-first, kind="stable")[:N_WRITTEN]
    return [int(k) for k in order if first[k] > 0]


def score_spec(values: Cryptogram) -> str:
    """Enough digits for the two largest dot products to read differently."""
    return f".{max(4, math.ceil(-math.log10(max(values.lead, 1e-9))) + 1)}f"
