"""The stills in the README are what the stages draw today.

After a change that is meant, `python -m tests.scenes.test_posters` draws them anew.
"""

from pathlib import Path

import manim
import numpy as np
import pytest
from manim import tempconfig
from PIL import Image

from clockhead.scenes.stage import find_stage
from clockhead.scenes.style.layout import SHORT_SIDE

POSTERS = Path(__file__).parents[2] / "media" / "posters"
STAGES = {
    "previous_token": "previous_token.sub_diagonal",
    "rope": "rope.frequencies",
    "induction": "induction.nonsense",
    "caesar": "caesar.dot_products",
    "attention": "attention.hand_over",
    "transformer_block": "transformer_block.flow",
}
WIDTH, HEIGHT = 1280, 720


def draw(name: str) -> np.ndarray:
    """The last frame of a stage at 720p, as (height, width, 3) bytes."""
    options = {
        "dry_run": True,
        "verbosity": "ERROR",
        "pixel_width": WIDTH,
        "pixel_height": HEIGHT,
        "frame_width": SHORT_SIDE * WIDTH / HEIGHT,
        "frame_height": SHORT_SIDE,
    }
    with tempconfig(options):
        scene = find_stage(name)(skip_animations=True)
        scene.render()
        scene.renderer.static_image = None
        scene.renderer.update_frame(scene)
        return scene.renderer.get_frame()[..., :3]


@pytest.mark.parametrize("film", STAGES)
def test_poster(film: str):
    kept = np.asarray(Image.open(POSTERS / f"{film}.png").convert("RGB")).astype(int)
    # Versions of cairo round edges differently, by up to 9 in 255 on a thousandth of the pixels.
    differs = (np.abs(kept - draw(STAGES[film])) > 12).any(axis=2)
    assert differs.mean() < 0.002


if __name__ == "__main__":
    manim.logger.setLevel("ERROR")
    POSTERS.mkdir(parents=True, exist_ok=True)
    for film, stage in STAGES.items():
        Image.fromarray(draw(stage)).save(POSTERS / f"{film}.png", optimize=True)
