"""What is in the wheel: every file of the package that is under version control, and no other."""

import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "src/clockhead/": "clockhead/",
    "model/": "clockhead/model/",
    "scenes/": "clockhead/scenes/",
    "storyboards/": "clockhead/storyboards/",
}
"""Where the folders of the repository are in the wheel."""

needs_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory):
    """The names of the files in the wheel."""
    builders = pytest.importorskip("hatchling.builders.wheel")
    folder = tmp_path_factory.mktemp("wheel")
    [wheel] = builders.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@needs_checkout
def test_the_wheel_has_the_files_of_the_package(wheel_files):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PLACES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [file for file in listed.stdout.splitlines() if (ROOT / file).is_file()]
    links = {"src/clockhead/model", "src/clockhead/scenes", "src/clockhead/storyboards"}
    expected = {
        target + file.removeprefix(source)
        for file in files
        for source, target in PLACES.items()
        if file.startswith(source) and file not in links
    }
    metadata = {name for name in wheel_files if ".dist-info/" in name}
    assert set(wheel_files) - metadata == expected
    assert len(wheel_files) == len(set(wheel_files))


def test_the_wheel_says_that_it_is_typed(wheel_files):
    assert "clockhead/py.typed" in wheel_files


def test_licences_travel_with_what_they_are_of(wheel_files):
    texts = {name.partition("/licenses/")[2] for name in wheel_files if "/licenses/" in name}
    assert {"LICENSE", "src/clockhead/export/assets/reveal/dist/LICENSE"} <= texts
