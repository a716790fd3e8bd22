"""The moving pictures of the README show what the stages show today.

`./clockhead export previous_token --to webp --shot sub_diagonal --width 640 --max-mb 1.2` makes one
anew, and `./clockhead export tour --to webp --shot notes --width 640 --max-mb 1.7` the other.
"""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from clockhead.clips.clip import ClipJob
from clockhead.clips.stills import Paper, draw_stills
from clockhead.storyboard.films import load_films

LECTURE = Path(__file__).parents[2] / "docs/lecture"
ALIKE = 6.0
"""Levels of 255 by which the picture, made small, differs from what was drawn, on average."""


@pytest.mark.parametrize(("film", "shot"), [("previous_token", "sub_diagonal"), ("tour", "notes")])
def test_it_ends_as_the_shot_ends(film, shot):
    [film] = load_films([film], only=[shot])
    with Image.open(LECTURE / f"{shot}.webp") as picture:
        [shot] = film.shots
        paper = Paper(width=picture.width)
        picture.seek(picture.n_frames - 1)
        shown = np.asarray(picture.convert("RGB")).astype(float)
    stills = draw_stills(ClipJob(shot.stage, shot.shot, film.look), papers=(paper,))[paper]
    first, last = (
        np.asarray(Image.open(io.BytesIO(stills[at].picture)).convert("RGB")) for at in (0, -1)
    )
    assert np.abs(shown - last).mean() < ALIKE
    assert np.abs(shown - last).mean() < np.abs(shown - first).mean() / 2
