"""What is on screen is what it stands for: every bar, hand, cell, arc, label and number.

Pictures measure themselves (`Picture.readings`); the values are looked up anew, by path. Here they
are looked at in motion; `test_stages` looks at the end of every play, in every aspect.
"""

from clockhead.scenes.stage import stage_names
from tests.scenes.performing import on_each, performance


@on_each(stage_names())
def test_everything_on_screen_says_what_it_stands_for(name: str):
    assert list(performance(name).wrong_on_the_way) == []
