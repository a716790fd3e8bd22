"""The stage in the README, as it is written there."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scenes.stage import Stage
from scenes.stage.layout_check import LayoutChecker
from scenes.stage.shown import misread
from tests.scenes.staging import FRAMES, play

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def height(monkeypatch: pytest.MonkeyPatch) -> type[Stage]:
    [code] = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    module = ModuleType("height")
    monkeypatch.setitem(sys.modules, "height", module)
    exec(compile(code, "README.md", "exec"), module.__dict__)
    return module.Height


@pytest.mark.parametrize("aspect", FRAMES)
@pytest.mark.parametrize("degrees", [10, 120, 720])
def test_the_stage_of_the_guide_plays(height: type[Stage], aspect: str, degrees: int):
    checker, wrong = LayoutChecker(), []

    def look(scene: Stage) -> None:
        checker(scene)
        wrong.extend(misread(scene))

    play(height, height.shot(height.Inputs(degrees=degrees)), aspect=aspect, on_play=look)
    assert checker.problems == []
    assert wrong == []
