"""The storyboards that come with Clockhead are found in a checkout and in an installed wheel."""

import importlib.util
import shutil
from pathlib import Path

from pipeline import library


def test_a_checkout_has_them_beside_the_package() -> None:
    found = library.installed_storyboards()
    assert found == Path(__file__).resolve().parents[2] / "storyboards"


def test_a_wheel_has_them_inside_the_package(tmp_path: Path) -> None:
    inside = tmp_path / "pipeline/storyboards"
    inside.mkdir(parents=True)
    (tmp_path / "storyboards").mkdir()
    copy = shutil.copy(library.__file__, tmp_path / "pipeline/library.py")
    spec = importlib.util.spec_from_file_location("installed_library", copy)
    assert spec is not None
    assert spec.loader is not None
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    assert installed.installed_storyboards() == inside
