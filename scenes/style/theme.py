"""Colours: one meaning, one colour, in every film.

Query, key, value and attention have Okabe and Ito's colours, which colour-blind viewers can tell
apart. Two themes share the same tokens: `chalk` (dark) and `paper` (light, for slides and print).
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from clockhead.scenes.style.looks import ThemeName as ThemeName

Role = Literal[
    "query",
    "key",
    "value",
    "score",
    "attention",
    "probability",
    "residual",
    "token",
    "position",
    "negative",
    "right",
    "wrong",
]

ROLES: tuple[Role, ...] = get_args(Role)
LEGEND: dict[Role, str] = {
    "query": "what a token asks for",
    "key": "what a token is found by",
    "value": "what a token hands over, and what a head writes",
    "score": "attention scores and other dot products, before softmax",
    "attention": "attention weights, and what is pointed at",
    "probability": "what the model thinks of a next token, logits and probabilities",
    "residual": "the residual stream, and what belongs to no role",
    "token": "tokens and plain numbers, the ink",
    "position": "positions and angles",
    "negative": "numbers below zero",
    "right": "what is as it should be",
    "wrong": "what is not",
}
"""What each colour means, in every film; no two of them look alike."""
MIN_CONTRAST = 4.5
"""WCAG 2.2 AA for text."""


class UnknownColor(AttributeError):
    """A colour is asked for by the name of no role and no ink."""

    def __init__(self, name: str) -> None:
        from rapidfuzz import fuzz, process

        near = process.extractOne(name, _COLORS, scorer=fuzz.ratio, score_cutoff=60)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"there is no colour {name!r}{hint} (colours: {', '.join(_COLORS)})")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#RRGGBB`. A role's colour fills shapes; `text_color` writes words in it."""

    name: ThemeName
    ground: str
    panel: str
    hairline: str
    ink: str
    muted: str
    query: str
    key: str
    value: str
    score: str
    attention: str
    probability: str
    residual: str
    token: str
    position: str
    negative: str
    right: str
    wrong: str
    attention_text: str
    """`attention` is a highlighter; where it is too bright to be read it has an ink of its own."""
    accent: str
    """The colour of the house: it marks lines on cards, and means nothing."""

    if not TYPE_CHECKING:  # so that a name misspelt in code is still found without running it

        def __getattr__(self, name: str) -> str:
            if name.startswith("_"):
                raise AttributeError(name)
            raise UnknownColor(name)

    def text_color(self, role: Role) -> str:
        """The colour in which words about `role` are legible on the ground and on panels."""
        return self.attention_text if role == "attention" else str(getattr(self, role))

    def ink_of(self, color: str | None) -> str:
        """The colour of a text: a role's, one of the others ("muted"), `#RRGGBB`; or the ink."""
        if color in ROLES:
            return self.text_color(color)
        return str(getattr(self, color)) if color in _COLORS else color or self.ink

    @property
    def accent_text(self) -> str:
        """The accent, as much lighter or darker as it must be for words."""
        return legible(self.accent, self.ground, self.panel)

    def ink_on(self, fill: str) -> str:
        """Whichever of ink and ground reads better on `fill`; on middling fills, white or black."""
        better = max((self.ink, self.ground), key=lambda ink: contrast(ink, fill))
        if contrast(better, fill) >= MIN_CONTRAST:
            return better
        return max(("#FFFFFF", "#000000"), key=lambda ink: contrast(ink, fill))


_COLORS = (*ROLES, "ink", "muted", "ground", "panel", "hairline", "accent")

CHALK = Theme(
    name="chalk",
    ground="#11151B",
    panel="#181E27",
    hairline="#2B333E",
    ink="#ECE7DB",
    muted="#8A95A3",
    query="#E69F00",
    key="#56B4E9",
    value="#2FBF94",
    score="#D5B898",
    attention="#F0E442",
    probability="#65DFED",
    residual="#B8C0CC",
    token="#ECE7DB",
    position="#AD9BF6",
    negative="#CC7AA5",
    right="#85D84D",
    wrong="#F0776B",
    attention_text="#F0E442",
    accent="#56B4E9",
)
PAPER = Theme(
    name="paper",
    ground="#FBFAF6",
    panel="#F1EEE5",
    hairline="#D9D6CC",
    ink="#1D2228",
    muted="#5E6872",
    query="#9A5B00",
    key="#0A6BA8",
    value="#00714F",
    score="#6A4F39",
    attention="#E8B21A",
    probability="#007582",
    residual="#4A5562",
    token="#1D2228",
    position="#6D47B8",
    negative="#AE2C77",
    right="#3B7600",
    wrong="#B8391F",
    attention_text="#7A5900",
    accent="#0A6BA8",
)
THEMES: dict[ThemeName, Theme] = {"chalk": CHALK, "paper": PAPER}

_current: ContextVar[Theme] = ContextVar("theme", default=CHALK)


def theme() -> Theme:
    """The theme of the stage that is being drawn."""
    return _current.get()


def use_theme(chosen: Theme | ThemeName) -> Theme:
    """Draw with a theme, or with one of Clockhead's by its name, from here on."""
    used = THEMES[chosen] if isinstance(chosen, str) else chosen
    _current.set(used)
    return used


def rgb(color: str) -> tuple[float, float, float]:
    """Red, green and blue in [0, 1] of a `#RRGGBB` colour."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@lru_cache(maxsize=4096)
def mix(a: str, b: str, share: float) -> str:
    """The colour `share` of the way from `a` to `b`."""
    channels = (round(255 * (x + (y - x) * share)) for x, y in zip(rgb(a), rgb(b), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def faint(color: str) -> str:
    """What stands for `color` where many things have it and a few are talked about."""
    return mix(theme().ground, color, 0.45)


@lru_cache(maxsize=4096)
def contrast(a: str, b: str) -> float:
    """WCAG contrast ratio of two colours, from 1 to 21."""
    bright, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def legible(color: str, *grounds: str, least: float = MIN_CONTRAST) -> str:
    """The colour, as much lighter or darker as it must be to be read on these grounds."""
    if min(contrast(color, ground) for ground in grounds) >= least:
        return color
    end = max(("#FFFFFF", "#000000"), key=lambda c: min(contrast(c, g) for g in grounds))
    low, high = 0.0, 1.0
    for _ in range(8):
        middle = (low + high) / 2
        is_enough = min(contrast(mix(color, end, middle), g) for g in grounds) >= least
        low, high = (low, middle) if is_enough else (middle, high)
    return mix(color, end, high)


@lru_cache(maxsize=4096)
def _luminance(color: str) -> float:
    """WCAG's relative luminance, from linear light."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in rgb(color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
