"""A ciphertext that is read character by character, with a guess under each, until it is plain."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from scenes.parts.tokens.guess_strip import GuessStrip
from scenes.parts.tokens.lined_text import LinedText
from scenes.style.layout import Region
from scenes.style.text import Label
from scenes.style.theme import theme

_MOST, _LEAST = 30, 20
"""Sizes of the letters, in px."""


class ReadText(VGroup):
    """The letters of a ciphertext in lines over rows for `guesses`, dim until they are read.

    `plain` is what the ciphertext says; its letters, `decoded`, stand in the same places and are
    not added, nor are the guesses.
    """

    def __init__(
        self, cipher: str, plain: str, guesses: Sequence[int], truth: int, region: Region
    ) -> None:
        look = theme()
        self.lined = _lined(cipher, region)
        size, green = self.lined.size, look.text_color("value")
        self.places = [k for k, character in enumerate(cipher) if character != " "]
        self.letters = [Label(cipher[k], size=size, color=look.muted) for k in self.places]
        self.decoded = VGroup(
            *(Label(plain[k], size=size, weight="semibold", color=green) for k in self.places)
        )
        for letters in (self.letters, self.decoded):
            for k, letter in zip(self.places, letters, strict=True):
                letter.center_on(self.lined.at(k))
        self.guesses = GuessStrip(self.lined, guesses, truth, row=1, size=0.7 * size)
        super().__init__(*self.letters)

    def light(self, n: int) -> None:
        """Write the first n characters as read."""
        read, look = theme().text_color("key"), theme()
        for k, letter in zip(self.places, self.letters, strict=True):
            letter.set_fill(read if k < n else look.muted)


def height_of(text: str, region: Region, share: float) -> float:
    """The height that a text takes which may have `share` of a region."""
    return _lined(text, region.cut_top(share * region.height)[0]).region.height


def _lined(text: str, region: Region) -> LinedText:
    """Lines as large as they may be, close enough for a box from cell to cell."""
    return LinedText(
        text,
        region,
        rows=(1.25, 0.95),
        gap=0.25,
        most=_MOST,
        least=_LEAST,
        pitch=1.03,
        hanging=False,
    )
