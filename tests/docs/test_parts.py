"""The gallery of parts: what it shows is what its lines draw today, and says what it stands for."""

import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from clockhead.scenes.stage.shown import misread
from clockhead.scenes.style.theme import LEGEND
from tests.docs.gallery import DOCS, PAGE, Example, draw, examples, page_for

EXAMPLES = list(examples())
NAMES = [example.name for example in EXAMPLES]
MOST_BYTES = 25_000
MOST_LINES = 14
FRESH = 0.002
"""Versions of cairo round edges differently on fewer pixels than this; see tests of the posters."""


def differing(example: Example, drawn: np.ndarray) -> float:
    """The share of pixels in which a drawing is not the kept picture, which has fewer colours."""
    kept = np.asarray(Image.open(example.picture).convert("RGB")).astype(int)
    return float((np.abs(kept - drawn) > 12).any(axis=2).mean())


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_a_picture_is_fresh_and_says_what_it_stands_for(example: Example):
    stage = page_for(example)
    assert misread(stage) == []
    assert differing(example, stage.renderer.get_frame()[..., :3]) < FRESH


def test_a_stale_picture_is_noticed():
    [bars] = [example for example in EXAMPLES if example.name == "bars"]
    changed = replace(bars, code=bars.code.replace('"attention"', '"value"'))
    assert changed != bars
    assert differing(bars, draw(changed)) > FRESH


def test_every_block_and_every_picture_is_an_example():
    assert PAGE.read_text().count("```python\n") == len(EXAMPLES)
    assert sorted(NAMES) == sorted(path.stem for path in (DOCS / "parts").iterdir())


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_an_example_is_small(example: Example):
    assert example.picture.stat().st_size <= MOST_BYTES
    assert len(example.code.strip().splitlines()) <= MOST_LINES


def test_the_legend_is_that_of_the_films():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", PAGE.read_text(), re.M))
    assert rows == LEGEND
