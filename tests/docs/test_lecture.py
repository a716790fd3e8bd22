"""The moving picture of the README shows what the stage shows today.

`./clockhead export previous_token --to webp --shot sub_diagonal --width 640 --max-mb 1.2` makes it
anew.
"""

import io
from pathlib import Path

import numpy as np
from PIL import Image

from clockhead.pipeline.clips.clip import ClipJob
from clockhead.pipeline.clips.stills import Paper, StillsJob, draw_stills
from clockhead.pipeline.storyboard.films import load_films

MOVING = Path(__file__).parents[2] / "docs/lecture/sub_diagonal.webp"
ALIKE = 6.0
"""Levels of 255 by which the picture, made small, differs from what was drawn, on average."""


def test_it_ends_as_the_shot_ends():
    [film] = load_films(["previous_token"], only=["sub_diagonal"])
    [shot] = film.shots
    with Image.open(MOVING) as picture:
        paper = Paper(width=picture.width)
        picture.seek(picture.n_frames - 1)
        shown = np.asarray(picture.convert("RGB")).astype(float)
    stills = draw_stills(StillsJob(ClipJob(shot.stage, shot.shot, film.look), (paper,)))[paper]
    first, last = (
        np.asarray(Image.open(io.BytesIO(stills[at].picture)).convert("RGB")) for at in (0, -1)
    )
    assert np.abs(shown - last).mean() < ALIKE
    assert np.abs(shown - last).mean() < np.abs(shown - first).mean() / 2
