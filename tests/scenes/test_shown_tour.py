"""What the film `tour` draws while it says something of it."""

from __future__ import annotations

from typing import Any

from clockhead.scenes.stage import find_stage
from tests.scenes.staging import play


def test_letters_of_the_ciphertext_stand_where_another_rotation_fits_them() -> None:
    found: list[str] = []

    def look(scene: Any) -> None:
        if getattr(scene, "ahead", None) in scene.mobjects:
            labels = scene.message.labels
            found.append("".join(labels[k].text for k in sorted(labels)))
        elif found:
            found.append("".join(one.text for one in scene.message.labels.values()))

    scene: Any = play(find_stage("tour.alphabets"), on_play=look)
    values = scene.values
    assert found[0] == values.ciphertext.replace(" ", "")
    assert found[-1] == values.turned_back[-1].replace(" ", "")
