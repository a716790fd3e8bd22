"""The stages `softmax` and `blend` of the film `attention`: what stands where."""

import numpy as np

from clockhead.scenes.attention.blend import Blend
from clockhead.scenes.attention.softmax import Softmax
from tests.scenes.staging import play


def test_what_softmax_leaves_is_the_pattern_where_the_scores_stood():
    scene = play(Softmax)
    assert scene.pattern.value.path == "pattern"
    assert np.all(scene.pattern.opened == 1)
    assert scene.pattern.lattice.region == scene.grid.lattice.region
    for words in (scene.pattern.row_labels, scene.pattern.column_labels):
        assert [label.text for label in words] == ["the", "cat", "sat"]


def test_the_values_pour_into_the_row_of_the_last_token():
    goals = []

    def look(scene):
        if hasattr(scene, "pour"):
            goals.append((scene.pour._to.region, scene.blend.row(2)))

    play(Blend, on_play=look)
    goal, row = goals[0]
    assert goal == row
