"""The message's letters are counted, and English slides along their histogram until it fits."""

from __future__ import annotations

import numpy as np
from manim import Create, RoundedRectangle
from numpy.typing import NDArray

from clockhead.model.caesar.cipher import N_ROTATIONS
from clockhead.model.caesar.cryptogram import COMMONEST, MOST_NAMED, Cryptogram
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs, CryptogramStage
from clockhead.scenes.caesar.letter import send_letter
from clockhead.scenes.caesar.letters_chart import facing_charts, letter_size
from clockhead.scenes.caesar.rings import Rings, place_rings
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.spelling import listed
from clockhead.scenes.stage import CAPTION, REST, Derived, Steps, beat
from clockhead.scenes.style.layout import Region
from clockhead.scenes.style.motion import Drive, FadeIn, FadeOut
from clockhead.scenes.style.theme import Role

_FLIGHT = 0.9
"""How long a letter falls, in seconds."""
_SIDE = 0.1
"""Gap between the last frame and the letters in it, in units."""
_NUMBER = 30.0
"""Size of the numbers at single bars, in pixels at 720p."""


def _share_sentence(found: Cryptogram) -> str:
    spaces = ", spaces too" if found.n_tokens > found.n_letters else ""
    counted = f"“{{tallest}}” is {{tallest_count}} of {{n_tokens}} characters{spaces}"
    return f"{counted}: {{tallest_share:.1%}}."


def _uneven_sentence(found: Cryptogram) -> str:
    too = " too" if np.ptp(found.counts) else ""
    return (
        f"Below are the bars of ordinary English. They are uneven{too}: “{{english_commonest}}” is "
        "{english_commonest_share:.1%} of all letters, “{english_rarest}” almost none."
    )


def _slide_sentence(found: Cryptogram) -> str:
    if found.is_tied:
        if found.n_leaders > MOST_NAMED:
            return "It fits as well in {n_leaders} places."
        places = listed(map(str, found.leaders.tolist()), last="or")
        return f"By {places} letters: it fits equally well, and nowhere better."
    if found.found == 0:
        return "Not at all: nowhere else does it fit as well as where it began."
    return "By {found} {found:letter|letters}: nowhere else does it fit as well."


def _moral_sentence(found: Cryptogram) -> str:
    usual = found.english_commonest
    if found.is_tied:
        return "A rotation keeps the shape. But this one fits in several places: it does not tell."
    if not found.is_read:
        stands = f"“{found.hero_is}”" if found.rotation else "itself"
        return (
            f"But “{found.hero_letter}” stands for {stands}, not “{usual}”: this shape is too "
            "unlike English."
        )
    if found.found == 0:
        return f"Here “{usual}” stands for itself: a rotation by 0 moves nothing."
    told = f"“{found.hero_letter}” stands for “{usual}”"
    if found.counts[found.hero] > np.delete(found.counts, found.hero).max():
        return f"Tallest meets tallest: {told}. A rotation shifts the shape without changing it."
    return f"{told}: a rotation shifts the shape without changing it."


def _tallest(found: Cryptogram) -> int:
    return int(found.counts.argmax())


