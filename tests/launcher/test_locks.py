"""The lock files name versions and hashes, and nothing of the machine they were made on."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.launcher.conftest import LOCKS, ROOT


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_and_hashed(name: str) -> None:
    text = re.sub(r"\\\n", " ", (ROOT / name).read_text())
    packages = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert packages
    for line in packages:
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+$", line)


@pytest.mark.parametrize("name", LOCKS)
def test_no_host_and_no_folder_leaks_in(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|file:|find-links|index-url(?<!--no-emit-index-url)", text)


@pytest.mark.parametrize("name", ["requirements-dev.lock", "requirements-extras.lock"])
def test_other_packages_only_add_to_those_of_every_command(name: str) -> None:
    base, more = ((ROOT / lock).read_text().splitlines() for lock in (LOCKS[0], name))
    assert {line for line in base if not line.startswith("#")} <= set(more)


def test_tests_and_extras_take_the_same_versions() -> None:
    dev, extras = ({*_pins(ROOT / name)} for name in ("requirements-dev.lock", LOCKS[3]))
    both = {pin.partition("==")[0] for pin in dev}
    assert {pin for pin in extras if pin.partition("==")[0] in both} <= dev


def test_every_extra_is_in_the_lock_of_extras() -> None:
    optional = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = {pin.partition("==")[0] for pin in _pins(ROOT / "requirements-extras.lock")}
    for name, needs in optional["optional-dependencies"].items():
        if name != "dev":
            assert {re.match(r"[\w.-]+", need)[0] for need in needs} <= locked


def _pins(lock: Path) -> list[str]:
    return re.findall(r"^[\w.-]+==\S+", lock.read_text(), re.M)
