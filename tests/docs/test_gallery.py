"""The gallery of stages in the documentation: it has them all, as they are drawn today."""

import io
import re

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.stills import draw_picture
from clockhead.export.gallery import PAPER, kept_picture
from clockhead.export.numbers import escape_markdown
from clockhead.plain import plain_text
from clockhead.scenes.stage import find_stage
from tests.docs.stages import PAGE, PICTURES, ours
from tests.scenes.performing import on_each, performance

STAGES = ours()
MOST_BYTES = 3_000_000
FAR = 12
FRESH = 0.002
"""Versions of cairo round edges differently on fewer pixels than this; see tests of the posters."""


def differing(name: str, drawn: np.ndarray) -> float:
    """The share of pixels in which a drawing is far from the kept picture."""
    with Image.open(PICTURES / f"{name}.webp") as picture:
        kept = np.asarray(picture.convert("RGB")).astype(int)
    assert kept.shape == drawn.shape
    return float((np.abs(kept - drawn).max(axis=2) > FAR).mean())


def drawing(name: str) -> np.ndarray:
    picture = kept_picture(draw_picture(performance(name).scene, PAPER))
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)


@on_each(STAGES)
def test_a_picture_is_what_its_stage_draws_today(name: str):
    assert differing(name, drawing(name)) < FRESH


@pytest.mark.xdist_group(STAGES[0])
def test_a_stale_picture_is_noticed():
    first, second = STAGES[:2]
    assert differing(second, drawing(first)) > FRESH


def test_the_page_shows_every_stage_once_and_no_other():
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"\(gallery/([\w.]+)\.webp\)", text) == STAGES
    assert re.findall(r"`(\w+\.\w+)` \|", text) == STAGES
    assert sorted(file.name for file in PICTURES.iterdir()) == sorted(f"{s}.webp" for s in STAGES)


@on_each(STAGES)
def test_its_titles_are_those_of_the_stages(name: str):
    stage = find_stage(name)
    title = escape_markdown(plain_text(stage.shot(stage.Inputs()).title))
    assert f"![{title}](gallery/{name}.webp)<br>**{title}**<br>`{name}`" in PAGE.read_text("utf-8")


def test_its_pictures_are_small():
    sizes = [file.stat().st_size for file in PICTURES.iterdir()]
    assert sum(sizes) < MOST_BYTES
