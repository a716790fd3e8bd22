"""The text in a Caesar cipher, which nobody can read, but which the heads continue as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clockhead.model.films.tour.code import CodedText
from clockhead.scenes.caesar.ciphertext import Ciphertext, place_message
from clockhead.scenes.caesar.message_lines import MessageLines
from clockhead.scenes.induction.arcs import Arcs
from clockhead.scenes.induction.spread import OVER, spread, tile_size
from clockhead.scenes.parts.strip import Strip
from clockhead.scenes.parts.strip_looks import frame_notes, paint, show_notes
from clockhead.scenes.parts.strip_typing import answer, ask_next
from clockhead.scenes.parts.tile import Tile
from clockhead.scenes.spelling import plural
from clockhead.scenes.stage import CAPTION, Claim, Derived, Handle, Stage, Steps, beat
from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.motion import Drive, FadeOut
from clockhead.scenes.style.type import outline
from clockhead.scenes.tour.inputs import CodeInputs

_STEP = 0.6
"""Seconds for turning the letters by one place."""
_MOST = 5.0
"""Maximum number of seconds for all places."""
_REST = 0.25
"""Fraction of a step for which letters rest before they flip."""
_THINNEST = 0.12
"""Smallest height of a letter that flips, as a fraction."""


def _turn_sentence(code: CodedText) -> str:
    if code.rotation == 0:
        return "Let us turn every letter by 0 places: it stays what it is."
    return "Turn every letter by {places}. Can you still read it?"


def _found_sentence(code: CodedText) -> str:
    if code.rotation == 0:
        return "The same as before, for nothing has changed."
    if code.plain.case == "unique":
        return "“{answer}”: the note “{typed}” is found as before. No word has to mean anything."
    return "Whoever notes “{typed}” is found as before. No word has to mean anything."


def _lesson_sentence(code: CodedText) -> str:
    if code.rotation == 0:
        return "Turned by any other number of places, it would say the same, turned as far."
    return "The head continues a text it cannot read. Could a machine read it as well?"


class Code(Stage[CodedText]):
    """In a Caesar cipher, the heads find and copy the same tokens as before."""

    Inputs = CodeInputs
    title = "The same text, in a Caesar cipher"
    question = "Must it understand the words?"
    caption = "{lesson}"
    opens = ("tiles",)
    leaves = ("message",)
    claims = (
        Claim(
            "the cipher changes no attention weight",
            lambda code: code.difference < 1e-9,
            "it changes by {difference:.2g}",
        ),
        Claim(
            "every note holds the token before it",
            lambda code: code.plain.least_stored >= 0.9,
            "one holds only {plain.least_stored:.0%} of it: alpha {inputs.alpha:g} is too small",
        ),
        Claim(
            "nearly all attention goes to the matching notes",
            lambda code: code.plain.match_weight >= 0.9,
            "they get {plain.match_weight:.0%} with alpha {inputs.alpha:g} and beta "
            "{inputs.beta:g}",
        ),
    )
    derived = {
        "places": Derived(
            "number of places that each letter is moved, with its noun",
            lambda code: plural(code.rotation, "place"),
        ),
        "lesson": Derived("the conclusion from the cipher", _lesson_sentence),
    }

    handles = (Handle("rotation", "0,1,2,3,5,7,10,13,16,19,22,25", beat="hops"),)

    @classmethod
    def compute(cls, inputs: Any) -> CodedText:
        code: CodedText = inputs.coded()
        return code

    def layout(self) -> None:
        self.last = self.values.plain.n_tokens - 1
        self.found = self.values.plain.matches.tolist()
        self.tiles = Strip(
            self["turned"][0],
            notes=self["stored"][0],
            shares=self["plain.stored_weights"],
            wonder=True,
            hidden=1,
            size=tile_size(self.canvas),
        )
        words, notes = (
            tuple(
                max(words, key=lambda word: outline(word).advance)
                for words in zip(*texts, strict=True)
            )
            for texts in (self.values.turned, self.values.stored)
        )
        measures = self.tiles.measures
        self.tiles.measures = replace(measures, words=(*words, "?"), notes=notes)
        self.tiles.place(self.canvas.inset(0.0, OVER))
        spread(self.tiles, self.canvas, pin=True)
        show_notes(self.tiles)
        self.tiles.look([self.last], "query")
        self.arcs = Arcs(self["coded.forward.head_1.pattern"][self.last], self.tiles, self.last)
        self.message = Ciphertext(self["ciphertext"])
        place_message(self.canvas, self.message)

    @beat(_turn_sentence)
    def turn(self) -> Steps:
        steps = self.values.rotation
        if steps:
            time = min(_MOST, max(_STEP * steps, 0.7 * self.reading))
            yield Drive(
                self.tiles,
                lambda place: self._write(float(place)),
                0.0,
                float(steps),
                run_time=time,
                rate_func=lambda share: share,
            )

    def _write(self, place: float) -> None:
        """Write the text at a fractional number of steps; between two steps, the letters flip."""
        step = int(place + 0.5)
        words, notes = self["turned"][step], self["stored"][step]
        away = float(np.clip((abs(place - step) - _REST) / (0.5 - _REST), 0.0, 1.0))
        seen = max(_THINNEST, float(np.cos(np.pi / 2 * away)))
        self.tiles.set_to(words)
        self.tiles.readers[0].shown = notes
        for k, tile in enumerate(self.tiles.tiles[: self.last + 1]):
            if k and seen < 1:
                middle, squash = np.array([1.0, tile.middle[1], 1.0]), np.array([1.0, seen, 1.0])
                tile.label.points = (tile.label.points - middle) * squash + middle
            if tile.note and tile.note.word != notes.content[k]:
                tile.note.write(notes.content[k])

    @beat(_found_sentence, ask="What will it say comes next?")
    def hops(self) -> Steps:
        tiles = self.tiles
        yield ask_next(tiles, run_time=0.8)
        self.add(self.arcs, tiles)  # between lines, the arcs pass behind the tiles
        yield 0.3 * self.arcs.draw()
        yield frame_notes(tiles, *self.found, role="key", run_time=0.8)
        moves = [paint(tiles, self.found, "correct", run_time=0.6)]
        if self.values.plain.case == "unique":
            source = self.found[0]
            word = self["turned"][self.values.rotation][source]
            moves.append(answer(tiles, word, tiles.middle(source), run_time=1.2))
        yield moves

    @beat(CAPTION)
    def gather(self) -> Steps:
        """Move the letters from their tiles to the message."""
        top = self.message.lines
        assert top is not None
        words = self.tiles.tiles[1 : self.last + 1]
        self.cells = on_tiles(words, top)
        self.message.set_lines(self.cells)
        for tile in words:
            tile.worded = 0.0
            tile.dress()
        self.add(self.message)
        away = FadeOut(self.tiles, self.arcs, run_time=1.0)
        yield away, self.message.go_to(top, run_time=max(2.0, 0.7 * self.reading))


def on_tiles(tiles: Sequence[Tile], lines: MessageLines) -> MessageLines:
    """The cells of the letters of words on tiles, and of the gaps between the words."""
    middles = list[NDArray[np.float64]]()
    for tile in tiles:
        x, y, _, _, size = tile.state
        word, em = tile.label.text, size * PX
        start = x - sum(_visible_edges(word)) / 2 * em
        for k, letter in enumerate(word):
            along = outline(word[:k]).advance + sum(_visible_edges(letter)) / 2
            middles.append(np.array([start + along * em, y, 0.0]))
        middles.append(middles[-1])
    rows = np.unique([round(float(tile.middle[1]), 6) for tile in tiles])
    line = float(np.diff(rows).min(initial=lines.line))
    region = replace(lines.region, top=float(rows.max()) + line / 2)
    size = float(tiles[0].state[4])
    return MessageLines(np.array(middles[:-1]), size, lines.cell, line, region)


def _visible_edges(text: str) -> tuple[float, float]:
    """Left and right edge of the visible part of a line, in ems."""
    across = outline(text).points[:, 0]
    return float(across.min()), float(across.max())
