"""What is in the wheel: every file of the package that is under version control, and no other."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.pipeline.project import output

ROOT = Path(__file__).resolve().parents[2]
PLACES = {
    "src/clockhead/": "clockhead/",
    "model/": "clockhead/model/",
    "scenes/": "clockhead/scenes/",
    "storyboards/": "clockhead/storyboards/",
}
"""Where the folders of the repository are in the wheel."""
USERS = (
    "storyboards/mine.yaml",
    "storyboards/mine.de.toml",
    "media/rope/rope.mp4",
    "scenes/rope/__pycache__/matrix.cpython-311.pyc",
)
"""Files that a user may have in a checkout."""

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")


@pytest.fixture(scope="module")
def repository_files():
    """The files of the repository, by their paths from its root."""
    listed = output("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    return [file for file in listed.splitlines() if os.path.lexists(ROOT / file)]


@pytest.fixture(scope="module")
def wheel_files(repository_files, tmp_path_factory):
    """The names of the files in the wheel, built from the sdist of a checkout that is in use."""
    sdists = pytest.importorskip("hatchling.builders.sdist")
    wheels = pytest.importorskip("hatchling.builders.wheel")
    folder = tmp_path_factory.mktemp("wheel")
    checkout = folder / "checkout"
    for file in (*repository_files, *USERS):
        (checkout / file).parent.mkdir(parents=True, exist_ok=True)
        if file in USERS:
            (checkout / file).touch()
        else:
            shutil.copy(ROOT / file, checkout / file, follow_symlinks=False)
    [sdist] = sdists.SdistBuilder(str(checkout)).build(directory=str(folder))
    shutil.unpack_archive(sdist, folder)
    unpacked = folder / Path(sdist).name.removesuffix(".tar.gz")
    builder = wheels.WheelBuilder(str(unpacked))
    [wheel] = builder.build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_has_the_files_of_the_package(repository_files, wheel_files):
    expected = {
        target + file.removeprefix(source)
        for file in repository_files
        for source, target in PLACES.items()
        if file.startswith(source) and not (ROOT / file).is_symlink()
    }
    metadata = {name for name in wheel_files if ".dist-info/" in name}
    assert set(wheel_files) - metadata == expected
    assert len(wheel_files) == len(set(wheel_files))


def test_templates_scripts_and_texts_are_among_them(wheel_files):
    kinds = ("py", "py.typed", "toml", "yaml", "json", "jinja", "typ", "js", "css")
    found = {kind for kind in kinds for name in wheel_files if name.endswith(f".{kind}")}
    assert found | {"py.typed"} == set(kinds)
    assert "clockhead/py.typed" in wheel_files


def test_licences_travel_with_what_they_are_of(wheel_files):
    texts = {name.partition("/licenses/")[2] for name in wheel_files if "/licenses/" in name}
    assert {"LICENSE", "src/clockhead/export/assets/reveal/dist/LICENSE"} <= texts
