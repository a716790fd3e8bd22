"""What is on screen is what it stands for: every bar, hand, cell, arc, label and number.

Pictures measure themselves (`Picture.readings`); the values are looked up anew, by path. Here they
are looked at in motion; `test_stages` looks at the end of every play, in every aspect.
"""

import pytest

from clockhead.scenes.stage import find_stage, stage_names
from clockhead.scenes.stage.shown import misread
from tests.scenes.staging import play


@pytest.mark.parametrize("name", stage_names())
def test_everything_on_screen_says_what_it_stands_for(name: str):
    problems: dict[str, None] = {}

    def look(scene: object) -> None:
        where = scene.beats[-1].name if scene.beats else "the opening"
        problems.update(dict.fromkeys(f"{where}: {problem}" for problem in misread(scene)))

    play(find_stage(name), on_moment=look)
    assert list(problems) == []
