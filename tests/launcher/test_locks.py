"""The lock files name versions and hashes, and nothing of the machine they were made on."""

import re

import pytest

from tests.launcher.conftest import LOCKS, ROOT


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_and_hashed(name: str) -> None:
    text = re.sub(r"\\\n", " ", (ROOT / name).read_text())
    packages = [line for line in text.splitlines() if not line.startswith("#")]
    assert packages
    for line in packages:
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+$", line)


@pytest.mark.parametrize("name", LOCKS)
def test_no_host_and_no_folder_leaks_in(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"://|file:|find-links|index-url(?<!--no-emit-index-url)", text)


def test_the_test_packages_only_add_to_the_others() -> None:
    base, dev = ((ROOT / name).read_text().splitlines() for name in LOCKS[:2])
    assert {line for line in base if not line.startswith("#")} <= set(dev)
