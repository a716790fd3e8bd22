"""The race of 26 rotations: the histogram so far, a logit for each, and the guess."""

from __future__ import annotations

import numpy as np
from manim import VGroup, linear, smooth
from numpy.typing import ArrayLike, NDArray

from model.caesar import N_ROTATIONS
from scenes.parts.charts.letter_bars import LetterBars, quiet, rotation_names
from scenes.style.layout import PX, Region
from scenes.style.motion import Drive, along
from scenes.style.text import Label, Number
from scenes.style.theme import Role, theme
from scenes.style.type import MIN_SIZE, SMALL

_HEADING = 0.36
"""Room for a heading, in units."""
_ROOMY = 8.0
"""Regions wider than this have room for words beside the charts."""


class RotationRace(VGroup):
    """A histogram over the logits that follow from it, token by token.

    `mixed` (T, 26 or more) holds what each position has got from all so far, `logits` (T, 26) what
    the unembedding makes of it; the largest is the guess. The tallest bar of a chart
    is always as high as there is room. `tight` leaves out the largest logit's number.

    `template` (26,) is what rotation 0 would look like; `sweep` slides its outline, to the
    histogram's scale, over the histogram. The outline is not added.
    """

    def __init__(
        self,
        mixed: ArrayLike,
        logits: ArrayLike,
        truth: int,
        region: Region,
        *,
        template: ArrayLike,
        tight: bool = False,
    ) -> None:
        super().__init__()
        self._expected = np.asarray(template, dtype=float)  # (26,)
        self._shares = np.asarray(mixed, dtype=float)[:, :N_ROTATIONS]  # (T, 26)
        self._logits = np.asarray(logits, dtype=float)  # (T, 26)
        self.truth = truth
        self._build_bars(region, tight=tight)
        self.add(self.histogram, self.histogram_words, self.logits, self.logits_words)

    def show_histogram(self, n: float) -> None:
        """The histogram after n tokens; a fraction lies between two."""
        shares = along(self._shares, n - 1)
        self.histogram.show(shares / shares.max())

    def show_logits(self, n: float) -> None:
        """The logits after n tokens."""
        logits = along(self._logits, n - 1)
        self.logits.show(logits / logits.max())

    def sweep(self, n: int, *, run_time: float) -> Drive:
        """Slide the template on, rotation by rotation; each brings out its logit after n tokens."""
        scale, logits = self._shares[n - 1].max(), self._logits[n - 1]
        heights = np.minimum(self._expected / scale, 1.0)
        self.template.show(heights)

        def show(at: NDArray[np.float64]) -> None:
            whole = np.floor(float(at))
            self.template.turn(whole + smooth(float(at) - whole))
            self.logits.show(
                logits / logits.max() * np.clip(float(at) + 1 - np.arange(N_ROTATIONS), 0, 1)
            )

        part = VGroup(self.template, self.logits)
        return Drive(part, show, -1, N_ROTATIONS - 1, run_time=run_time, rate_func=linear)

    def show_guess(self, n: float) -> None:
        """Mark the largest logit after n tokens, and name it."""
        logits, look = along(self._logits, n - 1), theme()
        guess = int(logits.argmax())
        role: Role = "value" if guess == self.truth else "wrong"
        for r, bar in enumerate(self.logits.bars):
            bar.set_fill(getattr(look, role) if r == guess else quiet())
        color, area = look.text_color(role), self.logits.area
        self.guess.set_value(guess).set_fill(color)
        self.value.set_value(float(logits[guess])).set_fill(color)
        self.value.put(self.logits.tip(guess) + np.array([0.0, 0.08, 0.0]))
        inside = max(0.0, area.left - self.value.get_left()[0])
        inside -= max(0.0, self.value.get_right()[0] - area.right)
        self.value.shift(np.array([inside, 0.0, 0.0]))

    def _build_bars(self, region: Region, *, tight: bool) -> None:
        """The histogram over the logits; what they say beside them, where there is room."""
        roomy = region.width > _ROOMY
        side, room = (1.35, 0.0) if roomy else (0.0, _HEADING)
        charts = Region(region.left, region.bottom, region.right - side, region.top)
        histogram, logits = charts.rows(1.0, 1.0 if tight else 1.15, gap=0.22)
        zeros, value = np.zeros(N_ROTATIONS), SMALL * PX * 1.4
        self.histogram = LetterBars(zeros, histogram, high=1.0, color=theme().key, room=room)
        self.template = LetterBars(zeros, histogram, high=1.0, size=self.histogram.size, room=room)
        self.template.remove(self.template.line, *self.template.names)
        for bar in self.template.bars:
            bar.set_fill(opacity=0).set_stroke(theme().attention, 3)
        self.logits = LetterBars(
            zeros,
            logits,
            high=1.0,
            color=quiet(),
            names=rotation_names(logits.width / N_ROTATIONS),
            size=MIN_SIZE,
            room=room if tight else room + value,
        )
        self.value = Number(0.0, ".4f", size=SMALL, weight="semibold")
        self._build_readouts(histogram, logits, roomy)
        self.readings = VGroup(self.guess_words, self.guess, *([] if tight else [self.value]))

    def _build_readouts(self, histogram: Region, logits: Region, roomy: bool) -> None:
        """What the charts are called, and the guess."""
        blue, ink = theme().text_color("key"), theme().ink
        first = int(self._logits[0].argmax())
        self.guess_words = VGroup()
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
        self.logits_words = VGroup(words("logits", y, ink))
        self.guess_words.add(words("the guess:", y - 0.4, ink))
        self.guess = Number(first, "d", size=60, weight="semibold", align="left")
        self.guess.put(np.array([x, y - 1.03, 0.0]))
