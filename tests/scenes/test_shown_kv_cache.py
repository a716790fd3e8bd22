"""What the film `kv_cache` frames while its sentences speak of frames."""

from __future__ import annotations

from typing import Any

import pytest

from clockhead.scenes.parts.cell_outlines import CellFrame
from clockhead.scenes.stage import find_stage
from tests.scenes.showing import seen
from tests.scenes.staging import play


@pytest.mark.parametrize("n_prompt", [6, 24])
def test_the_prompt_is_framed_as_long_as_that_is_said(n_prompt: int) -> None:
    assert frames_at_the_end("prefill", "prompt", "at once", n_prompt=n_prompt) == [1, 0]


def test_old_words_are_framed_as_long_as_that_is_said() -> None:
    assert frames_at_the_end("again", "spared", "doubled") == [2, 0]


def frames_at_the_end(name: str, *beats: str, **inputs: Any) -> list[int]:
    """How many frames there are at the ends of beats."""
    stage, found = find_stage(f"kv_cache.{name}"), dict[str, int]()

    def look(scene: Any) -> None:
        if scene.beats:
            frames = [frame for frame in seen(scene, CellFrame) if len(frame.points)]
            found[scene.beats[-1].name] = len(frames)

    play(stage, stage.shot(stage.Inputs(**inputs)), on_play=look)
    return [found[beat] for beat in beats]
