"""The message is finally read, and it says why it could be read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import Field

from clockhead.model.films.caesar.message import DEFAULT, MOST, PhraseCounts, phrase_counts
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.inputs import CryptogramInputs
from clockhead.scenes.caesar.message_lines import MessageLines
from clockhead.scenes.caesar.rings import Rings, place_rings
from clockhead.scenes.parts.bars import Bars
from clockhead.scenes.parts.chart import Chart
from clockhead.scenes.parts.figures import Figure
from clockhead.scenes.parts.scale import Scale, slots
from clockhead.scenes.spelling import counted
from clockhead.scenes.stage import CAPTION, REST, Derived, Stage, Steps, beat, together
from clockhead.scenes.style.layout import PX, Region
from clockhead.scenes.style.motion import FadeIn, FadeOut
from clockhead.scenes.style.text import text_width
from clockhead.scenes.style.theme import Role
from clockhead.scenes.style.type import MIN_SIZE

_DIGITS, _ROW, _COUNT = 44.0, 40.0, 32.0
"""Sizes of the number in the hub, of the letters below bars, and of their counts, in pixels."""
_STEP = 0.5
"""Duration of one step back, in seconds."""
_MOST_TIME = 7.0
"""Longest duration of all steps together, in seconds."""


def _back_sentence(opened: PhraseCounts) -> str:
    if opened.message.is_tied:
        return (
            f"{counted(opened.message.n_leaders).capitalize()} rotations share the largest score. "
            "The first of them is {message.found}: turn the ring to it."
        )
    if opened.message.found == 0:
        return "The guess was 0: there is nothing to turn back."
    return (
        "The guess was {message.found}. So turn the ring to {message.found}, and read each letter "
        "from the outer ring to the inner."
    )


def _read_sentence(opened: PhraseCounts) -> str:
    message = opened.message
    if message.found != message.rotation:
        score = "the same score" if message.place == 1 else "a smaller score"
        return f"That is not what was written: here the key has {score}."
    if message.is_tied:
        return "By luck it is the right one: this message alone does not tell its key."
    if opened.phrase == DEFAULT and opened.is_said:
        return "Nobody told the machine the key. And now look at what the message says."
    return "Nobody told the machine the key. It has only counted letters."


def _is_one_letter(opened: PhraseCounts) -> bool:
    """Whether the phrase is a single letter."""
    return len(opened.phrase) == 1


def _counts_sentence(opened: PhraseCounts) -> str:
    count = "this is its count" if _is_one_letter(opened) else "these are the counts of its letters"
    if len(set(opened.phrase_letters) - {""}) == 1 and not _is_one_letter(opened):
        count = "this is the count of its one letter"
    if not opened.is_said:
        return f"The message does not say “{{phrase}}”, but {count} there."
    return f"“{{phrase}}”: {count} in the message."


def _again_sentence(opened: PhraseCounts) -> str:
    if _is_one_letter(opened):
        return "Turn it once more: the letter changes, but the bar does not."
    return "Turn them once more: every letter changes, but no bar does."


class Message(Stage[PhraseCounts]):
    """The wheel turns back to read the message, which says why it could be read."""

    class Inputs(CryptogramInputs):
        """The message, and a phrase whose letters are counted in it."""

        phrase: str = Field(
            "",
            pattern=r"^([a-z]+( [a-z]+)*)?$",
            max_length=MOST,
            description="words whose letters are counted in the message, at most "
            f"{MOST} characters a to z; default: “{DEFAULT}”, or the message's first words",
        )

    title = "The Caesar cipher, {outcome}"
    caption = "A rotation hides which letter it is. It never hides how often it occurs."
    opens = ("message",)
    leaves = ("message",)
    derived = {
        "outcome": Derived(
            "“read”, or that the message is not read",
            lambda opened: "read" if opened.message.is_read else "and a message that is not read",
        )
    }

    compute = phrase_counts

    def layout(self) -> None:
        self.message = Ciphertext(self["message.ciphertext"])
        below = place_message(self.canvas, self.message)
        self.rings = Rings(self["message.turns_back"][0])
        place_rings(below, self.rings)
        self.turned = Figure(self["message.turns_back"][0], ".0f", size=_DIGITS)
        self.turned.place(Region(*self.rings.middle[:2], *self.rings.middle[:2]))
        self._place_phrase(below)

    def _place_phrase(self, region: Region) -> None:
        """Place the phrase's bars in a region, and its letters where they are in the message."""
        opened, n = self.values, self.values.n_phrase
        row, room = region.cut_bottom(1.5 * _ROW * PX, gap=0.0)
        letters = [k for k, c in enumerate(opened.phrase) if c != " "]
        most = max(1, int(opened.phrase_counts.max()))
        self.chart = Chart(slots(n), Scale(0, most, line=False), most=(n * 0.7, 9))
        self.bars = Bars(
            self["phrase_counts"],
            self.chart,
            "residual",
            spec=".0f",
            size=float(
                np.clip(0.8 * region.width / n / text_width(str(most), 1.0), MIN_SIZE, _COUNT)
            ),
            numbered=letters,
            grown=False,
        )
        self.chart.place(room)
        self.phrase = Ciphertext(self["phrase"], "position")
        pitch = self.chart.x.pitch
        xs = self.chart.x.at(np.arange(n))
        middles = np.stack([xs, np.full(n, row.center[1]), np.zeros(n)], axis=1)
        size = min(_ROW, pitch / (0.75 * PX))
        self.row = MessageLines(middles, size, pitch, row.height, row)
        lines = self.message.lines
        assert lines is not None
        if opened.is_said:
            lines = replace(lines, middles=lines.middles[opened.start : opened.start + n])
        self.phrase.set_lines(lines if opened.is_said else self.row)

    @beat(_back_sentence)
    def back(self) -> Steps:
        self.add(self.rings)
        yield together(self.rings.appear(), FadeIn(self.turned), run_time=1.5)
        found = self.values.message.found
        if found == 0:
            return
        series, time = self["message.turns_back"], min(_MOST_TIME, max(2.0, _STEP * found))
        yield together(
            self.rings.through(series),
            self.turned.through(series),
            self.message.turn(self["message.turned_back"]),
            run_time=time,
        )

    @beat(_read_sentence, rest=REST)
    def read(self) -> Steps:
        message = self.values.message
        is_plain = message.found == message.rotation
        role: Role = "position" if is_plain else "wrong"
        yield 0.7 * self.message.tint(range(message.n_tokens), role)

    @beat(
        "The key was {message.rotation}: with it, anyone can read the message.",
        when=lambda opened: opened.message.found != opened.message.rotation,
    )
    def corrected(self) -> Steps:
        series, time = self["message.corrections"], 0.7 * self.reading
        places = range(self.values.message.n_tokens)
        yield (
            *(FadeOut(part, run_time=0.5) for part in (self.rings, self.turned)),
            self.message.turn(series, run_time=time),
            self.message.tint(places, "position", run_time=time),
        )

    @beat(_counts_sentence, rest=REST, focus="chart")
    def phrase_(self) -> Steps:
        opened = self.values
        spots = range(opened.start, opened.start + opened.n_phrase)
        gone = [part for part in (self.rings, self.turned) if part in self.mobjects]
        away = [FadeOut(part, run_time=0.6) for part in gone]
        if opened.is_said:
            yield self.message.focus(spots), *away
            self.add(self.phrase)
            come = self.phrase.go_to(self.row, run_time=1.4)
        else:
            yield away or 0.6
            come = FadeIn(self.phrase, run_time=1.4)
        yield come, FadeIn(self.chart, run_time=1.4)
        self.add(self.bars)
        yield self.bars.grow(lag=0.5, run_time=max(1.0, 0.6 * self.reading))

    @beat(
        _again_sentence, rest=REST, when=lambda opened: opened.message.rotation > 0, focus="chart"
    )
    def again(self) -> Steps:
        n = len(self.values.phrase_turned) - 1
        time = min(_MOST_TIME, max(0.8 * self.reading, _STEP * n))
        letters = self.phrase.tint(range(self.values.n_phrase), "token")
        texts = self.phrase.turn(self["phrase_turned"]), self.message.turn(self["text_turned"])
        yield together(*texts, letters, run_time=time)
        self.bars.set_to(self["cipher_counts"])

    @beat(CAPTION, focus="chart")
    def end(self) -> Steps:
        if self.values.message.rotation:
            yield 0.9 * together(
                self.phrase.turn(self["phrase_turned"][::-1]),
                self.message.turn(self["text_turned"][::-1]),
                self.phrase.tint(range(self.values.n_phrase), "position"),
            )
            self.bars.set_to(self["phrase_counts"])
