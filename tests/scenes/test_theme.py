"""Inks can be read on every ground and fill of both themes."""

import pytest

from clockhead.scenes.style.layout import PX
from clockhead.scenes.style.theme import THEMES, contrast
from clockhead.scenes.style.type import MIN_SIZE


@pytest.mark.parametrize("name", THEMES)
def test_every_role_can_be_read(name: str):
    look = THEMES[name]
    for role in ("query", "key", "value", "attention", "residual", "token", "position", "wrong"):
        for ground in (look.ground, look.panel):
            assert contrast(look.text_color(role), ground) >= 4.5, role
        assert contrast(look.ink_on(getattr(look, role)), getattr(look, role)) >= 4.5, role
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert pytest.approx(0.2) == MIN_SIZE * PX


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_every_mixture_has_a_legible_ink(look):
    for fill in ("#808080", "#777777", look.panel, look.attention, look.wrong):
        assert contrast(look.ink_on(fill), fill) >= 4.5, fill
