"""Colours: each has the same meaning in all films.

Query, key, value and attention have the colours of Okabe and Ito, which are distinguishable for
colour-blind viewers. The two themes have the same names of colours: `chalk` (dark) and `paper`
(light, for slides and print).
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
    "right": "what is correct",
    "wrong": "what is wrong",
}
"""The meaning of each colour in all films; all are distinguishable."""
MIN_CONTRAST = 4.5
"""Minimum contrast of text: WCAG 2.2 AA."""


class UnknownColor(AttributeError):
    """The name of a colour that a theme does not have."""

    def __init__(self, name: str) -> None:
        from rapidfuzz import fuzz, process

        near = process.extractOne(name, _COLORS, scorer=fuzz.ratio, score_cutoff=60)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"there is no colour {name!r}{hint} (colours: {', '.join(_COLORS)})")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#RRGGBB`. A role's colour fills shapes; use `text_color` for text."""

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
    """The colour for text about attention, because `attention` itself may be too bright."""
    accent: str
    """The house colour: it marks lines on cards, and has no meaning."""

    if not TYPE_CHECKING:  # so that type checkers still find misspelt names

        def __getattr__(self, name: str) -> str:
            if name.startswith("_"):
                raise AttributeError(name)
            raise UnknownColor(name)

    def text_color(self, role: Role) -> str:
        """The colour for text about a role, legible on the background and on panels."""
        return self.attention_text if role == "attention" else str(getattr(self, role))

    def ink_of(self, color: str | None) -> str:
        """The colour of a text: by role or other name ("muted"), or `#RRGGBB`; default: ink."""
        if color in ROLES:
            return self.text_color(color)
        return str(getattr(self, color)) if color in _COLORS else color or self.ink

    @property
    def accent_text(self) -> str:
        """The accent colour, made light or dark enough for text."""
        return legible(self.accent, self.ground, self.panel)

    def ink_on(self, fill: str) -> str:
        """Ink or background, whichever contrasts more with `fill`; else white or black."""
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
    """Set the current theme, which may be one of Clockhead's by name."""
    used = THEMES[chosen] if isinstance(chosen, str) else chosen
    _current.set(used)
    return used


def rgb(color: str) -> tuple[float, float, float]:
    """Red, green and blue in [0, 1] of a `#RRGGBB` colour."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@lru_cache(maxsize=4096)
def mix(a: str, b: str, share: float) -> str:
    """The colour at the fraction `share` of the way from `a` to `b`."""
    channels = (round(255 * (x + (y - x) * share)) for x, y in zip(rgb(a), rgb(b), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def faint(color: str) -> str:
    """A faint variant of a colour, for items that are not being talked about."""
    return mix(theme().ground, color, 0.45)


@lru_cache(maxsize=4096)
def contrast(a: str, b: str) -> float:
    """WCAG contrast ratio of two colours, from 1 to 21."""
    bright, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def legible(color: str, *grounds: str, least: float = MIN_CONTRAST) -> str:
    """The colour, made light or dark enough to be legible on these backgrounds."""
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
