"""The numbers that sentences of the film about zeros and ones speak of stand in its cells."""

from typing import Any

import pytest

from clockhead.scenes.parts.matrix import Matrix
from clockhead.scenes.stage import find_stage
from tests.scenes.showing import drawn_rows, seen
from tests.scenes.staging import play


def numbered_cells(name: str, aspect: str) -> dict[str, set[str]]:
    """For every value that cells show in a stage, what is written in them."""
    found: dict[str, set[str]] = {}

    def look(scene: Any) -> None:
        for matrix in seen(scene, Matrix):
            if matrix.placed and matrix.opened.all():
                rows = drawn_rows(matrix)
                texts = {text for row in rows for text in row if text}
                found.setdefault(matrix.value.path, set()).update(texts)

    play(find_stage(name), aspect=aspect, on_play=look)
    return found


@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
@pytest.mark.parametrize(
    ("name", "path", "written"),
    [
        ("onehot.previous", "weights.w_qk_0", {"100", "−100"}),
        ("onehot.previous", "scores_0", {"100", "−100"}),
        ("onehot.match", "scores_1", {"100", "0"}),
        ("onehot.answer", "weights.w_ov_1", {"100", "0"}),
    ],
)
def test_cells_say_the_numbers_that_sentences_speak_of(
    name: str, path: str, written: set[str], aspect: str
) -> None:
    assert numbered_cells(name, aspect)[path] == written
