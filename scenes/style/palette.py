"""The user's colours: a theme made from them, and a check of it.

A theme must be legible, and its roles must be distinguishable, also for viewers with a red-green
deficiency. Colour differences are CIEDE2000; colour-blind vision is the projection of Viénot,
Brettel and Mollon (1999). Both are computed with coloraide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

from coloraide import Color

from clockhead.scenes.style.theme import (
    MIN_CONTRAST,
    ROLES,
    Role,
    Theme,
    contrast,
    legible,
    mix,
)

COLORS = (*ROLES, "attention_text", "ink", "muted", "ground", "panel", "hairline", "accent")
"""The names of a theme's colours."""
MIN_ACCENT = 3.0
"""Minimum contrast of non-text elements: WCAG 2.2 AA."""
MIN_DIFFERENCE = 14.0
"""Minimum CIEDE2000 difference between two roles: 2 is barely visible, 10 is obvious."""
MIN_DIFFERENCE_COLOR_BLIND = 10.0
"""The same for red-green deficient viewers, between the roles of attention."""
ATTENTION_ROLES: tuple[Role, ...] = ("query", "key", "value", "attention")

_PANEL = 0.05
"""Share of ink in a derived panel colour."""
_HAIRLINE = 0.16
"""Share of ink in a derived hairline colour."""
_COLOR_BLIND = ("protan", "deutan")
_TURNS = range(-100, 101, 10)
"""Rotations of the hue that are tried for a suggested colour, in degrees."""
_STEPS = range(-24, 25, 8)
"""Changes of lightness that are tried for a suggested colour."""


@dataclass(frozen=True, slots=True)
class ColorFlaw:
    """A problem with the colours of a theme."""

    colors: tuple[str, ...]
    """The colours that may have caused it: changing one of them fixes it."""
    message: str


def recolor(base: Theme, given: Mapping[str, str]) -> Theme:
    """A theme with other colours; shades that depend on them are derived unless given."""
    changed = dict(given)
    ground, ink = changed.get("ground", base.ground), changed.get("ink", base.ink)
    if {"ground", "ink"} & given.keys():
        changed.setdefault("panel", mix(ground, ink, _PANEL))
        changed.setdefault("hairline", mix(ground, ink, _HAIRLINE))
    if "ink" in given:
        changed.setdefault("token", ink)
    if "attention" in given:
        grounds = (ground, changed.get("panel", base.panel))
        changed.setdefault("attention_text", legible(given["attention"], *grounds))
    return replace(base, name=base.name, **changed)


@lru_cache(maxsize=64)
def color_flaws(theme: Theme) -> tuple[ColorFlaw, ...]:
    """All illegible colours of a theme, and all pairs of similar roles."""
    return (*_illegible_colors(theme), *_similar_roles(theme))


def offer(theme: Theme, name: str) -> str | None:
    """A colour similar to the one with this name that causes no problem; None if there is none."""

    def is_sound(color: str) -> bool:
        other = replace(theme, name=theme.name, **{name: color})
        return not any(name in flaw.colors for flaw in color_flaws(other))

    if name not in COLORS or name in ("ground", "panel", "hairline"):
        return None
    least = MIN_ACCENT if name == "accent" else MIN_CONTRAST
    color = str(getattr(theme, name))
    if name != "attention":
        color = legible(color, theme.ground, theme.panel, least=least)
    if is_sound(color):
        return color
    start = Color(color).convert("lch-d65")
    for turn, step in sorted(product(_TURNS, _STEPS), key=lambda way: abs(way[0]) + abs(way[1])):
        lightness, chroma, hue = start.coords(nans=False)
        other = Color("lch-d65", [lightness + step, chroma, hue + turn])
        moved = other.convert("srgb").clip().to_string(hex=True).upper()
        if name != "attention":
            moved = legible(moved, theme.ground, theme.panel, least=least)
        if is_sound(moved):
            return moved
    return None


def _illegible_colors(theme: Theme) -> Iterator[ColorFlaw]:
    """Words without contrast to background or panels, and an invisible accent."""
    inks: dict[str, str] = {role: theme.text_color(role) for role in ROLES}
    inks |= {"ink": theme.ink, "muted": theme.muted}
    needs = {name: (color, MIN_CONTRAST) for name, color in inks.items()}
    needs["accent"] = (theme.accent, MIN_ACCENT)
    for name, (color, least) in needs.items():
        for ground in ("ground", "panel"):
            behind = getattr(theme, ground)
            ratio = contrast(color, behind)
            if ratio < least:
                own = "attention_text" if name == "attention" else name
                yield ColorFlaw(
                    (own, ground),
                    f"{own} {color} on the {ground} {behind} has contrast "
                    f"{math.floor(ratio * 10) / 10:.1f}; {least:g} is the least",
                )
                break


def _similar_roles(theme: Theme) -> Iterator[ColorFlaw]:
    """Pairs of roles that are hard to distinguish."""
    found: set[tuple[Role, Role]] = set()
    for a, b in combinations(ROLES, 2):
        one, other = str(getattr(theme, a)), str(getattr(theme, b))
        apart = difference(one, other)
        if apart <= MIN_DIFFERENCE:
            found.add((a, b))
            yield ColorFlaw(
                (a, b),
                f"{a} {one} and {b} {other} look alike: a difference of {apart:.0f}, "
                f"and more than {MIN_DIFFERENCE:g} is needed",
            )
    for a, b in combinations(ATTENTION_ROLES, 2):
        one, other = str(getattr(theme, a)), str(getattr(theme, b))
        apart = min(difference_color_blind(one, other, kind) for kind in _COLOR_BLIND)
        if apart <= MIN_DIFFERENCE_COLOR_BLIND and (a, b) not in found:
            yield ColorFlaw(
                (a, b),
                f"{a} {one} and {b} {other} look alike to viewers who confuse red and green: "
                f"a difference of {apart:.0f}, and more than {MIN_DIFFERENCE_COLOR_BLIND:g} is "
                "needed",
            )


def difference(a: str, b: str) -> float:
    """The CIEDE2000 difference of two colours."""
    return _color(a).delta_e(_color(b), method="2000")


def difference_color_blind(a: str, b: str, kind: str) -> float:
    """The same for viewers without red receptors ("protan") or without green ones ("deutan")."""
    return _color(a, kind).delta_e(_color(b, kind), method="2000")


@lru_cache(maxsize=1024)
def _color(color: str, kind: str = "") -> Color:
    """A colour as seen by viewers of this kind."""
    return Color(color).filter(kind) if kind else Color(color)
