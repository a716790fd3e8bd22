"""Colours of the user's: a theme made of them, and what is wrong with it.

A theme has to be legible, and its roles have to be told apart, also by viewers who confuse red and
green. How different two colours look is CIEDE2000; how a colour-blind viewer sees one is Viénot,
Brettel and Mollon's projection (1999). tests/scenes/test_palette.py compares both with coloraide's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

from clockhead.scenes.style.theme import MIN_CONTRAST, ROLES, Role, Theme, contrast, mix, rgb

COLORS = (*ROLES, "attention_text", "ink", "muted", "ground", "panel", "hairline", "accent")
"""The names of colours that a theme has."""
MIN_ACCENT = 3.0
"""WCAG 2.2 AA for what is not text."""
MIN_DIFFERENCE = 14.0
"""Between two roles, by CIEDE2000: 2 is just seen, and 10 is seen at a glance."""
MIN_DIFFERENCE_COLOR_BLIND = 10.0
"""The same for viewers who confuse red and green, between the roles that attention is made of."""
ATTENTION_ROLES: tuple[Role, ...] = ("query", "key", "value", "attention")

_PANEL, _HAIRLINE = 0.05, 0.16
"""How far panels and hairlines are from the ground to the ink, where only these are given."""
_SEEN_AS = {
    "protan": ((0.112382761, 0.887617239, 0.0), (0.112382761, 0.887617239, 0.0),
               (0.004005768, -0.004005768, 1.0)),
    "deutan": ((0.292750114, 0.707249886, 0.0), (0.292750114, 0.707249886, 0.0),
               (-0.022336587, 0.022336587, 1.0)),
}  # fmt: skip
"""From linear sRGB to what viewers without red or without green receptors see."""
_TO_XYZ = ((0.4123907993, 0.3575843394, 0.1804807884), (0.2126390059, 0.7151686788, 0.0721923154),
           (0.0193308187, 0.1191947798, 0.9505321522))  # fmt: skip
_FROM_XYZ = ((3.2409699419, -1.5373831776, -0.4986107603),
             (-0.9692436363, 1.8759675015, 0.0415550574),
             (0.0556300797, -0.2039769589, 1.0569715142))  # fmt: skip
_WHITE = (0.9504559271, 1.0, 1.0890577508)
"""D65, the white of sRGB."""
_TURNS, _STEPS = range(-100, 101, 10), range(-24, 25, 8)
"""Degrees by which the hue of a colour is turned to offer another one, and steps of lightness."""

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ColorFlaw:
    """Something that is wrong with the colours of a theme."""

    colors: tuple[str, ...]
    """Whose fault it may be; giving one of them another value helps."""
    message: str


def recolor(base: Theme, given: Mapping[str, str]) -> Theme:
    """A theme with other colours; shades that follow from these are derived where not given."""
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
    """What cannot be read in a theme, and which roles look alike."""
    return (*_illegible(theme), *_alike(theme))


def offer(theme: Theme, name: str) -> str | None:
    """A colour near the one of this name with which the theme has no flaw that names it."""

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
    lightness, a, b = _lab(_linear(color))
    chroma, hue = math.hypot(a, b), math.atan2(b, a)
    for turn, step in sorted(product(_TURNS, _STEPS), key=lambda way: abs(way[0]) + abs(way[1])):
        angle = hue + math.radians(turn)
        moved = _hex(lightness + step, chroma * math.cos(angle), chroma * math.sin(angle))
        if name != "attention":
            moved = legible(moved, theme.ground, theme.panel, least=least)
        if is_sound(moved):
            return moved
    return None


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


def _illegible(theme: Theme) -> Iterator[ColorFlaw]:
    """Words that cannot be read on the ground or on panels, and an accent that cannot be seen."""
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


def _alike(theme: Theme) -> Iterator[ColorFlaw]:
    """Pairs of roles that are hard to tell apart."""
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
        apart = min(difference_color_blind(one, other, kind) for kind in _SEEN_AS)
        if apart <= MIN_DIFFERENCE_COLOR_BLIND and (a, b) not in found:
            yield ColorFlaw(
                (a, b),
                f"{a} {one} and {b} {other} look alike to viewers who confuse red and green: "
                f"a difference of {apart:.0f}, and more than {MIN_DIFFERENCE_COLOR_BLIND:g} is "
                "needed",
            )


# --- How colours look ---


def difference(a: str, b: str) -> float:
    """How different two colours look, by CIEDE2000."""
    return _ciede2000(_lab(_linear(a)), _lab(_linear(b)))


def difference_color_blind(a: str, b: str, kind: str) -> float:
    """The same for viewers without red receptors ("protan") or without green ones ("deutan")."""
    matrix = _SEEN_AS[kind]
    return _ciede2000(*(_lab(_times(matrix, _linear(color))) for color in (a, b)))


def _times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


@lru_cache(maxsize=1024)
def _linear(color: str) -> Triple:
    """Linear light of an sRGB colour."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(color)
    )
    return red, green, blue


def _lab(linear: Triple) -> Triple:
    """CIELAB of linear sRGB, with the white of sRGB."""

    def curve(t: float) -> float:
        return math.cbrt(t) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    x, y, z = (curve(v / w) for v, w in zip(_times(_TO_XYZ, linear), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _hex(lightness: float, a: float, b: float) -> str:
    """The sRGB colour of CIELAB, with what lies outside of sRGB cut off."""

    def uncurve(t: float) -> float:
        return t**3 if t > 6 / 29 else (116 * t - 16) * 27 / 24389

    y = (lightness + 16) / 116
    found = (uncurve(t) * w for t, w in zip((y + a / 500, y, y - b / 200), _WHITE, strict=True))
    x, y, z = found
    text = "#"
    for c in _times(_FROM_XYZ, (x, y, z)):
        c = min(1.0, max(0.0, c))
        text += (
            f"{round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055)):02X}"
        )
    return text


def _ciede2000(one: Triple, other: Triple) -> float:
    """CIEDE2000 of two colours in CIELAB, as Sharma, Wu and Dalal write it down (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = (1 - math.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))) / 2
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1 = math.degrees(math.atan2(b1, a1)) % 360 if c1 else 0.0
    h2 = math.degrees(math.atan2(b2, a2)) % 360 if c2 else 0.0
    is_gray = c1 * c2 == 0
    turn = 0.0 if is_gray else (h2 - h1 + 180) % 360 - 180
    light, chroma = l2 - l1, c2 - c1
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    if is_gray:
        mean_h = h1 + h2
    elif abs(h1 - h2) <= 180:
        mean_h = (h1 + h2) / 2
    else:
        mean_h = ((h1 + h2 + 360) / 2) % 360

    def cos(degrees: float) -> float:
        return math.cos(math.radians(degrees))

    t = 1 - 0.17 * cos(mean_h - 30) + 0.24 * cos(2 * mean_h)
    t += 0.32 * cos(3 * mean_h + 6) - 0.20 * cos(4 * mean_h - 63)
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    around_blue = 30 * math.exp(-(((mean_h - 275) / 25) ** 2))
    r_c = 2 * math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    r_t = -math.sin(math.radians(2 * around_blue)) * r_c
    light, chroma, hue = light / s_l, chroma / s_c, hue / s_h
    return math.sqrt(light**2 + chroma**2 + hue**2 + r_t * chroma * hue)
