"""Looks: sizes that video can have, and folders that tell them apart."""

from itertools import product

import pytest

from clockhead.look import ASPECTS, QUALITIES, THEME_NAMES, FilmLook
from clockhead.scenes.style.theme import THEMES

LOOKS = [
    FilmLook(quality, theme, aspect)
    for quality, theme, aspect in product(QUALITIES.values(), THEMES, ASPECTS)
]


def test_every_theme_has_a_name():
    assert list(THEME_NAMES) == list(THEMES)


@pytest.mark.parametrize(
    ("quality", "aspect", "size"),
    [
        ("l", "16:9", (854, 480)),
        ("m", "16:9", (1280, 720)),
        ("m", "4:3", (960, 720)),
        ("m", "1:1", (720, 720)),
        ("m", "9:16", (720, 1280)),
        ("h", "16:9", (1920, 1080)),
        ("p", "9:16", (1440, 2560)),
        ("k", "16:9", (3840, 2160)),
    ],
)
def test_sizes(quality, aspect, size):
    look = FilmLook(QUALITIES[quality], aspect=aspect)
    assert (look.width, look.height) == size


def test_every_size_is_even_and_its_short_side_is_the_quality():
    for look in LOOKS:
        assert look.width % 2 == look.height % 2 == 0
        assert min(look.width, look.height) == look.quality.lines
        assert look.fps == look.quality.fps


def test_every_look_has_a_folder_of_its_own():
    assert len({look.folder for look in LOOKS}) == len(LOOKS)
    assert FilmLook().folder == "720p30"
    assert FilmLook(QUALITIES["l"]).folder == "480p15"
    assert FilmLook(theme="paper", aspect="1:1").folder == "720p30-paper-1x1"
    assert FilmLook(QUALITIES["h"], aspect="9:16").folder == "1080p60-9x16"
