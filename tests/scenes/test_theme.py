"""Inks can be read on every ground and fill of both themes, and colours told from each other."""

from itertools import combinations

import pytest
from coloraide import Color

from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.theme import LEGEND, ROLES, THEMES, contrast
from clockhead.scenes.style.type import MIN_SIZE


@pytest.mark.parametrize("name", THEMES)
def test_every_role_can_be_read(name: str):
    look = THEMES[name]
    for role in ROLES:
        for ground in (look.ground, look.panel):
            assert contrast(look.text_color(role), ground) >= 4.5, role
        assert contrast(look.ink_on(getattr(look, role)), getattr(look, role)) >= 4.5, role
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert pytest.approx(0.2) == MIN_SIZE * PX


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_every_mixture_has_a_legible_ink(look):
    for fill in ("#808080", "#777777", look.panel, look.attention, look.wrong):
        assert contrast(look.ink_on(fill), fill) >= 4.5, fill


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_no_two_roles_look_alike(look):
    """By CIEDE2000: about 2 is a difference that is just seen, and 10 one that is seen at a glance.

    Viewers who confuse red and green can tell apart the four that attention is made of.
    """
    colors = {role: Color(getattr(look, role)) for role in LEGEND}
    assert set(LEGEND) == set(ROLES)
    for a, b in combinations(colors, 2):
        assert colors[a].delta_e(colors[b], method="2000") > 14, (a, b)
    for kind in ("deutan", "protan"):
        seen = {role: colors[role].filter(kind) for role in ("query", "key", "value", "attention")}
        for a, b in combinations(seen, 2):
            assert seen[a].delta_e(seen[b], method="2000") > 10, (kind, a, b)


def test_a_text_takes_a_colour_by_its_name_or_as_it_is():
    look = THEMES["paper"]
    assert look.ink_of("attention") == look.attention_text != look.attention
    assert (look.ink_of("key"), look.ink_of("muted")) == (look.key, look.muted)
    assert (look.ink_of(None), look.ink_of("#123456")) == (look.ink, "#123456")
