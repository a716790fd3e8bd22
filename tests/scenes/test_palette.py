"""Colours of the user's: how different they look, what is refused, and what is offered instead."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clockhead.scenes.style.palette import (
    COLORS,
    MIN_DIFFERENCE,
    color_flaws,
    difference,
    difference_color_blind,
    offer,
    recolor,
)
from clockhead.scenes.style.theme import (
    CHALK,
    LEGEND,
    PAPER,
    ROLES,
    THEMES,
    Theme,
    contrast,
    legible,
)

colors = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06X}")


@pytest.mark.parametrize(
    ("a", "b", "apart"), [("#000000", "#FFFFFF", 100.0), ("#FF0000", "#00FF00", 86.6)]
)
def test_differences_are_ciede2000(a: str, b: str, apart: float):
    assert difference(a, b) == pytest.approx(apart, abs=0.05)
    assert difference(a, a) == 0


def test_red_and_green_are_alike_to_some_viewers():
    for kind in ("protan", "deutan"):
        assert difference_color_blind("#A06000", "#6A7A00", kind) < 12
        assert difference("#A06000", "#6A7A00") > 20


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_our_own_themes_have_no_flaw(theme: Theme):
    assert color_flaws(theme) == ()
    assert set(LEGEND) == set(ROLES) < set(COLORS)
    assert set(COLORS) | {"name"} == set(Theme.__slots__)


@pytest.mark.parametrize(
    ("given", "colors"),
    [
        ({"query": "#DDDDDD"}, ("query", "ground")),
        ({"ink": "#888888"}, ("token", "ground")),
        ({"accent": "#DDDDDD"}, ("accent", "ground")),
        ({"attention_text": "#FFFF00"}, ("attention_text", "ground")),
        ({"query": PAPER.key}, ("query", "key")),
        ({"right": PAPER.value}, ("value", "right")),
        ({"panel": "#777777"}, ("query", "panel")),
    ],
)
def test_colors_that_cannot_be_read_or_told_apart_are_flaws(given, colors):
    assert colors in [flaw.colors for flaw in color_flaws(recolor(PAPER, given))]


def test_red_and_green_that_only_some_viewers_tell_apart_are_a_flaw():
    theme = recolor(PAPER, {"query": "#B3261E", "value": "#4B6A00"})
    assert difference(theme.query, theme.value) > MIN_DIFFERENCE
    [flaw] = [flaw for flaw in color_flaws(theme) if flaw.colors == ("query", "value")]
    assert "red and green" in flaw.message


@given(colors)
def test_what_is_offered_instead_has_no_flaw(color: str):
    for base in (CHALK, PAPER):
        theme = recolor(base, {"query": color})
        better = offer(theme, "query")
        if better is not None:
            assert not [f for f in color_flaws(replace(theme, query=better)) if "query" in f.colors]
    assert contrast(legible(color, PAPER.ground, PAPER.panel), PAPER.panel) >= 4.5


def test_shades_follow_from_ground_and_ink_unless_they_are_given():
    blue = recolor(PAPER, {"ground": "#F3F8FE", "ink": "#12263D"})
    assert blue.token == "#12263D"
    assert PAPER.panel != blue.panel != blue.ground
    assert contrast(blue.ground, blue.hairline) > contrast(blue.ground, blue.panel) > 1
    assert recolor(PAPER, {"ground": "#F3F8FE", "panel": "#FFFFFF"}).panel == "#FFFFFF"
    assert contrast(recolor(PAPER, {"attention": "#FFD84D"}).attention_text, PAPER.ground) >= 4.5
