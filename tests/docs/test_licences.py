"""The page of licences names every package that an installation brings."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/licences.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-extras.lock"])
def test_every_locked_package_is_listed(lock):
    packages = re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE)
    listed = set(re.findall(r"[\w.-]*\w", PAGE.partition("### All required packages")[2]))
    missing = [package for package in packages if package not in listed]
    assert not missing, "look up their licences and add them to docs/licences.md"


def test_the_version_of_reveal_is_that_which_ships():
    [version] = re.findall(
        r"reveal\.js ([\d.]+),",
        (ROOT / "src/clockhead/export/assets/reveal/dist/README.md").read_text(),
    )
    assert f"reveal.js {version}," in PAGE