class Histogram(CryptogramStage):
    """The letters are counted, and English slides until it fits: rotations keep the shape."""

    Inputs = CryptogramInputs
    title = "The shape survives"
    caption = "{moral}"
    opens = ("message", "rings")
    leaves = ("message", "letters", "counted", "english")
    english_role: Role = "position"
    derived = {
        "moral": Derived("a sentence about what a rotation does to the histogram", _moral_sentence),
        "tallest": Derived(
            "the most common letter of the message, the first one if tied",
            lambda found: found.alphabet[_tallest(found)],
        ),
        "tallest_count": Derived(
            "number of times that letter occurs", lambda found: int(found.counts.max())
        ),
        "tallest_share": Derived(
            "that letter's share of all characters",
            lambda found: float(found.histogram.max()),
            "share",
        ),
    }

    def layout(self) -> None:
        self.message = Ciphertext(self["ciphertext"])
        below = place_message(self.canvas, self.message)
        self.rings = Rings(self["turns"][0])
        place_rings(below, self.rings)
        self.charts = facing_charts(self, english=self.english_role)
        self.charts.place(Region(below.left, self.canvas.bottom, below.right, below.top))
        self.counted, self.letters = self.charts.counted, self.charts.letters
        self.english = self.charts.english

    @beat("Cut both rings and roll them out: now turning is sliding.")
    def unroll(self) -> Steps:
        yield self.rings.turn_to_cut(run_time=1.2)
        rows = self.letters.labels, self.english.labels
        yield (
            self.rings.unroll(*rows, run_time=max(2.0, self.reading - 1.2)),
            self.message.light_to(0, start=self.values.n_tokens, run_time=1.0),
        )
        self.rings.outer.reveal(0.0)
        self.add(self.letters)
        yield FadeIn(self.charts.upper, run_time=0.4)

    @beat("Now count the message: each letter drops onto its own name.")
    def count(self) -> Steps:
        n, counted = self.values.n_tokens, self["histograms"]
        time = max(0.8 * self.reading, min(5.5, _FLIGHT + 0.07 * n))
        each = _FLIGHT / time
        self.counted.set_to(counted[0])
        self.add(self.counted)
        yield (
            *(self._drop(k, (1 - each) * k / n, each, time) for k in self.message.labels),
            self.message.light_to(n, run_time=time * (1 - each)),
            self.counted.through(
                counted, run_time=time, rate_func=lambda s: max(0.0, (s - each) / (1 - each))
            ),
        )
        self.counted.set_to(self["histogram"])

    def _drop(self, k: int, leaves: float, each: float, time: float) -> Drive:
        """Drop a letter from below the message onto its bar."""
        letter = int(self.values.tokens[k])
        goal = self.charts.upper.at(letter, self.values.histograms[k + 1, letter])
        start = np.array([self.message.middle(k)[0], self.message.region.bottom, 0.0])
        size = letter_size(self.charts.upper.x.pitch, self.letters.texts)
        return send_letter(
            self.message.copy_of(k),
            (start, size),
            (goal, size),
            run_time=time,
            rate_func=lambda s: float(np.clip((s - leaves) / each, 0.0, 1.0)),
        )

    @beat(_share_sentence)
    def share(self) -> Steps:
        k = _tallest(self.values)
        number = Figure(self["histogram"][k], ".1%", size=_NUMBER, align="left")
        self._put_beside(number, self.counted.tip(k), -0.3)
        others = [letter for letter in range(N_ROTATIONS) if letter != k]
        yield self.counted.dim_bars(others), FadeIn(number)
        yield 0.5 * self.reading
        yield self.counted.recolor(range(N_ROTATIONS), "residual"), FadeOut(number)

    def _put_beside(self, number: Figure, tip: NDArray[np.float64], up: float) -> None:
        """Put a number to the right of a bar's tip, or to the left where the canvas ends."""
        apart, width = 0.55 * self.counted.chart.x.pitch, number.number.width
        x = tip[0] + apart
        if x + width > self.canvas.right:
            x = tip[0] - apart - width
        number.put(np.array([x, tip[1] + up, 0.0]))

    @beat(_uneven_sentence)
    def usual(self) -> Steps:
        self.english.grow().interpolate(0.0)
        self.add(self.english)
        yield self.english.grow(run_time=0.35 * self.reading), FadeOut(self.rings)
        rarest = self.values.alphabet.index(self.values.english_rarest)
        chart, height = self.english.chart, self.values.english_commonest_share
        share = Figure(self["english_commonest_share"], ".1%", size=_NUMBER, align="left")
        self._put_beside(share, chart.at(COMMONEST, height), 0.12)
        yield self.english.focus(COMMONEST, rarest), FadeIn(share)
        yield REST
        yield self.english.focus(), FadeOut(share)

    @beat(_slide_sentence, ask="How far must English slide until it fits?", rest=REST)
    def slide(self) -> Steps:
        yield self.english.slide_to(N_ROTATIONS - 1, stepwise=True, run_time=3.5)
        yield self.english.slide_to(self["found"], run_time=1.5)

    @beat(CAPTION, rest=REST)
    def fits(self) -> Steps:
        hero = self.values.hero
        pair = self.letters.labels[hero], self.english.labels[COMMONEST]
        top, bottom = pair[0].get_top()[1] + _SIDE, pair[1].get_bottom()[1] - _SIDE
        width = 0.96 * self.charts.upper.x.pitch
        frame = RoundedRectangle(width=width, height=top - bottom, corner_radius=0.08)
        frame.move_to((self.letters.spot(hero)[0], (top + bottom) / 2, 0.0))
        frame.set_stroke(self.theme.attention, 4)
        others = [k for k in range(N_ROTATIONS) if k != hero]
        yield Create(frame), self.english.focus(COMMONEST), self.counted.dim_bars(others)
        yield 0.5 * self.reading
        lit = self.counted.recolor(range(N_ROTATIONS), "residual")
        yield FadeOut(frame), self.english.focus(), lit
